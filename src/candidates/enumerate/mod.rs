//! The reference: all candidate executions, filtered by the model. No cleverness.
//!
//! Threads run one after another on *guessed* values ([`guess`]): a read takes, in turn, every value that some write of the
//! program may put there. What may be put there is found by iteration: first the initial values, then what runs on these
//! write, and so on until nothing new appears, or as often as a run has events (a value that does not come out of thin air is
//! made by a chain of at most that many). Then runs go both ways wherever what they read decides: an execution may go a way for a value that is written
//! only because it does; what is written there is read in further rounds. (Where that is too much, what else there is comes as cut.) Guesses are then explained in every way by reads-from edges, and writes are ordered
//! in every way by coherence: either to the end, whatever the model ([`candidates`]), or event by event, giving up what a check
//! of the model that no further edge can repair forbids already ([`assign`]). Candidates in which values would come out of thin
//! air (dependencies ∪ reads-from cyclic) are dropped, as the exploration never builds them; with [`ThinAir::Values`](crate::explore::ThinAir::Values) only those in which a value is computed from itself.
//!
//! It shares with the exploration the thread interpreter and the form of graphs, and, when it gives up early, the kernel.
//! Exponential in everything: for tests, for small litmus tests, and as an engine to compare with.
//!
//! Limits: threads that wait for ever are not reported unless that is asked for ([`Runs`]). A guess that ends in an error is told as cut; under a model it is a problem, if it can be explained, and cut only where threads wait beside it.

pub(crate) mod assign;
mod budget;
mod candidates;
pub(crate) mod ends;
pub(crate) mod guess;
mod signature;

pub use signature::signature;

pub use budget::Coverage;
use budget::Explain;
pub(crate) use budget::{Budget, Stretch};
use ends::Ends;
pub use ends::Runs;
pub(crate) use guess::Domain;
use guess::How;

use crate::algebra::Model;
use crate::explore::engine::context::World;
use crate::explore::options::Options;
use crate::explore::statistics::Statistics;
use crate::explore::visitor::{Execution, Visitor};
use crate::graph::memory::Memory;
use crate::graph::{Graph, Lane, Status};
use crate::ids::ThreadId;
use crate::program::deps::DepId;
use crate::program::thread::{Slot, Thread};
use crate::program::{Program, Start};
use crate::sequential;

/// Calls `visit` with every candidate execution that is complete and has nothing out of thin air; `visit` filters by the
/// model. Makes at most `limit` graphs.
pub fn enumerate(
    program: &Program,
    options: &Options,
    limit: u64,
    visit: &mut dyn FnMut(&Execution<'_, '_>),
) -> Coverage {
    let mut budget = Budget::new(limit, false, options);
    let mut explain = |world: &World<'_>, graph: Graph, budget: &mut Budget<'_>| {
        candidates::explain(world, graph, budget, visit);
    };
    each_run(program, &mut budget, Ends::Whole, &mut explain)
}

/// Shows the visitor every execution that the model accepts, complete ones and those in which a thread fails. Only complete executions are counted.
pub fn consistent(program: &Program, model: &Model, options: &Options, visitor: &mut dyn Visitor) -> Statistics {
    consistent_within(program, model, options, u64::MAX, visitor)
}

/// The same with a limit on the work, in events of all graphs together; an event that the model is asked about counts as several. A unit takes a
/// tenth of a microsecond or two. Ends before, as if the limit were reached, when it is far from coming to an end.
pub fn consistent_within(
    program: &Program,
    model: &Model,
    options: &Options,
    limit: u64,
    visitor: &mut dyn Visitor,
) -> Statistics {
    explained_within(program, model, options, Runs::Ended, limit, visitor)
}

/// The same of other runs. Those in which a thread waits are shown as problems, whether or not what it waits for may still come, and not counted.
pub fn explained_within(
    program: &Program,
    model: &Model,
    options: &Options,
    runs: Runs,
    limit: u64,
    visitor: &mut dyn Visitor,
) -> Statistics {
    let mut budget = Budget::new(limit, true, options);
    let mut assigner = assign::Assigner::new(model, program, visitor);
    let mut explain = |world: &World<'_>, graph: Graph, budget: &mut Budget<'_>| assigner.explain(world, graph, budget);
    let coverage = each_run(program, &mut budget, runs.into(), &mut explain);
    counted(&assigner, &budget, coverage)
}

pub(crate) fn counted(assigner: &assign::Assigner<'_>, budget: &Budget<'_>, coverage: Coverage) -> Statistics {
    Statistics {
        complete: assigner.complete,
        in_all: assigner.complete,
        events: assigner.events,
        events_max: budget.largest,
        graphs: assigner.complete,
        cut: u64::from(coverage == Coverage::Cut),
        // What was cut short for lack of time may look like an end.
        stopped: coverage == Coverage::Limit || budget.options.should_stop(),
        ..Statistics::default()
    }
}

