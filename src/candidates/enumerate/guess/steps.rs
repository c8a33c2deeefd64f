//! Single steps of an enumeration.

use super::run;
use crate::candidates::enumerate::budget::{Budget, RUN};
use crate::candidates::enumerate::ends::ends_alone;
use crate::explore::engine::context::World;
use crate::graph::event::{Event, Kind, NO_EVENT};
use crate::graph::{Graph, Status};
use crate::ids::{EventId, LocId, ThreadId};
use crate::program::Half;
use crate::program::deps::DepId;
use crate::program::fault::{BadAccess, Fault};
use crate::program::thread::{Action, Slot, Thread, Ways};
use smallvec::SmallVec;

/// The state of a thread that has come to its end: where that is the end of `main`, it is that of the program.
pub(super) fn finished(world: &World<'_>, graph: &Graph, t: ThreadId) -> Status {
    match world.ends_program(graph, t) {
        true => Status::Exited,
        false => Status::Finished,
    }
}

/// The state of a thread that waits; for which reads is of no interest here.
pub(super) fn waits() -> Status {
    Status::Waiting(Vec::new())
}

/// The same, in all ways that it could go, whatever it has read. `None`: the limit was reached.
pub(super) fn both_ways(
    world: &mut World<'_>,
    t: ThreadId,
    events: u32,
    thread: &Thread,
    budget: &mut Budget<'_>,
) -> Option<SmallVec<[(Thread, Action); 1]>> {
    let (ways, mut all) = (Ways::default(), SmallVec::new());
    loop {
        all.push(run(world, t, events, thread.clone(), Some(&ways), budget.explains_errors()));
        if !ways.advance() {
            return Some(all);
        }
        if !budget.take(RUN) {
            return None;
        }
    }
}

/// Some thread that can run: the last created, so that a parent finds its children done.
pub(super) fn runnable(
    world: &mut World<'_>,
    graph: &Graph,
    waiting: &[ThreadId],
    alone: Option<ThreadId>,
) -> Option<ThreadId> {
    let deepest = (0..graph.lanes().len())
        .filter(|&t| graph.lanes()[t].status == Status::Running && !waiting.contains(&ThreadId::at(t)))
        .filter(|&t| alone.is_none_or(|alone| alone.index() == t))
        .max_by_key(|&t| graph.lanes()[t].depth)?;
    let alone = deepest == 0 && !graph.lanes()[0].order.is_empty() && ends_alone(world, graph);
    (!alone).then_some(ThreadId::at(deepest))
}

pub(super) fn partner(graph: &Graph, event: &Event) -> EventId {
    let lane = graph.lane(event.thread);
    let wanted = |half: Half| match event.half {
        Half::ExWrite => half == Half::ExRead,
        Half::AmoWrite => half == Half::AmoRead,
        Half::FusedWrite => half == Half::FusedRead,
        _ => false,
    };
    for &e in lane.order.iter().rev() {
        let x = graph.event(e);
        if wanted(x.half) && (event.half == Half::ExWrite || x.group == event.group) {
            return graph.twin(e, event.loc);
        }
        if event.half == Half::ExWrite && x.half == Half::ExWrite && x.group != event.group {
            break;
        }
    }
    NO_EVENT
}

/// Adds an event at the end of its thread and completes its instruction.
pub(super) fn put(world: &mut World<'_>, graph: &mut Graph, event: Event) -> EventId {
    let (t, kind, value, half, partner) = (event.thread, event.kind, event.value, event.half, event.partner);
    let access = event.access;
    let co = graph.place(event.loc).map_or(0, |p| p.co.len());
    let at = graph.lane(t).order.len();
    let id = graph.add(event, co, at);
    graph.lane_mut(t).done += 1;
    let deps = world.deps.singleton(id.0);
    let mut result = Slot { value, deps: DepId::NONE };
    match kind {
        Kind::Read | Kind::Alloc(_) | Kind::Spawn => result.deps = deps,
        Kind::Join => {
            let child = graph.lane(ThreadId(value as u32)).thread.as_ref();
            result.value = child.and_then(|c| c.result).map_or(0, |r| r.value);
        }
        _ => {}
    }
    let silent = partner != NO_EVENT && graph.event(partner).value == value;
    let program = world.program;
    if let Some(thread) = &mut graph.lane_mut(t).thread {
        match kind {
            Kind::Read if half == Half::ExRead => thread.exclusive = Some(id.0),
            Kind::Read | Kind::Fence | Kind::Init => {}
            // Whether a compare-and-swap that is cut will succeed.
            Kind::Choose if access != 0 => {}
            Kind::Write => {
                if half == Half::ExWrite {
                    thread.stored = Some(id.0);
                }
                if !silent {
                    thread.had_effect();
                }
            }
            _ => thread.had_effect(),
        }
        thread.complete(program, &mut world.deps, result);
        if matches!(kind, Kind::Join | Kind::Depart) {
            thread.depend_on(deps, &mut world.deps);
        }
    }
    id
}

/// The location of a thread's access. Where there is no memory for it, that is noted: the error that it is if none comes.
pub(super) fn access(
    world: &mut World<'_>,
    graph: &mut Graph,
    t: ThreadId,
    (address, size, write): (u64, u8, bool),
    lacking: &mut Vec<(ThreadId, Fault)>,
) -> Option<LocId> {
    let at = world.translate(t, address);
    if let Some((before, whole)) = world.misaligned(graph, t, at, size) {
        let begin = address.wrapping_sub(before.into());
        lacking.push((t, Fault::Memory(BadAccess::Misaligned, begin, whole, write)));
        return None;
    }
    let note = |bad| lacking.push((t, Fault::Memory(bad, address, size, write)));
    let touched = touch(world, graph, at, size);
    if touched == Err(BadAccess::MixedSize) {
        world.note_sizes(graph, t, at, size);
    }
    touched.map_err(note).ok()
}

pub(in crate::candidates) fn touch(
    world: &mut World<'_>,
    graph: &mut Graph,
    address: u64,
    size: u8,
) -> Result<LocId, BadAccess> {
    let (loc, contents) = world.resolve(graph, address, size, false)?;
    if graph.place(loc).is_none() {
        graph.add_init(loc, contents);
        if world.program.persistence.has(address) {
            graph.set_address(loc, address);
        }
    }
    Ok(loc)
}
