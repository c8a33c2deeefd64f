//! Loads models: each once an architecture, whatever the number of files.

use super::messages;
use crate::algebra::{Check, ExprId, Model, Predicate, Role, Sort, places};
use crate::cat::def::{self, MacroTable};
use crate::cat::{self, LoadRequest, Loaded, Vocabulary};
use crate::explore::{Equivalence, Plans};
use crate::kernel::plan::Plan;
use crate::program::Program;
use crate::shelf;
use crate::verdict::{Message, Verdict, flags};
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A model that is ready to be used.
#[derive(Debug)]
pub struct Usable {
    /// As loaded.
    pub loaded: Loaded,
    /// The staged model, with the check that every model gets.
    pub model: Model,
    /// Whether the model reads what creating and joining threads orders. To others, programs show it by accesses.
    pub knows_threads: bool,
    /// What it was compiled to, for the programs seen so far.
    pub plans: Plans,
    /// The macros that come with it.
    pub macros: Arc<MacroTable>,
    /// Texts of the macro files: name and text.
    pub macro_texts: Vec<(String, String)>,
    /// SHA-256 of its texts.
    pub sha256: String,
    /// Warnings.
    pub warnings: Vec<Message>,
    /// The same over parts of accesses, when a program needed it.
    over_parts: OnceLock<Arc<Usable>>,
    /// Whether it is that.
    is_over_parts: bool,
}

impl Usable {
    /// What explores a program. Where accesses are made of parts, a part may have no place that suits the others of its access: what is said of whole accesses is asked of
    /// complete executions only.
    pub(in crate::driver) fn plan(&self, program: &Program, equivalence: &Equivalence) -> Arc<Plan> {
        match self.is_over_parts {
            true => self.plans.get_certain(&self.model, program, equivalence),
            false => self.plans.get(&self.model, program, equivalence),
        }
    }

    /// Whether the model says what parts of accesses mean.
    pub(in crate::driver) fn names_parts(&self) -> bool {
        match self.loaded.dynamic {
            true => places::names_parts_anywhere(&self.model),
            false => places::names_parts(&self.model),
        }
    }

    /// The model for programs in which accesses are made of parts.
    pub(in crate::driver) fn over_parts(&self) -> Arc<Usable> {
        let make = || {
            Arc::new(Usable {
                loaded: self.loaded.clone(),
                model: places::over_parts(&self.model, self.names_parts()),
                knows_threads: self.knows_threads,
                plans: Plans::default(),
                macros: self.macros.clone(),
                macro_texts: self.macro_texts.clone(),
                sha256: self.sha256.clone(),
                warnings: Vec::new(),
                over_parts: OnceLock::new(),
                is_over_parts: true,
            })
        };
        self.over_parts.get_or_init(make).clone()
    }
}

/// Has a program that was read for a model track the dependencies that only some models ask for.
pub fn adapt(program: &mut Program, model: &Model) {
    program.compares = model.pool.bases().iter().any(|base| base.name == "casdep");
}

/// Why a model cannot be used, and what that makes of a file.
pub type Refusal = (Vec<Message>, Verdict);

type Slot = Result<Arc<Usable>, Refusal>;

/// One model, as the user named it, for all the architectures that turn up.
#[derive(Debug)]
pub struct Models {
    request: LoadRequest,
    macro_files: Vec<PathBuf>,
    color: bool,
    loaded: Mutex<FxHashMap<Option<String>, Slot>>,
    /// The same for programs that were optimised.
    optimised: Mutex<FxHashMap<Option<String>, Arc<Usable>>>,
    /// Warnings that nobody has been told yet, and those that somebody has.
    news: Mutex<(Vec<Message>, Vec<Message>)>,
}

impl Models {
    /// A model that is not loaded yet. `color`: messages are for a terminal.
    pub fn new(request: LoadRequest, macro_files: Vec<PathBuf>, color: bool) -> Models {
        let (loaded, optimised, news) = Default::default();
        Models { request, macro_files, color, loaded, optimised, news }
    }

