//! Programs of which exploration says that executions may be missing that decide about themselves: whether there are any, and which.
//!
//! What exploration notices, or the code leaves room for, are circles that there may be. Most are none, because no values go round them. Threads that
//! are run on values that there are tell that: when all executions were found in that way, their number says whether something is missing; and what is
//! missing is shown like what exploration finds.

use super::models::Usable;
use crate::explore::enumerate::consistent_within;
use crate::explore::enumerate::modular::{self, Runs};
use crate::explore::others::show_others;
use crate::explore::parts::Split;
use crate::explore::{Equivalence, Execution, Go, Options, Problem, Statistics, Visitor};
use crate::kernel::plan::Plan;
use crate::program::{Function, Instr, Program, Stop};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How much the enumerator does at most, and how large its graphs get: about a tenth of a second. A limit of time would make what is said depend on the
/// machine; there is one for programs that compute long on values that they never have.
pub(super) const WORK: u64 = 1 << 19;
/// The same where threads are run by themselves.
const WORK_ALONE: u64 = 5 << 20;
const EVENTS: usize = 64;
/// Where the executions that were found have more events together, it is not begun: it would come to each of them by many that are none.
const FOUND: u64 = 1 << 14;
const LOCAL_STEPS: u64 = 100_000;
const TIME: Duration = Duration::from_secs(10);

/// Executions that decide about themselves, of which exploration finds those only whose writes happen in others, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum SelfDeciding {
    /// Exploration has all executions.
    #[default]
    None,
    /// The code leaves room for them.
    Imaginable,
    /// A graph hinted at them.
    Hinted,
    /// So many were found by the enumerator, and shown; there may be more. `waits`: whether threads wait for ever in others is known.
    Found { count: u64, or_more: bool, waits: bool },
    /// None is complete; whether threads wait for ever in any is not known.
    Waiting,
}

impl SelfDeciding {
    /// As an exploration tells, which has come to its end.
    pub(super) fn suspected(found: &Statistics) -> SelfDeciding {
        match found {
            Statistics { stopped: true, .. } => SelfDeciding::None,
            Statistics { circular: true, .. } => SelfDeciding::Hinted,
            Statistics { suspected: true, .. } => SelfDeciding::Imaginable,
            _ => SelfDeciding::None,
        }
    }

    /// Whether some are certainly not all.
    pub(super) fn is_open(self) -> bool {
        matches!(self, SelfDeciding::Found { or_more: true, .. })
    }

    /// What the user is to know.
    pub(super) fn note(self) -> Option<String> {
        let such = "in which a write takes part in deciding that it happens, through no dependency that the model sees";
        match self {
            SelfDeciding::None => None,
            SelfDeciding::Imaginable => {
                Some(format!("the code leaves room for executions {such}; if there are any, they are missing"))
            }
            SelfDeciding::Hinted => Some(format!("executions {such}, may be missing")),
            SelfDeciding::Waiting => Some(format!("whether threads wait for ever in executions {such}, is not known")),
            SelfDeciding::Found { count, or_more, waits } => {
                let (these, were) = match count {
                    1 => ("an execution".to_owned(), "was"),
                    _ => (format!("{count} executions"), "were"),
                };
                let rest = match (or_more, waits) {
                    (true, _) => "; there may be more",
                    (false, false) => "; whether threads wait for ever in others is not known",
                    (false, true) => "",
                };
                Some(format!("{these} {such}, {were} found by running each thread alone{rest}"))
            }
        }
    }
}

/// What is known of executions that decide about themselves, which exploration has not found. Those that are found here are shown to the visitor, and counted.
pub(super) fn find<V: Visitor + Split>(
    program: &Program,
    usable: &Usable,
    plan: &Arc<Plan>,
    options: &Options,
    explored: &mut Statistics,
    visitor: &mut V,
) -> SelfDeciding {
    let suspicion = SelfDeciding::suspected(explored);
    let counts_all = options.equivalence == Equivalence::ReadsFromAndCoherence && !options.first_of_sources;
    let is_comparable = counts_all && !options.prune;
    let events = explored.graphs.saturating_mul(explored.events_max as u64);
    if suspicion == SelfDeciding::None || !is_comparable || usable.loaded.dynamic || events > FOUND {
        return suspicion;
    }
    let soon = Instant::now() + TIME;
    let options = Options {
        deadline: Some(options.deadline.map_or(soon, |deadline| deadline.min(soon))),
        max_events: options.max_events.min(EVENTS.max(2 * explored.events_max)),
        max_local_steps: options.max_local_steps.min(LOCAL_STEPS),
        ..options.clone()
    };
    let ends = |all: &Statistics| !all.stopped && all.cut == 0;
    let model = &usable.model;
    let all_of = |visitor: &mut dyn Visitor| {
        let by_threads = modular::consistent_within(program, model, &options, WORK_ALONE, visitor);
        let all = by_threads.filter(|all| ends(all) || all.graphs > explored.graphs);
        all.unwrap_or_else(|| consistent_within(program, model, &options, WORK, visitor))
    };
    let mut seen = visitor.fork();
    let Some((all, others)) = show_others(program, plan, &options, &mut seen, all_of) else { return suspicion };
    let count = others.graphs;
    // If the numbers do not agree, what was found in both ways was not seen to be the same.
    let is_unclear = ends(&all) && all.graphs != explored.graphs + count || count == 0 && !ends(&all);
    if is_unclear && !others.stopped {
        return suspicion;
    }
    let _ = visitor.join(seen);
    let waits = others.stopped || ends(&all) && knows_waits(program, usable, plan, &options, visitor);
    if count == 0 {
        return if waits { SelfDeciding::None } else { SelfDeciding::Waiting };
    }
    explored.add(&others);
    // Of these nobody knows which are others renamed.
    (explored.complete, explored.renamed) = (explored.in_all, 0);
    SelfDeciding::Found { count, or_more: !ends(&all), waits }
}

/// Whether it is known in which executions threads wait for ever, also of those that decide about themselves: these are shown.
fn knows_waits<V: Visitor + Split>(
    program: &Program,
    usable: &Usable,
    plan: &Arc<Plan>,
    options: &Options,
    visitor: &mut V,
) -> bool {
    if !program.functions.iter().any(may_wait) {
        return true;
    }
    let mut seen = visitor.fork();
    let waiting = |visitor: &mut dyn Visitor| {
        modular::explained_within(program, &usable.model, options, Runs::Waiting, WORK_ALONE, visitor)
    };
    let Some((all, shown)) = show_others(program, plan, options, &mut Problems(&mut seen), waiting) else {
        return false;
    };
    let is_known = shown.stopped || all.is_some_and(|all| !all.stopped && all.cut == 0);
    if is_known {
        let _ = visitor.join(seen);
    }
    is_known
}

/// Whether a thread may wait in a function for anything but the end of another one.
fn may_wait(function: &Function) -> bool {
    let waits = |instr: &Instr| matches!(instr, Instr::StopUnless { why: Stop::Await, .. } | Instr::Depart { .. });
    function.code.iter().any(waits) || function.may_idle_at.contains(&true)
}

/// Shows problems only: what executions in which threads wait are wrong with otherwise, exploration has shown.
struct Problems<'v>(&'v mut dyn Visitor);

impl Visitor for Problems<'_> {
    fn complete(&mut self, _: &Execution<'_, '_>) -> Go {
        Go::On
    }

    fn problem(&mut self, execution: &Execution<'_, '_>, problem: &Problem) -> Go {
        self.0.problem(execution, problem)
    }
}
