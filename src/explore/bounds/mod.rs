//! Bounds on interleavings: executions that some interleaving shows with few preemptions, or in few rounds.
//!
//! A *preemption* is a switch away from a thread that could go on: not one that has ended, or waits at a join, a lock or a barrier. In a *round* each thread in turn, by number, runs as far as it can;
//! rounds count beyond the first. The bound of an execution is the least number over all interleavings that are its linearizations.
//!
//! - [`bound`]: what is bounded, and by how much; [`measured`]: what an execution comes to.
//! - [`interleavings`]: what comes before what in every linearization, and which steps a thread waits at.
//! - [`preemptions`], [`rounds`]: the two measures.
//! - [`pruning`]: graphs from which no execution within the bound is reached (Marmanis, Kokologiannakis, Vafeiadis, TACAS 2023, have a slack in its place).
//!
//! `docs/bounds.md` has the definition and argues that nothing within the bound is lost.

pub mod bound;
pub mod interleavings;
pub mod measured;
pub mod preemptions;
pub mod pruning;
pub mod rounds;

pub use bound::{Bound, Measure};
