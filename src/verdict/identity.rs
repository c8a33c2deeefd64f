//! What tells executions apart, however they were found: words to be hashed.

use crate::explore::Execution;
use crate::graph::Graph;
use crate::graph::event::{INIT_THREAD, NO_LOC};
use crate::ids::EventId;

/// An event by its thread and its place there. All initial writes are one; so are events that the graph does not have.
pub fn of(graph: &Graph, e: EventId) -> [u64; 2] {
    match graph.contains(e) {
        false => [u64::MAX, 0],
        true if graph.event(e).thread == INIT_THREAD => [u64::MAX - 1, 0],
        true => [u64::from(graph.event(e).thread.0), graph.event(e).key],
    }
}

/// The events of the threads, by place in the code, value and location, and what they read from.
pub fn add_sources(execution: &Execution<'_, '_>, put: &mut impl FnMut(u64)) {
    let (graph, world) = (execution.graph, execution.world);
    for lane in graph.lanes() {
        put(lane.order.len() as u64);
        for &id in &lane.order {
            let event = graph.event(id);
            let (address, size) = if event.loc == NO_LOC { (0, 0) } else { world.locs.get(event.loc) };
            [event.key, event.value, address, u64::from(size)].into_iter().for_each(&mut *put);
            of(graph, event.rf).into_iter().for_each(&mut *put);
        }
    }
}
