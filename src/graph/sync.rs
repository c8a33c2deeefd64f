//! What thread creation, joining and barriers order.

use super::base_relations::edges::{Among, Ends};
use super::base_relations::rows::Rows;
use super::event::{INIT_THREAD, Kind, NO_EVENT};
use super::{EventId, Graph};
use crate::ids::ThreadId;
use smallvec::{SmallVec, smallvec};

/// Whether thread creation, joining and barriers put nothing before a thread's events.
#[inline]
pub(super) fn is_free(graph: &Graph, thread: ThreadId) -> bool {
    let lane = graph.lane(thread);
    lane.waits == 0 && (lane.spawn == NO_EVENT || !graph.contains(lane.spawn) || is_root(graph, lane.spawn))
}

/// Whether the thread that created another one by an event has no events for the model, and nothing was before it.
fn is_root(graph: &Graph, spawn: EventId) -> bool {
    let lane = graph.lane(graph.event(spawn).thread);
    lane.rows.is_empty() && lane.waits == 0 && lane.spawn == NO_EVENT
}

/// Everything that thread creation and joining put before an event: `(thread, how many of its events)`, transitively.
fn synced_before(graph: &Graph, thread: ThreadId, upto: usize, out: &mut SmallVec<[(ThreadId, usize); 8]>) {
    let mut work: SmallVec<[(ThreadId, usize); 4]> = smallvec![(thread, upto)];
    while let Some((t, upto)) = work.pop() {
        let lane = graph.lane(t);
        let passed = if lane.waits == 0 { &[] } else { &lane.order[..upto] };
        for &e in passed {
            let event = graph.event(e);
            if event.kind == Kind::Depart {
                for arrival in graph.arrivals(event.value, event.size) {
                    let other = graph.event(arrival).thread;
                    if other != t {
                        let at = graph.lane(other).order.iter().position(|&x| x == arrival).unwrap_or(0);
                        out.push((other, at));
                        work.push((other, at));
                    }
                }
            }
            if event.kind == Kind::Join {
                let child = ThreadId(event.value as u32);
                let all = graph.lane(child).order.len();
                out.push((child, all));
                work.push((child, all));
            }
        }
        if lane.spawn != NO_EVENT && graph.contains(lane.spawn) {
            if is_root(graph, lane.spawn) {
                continue;
            }
            let parent = graph.event(lane.spawn).thread;
            let at = graph.lane(parent).order.iter().position(|&e| e == lane.spawn).unwrap_or(0);
            out.push((parent, at));
            work.push((parent, at));
        }
    }
}

/// Whether thread creation, joining and barriers may put an event of a thread before events of others: where this thread was waited for, or creates
/// another one later.
fn may_precede_others(graph: &Graph, thread: ThreadId, at: usize) -> bool {
    let waits_for = |&e: &EventId| {
        let event = graph.event(e);
        event.kind == Kind::Depart || event.kind == Kind::Join && event.value == u64::from(thread.0)
    };
    let creates = |&e: &EventId| graph.event(e).kind == Kind::Spawn;
    graph.lanes().iter().any(|lane| lane.waits > 0 && lane.order.iter().any(waits_for))
        || graph.lane(thread).order[at..].iter().any(creates)
}

/// Adds what thread creation, joining and barriers order before an event, and after it.
pub(super) fn thread_sync(graph: &Graph, id: EventId, sent: Among<'_>, ends: &mut Ends<impl Rows>) {
    let Ends { targets, sources } = ends;
    let event = graph.event(id);
    if event.thread == INIT_THREAD {
        return;
    }
    let lane = graph.lane(event.thread);
    let (is_free, fills_hole) = (is_free(graph, event.thread), lane.done < lane.order.len());
    if is_free && !fills_hole {
        return;
    }
    let at = |e: EventId| graph.lane(graph.event(e).thread).order.iter().rposition(|&x| x == e).unwrap_or(0);
    let mut before = SmallVec::new();
    if !is_free {
        synced_before(graph, event.thread, at(id), &mut before);
    }
    for (thread, upto) in before {
        if graph.lane(thread).rows.is_empty() {
            continue;
        }
        for &e in &graph.lane(thread).order[..upto] {
            if sent.has(e) && graph.event(e).kind.in_model() {
                sources.insert(graph.row(e));
            }
        }
    }
    if fills_hole && may_precede_others(graph, event.thread, at(id)) {
        // Events of other threads may already be ordered behind it.
        for other in graph.ids() {
            let e = graph.event(other);
            if !sent.has(other) || !e.kind.in_model() || e.thread == INIT_THREAD || e.thread == event.thread {
                continue;
            }
            let mut before = SmallVec::new();
            synced_before(graph, e.thread, at(other), &mut before);
            if before.iter().any(|&(t, upto)| t == event.thread && at(id) < upto) {
                targets.insert(graph.row(other));
            }
        }
    }
}
