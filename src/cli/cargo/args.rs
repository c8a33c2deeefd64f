//! The arguments of `cargo hmc`.

use crate::cli::args::{Output, output, seconds, specification};
use crate::driver::inputs::usual;
use crate::linearizability::library::By;
use clap::Parser;
use std::path::PathBuf;

/// Checks the tests of a crate, each in all its executions under a memory model.
///
/// Each `#[test]` function is explored by itself, with the standard library as it is; a result line each, as `cargo test` has.
/// With `--bin` or `--example` it is the `main` of that program.
#[derive(Parser, Clone, Debug)]
#[command(name = "cargo-hmc", bin_name = "cargo hmc", version)]
pub struct CargoArgs {
    /// The memory model: a path, or the name of a bundled model; several, separated by commas
    #[arg(long, value_name = "MODEL", value_delimiter = ',', default_value = usual::C11)]
    pub cat: Vec<String>,
    /// The unit tests of the library only
    #[arg(long)]
    pub lib: bool,
    /// The tests of this file of `tests/`
    #[arg(long, value_name = "NAME")]
    pub test: Vec<String>,
    /// The `main` of this program
    #[arg(long, value_name = "NAME")]
    pub bin: Vec<String>,
    /// The `main` of this example
    #[arg(long, value_name = "NAME")]
    pub example: Vec<String>,
    /// The package of the workspace
    #[arg(short, long, value_name = "NAME")]
    pub package: Option<String>,
    /// The package's `Cargo.toml`
    #[arg(long, value_name = "FILE")]
    pub manifest_path: Option<PathBuf>,
    /// Features of the package
    #[arg(short = 'F', long, value_name = "FEATURES")]
    pub features: Vec<String>,
    /// All features of the package
    #[arg(long)]
    pub all_features: bool,
    /// Not the default features
    #[arg(long)]
    pub no_default_features: bool,
    /// Bound on rounds of each loop
    #[arg(long, value_name = "N")]
    pub unroll: Option<u32>,
    /// End each test after so many seconds: it is then `bounded`
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<f64>,
    /// Hold the calls of functions against a sequential specification, as in `queue:enqueue,dequeue;empty=-1`
    #[arg(long, value_name = "SPEC", value_parser = specification)]
    pub linearizable: Option<By>,
    /// How many tests are checked at a time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Another form of the results (json, junit, sarif, github), as FORM or FORM=FILE
    #[arg(long, value_name = "FORM[=FILE]", value_parser = output)]
    pub format: Vec<Output>,
    /// Only tests whose names contain one of these
    #[arg(last = true, value_name = "FILTER")]
    pub filter: Vec<String>,
}
