//! One thread, for visitors that are to see all executions in their order: audits, and the enumerator.

use super::attempt::Run;
use super::candidates;
use super::cycles;
use super::equivalence;
use super::finish::{self, finished};
use super::missing::Missing;
use super::way::Asked;
use crate::candidates::enumerate;
use crate::driver::layers::{Counted, Judged};
use crate::explore::parallel::parts::Split;
use crate::explore::{self, Equivalence, Options, Visitor};
use crate::verdict::audit::Audit;

/// An audit, or the enumeration of a litmus test. What the model allows of a litmus test all candidates say, where the audited exploration may miss some.
pub(super) fn attempt<V: Visitor + Split>(asked: &Asked<'_>, visitor: &V) -> (Run, V) {
    let mut seen = visitor.fork();
    let run = counted(asked, &mut seen);
    let may_miss = run.unseen_cycles || run.missing != Missing::None;
    if asked.settings.audit && asked.is_test() && !asked.enumerates() && may_miss {
        let options = asked.options(&equivalence::asked(asked.program, asked.usable, asked.settings));
        if let Ok((all, seen)) = candidates::attempt(asked, &options, visitor) {
            let Run { duplicate, disagreements, .. } = run;
            return (Run { duplicate, disagreements, ..all }, seen);
        }
    }
    (run, seen)
}

/// Shows the executions of a program to a visitor that cannot be split.
pub(super) fn counted(asked: &Asked<'_>, visitor: &mut dyn Visitor) -> Run {
    let counting = equivalence::asked(asked.program, asked.usable, asked.settings);
    let options = Options { without_retries: false, ..asked.options(&counting) };
    let run = explored(asked, &options, visitor);
    let note = match asked.enumerates() {
        true if asked.settings.equivalence == Some(Equivalence::ReadsFrom) => {
            Some("the enumerator tells apart executions that differ in coherence only".to_owned())
        }
        true => None,
        false => counting.note,
    };
    Run { counting: note, ..run }
}

fn explored(asked: &Asked<'_>, options: &Options, visitor: &mut dyn Visitor) -> Run {
    let &Asked { program, usable, settings, .. } = asked;
    let mut judged = Judged::new(Counted::new(visitor, &settings.progress), usable);
    let mut run = Run::default();
    let statistics = if asked.enumerates() {
        enumerate::consistent(program, &usable.model, options, &mut judged)
    } else {
        let plan = usable.plans.get_certain(&usable.model, program, &options.equivalence);
        run.unseen_cycles = cycles::may_go_round(program, &plan, options);
        if settings.audit {
            let mut audit = Audit::new(&usable.model, &mut judged);
            let statistics = explore::explore(program, &plan, options, &mut audit);
            run.no_symmetry = finish::no_symmetry(asked, options, &statistics, Some(&plan));
            (run.duplicate, run.disagreements) = (Some(audit.duplicate), audit.disagreements);
            statistics
        } else {
            explore::explore(program, &plan, options, &mut judged)
        }
    };
    run.missing = Missing::suspected(&statistics);
    finished(statistics, options, (judged.rejected, judged.error), run)
}
