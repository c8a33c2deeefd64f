//! A model as an editor sees it.

use super::Problem;
use super::names::{Names, What};
use crate::algebra::Sort;
use crate::cat::diagnostics::{Diagnostic, no_checks};
use crate::cat::source::{SourceFile, Sources, Span};
use crate::cat::syntax::lex;
use crate::cat::syntax::tokens::Tok;
use crate::cat::tools::check;
use crate::cat::vocabulary::architecture;
use crate::cat::{self, Dialect, LoadErrors, LoadRequest, Loaded, Program, Vocabulary};
use std::path::Path;

/// A model with its files, whether it loads or not.
pub struct Reading {
    /// What loading it said.
    pub loaded: Result<Box<Loaded>, Box<LoadErrors>>,
    /// The names of all its files.
    pub names: Names,
}

impl Reading {
    /// Reads a model. `arch`: the architecture of the tests that it is for; the model's title when none is named.
    pub fn of(request: &LoadRequest, arch: Option<&str>) -> Reading {
        let mut request = request.clone();
        request.arch = arch.map(str::to_owned);
        let loaded = cat::load(&request, &Vocabulary::new(arch)).map(Box::new).map_err(Box::new);
        let names = match &loaded {
            Ok(loaded) => Names::of(&loaded.program),
            Err(errors) => Names::of(&errors.program),
        };
        Reading { loaded, names }
    }

    /// All files.
    pub fn sources(&self) -> &Sources {
        match &self.loaded {
            Ok(loaded) => &loaded.sources,
            Err(errors) => &errors.sources,
        }
    }

    fn program(&self) -> &Program {
        match &self.loaded {
            Ok(loaded) => &loaded.program,
            Err(errors) => &errors.program,
        }
    }

    /// The model itself.
    pub fn root(&self) -> u32 {
        self.program().root
    }

    /// Where a file is on disk, if it is not in the library.
    pub fn path(&self, file: u32) -> Option<&Path> {
        self.program().paths.get(file as usize)?.as_deref()
    }

    /// The file that is at this real path.
    pub fn file_at(&self, path: &Path) -> Option<u32> {
        let is_here = |own: &Path| own == path || own.canonicalize().is_ok_and(|own| own == path);
        let at = self.program().paths.iter().position(|own| own.as_deref().is_some_and(is_here))?;
        Some(at as u32)
    }

    /// A file.
    pub fn file(&self, file: u32) -> &SourceFile {
        self.sources().file(file)
    }

    /// The architecture that the model's title claims, also of a model that cannot be read to its end.
    pub fn arch(&self) -> Option<&'static str> {
        let text = &self.file(self.root()).text;
        match lex(text, 0, Dialect::Herd, &mut Vec::new()).tokens.first() {
            Some((_, Tok::Ident(name) | Tok::Str(name), _)) => architecture(name),
            _ => None,
        }
    }

    /// How many checks the model has.
    pub fn checks(&self) -> usize {
        self.loaded.as_ref().map_or(0, |loaded| loaded.model.checks.len() + loaded.dynamic_checks.len())
    }

    /// What is wrong, as a run says it.
    pub fn problems(&self) -> Vec<Problem> {
        let said = match &self.loaded {
            Ok(loaded) => &loaded.warnings,
            Err(errors) => &errors.diagnostics,
        };
        self.told(said)
    }

    /// What is wrong, as `hmc model check` says it. That a file checks nothing is a fault of models only, not of what they include.
    pub fn remarks(&self) -> Vec<Problem> {
        match &self.loaded {
            Ok(loaded) => {
                let mut said = check::check(loaded);
                said.retain(|remark| remark.code() != no_checks::KIND.code);
                self.told(&said)
            }
            Err(errors) => self.told(&errors.diagnostics),
        }
    }

    fn told(&self, said: &[Diagnostic]) -> Vec<Problem> {
        said.iter().map(|diagnostic| Problem::of_model(diagnostic, self.sources())).collect()
    }

    /// Whether a definition is a set, a relation, or something else, in a word; nothing where that is not known.
    pub fn kind(&self, index: usize) -> Option<&'static str> {
        let definition = &self.names.definitions[index];
        if definition.what != What::Value {
            return Some(definition.what.word());
        }
        let model = &self.loaded.as_ref().ok()?.model;
        let sorts = model.definitions.iter().filter(|(name, _)| *name == definition.name);
        let mut sorts = sorts.map(|(_, expr)| model.pool.sort(*expr));
        let first = sorts.next()?;
        // Of several definitions of a name, which one is which is not noted.
        sorts.all(|sort| sort == first).then_some(sort_word(first))
    }

    /// The text of a place.
    pub fn text(&self, span: Span) -> &str {
        self.sources().text(span)
    }
}

/// A sort in a word.
pub fn sort_word(sort: Sort) -> &'static str {
    match sort {
        Sort::Set => "set",
        Sort::Rel => "relation",
    }
}
