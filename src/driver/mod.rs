//! From a model and a file to a result: the one way through the program.
//!
//! ```text
//! model text ── load ──▶ Loaded ──┐
//!                                 ├─ Plan::compile ─▶ explore ─▶ observe ─▶ FileResult
//! file ── compile / parse ─▶ Program
//! ```
//!
//! - [`models`]: loads each model once an architecture, and adds the check that every model gets.
//! - [`code`]: C, C++ and LLVM IR.
//! - [`litmus`]: litmus tests; `ends` adds up their final states, [`explain`] says why an outcome is forbidden.
//! - `circles`: executions that exploration may miss, and those of them that are found otherwise.
//! - `compiling`: clang within the limits of the run.
//! - `counting`: which executions count as one when the user does not say.
//! - `orders`: where coherence follows from reads-from, when executions count up to that.
//! - `rounds`: programs with loops that go round without end.
//! - [`layers`]: visitors that stand between exploration and observation.
//! - [`robust`]: a program under a model and under a stronger one.
//! - [`messages`]: problems of the input, made presentable.

pub mod code;
mod compiling;
mod counting;
pub mod differ;
mod ends;
pub mod explain;
pub mod layers;
pub mod litmus;
pub mod messages;
mod missing;
pub mod models;
mod orders;
pub mod robust;
mod rounds;

use crate::explore::estimate::Forecast;
use crate::explore::parts::{Spare, Split};
use crate::explore::{self, Equivalence, Options, Statistics, Visitor, enumerate, fixed, symmetry};
use crate::kernel::plan::Plan;
use crate::program::{Program, Start};
use crate::verdict::audit::Audit;
use crate::verdict::expected::Expectations;
use crate::verdict::{FileResult, Property, Sources, Verdict};
use counting::Counting;
use layers::{Counted, Judged};
use missing::{Effort, Missing};
use models::{Models, Usable};
use rounds::Explored;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

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

/// How files are to be checked.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How executions are found.
    pub engine: Engine,
    /// Bound on the rounds of a loop.
    pub unroll: Option<u32>,
    /// Time for one file.
    pub timeout: Option<Duration>,
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
    /// Whether only the answer to the condition of a litmus test is wanted, not its states.
    pub condition_only: bool,
    /// Which executions count as one; chosen by program and model when it is not said.
    pub equivalence: Option<Equivalence>,
    /// Whether interchangeable threads of programs are explored once up to renaming.
    pub symmetry: Symmetry,
    /// Results that litmus tests are compared with; the first file that knows a test counts.
    pub expected: Arc<Vec<Expectations>>,
    /// An earlier run: litmus tests that it answers are not run again.
    pub earlier: Option<Arc<Expectations>>,
    /// Whether to say why the outcome of a litmus test is allowed or forbidden.
    pub explain: bool,
    /// The architecture to compile C programs for; that of the model when none is given.
    pub arch: Option<String>,
    /// The compilation mapping of C programs, by name or file; that of the model's architecture when none is given.
    pub mapping: Option<String>,
    /// Macro files, besides the one that stands beside the model.
    pub macros: Vec<PathBuf>,
    /// Directories for included files.
    pub include_dirs: Vec<PathBuf>,
    /// The compiler for C and C++; searched for when none is given.
    pub clang: Option<PathBuf>,
    /// Further arguments for clang.
    pub clang_args: Vec<String>,
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
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            engine: Engine::default(),
            unroll: None,
            timeout: None,
            properties: Property::usual(),
            keep_going: false,
            strict: false,
            audit: false,
            witness: false,
            expected: Arc::default(),
            earlier: None,
            condition_only: false,
            equivalence: None,
            symmetry: Symmetry::default(),
            explain: false,
            arch: None,
            mapping: None,
            macros: Vec::new(),
            include_dirs: Vec::new(),
            clang: None,
            clang_args: Vec::new(),
            color: false,
            interrupt: Arc::default(),
            progress: Arc::default(),
            spare: Arc::default(),
            forecast: None,
        }
    }
}

/// What kind of file it is, by its extension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// `.litmus`
    Litmus,
    /// `.c`, `.cc`, `.cpp`, `.cxx`, `.ll`
    Code,
}

impl FileKind {
    /// The kind of a file, if it is one that can be checked.
    pub fn of(path: &Path) -> Option<FileKind> {
        match path.extension()?.to_str()? {
            "litmus" => Some(FileKind::Litmus),
            "c" | "cc" | "cpp" | "cxx" | "ll" => Some(FileKind::Code),
            _ => None,
        }
    }
}

