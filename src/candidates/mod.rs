//! Engines that enumerate candidate executions and ask the model about each.

pub mod enumerate;
pub mod straightline;
pub mod traces;
