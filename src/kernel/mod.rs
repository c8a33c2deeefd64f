//! Bit-matrix evaluation of a model over a growing execution.
//!
//! The kernel knows rows, not events: what a row means is the business of `graph`. It never sees cat syntax either: it is
//! given a [`Plan`](plan::Plan) compiled from the algebra.
//!
//! - [`plan`]: a model compiled for a program at hand: which base names it needs, which checks prune, and code over numbered slots.
//! - [`small`]: the same for executions of at most 1,024 events under checks that need no closure and no recursion; every session begins there
//!   if it can, and goes over to the following.
//! - [`session`]: rows are added, checked and undone. `state` holds the slots and brings back what they held; `eval` runs the code on what
//!   has changed, in rows that [`row`] holds.
//! - `decided`: what is decided at the end of an execution.

mod decided;
mod eval;
pub mod plan;
pub mod row;
pub mod session;
pub mod small;
mod state;
