//! Memory that is freed while somebody may still access it.
//!
//! A `free` that comes before an access is an error of the thread that accesses, and exploration reports it. Here are the others: a `free` and an
//! access that nothing orders. When the model defines a relation `hb` that program order is a part of, that orders them; otherwise
//! creating and joining threads does, and beyond that the model is asked whether it accepts the execution in which the access comes after the `free`, which
//! is then looked at as a write: the access reads from it, or overwrites it. It is a write that the compiler leaves alone, as there is no telling what a `free` does, and
//! nobody expects it to be done before a condition is known. Both are asked only where a few events do not tell ([`super::settled`]).
//!
//! The end of a function's variable is a `free` here.

use super::settled::Settled;
use crate::algebra::Model;
use crate::algebra::naive::Naive;
use crate::explore::Execution;
use crate::graph::event::Kind;
use crate::graph::{Graph, view};
use crate::ids::{EventId, LocId};
use crate::verdict::finding::Property;
use crate::verdict::picture::draw;
use crate::verdict::picture::names::Names;
use crate::verdict::picture::sources::Sources;
use crate::verdict::reasons::unordered::{self as chains, communicated, happens_before, own_order, reachability};
use crate::verdict::result::Finding;

/// The first `free` that races with an access or with another `free`.
pub fn find(
    execution: &Execution<'_, '_>,
    model: &Model,
    settled: &mut Settled<'_>,
    sources: &Sources,
) -> Option<Finding> {
    let (graph, world) = (execution.graph, execution.world);
    let frees: Vec<EventId> =
        graph.ids().filter(|&e| graph.event(e).kind == Kind::Free && graph.event(e).value != 0).collect();
    for (i, &free) in frees.iter().enumerate() {
        let address = graph.event(free).value;
        if let Some(&other) = frees[..i].iter().find(|&&f| graph.event(f).value == address) {
            return Some(finding(execution, model, [other, free], true, sources));
        }
        let in_object = |&loc: &LocId| world.object_start(graph, world.locs.get(loc).0) == Some(address);
        for loc in graph.places().map(|(loc, _)| loc).filter(in_object) {
            if let Some(access) = racing(execution, model, settled, free, loc) {
                return Some(finding(execution, model, [access, free], false, sources));
            }
        }
    }
    None
}

/// An access of the location that is not ordered before the `free`. (One that comes behind it, and not before it as well, exploration reports.)
fn racing(
    execution: &Execution<'_, '_>,
    model: &Model,
    settled: &mut Settled<'_>,
    free: EventId,
    loc: LocId,
) -> Option<EventId> {
    let graph = execution.graph;
    let owner = graph.event(free).thread;
    let is_access = |e: EventId| graph.event(e).loc == loc && matches!(graph.event(e).kind, Kind::Read | Kind::Write);
    let accesses: Vec<EventId> = graph.ids().filter(|&e| is_access(e) && graph.event(e).thread != owner).collect();
    if accesses.is_empty() {
        return None;
    }
    let mut open: Vec<EventId> =
        accesses.iter().copied().filter(|&access| !settled.comes_before(execution, access, free)).collect();
    if !open.is_empty() && own_order(model).is_none() {
        let shadow = as_write(execution, free, loc, End::Last);
        open.retain(|&access| !settled.rejects(execution, &behind(&shadow, free, access)));
    }
    let found = open.first().and_then(|_| unordered(execution, model, &open, free, loc));
    // Debug builds, and so the tests, ask about all of them.
    debug_assert!(
        !settled.is_asked_again(graph) || found == unordered(execution, model, &accesses, free, loc),
        "what is settled is ordered"
    );
    found
}

/// The first of these accesses that is not ordered before the `free`.
fn unordered(
    execution: &Execution<'_, '_>,
    model: &Model,
    accesses: &[EventId],
    free: EventId,
    loc: LocId,
) -> Option<EventId> {
    let world = execution.world;
    let shadow = as_write(execution, free, loc, End::Last);
    let candidate = view::candidate(&shadow, &world.deps, world.program);
    let mut naive = Naive::new(&model.pool, &candidate);
    let own = happens_before(model, &candidate, &mut naive);
    let pair = |a: EventId| (shadow.row(a), shadow.row(free));
    let mut accesses = accesses.iter().copied();
    let Some(order) = own else {
        let (reached, in_turn) = (reachability(&candidate), communicated(&candidate));
        // By the end or the creation of a thread, which no model weakens.
        let is_settled = |(a, b)| reached.contains(&(a, b)) && !in_turn.contains(&(a, b));
        return accesses
            .filter(|&access| !is_settled(pair(access)))
            .find(|&access| may_follow(execution, model, &shadow, free, access));
    };
    accesses.find(|&access| !order.contains(&pair(access)))
}

