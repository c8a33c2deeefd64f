//! Exploration: every consistent execution of a program under a model, once.
//!
//! - [`world`]: tables shared by the graphs of one exploration.
//! - [`solo`]: the single-threaded beginning and end of a C program, run on plain memory.
//! - [`step`]: runs threads to the next event; `label`: what becomes of the instruction there.
//! - [`search`]: the depth-first search over choices; `frame`: what is left of each; `restriction`: to a restriction of the graph, and back.
//! - [`judge`]: what it wants of a model.
//! - `alone`: what two accesses of a thread forbid by themselves.
//! - `awaits`: threads that spin; `unwoken`: waits that nobody is left to end.
//! - `computed`: what the values of a litmus test are computed from.
//! - `evict`: threads that wait for a lock stand before it.
//! - `retry`: compare-and-swaps that fail where the value found could have been read before.
//! - `coherence`: coherence that nobody looks at is searched, not explored.
//! - `pass`: how threads go past events.
//! - `end`: what is done where no thread can run; `stuck`: threads that wait for ever; `unfinished`: what is wrong already in executions that are not complete.
//! - [`fixed`]: programs whose events are the same in every execution.
//! - `canonical`: whether a revisit is made from the graph that it is to be made from; `ages`: in which order what it deletes would be added again.
//! - `future`: reads that a few accesses forbid to read what comes after them.
//! - `needs`: what revisits keep besides what the write depends on.
//! - `holes`: what a revisit by dependencies must fill again, by searching ahead; `script`: as it was filled before; `target`: whether a larger revisit comes of a smaller one.
//! - `loan`: reads that read from what a revisit deletes.
//! - `remember`: executions that were found, so that none counts twice where revisits leave holes.
//! - [`revisit`]: when a write may revisit an earlier read, and the graph that results; `revisitable`: the reads that a write may revisit.
//! - [`symmetry`]: interchangeable threads, explored once up to renaming.
//! - [`coverage`]: what of the code executions reach.
//! - `certain`: final values that are certain before an execution is complete.
//! - [`ordered`]: programs that need no dependency prefixes under any model.
//! - `plans`: the model, compiled for a program.
//! - [`parts`]: pieces of a search for several threads. [`parallel`]: exploration by several threads; `share`: how a part of it is given away. `processor`: where a helper runs.
//! - [`estimate`]: how many executions there will be.
//! - [`enumerate`]: the reference, without any cleverness. [`others`]: what it finds and exploration does not, shown like the rest; `retrace`: as if exploration had come to it.
//!
//! `docs/exploration.md` states the algorithm and argues that it finds each execution once.

mod ages;
mod alone;
mod awaits;
mod canonical;
mod certain;
mod coherence;
mod computed;
pub mod coverage;
mod elsewhere;
mod end;
pub mod enumerate;
pub mod estimate;
mod every;
mod evict;
mod excerpt;
mod failures;
pub mod fixed;
mod frame;
mod future;
mod holes;
pub mod judge;
mod kept;
mod label;
mod loan;
mod needs;
pub mod ordered;
pub mod others;
mod outlook;
pub mod parallel;
pub mod parts;
mod pass;
mod places;
mod plans;
mod processor;
mod remember;
mod renew;
mod restriction;
mod retrace;
mod retry;
pub mod revisit;
mod revisitable;
mod script;
pub mod search;
mod share;
pub mod solo;
pub mod step;
mod stuck;
pub mod symmetry;
mod target;
mod unfinished;
mod unwoken;
pub mod world;

use crate::graph::Graph;
use crate::graph::prefix::PrefixKind;
use crate::ids::SpanId;
use crate::ids::ThreadId;
use crate::kernel::plan::Plan;
use crate::program::deps::DepTable;
use crate::program::fault::Fault;
use crate::program::{Program, Start};
use estimate::Forecast;
use judge::{Judge, Kernel};
use parallel::Beginning;
use parts::Spare;
pub use plans::{Plans, plan, plan_complete, plan_for};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use symmetry::Kin;
use world::World;

