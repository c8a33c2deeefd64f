//! Loading a model: finding its files, reading them, staging.

use super::diagnostics::{
    Diagnostic, Severity, architecture_mismatch, dialect_recognised, file_unreadable, no_checks, unknown_name,
};
use super::library::{self, Found};
use super::loader::{HERD_LIBRARY, Loader, missing_file};
use super::source::{Sources, Span};
use super::stage::{Bell, Order, Staged, Stager, hints, needs};
use super::syntax::ast::{File, TitleWord};
use super::syntax::build::Interner;
use super::vocabulary::table::Given;
use super::vocabulary::{Vocabulary, architecture, is_of_dartagnan};
use crate::algebra::{Model, Sort};
use crate::cat::dialect::Dialect;
use crate::shelf::{self, Shelf};
use crate::stack;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Staging recurses as deep as a model's calls are nested; this is room for its limit.
const STACK_BYTES: usize = 256 << 20;

/// Where a model comes from.
#[derive(Clone, Debug)]
pub enum ModelSource {
    /// A path, or the name of a bundled model; `.cat` may be left out.
    Named(String),
    /// A text, with a name for messages.
    Text {
        /// The name.
        name: String,
        /// The text.
        text: String,
    },
}

/// What to load.
#[derive(Clone, Debug)]
pub struct LoadRequest {
    /// The model.
    pub model: ModelSource,
    /// Its bell file; when none is given, one with the same stem that stands beside the model is taken.
    pub bell: Option<PathBuf>,
    /// `-I`
    pub include_dirs: Vec<PathBuf>,
    /// The architecture of the test, to be compared with the model's title.
    pub arch: Option<String>,
    /// `--variant`
    pub variants: Vec<String>,
    /// `--dialect`; recognised when none is given.
    pub dialect: Option<Dialect>,
    /// Names of checks and procedures that are not to be executed.
    pub skip_checks: Vec<String>,
    /// Those have to fail: only executions are kept that fail all of them and no other check.
    pub strict_skip: bool,
    /// Refuse a model whose title claims another architecture than that of the test.
    pub arch_check: bool,
    /// Stage choices among all orders of a set, too: each is a base relation of the model, listed in [`Loaded::orders`].
    pub free_orders: bool,
    /// Texts that stand in for files, or where those that are read are noted.
    pub shelf: Option<Arc<Shelf>>,
    /// Texts that editors have not written yet, by the real paths of their files.
    pub unsaved: Arc<BTreeMap<PathBuf, String>>,
}

impl LoadRequest {
    /// The model of this name or path, and nothing else.
    pub fn named(name: impl Into<String>) -> Self {
        Self::of(ModelSource::Named(name.into()))
    }

    /// A model given as text.
    pub fn text(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self::of(ModelSource::Text { name: name.into(), text: text.into() })
    }

    /// The model from anywhere, and nothing else.
    pub fn of(model: ModelSource) -> Self {
        Self {
            model,
            bell: None,
            include_dirs: Vec::new(),
            arch: None,
            variants: Vec::new(),
            dialect: None,
            skip_checks: Vec::new(),
            strict_skip: false,
            arch_check: true,
            free_orders: false,
            shelf: None,
            unsaved: Arc::default(),
        }
    }
}

/// The files of a model as syntax trees: what the reference evaluator runs.
#[derive(Clone, Default, Debug)]
pub struct Program {
    /// By file index.
    pub trees: Vec<Option<Arc<File>>>,
    /// Which file an include of this name in this file means.
    pub includes: FxHashMap<(u32, String), u32>,
    /// Where each file is on disk; none: in the library, or a text.
    pub paths: Vec<Option<PathBuf>>,
    /// The standard library.
    pub library: Option<u32>,
    /// The bell file.
    pub bell: Option<u32>,
    /// The model.
    pub root: u32,
    /// Names of symbols.
    pub interner: Interner,
}

/// A loaded model.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The staged model.
    pub model: Model,
    /// What its bell file declares.
    pub bell: Option<Bell>,
    /// The base names: those asked for, and the sets of the bell file's tags.
    pub vocabulary: Vocabulary,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// What is worth saying to who looks at the model, not to who runs it.
    pub remarks: Vec<Diagnostic>,
    /// All files read.
    pub sources: Sources,
    /// The files as trees.
    pub program: Program,
    /// The macro file that stands beside the model, if any.
    pub def_path: Option<PathBuf>,
    /// The text of that file, also when it is embedded: name and text.
    pub def: Option<(String, String)>,
    /// Whether part of the model could not be staged, so that the reference evaluator has to judge complete executions.
    pub dynamic: bool,
    /// Where and why.
    pub dynamic_reasons: Vec<Diagnostic>,
    /// The checks that could not be staged: file and place. In the model they hold always.
    pub dynamic_checks: BTreeSet<(u32, usize)>,
    /// Orders that the model chooses, where they were asked for.
    pub orders: Vec<Order>,
    /// The dialect that it was read in.
    pub dialect: Dialect,
    /// The variants that it was loaded with.
    pub variants: Vec<String>,
    /// The checks that are not executed.
    pub skip_checks: Vec<String>,
    /// Whether those have to fail.
    pub strict_skip: bool,
}

