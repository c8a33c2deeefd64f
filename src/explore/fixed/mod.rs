//! Programs whose events are known beforehand: only what is read and the order of writes is searched.
//!
//! Most litmus tests are straight code: no branch decides which events there are, no address is computed from what was read. In
//! most others few reads decide that, and few values can be read there: these values are *guessed*, each combination in turn, and only
//! writes of the value that was guessed are sources of such a read. (`straight` says which reads, and for which programs
//! all that is certain.) Then nothing of exploration's care is needed. All events are handed to the kernel at once;
//! the writes of each location are put in their order one by one, then each read gets its source, and after each step the checks that prune
//! speak. More of them do than in ordinary exploration, because nothing grows but reads-from and coherence
//! ([`crate::algebra::analyse::Growth::complete`]). Every choice made is part of what tells executions apart, so each execution is found
//! once; all alternatives are tried, so each is found.
//!
//! The values follow from the choices (`values`). An execution whose values depend on themselves is no business of
//! this module: when the model accepts one, it gives up, and the program is explored as any other.
//!
//! - `straight`: which programs, which reads are guessed.
//! - `assign`: the choices.
//! - `values`: what the registers and the memory hold in the end.

mod assign;
mod straight;
mod values;

use super::judge::Judge;
use super::search::{Choice, Search};
use super::step::Step;
use super::world::World;
use super::{Equivalence, Nobody, Options, Statistics, Visitor};
use crate::graph::event::Kind;
use crate::graph::memory::Memory;
use crate::graph::prefix::PrefixKind;
use crate::graph::{Graph, Status};
use crate::ids::EventId;
use crate::kernel::bits::Bits;
use crate::kernel::plan::Plan;
use crate::program::deps::DepTable;
use crate::program::{Program, Start};
use assign::Assigner;
use std::sync::Arc;
use straight::Guessed;

/// Graphs with more events are left to ordinary exploration.
const MAX_EVENTS: u32 = 128;

/// Why a search ends before it has seen everything.
enum Ended {
    /// The visitor, a time limit or an interrupt wants it.
    Stopped,
    /// The program is not what it was taken for.
    Unsuitable,
}

/// What has to be fixed for the events of a program to be certain.
pub struct Shape {
    guessed: Vec<Guessed>,
}

/// The shape of a program whose exploration can be left to [`explore`].
pub fn shape(program: &Program, options: &Options) -> Option<Shape> {
    let suits = options.equivalence == Equivalence::ReadsFromAndCoherence && !options.prune && options.prefix.is_none();
    let guessed = if suits { straight::guessed(program) } else { None };
    guessed.map(|guessed| Shape { guessed })
}

/// Explores a program of this shape, under a plan that was made for complete sets of events. `None`: it has to be
/// explored in the ordinary way; what the visitor has seen until then is worth nothing.
pub fn explore(
    program: &Program,
    shape: &Shape,
    plan: &Arc<Plan>,
    options: &Options,
    visitor: &mut dyn Visitor,
) -> Option<Statistics> {
    let Start::Together(entries) = &program.start else { return None };
    if plan.looks_at_values() {
        return None;
    }
    let mut assigner = Assigner::new(plan, program, &shape.guessed, visitor);
    let mut chosen = vec![0; shape.guessed.len()];
    loop {
        let mut nobody = Nobody;
        let mut world = World::new(program, options, Memory::of(program), entries.len() as u32);
        let guesses = shape.guessed.iter().zip(&chosen);
        world.guesses = guesses.map(|(read, &n)| ((read.thread, read.pc), read.values[n])).collect();
        let mut search = Search::new(world, Anything, PrefixKind::ProgramOrder, &mut nobody);
        search.start_together(entries);
        match each_run(&mut search, &mut assigner, &chosen) {
            Ok(()) => {}
            Err(Ended::Stopped) => {
                assigner.statistics.stopped = true;
                break;
            }
            Err(Ended::Unsuitable) => return None,
        }
        if !advance(&mut chosen, &shape.guessed) {
            break;
        }
    }
    Some(assigner.statistics)
}

/// Goes on to the next combination of guesses, if there is one.
fn advance(chosen: &mut [usize], guessed: &[Guessed]) -> bool {
    for (n, read) in chosen.iter_mut().zip(guessed) {
        *n += 1;
        if *n < read.values.len() {
            return true;
        }
        *n = 0;
    }
    false
}

/// Runs the threads once for each combination of choices, with any sources and orders, and has the sources and orders searched.
fn each_run(search: &mut Threads<'_, '_>, assigner: &mut Assigner<'_>, chosen: &[usize]) -> Result<(), Ended> {
    loop {
        match search.advance() {
            Step::Choice => {
                // One source is as good as any; initial values are those that free a lock.
                if let Some(frame) = search.frames.last_mut()
                    && let Choice::Source { next, .. } = &mut frame.choice
                {
                    *next = 1;
                }
            }
            Step::Dead => return Err(Ended::Unsuitable),
            Step::End => {
                if !is_finished(&search.graph) {
                    return Err(Ended::Unsuitable);
                }
                // Where a read that was guessed does not take place, its first value stands for all.
                if assigner.all_reached(&search.graph, chosen) {
                    let original = search.graph.clone();
                    assigner.search(search)?;
                    search.graph = original;
                }
            }
        }
        if !search.next() {
            return Ok(());
        }
        if let Some(frame) = search.frames.last_mut()
            && matches!(frame.choice, Choice::Source { .. } | Choice::Position { .. })
        {
            frame.given = true;
        }
    }
}

/// Whether every thread has come to its end, by events of kinds that are dealt with here.
fn is_finished(graph: &Graph) -> bool {
    let known = |kind: Kind| matches!(kind, Kind::Init | Kind::Read | Kind::Write | Kind::Fence | Kind::Choose);
    graph.ids().all(|e| e.0 < MAX_EVENTS && known(graph.event(e).kind))
        && graph.lanes().iter().all(|lane| {
            let failed = lane.thread.as_ref().is_none_or(|thread| thread.failed.is_some());
            lane.status == Status::Finished && lane.done == lane.order.len() && !failed
        })
}

/// A search that only runs the threads, to see which events there are.
type Threads<'a, 'p> = Search<'a, 'p, Anything>;

/// Allows every graph.
struct Anything;

impl Judge for Anything {
    fn another(&self) -> Self {
        Anything
    }

    fn load(&mut self, _: &Graph, _: &DepTable) {}

    fn push(&mut self) {}

    fn pop(&mut self) {}

    fn add(&mut self, _: &Graph, _: &DepTable, _: EventId) {}

    fn order(&mut self, _: u32, _: &Bits, _: &Bits) {}

    fn is_consistent(&mut self) -> bool {
        true
    }

    fn is_consistent_when_complete(&mut self) -> bool {
        true
    }
}
