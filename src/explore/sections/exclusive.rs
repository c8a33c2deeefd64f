//! Whether a model lets two threads have a lock at a time.
//!
//! Sections of a lock can be put in order where the model does not. It is asked once for acquisitions of a kind, about an execution of two threads with a section each: of all sources of the acquisitions and all orders of the writes only those are to be
//! consistent in which one section comes after the other.

use crate::explore::checker::consistency::Checker;
use crate::explore::checker::same_thread::bare;
use crate::explore::engine::search::Search;
use crate::graph::event::{Event, NO_EVENT};
use crate::graph::sections::Section;
use crate::graph::{Graph, Lane};
use crate::ids::{EventId, ThreadId};

impl<J: Checker> Search<'_, '_, J> {
    /// Whether two sections like this one, whose acquisition is there, never overlap.
    pub(super) fn is_exclusive(&mut self, section: &Section) -> bool {
        let Some(labels) = self.labels_of(section) else { return false };
        let key = (labels, self.graph.lane(section.thread).tags);
        if let Some(&known) = self.sections.exclusive.get(&key) {
            return known;
        }
        let is_exclusive = self.forbids_overlap(section).unwrap_or(false);
        self.sections.exclusive.insert(key, is_exclusive);
        is_exclusive
    }

    fn forbids_overlap(&mut self, section: &Section) -> Option<bool> {
        let mut graph = Graph::default();
        let init = graph.add_init(section.loc, Some(0));
        let release = self.release_to_come(section, section.write?)?;
        let tags = self.graph.lane(section.thread).tags;
        // The acquisition's read, its write, and the release, of each thread.
        let mut events = [[NO_EVENT; 3]; 2];
        for (t, own) in events.iter_mut().enumerate() {
            let thread = ThreadId::at(t);
            *graph.lane_mut(thread) = Lane { tags, ..Lane::default() };
            let read = graph.add(Event { thread, ..bare(self.graph.event(section.read)) }, 0, 0);
            let end = graph.place(section.loc)?.co.len();
            let write = Event { thread, partner: read, ..bare(self.graph.event(section.write?)) };
            let write = graph.add(write, end, 1);
            *own = [read, write, graph.add(Event { thread, ..release.clone() }, end + 1, 2)];
        }
        let [[first, a, b], [second, c, d]] = events;
        let in_turn = |sources: [EventId; 2], order: &[EventId]| {
            sources == [init, b] && order == [a, b, c, d] || sources == [d, init] && order == [c, d, a, b]
        };
        for order in orders([a, b, c, d]) {
            for sources in [[init, init], [init, b], [d, init], [d, b]] {
                let mut graph = graph.clone();
                graph.set_coherence(section.loc, &order);
                graph.event_mut(first).rf = sources[0];
                graph.event_mut(second).rf = sources[1];
                if self.accepts(graph) != in_turn(sources, &order) {
                    return Some(false);
                }
            }
        }
        Some(true)
    }

    /// Whether the model accepts a graph as a complete execution.
    fn accepts(&mut self, graph: Graph) -> bool {
        let original = std::mem::replace(&mut self.graph, graph);
        self.enter_level();
        let accepts = self.checker().is_consistent() && self.checker().is_consistent_when_complete();
        self.level -= 1;
        self.graph = original;
        accepts
    }
}

/// All orders of four writes.
fn orders(writes: [EventId; 4]) -> impl Iterator<Item = [EventId; 4]> {
    let all = (0..256usize).map(move |n| [n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6].map(|i| writes[i]));
    all.filter(move |order| writes.iter().all(|w| order.contains(w)))
}
