//! The front end for C, C++, Rust and LLVM IR.
//!
//! A source file goes through the installed `clang` ([`clang`]) to textual LLVM IR at `-O0` with debug information, so that
//! the dependencies of the source survive; our own reader ([`ir`]) turns the text into a tree; [`lower`] turns the tree into
//! a [`Program`]. What an access or fence means to the model is data: a [`mapping`] gives the events of each C11 operation.
//! Library functions (threads, locks, strings) are program functions built by [`library`]; the primitives that a model
//! declares itself reach clang through a header that [`prelude`] generates.
//!
//! A Rust program goes through rustc, and only what its `main` reaches is read ([`rust`]).
//!
//! This is the only place that starts another process.

pub mod assembly;
pub mod clang;
mod compilations;
mod error;
pub mod ir;
pub mod library;
pub mod linux;
pub mod lower;
pub mod mapping;
pub mod names;
pub mod prelude;
mod provided;
pub mod rust;
#[cfg(test)]
mod tests;
mod unwinding;
mod warnings;

pub use clang::TempFile;
pub use compilations::Compilations;
pub use error::{Error, ErrorKind};
pub use mapping::{Dependencies, Mapping};

use crate::program::{Program, crash};
use crate::shelf::Shelf;
use clang::Compiled;
use std::path::PathBuf;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// What to compile, and how.
#[derive(Clone, Debug, Default)]
pub struct CompileRequest {
    /// The `.c`, `.cc`, `.cpp`, `.cxx`, `.rs` or `.ll` file.
    pub path: PathBuf,
    /// Further files of the same program.
    pub linked: Vec<PathBuf>,
    /// A further file of the same program that comes with hmc, or is given in place of it.
    pub own: Option<OwnFile>,
    /// The function that the program begins in; `main` when none is named.
    pub entry: Option<String>,
    /// What `main` is given behind the name of the program.
    pub arguments: Vec<String>,
    /// The compiler to use; searched for on `PATH` when absent.
    pub clang: Option<PathBuf>,
    /// Further arguments for the compiler: clang, or rustc for Rust.
    pub clang_args: Vec<String>,
    /// Directories for `#include`.
    pub include_dirs: Vec<PathBuf>,
    /// A header that is included before anything else: the model's primitives (see [`prelude::header`]).
    pub prelude_header: Option<String>,
    /// A tree of the Linux kernel, whose files the program is made of.
    pub linux: Option<linux::Tree>,
    /// Whether the model has the annotations of the kernel's primitives.
    pub has_primitives: bool,
    /// How C11 operations become events.
    pub mapping: Mapping,
    /// What else it is prepared for.
    pub options: Options,
    /// Functions whose calls are marked, by the name that debug information or the linker knows.
    pub operations: Vec<String>,
    /// Texts of LLVM IR that stand in for files, or where those that are read or made are noted.
    pub shelf: Option<Arc<Shelf>>,
    /// Where texts that compilers printed are kept, for runs that compile files again.
    pub compilations: Option<Arc<Compilations>>,
}

/// A source file as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnFile {
    /// Its name.
    pub name: String,
    /// The text.
    pub text: String,
    /// Further arguments for clang.
    pub arguments: Vec<String>,
    /// Whether it is a file of the user.
    pub is_users: bool,
}

/// What a program is prepared for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// What is a finding only when it is asked for.
    pub checks: Checks,
    /// A model that does not read what creating and joining threads orders: accesses show it (see `library::creation`).
    pub accesses_order_threads: bool,
    /// A model of what survives a crash: flushes, and what a disk is told, are events.
    pub persists: bool,
    /// Which of what survives a crash shares a line of the cache.
    pub lines: crash::Lines,
}

/// Findings that the program must be prepared for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checks {
    /// Signed overflow.
    pub overflow: bool,
    /// The program ends with another code than 0.
    pub exit_codes: bool,
    /// Reads of variables outside of memory that nothing was written to.
    pub uninitialised: bool,
}

/// Turns a file, with those that are linked to it, into a program.
pub fn compile(request: &CompileRequest) -> Result<Program, Vec<Error>> {
    let (mut module, notes) = read(request)?;
    if request.linux.is_some() {
        lower::reachable::keep(&mut module, "main");
    }
    module.arguments.clone_from(&request.arguments);
    let mut program = build(request, &module)?;
    program.notes.splice(..0, notes);
    Ok(program)
}

