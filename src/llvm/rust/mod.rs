//! Rust programs: rustc, and the part of its module that a program runs.
//!
//! - [`rustc`]: the whole program after link-time optimisation, as text, with what it uses of the standard library.
//! - [`reduce`]: the functions that `main` can reach, and the metadata that tells their places.
//! - [`body`]: a function without unwinding.
//! - [`cargo`]: the targets of a package.
//! - [`harness`]: the tests of a crate.
//! - [`names`]: what mangled names stand for.
//!
//! Functions of the runtime that `library::rust` replaces lose their bodies in [`reduce`], so that what only they use is never read.

pub mod body;
pub mod cargo;
pub mod harness;
pub mod names;
pub mod reduce;
pub mod rustc;

use super::{CompileRequest, Error, ErrorKind};
use std::path::Path;

/// Whether a file is a Rust program.
pub fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

/// Compiles a Rust program to the LLVM IR of what it runs.
pub fn to_ir(request: &CompileRequest, path: &Path) -> Result<String, Vec<Error>> {
    let text = rustc::to_ir(request, path)?;
    reduce::reduce(&text, reduce::MAIN).ok_or_else(|| {
        let error = Error::new(ErrorKind::BadInput, "there is no function `main`");
        vec![Error { file: path.display().to_string(), ..error.with_help("a Rust program is a crate with `fn main`") }]
    })
}