/// Whether the model accepts the execution in which the access comes after the `free`.
fn may_follow(execution: &Execution<'_, '_>, model: &Model, shadow: &Graph, free: EventId, access: EventId) -> bool {
    let graph = behind(shadow, free, access);
    let candidate = view::candidate(&graph, &execution.world.deps, execution.world.program);
    let mut naive = Naive::new(&model.pool, &candidate);
    // Flags take most of the time, and forbid nothing.
    model.checks.iter().filter(|check| check.role.rejects()).all(|check| naive.holds(check) == Some(true))
}

/// The graph in which the access comes after the `free`. The halves of a read-modify-write come there together.
fn behind(shadow: &Graph, free: EventId, access: EventId) -> Graph {
    let mut graph = shadow.clone();
    let partner = graph.event(access).partner;
    let (read, write) = match graph.event(access).kind {
        Kind::Read => (Some(access), graph.ids().find(|&e| graph.event(e).partner == access)),
        _ => (graph.contains(partner).then_some(partner), Some(access)),
    };
    if let Some(read) = read {
        graph.set_rf(read, free);
    }
    if let Some(write) = write {
        let loc = graph.event(write).loc;
        let mut order: Vec<EventId> = graph.place(loc).map(|p| p.co[1..].to_vec()).unwrap_or_default();
        order.retain(|&w| w != write);
        order.push(write);
        graph.set_coherence(loc, &order);
    }
    graph
}

/// Where a write is in coherence that stands for the beginning or the end of memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::verdict) enum End {
    First,
    Last,
}

/// The graph with a `free`, or with an allocation, as a write.
pub(in crate::verdict) fn as_write(execution: &Execution<'_, '_>, life: EventId, loc: LocId, end: End) -> Graph {
    let mut graph = execution.graph.clone();
    let mut order: Vec<EventId> = graph.place(loc).map(|p| p.co[1..].to_vec()).unwrap_or_default();
    order.insert(if end == End::First { 0 } else { order.len() }, life);
    let event = graph.event_mut(life);
    (event.kind, event.loc) = (Kind::Write, loc);
    event.tags = execution.world.program.relaxed_write;
    // What the address of the object depends on.
    event.addr_deps = event.data_deps;
    graph.set_coherence(loc, &order);
    graph
}

fn finding(
    execution: &Execution<'_, '_>,
    model: &Model,
    pair: [EventId; 2],
    twice: bool,
    sources: &Sources,
) -> Finding {
    let (graph, world) = (execution.graph, execution.world);
    let [access, free] = pair.map(|e| graph.event(e));
    let name = Names::new(world, graph).location_or_address(free.value, 0);
    let drawn = draw::draw(execution, sources);
    let by = |e: &crate::graph::event::Event| draw::thread_name(execution, u64::from(e.thread.0));
    let stack = world.is_stack(graph, free.value);
    let message = match (twice, stack) {
        (true, _) => format!("{name} is freed twice: by {} and by {}", by(access), by(free)),
        (false, true) => {
            format!(
                "{name} may be accessed by {} after the function that it belongs to has returned in {}",
                by(access),
                by(free)
            )
        }
        (false, false) => {
            format!("{name} may be accessed by {} after {} has freed it: nothing orders the two", by(access), by(free))
        }
    };
    let mut notes = Vec::new();
    if !twice {
        let shadow = as_write(execution, pair[1], access.loc, End::Last);
        let candidate = view::candidate(&shadow, &world.deps, world.program);
        let row = |e: u32| drawn.rows.get(&EventId(e)).map(|row| format!("e{row}"));
        notes.push(chains::why(model, &candidate, pair.map(|e| shadow.row(e)), &row));
    }
    let mut events: Vec<u32> = pair.iter().filter_map(|e| drawn.rows.get(e).copied()).collect();
    events.sort_unstable();
    Finding {
        kind: Property::Memory.name().to_owned(),
        message,
        place: draw::place(world.program, free.span),
        events,
        notes,
        orders: None,
        calls: None,
        execution: drawn.picture,
    }
}
