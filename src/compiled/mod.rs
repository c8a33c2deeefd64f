//! `hmc compiled`: does a program that clang has optimised do only what its source may do, and which pass is to blame?
//!
//! - [`compare`]: outcomes and findings of an optimised program that its source has not.
//! - [`assembly`]: the same of assembly, under the model of the processor.
//! - [`blame`]: the first pass behind which there is one, by halving.
//! - [`differences`]: what a pass has changed, as text.
//! - [`shown`]: the report for people.
//!
//! The source is the program at `-O0`. An outcome is the values of the variables that other files may name, and of what `hmc_observe` shows, at the end of an
//! execution; a compiler has to keep both. Fewer outcomes are allowed. A source with undefined behaviour allows anything.

pub mod assembly;
mod blame;
mod compare;
mod differences;
pub mod shown;

pub use blame::Blame;
pub use compare::{Input, check};

use crate::verdict::{Finding, Message, Picture, Verdict};
use serde::Serialize;

/// What is said of optimised programs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// They do nothing that the source may not do.
    Holds,
    /// A search was cut, and what was seen shows nothing wrong.
    Bounded,
    /// The source has undefined behaviour: anything is allowed.
    Undefined,
    /// A program does something that hmc cannot run.
    Unsupported,
    /// An optimised program does what the source may not do.
    Violated,
    /// Something is wrong with the input.
    Error,
}

impl Answer {
    /// As in the JSON report.
    pub fn word(self) -> &'static str {
        match self {
            Answer::Holds => "holds",
            Answer::Bounded => "bounded",
            Answer::Undefined => "undefined",
            Answer::Unsupported => "unsupported",
            Answer::Violated => "violated",
            Answer::Error => "error",
        }
    }

    /// The exit code for a run whose worst answer this is.
    pub fn exit_code(self) -> u8 {
        match self {
            Answer::Holds => 0,
            Answer::Bounded => Verdict::Bounded.exit_code(),
            Answer::Undefined | Answer::Unsupported => Verdict::Unsupported.exit_code(),
            Answer::Violated => Verdict::Violated.exit_code(),
            Answer::Error => Verdict::Error.exit_code(),
        }
    }
}

/// A file, compiled in several ways, against its source.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Compiled {
    /// The file, as the user named it.
    pub file: String,
    /// The model, as the user named it.
    pub model: String,
    /// The worst answer of all levels.
    pub answer: Answer,
    /// The verdict on the source.
    pub source: Verdict,
    /// Its outcomes.
    pub outcomes: Vec<String>,
    /// What the source does that makes anything allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undefined: Option<Finding>,
    /// The ways in which it was compiled.
    pub levels: Vec<Level>,
    /// What is wrong with the input, or cannot be run.
    pub messages: Vec<Message>,
    /// Time taken.
    pub seconds: f64,
}

/// A program as compiled in one way.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Level {
    /// The compiler, if one was named, and the level: `-O2`, `clang-14 -O2`.
    pub name: String,
    /// What is said of it.
    pub answer: Answer,
    /// Its outcomes.
    pub outcomes: Vec<String>,
    /// Those that the source has not.
    pub new_outcomes: Vec<String>,
    /// Findings that the source has not.
    pub new_findings: Vec<Finding>,
    /// Outcomes that the source has not where its model forbids load buffering, and has where that is allowed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub load_buffering: Vec<String>,
    /// How many outcomes of the source it has not.
    pub fewer: usize,
    /// An execution with a new outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<Picture>,
    /// The first pass behind which something is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blame: Option<Blame>,
    /// What cannot be run.
    pub messages: Vec<Message>,
}

impl Level {
    /// One of which nothing is known yet.
    fn named(name: String) -> Level {
        Level {
            name,
            answer: Answer::Holds,
            outcomes: Vec::new(),
            new_outcomes: Vec::new(),
            new_findings: Vec::new(),
            load_buffering: Vec::new(),
            fewer: 0,
            execution: None,
            blame: None,
            messages: Vec::new(),
        }
    }
}
