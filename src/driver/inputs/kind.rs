//! Kinds of files.

use std::path::Path;

/// What kind of file it is, by its extension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// `.litmus`
    Litmus,
    /// `.c`, `.cc`, `.cpp`, `.cxx`, `.rs`, `.ll`
    Code,
    /// `.s`: assembly as compilers write it.
    Assembly,
}

impl FileKind {
    /// The kind of a file, if it is one that can be checked.
    pub fn of(path: &Path) -> Option<FileKind> {
        match path.extension()?.to_str()? {
            "litmus" => Some(FileKind::Litmus),
            "c" | "cc" | "cpp" | "cxx" | "rs" | "ll" => Some(FileKind::Code),
            "s" => Some(FileKind::Assembly),
            _ => None,
        }
    }
}
