//! The sets of events that the threads of straight code may have.

use crate::candidates::straightline::assign::Assigner;
use crate::candidates::straightline::straight::Guessed;
use crate::candidates::straightline::threads::{Anything, Ended, Threads};
use crate::explore::engine::context::World;
use crate::explore::engine::frames::{Choice, Step};
use crate::explore::engine::search::Search;
use crate::explore::options::Options;
use crate::explore::visitor::Nobody;
use crate::graph::event::Kind;
use crate::graph::memory::Memory;
use crate::graph::prefix::PrefixKind;
use crate::graph::{Graph, Status};
use crate::program::{Entry, Program, rounds};

/// Graphs with more events are left to ordinary exploration.
pub(super) const MAX_EVENTS: u32 = 128;

/// Searches each set of events from where the part begins, one after the other.
pub(super) fn each_set(
    program: &Program,
    entries: &[Entry],
    options: &Options,
    assigner: &mut Assigner<'_>,
) -> Result<(), Ended> {
    loop {
        let mut nobody = Nobody;
        let mut world = World::new(program, options, Memory::of(program), entries.len() as u32);
        let guesses = assigner.guessed.iter().zip(&assigner.at.chosen);
        world.guesses = guesses.map(|(read, &n)| ((read.thread, read.pc), read.values[n])).collect();
        let mut search = Search::new(world, Anything, PrefixKind::ProgramOrder, &mut nobody);
        // Here reads get other sources while later events stay.
        search.graph.forget_clocks();
        search.start_together(entries);
        each_run(&mut search, assigner)?;
        assigner.runs_before = 0;
        if assigner.is_last || !advance(&mut assigner.at.chosen, assigner.guessed) {
            return Ok(());
        }
    }
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
fn each_run(search: &mut Threads<'_, '_>, assigner: &mut Assigner<'_>) -> Result<(), Ended> {
    assigner.at.run = 0;
    loop {
        match search.advance() {
            Step::Choice => match search.frames.last_mut().map(|frame| &mut frame.choice) {
                // One source is as good as any; initial values are those that free a lock.
                Some(Choice::Source { next, .. }) => *next = 1,
                Some(Choice::Value { next, values, .. }) => *next = assigner.first_of(values.len()),
                _ => {}
            },
            Step::Dead | Step::End if stops(search) => {}
            Step::Dead => return Err(Ended::Unsuitable),
            Step::End => {
                if !is_finished(&search.graph) {
                    return Err(Ended::Unsuitable);
                }
                // Where a read that was guessed does not take place, its first value stands for all.
                if !assigner.is_before_part() && assigner.all_reached(&search.graph) {
                    let original = search.graph.clone();
                    assigner.search(search)?;
                    search.graph = original;
                }
                if assigner.is_last && !assigner.is_before_part() {
                    return Ok(());
                }
                assigner.at.run += 1;
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

/// Whether a thread has come where it stops whatever it reads, if not what was guessed.
fn stops(search: &Threads<'_, '_>) -> bool {
    let functions = &search.world.program.functions;
    search.graph.lanes().iter().filter(|lane| lane.status == Status::Assumed).any(|lane| {
        let frame = lane.thread.as_ref().map(|thread| thread.frame());
        frame
            .is_some_and(|frame| functions[frame.func.index()].code.get(frame.pc as usize).is_some_and(rounds::is_stop))
    })
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
