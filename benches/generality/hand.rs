//! Sequential consistency and total store order, written by hand: what a tool with compiled-in models would do.
//!
//! The events are the nodes of a directed graph of *immediate* edges, one row of `N` words an event. An event that is added has its edges
//! computed from what is before it in its thread, its place in coherence, and its readers; a cycle needs an edge that leaves it, so
//! mostly there is none to look for, and else what can be reached from it is collected. Undoing takes back the words that were changed.
//!
//! - Sequential consistency: program order, rf, co, fr.
//! - Total store order (Owens, Sarkar, Sewell, TPHOLs 2009): the program order but from writes to reads, unless a fence or a
//!   locked access is between; rf from other threads, co, fr. Besides, each location is coherent by itself, for which comparing with the
//!   last access of the location in the thread is enough: events are only added at the ends of threads.
//!
//! Limits: programs whose halves of read-modify-writes are events of their own (C, not litmus tests), fewer than `64 * N` events.

use hmc::explore::checker::consistency::Checker;
use hmc::graph::event::{Event, INIT_THREAD, Kind, NO_EVENT};
use hmc::graph::{Graph, Place};
use hmc::ids::{EventId, ThreadId};
use hmc::program::Program;
use hmc::program::deps::DepTable;
use std::sync::Arc;

/// What the tags of an event mean to total store order.
#[derive(Clone, Copy, Default)]
struct Tags {
    /// The buffer is empty behind a write or a fence.
    drains: bool,
    /// A half of a read-modify-write.
    locked: bool,
}

/// What is last in a thread up to an event, this one included.
#[derive(Clone, Copy, Default)]
struct Label {
    read: Option<u32>,
    write: Option<u32>,
    /// The last write that no later read of the thread can overtake.
    drained: Option<u32>,
}

/// A checker for graphs of fewer than `64 * N` events; with store buffers, or without.
pub struct Hand<const N: usize, const BUFFERS: bool> {
    tags: Arc<[Tags]>,
    /// Immediate successors.
    after: Vec<[u64; N]>,
    /// Rows that changed, and what they were.
    trail: Vec<(u32, [u64; N])>,
    labels: Vec<Label>,
    frames: Vec<usize>,
    consistent: bool,
    /// Whether all of the graph has to be looked at.
    all: bool,
    /// The event added last.
    new: u32,
    /// The read that it was given, in a revisit: an edge to what comes next in coherence leaves it, too.
    reader: Option<u32>,
}

impl<const N: usize, const BUFFERS: bool> Hand<N, BUFFERS> {
    /// A checker for a program.
    pub fn new(program: &Program) -> Self {
        let tags = (0..program.tag_sets.len()).map(|set| {
            let has = |tag: &str| program.tag_sets[set].iter().any(|t| program.tags[t.index()] == tag);
            Tags { drains: has("SC") || has("MFENCE"), locked: has("RMW") || has("X") }
        });
        Self::with(tags.collect())
    }

    fn with(tags: Arc<[Tags]>) -> Self {
        Hand {
            tags,
            after: vec![[0; N]; 64 * N],
            trail: Vec::new(),
            labels: vec![Label::default(); 64 * N],
            frames: Vec::new(),
            consistent: true,
            all: false,
            new: 0,
            reader: None,
        }
    }

    fn edge(&mut self, from: u32, to: u32) {
        let row = &mut self.after[from as usize];
        if row[to as usize / 64] >> (to % 64) & 1 == 0 {
            self.trail.push((from, *row));
            row[to as usize / 64] |= 1 << (to % 64);
        }
    }

    /// Adds the edges of an event, all others being in the graph, and looks whether what it is by itself forbids it.
    fn link(&mut self, graph: &Graph, id: EventId) {
        let event = graph.event(id);
        if event.thread == INIT_THREAD {
            return;
        }
        self.program_order(graph, id, event);
        let Some(place) = graph.place(event.loc) else { return };
        match event.kind {
            Kind::Read if event.rf != NO_EVENT => self.read(graph, place, id, event),
            Kind::Write => self.write(graph, place, id, event),
            _ => {}
        }
    }

