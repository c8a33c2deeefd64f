//! How files are to be checked.

use super::models::Models;
use super::persisted::Persist;
use crate::algebra::Model;
use crate::clock::Instant;
use crate::explore::Equivalence;
use crate::explore::bounds::Bound;
use crate::explore::parallel::divide::Divider;
use crate::explore::parallel::spare::Spare;
use crate::explore::progress::forecast::Forecast;
use crate::linearizability::library::Linearizable;
use crate::llvm::linux::Tree;
use crate::llvm::{Compilations, Dependencies, rust};
pub use crate::program::crash::Lines;
use crate::shelf::Shelf;
use crate::verdict::Property;
use crate::verdict::expected::Expectations;
use crate::verdict::outcomes::Observe;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// How executions are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// Exploration: each consistent execution is built once.
    #[default]
    Explore,
    /// The reference enumerator: all values, sources and orders. C programs are explored as well, and what is found is compared.
    Enumerate,
}

/// Whether interchangeable threads are explored once up to renaming.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Symmetry {
    /// No.
    #[default]
    Off,
    /// Where they are known to be interchangeable.
    Auto,
    /// The same; and where it is not so, the report says why.
    On,
}

/// Whether executions are told apart that differ in the order of critical sections only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Locks {
    /// They are.
    #[default]
    Order,
    /// They count as one; one order is explored for all once that is seen to pay.
    Content,
    /// The same, with one order explored for all from the start.
    One,
}

/// Which executions a report lists, one by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Show {
    /// Candidates that the model forbids; otherwise executions that it allows.
    pub forbidden: bool,
    /// At most so many.
    pub most: usize,
}