    /// The model for tests of an architecture (`None`: names of all architectures are known). Messages are given in full
    /// the first time only.
    pub fn get(&self, arch: Option<&str>) -> Result<Arc<Usable>, Refusal> {
        // A thread that panicked here left the table as it was.
        let mut table = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let key = arch.map(str::to_owned);
        if let Some(slot) = table.get(&key) {
            return slot.clone();
        }
        let slot = self.load(arch);
        if let Ok(usable) = &slot {
            let mut news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
            for warning in &usable.warnings {
                if !news.0.contains(warning) && !news.1.contains(warning) {
                    news.0.push(warning.clone());
                }
            }
        }
        let later = match &slot {
            Ok(usable) => Ok(usable.clone()),
            Err((reasons, Verdict::Error)) => Err((vec![messages::model_failed(reasons)], Verdict::Error)),
            Err(unsupported) => Err(unsupported.clone()),
        };
        table.insert(key, later);
        slot
    }

    /// The model for programs that a compiler has optimised: it may have put reads where the source has none, so of two accesses that race both
    /// have to write.
    pub fn get_optimised(&self, arch: Option<&str>) -> Result<Arc<Usable>, Refusal> {
        let usable = self.get(arch)?;
        let mut table = self.optimised.lock().unwrap_or_else(PoisonError::into_inner);
        let narrowed = table.entry(arch.map(str::to_owned)).or_insert_with(|| {
            let mut model = usable.model.clone();
            race_by_writes(&mut model);
            Arc::new(Usable {
                loaded: usable.loaded.clone(),
                model,
                knows_threads: usable.knows_threads,
                plans: Plans::default(),
                macros: usable.macros.clone(),
                macro_texts: usable.macro_texts.clone(),
                sha256: usable.sha256.clone(),
                warnings: usable.warnings.clone(),
                over_parts: OnceLock::new(),
                is_over_parts: false,
            })
        });
        Ok(narrowed.clone())
    }

    /// Warnings about the model that were not handed out before.
    pub fn news(&self) -> Vec<Message> {
        let mut news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = std::mem::take(&mut news.0);
        news.1.extend(fresh.iter().cloned());
        fresh
    }

    fn load(&self, arch: Option<&str>) -> Slot {
        let usable = self.read(arch).map_err(|reasons| (reasons, Verdict::Error))?;
        let scopes: Vec<String> = usable.loaded.scopes().into_iter().map(|name| format!("`{name}`")).collect();
        match scopes.is_empty() {
            true => Ok(usable),
            false => Err((vec![messages::needs_scopes(&usable.model.title, &scopes)], Verdict::Unsupported)),
        }
    }

