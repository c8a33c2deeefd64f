//! The reference: all candidate executions, filtered by a predicate. No cleverness.
//!
//! Threads run one after another on *guessed* values: a read takes, in turn, every value that some write of the program may
//! put there. What may be put there is found by iteration: first the initial values, then what runs on these write, and so
//! on until nothing new appears, or as often as a run has events (a value that does not come out of thin air is made by a
//! chain of at most that many). Guesses are then explained
//! in every way by reads-from edges, and writes are ordered in every way by coherence. Candidates in which values would come
//! out of thin air (dependencies ∪ reads-from cyclic) are dropped, as the exploration never builds them.
//!
//! It shares with the exploration the thread interpreter and the form of graphs, and nothing else. Exponential in everything:
//! for tests, and for models that no cleverness fits.

use super::world::World;
use super::{Execution, Options, solo};
use crate::graph::event::{Event, Kind, NO_EVENT, NO_LOC};
use crate::graph::memory::Memory;
use crate::graph::{Graph, Lane, Status};
use crate::ids::{EventId, LocId, ThreadId};
use crate::program::deps::{DepId, DepTable};
use crate::program::thread::{Action, Context, Slot, Thread};
use crate::program::{Half, Program, Start, Stop};
use std::collections::{BTreeMap, BTreeSet};

type Domain = BTreeMap<LocId, BTreeSet<u64>>;

/// What an enumeration covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// Every candidate.
    All,
    /// Not those in which a thread was cut by a bound.
    Cut,
    /// The limit on the number of graphs was reached.
    Limit,
}

impl Coverage {
    fn and(self, other: Coverage) -> Coverage {
        match (self, other) {
            (Coverage::Limit, _) | (_, Coverage::Limit) => Coverage::Limit,
            (Coverage::Cut, _) | (_, Coverage::Cut) => Coverage::Cut,
            _ => Coverage::All,
        }
    }
}

/// How many more graphs may be made, whether a thread was cut, and the size of the largest graph.
struct Budget {
    left: u64,
    cut: bool,
    largest: usize,
}

impl Budget {
    /// Takes one; `false` when there is none.
    fn take(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }
}

/// Calls `visit` with every candidate execution that is complete and has no value out of thin air; `visit` filters by the
/// model. Makes at most `limit` graphs.
pub fn enumerate(
    program: &Program,
    options: &Options,
    limit: u64,
    visit: &mut dyn FnMut(&Execution<'_, '_>),
) -> Coverage {
    let mut budget = Budget { left: limit, cut: false, largest: 0 };
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
                    touch(&mut world, &mut graph, object.address + cell.offset, cell.size);
                }
            }
            from(world, graph, &mut budget, visit)
        }
        Start::Main(main) => {
            let mut choices = solo::Choices::default();
            let mut all = Coverage::All;
            loop {
                let mut first = solo::Solo::start(program, *main);
                let status = match first.run(program, options, &mut DepTable::default(), &mut choices) {
                    solo::End::Spawn => Status::Running,
                    solo::End::Finished => Status::Finished,
                    _ => Status::Assumed,
                };
                let world = World::new(program, options, first.memory.clone(), 1);
                let mut graph = Graph::default();
                *graph.lane_mut(ThreadId(0)) = Lane { thread: Some(first.thread), status, ..Lane::default() };
                all = all.and(from(world, graph, &mut budget, visit));
                if !choices.advance() {
                    return all;
                }
            }
        }
    }
}

fn from(
    mut world: World<'_>,
    start: Graph,
    budget: &mut Budget,
    visit: &mut dyn FnMut(&Execution<'_, '_>),
) -> Coverage {
    let mut domain = Domain::new();
    for (loc, place) in start.places() {
        domain.entry(loc).or_default().insert(start.event(place.init).value);
    }
    for round in 0.. {
        let mut runs = Vec::new();
        let mut grown = domain.clone();
        budget.cut = false;
        guess(&mut world, start.clone(), &domain, &mut grown, &mut runs, budget);
        if budget.left == 0 {
            return Coverage::Limit;
        }
        if grown == domain || round > budget.largest {
            for graph in runs {
                explain(&world, graph, budget, visit);
            }
            return match (budget.left, budget.cut) {
                (0, _) => Coverage::Limit,
                (_, true) => Coverage::Cut,
                _ => Coverage::All,
            };
        }
        domain = grown;
    }
    Coverage::Limit
}

fn touch(world: &mut World<'_>, graph: &mut Graph, address: u64, size: u8) -> Option<LocId> {
    let (loc, value) = world.resolve(graph, address, size, false).ok()?;
    if graph.place(loc).is_none() {
        graph.add_init(loc, value);
    }
    Some(loc)
}

