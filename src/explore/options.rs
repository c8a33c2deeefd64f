//! Bounds and switches of an exploration.

use crate::clock::Instant;
use crate::explore::bounds::bound::Bound;
use crate::explore::parallel::divide::Divider;
use crate::explore::parallel::notes::Notes;
use crate::explore::parallel::spare::Spare;
use crate::explore::progress::forecast::Forecast;
use crate::explore::sizes::Met;
use crate::explore::waits::left_out::LeftOut;
use crate::graph::prefix::PrefixKind;
use crate::kernel::plan::Plan;
use crate::sequential::Limits;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Which executions count as one. Where coherence does not tell them apart, the last writes do that somebody looks at, and one order is shown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Equivalence {
    /// Those with the same events and reads-from.
    ReadsFrom,
    /// The same, where coherence follows from reads-from but at these addresses: each write to another location has one place that is not certainly forbidden. It is
    /// explored there, which costs less than looking for an order. Where it does not follow, the search stops ([`Statistics::ambiguous`](super::Statistics::ambiguous)).
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
    pub(crate) fn leaves_open(&self, address: u64) -> bool {
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
    /// Those in which a value would be computed from itself. What else goes round is for the model to forbid, as in litmus tests.
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
    /// Whether rounds of loops are left out that try again with a value that could have been read before.
    pub without_retries: bool,
    /// What all who explore the program have left out with these.
    pub left_out: Arc<LeftOut>,
    /// Which executions count as one.
    pub equivalence: Equivalence,
    /// Whether of complete executions with the same events, sources, flags, and last writes that somebody looks at only the first is shown and counted, though exploration tells
    /// them apart: one thread remembers what it has shown.
    pub first_of_sources: bool,
    /// Whether the order of critical sections tells no executions apart, and is not explored: of programs of which that may be so (`crate::analysis::locks`), where
    /// revisits keep program order. Where it turns out to be needed, the search stops ([`Statistics::misjudged`](super::Statistics::misjudged)).
    pub witness_sections: bool,
    /// Memory whose last writes somebody looks at, as addresses and sizes; `None`: all. Besides, what the end of a C program reads.
    pub observed: Option<Arc<[(u64, u64)]>>,
    /// Whether the visitor is asked, while graphs grow, what can be left out ([`Visitor::rules_out`](super::Visitor::rules_out)).
    pub prune: bool,
    /// Whether threads that are proved interchangeable are explored once up to renaming ([`symmetry`](super::reduction::symmetry)). Of threads that start together,
    /// nobody may look at registers then.
    pub symmetry: bool,
    /// Whether every revisit is made of which something may come, with dependency prefixes, and none left to another graph, nor a wait given up: what is lost otherwise is found, and much is found again and again.
    pub every_revisit: bool,
    /// Which executions the searches that see all candidates leave out.
    pub thin_air: ThinAir,
    /// What a revisit keeps; `None`: program order when the model implies that po ∪ rf is acyclic, else dependencies.
    pub prefix: Option<PrefixKind>,
    /// A bound on interleavings: graphs from which no execution within it is reached are left, where that is known. Executions beyond it are shown all the same.
    pub bound: Option<Bound>,
    /// Stop then.
    pub deadline: Option<Instant>,
    /// Set by Ctrl-C.
    pub interrupt: Arc<AtomicBool>,
    /// Where it is noted that accesses of different sizes met, and have to be cut; what was found then is worth nothing. None: that is an error, as others.
    pub met: Option<Arc<Met>>,
    /// Threads that may help.
    pub spare: Arc<Spare>,
    /// Where to tell how many executions there will be, if anybody wants to know.
    pub forecast: Option<Arc<Forecast>>,
    /// Who does searches in parts, if anybody does.
    pub divider: Option<Arc<dyn Divider>>,
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
            left_out: Arc::default(),
            equivalence: Equivalence::default(),
            first_of_sources: false,
            witness_sections: false,
            observed: None,
            symmetry: false,
            every_revisit: false,
            thin_air: ThinAir::default(),
            prefix: None,
            bound: None,
            deadline: None,
            interrupt: Arc::new(AtomicBool::new(false)),
            met: None,
            spare: Arc::default(),
            forecast: None,
            divider: None,
            max_events: MOST_EVENTS,
            max_local_steps: 50_000_000,
            timed: false,
            max_work: u64::MAX,
        }
    }
}

impl Options {
    /// The same for what is done beside others or at another time: nothing ends it, nobody helps, and what is noted is its own.
    pub(crate) fn apart(&self) -> Options {
        let (interrupt, spare, left_out) = Default::default();
        let met = self.met.as_ref().map(|_| Arc::default());
        Options { interrupt, spare, left_out, met, deadline: None, forecast: None, divider: None, ..self.clone() }
    }

    /// What was noted under options that are nobody else's ([`Options::apart`]), which is forgotten.
    pub(crate) fn drain_notes(&self) -> Notes {
        Notes::drain(&self.left_out, self.met.as_deref())
    }

    /// How far a thread runs by itself.
    pub(crate) fn limits(&self) -> Limits<'_> {
        Limits {
            unroll: self.unroll,
            detect_idle: self.detect_idle,
            local_steps: self.max_local_steps,
            deadline: self.deadline,
            interrupt: Some(&self.interrupt),
        }
    }

    /// Whether the user, or the time that was given, wants an end.
    pub(crate) fn should_stop(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed) || self.deadline.is_some_and(|d| Instant::now() >= d)
    }
}

/// What a revisit keeps under a plan.
pub fn prefix_kind(plan: &Plan, options: &Options) -> PrefixKind {
    options.prefix.unwrap_or(match plan.implies_porf_acyclic() {
        true => PrefixKind::ProgramOrder,
        false => PrefixKind::Dependencies,
    })
}