/// Checks one file under one model.
pub fn check(file: &Path, model: &str, models: &Models, settings: &Settings, sources: &Sources) -> FileResult {
    let start = Instant::now();
    let mut result = FileResult::new(file.display().to_string(), model);
    if let Err(message) = messages::readable(file) {
        return result.failed(vec![*message], Verdict::Error);
    }
    let (checked, not_compiled) = compiling::within(file, settings, || match FileKind::of(file) {
        Some(FileKind::Litmus) => litmus::check(file, models, settings, sources, result),
        Some(FileKind::Code) => code::check(file, models, settings, sources, result),
        None => result.failed(vec![messages::unknown_kind(file)], Verdict::Error),
    });
    result = checked;
    if let Some(message) = not_compiled {
        result.messages = vec![message];
        result.verdict = Verdict::Bounded;
    }
    messages::name_unchecked(&mut result);
    result.left_open();
    result.seconds = start.elapsed().as_secs_f64();
    result
}

/// What a run over all executions of a program gives besides what the visitor keeps.
#[derive(Default)]
pub(crate) struct Run {
    pub statistics: Statistics,
    /// At which bound explorations were cut, if some were.
    pub bound: String,
    pub duplicate: Option<u64>,
    pub disagreements: u64,
    /// What is to be said about which executions count as one.
    pub counting: Option<String>,
    /// How many rounds of loops were followed, if that was not for the user to say and not all were.
    pub rounds: Option<u32>,
    /// Executions that exploration may not have found.
    pub missing: Missing,
    /// Whether exploration began anew, without checks that kept it from going on.
    pub got_stuck: bool,
    /// Why no threads were treated as interchangeable, if somebody wants to know.
    pub no_symmetry: Option<&'static str>,
    /// Why the search ended before its time, if it did.
    pub ended_early: Option<&'static str>,
    /// Why the reference evaluator could not judge an execution, if it could not.
    pub failed_evaluation: Option<String>,
}

/// Explores a program under a model, with all threads that nobody else uses.
pub(crate) fn run<V: Visitor + Split>(program: &Program, usable: &Usable, settings: &Settings, visitor: &mut V) -> Run {
    run_observing(program, usable, settings, None, visitor)
}

/// As [`run`], when of the final memory only these addresses (and sizes) are looked at, besides what the program itself reads.
pub(crate) fn run_observing<V: Visitor + Split>(
    program: &Program,
    usable: &Usable,
    settings: &Settings,
    observed: Option<Arc<[(u64, u64)]>>,
    visitor: &mut V,
) -> Run {
    let enumerates = settings.engine == Engine::Enumerate;
    if settings.audit || enumerates && matches!(program.start, Start::Together(_)) {
        return counted_alone(program, usable, settings, u64::MAX, observed, visitor);
    }
    let counting = match enumerates {
        true => Counting::default(),
        false => counting::counting(program, usable, settings),
    };
    run_counting(program, usable, settings, counting, observed, visitor)
}

fn run_counting<V: Visitor + Split>(
    program: &Program,
    usable: &Usable,
    settings: &Settings,
    counting: Counting,
    observed: Option<Arc<[(u64, u64)]>>,
    visitor: &mut V,
) -> Run {
    let mut options = options(program, &counting, settings, observed);
    let effort = match settings.engine {
        Engine::Explore => &Effort::SMALL,
        Engine::Enumerate => &Effort::ALL,
    };
    if let Some((statistics, seen)) = run_fixed(program, usable, settings, &options, visitor) {
        let _ = visitor.join(seen);
        let no_symmetry = no_symmetry(program, &options, settings, &statistics, None);
        let run = Run { counting: counting.note, no_symmetry, ..Run::default() };
        return finished(statistics, &options, ((0, 0), None), run);
    }
    let fresh = Judged::new(Counted::new(visitor.fork(), &settings.progress), usable);
    let mut plan = usable.plans.get(&usable.model, program, &options.equivalence);
    if options.equivalence == Equivalence::ReadsFrom {
        options.equivalence = orders::with_few_open(program, &plan, &options);
    }
    let mut explored = rounds::explored(program, &plan, &options, &fresh);
    if explored.statistics.ambiguous.is_some() {
        options.equivalence = Equivalence::ReadsFrom;
        explored = rounds::explored(program, &plan, &options, &fresh);
    }
    if explored.statistics.misjudged {
        let first_of_sources = counting.first_of_sources;
        let note = counting.note.filter(|_| first_of_sources);
        let counting = Counting { first_of_sources, note, ..Counting::default() };
        return run_counting(program, usable, settings, counting, options.observed, visitor);
    }
    let got_stuck = explored.statistics.stuck && !explored.statistics.stopped;
    let may_miss = Missing::suspected(&explored.statistics);
    if options.prune && (got_stuck || matches!(may_miss, Missing::Hinted | Missing::Unproved)) {
        // The search for programs with fixed events knows neither way of going wrong, and needs fewer checks than what else could be done.
        let whole = Options { prune: false, ..options.clone() };
        if let Some((statistics, seen)) = run_fixed(program, usable, settings, &whole, visitor) {
            let _ = visitor.join(seen);
            return finished(statistics, &options, ((0, 0), None), Run { counting: counting.note, ..Run::default() });
        }
    }
    if got_stuck {
        plan = usable.plans.get_certain(&usable.model, program, &options.equivalence);
        explored = rounds::explored(program, &plan, &options, &fresh);
    }
    let Explored { mut statistics, mut seen, rounds } = explored;
    let options = Options { unroll: options.unroll.or(rounds), ..options };
    let missing = missing::find(program, usable, &plan, &options, effort, &mut statistics, &mut seen);
    let Judged { inner, rejected, error, .. } = seen;
    let _ = visitor.join(inner.inner);
    let no_symmetry = no_symmetry(program, &options, settings, &statistics, Some(&plan));
    let run = Run { counting: counting.note, rounds, no_symmetry, got_stuck, missing, ..Run::default() };
    finished(statistics, &options, (rejected, error), run)
}

