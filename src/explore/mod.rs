//! Exploration: every consistent execution of a program under a model, once.
//!
//! One room a purpose, in the order of the search:
//!
//! - [`options`], [`statistics`], [`visitor`], [`sizes`]: what a search is told, what it counts, who sees what it finds, and where accesses have to be cut.
//! - [`engine`]: the depth-first search: choices, steps of threads, restrictions of the graph, complete executions.
//! - [`checker`]: what the search wants of a model, and small questions about a few events.
//! - [`revisit`]: when a write may revisit an earlier read. This is the condition of the published algorithm.
//! - [`holes`]: what dependency prefixes need besides.
//! - [`waits`]: spin iterations, locks, threads that wait for ever.
//! - [`reduction`]: interchangeable threads, coherence that nobody looks at, outcomes that are certain early.
//! - `sections`: critical sections whose order is witnessed, not explored.
//! - [`bounds`]: executions with few preemptions, or few rounds.
//! - [`parallel`]: several threads; [`progress`]: how many executions there will be.
//! - [`completeness`]: executions that exploration does not come to, shown like the rest; [`coverage`]: what of the code executions reach.
//!
//! `docs/exploration.md` states the algorithm and argues that it finds each execution once.

pub mod bounds;
pub mod checker;
pub mod completeness;
pub mod coverage;
pub mod engine;
pub mod holes;
pub mod options;
pub mod parallel;
pub mod progress;
pub mod reduction;
pub mod revisit;
mod sections;
pub mod sizes;
pub mod statistics;
pub mod visitor;
pub mod waits;

use crate::analysis::interchangeable::Kin;
use crate::analysis::interchangeable::{created, together};
use crate::analysis::load_buffering::may_have_circles;
use crate::explore::checker::consistency::{Checker, Kernel};
pub use crate::explore::checker::plans::{Plans, is_untouched_by_reads, plan, plan_complete, plan_for, plan_for_reads};
use crate::explore::engine::search::Search;
use crate::explore::parallel::team::Beginning;
use crate::graph::prefix::PrefixKind;
use crate::kernel::plan::Plan;
use crate::program::{Program, Start};
use crate::sequential::{Choices, End, Solo};
pub use options::{Equivalence, MOST_EVENTS, Options, ThinAir, prefix_kind};
pub use statistics::Statistics;
use std::sync::Arc;
pub use visitor::{Execution, Go, Nobody, Problem, Visitor};

/// Explores a program with one thread. Executions are shown to the visitor in a deterministic order.
pub fn explore(program: &Program, plan: &Arc<Plan>, options: &Options, visitor: &mut dyn Visitor) -> Statistics {
    let checker = Kernel::new(plan, program);
    let prefix = prefix_kind(plan, options);
    let mut statistics = explore_under(program, &checker, Some(plan), prefix, options, visitor);
    suspect(&mut statistics, program, plan, options);
    statistics
}

/// The same with another checker. `prefix` says what revisits keep: program order is right only if the checker allows no cycle of program
/// order and reads-from.
pub fn explore_with<J: Checker>(
    program: &Program,
    checker: &J,
    prefix: PrefixKind,
    options: &Options,
    visitor: &mut dyn Visitor,
) -> Statistics {
    explore_under(program, checker, None, prefix, options, visitor)
}

/// `plan`: that of the checker, if it has one.
fn explore_under<J: Checker>(
    program: &Program,
    checker: &J,
    plan: Option<&Arc<Plan>>,
    prefix: PrefixKind,
    options: &Options,
    visitor: &mut dyn Visitor,
) -> Statistics {
    let options = &Options { left_out: Arc::default(), ..options.clone() };
    let mut statistics = Statistics::default();
    each_start(program, options, |beginning| {
        let world = beginning.world(program, options);
        let mut search = Search::new(world, checker.another(), prefix, visitor).under(plan).remembering();
        beginning.start(&mut search);
        statistics.add(&search.run().0);
        statistics.stopped
    });
    statistics
}

/// Calls `search` with every way in which a program can begin, until it says that it has stopped.
fn each_start(program: &Program, options: &Options, mut search: impl FnMut(Beginning<'_>) -> bool) {
    match &program.start {
        Start::Together(entries) => {
            let kin = options.symmetry.then(|| together(program, entries).unwrap_or_default());
            search(Beginning::Together(entries, kin.unwrap_or_default()));
        }
        Start::Main(main) => {
            let mut choices = Choices::default();
            loop {
                let (mut first, end) = Solo::begin(program, *main, &options.limits(), &mut choices);
                first.chosen = choices.name();
                let kin = match end {
                    End::Spawn if options.symmetry => created(program, &first, &options.limits()).unwrap_or_default(),
                    _ => Kin::default(),
                };
                if search(Beginning::Main(Box::new(first), end, kin)) || !choices.advance() {
                    break;
                }
            }
        }
    }
}

/// When exploration has ended: whether the code leaves room for executions that decide about themselves.
pub(crate) fn suspect(found: &mut Statistics, program: &Program, plan: &Plan, options: &Options) {
    let keeps_dependencies = prefix_kind(plan, options) == PrefixKind::Dependencies;
    let orders = plan.orders().filter(|_| keeps_dependencies && !found.stopped);
    found.suspected = orders.is_some_and(|orders| may_have_circles(program, orders));
}
