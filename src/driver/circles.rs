//! Programs of which exploration says that executions may be missing that decide about themselves: whether there are any.
//!
//! What exploration notices, or the code leaves room for, are circles that there may be. Most are none, because no values go round them. Threads that
//! are run on values that there are tell that: when all executions were found in that way, their number says whether something is missing.

use super::models::Usable;
use crate::explore::enumerate::{consistent_within, modular};
use crate::explore::{Equivalence, Nobody, Options, Statistics};
use crate::program::Program;
use std::cmp::Ordering;
use std::time::{Duration, Instant};

/// How much the enumerator does at most, and how large its graphs get: about a tenth of a second. A limit of time would make what is said depend on the
/// machine; there is one for programs that compute long on values that they never have.
pub(super) const WORK: u64 = 1 << 19;
/// The same where threads are run by themselves.
const WORK_ALONE: u64 = 1 << 21;
const EVENTS: usize = 64;
/// Where the executions that were found have more events together, it is not begun: it would come to each of them by many that are none.
const FOUND: u64 = 1 << 14;
const LOCAL_STEPS: u64 = 100_000;
const TIME: Duration = Duration::from_secs(1);

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
    /// So many are missing, or more.
    Missing { count: u64, or_more: bool },
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

    /// What the user is to know.
    pub(super) fn note(self) -> Option<String> {
        let such = "in which a write takes part in deciding that it happens, through no dependency that the model sees";
        match self {
            SelfDeciding::None => None,
            SelfDeciding::Imaginable => {
                Some(format!("the code leaves room for executions {such}; if there are any, they are missing"))
            }
            SelfDeciding::Hinted => Some(format!("executions {such}, may be missing")),
            SelfDeciding::Missing { count: 1, or_more: false } => Some(format!("an execution {such}, is missing")),
            SelfDeciding::Missing { count, or_more } => {
                let more = if or_more { " or more" } else { "" };
                Some(format!("{count}{more} executions {such}, are missing"))
            }
        }
    }
}

/// What is known of executions that decide about themselves, and are missing from what an exploration has found.
pub(super) fn missing(program: &Program, usable: &Usable, options: &Options, found: &Statistics) -> SelfDeciding {
    let suspicion = SelfDeciding::suspected(found);
    let counts_all = options.equivalence == Equivalence::ReadsFromAndCoherence && !options.first_of_sources;
    let is_comparable = counts_all && !options.prune;
    let events = found.graphs.saturating_mul(found.events_max as u64);
    if suspicion == SelfDeciding::None || !is_comparable || usable.loaded.dynamic || events > FOUND {
        return suspicion;
    }
    let soon = Instant::now() + TIME;
    let options = Options {
        deadline: Some(options.deadline.map_or(soon, |deadline| deadline.min(soon))),
        max_events: options.max_events.min(EVENTS.max(2 * found.events_max)),
        max_local_steps: options.max_local_steps.min(LOCAL_STEPS),
        ..options.clone()
    };
    let by_threads = modular::consistent_within(program, &usable.model, &options, WORK_ALONE, &mut Nobody);
    let ends = |all: &Statistics| !all.stopped && all.cut == 0;
    let all = by_threads
        .filter(|all| ends(all) || all.graphs > found.graphs)
        .unwrap_or_else(|| consistent_within(program, &usable.model, &options, WORK, &mut Nobody));
    let is_all = ends(&all);
    match all.graphs.cmp(&found.graphs) {
        Ordering::Greater => SelfDeciding::Missing { count: all.graphs - found.graphs, or_more: !is_all },
        Ordering::Equal if is_all => SelfDeciding::None,
        _ => suspicion,
    }
}
