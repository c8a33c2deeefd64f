//! What is said about robustness: plain data.

use super::result::{Message, Rejection, Verdict};
use crate::verdict::picture::place::Place;
use serde::{Deserialize, Serialize};

/// A place for a fence: between two source lines of a thread.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Gap {
    /// The function.
    pub function: String,
    /// After this access.
    pub after: Option<Place>,
    /// Before this one.
    pub before: Option<Place>,
}

/// Whether a program behaves under a model as under a stronger one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Robustness {
    /// The file, as the user named it.
    pub file: String,
    /// The model, as the user named it.
    pub model: String,
    /// The stronger model.
    pub against: String,
    /// `holds`: robust; `violated`: not; `bounded`: no difference seen, but not everything was looked at.
    pub verdict: Verdict,
    /// Executions under the model.
    pub executions: u64,
    /// Executions under the stronger model.
    pub executions_against: u64,
    /// Executions under the model that the stronger one forbids, those that end in an error included.
    pub forbidden: u64,
    /// One of them: the axiom of the stronger model, its cycle, the execution.
    pub witness: Option<Rejection>,
    /// The smallest set of places found where fences restore robustness.
    pub fences: Vec<Gap>,
    /// Whether the program was explored again with these fences, and was robust.
    pub verified: bool,
    /// Errors of the input.
    pub messages: Vec<Message>,
    /// What else is to be known.
    pub notes: Vec<String>,
    /// Time taken.
    pub seconds: f64,
}
