//! The arguments of `test`.

use super::values::seconds;
use clap::Args;

/// The arguments of `test`.
#[derive(Args, Debug)]
pub struct TestArgs {
    /// Directories (all files below them that say what is expected) and files; what hmc.toml names when nothing is said, else the
    /// current directory
    #[arg(value_name = "DIR|FILE")]
    pub files: Vec<String>,
    /// Only runs whose file, options or flags contain this
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Write what is found into the headers of the files where it differs
    #[arg(long)]
    pub bless: bool,
    /// Say nothing of the runs that are as expected
    #[arg(short, long)]
    pub quiet: bool,
    /// Make N runs at the same time; as many as there are processors when not said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Stop after S seconds a run that sets no time limit itself
    #[arg(long, value_name = "S", default_value = "300", value_parser = seconds)]
    pub timeout: f64,
}