impl Loaded {
    /// The names of scopes, and of what belongs to them, that the model needs: no execution has any.
    pub fn scopes(&self) -> BTreeSet<&str> {
        let model = &self.model;
        let mut names: BTreeSet<&str> = match self.dynamic {
            // What is evaluated on each execution is in no check.
            true => model.pool.bases().iter().map(|base| base.name.as_str()).collect(),
            false => {
                model.checks.iter().flat_map(|check| needs::base_names(model, check, &FxHashSet::default())).collect()
            }
        };
        names.retain(|name| self.vocabulary.given(name) == Some(Given::Scopes));
        names
    }
}

/// Errors of a load, with the files that they point into.
#[derive(Clone, Debug)]
pub struct LoadErrors {
    /// At least one error; warnings may be among them.
    pub diagnostics: Vec<Diagnostic>,
    /// The files.
    pub sources: Sources,
    /// The files as trees, as far as they could be read.
    pub program: Box<Program>,
}

impl LoadErrors {
    /// What could not be read defines nothing, so unknown names beside syntax errors say little.
    fn without_consequences(mut self) -> Self {
        if self.diagnostics.iter().any(|e| e.code().starts_with("C1")) {
            self.diagnostics.retain(|e| !hints::UNDEFINED.iter().any(|kind| kind.code == e.code()));
        }
        self
    }
}

/// Loads a model.
///
/// All errors found come back, not only the first. Without a dialect in the request, herd's is tried first; a model that is wrong
/// there in ways that are right in the Dartagnan dialect is read in that one.
pub fn load(request: &LoadRequest, vocabulary: &Vocabulary) -> Result<Loaded, LoadErrors> {
    let run = || match request.dialect {
        Some(dialect) => load_in(request, vocabulary, dialect),
        None => match load_in(request, vocabulary, Dialect::Herd) {
            Err(errors) if speaks_dartagnan(&errors) => {
                let first = errors.diagnostics.iter().find_map(|d| d.span().map(|at| (d.message().to_owned(), at)));
                let mut result = load_in(request, vocabulary, Dialect::Dartagnan);
                if let (Ok(loaded), Some((why, at))) = (&mut result, first) {
                    loaded.warnings.insert(0, dialect_recognised::report(at, &why));
                }
                result.or(Err(errors))
            }
            result => result,
        },
    };
    match stack::with_room(STACK_BYTES, run) {
        Ok(result) => result.map_err(LoadErrors::without_consequences),
        Err(error) => Err(LoadErrors {
            diagnostics: vec![
                file_unreadable::report("the model", None, &format!("no thread: {error}"))
                    .help("is there memory for one more thread?"),
            ],
            sources: Sources::new(),
            program: Box::default(),
        }),
    }
}

/// The kernel's primitives as the Dartagnan dialect has them.
fn native_macros() -> Option<Found> {
    let name = "dartagnan.def".to_owned();
    library::embedded(&name).map(|text| Found { name, path: None, text: text.to_owned() })
}

/// Whether all errors are of the sorts that the Dartagnan dialect would not make, and one of them is a mark of that dialect: a C
/// comment, or a name that only that dialect predefines.
fn speaks_dartagnan(errors: &LoadErrors) -> bool {
    use super::diagnostics::{c_comment, inverse_without_caret, open_comment, tight_operators_mixed, unexpected_token};
    let harmless = [
        unknown_name::KIND,
        open_comment::KIND,
        unexpected_token::KIND,
        tight_operators_mixed::KIND,
        inverse_without_caret::KIND,
    ];
    let mut certain = false;
    for diagnostic in errors.diagnostics.iter().filter(|d| d.severity() == Severity::Error) {
        let text = diagnostic.span().map_or("", |span| errors.sources.text(span));
        let code = diagnostic.code();
        let mark = code == c_comment::KIND.code || code == unknown_name::KIND.code && is_of_dartagnan(text);
        if !mark && !harmless.iter().any(|kind| kind.code == code) {
            return false;
        }
        certain |= mark;
    }
    certain
}