/// The module that a file is, with those that are linked to it, and the sentences about what clang warns of.
pub fn read(request: &CompileRequest) -> Result<(ir::Module, Vec<String>), Vec<Error>> {
    let files = || std::iter::once(&request.path).chain(&request.linked);
    let (mut compiled, mut notes) = (Vec::new(), Vec::new());
    for path in files() {
        let is_ir = path.extension().is_some_and(|e| e == "ll");
        let read = || {
            Ok::<_, Vec<Error>>(match (is_ir, &request.compilations) {
                (true, _) => Arc::new(Compiled { ir: read_ir(path)?, ..Compiled::default() }),
                (false, Some(compilations)) => compilations.to_ir(request, path)?,
                (false, None) => Arc::new(to_ir(request, path)?),
            })
        };
        let one = match &request.shelf {
            Some(shelf) => Arc::new(shelf.keep(&kept_as(request, path), || read().map(Arc::unwrap_or_clone))?),
            None => read()?,
        };
        notes.extend(warnings::sentences(&one.printed));
        compiled.push(one);
    }
    let provided = provided::needed(&compiled.iter().map(|one| one.ir.as_str()).collect::<Vec<_>>());
    let own_path = request.own.as_ref().map(|own| PathBuf::from(&own.name));
    if let Some(own) = &request.own {
        let mut own = own.clone();
        if compiled.iter().any(|one| STREAMS.iter().any(|opens| one.ir.contains(opens))) {
            own.arguments.push("-D__HMC_STREAMS".to_owned());
        }
        compiled.push(kept_own(request, &own)?);
    }
    for file in &provided {
        let (name, text) = (file.name.to_owned(), file.text.to_owned());
        compiled.push(kept_own(request, &OwnFile { name, text, arguments: vec!["-w".to_owned()], is_users: false })?);
    }
    let provided = provided.iter().map(|file| PathBuf::from(file.name)).collect::<Vec<_>>();
    let text = |(path, one): (&PathBuf, _)| ir::link::Text { file: path.display().to_string(), text: one };
    let texts: Vec<ir::link::Text<'_>> =
        files().chain(&own_path).chain(&provided).zip(compiled.iter().map(|one| one.ir.as_str())).map(text).collect();
    let mut module = ir::link::parse(&texts, request.entry.as_deref())?;
    unwinding::make_explicit(&mut module);
    Ok((module, notes))
}

/// A program of functions to be called from outside: that of a file without a `main`.
pub fn functions(request: &CompileRequest) -> Result<Program, Vec<Error>> {
    const NO_MAIN: &str = "define i32 @main() {\n  ret i32 0\n}\n";
    let compiled = to_ir(request, &request.path)?;
    let file = request.path.display().to_string();
    let own = ir::link::Text { file: file.clone(), text: compiled.ir.as_str() };
    let mut module = ir::link::parse(&[own, ir::link::Text { file: file.clone(), text: NO_MAIN }], None)?;
    unwinding::make_explicit(&mut module);
    let defined = module.functions.iter().filter(|f| !f.blocks.is_empty() && f.name != "main");
    let operations: Vec<String> = defined.map(|f| f.name.clone()).collect();
    lower::program(&module, &file, &request.mapping, request.options, &operations)
}

/// The same of a text. The path of the request is a name for it.
pub fn functions_of(request: &CompileRequest, text: &str) -> Result<Program, Vec<Error>> {
    let name = request.path.file_name().and_then(|name| name.to_str()).unwrap_or("text.c");
    let file = TempFile::new(name, text)
        .map_err(|e| vec![Error::new(ErrorKind::BadInput, format!("cannot write `{name}`: {e}"))])?;
    functions(&CompileRequest { path: file.path().to_owned(), ..request.clone() })
}

/// What a compiler makes of a file.
fn to_ir(request: &CompileRequest, path: &std::path::Path) -> Result<Compiled, Vec<Error>> {
    match rust::is_source(path) {
        true => Ok(Compiled { ir: rust::to_ir(request, path)?, ..Compiled::default() }),
        false => clang::to_ir(request, path),
    }
}

