//! Reads the files of a model, each once.

use super::diagnostics::{Diagnostic, file_not_found, file_unreadable, nearest, variant_not_asked_for};
use super::library::{self, Found, Missing};
use super::source::{Sources, Span};
use super::syntax::ast::File;
use super::syntax::build::Interner;
use super::{dependencies, syntax};
use crate::cat::dialect::Dialect;
use crate::shelf::{self, Shelf};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The library that every model of the herd dialect starts with.
pub(super) const HERD_LIBRARY: &str = "stdlib.cat";

/// Reads files, each once.
#[derive(Default)]
pub struct Loader {
    /// All files.
    pub sources: Sources,
    /// All names.
    pub interner: Interner,
    pub(super) trees: Vec<Option<Arc<File>>>,
    pub(super) paths: Vec<Option<PathBuf>>,
    identities: FxHashMap<String, u32>,
    pub(super) includes: FxHashMap<(u32, String), u32>,
    pub(super) errors: Vec<Diagnostic>,
    dialect: Dialect,
    pub(super) root_dir: Option<PathBuf>,
    include_dirs: Vec<PathBuf>,
    pub(super) shelf: Option<Arc<Shelf>>,
    pub(super) unsaved: Arc<BTreeMap<PathBuf, String>>,
}

impl Loader {
    /// Of a model in a dialect, whose files may stand in these directories, too.
    pub(super) fn new(dialect: Dialect, include_dirs: &[PathBuf]) -> Loader {
        Loader { dialect, include_dirs: include_dirs.to_vec(), ..Loader::default() }
    }

    /// Reads a file that was found.
    pub(super) fn read(&mut self, found: &Found) -> u32 {
        let identity = found.identity();
        if let Some(&file) = self.identities.get(&identity) {
            return file;
        }
        let edited = found.path.as_ref().and_then(|_| self.unsaved.get(Path::new(&identity)));
        let text = edited.unwrap_or(&found.text);
        let file = self.sources.add(&found.name, text);
        self.identities.insert(identity, file);
        let mut tree = syntax::parse(text, file, self.dialect, &mut self.interner, &mut self.errors);
        let supplied = if tree.catdep { self.supply_dependencies(&mut tree) } else { None };
        let at = file as usize;
        if self.trees.len() <= at {
            self.trees.resize(at + 1, None);
            self.paths.resize(at + 1, None);
        }
        self.trees[at] = Some(Arc::new(tree));
        self.paths[at] = found.path.clone();
        if let Some(library) = supplied {
            self.includes.insert((file, dependencies::INCLUDED_AS.to_owned()), library);
        }
        file
    }

    /// Dependencies for a file that computes them, and the file of the library that has them.
    fn supply_dependencies(&mut self, tree: &mut File) -> Option<u32> {
        let text = library::embedded(dependencies::FILE)?;
        let found = Found { name: dependencies::FILE.to_owned(), path: None, text: text.to_owned() };
        let library = self.read(&found);
        let given = self.tree(library)?;
        dependencies::supply(tree, &given, &mut self.interner);
        Some(library)
    }

    /// The tree of a file.
    pub fn tree(&self, file: u32) -> Option<Arc<File>> {
        self.trees.get(file as usize).cloned().flatten()
    }

    /// Whether a file, other than the model itself, is one of the library's, which are not the user's to change.
    pub(super) fn is_library(&self, file: u32) -> bool {
        let name = &*self.sources.file(file).name;
        let is_embedded = self.paths.get(file as usize).is_some_and(|path| path.is_none());
        file != 0 && is_embedded && library::embedded(name).is_some()
    }

    /// Whether the text of a file of the model, the library apart, has this word in it.
    pub fn mentions(&self, word: &str) -> bool {
        self.sources.files().iter().any(|file| &*file.name != HERD_LIBRARY && file.text.contains(word))
    }

    /// Warnings about variants that no file of the model has a string for.
    pub(super) fn variants_not_asked_for(&self, given: &[String]) -> Vec<Diagnostic> {
        let texts = self.sources.files().iter();
        let strings: BTreeSet<&str> = texts.flat_map(|file| file.text.split('"').skip(1).step_by(2)).collect();
        let is_asked_for = |name: &str| strings.iter().any(|string| string.eq_ignore_ascii_case(name));
        let unknown = given.iter().filter(|name| !is_asked_for(name));
        unknown.map(|name| variant_not_asked_for::report(name, nearest(name, strings.iter().copied()))).collect()
    }

    /// The name of a file without directories and extension.
    pub fn stem(&self, file: u32) -> &str {
        Path::new(&*self.sources.file(file).name).file_stem().and_then(|s| s.to_str()).unwrap_or("")
    }

    /// The file that an include means.
    pub fn include(&mut self, name: &str, at: Span) -> Result<u32, Box<Diagnostic>> {
        let key = (at.file, name.to_owned());
        if let Some(&file) = self.includes.get(&key) {
            return Ok(file);
        }
        let mut directories = Vec::new();
        directories.extend(self.root_dir.clone());
        directories.extend(self.paths[at.file as usize].as_ref().and_then(|p| p.parent()).map(Path::to_owned));
        directories.extend(self.include_dirs.iter().cloned());
        directories.push(PathBuf::new());
        let includer = || format!("include {name} from {}", self.sources.file(at.file).name);
        let found = shelf::keep(self.shelf.as_ref(), includer, || library::find(name, &directories))
            .map_err(|missing| Box::new(missing_file(name, Some(at), missing)))?;
        let file = self.read(&found);
        self.includes.insert(key, file);
        Ok(file)
    }
}

pub(super) fn missing_file(name: &str, at: Option<Span>, missing: Missing) -> Diagnostic {
    match missing {
        Missing::Nowhere(places) => file_not_found::report(name, at, &places, &library::embedded_names()),
        Missing::Unreadable(reason) => file_unreadable::report(name, at, &reason),
    }
}