/// Explores a program whose events are the same in every execution. `None`: it is no such program, or executions are to be drawn
/// (they are found in another order).
fn run_fixed<V: Visitor + Split>(
    program: &Program,
    usable: &Usable,
    settings: &Settings,
    options: &Options,
    visitor: &V,
) -> Option<(Statistics, V)> {
    if usable.loaded.dynamic || settings.witness || settings.explain || settings.engine == Engine::Enumerate {
        return None;
    }
    let shape = fixed::shape(program, options)?;
    let plan = usable.plans.get_complete(&usable.model, program);
    let mut counted = Counted::new(visitor.fork(), &settings.progress);
    let statistics = fixed::explore_shared(program, &shape, &plan, options, &mut counted)?;
    Some((statistics, counted.inner))
}

/// As [`run`], with one thread, for visitors that cannot be split.
pub(crate) fn run_alone(program: &Program, usable: &Usable, settings: &Settings, visitor: &mut dyn Visitor) -> Run {
    counted_alone(program, usable, settings, u64::MAX, None, visitor)
}

/// All candidates, or as many as the enumerator comes to with so much work.
pub(crate) fn enumerated(
    program: &Program,
    usable: &Usable,
    settings: &Settings,
    work: u64,
    visitor: &mut dyn Visitor,
) -> Run {
    let settings = Settings { engine: Engine::Enumerate, audit: false, ..settings.clone() };
    counted_alone(program, usable, &settings, work, None, visitor)
}

fn counted_alone(
    program: &Program,
    usable: &Usable,
    settings: &Settings,
    work: u64,
    observed: Option<Arc<[(u64, u64)]>>,
    visitor: &mut dyn Visitor,
) -> Run {
    let counting = counting::asked(program, usable, settings);
    let options = options(program, &counting, settings, observed);
    let run = explored_alone(program, usable, settings, work, &options, visitor);
    let note = match settings.engine {
        Engine::Enumerate if settings.equivalence == Some(Equivalence::ReadsFrom) => {
            Some("the enumerator tells apart executions that differ in coherence only".to_owned())
        }
        Engine::Enumerate => None,
        _ => counting.note,
    };
    Run { counting: note, ..run }
}

fn explored_alone(
    program: &Program,
    usable: &Usable,
    settings: &Settings,
    work: u64,
    options: &Options,
    visitor: &mut dyn Visitor,
) -> Run {
    let mut judged = Judged::new(Counted::new(visitor, &settings.progress), usable);
    let mut run = Run::default();
    let statistics = if settings.engine == Engine::Enumerate {
        enumerate::consistent_within(program, &usable.model, options, work, &mut judged)
    } else {
        let plan = usable.plans.get_certain(&usable.model, program, &options.equivalence);
        if settings.audit {
            let mut audit = Audit::new(&usable.model, &mut judged);
            let statistics = explore::explore(program, &plan, options, &mut audit);
            run.no_symmetry = no_symmetry(program, options, settings, &statistics, Some(&plan));
            run = Run { duplicate: Some(audit.duplicate), disagreements: audit.disagreements, ..run };
            statistics
        } else {
            explore::explore(program, &plan, options, &mut judged)
        }
    };
    run.missing = Missing::suspected(&statistics);
    finished(statistics, options, (judged.rejected, judged.error), run)
}

fn options(
    program: &Program,
    counting: &Counting,
    settings: &Settings,
    observed: Option<Arc<[(u64, u64)]>>,
) -> Options {
    Options {
        unroll: settings.unroll,
        prune: settings.condition_only && !settings.audit,
        deadline: settings.timeout.map(|t| Instant::now() + t),
        interrupt: settings.interrupt.clone(),
        spare: settings.spare.clone(),
        forecast: settings.forecast.clone(),
        equivalence: counting.equivalence.clone(),
        first_of_sources: counting.first_of_sources,
        // What the end of a C program reads is looked at besides.
        observed: observed.or_else(|| matches!(program.start, Start::Main(_)).then(|| Arc::from([]))),
        symmetry: settings.symmetry != Symmetry::Off && matches!(program.start, Start::Main(_)),
        ..Options::default()
    }
}

