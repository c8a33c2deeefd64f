//! The prefix of an event: everything that it depends on.
//!
//! Dependencies are address, data and control dependencies (through registers, as the interpreter tracks them), the source
//! of a read, the read half of a read-modify-write's write, the creation of the event's thread, for a join every event
//! of the thread that ended, and for leaving a barrier every arrival of the round; creation, joins and barriers, which every model
//! takes for order, depend on everything earlier in their thread. In *program-order* mode everything earlier in the thread counts too: that is the same thing
//! for models in which po ∪ rf is acyclic, and leaves no holes.

use super::event::{Event, INIT_THREAD, Kind, NO_EVENT};
use super::{EventId, Graph};
use crate::kernel::bits::Bits;
use crate::program::deps::DepTable;

/// What counts as a dependency.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrefixKind {
    /// Reads-from and program order.
    ProgramOrder,
    /// Reads-from and syntactic dependencies.
    Dependencies,
}

/// Everything that `event` (which need not be in the graph yet) depends on, without itself and without initial writes.
///
/// O(events + dependencies).
pub fn prefix(
    graph: &Graph,
    deps: &DepTable,
    kind: PrefixKind,
    event: &Event,
    out: &mut Bits,
    work: &mut Vec<EventId>,
) {
    out.clear();
    work.clear();
    direct(graph, deps, kind, event, None, out, work);
    while let Some(id) = work.pop() {
        direct(graph, deps, kind, graph.event(id), Some(id), out, work);
    }
}

/// Adds an event of the graph, and everything that it depends on, to a prefix.
pub fn extend(graph: &Graph, deps: &DepTable, kind: PrefixKind, id: EventId, out: &mut Bits, work: &mut Vec<EventId>) {
    work.clear();
    reach(graph, id, out, work);
    while let Some(id) = work.pop() {
        direct(graph, deps, kind, graph.event(id), Some(id), out, work);
    }
}

fn reach(graph: &Graph, id: EventId, out: &mut Bits, work: &mut Vec<EventId>) {
    if id != NO_EVENT && graph.event(id).thread != INIT_THREAD && !out.contains(id.0) {
        out.insert(id.0);
        work.push(id);
    }
}

fn direct(
    graph: &Graph,
    deps: &DepTable,
    kind: PrefixKind,
    event: &Event,
    id: Option<EventId>,
    out: &mut Bits,
    work: &mut Vec<EventId>,
) {
    if event.thread == INIT_THREAD {
        return;
    }
    for set in [event.addr_deps, event.data_deps, event.ctrl_deps, event.reached] {
        for e in deps.get(set).iter() {
            reach(graph, EventId(e), out, work);
        }
    }
    reach(graph, event.rf, out, work);
    reach(graph, event.partner, out, work);
    let lane = graph.lane(event.thread);
    reach(graph, lane.spawn, out, work);
    if event.kind == Kind::Join
        && let Some(child) = graph.lanes().get(event.value as usize)
    {
        for &e in &child.order {
            reach(graph, e, out, work);
        }
    }
    if event.kind == Kind::Depart {
        for e in graph.arrivals(event.value, event.size) {
            reach(graph, e, out, work);
        }
    }
    if kind == PrefixKind::ProgramOrder || event.kind.synchronises() {
        let before = match id {
            Some(id) => lane.order.iter().position(|&e| e == id).unwrap_or(lane.done),
            None => lane.done,
        };
        if let Some(&previous) = lane.order[..before].last() {
            reach(graph, previous, out, work);
        }
    }
}