/// Runs the threads on all guesses and hands each graph with such an end to `explain`.
fn each_run(program: &Program, budget: &mut Budget<'_>, ends: Ends, explain: Explain<'_>) -> Coverage {
    let options = budget.options;
    let mut all = Coverage::All;
    each_start(program, options, &mut |world, graph| all = all.and(from(world, graph, budget, ends, explain)));
    all
}

/// Calls `each` with every graph from which threads run.
pub(crate) fn each_start<'a>(program: &'a Program, options: &'a Options, each: &mut dyn FnMut(World<'a>, Graph)) {
    match &program.start {
        Start::Together(entries) => {
            let mut world = World::new(program, options, Memory::of(program), entries.len() as u32);
            let mut graph = Graph::default();
            for (i, entry) in entries.iter().enumerate() {
                let args: Vec<Slot> = entry.args.iter().map(|&value| Slot { value, deps: DepId::NONE }).collect();
                *graph.lane_mut(ThreadId::at(i)) = Lane {
                    thread: Some(Thread::start(program, entry.function, &args, DepId::NONE)),
                    status: Status::Running,
                    tags: entry.tags,
                    ..Lane::default()
                };
            }
            for object in &program.objects {
                for cell in &object.cells {
                    // Every cell is memory.
                    let _ = guess::touch(&mut world, &mut graph, object.address + cell.offset, cell.size);
                }
            }
            each(world, graph);
        }
        Start::Main(main) => {
            let mut choices = sequential::Choices::default();
            loop {
                let (first, end) = sequential::Solo::begin(program, *main, &options.limits(), &mut choices);
                let status = match end {
                    sequential::End::Spawn | sequential::End::Survives => Status::Running,
                    sequential::End::Finished => Status::Finished,
                    _ => Status::Assumed,
                };
                let mut world = World::new(program, options, first.memory.clone(), 1);
                (world.done, world.undefined, world.chosen) = (first.done.clone(), first.undefined, choices.name());
                world.marks.clone_from(&first.marks);
                let mut graph = Graph::default();
                *graph.lane_mut(ThreadId(0)) = Lane { thread: Some(first.thread), status, ..Lane::default() };
                each(world, graph);
                if !choices.advance() {
                    return;
                }
            }
        }
    }
}

fn from(mut world: World<'_>, start: Graph, budget: &mut Budget<'_>, ends: Ends, explain: Explain<'_>) -> Coverage {
    let mut collect = |world: &mut World<'_>, domain: &Domain, grown: &mut Domain, budget: &mut Budget<'_>| {
        collect(world, &start, domain, grown, budget)
    };
    let settled = settle(&mut world, &start, budget, &mut collect);
    let Some(Settled { domain, is_open, .. }) = settled else { return Coverage::Limit };
    budget.begin(false);
    let how = How { ends, ..How::together(&domain) };
    guess::guess(&mut world, start, Stretch::ALL, how, &mut Domain::new(), explain, budget);
    budget.covered(is_open)
}

/// Values that reads may have.
pub(crate) struct Settled {
    pub(crate) domain: Domain,
    /// Whether there may be more, because threads were not run in all ways.
    pub(crate) is_open: bool,
    /// After how many rounds no more were looked for, if there were more in each.
    pub(crate) ended: Option<usize>,
}

/// Adds what runs on the values of a domain write. Returns how long chains of values are that are each made of the one before, at most.
type Collect<'c> = &'c mut dyn FnMut(&mut World<'_>, &Domain, &mut Domain, &mut Budget<'_>) -> usize;

/// Collects values until nothing new appears, or for as many rounds as chains of them are long. `None`: the limit was reached.
pub(crate) fn settle(
    world: &mut World<'_>,
    start: &Graph,
    budget: &mut Budget<'_>,
    collect: Collect<'_>,
) -> Option<Settled> {
    let mut domain = Domain::new();
    for (loc, place) in start.places() {
        domain.entry(loc).or_default().insert(start.event(place.init).value);
    }
    let (mut rounds, mut both_ways) = (0, false);
    loop {
        let mut grown = domain.clone();
        budget.cut = false;
        let mut chain = collect(world, &domain, &mut grown, budget);
        let ends = |grown: &Domain, rounds, chain| *grown == domain || rounds > chain;
        if (both_ways || ends(&grown, rounds, chain)) && budget.may_go_both_ways(world.program) {
            // What threads write on ways that no values led to may be read on these, and so on, as before.
            if !both_ways {
                (rounds, both_ways) = (0, true);
            }
            match budget.lent(|budget| collect(world, &domain, &mut grown, budget)) {
                Some(longest) => chain = longest,
                None => return (budget.left > 0).then_some(Settled { domain, is_open: true, ended: Some(rounds) }),
            }
        }
        if budget.left == 0 {
            return None;
        }
        if ends(&grown, rounds, chain) {
            let ended = (grown != domain).then_some(rounds);
            return Some(Settled { domain, is_open: false, ended });
        }
        domain = grown;
        rounds += 1;
    }
}

