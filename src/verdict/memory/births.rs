//! Memory that somebody accesses though nothing says that it is allocated by then: the mirror case of [`super::lifetimes`].
//!
//! An access needs the address, which comes from the allocation, so machines order the two by that dependency. A model with a happens-before of its own says when
//! one thread may rely on what another one has done; where it orders the allocation and the access in neither way, the memory need not be there. Models without one are not asked.
//!
//! The beginning of a function's variable is an allocation here.

use super::lifetimes::{End, as_write};
use super::settled::Settled;
use crate::algebra::Model;
use crate::algebra::naive::Naive;
use crate::explore::Execution;
use crate::graph::event::{Event, Kind, NO_LOC};
use crate::graph::{Graph, view};
use crate::ids::{EventId, LocId};
use crate::relation::candidate::Relation;
use crate::verdict::finding::Property;
use crate::verdict::picture::draw::{self, thread_name};
use crate::verdict::picture::names::Names;
use crate::verdict::picture::sources::Sources;
use crate::verdict::reasons::unordered::{self as chains, happens_before, own_order};
use crate::verdict::result::Finding;

/// The first access of an execution that an allocation is not ordered before.
pub fn find(
    execution: &Execution<'_, '_>,
    model: &Model,
    settled: &mut Settled<'_>,
    sources: &Sources,
) -> Option<Finding> {
    own_order(model)?;
    let graph = execution.graph;
    let allocations: Vec<EventId> = graph.ids().filter(|&e| is_allocation(graph.event(e))).collect();
    let found = allocations.iter().find_map(|&allocation| {
        let open = |&access: &EventId| !settled.comes_before(execution, allocation, access);
        let open: Vec<EventId> = first_accesses(execution, allocation).into_iter().filter(open).collect();
        let access = unordered(execution, model, allocation, &open);
        let all = || accesses(execution, allocation).collect::<Vec<EventId>>();
        // Debug builds, and so the tests, ask about all accesses.
        debug_assert!(
            all().is_empty()
                || !settled.is_asked_again(graph)
                || access.is_some() == unordered(execution, model, allocation, &all()).is_some(),
            "what is settled is ordered"
        );
        Some([allocation, access?])
    });
    found.map(|pair| finding(execution, model, pair, sources))
}

fn is_allocation(event: &Event) -> bool {
    matches!(event.kind, Kind::Alloc(_))
}

/// What other threads do to allocated memory.
fn accesses<'e>(execution: &'e Execution<'_, '_>, allocation: EventId) -> impl Iterator<Item = EventId> + 'e {
    let (graph, world) = (execution.graph, execution.world);
    let made = graph.event(allocation);
    graph.ids().filter(move |&e| {
        let event = graph.event(e);
        let is_other = event.thread != made.thread && matches!(event.kind, Kind::Read | Kind::Write);
        is_other && event.loc != NO_LOC && {
            let (address, _) = world.locs.get(event.loc);
            address >= made.value && address - made.value < made.size.max(1)
        }
    })
}

/// The first access of each thread: program order is a part of happens-before, so what comes before that comes before the others.
fn first_accesses(execution: &Execution<'_, '_>, allocation: EventId) -> Vec<EventId> {
    let graph = execution.graph;
    let place = |e: EventId| graph.lane(graph.event(e).thread).order.iter().position(|&other| other == e);
    let mut first: Vec<EventId> = Vec::new();
    for access in accesses(execution, allocation) {
        let thread = graph.event(access).thread;
        match first.iter_mut().find(|known| graph.event(**known).thread == thread) {
            Some(known) if place(access) < place(*known) => *known = access,
            Some(_) => {}
            None => first.push(access),
        }
    }
    first
}

/// The first of these accesses that the model does not order behind the allocation: asked of the whole execution, by the plain evaluator, once for each place.
fn unordered(
    execution: &Execution<'_, '_>,
    model: &Model,
    allocation: EventId,
    accesses: &[EventId],
) -> Option<EventId> {
    let mut known: Vec<(LocId, Graph, Option<Relation>)> = Vec::new();
    accesses.iter().copied().find(|&access| {
        let loc = execution.graph.event(access).loc;
        if known.iter().all(|(place, ..)| *place != loc) {
            let shadow = as_write(execution, allocation, loc, End::First);
            let candidate = view::candidate(&shadow, &execution.world.deps, execution.world.program);
            let order = happens_before(model, &candidate, &mut Naive::new(&model.pool, &candidate));
            known.push((loc, shadow, order));
        }
        let is_ordered = |(_, shadow, order): &(LocId, Graph, Option<Relation>)| {
            order.as_ref().is_some_and(|order| order.contains(&(shadow.row(allocation), shadow.row(access))))
        };
        !known.iter().find(|(place, ..)| *place == loc).is_some_and(is_ordered)
    })
}

fn finding(execution: &Execution<'_, '_>, model: &Model, pair: [EventId; 2], sources: &Sources) -> Finding {
    let (graph, world) = (execution.graph, execution.world);
    let [made, access] = pair.map(|e| graph.event(e));
    let name = Names::new(world, graph).location_or_address(made.value, 0);
    let [maker, user] = [made, access].map(|e| thread_name(execution, u64::from(e.thread.0)));
    let message = match world.is_stack(graph, made.value) {
        true => format!(
            "{name} may be accessed by {user} before the function that it belongs to has begun in {maker}: nothing orders the two"
        ),
        false => format!("{name} may be accessed by {user} before {maker} has allocated it: nothing orders the two"),
    };
    let drawn = draw::draw(execution, sources);
    let shadow = as_write(execution, pair[0], access.loc, End::First);
    let candidate = view::candidate(&shadow, &world.deps, world.program);
    let row = |e: u32| drawn.rows.get(&EventId(e)).map(|row| format!("e{row}"));
    let notes = vec![chains::why(model, &candidate, pair.map(|e| shadow.row(e)), &row)];
    let mut events: Vec<u32> = pair.iter().filter_map(|e| drawn.rows.get(e).copied()).collect();
    events.sort_unstable();
    Finding {
        kind: Property::Memory.name().to_owned(),
        message,
        place: draw::place(world.program, access.span),
        events,
        notes,
        orders: None,
        calls: None,
        execution: drawn.picture,
    }
}