/// How files are to be checked.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How executions are found.
    pub engine: Engine,
    /// Bound on the rounds of a loop.
    pub unroll: Option<u32>,
    /// Bound on the interleavings of an execution.
    pub bound: Option<Bound>,
    /// Bound on the events of an execution.
    pub max_events: Option<usize>,
    /// Whether rounds of loops that try again count as others do.
    pub all_retries: bool,
    /// Whether accesses are cut at every byte, not only where others overlap them.
    pub cut_bytes: bool,
    /// Whether to say what was explored, and how long the model took.
    pub stats: bool,
    /// Whether to say how executions were found.
    pub verbose: bool,
    /// Time for one file.
    pub timeout: Option<Duration>,
    /// When work on a file that was begun ends.
    pub deadline: Option<Instant>,
    /// What is looked for in programs.
    pub properties: Vec<Property>,
    /// Whether to go on after the first violation of a program.
    pub keep_going: bool,
    /// Whether an unexpected result or a flag makes a litmus test fail.
    pub strict: bool,
    /// Whether to remember every execution and judge it again.
    pub audit: bool,
    /// Whether to draw an execution that satisfies the condition of a litmus test.
    pub witness: bool,
    /// Which executions to list.
    pub show: Option<Show>,
    /// The relations that pictures show; those that the model wants shown when it is not said.
    pub relations: Option<Vec<String>>,
    /// Whether only the answer to the condition of a litmus test is wanted, not its states.
    pub condition_only: bool,
    /// Which executions count as one; chosen by program and model when it is not said.
    pub equivalence: Option<Equivalence>,
    /// Whether the order of critical sections tells executions apart.
    pub locks: Locks,
    /// Whether interchangeable threads of programs are explored once up to renaming.
    pub symmetry: Symmetry,
    /// Results that litmus tests are compared with; the first file that knows a test counts.
    pub expected: Arc<Vec<Expectations>>,
    /// An earlier run: litmus tests that it answers are not run again.
    pub earlier: Option<Arc<Expectations>>,
    /// Whether to say why the outcome of a litmus test is allowed or forbidden.
    pub explain: bool,
    /// Whether to say which lines and assertions of a program executions reach.
    pub coverage: bool,
    /// What of a program belongs to its outcomes.
    pub observe: Observe,
    /// What its calls are held against, if anything.
    pub linearizable: Option<Arc<Linearizable>>,
    /// What is asked of files after a crash, if anything.
    pub persist: Option<Arc<Persist>>,
    /// Whether the recovery may write to what survives.
    pub recovery_writes: bool,
    /// Which of what survives a crash shares a line of the cache.
    pub lines: Lines,
    /// Outcomes of a program that surprise nobody: an execution with another one is drawn.
    pub known_outcomes: Option<Arc<BTreeSet<String>>>,
    /// Whether to look at the source as well, when something is found in a program that clang has optimised.
    pub asks_source: bool,
    /// The architecture to compile C programs for; that of the model when none is given.
    pub arch: Option<String>,
    /// The compilation mapping of C programs, by name or file; that of the model's architecture when none is given.
    pub mapping: Option<String>,
    /// What values of C programs depend on.
    pub dependencies: Dependencies,
    /// Macro files, besides the one that stands beside the model.
    pub macros: Vec<PathBuf>,
    /// Directories for included files.
    pub include_dirs: Vec<PathBuf>,
    /// The compiler for C and C++; searched for when none is given.
    pub clang: Option<PathBuf>,
    /// Further arguments for clang.
    pub clang_args: Vec<String>,
    /// Where texts that compilers printed are kept, for runs that compile files again.
    pub compilations: Option<Arc<Compilations>>,
    /// Further source files of the program.
    pub linked: Vec<PathBuf>,
    /// A tree of the Linux kernel, of whose files programs are made.
    pub linux: Option<Tree>,
    /// Whether ordinary accesses count as relaxed ones.
    pub plain_once: bool,
    /// The function that the program begins in, when that is not `main`.
    pub entry: Option<String>,
    /// What `main` of a program is given behind the name of the program.
    pub arguments: Vec<String>,
    /// A model that says what a race is, for programs under models that do not.
    pub race_model: Option<Arc<(String, Models)>>,
    /// Whether messages are for a terminal with colours.
    pub color: bool,
    /// Set to end the run early.
    pub interrupt: Arc<AtomicBool>,
    /// Complete executions seen so far, for progress displays.
    pub progress: Arc<AtomicU64>,
    /// Threads that may help with the exploration of a program.
    pub spare: Arc<Spare>,
    /// Where to tell how many executions there will be, if anybody wants to know.
    pub forecast: Option<Arc<Forecast>>,
    /// Who does searches in parts, if anybody does.
    pub divider: Option<Arc<dyn Divider>>,
    /// Texts that stand in for files, or where those that are read are noted.
    pub shelf: Option<Arc<Shelf>>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            engine: Engine::default(),
            unroll: None,
            bound: None,
            max_events: None,
            all_retries: false,
            cut_bytes: false,
            stats: false,
            verbose: false,
            timeout: None,
            deadline: None,
            properties: Property::usual(),
            keep_going: false,
            strict: false,
            audit: false,
            witness: false,
            show: None,
            relations: None,
            expected: Arc::default(),
            earlier: None,
            condition_only: false,
            equivalence: None,
            locks: Locks::default(),
            symmetry: Symmetry::default(),
            explain: false,
            coverage: false,
            observe: Observe::default(),
            linearizable: None,
            persist: None,
            recovery_writes: false,
            lines: Lines::default(),
            known_outcomes: None,
            asks_source: true,
            arch: None,
            mapping: None,
            dependencies: Dependencies::default(),
            macros: Vec::new(),
            include_dirs: Vec::new(),
            clang: None,
            clang_args: Vec::new(),
            compilations: None,
            linked: Vec::new(),
            linux: None,
            plain_once: false,
            entry: None,
            arguments: Vec::new(),
            race_model: None,
            color: false,
            interrupt: Arc::default(),
            progress: Arc::default(),
            spare: Arc::default(),
            forecast: None,
            divider: None,
            shelf: None,
        }
    }
}

impl Settings {
    /// The same for a Rust program: moving a value copies parts of it that nothing was written to, such as the payload of `None`, which is no error.
    pub fn of_rust(&self) -> Settings {
        let mut settings = self.clone();
        settings.properties.retain(|&property| property != Property::Uninitialised);
        settings
    }

    /// The same for work on a file that begins now: however often it is explored, there is one time limit.
    pub(crate) fn begun(&self, file: &Path) -> Settings {
        let end = self.timeout.map(|limit| Instant::now() + limit);
        // How much is left of a search that is ended is worth a word.
        let own = end.map(|_| Arc::new(Forecast::late()));
        let settings = if rust::is_source(file) { self.of_rust() } else { self.clone() };
        Settings { deadline: self.deadline.or(end), forecast: self.forecast.clone().or(own), ..settings }
    }

    /// The relations of a model that pictures show.
    pub(in crate::driver) fn related(&self, model: &Model) -> Vec<String> {
        match &self.relations {
            Some(names) => names.clone(),
            None if self.witness => model.shows.iter().map(|(name, _)| name.clone()).collect(),
            None => Vec::new(),
        }
    }

    /// Whether the user, or the time limit, has ended the run.
    pub(in crate::driver) fn is_ended(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed) || self.deadline.is_some_and(|end| Instant::now() >= end)
    }

    /// Whether clang optimises what it compiles: the last of its levels counts.
    pub fn optimises(&self) -> bool {
        let level = self.clang_args.iter().rev().find_map(|argument| argument.strip_prefix("-O"));
        level.is_some_and(|level| level != "0")
    }
}
