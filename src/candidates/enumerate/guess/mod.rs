//! Runs threads on guessed values: each read takes every value of its location's domain.
//!
//! While values are collected for the domains, threads at last go both ways from each condition that depends on what they read: which way they can go is known
//! only when all values are.

mod how;
mod steps;

use crate::candidates::enumerate::budget::{Budget, Explain, Stretch};
use crate::candidates::enumerate::ends::has_failed;
use crate::explore::engine::context::World;
use crate::explore::engine::step::put_in_place;
use crate::graph::event::{Event, Kind, NO_LOC};
use crate::graph::{Graph, Lane, Status, memory};
use crate::ids::ThreadId;
use crate::program::Stop;
use crate::program::deps::DepId;
use crate::program::fault::Fault;
use crate::program::thread::{Action, Context, Slot, Thread, Ways};
pub(crate) use how::Domain;
pub(in crate::candidates) use how::{How, Values};
use smallvec::SmallVec;
pub(in crate::candidates) use steps::touch;
use steps::{access, both_ways, finished, partner, put, runnable, waits};

/// Whether an event has one of the values that are given to its thread.
pub(in crate::candidates) fn takes_value(event: &Event) -> bool {
    matches!(event.kind, Kind::Read | Kind::Choose)
}

/// Runs all threads on all guesses; hands on finished graphs (reads without sources, writes in the order of running).
pub(in crate::candidates) fn guess(
    world: &mut World<'_>,
    mut graph: Graph,
    stretch: Stretch,
    how: How<'_>,
    grown: &mut Domain,
    done: Explain<'_>,
    budget: &mut Budget<'_>,
) {
    budget.done = stretch.from;
    if !budget.take(graph.len()) {
        return;
    }
    if !budget.has_room(&graph) {
        budget.cut = true;
        return;
    }
    // Threads that wait at a barrier, for another one to end, or for memory that a thread which runs later has still to make, until somebody else has run.
    let mut waiting: Vec<ThreadId> = Vec::new();
    let mut lacking: Vec<(ThreadId, Fault)> = Vec::new();
    loop {
        let Some(t) = runnable(world, &graph, &waiting, how.alone) else {
            for (t, fault) in &lacking {
                if budget.ends_in_error(&mut graph, *t, fault.clone()) {
                    return;
                }
            }
            if how.ends.include(world, &graph) {
                done(world, graph, budget);
            } else {
                budget.cut |= has_failed(&graph);
            }
            return;
        };
        let lane = graph.lane_mut(t);
        let events = lane.done as u32;
        let Some(thread) = lane.thread.take() else { return };
        let mut runs = if budget.both_ways {
            match both_ways(world, t, events, &thread, budget) {
                Some(runs) => runs,
                None => return,
            }
        } else {
            SmallVec::new()
        };
        if runs.len() > 1 {
            let all = runs.len();
            for (i, (thread, action)) in runs.into_iter().enumerate() {
                let mut next = graph.clone();
                next.lane_mut(t).thread = Some(thread);
                match action {
                    Action::Finished => next.lane_mut(t).status = finished(world, &next, t),
                    Action::Exit => next.lane_mut(t).status = Status::Exited,
                    // What is too long for this one may not be for another way.
                    Action::Stopped { .. } | Action::Idle { .. } | Action::Cut | Action::Fault(_) => {
                        budget.cut |= matches!(action, Action::Cut);
                        budget.gives_up(world, &mut next, t, Status::Assumed, how.ends);
                    }
                    _ => {}
                }
                guess(world, next, stretch.with(i, all), how, grown, done, budget);
            }
            return;
        }
        let (thread, action) =
            runs.pop().unwrap_or_else(|| run(world, t, events, thread, None, budget.explains_errors()));
        if matches!(action, Action::Read { .. } | Action::Choose { .. }) && how.has_stood(&thread) {
            return;
        }
        let place = thread.place(world.program);
        let mut event = Event::init(NO_LOC, Some(0));
        put_in_place(&mut event, t, &thread, &place);
        graph.lane_mut(t).thread = Some(thread);
        match action {
            Action::Finished => {
                graph.lane_mut(t).status = finished(world, &graph, t);
                waiting.clear();
            }
            Action::Exit => graph.lane_mut(t).status = Status::Exited,
            Action::Stopped { .. } | Action::Idle { .. } => {
                let is_assumed = matches!(action, Action::Stopped { why: Stop::Assume, .. });
                let why = if is_assumed { Status::Assumed } else { waits() };
                if budget.gives_up(world, &mut graph, t, why, how.ends) {
                    budget.cut |= has_failed(&graph);
                    return;
                }
            }
            Action::Cut => {
                budget.cut = true;
                if budget.gives_up(world, &mut graph, t, Status::Assumed, how.ends) {
                    return;
                }
            }
            Action::Fault(fault) => {
                if budget.ends_in_error(&mut graph, t, fault) {
                    return;
                }
            }
            Action::Read { addr, size, tags, half, otherwise, hidden, addr_deps, data_deps } => {
                event.kind = Kind::Read;
                (event.expected_tags, event.expected_half, event.otherwise) = (tags, half, otherwise);
                (event.hidden, event.addr_deps, event.data_deps) = (hidden, addr_deps, data_deps);
                let Some(loc) = access(world, &mut graph, t, (addr, size, false), &mut lacking) else {
                    waiting.push(t);
                    continue;
                };
                event.loc = loc;
                let init = graph.place(loc).map(|p| graph.event(p.init).value);
                let mut values = how.read(&graph, t, loc);
                if values.is_empty() && matches!(how.values, Values::Domain(_)) {
                    // It is met for the first time.
                    values.extend(init);
                }
                budget.cut |= how.lacks_value(&values);
                grown.entry(loc).or_default().extend(init);
                let all = values.len();
                for (i, value) in values.into_iter().enumerate() {
                    let mut event = event.clone();
                    event.read_value(value);
                    let mut next = graph.clone();
                    put(world, &mut next, event);
                    guess(world, next, stretch.with(i, all), how, grown, done, budget);
                }
                return;
            }
            Action::Write { addr, size, value, tags, half, hidden, addr_deps, data_deps } => {
                event.kind = Kind::Write;
                (event.tags, event.half, event.hidden) = (tags, half, hidden);
                (event.value, event.addr_deps, event.data_deps) = (value, addr_deps, data_deps);
                let Some(loc) = access(world, &mut graph, t, (addr, size, true), &mut lacking) else {
                    waiting.push(t);
                    continue;
                };
                event.loc = loc;
                event.partner = partner(&graph, &event);
                if budget.both_ways {
                    budget.written.insert((t, event.key));
                }
                let known = grown.entry(loc).or_default();
                known.insert(value);
                known.extend(graph.place(loc).map(|p| graph.event(p.init).value));
                put(world, &mut graph, event);
            }
            Action::Fence { tags, addr, is_fence, addr_deps } => {
                event.kind = Kind::Fence;
                (event.tags, event.is_fence, event.addr_deps) = (tags, is_fence, addr_deps);
                if let Some(addr) = addr.filter(|_| world.program.persistence.fences_name_places) {
                    event.value = world.translate(t, addr);
                } else if let Some(addr) = addr {
                    let size = world.program.object_at(addr).map_or(4, |o| o.bytes.len().clamp(1, 8) as u8);
                    let Some(loc) = access(world, &mut graph, t, (addr, size, false), &mut lacking) else {
                        waiting.push(t);
                        continue;
                    };
                    event.loc = loc;
                }
                put(world, &mut graph, event);
            }
            Action::Choose { values } => {
                let values = how.choose(&graph, t, &values);
                budget.cut |= how.lacks_value(&values);
                for (i, &value) in values.iter().enumerate() {
                    let mut event = event.clone();
                    event.kind = Kind::Choose;
                    event.value = value;
                    let mut next = graph.clone();
                    put(world, &mut next, event);
                    guess(world, next, stretch.with(i, values.len()), how, grown, done, budget);
                }
                return;
            }
            Action::Spawn { function, arg } => {
                event.kind = Kind::Spawn;
                event.data_deps = arg.deps;
                let child = world.child(t, event.key, 0);
                event.value = u64::from(child.0);
                let spawn = put(world, &mut graph, event);
                let params = world.program.functions[function.index()].params as usize;
                let args = [Slot { value: arg.value, deps: DepId::NONE }];
                let depth = graph.lane(t).depth + 1;
                let thread = Thread::start(world.program, function, &args[..params.min(1)], DepId::NONE);
                *graph.lane_mut(child) =
                    Lane { thread: Some(thread), status: Status::Running, spawn, depth, ..Lane::default() };
            }
            Action::Join { thread: child, deps } => {
                let joined = world.is_thread(&graph, child).then(|| graph.lane(ThreadId(child as u32)).status.clone());
                match joined {
                    Some(Status::Finished) => {}
                    Some(Status::Running) if how.alone.is_some() => {}
                    // The other one may still come to its end.
                    Some(Status::Running) => {
                        waiting.push(t);
                        continue;
                    }
                    // It never comes past that.
                    Some(Status::Faulted(fault)) => {
                        graph.lane_mut(t).status = Status::Faulted(fault);
                        continue;
                    }
                    _ => {
                        if budget.gives_up(world, &mut graph, t, waits(), how.ends) {
                            budget.cut |= has_failed(&graph);
                            return;
                        }
                        continue;
                    }
                }
                event.kind = Kind::Join;
                event.value = child;
                event.data_deps = deps;
                put(world, &mut graph, event);
            }
            Action::Arrive { barrier, deps } => {
                event.kind = Kind::Arrive;
                (event.value, event.data_deps) = (barrier, deps);
                event.size = graph.next_round(t, barrier);
                put(world, &mut graph, event);
                waiting.clear();
            }
            Action::Depart { barrier, count, deps } => {
                event.kind = Kind::Depart;
                (event.value, event.data_deps) = (barrier, deps);
                event.size = graph.round(graph.lane(t), barrier);
                if how.alone.is_some() || graph.arrivals(barrier, event.size).count() as u64 >= count {
                    put(world, &mut graph, event);
                } else {
                    // It waits for the others; whether these ever come is seen when nobody else can run.
                    waiting.push(t);
                }
                continue;
            }
            Action::Mark { mark, value } => {
                event.kind = Kind::Mark;
                (event.value, event.size) = (value, mark.code());
                put(world, &mut graph, event);
            }
            Action::Alloc { size, region, deps } => {
                event.kind = Kind::Alloc(region);
                (event.size, event.data_deps) = (size, deps);
                event.value = memory::allocation_address(t, event.key);
                put(world, &mut graph, event);
                waiting.clear();
                lacking.clear();
            }
            Action::Free { addr, deps, .. } => {
                event.kind = Kind::Free;
                (event.value, event.data_deps) = (addr, deps);
                put(world, &mut graph, event);
            }
        }
    }
}

/// Runs a thread that has had so many events to the next one; with `go_on`, past assertions that fail.
fn run(
    world: &mut World<'_>,
    t: ThreadId,
    events: u32,
    mut thread: Thread,
    ways: Option<&Ways>,
    go_on: bool,
) -> (Thread, Action) {
    let mut cx = Context {
        program: world.program,
        deps: &mut world.deps,
        thread: t,
        events,
        unroll: world.options.unroll,
        detect_idle: world.options.detect_idle,
        budget: world.options.max_local_steps,
        go_on,
        ways,
    };
    let action = thread.run(&mut cx);
    (thread, action)
}
