//! The search itself: choices, steps of threads, restrictions of the graph, and what is done where no thread can run.

pub(crate) mod advance;
pub(crate) mod choices;
pub(in crate::explore) mod concerns;
pub mod context;
pub mod ending;
pub(crate) mod failures;
pub(crate) mod frames;
pub(crate) mod label;
pub(crate) mod leaf;
pub(crate) mod replay;
pub(crate) mod restrict;
pub mod search;
mod sizes;
pub mod step;
