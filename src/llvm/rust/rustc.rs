//! Running rustc.

use crate::llvm::CompileRequest;
use crate::llvm::clang::{self, TempFile};
use crate::llvm::error::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What rustc is told of every crate: one module for the whole program, little optimised, which the linker never sees.
///
/// Arithmetic is checked and `debug_assert!` runs, as in tests of cargo. Optimisation at 1 inlines what the standard library means to be inlined, and merges no loops. Unwinding is replaced by an abort.
pub const FLAGS: [&str; 18] = [
    "-C",
    "panic=abort",
    "-C",
    "opt-level=1",
    "-C",
    "lto=fat",
    "-C",
    "codegen-units=1",
    "-C",
    "debuginfo=1",
    "-C",
    "debug-assertions=on",
    "-C",
    "symbol-mangling-version=v0",
    "-C",
    "linker=true",
    "--cfg",
    "hmc",
];
/// Only the module is wanted: machine code, which takes most of the compiler's time, is not made of it.
pub const NO_MACHINE_CODE: [&str; 2] = ["-C", "llvm-args=-stop-before=pre-isel-intrinsic-lowering"];
/// The edition of a program that no package says it of.
const EDITION: &str = "2024";
/// The linker's name of the module that is written.
const STEM: &str = "program";

/// The compiler: what `HMC_RUSTC` names, else what `PATH` has.
pub fn find() -> PathBuf {
    std::env::var_os("HMC_RUSTC").map_or_else(|| PathBuf::from("rustc"), PathBuf::from)
}

/// Compiles a program to the module of the whole program, as text.
pub fn to_ir(request: &CompileRequest, path: &Path) -> Result<String, Vec<Error>> {
    let file = path.display().to_string();
    let failed = |kind, message: String| vec![Error { file: file.clone(), ..Error::new(kind, message) }];
    let out = TempFile::new("source.rs", "")
        .map_err(|e| failed(ErrorKind::BadInput, format!("cannot write to the temporary directory: {e}")))?;
    let stem = out.directory().join(STEM);
    let rustc = find();
    let mut command = Command::new(&rustc);
    command.args(["--edition", EDITION, "--crate-type", "bin", "--cap-lints", "allow", "--color", "never"]);
    command.args(FLAGS).args(NO_MACHINE_CODE).args(["--emit", "llvm-ir,link", "-o"]).arg(&stem);
    command.args(&request.clang_args).arg(path).stdin(Stdio::null());
    let output = clang::run(&mut command)
        .map_err(|e| vec![missing(&format!("`{}` cannot be run: {e}", rustc.display()))])?
        .map_err(|_| failed(ErrorKind::ClangFailed, "rustc was ended".to_owned()))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(failed(ErrorKind::RustcFailed, format!("rustc rejects this program:\n{}", text.trim_end())));
    }
    let module = stem.with_extension("ll");
    std::fs::read_to_string(&module)
        .map_err(|e| failed(ErrorKind::BadInput, format!("rustc has written no LLVM IR ({}): {e}", module.display())))
}

fn missing(message: &str) -> Error {
    Error::new(ErrorKind::RustcMissing, message)
        .with_help("install Rust (https://rustup.rs), or name a compiler with HMC_RUSTC")
}
