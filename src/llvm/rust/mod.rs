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
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Whether a file is a Rust program.
pub fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

/// What has been compiled: the file, its text and the arguments, and what came of it.
type Compiled = (PathBuf, String, Vec<String>, Arc<str>);
/// So many programs are kept, for the models that follow.
const KEPT: usize = 8;
static COMPILED: Mutex<Vec<Compiled>> = Mutex::new(Vec::new());

/// Compiles a Rust program to the LLVM IR of what it runs, once for all models.
pub fn to_ir(request: &CompileRequest, path: &Path) -> Result<Arc<str>, Vec<Error>> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let is_it = |known: &Compiled| known.0 == path && known.1 == text && known.2 == request.clang_args;
    let compiled = || COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = compiled().iter().find(|known| is_it(known)) {
        return Ok(known.3.clone());
    }
    let ir: Arc<str> = compile(request, path)?.into();
    let mut all = compiled();
    if all.len() == KEPT {
        all.remove(0);
    }
    all.push((path.to_owned(), text, request.clang_args.clone(), ir.clone()));
    Ok(ir)
}

fn compile(request: &CompileRequest, path: &Path) -> Result<String, Vec<Error>> {
    let text = rustc::to_ir(request, path)?;
    reduce::reduce(&text, reduce::MAIN).ok_or_else(|| {
        let error = Error::new(ErrorKind::BadInput, "there is no function `main`");
        vec![Error { file: path.display().to_string(), ..error.with_help("a Rust program is a crate with `fn main`") }]
    })
}
