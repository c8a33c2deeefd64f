//! Executions as pictures and columns.
//!
//! - [`svg`], [`dot`]: pictures.
//! - [`columns`]: threads as columns of text; [`calls`]: the same of calls; [`snippet`]: the source lines of a finding.
//! - [`chosen`]: which execution of a result, and which of its events.
//! - [`past`]: the events that a finding depends on.

pub mod calls;
pub mod chosen;
pub mod columns;
pub mod dot;
pub mod past;
pub mod snippet;
pub mod svg;
