//! Functions on blocks, texts and numbers.
//!
//! - [`strings`]: blocks and texts in memory; [`numbers`]: numbers in texts.
//! - [`sorting`]: sorting and searching.
//! - [`printing`]: output is evaluated, and not printed.

pub mod numbers;
pub mod printing;
pub mod sorting;
pub mod strings;
