//! The arguments of `model`.

use super::values::{arch, dialect};
use crate::cat::Dialect;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What to do with a model.
#[derive(Subcommand, Debug)]
pub enum ModelCommand {
    /// Show what a model includes, defines and needs, and how each check is judged
    Info(ModelArgs),
    /// Warn about what is allowed but hardly meant; exit code 1 when there is a warning
    Check(ModelArgs),
    /// Format model files in place; prints the names of those that change
    Fmt(FormatArgs),
    /// List the sets and relations that executions give, with their meaning
    Names(NamesArgs),
}

/// Which base names to list.
#[derive(Args, Debug)]
pub struct NamesArgs {
    /// Only those that tests of this architecture have
    #[arg(long, value_name = "ARCH", value_parser = arch)]
    pub arch: Option<String>,
}

/// A model to look at.
#[derive(Args, Debug)]
pub struct ModelArgs {
    /// A path, or the name of a bundled model
    #[arg(value_name = "MODEL")]
    pub model: String,
    /// Its bell file, when it does not stand beside it
    #[arg(long, value_name = "FILE")]
    pub bell: Option<PathBuf>,
    /// A directory for included files
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// The architecture of the tests that it is for
    #[arg(long, value_name = "ARCH", value_parser = arch)]
    pub arch: Option<String>,
    /// The dialect (herd, dartagnan); recognised when not said
    #[arg(long, value_name = "DIALECT", value_parser = dialect)]
    pub dialect: Option<Dialect>,
    /// A variant that the model may ask for (`if "NAME"`); may be repeated
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub variant: Vec<String>,
}

/// Files to format.
#[derive(Args, Debug)]
pub struct FormatArgs {
    /// The files
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Change nothing; exit code 1 when a file would change
    #[arg(long)]
    pub check: bool,
    /// The dialect (herd, dartagnan); herd when not said
    #[arg(long, value_name = "DIALECT", value_parser = dialect)]
    pub dialect: Option<Dialect>,
}
