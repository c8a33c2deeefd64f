//! Fewer executions: interchangeable threads, coherence that nobody looks at, outcomes that are certain early.

pub(crate) mod coherence;
pub(crate) mod outcome_pruning;
pub(crate) mod straight;
pub mod symmetry;
