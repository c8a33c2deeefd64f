//! The arguments of the subcommands that compare models: `diff`, `robust` and `run-table`.

use super::check::InputArgs;
use crate::assembly::Target;
use clap::Args;
use std::path::PathBuf;

/// The arguments of `diff`.
#[derive(Args, Debug)]
pub struct DiffArgs {
    /// One model
    #[arg(value_name = "MODEL A")]
    pub a: String,
    /// Another model
    #[arg(value_name = "MODEL B")]
    pub b: String,
    /// What to compare them on
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// For each difference, show an execution that one model allows, and the axiom and the cycle by which the other forbids it
    #[arg(long)]
    pub explain: bool,
    /// How and where models and files are read
    #[command(flatten)]
    pub input: InputArgs,
}

/// The arguments of `robust`.
#[derive(Args, Debug)]
pub struct RobustArgs {
    /// The weaker model
    #[arg(long, value_name = "MODEL", required = true)]
    pub cat: String,
    /// The stronger model
    #[arg(long, value_name = "MODEL", default_value = "sc")]
    pub against: String,
    /// What to compare them on: programs or litmus tests
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// Print the results as JSON
    #[arg(long)]
    pub json: bool,
    /// How and where models and files are read
    #[command(flatten)]
    pub input: InputArgs,
}

/// The arguments of `compiled`.
#[derive(Args, Debug)]
pub struct CompiledArgs {
    /// The models, separated by commas; when none is named, that which `hmc check` would take
    #[arg(long, value_name = "MODEL", value_delimiter = ',')]
    pub cat: Vec<String>,
    /// Programs in C and C++
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// The compilers, separated by commas: clang by name or path; with `--target` gcc as well
    #[arg(long, value_name = "COMPILER", value_delimiter = ',')]
    pub cc: Vec<PathBuf>,
    /// Look at the assembly for these processors, separated by commas, each under its model: aarch64, riscv64, powerpc64le, x86_64
    #[arg(long, value_name = "PROCESSOR", value_delimiter = ',', value_parser = target)]
    pub target: Vec<Target>,
    /// Look at this assembly, which the program was compiled to; may be given several times
    #[arg(long, value_name = "FILE.s")]
    pub assembly: Vec<PathBuf>,
    /// Print the results as JSON
    #[arg(long)]
    pub json: bool,
    /// How and where models and files are read. Each `-O` behind `--` is a level of its own
    #[command(flatten)]
    pub input: InputArgs,
}

fn target(name: &str) -> Result<Target, String> {
    let known = Target::ALL.map(Target::name).join(", ");
    Target::named(name).ok_or_else(|| format!("known are {known}"))
}

/// The arguments of `run-table`.
#[derive(Args, Debug)]
pub struct RunTableArgs {
    /// The models, separated by commas
    #[arg(long, value_name = "MODEL", required = true, value_delimiter = ',')]
    pub cat: Vec<String>,
    /// What to run
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// The form of the table
    #[arg(long, value_enum, default_value_t = TableForm::Text)]
    pub format: TableForm,
    /// Write the table to this file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Only tests on which the models differ
    #[arg(long)]
    pub differing: bool,
    /// Answer conditions only
    #[arg(long)]
    pub condition_only: bool,
    /// How and where models and files are read
    #[command(flatten)]
    pub input: InputArgs,
}

/// The form of a table.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableForm {
    /// For a terminal.
    Text,
    /// Comma-separated values.
    Csv,
    /// A page for a browser.
    Html,
}
