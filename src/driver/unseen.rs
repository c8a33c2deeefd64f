//! What no execution of a program shows, so that it is not known to hold: a program without a complete execution, and what stands behind an error that is not looked for.

use super::strategy::attempt::Run;
use crate::driver::inputs::messages::NONE_COMPLETE;
use crate::verdict::Property;
use crate::verdict::observer::{LeftOut, Observer};

/// So many errors that are not looked for are named.
const NAMED: usize = 3;

/// What was not seen.
#[derive(Default)]
pub(in crate::driver) struct Unseen {
    /// Whether the program may go wrong there.
    pub is_partial: bool,
    /// What is to be said about it.
    pub notes: Vec<String>,
}

/// What a run has not seen.
pub(in crate::driver) fn of(run: &Run, observer: &Observer<'_>) -> Unseen {
    let errors = &observer.left_out;
    let mut notes: Vec<String> = errors.iter().take(NAMED).map(named).collect();
    if errors.len() > NAMED {
        notes.push(format!("{} more errors end executions and are not looked for", errors.len() - NAMED));
    }
    // Who waits for ever does nothing more.
    let hides_more = errors.iter().any(|error| error.property != Property::Liveness);
    let is_empty = run.statistics.complete == 0;
    if is_empty {
        notes.push(format!("{NONE_COMPLETE}: {}", why_none(run, errors)));
    }
    Unseen { is_partial: is_empty || hides_more, notes }
}

fn named(error: &LeftOut) -> String {
    let LeftOut { property, message, place } = error;
    let place = place.as_ref().map(|p| format!(" at {}:{}", p.file, p.line)).unwrap_or_default();
    let name = property.name();
    match property {
        Property::Liveness => format!("in an execution, {message}{place}; `--properties {name}` reports it"),
        _ => format!(
            "an execution ends in an error{place}: {message}; what would follow was not looked at, and `--properties {name}` reports the error"
        ),
    }
}

/// Why no execution is complete, to end a sentence.
fn why_none(run: &Run, errors: &[LeftOut]) -> &'static str {
    let counted = &run.statistics;
    if run.ended_early.is_some() {
        "the search ended before the first"
    } else if counted.cut > 0 {
        "some thread goes on beyond the bound in each"
    } else if errors.iter().any(|error| error.property != Property::Liveness) {
        "each ends in an error of a property that is not looked for"
    } else if counted.assumed > 0 && counted.assumed == counted.blocked {
        "an assumption of the program fails in each (`--coverage` shows how far they come)"
    } else if !errors.is_empty() {
        "threads wait for ever in each"
    } else if counted.blocked > 0 {
        "a thread waits or an assumption fails in each, and the model lets none go on (`--coverage` shows how far they come)"
    } else {
        "the model rejects each; `hmc model check` looks at the model, and a simpler program shows which check is to blame"
    }
}