/// Which executions count as one. Where coherence does not tell them apart, the last writes do that somebody looks at, and one order is shown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Equivalence {
    /// Those with the same events and reads-from.
    ReadsFrom,
    /// The same, where coherence follows from reads-from but at these addresses: each write to another location has one place that is not certainly forbidden. It is
    /// explored there, which costs less than looking for an order. Where it does not follow, the search stops ([`Statistics::ambiguous`]).
    ReadsFromBut(Arc<[u64]>),
    /// Those with the same coherence as well.
    #[default]
    ReadsFromAndCoherence,
    /// Those with the same coherence as well, but of the locations at these addresses, which no thread reads.
    WhereRead(Arc<[u64]>),
}

impl Equivalence {
    /// Whether the coherence of some locations does not tell executions apart.
    pub fn leaves_orders_open(&self) -> bool {
        *self != Equivalence::ReadsFromAndCoherence
    }

    /// Whether executions with the same events and reads-from are one whatever they differ in.
    pub fn is_reads_from(&self) -> bool {
        matches!(self, Equivalence::ReadsFrom | Equivalence::ReadsFromBut(_))
    }

    /// Whether that of the location at an address does not.
    fn leaves_open(&self, address: u64) -> bool {
        match self {
            Equivalence::ReadsFrom => true,
            Equivalence::ReadsFromAndCoherence => false,
            Equivalence::ReadsFromBut(open) | Equivalence::WhereRead(open) => open.contains(&address),
        }
    }
}

/// Which executions are left out because something in them would come out of thin air. Exploration finds none in which dependencies and reads-from form a
/// cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ThinAir {
    /// Those in which dependencies and reads-from form a cycle.
    #[default]
    Dependencies,
    /// Those in which a value would be computed from itself ([`computed`]). What else goes round is for the model to forbid, as in litmus tests.
    Values,
}

/// A thread that would make a graph larger than this is cut, when nothing is said.
pub const MOST_EVENTS: usize = 4096;

/// Bounds and switches of an exploration.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many times a loop may go round before the thread is cut.
    pub unroll: Option<u32>,
    /// Whether an idle loop iteration blocks the thread (off: it counts as an iteration like any other).
    pub detect_idle: bool,
    /// Whether a thread that would only spin runs after all others, and is given up when nothing can end its wait. It changes how
    /// many explorations end with a waiting thread, not which executions are found.
    pub delay_waits: bool,
    /// Whether rounds of loops are left out that try again with a value that could have been read before ([`retry`]).
    pub without_retries: bool,
    /// Which executions count as one.
    pub equivalence: Equivalence,
    /// Whether of complete executions with the same events, sources, flags, and last writes that somebody looks at only the first is shown and counted, though exploration tells
    /// them apart: one thread remembers what it has shown.
    pub first_of_sources: bool,
    /// Memory whose last writes somebody looks at, as addresses and sizes; `None`: all. Besides, what the end of a C program reads.
    pub observed: Option<Arc<[(u64, u64)]>>,
    /// Whether the visitor is asked, while graphs grow, what can be left out ([`Visitor::rules_out`]).
    pub prune: bool,
    /// Whether threads that are proved interchangeable are explored once up to renaming ([`symmetry`]). Of threads that start together,
    /// nobody may look at registers then.
    pub symmetry: bool,
    /// Whether every revisit is made of which something may come, with dependency prefixes, and none left to another graph, nor a wait given up: what is lost otherwise is found, and much is found again and again.
    pub every_revisit: bool,
    /// Which executions the searches that see all candidates leave out.
    pub thin_air: ThinAir,
    /// What a revisit keeps; `None`: program order when the model implies that po ∪ rf is acyclic, else dependencies.
    pub prefix: Option<PrefixKind>,
    /// Stop then.
    pub deadline: Option<Instant>,
    /// Set by Ctrl-C.
    pub interrupt: Arc<AtomicBool>,
    /// Threads that may help.
    pub spare: Arc<Spare>,
    /// Where to tell how many executions there will be, if anybody wants to know.
    pub forecast: Option<Arc<Forecast>>,
    /// A thread that would make a graph larger than this is cut.
    pub max_events: usize,
    /// Local instructions that a thread may run between two events before it is cut.
    pub max_local_steps: u64,
    /// Whether to measure what the model takes.
    pub timed: bool,
    /// Stop when so many events were added, or a little later. What was found until then is the same each time only if no threads help.
    pub max_work: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            unroll: None,
            detect_idle: true,
            prune: false,
            delay_waits: true,
            without_retries: false,
            equivalence: Equivalence::default(),
            first_of_sources: false,
            observed: None,
            symmetry: false,
            every_revisit: false,
            thin_air: ThinAir::default(),
            prefix: None,
            deadline: None,
            interrupt: Arc::new(AtomicBool::new(false)),
            spare: Arc::default(),
            forecast: None,
            max_events: MOST_EVENTS,
            max_local_steps: 50_000_000,
            timed: false,
            max_work: u64::MAX,
        }
    }
}