    fn program_order(&mut self, graph: &Graph, id: EventId, event: &Event) {
        let lane = graph.lane(event.thread);
        let mut earlier = lane.order.iter().rev().skip_while(|&&e| e != id).skip(1);
        let before =
            earlier.find(|&&e| graph.event(e).kind.in_model()).map_or(Label::default(), |e| self.labels[e.index()]);
        let tags = self.tags[event.tags.index()];
        let mut label = before;
        let unordered;
        match event.kind {
            _ if !BUFFERS => {
                // One order for all: the last event, whatever it is.
                label.read = Some(id.0);
                unordered = before.read.is_none();
                before.read.into_iter().for_each(|e| self.edge(e, id.0));
            }
            Kind::Read => {
                label.read = Some(id.0);
                let drained = if tags.locked { before.write } else { before.drained };
                unordered = before.read.is_none();
                before.read.into_iter().chain(drained).for_each(|e| self.edge(e, id.0));
            }
            Kind::Write => {
                label.write = Some(id.0);
                if tags.drains || tags.locked {
                    label.drained = label.write;
                }
                unordered = before.read.is_none() && before.write.is_none();
                before.read.into_iter().chain(before.write).for_each(|e| self.edge(e, id.0));
            }
            _ => {
                if event.is_fence && tags.drains {
                    label.drained = before.write;
                }
                unordered = false;
            }
        }
        self.labels[id.index()] = label;
        let spawned = lane.spawn != NO_EVENT && unordered && {
            let parent = graph.lane(graph.event(lane.spawn).thread);
            !(parent.rows.is_empty() && parent.waits == 0 && parent.spawn == NO_EVENT)
        };
        if spawned || lane.waits > 0 {
            self.creation_and_joining(graph, event.thread, id, id.0);
        }
    }

    /// Edges from what thread creation, joining and barriers put before an event of a thread.
    fn creation_and_joining(&mut self, graph: &Graph, thread: ThreadId, upto: EventId, to: u32) {
        let lane = graph.lane(thread);
        let before = |e: &&EventId| **e != upto;
        for &e in lane.order.iter().take_while(before) {
            let event = graph.event(e);
            if event.kind == Kind::Join {
                let child = ThreadId(event.value as u32);
                self.last_of(graph, child, NO_EVENT, to);
            }
            if event.kind == Kind::Depart {
                for arrival in graph.arrivals(event.value, event.size) {
                    let other = graph.event(arrival).thread;
                    if other != thread {
                        self.last_of(graph, other, arrival, to);
                    }
                }
            }
        }
        if lane.spawn != NO_EVENT {
            self.last_of(graph, graph.event(lane.spawn).thread, lane.spawn, to);
        }
    }

    /// Edges from the last events of a thread before one of its events.
    fn last_of(&mut self, graph: &Graph, thread: ThreadId, upto: EventId, to: u32) {
        let order = graph.lane(thread).order.iter().take_while(|&&e| e != upto);
        let last = order.filter(|&&e| graph.event(e).kind.in_model()).last();
        let label = last.map_or(Label::default(), |e| self.labels[e.index()]);
        label.read.into_iter().chain(label.write).for_each(|e| self.edge(e, to));
        self.creation_and_joining(graph, thread, upto, to);
    }

    fn read(&mut self, graph: &Graph, place: &Place, id: EventId, event: &Event) {
        let at = place.co.iter().rposition(|&w| w == event.rf);
        if let Some(&next) = at.and_then(|at| place.co.get(at + 1)) {
            self.edge(id.0, next.0);
        }
        let source = graph.event(event.rf).thread;
        if source != INIT_THREAD && !(BUFFERS && source == event.thread) {
            self.edge(event.rf.0, id.0);
        }
        if BUFFERS {
            self.consistent &= last_access(graph, place, id, event).is_none_or(|last| Some(last) <= at);
        }
    }

