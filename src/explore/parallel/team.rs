//! Exploration of one program by several threads.
//!
//! The search is cut into *parts*, each a piece of the depth-first order without gaps ([`crate::explore::parallel::parts`]). A worker that has nothing to do says so; another
//! one then gives away all that is left of its lowest choices, which is everything behind what it still has itself. What is given is the
//! path of choices that leads there (`share`): the taker walks it again, in tables of its own, so that nothing but a few numbers goes
//! from thread to thread.
//!
//! The order in which threads of a program run depends on their numbers, which all workers therefore share. A number is the same in
//! every order of exploration when only the first thread creates threads and its n-th creation is always the same; where that
//! turns out not to be so, everything is explored again by one thread.
//!
//! Limits: several starts (a `nondet` before the first thread is created) are explored one after the other.

use crate::analysis::interchangeable::Kin;
use crate::explore::checker::consistency::{Checker, Kernel};
use crate::explore::each_start;
use crate::explore::engine::context::{Numbers, World};
use crate::explore::engine::search::Search;
use crate::explore::options::{Options, prefix_kind};
use crate::explore::parallel::in_parts::InParts;
use crate::explore::parallel::parts::{Parts, Split};
use crate::explore::parallel::path::Path;
use crate::explore::progress::descents::{Guessing, descend};
use crate::explore::progress::online::{Lookout, Outlook};
use crate::explore::statistics::Statistics;
use crate::explore::visitor::{Go, Visitor};
use crate::graph::memory::Memory;
use crate::graph::prefix::PrefixKind;
use crate::kernel::plan::Plan;
use crate::program::{Entry, Program};
use std::sync::Arc;

/// How a search begins.
pub(in crate::explore) enum Beginning<'a> {
    /// Threads that run from the start.
    Together(&'a [Entry], Kin),
    /// `main` has run alone so far.
    Main(Box<crate::sequential::Solo>, crate::sequential::End, Kin),
}

impl Beginning<'_> {
    /// Tables for a search that begins so.
    pub(in crate::explore) fn world<'p>(&self, program: &'p Program, options: &'p Options) -> World<'p> {
        match self {
            Beginning::Together(entries, _) => World::new(program, options, Memory::of(program), entries.len() as u32),
            Beginning::Main(first, ..) => {
                let mut world = World::new(program, options, first.memory.clone(), 1);
                (world.done, world.undefined, world.chosen) = (first.done.clone(), first.undefined, first.chosen);
                world.marks.clone_from(&first.marks);
                world
            }
        }
    }

    /// Puts the first events into a search.
    pub(in crate::explore) fn start<J: Checker>(&self, search: &mut Search<'_, '_, J>) {
        match self {
            Beginning::Together(entries, kin) => {
                search.start_together(entries);
                search.rename(kin);
            }
            Beginning::Main(first, end, kin) => {
                search.start_main(first.thread.apart(), end.clone());
                search.rename(kin);
            }
        }
    }
}

/// Explores a program with as many threads as are to be had (`options.spare`), besides this one.
pub fn explore_shared<V: Visitor + Split>(
    program: &Program,
    plan: &Arc<Plan>,
    options: &Options,
    visitor: &mut V,
) -> Statistics {
    if let Some(divider) = &options.divider {
        let apart = options.apart();
        let mut search = InParts::new(program, plan, &apart, visitor.fork());
        if divider.conduct(&mut search) {
            let (mut statistics, seen) = search.told(options);
            statistics.stopped |= visitor.join(seen) == Go::Stop;
            crate::explore::suspect(&mut statistics, program, plan, options);
            return statistics;
        }
    }
    let options = &Options { left_out: Arc::default(), ..options.clone() };
    let mut statistics = Statistics::default();
    each_start(program, options, |beginning| {
        let task = Task { program, plan, options, beginning: &beginning, found: statistics.complete };
        // What one worker has shown the others do not know.
        let together = if options.first_of_sources { None } else { task.done_together(visitor.fork()) };
        let (counted, seen) = together.unwrap_or_else(|| task.done_alone(visitor.fork()));
        statistics.add(&counted);
        statistics.stopped |= visitor.join(seen) == Go::Stop;
        statistics.stopped
    });
    crate::explore::suspect(&mut statistics, program, plan, options);
    statistics
}

/// What is to be explored.
pub(super) struct Task<'e, 'b> {
    pub program: &'e Program,
    pub plan: &'e Arc<Plan>,
    pub options: &'e Options,
    pub beginning: &'b Beginning<'b>,
    /// How many executions were found from other beginnings.
    pub found: u64,
}

impl<'e> Task<'e, '_> {
    fn tables(&self) -> World<'e> {
        self.beginning.world(self.program, self.options)
    }

    pub fn search<'v>(&self, world: World<'e>, visitor: &'v mut dyn Visitor) -> Search<'v, 'e> {
        let checker = Kernel::new(self.plan, self.program);
        let mut search = Search::new(world, checker, self.prefix(), visitor).under(Some(self.plan));
        self.beginning.start(&mut search);
        search
    }

    fn done_alone<V: Visitor>(&self, mut visitor: V) -> (Statistics, V) {
        let outlook = self.outlook();
        let mut search = self.search(self.tables(), &mut visitor).remembering();
        search.sharing.lookout = outlook.as_ref().map(Lookout::new);
        let statistics = search.run().0;
        (statistics, visitor)
    }

    /// If somebody wants to know how many executions there will be.
    fn outlook(&self) -> Option<Outlook> {
        self.options.forecast.as_ref().map(|forecast| Outlook::new(forecast, self.found))
    }

    fn prefix(&self) -> PrefixKind {
        prefix_kind(self.plan, self.options)
    }

    /// Works until nothing is left; gets help when there are threads to spare. `None`: what was found is worth nothing.
    fn done_together<V: Visitor + Split>(&self, visitor: V) -> Option<(Statistics, V)> {
        let &Task { program, plan, options, beginning, found: before } = self;
        let parts = Parts::<V, Path>::new(visitor);
        let numbers = Numbers::default();
        let found = Arc::default();
        let guessing = Guessing::new(options);
        let outlook = self.outlook();
        let guess = || {
            if !outlook.as_ref().is_some_and(Outlook::has_learnt) {
                guessing.guess(|dice| descend(program, plan, options, beginning, dice));
            }
        };
        options.spare.work_with_help(&guess, &|help| {
            // A helper reads copies of its own ([`Plan::apart`]).
            let own = help.is_none().then(|| (program.clone(), Arc::new(plan.apart())));
            let (program, plan) = own.as_ref().map_or((program, plan), |(program, plan)| (program, plan));
            let task = Task { program, plan, options, beginning, found: before };
            let mut tables = None;
            parts.work(help, |path, visitor, share| {
                let fresh = || {
                    let mut world = task.tables();
                    world.share_numbers(&numbers);
                    world
                };
                let world = tables.take().unwrap_or_else(fresh);
                let mut search = task.search(world, visitor).remembering_with(&found);
                search.sharing.lookout = outlook.as_ref().map(Lookout::new);
                let (statistics, world, go) = search.run_part(&path, share);
                tables = Some(world);
                if numbers.depend_on_timing() || statistics.twofold {
                    parts.give_up();
                }
                (statistics, go)
            });
        });
        parts.into_result()
    }
}