fn load_in(request: &LoadRequest, vocabulary: &Vocabulary, dialect: Dialect) -> Result<Loaded, LoadErrors> {
    let mut loader = Loader::new(dialect, &request.include_dirs);
    loader.shelf.clone_from(&request.shelf);
    loader.unsaved.clone_from(&request.unsaved);
    let shelf = request.shelf.as_ref();
    let model = |name: &str, extension: &str| {
        shelf::keep(shelf, || format!("{extension} {name}"), || library::find_model(name, extension))
    };
    let sibling = |found: &Found, extension: &str| {
        let key = || format!("beside {} {extension}", found.name);
        shelf::keep(shelf, key, || Ok::<_, Infallible>(library::sibling(found, extension))).unwrap_or_default()
    };
    let fail = |loader: Loader, diagnostics, files| {
        let (sources, program) = taken(loader, files);
        Err(LoadErrors { diagnostics, sources, program: Box::new(program) })
    };
    let found = match &request.model {
        ModelSource::Named(name) => match model(name, "cat") {
            Ok(found) => found,
            Err(missing) => return fail(loader, vec![missing_file(name, None, missing)], Files::default()),
        },
        ModelSource::Text { name, text } => Found { name: name.clone(), path: None, text: text.clone() },
    };
    loader.root_dir = found.path.as_ref().and_then(|p| p.parent()).map(Path::to_owned);
    let named = matches!(request.model, ModelSource::Named(_));
    // The root comes first, so that it is file 0 of the model.
    let root = loader.read(&found);
    let bell = match &request.bell {
        Some(path) => match model(&path.display().to_string(), "bell") {
            Ok(bell) => Some(bell),
            Err(missing) => {
                let error = missing_file(&path.display().to_string(), None, missing);
                return fail(loader, vec![error], Files { root, ..Files::default() });
            }
        },
        None if named && dialect == Dialect::Herd => sibling(&found, "bell"),
        None => None,
    };
    let bell = bell.map(|bell| loader.read(&bell));
    let library_name = match dialect {
        Dialect::Herd => HERD_LIBRARY,
        Dialect::Dartagnan => "dartagnan.cat",
    };
    let library = library::embedded(library_name)
        .map(|text| loader.read(&Found { name: library_name.to_owned(), path: None, text: text.to_owned() }));
    let files = Files { library, bell, root };
    let mut diagnostics = Vec::new();
    let (title, mut arch) = title(&loader, root);
    if let (Some((claimed, _)), Some("X86_64")) = (&mut arch, request.arch.as_deref())
        && *claimed == "X86"
    {
        // The same processors: only their registers are wider.
        *claimed = "X86_64";
    }
    if let (Some((claimed, span)), Some(wanted)) = (&arch, request.arch.as_deref())
        && request.arch_check
        && super::vocabulary::architecture_ignoring_case(wanted).is_some_and(|wanted| wanted != *claimed)
    {
        diagnostics.push(architecture_mismatch::report(*span, claimed, wanted));
    }

    let mut vocabulary = vocabulary.clone();
    match (dialect, &arch) {
        (Dialect::Dartagnan, _) => vocabulary.add_dartagnan(),
        (Dialect::Herd, Some((claimed, _))) => vocabulary.claim(claimed),
        (Dialect::Herd, None) => {}
    }
    let mut variants = request.variants.clone();
    let mut declared = None;
    if let Some(bell) = bell {
        let staged = declarations(&mut loader, &vocabulary, dialect, &variants, library, bell);
        diagnostics.extend(staged.errors);
        declared = staged.bell;
    }
    if let Some(bell) = &declared {
        let sets: Vec<String> = bell.annotations().into_iter().map(Bell::set_name).collect();
        vocabulary.add(sets.iter().map(String::as_str), Sort::Set);
        for group in ["scopes", "levels"] {
            vocabulary.add_scopes(bell.tags_of(group).unwrap_or(&[]).iter().map(String::as_str), Sort::Rel);
        }
        let regions: Vec<String> = bell.tags_of("regions").unwrap_or(&[]).iter().map(|t| Bell::set_name(t)).collect();
        vocabulary.add_scopes(regions.iter().map(String::as_str), Sort::Set);
        // The generation of the annotations follows from the declarations unless it was said.
        if bell.full_barrier_updates() && !variants.iter().any(|v| v.to_ascii_lowercase().starts_with("lkmmv")) {
            variants.push("lkmmv2".to_owned());
        }
    }

    let staged = run(request, &mut loader, &vocabulary, dialect, &variants, [library, bell], root);
    let mut errors = std::mem::take(&mut loader.errors);
    errors.append(&mut diagnostics);
    errors.extend(staged.errors);
    let mut seen: Vec<Diagnostic> = Vec::new();
    for error in errors {
        if !seen.contains(&error) {
            seen.push(error);
        }
    }
    if !seen.is_empty() {
        // Warnings would only distract from the errors.
        return fail(loader, seen, files);
    }
    let mut model = staged.model;
    model.title = title;
    model.arch = arch.map(|(name, _)| name.to_owned());
    model.files = loader.sources.files().iter().map(|f| (f.name.to_string(), f.text.to_string())).collect();
    let def = if named { sibling(&found, "def") } else { None };
    // Dartagnan does not read the macro file: its primitives are native, and those that come with hmc have their annotations.
    let def = match (def, dialect) {
        (Some(def), Dialect::Dartagnan) => Some(native_macros().unwrap_or(def)),
        (def, _) => def,
    };
    let mut warnings = staged.warnings;
    warnings.extend(loader.variants_not_asked_for(&request.variants));
    if model.checks.is_empty() && staged.dynamic.is_empty() && request.skip_checks.is_empty() {
        let title = loader.trees[root as usize].as_ref().map(|tree| tree.title.as_slice()).unwrap_or_default();
        let start = title.first().map_or(Span::new(root, 0, 0), |word| word.span());
        warnings.push(no_checks::report(start, title.iter().map(|word| word.text())));
    }
    let (sources, program) = taken(loader, files);
    Ok(Loaded {
        model,
        bell: declared,
        vocabulary,
        warnings,
        remarks: staged.remarks,
        program,
        sources,
        def_path: def.as_ref().and_then(|d| d.path.clone()),
        def: def.map(|d| (d.name, d.text)),
        dynamic: !staged.dynamic.is_empty(),
        dynamic_reasons: staged.dynamic,
        dynamic_checks: staged.dynamic_checks,
        orders: staged.orders,
        dialect,
        variants,
        skip_checks: request.skip_checks.clone(),
        strict_skip: request.strict_skip,
    })
}

