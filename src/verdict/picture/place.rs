//! Positions in source files.

use serde::{Deserialize, Serialize};

/// A source position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Place {
    /// The file, as the user named it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1; 0 when not known.
    pub column: u32,
}
