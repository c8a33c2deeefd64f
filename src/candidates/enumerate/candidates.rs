//! Every candidate, whatever the model: reads-from edges that explain the values read, and coherence orders.

use crate::candidates::enumerate::Budget;
use crate::explore::checker::thin_air;
use crate::explore::engine::context::World;
use crate::explore::options::ThinAir;
use crate::explore::visitor::Execution;
use crate::graph::Graph;
use crate::graph::event::Kind;
use crate::ids::{EventId, LocId, ThreadId};
use crate::relation::bits::Bits;

/// Every way to explain the values read and to order the writes.
pub(in crate::candidates) fn explain(
    world: &World<'_>,
    mut graph: Graph,
    budget: &mut Budget<'_>,
    visit: &mut dyn FnMut(&Execution<'_, '_>),
) {
    let reads: Vec<EventId> = graph.ids().filter(|&e| graph.event(e).kind == Kind::Read).collect();
    let locs: Vec<LocId> = graph.places().map(|(l, _)| l).collect();
    sources(world, &mut graph, &reads, &locs, budget, visit);
}

fn sources(
    world: &World<'_>,
    graph: &mut Graph,
    reads: &[EventId],
    locs: &[LocId],
    budget: &mut Budget<'_>,
    visit: &mut dyn FnMut(&Execution<'_, '_>),
) {
    let Some((&read, rest)) = reads.split_first() else {
        if !out_of_thin_air(world, graph) {
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
            sources(world, graph, rest, locs, budget, visit);
        }
    }
}

/// Whether something in a candidate comes out of thin air.
pub(in crate::candidates) fn out_of_thin_air(world: &World<'_>, graph: &Graph) -> bool {
    is_circular(world, graph)
        && match world.options.thin_air {
            ThinAir::Dependencies => true,
            ThinAir::Values => has_circular_values(world, graph),
        }
}

/// Whether a value comes from itself, other than as the one of those that are copied in a circle. Of threads that are not known that is taken to be so.
fn has_circular_values(world: &World<'_>, graph: &Graph) -> bool {
    let Some(origins) = thin_air::origins(world, graph) else { return true };
    match thin_air::values(world, graph, &origins) {
        thin_air::Values::Certain => false,
        thin_air::Values::Copied(values) => values.iter().any(|&(e, value)| graph.event(e).value != value),
        thin_air::Values::Circular => true,
    }
}

/// Whether dependencies and reads-from have a cycle.
fn is_circular(world: &World<'_>, graph: &Graph) -> bool {
    let needs = |e: EventId| -> Vec<EventId> {
        let event = graph.event(e);
        let mut out: Vec<EventId> = [event.addr_deps, event.data_deps, event.ctrl_deps, event.reached]
            .iter()
            .flat_map(|&set| world.deps.get(set).iter().map(EventId).collect::<Vec<_>>())
            .collect();
        out.push(event.rf);
        if !graph.is_exchange(event) {
            out.push(event.partner);
        }
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
    let mut open: Vec<(EventId, Vec<EventId>)> = graph.ids().map(|e| (e, needs(e))).collect();
    let mut left: Bits = open.iter().map(|(e, _)| e.0).collect();
    loop {
        let before = open.len();
        open.retain(|(e, needs)| {
            let waits = needs.iter().any(|n| left.contains(n.0));
            if !waits {
                left.remove(e.0);
            }
            waits
        });
        if open.is_empty() || open.len() == before {
            return !open.is_empty();
        }
    }
}

fn coherence(
    world: &World<'_>,
    graph: &mut Graph,
    locs: &[LocId],
    budget: &mut Budget<'_>,
    visit: &mut dyn FnMut(&Execution<'_, '_>),
) {
    if !budget.take(graph.len()) {
        return;
    }
    let Some((&loc, rest)) = locs.split_first() else {
        visit(&Execution { graph, world, flags: &[], last: None, all_joined: true, stands_for: 1 });
        return;
    };
    let writes = graph.place(loc).map(|p| p.co.clone()).unwrap_or_default();
    permutations(&writes[1..], &mut Vec::new(), &mut |order| {
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
