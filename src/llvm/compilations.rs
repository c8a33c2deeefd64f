//! What compilers made of files, for runs that compile one file again and again: under several models, or by several expectations.

use super::CompileRequest;
use super::clang::Compiled;
use super::linux::Tree;
use crate::llvm::error::Error;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Texts are forgotten beyond this many bytes.
const MOST: usize = 128 << 20;

/// Texts that compilers printed, by file and arguments. Files and the headers that they include must not change while these are kept.
#[derive(Default, Debug)]
pub struct Compilations {
    kept: Mutex<Kept>,
}

#[derive(Default, Debug)]
struct Kept {
    texts: FxHashMap<Asked, Arc<Compiled>>,
    bytes: usize,
}

/// All that decides what a compiler prints.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Asked {
    file: PathBuf,
    clang: Option<PathBuf>,
    clang_args: Vec<String>,
    include_dirs: Vec<PathBuf>,
    prelude_header: Option<String>,
    linux: Option<(Tree, bool)>,
}

impl Compilations {
    /// As [`super::to_ir`]. Errors are not kept: a compilation may have been ended.
    pub(super) fn to_ir(&self, request: &CompileRequest, file: &Path) -> Result<Arc<Compiled>, Vec<Error>> {
        let asked = Asked {
            file: file.to_owned(),
            clang: request.clang.clone(),
            clang_args: request.clang_args.clone(),
            include_dirs: request.include_dirs.clone(),
            prelude_header: request.prelude_header.clone(),
            linux: request.linux.clone().map(|tree| (tree, request.has_primitives)),
        };
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(compiled) = kept().texts.get(&asked) {
            return Ok(compiled.clone());
        }
        let compiled = Arc::new(super::to_ir(request, file)?);
        let mut kept = kept();
        kept.bytes += compiled.ir.len();
        if kept.bytes > MOST {
            *kept = Kept { bytes: compiled.ir.len(), ..Kept::default() };
        }
        kept.texts.insert(asked, compiled.clone());
        Ok(compiled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_compiled_once_for_the_same_arguments() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.c");
        let write = |text: &str| std::fs::write(&file, text).expect("a file");
        let compilations = Compilations::default();
        let ir = |args: &[&str]| {
            let clang_args = args.iter().map(|a| (*a).to_owned()).collect();
            let request = CompileRequest { path: file.clone(), clang_args, ..CompileRequest::default() };
            compilations.to_ir(&request, &file).map(|compiled| compiled.ir.clone())
        };
        write("int broken(");
        assert!(ir(&[]).is_err());
        write("int first(void) { return N; }");
        let one = ir(&["-DN=1"]).expect("a program");
        assert!(one.contains("@first"));
        write("int second(void) { return N; }");
        assert_eq!(ir(&["-DN=1"]).expect("what was kept"), one);
        assert!(ir(&["-DN=2"]).expect("another program").contains("@second"));
    }
}