/// Runs all threads on all guesses; collects finished graphs (reads without sources, writes in the order of running).
fn guess(
    world: &mut World<'_>,
    mut graph: Graph,
    domain: &Domain,
    grown: &mut Domain,
    runs: &mut Vec<Graph>,
    budget: &mut Budget,
) {
    if !budget.take() {
        return;
    }
    budget.largest = budget.largest.max(graph.len());
    // Threads that wait at a barrier, until somebody else has run.
    let mut waiting: Vec<ThreadId> = Vec::new();
    loop {
        let Some(t) = runnable(world, &graph, &waiting) else {
            let over = |l: &Lane| matches!(l.status, Status::Absent | Status::Finished);
            if graph.lanes().iter().skip(1).all(over)
                && (graph.lanes().first().is_none_or(over) || ends_alone(world, &graph))
            {
                runs.push(graph);
            }
            return;
        };
        let lane = graph.lane_mut(t);
        let events = lane.done as u32;
        let Some(mut thread) = lane.thread.take() else { return };
        let mut cx = Context {
            program: world.program,
            deps: &mut world.deps,
            thread: t,
            events,
            unroll: world.options.unroll,
            detect_idle: world.options.detect_idle,
            budget: world.options.max_local_steps,
            go_on: false,
        };
        let action = thread.run(&mut cx);
        let place = thread.place(world.program);
        let mut event = Event::init(NO_LOC, Some(0));
        event.thread = t;
        (event.key, event.group, event.span) = (place.key, place.group, place.span);
        event.ctrl_deps = thread.ctrl();
        event.reached = thread.reached();
        graph.lane_mut(t).thread = Some(thread);
        match action {
            Action::Finished | Action::Exit => {
                graph.lane_mut(t).status = Status::Finished;
            }
            Action::Stopped { why: Stop::Assume | Stop::Await, .. } | Action::Idle { .. } | Action::Fault(_) => return,
            Action::Cut => {
                budget.cut = true;
                return;
            }
            Action::Read { addr, size, tags, half, otherwise, hidden, addr_deps } => {
                event.kind = Kind::Read;
                (event.expected_tags, event.expected_half, event.otherwise) = (tags, half, otherwise);
                (event.hidden, event.addr_deps) = (hidden, addr_deps);
                let Some(loc) = touch(world, &mut graph, addr, size) else { return };
                event.loc = loc;
                let init = graph.place(loc).map(|p| graph.event(p.init).value);
                let values = domain.get(&loc).cloned().unwrap_or_default();
                grown.entry(loc).or_default().extend(init);
                for value in values {
                    let mut event = event.clone();
                    event.read_value(value);
                    let mut next = graph.clone();
                    put(world, &mut next, event);
                    guess(world, next, domain, grown, runs, budget);
                }
                return;
            }
            Action::Write { addr, size, value, tags, half, hidden, addr_deps, data_deps } => {
                event.kind = Kind::Write;
                (event.tags, event.half, event.hidden) = (tags, half, hidden);
                (event.value, event.addr_deps, event.data_deps) = (value, addr_deps, data_deps);
                let Some(loc) = touch(world, &mut graph, addr, size) else { return };
                event.loc = loc;
                event.partner = partner(&graph, &event);
                let known = grown.entry(loc).or_default();
                known.insert(value);
                known.extend(graph.place(loc).map(|p| graph.event(p.init).value));
                put(world, &mut graph, event);
            }
            Action::Fence { tags, addr, is_fence, addr_deps } => {
                event.kind = Kind::Fence;
                (event.tags, event.is_fence, event.addr_deps) = (tags, is_fence, addr_deps);
                if let Some(addr) = addr {
                    let size = world.program.object_at(addr).map_or(4, |o| o.bytes.len().clamp(1, 8) as u8);
                    let Some(loc) = touch(world, &mut graph, addr, size) else { return };
                    event.loc = loc;
                }
                put(world, &mut graph, event);
            }
            Action::Choose { values } => {
                for &value in &values {
                    let mut event = event.clone();
                    event.kind = Kind::Choose;
                    event.value = value;
                    let mut next = graph.clone();
                    put(world, &mut next, event);
                    guess(world, next, domain, grown, runs, budget);
                }
                return;
            }
            Action::Spawn { function, arg } => {
                event.kind = Kind::Spawn;
                event.data_deps = arg.deps;
                let child = world.child(t, event.key);
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
                if !world.is_thread(&graph, child) || graph.lane(ThreadId(child as u32)).status != Status::Finished {
                    return;
                }
                event.kind = Kind::Join;
                event.value = child;
                event.data_deps = deps;
                put(world, &mut graph, event);
            }
            Action::Arrive { barrier, deps } => {
                event.kind = Kind::Arrive;
                (event.value, event.data_deps) = (barrier, deps);
                event.size = graph.round(graph.lane(t), Kind::Arrive, barrier);
                put(world, &mut graph, event);
                waiting.clear();
            }
            Action::Depart { barrier, count, deps } => {
                event.kind = Kind::Depart;
                (event.value, event.data_deps) = (barrier, deps);
                event.size = graph.round(graph.lane(t), Kind::Depart, barrier);
                if graph.arrivals(barrier, event.size).count() as u64 == count {
                    put(world, &mut graph, event);
                } else {
                    // It waits for the others; whether these ever come is seen when nobody else can run.
                    waiting.push(t);
                }
                continue;
            }
            Action::Alloc { size, region, deps } => {
                event.kind = Kind::Alloc(region);
                (event.size, event.data_deps) = (size, deps);
                event.value = World::allocation_address(t, event.key);
                put(world, &mut graph, event);
            }
            Action::Free { addr, deps } => {
                event.kind = Kind::Free;
                (event.value, event.data_deps) = (addr, deps);
                put(world, &mut graph, event);
            }
        }
    }
}

