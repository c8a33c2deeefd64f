//! Revisits: which reads a write may revisit, and from which graph. This is the condition of the published algorithm.

pub mod condition;
pub(crate) mod exhaustive;
pub(crate) mod maximal;
pub(crate) mod reads;
