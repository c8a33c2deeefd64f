//! Shows executions that exploration does not come to: those that decide about themselves, as the enumerator finds them; and what it has lost, as a search finds that makes every revisit ([`crate::explore::revisit::exhaustive`]).
//!
//! Exploration is done once more for nobody, and remembers what it finds. Each graph of the enumerator then ends as if exploration had come to it (`end`), the end of a C program included; one that
//! is remembered is passed over. So what the model says of an execution is asked twice here, of two plans.
//!
//! Graphs in which threads wait end in the same way: they are shown as problems if nothing newer can come for any of them.
//!
//! Limits: as of the enumerator, of which [`enumerate::modular`](crate::candidates::traces) has its own.

use crate::explore::checker::consistency::{Checker, Kernel};
use crate::explore::each_start;
use crate::explore::engine::search::Search;
use crate::explore::holes::known::Found;
use crate::explore::options::{Options, prefix_kind};
use crate::explore::statistics::Statistics;
use crate::explore::visitor::{Execution, Go, Nobody, Problem, Visitor};
use crate::graph::prefix::PrefixKind;
use crate::kernel::plan::Plan;
use crate::program::Program;
use std::sync::Arc;

/// What was shown.
#[derive(Clone, Copy, Default, Debug)]
pub struct Shown {
    /// What was counted of it; stopped, if the visitor wanted no more.
    pub counted: Statistics,
    /// Executions that are complete to the enumerator, but in which a thread goes wrong.
    pub wrong: u64,
}

/// Has `enumerate` show executions, and shows the visitor those of them that exploration does not find. Returns what `enumerate` does, and what was shown. `None`:
/// exploration did not come to its end, or keeps program order, and so has all.
pub fn show_others<R>(
    program: &Program,
    plan: &Arc<Plan>,
    options: &Options,
    visitor: &mut dyn Visitor,
    enumerate: impl FnOnce(&mut dyn Visitor) -> R,
) -> Option<(R, Shown)> {
    let found = found_again(program, plan, options)?;
    let mut others = Others { plan, checker: Kernel::new(plan, program), found, visitor, shown: Shown::default() };
    let all = enumerate(&mut others);
    Some((all, others.shown))
}

/// Makes every revisit ([`Options::every_revisit`]), and shows the visitor what exploration does not find. What was counted of that, and whether the visitor wanted no more. `None`: exploration
/// did not come to its end, or keeps program order, and so has all.
pub fn show_lost(
    program: &Program,
    plan: &Arc<Plan>,
    options: &Options,
    visitor: &mut dyn Visitor,
) -> Option<(Statistics, Go)> {
    let found = found_again(program, plan, &Options { max_work: u64::MAX, ..options.clone() })?;
    Some(explored_in(&found, program, plan, &Options { every_revisit: true, ..options.clone() }, visitor))
}

/// What exploration finds. `None`: it did not come to its end, or keeps program order, and so has all.
fn found_again(program: &Program, plan: &Arc<Plan>, options: &Options) -> Option<Arc<Found>> {
    if prefix_kind(plan, options) != PrefixKind::Dependencies {
        return None;
    }
    let found = Arc::<Found>::default();
    let (explored, _) = explored_in(&found, program, plan, options, &mut Nobody);
    (!explored.stopped && !explored.forgetful).then_some(found)
}

/// Explores with dependency prefixes, and passes over what is among what was found. What was counted of the rest, and whether the visitor wanted no more.
fn explored_in(
    found: &Arc<Found>,
    program: &Program,
    plan: &Arc<Plan>,
    options: &Options,
    visitor: &mut dyn Visitor,
) -> (Statistics, Go) {
    let options = Options { symmetry: false, forecast: None, ..options.clone() };
    let (checker, mut explored, mut go) = (Kernel::new(plan, program), Statistics::default(), Go::On);
    each_start(program, &options, |beginning| {
        let world = beginning.world(program, &options);
        let search = Search::new(world, checker.another(), PrefixKind::Dependencies, visitor);
        let mut search = search.under(Some(plan)).remembering_in(found, true);
        beginning.start(&mut search);
        let (statistics, _, wanted) = search.run();
        explored.add(&statistics);
        go = wanted;
        explored.stopped
    });
    (explored, go)
}

/// Shows all executions that `enumerate` does, whether or not exploration finds them: so the two are compared.
pub fn show_each<R>(
    program: &Program,
    plan: &Arc<Plan>,
    visitor: &mut dyn Visitor,
    enumerate: impl FnOnce(&mut dyn Visitor) -> R,
) -> R {
    let (checker, found) = (Kernel::new(plan, program), Arc::default());
    enumerate(&mut Others { plan, checker, found, visitor, shown: Shown::default() })
}

/// Passes on what was not found before.
struct Others<'a> {
    plan: &'a Arc<Plan>,
    checker: Kernel,
    found: Arc<Found>,
    visitor: &'a mut dyn Visitor,
    shown: Shown,
}

impl Others<'_> {
    /// Whether a thread goes wrong in it, and whether more is wanted.
    fn end(&mut self, execution: &Execution<'_, '_>) -> (bool, Go) {
        let world = execution.world.another();
        let search = Search::new(world, self.checker.another(), PrefixKind::Dependencies, self.visitor);
        let mut search = search.under(Some(self.plan)).remembering_in(&self.found, true);
        let is_wrong = search.end_with(execution.graph.clone());
        // That it was found again is no news here.
        self.shown.counted.add(&Statistics { twofold: false, ..search.statistics });
        self.shown.counted.stopped |= search.stop;
        (is_wrong, if search.stop { Go::Stop } else { Go::On })
    }
}

impl Visitor for Others<'_> {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        let (is_wrong, go) = self.end(execution);
        self.shown.wrong += u64::from(is_wrong);
        go
    }

    fn problem(&mut self, execution: &Execution<'_, '_>, _: &Problem) -> Go {
        self.end(execution).1
    }
}