fn ends_alone(world: &World<'_>, graph: &Graph) -> bool {
    let Some(Lane { status: Status::Running, thread: Some(_), .. }) = graph.lanes().first() else { return false };
    matches!(world.program.start, Start::Main(_)) && joined_all(graph)
}

fn joined_all(graph: &Graph) -> bool {
    (1..graph.lanes().len()).all(|t| {
        graph.lane(ThreadId::at(t)).status == Status::Absent
            || graph.ids().any(|e| graph.event(e).kind == Kind::Join && graph.event(e).value == t as u64)
    })
}

/// Some thread that can run: the last created, so that a parent finds its children done.
fn runnable(world: &World<'_>, graph: &Graph, waiting: &[ThreadId]) -> Option<ThreadId> {
    let deepest = (0..graph.lanes().len())
        .filter(|&t| graph.lanes()[t].status == Status::Running && !waiting.contains(&ThreadId::at(t)))
        .max_by_key(|&t| graph.lanes()[t].depth)?;
    let alone = deepest == 0
        && matches!(world.program.start, Start::Main(_))
        && !graph.lanes()[0].order.is_empty()
        && joined_all(graph);
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
            return e;
        }
        if event.half == Half::ExWrite && x.half == Half::ExWrite {
            break;
        }
    }
    NO_EVENT
}

/// Adds an event at the end of its thread and completes its instruction.
fn put(world: &mut World<'_>, graph: &mut Graph, event: Event) -> EventId {
    let (t, kind, value, half, partner) = (event.thread, event.kind, event.value, event.half, event.partner);
    let co = graph.place(event.loc).map_or(0, |p| p.co.len());
    let at = graph.lane(t).order.len();
    let id = graph.add(event, co, at);
    graph.lane_mut(t).done += 1;
    let deps = world.deps.singleton(id.0);
    let mut result = Slot { value, deps: DepId::NONE };
    match kind {
        Kind::Read | Kind::Alloc(_) | Kind::Spawn => result.deps = deps,
        Kind::Depart => {
            let round = graph.event(id).size;
            let first = graph.arrivals(value, round).map(|e| graph.event(e).thread).min();
            result.value = u64::from(first == Some(t));
        }
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
        thread.complete(program, result);
        if matches!(kind, Kind::Join | Kind::Depart) {
            thread.depend_on(deps, &mut world.deps);
        }
    }
    id
}

/// Every way to explain the values read and to order the writes.
fn explain(world: &World<'_>, graph: Graph, budget: &mut Budget, visit: &mut dyn FnMut(&Execution<'_, '_>)) {
    let reads: Vec<EventId> = graph.ids().filter(|&e| graph.event(e).kind == Kind::Read).collect();
    let locs: Vec<LocId> = graph.places().map(|(l, _)| l).collect();
    sources(world, graph, &reads, &locs, budget, visit);
}