impl Options {
    /// Whether the user, or the time that was given, wants an end.
    pub(crate) fn should_stop(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed) || self.deadline.is_some_and(|d| Instant::now() >= d)
    }
}

/// What was counted.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// Distinct consistent complete executions, up to renaming where threads are interchangeable.
    pub complete: u64,
    /// How many there are, not up to renaming.
    pub in_all: u64,
    /// How many complete consistent graphs there are, not up to renaming. What the end of a C program does with one may be several executions, or an error.
    pub graphs: u64,
    /// How many threads are interchangeable with others, and were treated so.
    pub renamed: usize,
    /// Explorations that ended with a waiting thread or a failed assumption.
    pub blocked: u64,
    /// Those of them in which an assumption failed.
    pub assumed: u64,
    /// Those of the others in which a thread waits for a lock, or for something else that a library waits for.
    pub locked: u64,
    /// Explorations in which a thread was cut by a bound.
    pub cut: u64,
    /// Events added, all executions together.
    pub events: u64,
    /// The largest graph.
    pub events_max: usize,
    /// Revisits made.
    pub revisits: u64,
    /// Reads that a write might have revisited: it does not depend on them.
    pub revisitable: u64,
    /// Events that the model rejected.
    pub rejected: u64,
    /// What the model took, if that was to be measured ([`Options::timed`]).
    pub in_model: Duration,
    /// Whether there may be executions in which a write takes part in deciding that it happens, through no dependency that the model
    /// sees; these are not found.
    pub circular: bool,
    /// Whether the code leaves room for such executions with writes that exploration never came to ([`ordered::may_have_circles`]). Mostly there
    /// are none.
    pub suspected: bool,
    /// Whether a revisit was judged by a rule of which it is tested, not proved, that it loses nothing: it kept what was in holes, though a read there might read the write ([`needs`]); it was
    /// not made, or without what was lent ([`loan`]); or not, because of the order in which what it deletes was added ([`ages`]).
    pub unproved: bool,
    /// Whether the model rejected an execution only because the next event of a thread was added to it, by a check that is not certain to let
    /// executions go on: others may be lost. [`Plans::get_certain`] has none of these checks.
    pub stuck: bool,
    /// Whether a thread came to read a location that none was to read ([`Equivalence::WhereRead`]). Then the search was stopped, and what it found is worth nothing.
    pub misjudged: bool,
    /// Whether a location where rounds that try again are left out got a value that it had before ([`Options::without_retries`]). Then the same holds.
    pub recurs: bool,
    /// The address of a location whose coherence does not follow from reads-from, where it was to ([`Equivalence::ReadsFromBut`]). Then the same holds.
    pub ambiguous: Option<u64>,
    /// Whether an execution was found again, or a revisit was met of which it is not seen whether others make the same. Executions are remembered, so each counts once; a search beside
    /// others is stopped there, and what it found is worth nothing.
    pub twofold: bool,
    /// Whether more executions were found than are remembered: if it is `twofold`, some may count twice.
    pub forgetful: bool,
    /// Whether more executions were found than are remembered where each was to be shown once ([`Options::first_of_sources`]): some may count twice.
    pub overfull: bool,
    /// Whether the search was stopped before its end (deadline, interrupt, or by the visitor).
    pub stopped: bool,
}

