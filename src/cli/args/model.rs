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
    /// Say which of two models is stronger: each direction proved, refuted with a test, or unknown up to a size. Exit codes: 0 the same, 1 not, 3 unknown
    Compare(CompareArgs),
    /// Say whether C11 programs keep their meaning when they are compiled: refuted with a test, or unknown up to a size. Exit codes: 1 refuted, 3 unknown
    Mapping(MappingArgs),
    /// Say what a model has: redundant axioms, coherence, acyclic orders, monotony; each with a proof or a test
    Properties(PropertiesArgs),
    /// Prove an inclusion of relations in every execution, `expr <= expr` or `expr = expr`. Exit codes: 0 proved, 3 not
    Claim(ClaimArgs),
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

/// What questions about models share.
#[derive(Args, Debug)]
pub struct QuestionArgs {
    /// The architecture whose executions are asked about; that of the models when not said
    #[arg(long, value_name = "ARCH", value_parser = arch)]
    pub arch: Option<String>,
    /// Search for tests of up to so many events
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=10))]
    pub size: u8,
    /// What tests are made of: a lattice file, or the name of a bundled one; that of the architecture when not said
    #[arg(long, value_name = "FILE")]
    pub lattice: Option<String>,
    /// Tests are made of these tokens of the lattice only, such as Racq,Rsc,Wsc
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub tokens: Vec<String>,
    /// A directory for included files
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// How many threads search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    pub threads: u8,
    /// End the search after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = super::values::seconds)]
    pub timeout: Option<f64>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Two models.
#[derive(Args, Debug)]
pub struct CompareArgs {
    /// A path, or the name of a bundled model
    #[arg(value_name = "MODEL")]
    pub first: String,
    /// The other model
    #[arg(value_name = "MODEL")]
    pub second: String,
    /// A fact about executions, `expr <= expr` or `expr = expr`: proofs use it; may be repeated
    #[arg(long, value_name = "FACT")]
    pub assume: Vec<String>,
    /// What is asked.
    #[command(flatten)]
    pub question: QuestionArgs,
}

/// Two models and how programs get from one to the other.
#[derive(Args, Debug)]
pub struct MappingArgs {
    /// The model of the source: a path, or the name of a bundled model
    #[arg(value_name = "SOURCE")]
    pub source: String,
    /// The model of the compiled program
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// What each operation becomes: a file, or the name of a bundled mapping; that of the target's architecture when not said
    #[arg(long, value_name = "FILE")]
    pub mapping: Option<String>,
    /// What is asked.
    #[command(flatten)]
    pub question: QuestionArgs,
}

/// One model.
#[derive(Args, Debug)]
pub struct PropertiesArgs {
    /// A path, or the name of a bundled model
    #[arg(value_name = "MODEL")]
    pub model: String,
    /// What is asked.
    #[command(flatten)]
    pub question: QuestionArgs,
}

/// An inclusion.
#[derive(Args, Debug)]
pub struct ClaimArgs {
    /// `expr <= expr`, or `expr = expr`; names are those of executions, stdlib.cat and cos.cat
    #[arg(value_name = "CLAIM")]
    pub claim: String,
    /// A fact about executions: the proof uses it; may be repeated
    #[arg(long, value_name = "FACT")]
    pub assume: Vec<String>,
    /// The architecture whose executions are asked about; any when not said
    #[arg(long, value_name = "ARCH", value_parser = arch)]
    pub arch: Option<String>,
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
