//! What is known of a run when it has ended.

use super::attempt::Run;
use super::way::Asked;
use crate::cat::reference;
use crate::clock::Instant;
use crate::driver::inputs::settings::Symmetry;
use crate::explore::reduction::symmetry;
use crate::explore::{Options, Statistics};
use crate::kernel::plan::Plan;

/// Why no threads were treated as interchangeable, when the user wanted that.
pub(super) fn no_symmetry(
    asked: &Asked<'_>,
    options: &Options,
    statistics: &Statistics,
    plan: Option<&Plan>,
) -> Option<&'static str> {
    if asked.settings.symmetry != Symmetry::On || statistics.renamed > 0 {
        return None;
    }
    match asked.is_test() {
        true => Some("of litmus tests every execution is counted"),
        false => symmetry::why_not(asked.program, plan?, options),
    }
}

/// Adds to a run what is known when it has ended: how many executions the reference evaluator rejected, and why it failed.
pub(super) fn finished(
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
