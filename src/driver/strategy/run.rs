//! A program under a model: which executions count as one, how they are found, and what is done when exploration says that it was not the way to find them.

use super::bounded::Within;
use super::counting::{self, Counting};
use super::folded::{self, Folded};
use super::missing::{self, Effort, Missing};
use super::orders;
use super::rounds::{self, Explored};
use super::sizes::{self, Sizes};
use crate::candidates::{enumerate, straightline};
use crate::cat::reference;
use crate::clock::Instant;
use crate::driver::candidates::{self, Enumerated};
use crate::driver::inputs::models::Usable;
use crate::driver::inputs::settings::{Engine, Locks, Settings, Symmetry};
use crate::driver::layers::{Counted, Judged};
use crate::explore;
use crate::explore::parallel::parts::Split;
use crate::explore::reduction::symmetry;
use crate::explore::sizes::Met;
use crate::explore::{Equivalence, MOST_EVENTS, Options, Statistics, ThinAir, Visitor};
use crate::kernel::plan::Plan;
use crate::program::{Program, Start};
use crate::verdict::audit::Audit;
use crate::verdict::bounded::Bounded;
use std::sync::Arc;

/// What a run over all executions of a program gives besides what the visitor keeps.
#[derive(Default)]
pub(crate) struct Run {
    pub statistics: Statistics,
    /// At which bound explorations were cut, if some were.
    pub bound: String,
    /// How many executions are within the bound on interleavings, if there is one.
    pub bounded: Option<Bounded>,
    /// How many executions there are up to the order of critical sections, if that was asked.
    pub folded: Option<folded::Counted>,
    pub duplicate: Option<u64>,
    pub disagreements: u64,
    /// What is to be said about which executions count as one.
    pub counting: Option<String>,
    /// How many rounds of loops were followed, if that was not for the user to say and not all were.
    pub rounds: Option<u32>,
    /// Executions that exploration may not have found.
    pub missing: Missing,
    /// Whether executions in which dependencies and reads-from form a cycle were not looked at, though the model is not seen to forbid them.
    pub unseen_cycles: bool,
    /// The program and the model as they were used in the end, where accesses of different sizes meet.
    pub sizes: Sizes,
    /// Whether exploration began anew, without checks that kept it from going on.
    pub got_stuck: bool,
    /// Why no threads were treated as interchangeable, if somebody wants to know.
    pub no_symmetry: Option<&'static str>,
    /// Why the search ended before its time, if it did.
    pub ended_early: Option<&'static str>,
    /// Why the reference evaluator could not judge an execution, if it could not.
    pub failed_evaluation: Option<reference::value::Error>,
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
    let is_test = matches!(program.start, Start::Together(_));
    if settings.locks == Locks::Content && !is_test {
        return run_folding(program, usable, settings, observed, visitor);
    }
    let Some(bound) = settings.bound else { return run_in_sizes(program, usable, settings, observed, visitor) };
    // Threads that change places have other rounds, and each execution has its own interleavings.
    let equivalence = Some(Equivalence::ReadsFromAndCoherence);
    let settings = &Settings { symmetry: Symmetry::Off, equivalence, ..settings.clone() };
    let mut within = Within::new(visitor.fork(), bound);
    let run = run_in_sizes(program, usable, settings, observed, &mut within);
    let bounded = Some(within.counted(run.statistics.out_of_bounds));
    let _ = visitor.join(within.inner);
    Run { bounded, ..run }
}

/// The same, counting executions up to the order of critical sections. Nobody helps: what one thread has counted others do not know.
fn run_folding<V: Visitor + Split>(
    program: &Program,
    usable: &Usable,
    settings: &Settings,
    observed: Option<Arc<[(u64, u64)]>>,
    visitor: &mut V,
) -> Run {
    let (equivalence, spare) = (Some(Equivalence::ReadsFromAndCoherence), Arc::default());
    let settings = &Settings { symmetry: Symmetry::Off, equivalence, spare, ..settings.clone() };
    let mut folded = Folded::new(visitor.fork());
    let run = run_in_sizes(program, usable, settings, observed, &mut folded);
    let counted = Some(folded.counted());
    let _ = visitor.join(folded.inner);
    Run { folded: counted, ..run }
}

/// The same, whatever is bounded. Accesses are cut where others overlap them.
fn run_in_sizes<V: Visitor + Split>(
    program: &Program,
    usable: &Usable,
    settings: &Settings,
    observed: Option<Arc<[(u64, u64)]>>,
    visitor: &mut V,
) -> Run {
    let mut sizes = Sizes::new(program, usable, settings);
    loop {
        let mut attempt = visitor.fork();
        let met = sizes::may_be_cut(usable).then(Arc::default);
        let (cut, over_parts) = (sizes.program(program), sizes.model(usable));
        let run = attempted(cut, over_parts, settings, &met, observed.clone(), &mut attempt);
        if !sizes.grow(program, usable, met.map(|met| met.found()).unwrap_or_default()) {
            let _ = visitor.join(attempt);
            return Run { sizes, ..run };
        }
    }
}

