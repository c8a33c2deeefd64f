//! The runtime of Rust: functions of its standard library that are replaced, by their paths, although the program has them.
//!
//! - [`panics`]: findings, with their message, at the place that the program gives them.
//! - [`runtime`]: beginning and ending, memory, output; in one table, which `docs/rust.md` repeats.
//! - [`locks`]: what a thread does that does not get a lock at once. The library's own spins a hundred times first.

pub mod locks;
pub mod panics;
pub mod runtime;

use super::emit::Emit;
use crate::llvm::rust::names;

/// What is done instead of a function.
fn by_path(path: &str) -> Option<Emit> {
    panics::find(path).or_else(|| locks::find(path)).or_else(|| runtime::find(path))
}

/// The function that a mangled name stands for, if it is replaced.
pub fn find(name: &str) -> Option<Emit> {
    by_path(&names::path(name)?)
}

/// Whether the function of a path is replaced.
pub fn is_replaced(path: &str) -> bool {
    by_path(path).is_some()
}

/// A function that is needed where another one is replaced.
pub fn needs(path: &str) -> Option<&'static str> {
    (path == runtime::ENABLE).then_some(runtime::RUN)
}
