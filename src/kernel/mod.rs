//! Bit-matrix evaluation of a model over a growing execution.
//!
//! The kernel knows rows, not events: what a row means is the business of `graph`. It never sees cat syntax either: it is
//! given a [`Plan`](plan::Plan) compiled from the algebra.
//!
//! - [`bits`]: dense bit sets, the currency between `graph` and the kernel.
//! - [`candidate`]: an execution as plain data (sets of pairs, by name), for the reference evaluator and for reports.
//! - [`session`]: the fast path: rows are added, checked and undone.

pub mod bits;
pub mod candidate;
pub mod plan;
pub mod session;
