//! How a result compares with what was expected.

use serde::{Deserialize, Serialize};

/// How a result compares with what was expected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// Where the expectation stands.
    pub source: String,
    /// What differs, one sentence each.
    pub differences: Vec<String>,
}