/// Adds what runs on the values of a domain write. Returns how many events such runs have at most.
fn collect(
    world: &mut World<'_>,
    start: &Graph,
    domain: &Domain,
    grown: &mut Domain,
    budget: &mut Budget<'_>,
) -> usize {
    let program = world.program;
    let mut from = |graph: Graph| {
        budget.begin(true);
        budget.longest = 0;
        guess::guess(world, graph, Stretch::ALL, How::together(domain), grown, &mut |_, _, _| {}, budget);
        budget.longest
    };
    let Start::Together(entries) = &program.start else { return from(start.clone()) };
    // Threads that begin together have nothing to do with each other but by what they read.
    let alone = |t: usize| {
        let mut graph = start.clone();
        (0..entries.len())
            .filter(|&other| other != t)
            .for_each(|other| graph.lane_mut(ThreadId::at(other)).status = Status::Finished);
        graph
    };
    (0..entries.len()).map(|t| from(alone(t))).sum()
}

#[cfg(test)]
mod tests {
    use super::budget::SOON;
    use super::*;
    use std::collections::BTreeSet;

    /// What making all guesses of a program takes, and what it comes to within a limit.
    fn guessed(program: &Program, limit: u64) -> (Coverage, u64) {
        let options = Options::default();
        let mut budget = Budget::new(limit, true, &options);
        let coverage = each_run(program, &mut budget, Ends::Whole, &mut |_, _, _| {});
        (coverage, limit - budget.left)
    }

    /// As long as the part that is done grows with the work, the limit is what decides.
    #[test]
    fn guesses_that_come_to_an_end_are_all_made() {
        let text = "C reads\n{ }\nP0(int *x) { *x = 1; int a = *x; int b = *x; }\n\
            P1(int *x) { *x = 2; int a = *x; int b = *x; }\n\
            P2(int *x) { *x = 3; int a = *x; int b = *x; }\nexists (0:a=0)\n";
        let test = crate::litmus::parse(text, "reads.litmus", &crate::litmus::Options::default()).expect("a test");
        let (coverage, work) = guessed(&test.program, u64::MAX);
        assert_eq!(coverage, Coverage::All);
        assert!(work > 256 * SOON * 8, "{work}: too little for anything to be given up");
        for limit in [work + 1, 2 * work, 4 * work] {
            assert_eq!(guessed(&test.program, limit), (Coverage::All, work), "within {limit}");
        }
        let limit = work / 256;
        let (coverage, spent) = guessed(&test.program, limit);
        assert_eq!((coverage, spent), (Coverage::Limit, limit));
    }

    /// Flags that decide about each other, beside a counter, which has ever more values: no model forbids anything. The enumerator once did not read what is written on ways
    /// that no values lead to where there is such a counter.
    #[test]
    fn counters_do_not_hide_what_is_written_on_other_ways() {
        let text = "C flags\n{ }\nP0(int *x, int *y) { int f = 0; int a = *x; if (a) f = 1; *y = f; }\n\
            P1(int *x, int *y) { int f = 0; int a = *y; if (a) f = 1; *x = f; }\n\
            P2(int *c) { int a = *c; *c = a + 1; }\nP3(int *c) { int a = *c; *c = a + 1; }\nexists (0:a=1)\n";
        let test = crate::litmus::parse(text, "flags.litmus", &crate::litmus::Options::default()).expect("a test");
        let (options, mut found) = (Options::default(), BTreeSet::new());
        let is_set = |x: &Execution<'_, '_>| {
            x.graph.lanes()[..2].iter().all(|lane| lane.order.iter().all(|&e| x.graph.event(e).value == 1))
        };
        let mut set = 0;
        let all = enumerate(&test.program, &options, u64::MAX, &mut |x| {
            set += u64::from(is_set(x));
            found.insert(signature(x));
        });
        assert_eq!(all, Coverage::All);
        assert!(set > 0, "of {} executions both flags are set in none", found.len());
        let counted = crate::candidates::traces::consistent_within(
            &test.program,
            &Model::default(),
            &options,
            u64::MAX,
            &mut crate::explore::visitor::Nobody,
        );
        let counted = counted.expect("a program of threads that are there from the start");
        assert_eq!((counted.complete, counted.cut), (found.len() as u64, 0));
    }
}
