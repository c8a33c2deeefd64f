//! Synthesis: all minimal litmus tests of a model, up to a size.
//!
//! D. Lustig, A. Wright, A. Papakonstantinou, O. Giroux, "Automated synthesis of comprehensive memory model litmus test suites", ASPLOS 2017.
//!
//! - [`programs`]: programs as data, all of them, each once up to renaming; the vocabulary of an architecture. [`parallel`]: by several threads.
//! - [`minimal`]: which outcomes of a program are minimal, by a model as straight code over relations of sixteen events.
//! - [`suite`]: tests as the field names and writes them, as files.
//! - [`differ`]: the smallest tests on which two models differ. [`extremes`]: models that say the same of every small program.

pub mod differ;
pub mod extremes;
pub mod minimal;
pub mod parallel;
pub mod programs;
pub mod suite;

use crate::cat::Loaded;
use minimal::examine::Examiner;
use minimal::frame::Layout;
use minimal::judge::Judge;
use minimal::matrix::EVENTS;
use minimal::{Minimality, Search, Witness};
use programs::program::Program;
use programs::shapes::Shapes;
use programs::vocabulary::{Relaxation, Vocabulary};
use programs::{Bounds, Programs};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// The largest size: an address is accessed twice, and its initial write is an event.
pub const MAX_SIZE: usize = 10;

/// What is to be synthesised.
#[derive(Clone, Debug)]
pub struct Request {
    /// Tests of up to so many events.
    pub size: usize,
    /// Of at most so many threads.
    pub threads: usize,
    /// With at most so many addresses.
    pub addresses: usize,
    /// Which definition counts.
    pub minimality: Minimality,
    /// The relaxations that a test has to stand.
    pub relaxations: Vec<Relaxation>,
    /// How many threads work.
    pub workers: usize,
}

/// A program with its minimal outcomes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Test {
    /// The program.
    pub program: Program,
    /// Its minimal outcomes; there is at least one.
    pub outcomes: Vec<Witness>,
}

/// How far a synthesis is, to be read by others meanwhile.
#[derive(Default, Debug)]
pub struct Progress {
    /// Set to end it early.
    pub stop: AtomicBool,
    /// The size that is being looked at.
    pub size: AtomicUsize,
    /// Parts of that size, and how many are done.
    pub parts: AtomicUsize,
    /// See `parts`.
    pub done: AtomicUsize,
    /// Programs looked at, all sizes together.
    pub programs: AtomicU64,
    /// Minimal tests found.
    pub found: AtomicUsize,
}

impl Progress {
    /// A new size, of so many parts.
    pub fn begin(&self, size: usize, parts: usize) {
        self.size.store(size, Ordering::Relaxed);
        self.parts.store(parts, Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
    }

    /// Whether the search is to end early.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// What was found.
#[derive(Clone, Default, Debug)]
pub struct Suite {
    /// Tests by size, ascending within a size.
    pub tests: Vec<Test>,
    /// The names of the axioms.
    pub axioms: Vec<String>,
    /// The sizes that were searched to the end.
    pub complete: usize,
    /// The parts of the next size that were.
    pub parts: BTreeSet<usize>,
    /// Programs looked at.
    pub programs: u64,
}

/// Compiles a model for a vocabulary.
///
/// Errors: what [`Judge::new`] says; a model of which a part cannot be staged.
pub fn judge(loaded: &Loaded, vocabulary: &Vocabulary) -> Result<Judge, String> {
    if loaded.dynamic {
        return Err("the model chooses relations an execution; synthesis cannot do that".to_owned());
    }
    Judge::new(loaded, vocabulary)
}

/// Where an earlier search ended.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Begun {
    /// The last size that was searched to the end.
    pub complete: usize,
    /// The parts of the next size that were.
    pub parts: BTreeSet<usize>,
    /// What was found so far.
    pub programs: Vec<Program>,
    /// Programs looked at.
    pub looked_at: u64,
}

/// Finds all minimal tests of up to a size. Time grows exponentially with the size.
pub fn synthesise(judge: &Judge, vocabulary: &Vocabulary, request: &Request, progress: &Progress) -> Suite {
    resume(judge, vocabulary, request, progress, Begun::default())
}

/// The same, from where an earlier search ended.
pub fn resume(
    judge: &Judge,
    vocabulary: &Vocabulary,
    request: &Request,
    progress: &Progress,
    mut begun: Begun,
) -> Suite {
    let mut suite = Suite { axioms: judge.names().to_vec(), complete: begun.complete, ..Suite::default() };
    progress.programs.store(begun.looked_at, Ordering::Relaxed);
    for program in std::mem::take(&mut begun.programs) {
        let layout = Layout::new(&program, vocabulary);
        let outcomes = Search::run(&layout, vocabulary, judge, request.minimality, &request.relaxations);
        suite.tests.push(Test { program, outcomes });
    }
    for size in begun.complete.max(1) + 1..=request.size {
        let bounds = Bounds { size, threads: request.threads, addresses: request.addresses.min(EVENTS - size) };
        let maker = Shapes::new(vocabulary, judge, &request.relaxations, minimal::examine::is_bare(judge, vocabulary));
        let programs = Programs::new(vocabulary, &maker, bounds);
        progress.begin(size, programs.parts());
        let done = Mutex::new(std::mem::take(&mut begun.parts));
        let next = AtomicUsize::new(0);
        let found: Mutex<Vec<Test>> = Mutex::default();
        std::thread::scope(|scope| {
            for _ in 0..request.workers.max(1) {
                scope.spawn(|| {
                    let mut own: Vec<Test> = Vec::new();
                    let mut examiner = Examiner::new(vocabulary, judge, request);
                    loop {
                        let part = next.fetch_add(1, Ordering::Relaxed);
                        if part >= programs.parts() || progress.is_stopped() {
                            break;
                        }
                        if locked(&done).contains(&part) {
                            progress.done.fetch_add(1, Ordering::Relaxed);
                            continue;
                        }
                        let ended = programs.of_part(part, &mut |program| {
                            progress.programs.fetch_add(1, Ordering::Relaxed);
                            let mut tests = examiner.examine(program);
                            progress.found.fetch_add(tests.len(), Ordering::Relaxed);
                            own.append(&mut tests);
                            if progress.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                        });
                        if ended.is_continue() {
                            locked(&done).insert(part);
                        }
                        progress.done.fetch_add(1, Ordering::Relaxed);
                    }
                    locked(&found).append(&mut own);
                });
            }
        });
        suite.tests.append(&mut locked(&found));
        let done = std::mem::take(&mut *locked(&done));
        if done.len() < programs.parts() {
            suite.parts = done;
            break;
        }
        suite.complete = size;
    }
    // What was found in a part that was not ended is found again when it is.
    suite.tests.sort_unstable_by(|a, b| a.program.size().cmp(&b.program.size()).then_with(|| a.cmp(b)));
    suite.tests.dedup_by(|a, b| a.program == b.program);
    suite.programs = progress.programs.load(Ordering::Relaxed);
    suite
}

/// What a lock guards. A poisoned one means that another worker panicked, which ends the search anyway.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
