//! The arguments of `repair` and `relax`.

use super::check::InputArgs;
use super::values::property;
use crate::verdict::Property;
use clap::Args;

/// The arguments of `repair`.
#[derive(Args, Debug)]
pub struct RepairArgs {
    /// What both have in common
    #[command(flatten)]
    pub common: TuneArgs,
    /// At most N changes in a repair
    #[arg(long, value_name = "N", default_value = "4")]
    pub changes: usize,
}

/// The arguments of `relax`.
#[derive(Args, Debug)]
pub struct RelaxArgs {
    /// What both have in common
    #[command(flatten)]
    pub common: TuneArgs,
}

/// What `repair` and `relax` have in common.
#[derive(Args, Debug)]
pub struct TuneArgs {
    /// The models under which the program is to hold, separated by commas; when none is named, that which `hmc check` would take
    #[arg(long, value_name = "MODEL", value_delimiter = ',')]
    pub cat: Vec<String>,
    /// Programs and litmus tests (`exists` asks for what should not be)
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// Change the file; of several repairs the first one is written
    #[arg(long)]
    pub write: bool,
    /// Print the change as a patch
    #[arg(long, conflicts_with = "json")]
    pub patch: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// What a program that holds is to be free of; all but `overflow` when not said
    #[arg(long, value_name = "PROPERTY", value_delimiter = ',', value_parser = property)]
    pub properties: Vec<Property>,
    /// How and where models and files are read
    #[command(flatten)]
    pub input: InputArgs,
}
