//! `hmc`: checks concurrent programs and litmus tests against a memory model read from a `.cat` file.
//!
//! [`library`] is the way in for other programs: [`Model`], [`Program`], [`Checker`], [`Report`]. The other rooms are public for the tools and tests of
//! this project; `docs/architecture.md` is their map.

pub mod algebra;
pub mod analysis;
pub mod assembly;
pub mod candidates;
pub mod cat;
#[cfg(not(target_family = "wasm"))]
pub mod cli;
pub mod clock;
pub mod compiled;
pub mod crash;
pub mod driver;
pub mod editing;
pub mod explore;
pub mod graph;
pub mod ids;
pub mod kernel;
pub mod library;
pub mod linearizability;
pub mod litmus;
pub mod llvm;
#[cfg(not(target_family = "wasm"))]
pub mod lsp;
pub mod parts;
pub mod patience;
pub mod program;
pub mod questions;
pub mod relation;
pub mod report;
pub mod sequential;
pub mod shelf;
pub mod stack;
pub mod synth;
pub mod tune;
pub mod verdict;

pub use library::{Checker, Model, Problems, Program, Report};
pub use verdict::{Property, Verdict};
