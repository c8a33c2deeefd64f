//! Executions that a report lists one by one.

use crate::verdict::picture::{Edge, Picture};
use serde::{Deserialize, Serialize};

/// The executions that were asked for.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Listing {
    /// Whether these are candidates that the model forbids, not executions that it allows.
    pub forbidden: bool,
    /// In a deterministic order.
    pub executions: Vec<Listed>,
    /// Whether there are no others.
    pub all: bool,
}

/// One of them.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Listed {
    /// The final state of a litmus test.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub state: Option<String>,
    /// Whether it ends in an error, or threads wait for ever.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub wrong: bool,
    /// The axiom that forbids it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub axiom: Option<String>,
    /// The cycle that the axiom forbids, if it forbids one.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub cycle: Vec<Edge>,
    /// Why there is no cycle to show.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unexplained: Option<String>,
    /// The execution.
    pub execution: Picture,
}