/// Which of the files read are which.
#[derive(Clone, Copy, Default)]
struct Files {
    library: Option<u32>,
    bell: Option<u32>,
    root: u32,
}

/// What a loader has read.
fn taken(loader: Loader, files: Files) -> (Sources, Program) {
    let Loader { sources, interner, trees, paths, includes, .. } = loader;
    let Files { library, bell, root } = files;
    (sources, Program { trees, includes, paths, library, bell, root, interner })
}

/// The first pass over the bell file.
fn declarations(
    loader: &mut Loader,
    vocabulary: &Vocabulary,
    dialect: Dialect,
    variants: &[String],
    library: Option<u32>,
    bell: u32,
) -> Staged {
    let (mut stager, mut env) = Stager::new(loader, vocabulary, dialect, variants);
    stager.declare_only();
    if let Some(library) = library {
        stager.run_file(library, &mut env);
    }
    stager.run_file(bell, &mut env);
    stager.check_scopes(&env);
    stager.forget_definitions();
    stager.finish()
}

/// The model itself, after the library and the bell file.
fn run(
    request: &LoadRequest,
    loader: &mut Loader,
    vocabulary: &Vocabulary,
    dialect: Dialect,
    variants: &[String],
    before: [Option<u32>; 2],
    root: u32,
) -> Staged {
    let (mut stager, mut env) = Stager::new(loader, vocabulary, dialect, variants);
    stager.skip(&request.skip_checks, request.strict_skip);
    stager.choose_orders(request.free_orders);
    stager.bind_base_names(&mut env);
    let [library, bell] = before;
    if let Some(library) = library {
        stager.run_file(library, &mut env);
        stager.note_standard_order(&env);
        stager.forget_definitions();
    }
    if let Some(bell) = bell {
        stager.run_file(bell, &mut env);
    }
    stager.run_file(root, &mut env);
    stager.finish()
}

/// The title of a file and the architecture that it claims.
fn title(loader: &Loader, file: u32) -> (String, Option<(&'static str, Span)>) {
    let Some(tree) = loader.tree(file) else { return ("Unknown".to_owned(), None) };
    let title = match tree.title.as_slice() {
        [] => "Unknown".to_owned(),
        words => words.iter().map(TitleWord::text).collect::<Vec<_>>().join(" "),
    };
    let arch = tree.title.first().and_then(|word| architecture(word.text()).map(|name| (name, word.span())));
    (title, arch)
}