/// A graph with what is needed to read it.
pub struct Execution<'w, 'p> {
    /// The graph.
    pub graph: &'w Graph,
    /// Tables.
    pub world: &'w World<'p>,
    /// Flags raised, as indices of the model's checks; only for complete executions, and those that are shown as unfinished.
    pub flags: &'w [usize],
    /// Memory at the very end, when a single thread ran on after the last event (C programs).
    pub last: Option<&'w solo::Solo>,
    /// Whether the first thread of a C program has joined all others at its end.
    pub all_joined: bool,
    /// For how many executions it stands, which differ in the names of interchangeable threads only.
    pub stands_for: u64,
}

/// A problem of the program that an execution shows.
#[derive(Clone, PartialEq, Debug)]
pub enum Problem {
    /// A thread stopped with an error.
    Fault(ThreadId, SpanId, Fault),
    /// Threads wait for ever: all that they read is already final.
    Stuck(Vec<ThreadId>),
}

/// What to do after an execution was shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Go {
    /// Go on.
    On,
    /// End the search.
    Stop,
}

/// Sees executions as they are found. Observation stays out of the search.
pub trait Visitor {
    /// A complete consistent execution.
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go;
    /// A consistent execution, complete or not, that shows a problem.
    fn problem(&mut self, execution: &Execution<'_, '_>, problem: &Problem) -> Go;
    /// A consistent execution in which threads still wait, and of which a part is in no complete execution. What is wrong with two accesses there is wrong with the
    /// program; what is missing may still come.
    fn unfinished(&mut self, _execution: &Execution<'_, '_>) -> Go {
        Go::On
    }

    /// A consistent execution that does not end, or of which no more is known. Its flags are raised in an execution of the program, too.
    fn endless(&mut self, _execution: &Execution<'_, '_>) -> Go {
        Go::On
    }

    /// Whether [`Self::blocked`] is to be called.
    fn wants_blocked(&self) -> bool {
        false
    }

    /// A consistent execution that goes no further: a thread waits for what comes in others, or an assumption fails.
    fn blocked(&mut self, _execution: &Execution<'_, '_>) {}

    /// An exploration was cut at a bound: it has no more to show.
    fn cut(&mut self) -> Go {
        Go::On
    }

    /// Whether no execution is of interest in which the registers of threads, by number, end with the values that are given; `None`
    /// where that is not certain yet. Asked only under [`Options::prune`]; problems in what is left out are not shown either.
    fn rules_out(&self, _value: &dyn Fn(u32, u32) -> Option<u64>) -> bool {
        false
    }
}

/// Looks at nothing: for searches of which only the counts are wanted, or what they pass.
#[derive(Clone, Copy, Default, Debug)]
pub struct Nobody;

impl Visitor for Nobody {
    fn complete(&mut self, _: &Execution<'_, '_>) -> Go {
        Go::On
    }

    fn problem(&mut self, _: &Execution<'_, '_>, _: &Problem) -> Go {
        Go::On
    }
}

impl<V: Visitor + ?Sized> Visitor for &mut V {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        (**self).complete(execution)
    }

    fn problem(&mut self, execution: &Execution<'_, '_>, problem: &Problem) -> Go {
        (**self).problem(execution, problem)
    }

    fn unfinished(&mut self, execution: &Execution<'_, '_>) -> Go {
        (**self).unfinished(execution)
    }

    fn endless(&mut self, execution: &Execution<'_, '_>) -> Go {
        (**self).endless(execution)
    }

    fn wants_blocked(&self) -> bool {
        (**self).wants_blocked()
    }

    fn blocked(&mut self, execution: &Execution<'_, '_>) {
        (**self).blocked(execution);
    }

    fn cut(&mut self) -> Go {
        (**self).cut()
    }

    fn rules_out(&self, value: &dyn Fn(u32, u32) -> Option<u64>) -> bool {
        (**self).rules_out(value)
    }
}

/// Explores a program with one thread. Executions are shown to the visitor in a deterministic order.
pub fn explore(program: &Program, plan: &Arc<Plan>, options: &Options, visitor: &mut dyn Visitor) -> Statistics {
    let judge = Kernel::new(plan, program);
    let prefix = prefix_kind(plan, options);
    let mut statistics = explore_under(program, &judge, Some(plan), prefix, options, visitor);
    statistics.suspect(program, plan, options);
    statistics
}

