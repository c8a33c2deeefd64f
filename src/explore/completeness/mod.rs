//! Executions that exploration does not come to, shown like those that it finds.

pub mod merge;
pub(crate) mod relabel;
