//! Programs whose events are the same in every execution: all sources and orders.

use super::attempt::{Outcome, Reason, Run};
use super::cycles;
use super::finish::{self, finished};
use super::way::{Asked, Way};
use crate::candidates::straightline;
use crate::driver::layers::Counted;
use crate::explore::Options;
use crate::explore::Visitor;
use crate::explore::parallel::parts::Split;

/// Searches such a program. `in_full`: also what cannot satisfy the condition of a test.
pub(super) fn attempt<V: Visitor + Split>(asked: &Asked<'_>, way: &Way, in_full: bool, visitor: &V) -> Outcome<V> {
    let &Asked { program, usable, settings, .. } = asked;
    let options = &Options { prune: way.options.prune && !in_full, ..way.options.clone() };
    // It looks at all executions, and has no graphs to leave.
    if usable.loaded.dynamic || asked.enumerates() || settings.bound.is_some() {
        return Err(Reason::Unsuited);
    }
    // Executions that are drawn are found in another order, and exploration has all.
    if settings.witness || settings.explain {
        let plan = usable.plans.get(&usable.model, program, &options.equivalence);
        if !cycles::may_go_round(program, &plan, options) {
            return Err(Reason::Unsuited);
        }
    }
    let Some(shape) = straightline::shape(program, options) else { return Err(Reason::Unsuited) };
    let plan = usable.plans.get_complete(&usable.model, program);
    let mut counted = Counted::new(visitor.fork(), &settings.progress);
    match straightline::explore_shared(program, &shape, &plan, options, &mut counted) {
        Some(statistics) => {
            let no_symmetry = finish::no_symmetry(asked, options, &statistics, None);
            let run = Run { counting: way.counting.note.clone(), no_symmetry, ..Run::default() };
            Ok((finished(statistics, options, ((0, 0), None), run), counted.inner))
        }
        None => Err(Reason::Unsuited),
    }
}