    fn read(&self, arch: Option<&str>) -> Result<Arc<Usable>, Vec<Message>> {
        let mut request = self.request.clone();
        request.arch = arch.map(str::to_owned);
        let loaded = cat::load(&request, &Vocabulary::new(arch)).map_err(|e| messages::load_errors(&e, self.color))?;
        let mut model = loaded.model.clone();
        let mut texts: Vec<(String, String)> = loaded.def.iter().cloned().collect();
        for file in &self.macro_files {
            let name = file.display().to_string();
            let text =
                shelf::keep(self.request.shelf.as_ref(), || format!("macros {name}"), || messages::text_of(file));
            texts.push((name, text.map_err(|m| vec![*m])?));
        }
        let mut macros = MacroTable::default();
        let mut problems = Vec::new();
        for (name, text) in &texts {
            let (read, errors) = def::parse(text);
            macros.extend(read);
            problems.extend(errors.iter().map(|e| messages::def_error(e, name, text, self.color)));
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let options = request.variants.iter().chain(&request.skip_checks).map(String::as_str);
        let sha256 = digest(model.files.iter().chain(&texts).map(|(_, text)| text.as_str()).chain(options));
        let knows_threads = model.pool.bases().iter().any(|base| base.name == "thread-sync");
        order_threads(&mut model);
        order_locks(&mut model);
        let annotations = loaded.bell.iter().flat_map(|bell| {
            texts.iter().flat_map(|(name, text)| cat::tools::check::unknown_annotations(bell, name, text))
        });
        let warnings = loaded.warnings.iter().cloned().chain(annotations);
        let warnings = warnings.map(|w| messages::of_diagnostic(&w, &loaded.sources, self.color)).collect();
        Ok(Arc::new(Usable {
            loaded,
            model,
            knows_threads,
            plans: Plans::default(),
            macros: Arc::new(macros),
            macro_texts: texts,
            sha256,
            warnings,
            over_parts: OnceLock::new(),
            is_over_parts: false,
        }))
    }
}

fn digest<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update(text.as_bytes());
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Has the races of a model be between writes only.
fn race_by_writes(model: &mut Model) {
    let pool = &mut model.pool;
    let writes = pool.base("W", Sort::Set);
    let pairs = pool.product(writes, writes);
    for check in model.checks.iter_mut().filter(|check| flags::is_race(check)) {
        check.expr = match model.pool.sort(check.expr) {
            Sort::Rel => model.pool.inter(Sort::Rel, [check.expr, pairs]),
            Sort::Set => model.pool.inter(Sort::Set, [check.expr, writes]),
        };
    }
}

/// Adds what holds under every model, also under one that does not know threads: what comes before the creation of a thread
/// comes before what the thread does, and that before what comes after a join with it. A cycle counts where each step between two threads' orders is
/// what one access shows of another one of its location. Such steps are not joined: from an event that reads and writes, its read and its
/// write would lead on as one, and that is atomicity, of which the model decides. It vanishes when no thread is created.
fn order_threads(model: &mut Model) {
    let pool = &mut model.pool;
    let [sync, rf, co] = ["thread-sync", "rf", "co"].map(|name| pool.base(name, Sort::Rel));
    let source = pool.inverse(rf);
    let later = pool.seq([source, co]);
    let id = pool.id();
    let fr = pool.diff(later, id);
    let [co_rf, fr_rf] = [co, fr].map(|order| pool.seq([order, rf]));
    let shown = pool.union(Sort::Rel, [rf, co, co_rf, fr, fr_rf]);
    let expr = pool.seq([sync, shown]);
    require(model, "thread-creation-and-joining", Predicate::Acyclic, expr);
}

/// Adds what an execution's own order of the events of a lock means, under every model. A model may compute coherence and
/// reads-from of locks by itself, from where locks are taken; the execution at hand then has to be the one that agrees, or the
/// model would accept it once for every place that a release might have had. In the words of that order:
///
/// - an attempt that takes a lock reads what comes right before its write; nothing comes between taking a lock and releasing it,
///   and nothing after taking a lock that is never released;
/// - attempts that fail, and tests, respect program order.
///
/// Vanishes in a program without locks.
fn order_locks(model: &mut Model) {
    let pool = &mut model.pool;
    let [attempt, taken, release] = ["LKR", "LKW", "UL"].map(|name| pool.base(name, Sort::Set));
    let [failed, locked, free] = ["LF", "RL", "RU"].map(|name| pool.base(name, Sort::Set));
    let [po, loc, co, rf, instance] =
        ["po", "loc", "co", "rf-lock", "same-instance"].map(|name| pool.base(name, Sort::Rel));
    let po_loc = pool.inter(Sort::Rel, [po, loc]);
    let [at_attempt, at_taken, at_release] = [attempt, taken, release].map(|set| pool.id_on(set));
    let changes = pool.union(Sort::Set, [taken, release]);
    let at_change = pool.id_on(changes);

    let pair = pool.inter(Sort::Rel, [instance, loc]);
    let taking = pool.seq([at_attempt, pair, at_taken]);
    let read_from = pool.inverse(rf);
    let overtaken = pool.seq([read_from, co, co]);
    let not_atomic = pool.inter(Sort::Rel, [taking, overtaken]);
    require(model, "lock-atomic", Predicate::Empty, not_atomic);

    let pool = &mut model.pool;
    let released = pool.seq([at_taken, po_loc, at_release]);
    let again = pool.seq([po_loc, at_change, po_loc]);
    let section = pool.diff(released, again);
    let between = pool.seq([co, co]);
    let invaded = pool.inter(Sort::Rel, [section, between]);
    require(model, "lock-exclusive", Predicate::Empty, invaded);

    let pool = &mut model.pool;
    let ended = pool.domain(section);
    let kept = pool.diff(taken, ended);
    let at_kept = pool.id_on(kept);
    let after = pool.seq([at_kept, co, at_change]);
    require(model, "lock-kept", Predicate::Empty, after);

    let pool = &mut model.pool;
    let all = pool.union(Sort::Set, [attempt, changes, failed, locked, free]);
    let at_lock = pool.id_on(all);
    let fr = pool.seq([read_from, co]);
    let any = pool.union(Sort::Rel, [po_loc, rf, co, fr]);
    let order = pool.seq([at_lock, any, at_lock]);
    require(model, "lock-coherence", Predicate::Acyclic, order);
}

fn require(model: &mut Model, name: &str, predicate: Predicate, expr: ExprId) {
    model.checks.push(Check {
        name: Some(name.to_owned()),
        role: Role::Require,
        predicate,
        negated: false,
        expr,
        place: (0, 0..0),
    });
}
