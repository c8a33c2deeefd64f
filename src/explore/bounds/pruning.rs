//! What is settled of a graph: events that all executions have in common that are reached from it within the argument below.
//!
//! On the way to an execution, each graph consists of a part of that execution, closed under program order and reads-from, and of events each of which made the last choice in coherence among that part and
//! what is older: only such are deleted by revisits. So every execution that is reached contains what is left when events that could be of the second kind are taken away, the newest first. To take away more makes no
//! other stay: a read of the last write, and a last write, stay so when others go. The rest is in every interleaving of the execution, and has no more preemptions and rounds there than by itself.
//!
//! `docs/bounds.md`.

use super::bound::Bound;
use super::interleavings::{Interleavings, Order};
use crate::graph::Graph;
use crate::graph::event::{INIT_THREAD, Kind, NO_EVENT};
use crate::ids::{EventId, LocId};
use crate::program::{Half, Program};
use rustc_hash::FxHashMap;

/// Whether every execution that is reached from a graph is beyond the bound. `in_order`: every execution under the model has an interleaving that explains what is read.
pub fn is_out_of_reach(bound: Bound, graph: &Graph, program: &Program, in_order: bool) -> bool {
    let order = if in_order { Order::Memory } else { Order::Sources };
    let interleavings = Interleavings::of(graph, program, &settled(graph), order, false);
    interleavings.exist() && interleavings.least(bound).is_none()
}

/// How many events of each thread are settled. The newest goes first: what was added behind it was not there when it made its choice, unless that stays.
fn settled(graph: &Graph) -> Vec<usize> {
    let mut left = Left::all(graph);
    let mut events: Vec<EventId> = left.places.keys().copied().collect();
    events.sort_unstable_by_key(|&e| std::cmp::Reverse(graph.event(e).stamp));
    for e in events {
        let t = graph.event(e).thread.index();
        if left.last(t) == Some(e) && left.may_go(e) {
            left.kept[t] -= 1;
        }
    }
    // Half of a read-modify-write does not tell that its thread may have waited there.
    for t in 0..left.kept.len() {
        let is_half = |e: EventId| {
            let event = graph.event(e);
            event.kind == Kind::Read && matches!(event.expected_half, Half::AmoRead | Half::FusedRead | Half::ExRead)
        };
        if left.last(t).is_some_and(is_half) {
            left.kept[t] -= 1;
        }
    }
    left.kept
}

/// What is left of a graph.
struct Left<'a> {
    graph: &'a Graph,
    /// So many events of each thread.
    kept: Vec<usize>,
    /// The place of each event in its thread.
    places: FxHashMap<EventId, usize>,
    /// Events that wait for threads, or at barriers.
    waiting: Vec<EventId>,
}

impl<'a> Left<'a> {
    fn all(graph: &'a Graph) -> Left<'a> {
        let lanes = graph.lanes();
        let places = lanes.iter().flat_map(|lane| lane.order.iter().enumerate()).map(|(at, &e)| (e, at)).collect();
        let all = lanes.iter().filter(|lane| lane.waits > 0).flat_map(|lane| lane.order.iter().copied());
        let waiting = all.filter(|&e| graph.event(e).kind.waits()).collect();
        Left { graph, kept: lanes.iter().map(|lane| lane.order.len()).collect(), places, waiting }
    }

    fn last(&self, t: usize) -> Option<EventId> {
        self.kept[t].checked_sub(1).map(|at| self.graph.lanes()[t].order[at])
    }

    fn has(&self, e: EventId) -> bool {
        let thread = self.graph.event(e).thread;
        thread == INIT_THREAD || self.places[&e] < self.kept[thread.index()]
    }

    fn is_last_write(&self, loc: LocId, write: EventId) -> bool {
        let place = self.graph.place(loc);
        place.and_then(|place| place.co.iter().rev().copied().find(|&w| self.has(w))) == Some(write)
    }

    /// Whether the last event that is left of a thread may have been added behind all that is left.
    fn may_go(&self, id: EventId) -> bool {
        let (graph, event) = (self.graph, self.graph.event(id));
        let awaits = |&e: &EventId| {
            let other = graph.event(e);
            let joins = other.kind == Kind::Join && other.value == u64::from(event.thread.0);
            let arrived = event.kind == Kind::Arrive && other.kind == Kind::Depart;
            self.has(e) && (joins || arrived && (other.value, other.size) == (event.value, event.size))
        };
        if self.waiting.iter().any(awaits) {
            return false;
        }
        match event.kind {
            Kind::Read => self.is_last_write(event.loc, event.rf),
            Kind::Write => {
                let reads = graph.place(event.loc).map_or(&[][..], |place| &place.reads);
                let is_read = reads.iter().any(|&r| graph.event(r).rf == id && self.has(r));
                // The write of a read-modify-write has one place only, behind what its half reads.
                !is_read && (event.partner != NO_EVENT || self.is_last_write(event.loc, id))
            }
            Kind::Spawn => self.kept.get(event.value as usize).is_none_or(|&of_child| of_child == 0),
            _ => true,
        }
    }
}
