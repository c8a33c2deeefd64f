//! The order of interchangeable threads: which of the graphs that differ in their names are explored.
//!
//! Two threads of a group are *together* before their n-th events when what they did before is the same: the same sources, the same
//! choices, no writes but to locations whose coherence order is of no interest, which no thread reads. Then their n-th events have the same label, and can differ in their *keys* only: the place in
//! coherence of what is read or written, or the value chosen. A graph is in order when of two threads that are together, with no other of
//! the group between them, the first has the smaller key, or the second depends on the first anyhow.
//!
//! *Dependence* is reads-from and program order, and besides: an event depends on those of the earlier threads that its thread is
//! together with.

use crate::analysis::interchangeable::Kin;
use crate::graph::Graph;
use crate::graph::event::{Event, INIT_THREAD, Kind, NO_EVENT};
use crate::ids::{EventId, ThreadId};
use crate::relation::bits::Bits;

/// The events of a thread in program order; none of a thread that does not exist.
pub(super) fn events(graph: &Graph, thread: ThreadId) -> &[EventId] {
    graph.lanes().get(thread.index()).map_or(&[], |lane| &lane.order)
}

/// How many first events two threads have in common.
pub(super) fn shared(graph: &Graph, a: ThreadId, b: ThreadId) -> usize {
    let same = |&(&x, &y): &(&EventId, &EventId)| {
        let (x, y) = (graph.event(x), graph.event(y));
        x.kind == y.kind
            && match x.kind {
                Kind::Write => graph.is_unordered(x.loc),
                Kind::Read => x.rf == y.rf,
                Kind::Choose => x.value == y.value,
                _ => true,
            }
    };
    events(graph, a).iter().zip(events(graph, b)).take_while(same).count()
}

/// What two events of threads that are together can differ in. The maximal choice has the largest key that there is.
pub(super) fn key(graph: &Graph, id: EventId) -> usize {
    let event = graph.event(id);
    match event.kind {
        Kind::Read if event.rf != NO_EVENT => graph.co_index(event.rf),
        Kind::Write if !graph.is_unordered(event.loc) => graph.co_index(id),
        Kind::Choose => usize::MAX - event.passed_over().len(),
        _ => 0,
    }
}

/// Adds to the prefix of a write, which its thread has just come to, what it depends on besides.
pub(super) fn extend(graph: &Graph, kin: &Kin, write: &Event, prefix: &mut Bits) {
    let mut past = Past::new(graph, kin);
    let at = graph.lane(write.thread).done;
    past.take(write.thread, at);
    past.take_event(graph.lane(write.thread).spawn);
    past.take_together(write.thread, at, None);
    past.close();
    for (lane, &taken) in graph.lanes().iter().zip(&past.taken) {
        lane.order[..taken].iter().for_each(|e| prefix.insert(e.0));
    }
}

/// Whether an event comes in order behind that of the thread before its own.
pub(super) fn is_in_order(graph: &Graph, kin: &Kin, id: EventId) -> bool {
    let thread = graph.event(id).thread;
    let Some(at) = events(graph, thread).iter().rposition(|&e| e == id) else { return true };
    let together = |t: &&ThreadId| shared(graph, **t, thread) >= at;
    let Some(&before) = kin.lower(thread).iter().rev().find(together) else { return true };
    let Some(&other) = events(graph, before).get(at) else { return true };
    key(graph, other) <= key(graph, id) || depends_anyhow(graph, kin, (before, thread), at)
}

/// Whether the event of the second thread at a place where both are together depends on that of the first in another way than by that.
pub(super) fn depends_anyhow(graph: &Graph, kin: &Kin, (first, second): (ThreadId, ThreadId), at: usize) -> bool {
    let mut past = Past::new(graph, kin);
    past.take(second, at);
    if let Some(&id) = events(graph, second).get(at) {
        past.take_direct(id);
    }
    past.take_together(second, at, Some(first));
    past.close();
    past.taken[first.index()] > at
}

/// Whether the event of a thread at a place depends on that of another at the same place.
pub(super) fn depends(graph: &Graph, kin: &Kin, thread: ThreadId, on: ThreadId, at: usize) -> bool {
    let mut past = Past::new(graph, kin);
    past.take(thread, at + 1);
    past.close();
    past.taken[on.index()] > at
}

/// What something depends on: of each thread, so many first events.
struct Past<'g> {
    graph: &'g Graph,
    kin: &'g Kin,
    taken: Vec<usize>,
    work: Vec<(ThreadId, usize)>,
}

impl<'g> Past<'g> {
    fn new(graph: &'g Graph, kin: &'g Kin) -> Past<'g> {
        Past { graph, kin, taken: vec![0; graph.lanes().len()], work: Vec::new() }
    }

    fn take(&mut self, thread: ThreadId, first: usize) {
        let taken = &mut self.taken[thread.index()];
        let first = first.min(events(self.graph, thread).len());
        self.work.extend((*taken..first).map(|at| (thread, at)));
        *taken = first.max(*taken);
    }

    fn take_event(&mut self, id: EventId) {
        if id == NO_EVENT || self.graph.event(id).thread == INIT_THREAD {
            return;
        }
        let thread = self.graph.event(id).thread;
        if let Some(at) = events(self.graph, thread).iter().position(|&e| e == id) {
            self.take(thread, at + 1);
        }
    }

    /// Takes what an event depends on directly, but for program order.
    fn take_direct(&mut self, id: EventId) {
        let event = self.graph.event(id);
        self.take_event(event.rf);
        self.take_event(self.graph.lane(event.thread).spawn);
        match event.kind {
            Kind::Join => {
                let child = ThreadId(event.value as u32);
                if child.index() < self.taken.len() {
                    self.take(child, usize::MAX);
                }
            }
            Kind::Depart => {
                let arrivals: Vec<EventId> = self.graph.arrivals(event.value, event.size).collect();
                arrivals.into_iter().for_each(|e| self.take_event(e));
            }
            _ => {}
        }
    }

    /// Takes the events of earlier threads that a thread is together with at a place, but for one of them.
    fn take_together(&mut self, thread: ThreadId, at: usize, but: Option<ThreadId>) {
        let kin = self.kin;
        for &other in kin.lower(thread) {
            if Some(other) != but && other.index() < self.taken.len() && shared(self.graph, other, thread) >= at {
                self.take(other, at + 1);
            }
        }
    }

    fn close(&mut self) {
        while let Some((thread, at)) = self.work.pop() {
            self.take_direct(events(self.graph, thread)[at]);
            self.take_together(thread, at, None);
        }
    }
}
