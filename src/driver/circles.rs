//! Programs of which exploration says that executions may be missing that decide about themselves: whether there are any.
//!
//! What exploration notices, or the code leaves room for, are circles that there may be. Most are none, because no values go round them. The
//! enumerator runs threads on values that are there, so when it ends soon, its count says whether something is missing.

use super::models::Usable;
use crate::explore::enumerate::consistent_within;
use crate::explore::{Equivalence, Nobody, Options, Statistics};
use crate::program::Program;
use std::time::{Duration, Instant};

/// How many graphs are made, and how long it may take.
const GRAPHS: u64 = 1 << 22;
const TIME: Duration = Duration::from_millis(100);

/// Whether executions that decide about themselves may be missing from what an exploration has found: as enumeration tells, or else as exploration
/// noticed. What is suspected because of the code alone has to be seen.
pub(super) fn may_be_missing(program: &Program, usable: &Usable, options: &Options, found: &Statistics) -> bool {
    let comparable = options.equivalence == Equivalence::ReadsFromAndCoherence && !options.prune;
    if !(found.circular || found.suspected) || found.stopped || !comparable || usable.loaded.dynamic {
        return found.circular;
    }
    let soon = Instant::now() + TIME;
    let deadline = Some(options.deadline.map_or(soon, |deadline| deadline.min(soon)));
    let options = Options { deadline, ..options.clone() };
    let all = consistent_within(program, &usable.model, &options, GRAPHS, &mut Nobody);
    let is_whole = !all.stopped && all.cut == 0;
    all.complete > found.complete || found.circular && !is_whole
}
