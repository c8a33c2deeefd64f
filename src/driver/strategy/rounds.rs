//! Programs with loops that go round without end and change something each time: a lock that is polled, a counter of attempts.
//!
//! Depth-first, exploration follows the first such loop until the graph is as large as it may be, and sees nothing else. So where the user has set no bound on rounds, and a
//! graph gets large, the program is explored with loops of one round, of two, of four, and so on, as long as that is little work. Errors mostly show within few rounds.
//! If nothing is found, exploration goes on without that bound, up to the first graph that is too large: only a program that has none is known to the end, and of
//! the others that exploration would show no more than a piece that nobody chose.
//!
//! Work is counted in events, not in time, and what is cut for too much work is done by one thread, so the result is the same each time.

use crate::driver::layers::Watched;
use crate::explore::parallel::parts::Split;
use crate::explore::parallel::spare::Spare;
use crate::explore::parallel::team::explore_shared;
use crate::explore::{Options, Statistics, Visitor};
use crate::kernel::plan::Plan;
use crate::program::{Program, Start};
use std::sync::Arc;

/// A graph with so many events may have a loop in it that goes round without end.
const LARGE: usize = 512;

/// The most rounds that are followed.
const MOST_ROUNDS: u32 = 32;

/// So many events are added with each number of rounds: a second or a few.
const WORK: u64 = 50_000;

/// What an exploration has found.
pub(in crate::driver) struct Explored<V> {
    pub statistics: Statistics,
    pub seen: V,
    /// How many rounds of loops were followed, if not as many as there are.
    pub rounds: Option<u32>,
}

/// Explores a program. `fresh`: who is to see the executions, and has seen none.
pub(in crate::driver) fn explored<V: Visitor + Split>(
    program: &Program,
    plan: &Arc<Plan>,
    options: &Options,
    fresh: &V,
) -> Explored<V> {
    let explored = |options: &Options, until_cut: bool| {
        let mut watched = Watched::new(fresh.fork(), until_cut);
        let statistics = explore_shared(program, plan, options, &mut watched);
        (Explored { statistics, seen: watched.inner, rounds: options.unroll }, watched.cut, watched.enough)
    };
    if options.unroll.is_some() || matches!(program.start, Start::Together(_)) {
        return Explored { rounds: None, ..explored(options, false).0 };
    }
    let (found, cut, _) = explored(&Options { max_events: LARGE.min(options.max_events), ..options.clone() }, true);
    if !cut || found.statistics.is_worthless() {
        return found;
    }
    let mut most = None;
    let mut rounds = 1;
    while rounds <= MOST_ROUNDS && !options.should_stop() {
        let few = Options {
            unroll: Some(rounds),
            max_work: WORK,
            spare: Arc::new(Spare::default()),
            forecast: None,
            ..options.clone()
        };
        let (found, cut, enough) = explored(&few, false);
        if enough || found.statistics.is_worthless() {
            return found;
        }
        if found.statistics.stopped {
            break;
        }
        if !cut {
            return Explored { rounds: None, ..found };
        }
        most = Some(found);
        rounds *= 2;
    }
    let Some(mut most) = most else { return explored(options, false).0 };
    let (found, cut, enough) = explored(options, true);
    let is_whole = !cut && !found.statistics.stopped;
    if enough || is_whole || found.statistics.is_worthless() {
        return found;
    }
    most.statistics.stopped = found.statistics.stopped && !cut;
    most
}
