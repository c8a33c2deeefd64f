//! What a run comes to, as a result says it.

use super::inputs::messages;
use super::inputs::models::Usable;
use super::inputs::settings::Settings;
use super::strategy::attempt::Run;
use crate::explore::Statistics;
use crate::verdict::{Explored, FileResult};

/// Copies the counts of a run into a result, with what is to be said about them.
pub(crate) fn record(run: &Run, usable: &Usable, settings: &Settings, result: &mut FileResult) {
    let counted = &run.statistics;
    result.executions.complete = counted.in_all;
    result.executions.too_many = counted.in_all == u64::MAX;
    result.open = counted.cut > 0 || run.ended_early.is_some() || run.missing.is_open();
    result.executions.up_to_renaming = (counted.renamed > 0).then_some(counted.complete);
    result.executions.blocked = counted.blocked;
    if let Some(folded) = &run.folded {
        result.executions.complete = folded.keys;
        result.notes.extend(folded.sentences());
    }
    if let Some(bounded) = &run.bounded {
        result.executions.complete = bounded.executions();
        result.open = true;
        result.notes.push(bounded.sentence());
        result.bounded = Some(bounded.clone());
    }
    result.executions.duplicate = run.duplicate;
    if settings.stats {
        result.explored = Some(explored(counted));
    }
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
    result.notes.extend(run.sizes.note(usable).map(str::to_owned));
    result.notes.extend(run.counting.clone());
    if let Some(why) = run.no_symmetry {
        result.notes.push(format!("no threads were explored up to renaming: {why}"));
    }
    if let Some(why) = run.ended_early {
        result.notes.push(format!("{why}; what is said here is what was found until then"));
    }
    if settings.verbose {
        result.notes.extend(run.steps.iter().map(|step| format!("{step} (--verbose)")));
    }
    if run.unseen_cycles && !counted.stopped {
        result.notes.push(
            "executions in which dependencies and reads-from form a cycle were not looked at; the model is not seen to forbid them".to_owned(),
        );
    }
    if let Some(error) = &run.failed_evaluation {
        result.messages.push(messages::failed_evaluation(error, &usable.model, settings.color));
    }
    if run.disagreements > 0 {
        let n = run.disagreements;
        result.notes.push(format!("AUDIT: the plain evaluator disagrees on {n} executions; this is an error in hmc"));
    }
    if run.duplicate.is_some_and(|n| n > 0) {
        result.notes.push("AUDIT: executions were found more than once; this is an error in hmc".to_owned());
    }
}

fn explored(counted: &Statistics) -> Explored {
    Explored {
        complete: counted.complete,
        blocked_by_lock: counted.locked,
        blocked_by_assumption: counted.assumed,
        blocked_by_spin: counted.blocked - counted.assumed - counted.locked,
        inconsistent: counted.rejected,
        revisits_tried: counted.revisitable,
        revisits_made: counted.revisits,
        events: counted.events,
        model_seconds: counted.in_model.as_secs_f64(),
    }
}