fn sources(
    world: &World<'_>,
    mut graph: Graph,
    reads: &[EventId],
    locs: &[LocId],
    budget: &mut Budget,
    visit: &mut dyn FnMut(&Execution<'_, '_>),
) {
    let Some((&read, rest)) = reads.split_first() else {
        if !out_of_thin_air(world, &graph) {
            coherence(world, graph, locs, budget, visit);
        }
        return;
    };
    let (loc, value) = (graph.event(read).loc, graph.event(read).value);
    let writes = graph.place(loc).map(|p| p.co.clone()).unwrap_or_default();
    for write in writes {
        if budget.left == 0 {
            return;
        }
        if graph.event(write).value == value && graph.event(write).partner != read {
            graph.event_mut(read).rf = write;
            sources(world, graph.clone(), rest, locs, budget, visit);
        }
    }
}

/// Whether dependencies and reads-from have a cycle.
fn out_of_thin_air(world: &World<'_>, graph: &Graph) -> bool {
    let needs = |e: EventId| -> Vec<EventId> {
        let event = graph.event(e);
        let mut out: Vec<EventId> = [event.addr_deps, event.data_deps, event.ctrl_deps, event.reached]
            .iter()
            .flat_map(|&set| world.deps.get(set).iter().map(EventId).collect::<Vec<_>>())
            .collect();
        out.extend([event.rf, event.partner]);
        if event.kind != Kind::Init {
            out.push(graph.lane(event.thread).spawn);
        }
        if event.kind.synchronises() {
            out.extend(graph.lane(event.thread).order.iter().take_while(|&&x| x != e));
        }
        if event.kind == Kind::Depart {
            out.extend(graph.arrivals(event.value, event.size));
        }
        if event.kind == Kind::Join {
            out.extend(&graph.lane(ThreadId(event.value as u32)).order);
        }
        out.retain(|&x| graph.contains(x));
        out
    };
    let mut left: BTreeSet<EventId> = graph.ids().collect();
    loop {
        let ready: Vec<EventId> =
            left.iter().copied().filter(|&e| needs(e).iter().all(|n| !left.contains(n))).collect();
        if ready.is_empty() {
            return !left.is_empty();
        }
        ready.iter().for_each(|e| {
            left.remove(e);
        });
    }
}

fn coherence(
    world: &World<'_>,
    graph: Graph,
    locs: &[LocId],
    budget: &mut Budget,
    visit: &mut dyn FnMut(&Execution<'_, '_>),
) {
    if !budget.take() {
        return;
    }
    let Some((&loc, rest)) = locs.split_first() else {
        visit(&Execution { graph: &graph, world, flags: &[], last: None });
        return;
    };
    let writes = graph.place(loc).map(|p| p.co.clone()).unwrap_or_default();
    permutations(&writes[1..], &mut Vec::new(), &mut |order| {
        let mut graph = graph.clone();
        graph.set_coherence(loc, order);
        coherence(world, graph, rest, budget, visit);
        budget.left > 0
    });
}

/// Calls `visit` with every order of the items until it says stop; tells whether it did not.
fn permutations(items: &[EventId], prefix: &mut Vec<EventId>, visit: &mut dyn FnMut(&[EventId]) -> bool) -> bool {
    if prefix.len() == items.len() {
        return visit(prefix);
    }
    for &item in items {
        if !prefix.contains(&item) {
            prefix.push(item);
            let go_on = permutations(items, prefix, visit);
            prefix.pop();
            if !go_on {
                return false;
            }
        }
    }
    true
}

/// A name for an execution that does not depend on how it was found: every event of the model and every
/// choice with its identity, label, source and place in coherence.
pub fn signature(execution: &Execution<'_, '_>) -> String {
    let graph = execution.graph;
    let name = |e: EventId| -> String {
        if e == NO_EVENT {
            return "-".into();
        }
        let x = graph.event(e);
        match x.kind {
            Kind::Init => format!("init{:x}", execution.world.locs.get(x.loc).0),
            _ => format!("{}:{:x}", x.thread.0, x.key),
        }
    };
    let mut lines: Vec<String> = Vec::new();
    for (t, lane) in graph.lanes().iter().enumerate() {
        for &e in &lane.order {
            let x = graph.event(e);
            if !x.kind.in_model() && x.kind != Kind::Choose {
                continue;
            }
            let loc = if x.loc == NO_LOC { 0 } else { execution.world.locs.get(x.loc).0 };
            lines.push(format!("{t} {} {:?} {loc:x} {} {} {:?}", name(e), x.kind, x.value, name(x.rf), x.tags));
        }
    }
    let mut coherence: Vec<String> = graph
        .places()
        .filter(|(_, p)| p.co.len() > 1)
        .map(|(loc, p)| {
            let order: Vec<String> = p.co.iter().map(|&w| name(w)).collect();
            format!("co {:x} {}", execution.world.locs.get(loc).0, order.join(" "))
        })
        .collect();
    coherence.sort();
    lines.extend(coherence);
    lines.join("\n")
}