/// One exploration; where accesses of different sizes meet, that is noted.
fn attempted<V: Visitor + Split>(
    program: &Program,
    usable: &Usable,
    settings: &Settings,
    met: &Option<Arc<Met>>,
    observed: Option<Arc<[(u64, u64)]>>,
    visitor: &mut V,
) -> Run {
    let enumerates = settings.engine == Engine::Enumerate;
    let is_test = matches!(program.start, Start::Together(_));
    if settings.audit && is_test && !enumerates {
        return audited_test(program, usable, settings, met, observed, visitor);
    }
    if settings.audit || enumerates && is_test {
        return counted_alone(program, usable, settings, met, observed, visitor);
    }
    let counting = match enumerates {
        true => Counting::default(),
        false => counting::counting(program, usable, settings),
    };
    run_counting(program, usable, settings, counting, met, observed, visitor)
}

fn run_counting<V: Visitor + Split>(
    program: &Program,
    usable: &Usable,
    settings: &Settings,
    counting: Counting,
    met: &Option<Arc<Met>>,
    observed: Option<Arc<[(u64, u64)]>>,
    visitor: &mut V,
) -> Run {
    let mut options = options(program, &counting, settings, met, observed);
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
    let mut plan = usable.plan(program, &options.equivalence);
    let is_test = matches!(program.start, Start::Together(_));
    let unseen_cycles = candidates::may_go_round(program, &plan, &options);
    if is_test && unseen_cycles {
        let whole = Options { prune: false, ..options.clone() };
        let straight = if options.prune { run_fixed(program, usable, settings, &whole, visitor) } else { None };
        if let Some((statistics, seen)) = straight {
            let _ = visitor.join(seen);
            return finished(statistics, &options, ((0, 0), None), Run::default());
        }
        if let Some(run) = enumerated(program, usable, settings, &whole, visitor) {
            return run;
        }
    }
    if options.equivalence == Equivalence::ReadsFrom {
        options.equivalence = orders::with_few_open(program, &plan, &options);
    }
    let mut explored = rounds::explored(program, &plan, &options, &fresh);
    if explored.statistics.mixed {
        return joined(explored, &options, visitor);
    }
    if explored.statistics.ambiguous.is_some() {
        options.equivalence = Equivalence::ReadsFrom;
        explored = rounds::explored(program, &plan, &options, &fresh);
    }
    if explored.statistics.recurs {
        options.without_retries = false;
        explored = rounds::explored(program, &plan, &options, &fresh);
    }
    if explored.statistics.misjudged {
        let first_of_sources = counting.first_of_sources;
        let note = counting.note.filter(|_| first_of_sources);
        let counting = Counting { first_of_sources, note, ..Counting::default() };
        return run_counting(program, usable, settings, counting, met, options.observed, visitor);
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
    if is_test
        && !unseen_cycles
        && may_miss != Missing::None
        && let Some(run) = enumerated(program, usable, settings, &options, visitor)
    {
        return run;
    }
    if got_stuck {
        plan = usable.plans.get_certain(&usable.model, program, &options.equivalence);
        explored = rounds::explored(program, &plan, &options, &fresh);
    }
    if explored.statistics.mixed {
        return joined(explored, &options, visitor);
    }
    let Explored { mut statistics, mut seen, rounds } = explored;
    let options = Options { unroll: options.unroll.or(rounds), ..options };
    let missing = missing::find(program, usable, &plan, &options, effort, &mut statistics, &mut seen);
    let Judged { inner, rejected, error, .. } = seen;
    let _ = visitor.join(inner.inner);
    let no_symmetry = no_symmetry(program, &options, settings, &statistics, Some(&plan));
    let run = Run { counting: counting.note, rounds, no_symmetry, got_stuck, missing, unseen_cycles, ..Run::default() };
    finished(statistics, &options, (rejected, error), run)
}

/// What was found where accesses of different sizes met: nobody asks for more than what is wrong there.
fn joined<V: Visitor + Split>(explored: Explored<Judged<Counted<V>>>, options: &Options, visitor: &mut V) -> Run {
    let Judged { inner, rejected, error, .. } = explored.seen;
    let _ = visitor.join(inner.inner);
    finished(explored.statistics, options, (rejected, error), Run::default())
}

/// A litmus test whose exploration is audited. What the model allows all candidates say, where exploration may miss some.
fn audited_test<V: Visitor + Split>(
    program: &Program,
    usable: &Usable,
    settings: &Settings,
    met: &Option<Arc<Met>>,
    observed: Option<Arc<[(u64, u64)]>>,
    visitor: &mut V,
) -> Run {
    let mut explored = visitor.fork();
    let audited = counted_alone(program, usable, settings, met, observed.clone(), &mut explored);
    if audited.unseen_cycles || audited.missing != Missing::None {
        let counting = counting::asked(program, usable, settings);
        let options = options(program, &counting, settings, met, observed);
        if let Some(run) = enumerated(program, usable, settings, &options, visitor) {
            let Run { duplicate, disagreements, .. } = audited;
            return Run { duplicate, disagreements, ..run };
        }
    }
    let _ = visitor.join(explored);
    audited
}

/// All candidates of a litmus test. `None`: there are too many.
fn enumerated<V: Visitor + Split>(
    program: &Program,
    usable: &Usable,
    settings: &Settings,
    options: &Options,
    visitor: &mut V,
) -> Option<Run> {
    let Enumerated { statistics, rejected, error } =
        candidates::each(program, usable, options, &settings.progress, visitor)?;
    Some(finished(statistics, options, (rejected, error), Run::default()))
}

/// Explores a program whose events are the same in every execution. `None`: it is no such program, or executions are to be drawn
/// (they are found in another order), and exploration has all.
fn run_fixed<V: Visitor + Split>(
    program: &Program,
    usable: &Usable,
    settings: &Settings,
    options: &Options,
    visitor: &V,
) -> Option<(Statistics, V)> {
    // It looks at all executions, and has no graphs to leave.
    if usable.loaded.dynamic || settings.engine == Engine::Enumerate || settings.bound.is_some() {
        return None;
    }
    if settings.witness || settings.explain {
        let plan = usable.plans.get(&usable.model, program, &options.equivalence);
        if !candidates::may_go_round(program, &plan, options) {
            return None;
        }
    }
    let shape = straightline::shape(program, options)?;
    let plan = usable.plans.get_complete(&usable.model, program);
    let mut counted = Counted::new(visitor.fork(), &settings.progress);
    let statistics = straightline::explore_shared(program, &shape, &plan, options, &mut counted)?;
    Some((statistics, counted.inner))
}

/// As [`run`], with one thread, for visitors that cannot be split. Accesses of different sizes are not cut.
pub(crate) fn run_alone(program: &Program, usable: &Usable, settings: &Settings, visitor: &mut dyn Visitor) -> Run {
    counted_alone(program, usable, settings, &None, None, visitor)
}

fn counted_alone(
    program: &Program,
    usable: &Usable,
    settings: &Settings,
    met: &Option<Arc<Met>>,
    observed: Option<Arc<[(u64, u64)]>>,
    visitor: &mut dyn Visitor,
) -> Run {
    let counting = counting::asked(program, usable, settings);
    let options = Options { without_retries: false, ..options(program, &counting, settings, met, observed) };
    let run = explored_alone(program, usable, settings, &options, visitor);
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
    options: &Options,
    visitor: &mut dyn Visitor,
) -> Run {
    let mut judged = Judged::new(Counted::new(visitor, &settings.progress), usable);
    let mut run = Run::default();
    let statistics = if settings.engine == Engine::Enumerate {
        enumerate::consistent(program, &usable.model, options, &mut judged)
    } else {
        let plan = usable.plans.get_certain(&usable.model, program, &options.equivalence);
        run.unseen_cycles = candidates::may_go_round(program, &plan, options);
        if settings.audit {
            let mut audit = Audit::new(&usable.model, &mut judged);
            let statistics = explore::explore(program, &plan, options, &mut audit);
            run.no_symmetry = no_symmetry(program, options, settings, &statistics, Some(&plan));
            (run.duplicate, run.disagreements) = (Some(audit.duplicate), audit.disagreements);
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
    met: &Option<Arc<Met>>,
    observed: Option<Arc<[(u64, u64)]>>,
) -> Options {
    Options {
        met: met.clone(),
        unroll: settings.unroll,
        bound: settings.bound,
        max_events: settings.max_events.unwrap_or(MOST_EVENTS),
        timed: settings.stats,
        // Litmus tests count as in other tools.
        without_retries: !settings.all_retries && matches!(program.start, Start::Main(_)),
        prune: settings.condition_only && !settings.audit,
        deadline: settings.deadline,
        interrupt: settings.interrupt.clone(),
        spare: settings.spare.clone(),
        forecast: settings.forecast.clone(),
        divider: settings.divider.clone(),
        equivalence: counting.equivalence.clone(),
        first_of_sources: counting.first_of_sources,
        thin_air: match program.start {
            Start::Together(_) => ThinAir::Values,
            Start::Main(_) => ThinAir::Dependencies,
        },
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
fn finished(
    mut statistics: Statistics,
    options: &Options,
    judged: ((u64, u64), Option<reference::value::Error>),
    run: Run,
) -> Run {
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
        (true, ..) => options.divider.as_ref().and_then(|divider| divider.left()),
        _ => None,
    };
    Run { bound: bound(options, &statistics), statistics, ended_early, failed_evaluation, ..run }
}

/// The bound that cuts explorations. Several may: the one that was certainly reached, else the one that the user chose.
fn bound(options: &Options, statistics: &Statistics) -> String {
    match options.unroll {
        _ if statistics.events_max >= options.max_events => format!("{} events (`--max-events`)", options.max_events),
        Some(1) => "1 round of a loop (`--unroll`)".to_owned(),
        Some(rounds) => format!("{rounds} rounds of a loop (`--unroll`)"),
        None => format!("{} instructions of a thread without an access", options.max_local_steps),
    }
}