    fn write(&mut self, graph: &Graph, place: &Place, id: EventId, event: &Event) {
        let Some(at) = place.co.iter().rposition(|&w| w == id) else { return };
        let previous = place.co[at - 1];
        let next = place.co.get(at + 1).copied();
        if at > 1 {
            self.edge(previous.0, id.0);
        }
        if let Some(next) = next {
            self.edge(id.0, next.0);
            let partner = graph.event(next).partner;
            self.consistent &= partner == NO_EVENT || graph.event(partner).rf == id;
        }
        if event.partner != NO_EVENT {
            self.consistent &= graph.event(event.partner).rf == previous;
        }
        for &read in &place.reads {
            let reader = graph.event(read);
            if reader.rf == previous {
                self.edge(read.0, id.0);
            } else if reader.rf == id {
                next.into_iter().for_each(|next| self.edge(read.0, next.0));
                self.reader = Some(read.0);
                if !(BUFFERS && reader.thread == event.thread) {
                    self.edge(id.0, read.0);
                }
                if BUFFERS {
                    self.consistent &= last_access(graph, place, read, reader).is_none_or(|last| last <= at);
                }
            }
        }
        if BUFFERS {
            self.consistent &= last_access(graph, place, id, event).is_none_or(|last| last < at);
        }
    }

    /// Whether an event is on a cycle.
    fn is_on_cycle(&self, event: u32) -> bool {
        let mut seen = self.after[event as usize];
        let mut todo = seen;
        while let Some(word) = (0..N).find(|&k| todo[k] != 0) {
            let x = word * 64 + todo[word].trailing_zeros() as usize;
            if x == event as usize {
                return true;
            }
            todo[word] &= todo[word] - 1;
            for (k, &after) in self.after[x].iter().enumerate() {
                todo[k] |= after & !seen[k];
                seen[k] |= after;
            }
        }
        false
    }

    /// Whether there is a cycle at all.
    fn is_cyclic(&self) -> bool {
        // Events without successors are taken away until none is left that has some, or no event is without.
        let mut left: Vec<usize> = (0..self.after.len()).filter(|&x| self.after[x] != [0; N]).collect();
        loop {
            let count = left.len();
            let mut alive = [0; N];
            left.iter().for_each(|x| alive[x / 64] |= 1 << (x % 64));
            left.retain(|&x| (0..N).any(|k| self.after[x][k] & alive[k] != 0));
            if left.len() == count {
                return count > 0;
            }
        }
    }
}

/// The place in coherence of the last access of a location in a thread before one of them.
fn last_access(graph: &Graph, place: &Place, id: EventId, event: &Event) -> Option<usize> {
    let order = &graph.lane(event.thread).order;
    let mut earlier = order.iter().rev().skip_while(|&&e| e != id).skip(1);
    let last = *earlier.find(|&&e| graph.event(e).loc == event.loc)?;
    let write = if graph.event(last).kind == Kind::Read { graph.event(last).rf } else { last };
    place.co.iter().rposition(|&w| w == write)
}

impl<const N: usize, const BUFFERS: bool> Checker for Hand<N, BUFFERS> {
    fn another(&self) -> Self {
        Self::with(self.tags.clone())
    }

    fn load(&mut self, graph: &Graph, _deps: &DepTable) {
        self.after.fill([0; N]);
        self.frames.clear();
        self.consistent = true;
        self.all = true;
        let mut ids: Vec<EventId> = graph.ids().filter(|&e| graph.event(e).kind.in_model()).collect();
        ids.sort_unstable_by_key(|&e| graph.event(e).stamp);
        ids.into_iter().for_each(|e| self.link(graph, e));
        self.trail.clear();
    }

    fn push(&mut self) {
        self.all = false;
        self.frames.push(self.trail.len());
    }

    fn pop(&mut self) {
        let length = self.frames.pop().unwrap_or(0);
        for (row, old) in self.trail.drain(length..).rev() {
            self.after[row as usize] = old;
        }
        self.consistent = true;
    }

    fn add(&mut self, graph: &Graph, _deps: &DepTable, id: EventId) {
        self.reader = None;
        self.link(graph, id);
        self.new = id.0;
    }

    fn is_consistent(&mut self) -> bool {
        let cyclic = |hand: &Self| match hand.all {
            true => hand.is_cyclic(),
            false => hand.is_on_cycle(hand.new) || hand.reader.is_some_and(|reader| hand.is_on_cycle(reader)),
        };
        self.consistent && !cyclic(self)
    }

    fn is_consistent_when_complete(&mut self) -> bool {
        // Everything is decided while the graph grows.
        self.consistent
    }

    fn prunes_in_any_growth(&self) -> bool {
        true
    }
}
