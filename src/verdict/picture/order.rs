//! The order of a picture's rows: an interleaving where one explains the execution, else the nearest thing to one.
//!
//! Kahn's algorithm over the threads' next events, staying with one thread as long as possible so that the columns read in
//! long stretches. O(events² + edges).

use super::RowOrder;
use crate::graph::Graph;
use crate::graph::event::{Kind, NO_EVENT};
use crate::ids::EventId;
use rustc_hash::{FxHashMap, FxHashSet};

/// The events of all threads in the order in which to show them.
pub fn rows(graph: &Graph) -> (Vec<EventId>, RowOrder) {
    for order in [RowOrder::Interleaving, RowOrder::Causal] {
        if let Some(rows) = sorted(graph, order) {
            return (rows, order);
        }
    }
    let mut rows: Vec<EventId> = graph.lanes().iter().flat_map(|l| l.order.iter().copied()).collect();
    rows.sort_by_key(|&e| (graph.event(e).thread, position(graph, e)));
    (rows, RowOrder::ProgramOrder)
}

fn position(graph: &Graph, id: EventId) -> usize {
    graph.lane(graph.event(id).thread).order.iter().position(|&e| e == id).unwrap_or(usize::MAX)
}

/// The events that must stand above each event, program order aside.
fn above(graph: &Graph, order: RowOrder) -> FxHashMap<EventId, Vec<EventId>> {
    let mut above: FxHashMap<EventId, Vec<EventId>> = FxHashMap::default();
    let mut edge = |from: EventId, to: EventId| {
        if from != NO_EVENT && graph.contains(from) && graph.event(from).kind != Kind::Init && from != to {
            above.entry(to).or_default().push(from);
        }
    };
    for lane in graph.lanes() {
        if let Some(&first) = lane.order.first() {
            edge(lane.spawn, first);
        }
        for &id in &lane.order {
            let event = graph.event(id);
            match event.kind {
                Kind::Read => edge(event.rf, id),
                Kind::Join => {
                    if let Some(&last) = graph.lanes().get(event.value as usize).and_then(|l| l.order.last()) {
                        edge(last, id);
                    }
                }
                _ => {}
            }
        }
    }
    if order == RowOrder::Interleaving {
        for (_, place) in graph.places() {
            for pair in place.co.windows(2) {
                edge(pair[0], pair[1]);
            }
            for &read in &place.reads {
                let source = graph.event(read).rf;
                let after = place.co.iter().position(|&w| w == source).and_then(|i| place.co.get(i + 1));
                if let Some(&overwriting) = after {
                    edge(read, overwriting);
                }
            }
        }
    }
    above
}

fn sorted(graph: &Graph, order: RowOrder) -> Option<Vec<EventId>> {
    let above = above(graph, order);
    let total: usize = graph.lanes().iter().map(|l| l.order.len()).sum();
    let mut next = vec![0; graph.lanes().len()];
    let mut done: FxHashSet<EventId> = FxHashSet::default();
    let mut rows = Vec::with_capacity(total);
    let mut current = 0;
    while rows.len() < total {
        let lanes = graph.lanes().len();
        let ready = (0..lanes).map(|i| (current + i) % lanes).find_map(|t| {
            let &id = graph.lanes()[t].order.get(next[t])?;
            above.get(&id).is_none_or(|ids| ids.iter().all(|e| done.contains(e))).then_some((t, id))
        });
        let (t, id) = ready?;
        next[t] += 1;
        done.insert(id);
        rows.push(id);
        current = t;
    }
    Some(rows)
}
