//! Exploration: each consistent execution built once.

use super::attempt::{Attempt, Outcome, Reason, Run};
use super::finish::{self, finished};
use super::missing::{self, Effort, Missing};
use super::orders;
use super::rounds::{self, Explored};
use super::way::{Asked, Way};
use crate::driver::layers::{Counted, Judged};
use crate::explore::parallel::parts::Split;
use crate::explore::{Equivalence, Options, Statistics, Visitor};
use crate::kernel::plan::Plan;
use std::sync::Arc;

/// What an exploration has found, which may not be the answer yet.
pub(super) struct Found<'a, V> {
    explored: Explored<Judged<'a, Counted<'a, V>>>,
    plan: Arc<Plan>,
    is_stuck: bool,
    witnesses_sections: bool,
    may_miss: Missing,
}

/// Explores a program.
pub(super) fn attempt<'a, V: Visitor + Split>(asked: &Asked<'a>, way: &mut Way, visitor: &V) -> Found<'a, V> {
    let Asked { program, usable, settings, .. } = asked;
    let fresh = Judged::new(Counted::new(visitor.fork(), &settings.progress), usable);
    let plan = way.plan(asked);
    if way.options.equivalence == Equivalence::ReadsFrom && !way.leaves_all_open {
        way.options.equivalence = orders::with_few_open(program, &plan, &way.options);
    }
    let explored = rounds::explored(program, &plan, &way.options, &fresh);
    let is_stuck = explored.statistics.stuck && !explored.statistics.stopped && !way.is_certain;
    let may_miss = Missing::suspected(&explored.statistics);
    Found { explored, plan, is_stuck, witnesses_sections: way.options.witness_sections, may_miss }
}

impl<V: Visitor + Split> Found<'_, V> {
    /// Why what was seen is worth nothing, if it is not.
    pub fn restart(&self) -> Option<Reason> {
        match self.explored.statistics {
            Statistics { mixed: true, .. } => Some(Reason::Sizes),
            Statistics { ambiguous: Some(_), .. } => Some(Reason::Ambiguous),
            Statistics { recurs: true, .. } => Some(Reason::Recurs),
            Statistics { misjudged: true, .. } if self.witnesses_sections => Some(Reason::Sections),
            Statistics { misjudged: true, .. } => Some(Reason::Misjudged),
            _ => None,
        }
    }

    /// What may give the answer where this is not certain to be it.
    pub fn instead(&self, asked: &Asked<'_>, way: &mut Way) -> Vec<Attempt> {
        let mut instead = Vec::new();
        // The search for programs with fixed events knows neither way of going wrong, and needs fewer checks than what else could be done.
        if self.is_stuck || matches!(self.may_miss, Missing::Hinted | Missing::Unproved) {
            instead.push(Attempt::FixedEventsInFull);
        }
        if self.may_miss != Missing::None && asked.is_test() && !way.goes_round(asked) {
            instead.push(Attempt::Candidates);
        }
        instead
    }

    /// The answer, with what can be found of executions that are missing.
    pub fn answer(self, asked: &Asked<'_>, way: &mut Way) -> Outcome<V> {
        if self.is_stuck {
            return Err(Reason::Stuck);
        }
        let Explored { mut statistics, mut seen, rounds } = self.explored;
        let unroll = way.options.unroll.or(rounds);
        let options = Options { unroll, ..way.options.clone() };
        let effort = if asked.enumerates() { &Effort::ALL } else { &Effort::SMALL };
        let missing =
            missing::find(asked.program, asked.usable, &self.plan, &options, effort, &mut statistics, &mut seen);
        let Judged { inner, rejected, error, .. } = seen;
        let run = Run {
            counting: way.counting.note.clone(),
            rounds,
            no_symmetry: finish::no_symmetry(asked, &options, &statistics, Some(&self.plan)),
            got_stuck: way.is_certain,
            missing,
            unseen_cycles: way.goes_round(asked),
            witnessed_sections: way.options.witness_sections,
            ..Run::default()
        };
        Ok((finished(statistics, &options, (rejected, error), run), inner.inner))
    }

    /// What was found where accesses of different sizes met that cannot be cut: nobody asks for more than what is wrong there.
    pub fn unchanged(self, way: &Way) -> (Run, V) {
        let Judged { inner, rejected, error, .. } = self.explored.seen;
        let run = finished(self.explored.statistics, &way.options, (rejected, error), Run::default());
        (run, inner.inner)
    }
}
