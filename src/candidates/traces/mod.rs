//! What the enumerator finds, with less work: threads run alone, and only runs that can have been together are explained.
//!
//! Each thread is run by itself on all values that its reads may have, which gives its *traces* ([`alone`]): what it reads and chooses, one after the other. A trace needs values that
//! somebody has to write, and provides those that it writes. One trace of each thread, such that what any of them needs is provided, is a run of the program ([`combine`]); it is done once
//! more with all threads, and explained in every way, as the enumerator explains its guesses. The enumerator makes the guesses of all threads in all combinations; here most
//! combinations are not even looked at. What is needed must not come out of thin air either ([`grounds`]), which also tells what counters do not get to.
//!
//! An execution in which a thread fails may leave others waiting. So runs in which a trace fails are explained with traces that end anyhow.
//!
//! Limits: threads that create threads, or are created only for what is read, memory whose size differs from run to run, values with which joined threads end where the first thread goes on with events, and
//! programs that a thread may end while another one waits, are left to the enumerator.

mod alone;
mod combine;
mod grounds;

use crate::algebra::Model;
use crate::candidates::enumerate::assign::Assigner;
use crate::candidates::enumerate::ends::Ends;
use crate::candidates::enumerate::guess::{How, Values, guess};
use crate::candidates::enumerate::{Budget, Coverage, Domain, Runs, Settled, Stretch, counted, each_start, settle};
use crate::explore::engine::context::World;
use crate::explore::options::Options;
use crate::explore::statistics::Statistics;
use crate::explore::visitor::Visitor;
use crate::graph::Graph;
use crate::program::Program;
use crate::relation::bits::Bits;
use alone::Alone;
use combine::{Combining, Wanted};

/// A thread's run by itself.
struct Trace {
    /// What it reads and chooses.
    values: Box<[u64]>,
    /// Values that somebody must write, by number.
    needs: Bits,
    /// Those that it writes.
    provides: Bits,
    /// Each of its writes: the value, and those that it is made of.
    writes: Box<[Made]>,
    /// It ends in an error.
    fails: bool,
    /// It comes to its end.
    is_whole: bool,
    /// It waits, or leaves a barrier if others come there, or joins a thread if that ends.
    waits: bool,
}

/// A value that is written, by number, and those that the write depends on.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Made {
    value: u32,
    of: Bits,
}

/// As [`crate::candidates::enumerate::consistent_within`]. `None`: the program is left to that.
pub fn consistent_within(
    program: &Program,
    model: &Model,
    options: &Options,
    limit: u64,
    visitor: &mut dyn Visitor,
) -> Option<Statistics> {
    explained_within(program, model, options, Runs::Ended, limit, visitor)
}

/// As [`crate::candidates::enumerate::explained_within`]. `None`: the program is left to that.
pub fn explained_within(
    program: &Program,
    model: &Model,
    options: &Options,
    runs: Runs,
    limit: u64,
    visitor: &mut dyn Visitor,
) -> Option<Statistics> {
    let mut budget = Budget::new(limit, true, options);
    let mut assigner = Assigner::new(model, program, visitor);
    let mut all = Some(Coverage::All);
    each_start(program, options, &mut |mut world, start| {
        let before = all.take();
        all = before
            .and_then(|before| Some(before.and(explain_from(&mut world, &start, runs, &mut assigner, &mut budget)?)));
    });
    all.map(|coverage| counted(&assigner, &budget, coverage))
}

/// Explains all runs that begin in one way.
fn explain_from(
    world: &mut World<'_>,
    start: &Graph,
    runs: Runs,
    assigner: &mut Assigner<'_>,
    budget: &mut Budget<'_>,
) -> Option<Coverage> {
    let mut alone = Alone::new(start);
    let Settled { is_open, .. } = loop {
        let mut collect = |world: &mut World<'_>, domain: &Domain, grown: &mut Domain, budget: &mut Budget<'_>| {
            alone.collect(world, start, domain, grown, budget)
        };
        let Some(settled) = settle(world, start, budget, &mut collect) else { return Some(Coverage::Limit) };
        budget.begin(false);
        let writes = alone.find(world, start, &settled.domain, budget);
        if alone.is_unsuitable() {
            return None;
        }
        if budget.left == 0 {
            return Some(Coverage::Limit);
        }
        // What is written on ways that no values lead to yet may count as well.
        let writes = writes.max(budget.written.len());
        if settled.is_open || settled.ended.is_none_or(|rounds| rounds > writes) {
            break settled;
        }
        alone.longest_chain = writes;
    };
    alone.keep_possible();
    let mut cut = budget.cut || is_open;
    // How many combinations are left is not known.
    budget.done = Stretch::NONE.from;
    let wanted: &[(Wanted, Ends)] = match runs {
        Runs::Ended => &[(Wanted::Whole, Ends::Whole), (Wanted::Failing, Ends::WholeOrFailed)],
        Runs::Waiting => &[(Wanted::Waiting, Ends::Waiting)],
    };
    for &(wanted, ends) in wanted {
        Combining::new(&alone.traces, wanted).each(budget, &mut |traces, budget| {
            let given: Vec<&[u64]> = traces.iter().map(|trace| &*trace.values).collect();
            budget.cut = false;
            run(world, start, &given, ends, assigner, budget);
            cut |= budget.cut;
        });
    }
    budget.cut = cut;
    Some(budget.covered(false))
}

/// Runs all threads on the values that are given to each, and explains that.
fn run(
    world: &mut World<'_>,
    start: &Graph,
    given: &[&[u64]],
    ends: Ends,
    assigner: &mut Assigner<'_>,
    budget: &mut Budget<'_>,
) {
    let how = How { values: Values::Given(given), alone: None, ends, stood: None };
    let mut explain = |world: &World<'_>, graph: Graph, budget: &mut Budget<'_>| assigner.explain(world, graph, budget);
    guess(world, start.clone(), Stretch::NONE, how, &mut Domain::new(), &mut explain, budget);
}
