//! How many executions there will be.

pub mod descents;
pub mod forecast;
pub(crate) mod online;
