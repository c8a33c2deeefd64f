//! `hmc`: checks concurrent programs and litmus tests against a memory model read from a `.cat` file.
//!
//! See `docs/architecture.md` for the map of the rooms.

pub mod algebra;
pub mod candidates;
pub mod cat;
pub mod cli;
pub mod compiled;
pub mod driver;
pub mod explore;
pub mod graph;
pub mod ids;
pub mod kernel;
pub mod litmus;
pub mod llvm;
pub mod parts;
pub mod patience;
pub mod program;
pub mod questions;
pub mod relation;
pub mod report;
pub mod shelf;
pub mod synth;
pub mod tune;
pub mod verdict;