/// The same with another judge. `prefix` says what revisits keep: program order is right only if the judge allows no cycle of program
/// order and reads-from.
pub fn explore_with<J: Judge>(
    program: &Program,
    judge: &J,
    prefix: PrefixKind,
    options: &Options,
    visitor: &mut dyn Visitor,
) -> Statistics {
    explore_under(program, judge, None, prefix, options, visitor)
}

/// `plan`: that of the judge, if it has one.
fn explore_under<J: Judge>(
    program: &Program,
    judge: &J,
    plan: Option<&Arc<Plan>>,
    prefix: PrefixKind,
    options: &Options,
    visitor: &mut dyn Visitor,
) -> Statistics {
    let mut statistics = Statistics::default();
    each_start(program, options, |beginning| {
        let world = beginning.world(program, options);
        let mut search = search::Search::new(world, judge.another(), prefix, visitor).under(plan).remembering();
        beginning.start(&mut search);
        statistics.add(&search.run().0);
        statistics.stopped
    });
    statistics
}

/// Calls `search` with every way in which a program can begin, until it says that it has stopped.
fn each_start(program: &Program, options: &Options, mut search: impl FnMut(Beginning<'_>) -> bool) {
    match &program.start {
        Start::Together(entries) => {
            let kin = options.symmetry.then(|| symmetry::proof::together(program, entries).unwrap_or_default());
            search(Beginning::Together(entries, kin.unwrap_or_default()));
        }
        Start::Main(main) => {
            let mut choices = solo::Choices::default();
            loop {
                let mut first = solo::Solo::start(program, *main);
                let end = first.run(program, options, &mut DepTable::default(), &mut choices);
                first.chosen = choices.name();
                let kin = match end {
                    solo::End::Spawn if options.symmetry => {
                        symmetry::proof::created(program, &first, options).unwrap_or_default()
                    }
                    _ => Kin::default(),
                };
                if search(Beginning::Main(Box::new(first), end, kin)) || !choices.advance() {
                    break;
                }
            }
        }
    }
}

/// What a revisit keeps under a plan.
pub fn prefix_kind(plan: &Plan, options: &Options) -> PrefixKind {
    options.prefix.unwrap_or(match plan.implies_porf_acyclic() {
        true => PrefixKind::ProgramOrder,
        false => PrefixKind::Dependencies,
    })
}

impl Statistics {
    /// When exploration has ended: whether the code leaves room for executions that decide about themselves.
    fn suspect(&mut self, program: &Program, plan: &Plan, options: &Options) {
        let keeps_dependencies = prefix_kind(plan, options) == PrefixKind::Dependencies;
        let orders = plan.orders().filter(|_| keeps_dependencies && !self.stopped);
        self.suspected = orders.is_some_and(|orders| ordered::may_have_circles(program, orders));
    }

    /// Whether what is known of the program's locations turned out to be wrong, so that the search ended and has to begin anew.
    pub fn is_worthless(&self) -> bool {
        self.misjudged || self.recurs || self.ambiguous.is_some()
    }

    /// Adds the counts of another part of the same exploration.
    pub fn add(&mut self, other: &Statistics) {
        self.complete += other.complete;
        self.in_all = self.in_all.saturating_add(other.in_all);
        self.graphs = self.graphs.saturating_add(other.graphs);
        self.renamed = self.renamed.max(other.renamed);
        self.blocked += other.blocked;
        self.assumed += other.assumed;
        self.locked += other.locked;
        self.cut += other.cut;
        self.events += other.events;
        self.events_max = self.events_max.max(other.events_max);
        self.revisits += other.revisits;
        self.revisitable += other.revisitable;
        self.rejected += other.rejected;
        self.in_model += other.in_model;
        self.circular |= other.circular;
        self.suspected |= other.suspected;
        self.unproved |= other.unproved;
        self.stuck |= other.stuck;
        self.misjudged |= other.misjudged;
        self.recurs |= other.recurs;
        self.ambiguous = self.ambiguous.or(other.ambiguous);
        self.twofold |= other.twofold;
        self.forgetful |= other.forgetful;
        self.overfull |= other.overfull;
        self.stopped |= other.stopped;
    }
}
