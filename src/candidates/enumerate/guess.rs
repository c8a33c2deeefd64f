//! Runs threads on guessed values: each read takes every value of its location's domain.
//!
//! While values are collected for the domains, threads at last go both ways from each condition that depends on what they read: which way they can go is known
//! only when all values are.

use crate::candidates::enumerate::budget::RUN;
use crate::candidates::enumerate::ends::{Ends, ends_alone, has_failed};
use crate::candidates::enumerate::{Budget, Domain, Explain, Stretch};
use crate::explore::engine::context::World;
use crate::explore::engine::step::put_in_place;
use crate::graph::event::{Event, Kind, NO_EVENT, NO_LOC};
use crate::graph::{Graph, Lane, Status};
use crate::ids::{EventId, LocId, ThreadId};
use crate::program::deps::DepId;
use crate::program::fault::{BadAccess, Fault};
use crate::program::thread::{Action, Context, Slot, Thread, Ways};
use crate::program::{Half, Stop};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::cell::RefCell;
use xxhash_rust::xxh3::xxh3_128;

/// Which values reads have, which threads run, and what comes of it.
#[derive(Clone, Copy)]
pub(in crate::candidates) struct How<'h> {
    pub values: Values<'h>,
    /// The only thread that runs: it joins others, and leaves barriers, as if these were done.
    pub alone: Option<ThreadId>,
    /// With which ends runs are handed on.
    pub ends: Ends,
    /// Where the thread stood before reads and choices, if it need not go on where it has stood before: only what it may write is of interest.
    pub stood: Option<&'h RefCell<FxHashSet<u128>>>,
}

/// Which values reads and choices have.
#[derive(Clone, Copy)]
pub(in crate::candidates) enum Values<'h> {
    /// Reads each that the location may hold, choices each.
    Domain(&'h Domain),
    /// Those that each thread has, one after the other.
    Given(&'h [&'h [u64]]),
}

impl<'h> How<'h> {
    /// All threads run to their ends, on values of a domain.
    pub fn together(domain: &'h Domain) -> How<'h> {
        How { values: Values::Domain(domain), alone: None, ends: Ends::Whole, stood: None }
    }

    /// Whether a thread need not go on from here.
    fn has_stood(&self, thread: &Thread) -> bool {
        self.stood.is_some_and(|stood| {
            let mut state = Vec::new();
            thread.describe(&mut state);
            !stood.borrow_mut().insert(xxh3_128(&state))
        })
    }

    /// What a thread reads next.
    fn read(&self, graph: &Graph, t: ThreadId, loc: LocId) -> SmallVec<[u64; 4]> {
        match self.values {
            Values::Domain(domain) => domain.get(&loc).into_iter().flatten().copied().collect(),
            Values::Given(given) => given_to(given, graph, t).into_iter().collect(),
        }
    }

    /// Whether a thread that is given values has come to an event beyond them: these are of another run.
    fn lacks_value(&self, values: &[u64]) -> bool {
        values.is_empty() && matches!(self.values, Values::Given(_))
    }

    /// What it chooses next.
    fn choose(&self, graph: &Graph, t: ThreadId, values: &[u64]) -> SmallVec<[u64; 4]> {
        match self.values {
            Values::Domain(_) => SmallVec::from_slice(values),
            Values::Given(given) => given_to(given, graph, t).into_iter().collect(),
        }
    }
}

/// Whether an event has one of the values that are given to its thread.
pub(in crate::candidates) fn takes_value(event: &Event) -> bool {
    matches!(event.kind, Kind::Read | Kind::Choose)
}

fn given_to(given: &[&[u64]], graph: &Graph, t: ThreadId) -> Option<u64> {
    let before = graph.lane(t).order.iter().filter(|&&e| takes_value(graph.event(e))).count();
    given.get(t.index())?.get(before).copied()
}

/// The location of a thread's access. Where there is no memory for it, that is noted: the error that it is if none comes.
fn access(
    world: &mut World<'_>,
    graph: &mut Graph,
    t: ThreadId,
    (address, size, write): (u64, u8, bool),
    lacking: &mut Vec<(ThreadId, Fault)>,
) -> Option<LocId> {
    let at = world.translate(t, address);
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
                event.value = World::allocation_address(t, event.key);
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

/// The state of a thread that has come to its end: where that is the end of `main`, it is that of the program.
fn finished(world: &World<'_>, graph: &Graph, t: ThreadId) -> Status {
    match world.ends_program(graph, t) {
        true => Status::Exited,
        false => Status::Finished,
    }
}

/// The state of a thread that waits; for which reads is of no interest here.
fn waits() -> Status {
    Status::Waiting(Vec::new())
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

/// The same, in all ways that it could go, whatever it has read. `None`: the limit was reached.
fn both_ways(
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
fn runnable(world: &mut World<'_>, graph: &Graph, waiting: &[ThreadId], alone: Option<ThreadId>) -> Option<ThreadId> {
    let deepest = (0..graph.lanes().len())
        .filter(|&t| graph.lanes()[t].status == Status::Running && !waiting.contains(&ThreadId::at(t)))
        .filter(|&t| alone.is_none_or(|alone| alone.index() == t))
        .max_by_key(|&t| graph.lanes()[t].depth)?;
    let alone = deepest == 0 && !graph.lanes()[0].order.is_empty() && ends_alone(world, graph);
    (!alone).then_some(ThreadId::at(deepest))
}

fn partner(graph: &Graph, event: &Event) -> EventId {
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
fn put(world: &mut World<'_>, graph: &mut Graph, event: Event) -> EventId {
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
