//! Executions as pictures and columns.
//!
//! - [`svg`], [`dot`]: pictures.
//! - [`columns`]: threads as columns of text; [`snippet`]: the source lines of a finding.
//! - [`past`]: the events that a finding depends on.

pub mod columns;
pub mod dot;
pub mod past;
pub mod snippet;
pub mod svg;