/// Why no threads were treated as interchangeable, when the user wanted that.
fn no_symmetry(
    program: &Program,
    options: &Options,
    settings: &Settings,
    statistics: &Statistics,
    plan: Option<&Plan>,
) -> Option<&'static str> {
    if settings.symmetry != Symmetry::On || statistics.renamed > 0 {
        return None;
    }
    match program.start {
        Start::Together(_) => Some("of litmus tests every execution is counted"),
        Start::Main(_) => symmetry::why_not(program, plan?, options),
    }
}

/// Adds to a run what is known when it has ended: how many executions the reference evaluator rejected, and why it failed.
fn finished(mut statistics: Statistics, options: &Options, judged: ((u64, u64), Option<String>), run: Run) -> Run {
    let (rejected, failed_evaluation) = judged;
    statistics.complete -= rejected.0.min(statistics.complete);
    // Of more than can be counted, as many are left.
    if statistics.in_all < u64::MAX {
        statistics.in_all -= rejected.1.min(statistics.in_all);
    }
    let interrupted = options.interrupt.load(std::sync::atomic::Ordering::Relaxed);
    let late = options.deadline.is_some_and(|d| Instant::now() >= d);
    let ended_early = match (statistics.stopped, interrupted, late) {
        (true, true, _) => Some("the search was interrupted"),
        (true, _, true) => Some("the time limit was reached"),
        _ => None,
    };
    Run { bound: bound(options, &statistics), statistics, ended_early, failed_evaluation, ..run }
}

/// The bound that cuts explorations. Several may: the one that was certainly reached, else the one that the user chose.
fn bound(options: &Options, statistics: &Statistics) -> String {
    match options.unroll {
        _ if statistics.events_max >= options.max_events => format!("{} events", options.max_events),
        Some(1) => "1 round of a loop (`--unroll`)".to_owned(),
        Some(rounds) => format!("{rounds} rounds of a loop (`--unroll`)"),
        None => format!("{} instructions of a thread without an access", options.max_local_steps),
    }
}

/// Copies the counts of a run into a result, with what is to be said about them.
pub(crate) fn record(run: &Run, result: &mut FileResult) {
    let counted = &run.statistics;
    result.executions.complete = counted.in_all;
    result.executions.too_many = counted.in_all == u64::MAX;
    result.open = counted.cut > 0 || run.ended_early.is_some() || run.missing.is_open();
    result.executions.up_to_renaming = (counted.renamed > 0).then_some(counted.complete);
    result.executions.blocked = counted.blocked;
    result.executions.duplicate = run.duplicate;
    result.events_max = counted.events_max;
    if counted.cut > 0 {
        let n = counted.cut;
        let was = if n == 1 { " was" } else { "s were" };
        result.notes.push(format!("{n} exploration{was} cut at the bound of {}", run.bound));
    }
    if let Some(rounds) = run.rounds {
        let s = if rounds == 1 { "" } else { "s" };
        result.notes.push(format!(
            "loops go round very often or without end, and were followed for {rounds} round{s}; `--unroll N` follows them for N"
        ));
    }
    result.notes.extend(run.missing.note());
    if run.got_stuck {
        let note = "the model may reject an execution only because the next event of a thread is added to it; the checks that do so were asked of complete executions only";
        result.notes.push(note.to_owned());
    }
    if counted.twofold {
        let note = "some executions can be reached in two ways, or that could not be ruled out; one thread explored all, and remembered which it had found";
        result.notes.push(note.to_owned());
    }
    if counted.twofold && counted.forgetful || counted.overfull {
        result.notes.push("there were too many executions to remember them all; some may be counted twice".to_owned());
    }
    result.notes.extend(run.counting.clone());
    if let Some(why) = run.no_symmetry {
        result.notes.push(format!("no threads were explored up to renaming: {why}"));
    }
    if let Some(why) = run.ended_early {
        result.notes.push(format!("{why}; what is said here is what was found until then"));
    }
    if let Some(error) = &run.failed_evaluation {
        result.messages.push(messages::bare(
            "hmc::model-evaluation",
            format!("the model cannot be evaluated: {error}"),
            None,
        ));
    }
    if run.disagreements > 0 {
        let n = run.disagreements;
        result.notes.push(format!("AUDIT: the plain evaluator disagrees on {n} executions; this is an error in hmc"));
    }
    if run.duplicate.is_some_and(|n| n > 0) {
        result.notes.push("AUDIT: executions were found more than once; this is an error in hmc".to_owned());
    }
}
