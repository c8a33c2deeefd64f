//! What a way to find executions comes to.

use super::missing::Missing;
use super::sizes::Sizes;
use crate::cat::reference;
use crate::driver::layers::folded;
use crate::explore::Statistics;
use crate::verdict::bounded::Bounded;
use std::fmt;

/// Exploration, as a step.
pub(super) const EXPLORATION: &str = "exploration";

/// A search by one thread, as a step.
pub(super) const ALONE: &str = "search by one thread";

/// A way to find the executions of a program besides exploration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attempt {
    /// All sources and orders of a program whose events are the same in every execution.
    FixedEvents,
    /// The same, with executions that cannot satisfy the condition of a test.
    FixedEventsInFull,
    /// All candidates: the runs of each thread by itself, put together.
    Candidates,
}

/// What an attempt comes to: the answer, with who has seen the executions; or why there is none.
pub(in crate::driver) type Outcome<V> = Result<(Run, V), Reason>;

/// Why an attempt is not the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reason {
    // What was taken for granted is not so. What was seen is worth nothing, and the search begins anew.
    /// Accesses of different sizes meet.
    Sizes,
    /// Coherence of a location does not follow from reads-from.
    Ambiguous,
    /// A round that was left out may be told from the others.
    Recurs,
    /// Most executions differ from others in the order of critical sections only.
    MostRepeat,
    /// The order of critical sections is needed.
    Sections,
    /// A thread reads a location that none was to read.
    Misjudged,
    /// A check rejects an execution only because of the next event of a thread.
    Stuck,
    // This way does not do, and another one is tried.
    /// Its executions may not be all.
    MayMiss,
    /// The program or the question is not of the kind that it is for.
    Unsuited,
    /// There are too many candidates.
    TooMany,
}

/// An attempt, and why it was not the answer. Nothing: it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    pub what: &'static str,
    pub failed: Option<Reason>,
}

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
    /// Whether one order of critical sections was explored for all.
    pub witnessed_sections: bool,
    /// Why no threads were treated as interchangeable, if somebody wants to know.
    pub no_symmetry: Option<&'static str>,
    /// Why the search ended before its time, if it did.
    pub ended_early: Option<&'static str>,
    /// Why the reference evaluator could not judge an execution, if it could not.
    pub failed_evaluation: Option<reference::value::Error>,
    /// What was tried, the answer last.
    pub steps: Vec<Step>,
}

impl Attempt {
    /// What the user reads.
    pub(super) fn name(self) -> &'static str {
        match self {
            Attempt::FixedEvents => "search for programs with fixed events",
            Attempt::FixedEventsInFull => "search for programs with fixed events, beyond the condition",
            Attempt::Candidates => "enumeration of candidates",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Sizes => "began anew, accesses of different sizes cut into parts",
            Reason::Ambiguous => "began anew, orders of writes left open that do not follow from reads-from",
            Reason::Recurs => "began anew, with all rounds of loops that try again",
            Reason::MostRepeat => "began anew, one order of critical sections explored for all",
            Reason::Sections => "began anew, each order of critical sections explored",
            Reason::Misjudged => "began anew, because a thread reads a location that was taken for unread",
            Reason::Stuck => {
                "began anew, checks left to complete executions that reject one only for the next event of a thread"
            }
            Reason::MayMiss => "may have missed executions",
            Reason::Unsuited => "is not for this program, model or question",
            Reason::TooMany => "came to too many candidates",
        })
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.failed {
            Some(reason) => write!(f, "{} {reason}", self.what),
            None => write!(f, "{} gave the answer", self.what),
        }
    }
}