/// What opens streams, as LLVM IR has it: programs that do so get those of the library (include/fs/streams.h).
const STREAMS: [&str; 2] = ["@fopen(", "@fdopen("];

/// The directory that files which come with hmc are shown in.
pub const OWN: &str = "hmc-library/";

fn kept_own(request: &CompileRequest, own: &OwnFile) -> Result<Arc<Compiled>, Vec<Error>> {
    let key = format!("own {} {:016x}", own.name, xxh3_64(format!("{own:?}").as_bytes()));
    Ok(Arc::new(match &request.shelf {
        Some(shelf) => shelf.keep(&key, || own_to_ir(request, own))?,
        None => own_to_ir(request, own)?,
    }))
}

fn own_to_ir(request: &CompileRequest, own: &OwnFile) -> Result<Compiled, Vec<Error>> {
    let unwritable = |e| vec![Error::new(ErrorKind::BadInput, format!("cannot write `{}`: {e}", own.name))];
    let name = std::path::Path::new(&own.name).file_name().and_then(|name| name.to_str()).unwrap_or("own.c");
    let file = TempFile::new(name, &own.text).map_err(unwritable)?;
    // Places are in a file of this name, wherever the text is while it is compiled.
    let outside = own.name.strip_suffix(name).filter(|_| own.is_users).unwrap_or(OWN);
    let map = format!("-ffile-prefix-map={}/={outside}", file.directory().display());
    // An optimiser would merge calls whose constant arguments say what an event is; the program itself may be optimised.
    let last = [map, "-O0".to_owned()];
    let (given, include_dirs) = match own.is_users {
        true => (request.clang_args.clone(), request.include_dirs.clone()),
        false => (without_texts(&request.clang_args), Vec::new()),
    };
    let clang_args = given.into_iter().chain(own.arguments.iter().cloned()).chain(last).collect();
    clang::to_ir(&CompileRequest { clang_args, include_dirs, prelude_header: None, ..request.clone() }, file.path())
}

/// Arguments without those that say which headers and macros the files of the user see.
fn without_texts(arguments: &[String]) -> Vec<String> {
    const TEXTS: [&str; 7] = ["-I", "-D", "-U", "-include", "-isystem", "-iquote", "-idirafter"];
    let (mut kept, mut is_value) = (Vec::new(), false);
    for argument in arguments {
        let is_text = TEXTS.iter().any(|text| argument.starts_with(text));
        if !is_value && !is_text {
            kept.push(argument.clone());
        }
        is_value = !is_value && TEXTS.contains(&argument.as_str());
    }
    kept
}

/// What the LLVM IR of a file is noted under: with other primitives it is another text.
fn kept_as(request: &CompileRequest, path: &std::path::Path) -> String {
    let header = request.prelude_header.as_ref().map(|text| format!(" {:016x}", xxh3_64(text.as_bytes())));
    let linux =
        request.linux.as_ref().map_or("", |_| if request.has_primitives { " primitives" } else { " processor" });
    format!("file {}{linux}{}", path.display(), header.unwrap_or_default())
}

/// The program that a module is.
pub fn build(request: &CompileRequest, module: &ir::Module) -> Result<Program, Vec<Error>> {
    let name = request.path.display().to_string();
    lower::program(module, &name, &request.mapping, request.options, &request.operations)
}

/// Turns textual LLVM IR into a program. `name` is used for the program and in errors.
pub fn compile_ir(text: &str, name: &str, mapping: &Mapping) -> Result<Program, Vec<Error>> {
    let mut module = ir::parse::parse(text, name)?;
    unwinding::make_explicit(&mut module);
    lower::program(&module, name, mapping, Options::default(), &[])
}

fn read_ir(path: &std::path::Path) -> Result<String, Vec<Error>> {
    let file = path.display().to_string();
    let error = |message: String| vec![Error { file: file.clone(), ..Error::new(ErrorKind::BadInput, message) }];
    let bytes = std::fs::read(path).map_err(|e| error(format!("cannot be read: {e}")))?;
    String::from_utf8(bytes).map_err(|_| error("is not UTF-8 text (bitcode? `llvm-dis` makes text from it)".into()))
}
