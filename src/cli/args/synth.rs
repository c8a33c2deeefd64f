//! The arguments of `hmc synth`.

use super::values::{arch, seconds};
use crate::synth::MAX_SIZE;
use crate::synth::minimal::Minimality;
use crate::synth::programs::vocabulary::Relaxation;
use crate::synth::suite::print::Condition;
use clap::Args;
use std::path::PathBuf;

/// The arguments of `synth`.
#[derive(Args, Debug)]
pub struct SynthArgs {
    /// The model: a path, or the name of a bundled one
    #[arg(long, value_name = "MODEL", required_unless_present = "distinguish", conflicts_with = "distinguish")]
    pub cat: Option<String>,
    /// The largest number of events in a test; initial writes do not count
    #[arg(long, value_name = "N", default_value = "4", value_parser = size)]
    pub size: usize,
    /// Write the tests into this directory, with an index (@all) and tables (suite.tsv, suite.json)
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Go on where an earlier run into the same directory ended
    #[arg(long, requires = "output")]
    pub resume: bool,
    /// A picture of each test beside it (NAME.svg): an execution with its outcome
    #[arg(long, requires = "output")]
    pub svg: bool,
    /// Check each test again: the reference evaluator forbids its outcomes and allows them after each relaxation, and the printed test never has them
    #[arg(long)]
    pub verify: bool,
    /// Say of each test of an existing suite (a directory, or @LIST) whether it is minimal or which minimal tests it contains, and which minimal tests the suite lacks
    #[arg(long, value_name = "SUITE", conflicts_with_all = ["distinguish", "output", "verify"])]
    pub compare: Option<String>,
    /// The smallest tests on which two models differ
    #[arg(long, value_names = ["A", "B"], num_args = 2, conflicts_with_all = ["axiom", "minimal", "relaxations", "resume", "svg", "verify"])]
    pub distinguish: Vec<String>,
    /// All axioms and the model as a whole: what is synthesised when no axiom is named
    #[arg(long, conflicts_with = "axiom")]
    pub union: bool,
    /// Only tests that are minimal for this axiom; may be repeated
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub axiom: Vec<String>,
    /// What is minimal (outcome, execution): an outcome that no execution may have, or one execution
    #[arg(long, value_name = "WHAT", default_value = "outcome", value_parser = minimality)]
    pub minimal: Minimality,
    /// The relaxations that a test has to stand (RI, DRMW, DF, DMO, RD, RD1); those of the lattice file when not said
    #[arg(long, value_name = "TAG", value_delimiter = ',', value_parser = relaxation)]
    pub relaxations: Vec<Relaxation>,
    /// What tests are made of: the name of a bundled lattice (x86, aarch64, power, …) or a file
    #[arg(long, value_name = "LATTICE")]
    pub lattice: Option<String>,
    /// The architecture of the tests; that of the model when not said
    #[arg(long, value_name = "ARCH", value_parser = arch)]
    pub arch: Option<String>,
    /// At most N threads in a test
    #[arg(long, value_name = "N")]
    pub threads_max: Option<usize>,
    /// At most N addresses in a test
    #[arg(long, value_name = "N")]
    pub addresses_max: Option<usize>,
    /// Stop when N tests were found
    #[arg(long, value_name = "N")]
    pub max_tests: Option<usize>,
    /// Stop after S seconds and write what was found
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub timeout: Option<f64>,
    /// The condition of the tests (exists, forall): the outcomes exist, or all executions have others
    #[arg(long, value_name = "KIND", default_value = "exists", value_parser = condition)]
    pub condition: Condition,
    /// The model's bell file; one that stands beside the model is found without this
    #[arg(long, value_name = "FILE")]
    pub bell: Option<PathBuf>,
    /// A directory for files that the model includes
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Use N threads; as many as there are processors when not said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

fn size(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(size) if (2..=MAX_SIZE).contains(&size) => Ok(size),
        _ => Err(format!("a number from 2 to {MAX_SIZE}")),
    }
}

fn minimality(text: &str) -> Result<Minimality, String> {
    match text {
        "outcome" => Ok(Minimality::Outcome),
        "execution" => Ok(Minimality::Execution),
        _ => Err("minimal are outcomes or executions: outcome, execution".into()),
    }
}

fn relaxation(text: &str) -> Result<Relaxation, String> {
    Relaxation::ALL.into_iter().find(|r| r.tag() == text).ok_or_else(|| {
        let tags: Vec<&str> = Relaxation::ALL.iter().map(|r| r.tag()).collect();
        format!("the relaxations are {}", tags.join(", "))
    })
}

fn condition(text: &str) -> Result<Condition, String> {
    match text {
        "exists" => Ok(Condition::Exists),
        "forall" => Ok(Condition::Forall),
        _ => Err("the conditions are exists and forall".into()),
    }
}
