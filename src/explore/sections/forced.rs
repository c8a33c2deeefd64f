//! Sections of a lock that have only one order.
//!
//! One section comes before another one of its lock if it does so in program order; if something in the other one depends on its acquisition; or if an access in the one is before an access in the other by coherence, or reads
//! what that overwrites, and the model forbids two such sections in the other order. It is asked that about an execution of two sections with an access each, once for accesses of a kind.

use crate::explore::checker::consistency::Checker;
use crate::explore::checker::same_thread::bare;
use crate::explore::engine::search::Search;
use crate::graph::event::{Event, Kind};
use crate::graph::sections::Section;
use crate::graph::{Graph, Lane};
use crate::ids::{EventId, TagSetId, ThreadId};
use crate::program::Half;
use crate::relation::bits::Bits;

/// What a model can see of an event of such an execution: whether it is a read, its labels.
pub(super) type Seen = (bool, TagSetId, Half, bool);

/// What a model can see of two sections: those of each thread, and the tags of the threads.
pub(super) type ConflictKey = [([Seen; 3], Seen, TagSetId); 2];

/// The sections of a graph, and which certainly come before which.
pub(super) struct Forced {
    pub sections: Vec<Section>,
    /// Behind each section those of its lock that come later.
    later: Vec<Bits>,
}

impl Forced {
    pub fn comes_before(&self, first: usize, second: usize) -> bool {
        self.later[first].contains(second as u32)
    }

    /// Whether all sections of each lock are in order.
    pub fn is_total(&self) -> bool {
        let count = self.sections.len();
        let is_ordered = |i: usize, j: usize| {
            self.sections[i].loc != self.sections[j].loc || self.comes_before(i, j) || self.comes_before(j, i)
        };
        (0..count).all(|i| (i + 1..count).all(|j| is_ordered(i, j)))
    }

    /// Puts a section before another one, and what comes before that before what comes behind this; `false`: they have the other order.
    pub fn order(&mut self, first: usize, second: usize) -> bool {
        if self.comes_before(second, first) || first == second {
            return false;
        }
        if !self.comes_before(first, second) {
            let mut behind = self.later[second].clone();
            behind.insert(second as u32);
            for i in 0..self.sections.len() {
                if i == first || self.comes_before(i, first) {
                    self.later[i].union_with(&behind);
                }
            }
        }
        true
    }
}

fn seen(event: &Event) -> Seen {
    (event.kind == Kind::Read, event.tags, event.half, event.hidden)
}

/// A section, and the places in its thread of its first and last event.
struct Extent {
    thread: ThreadId,
    first: usize,
    last: usize,
}

impl<J: Checker> Search<'_, '_, J> {
    /// What is certain of the order of sections; nothing if that goes round.
    pub(super) fn forced_order(&mut self) -> Option<Forced> {
        let sections: Vec<Section> = self.graph.locks().flat_map(|loc| self.graph.sections(loc)).collect();
        let extents: Vec<Extent> = sections.iter().map(|section| self.extent(section)).collect();
        let later = vec![Bits::new(); sections.len()];
        let mut forced = Forced { sections, later };
        self.graph.settle_clocks();
        let count = forced.sections.len();
        for (i, j) in (0..count).flat_map(|i| (0..count).map(move |j| (i, j))) {
            let (first, second) = (forced.sections[i], forced.sections[j]);
            if i == j || first.loc != second.loc {
                continue;
            }
            let depends = || {
                let last = self.graph.lane(second.thread).order[extents[j].last];
                self.graph.is_behind(last, first.read) == Some(true)
            };
            let is_before = match first.thread == second.thread {
                true => extents[i].first < extents[j].first,
                false => second.write.is_none() || first.write.is_some() && depends(),
            };
            if is_before && !forced.order(i, j) {
                return None;
            }
        }
        self.order_by_conflicts(&mut forced, &extents).then_some(forced)
    }

    fn extent(&self, section: &Section) -> Extent {
        let order = &self.graph.lane(section.thread).order;
        let at = |e: EventId| order.iter().position(|&x| x == e).unwrap_or(0);
        let last = section.release.map_or(order.len() - 1, at);
        Extent { thread: section.thread, first: at(section.read), last }
    }

    /// Adds what conflicts say; `false`: it goes round.
    fn order_by_conflicts(&mut self, forced: &mut Forced, extents: &[Extent]) -> bool {
        let mut conflicts: Vec<(EventId, EventId)> = Vec::new();
        for (loc, place) in self.graph.places().filter(|(_, place)| !place.witnessed && place.co.len() > 1) {
            debug_assert!(!self.graph.is_witnessed(loc));
            let behind = |at: usize, e: EventId| place.co[at + 1..].iter().map(move |&w| (e, w));
            for (at, &w) in place.co.iter().enumerate().skip(1) {
                conflicts.extend(behind(at, w));
            }
            for &r in &place.reads {
                let source = self.graph.event(r).rf;
                if let Some(at) = place.co.iter().position(|&w| w == source) {
                    conflicts.extend(behind(at, r));
                }
            }
        }
        let at = |e: EventId| {
            let thread = self.graph.event(e).thread;
            let place = self.graph.lane(thread).order.iter().position(|&x| x == e);
            (thread, place.unwrap_or(usize::MAX))
        };
        let within = |e: EventId| -> Vec<usize> {
            let (thread, at) = at(e);
            let is_in = |x: &Extent| x.thread == thread && (x.first..=x.last).contains(&at);
            (0..extents.len()).filter(|&i| is_in(&extents[i])).collect()
        };
        let mut found: Vec<(usize, usize, EventId, EventId)> = Vec::new();
        for (a, b) in conflicts {
            if self.graph.event(a).thread == self.graph.event(b).thread {
                continue;
            }
            let (first, second) = (within(a), within(b));
            let pairs = first.iter().flat_map(|&i| second.iter().map(move |&j| (i, j)));
            let same = |&(i, j): &(usize, usize)| forced.sections[i].loc == forced.sections[j].loc;
            found.extend(pairs.filter(same).map(|(i, j)| (i, j, a, b)));
        }
        found.into_iter().all(|(i, j, a, b)| {
            let is_known = forced.comes_before(i, j);
            is_known || !self.is_forced_by([forced.sections[i], forced.sections[j]], [a, b]) || forced.order(i, j)
        })
    }

    /// Whether a section comes before another one because an access in it is before one in the other by coherence, or reads what that overwrites.
    fn is_forced_by(&mut self, sections: [Section; 2], accesses: [EventId; 2]) -> bool {
        let side = |section: &Section, access: EventId| {
            let tags = self.graph.lane(section.thread).tags;
            Some((self.labels_of(section)?, seen(self.graph.event(access)), tags))
        };
        let [first, second] = [0, 1].map(|i| side(&sections[i], accesses[i]));
        let (Some(first), Some(second)) = (first, second) else { return false };
        let key = [first, second];
        if let Some(&known) = self.sections.forced.get(&key) {
            return known;
        }
        let graph = self.two_sections(sections, accesses);
        let is_forced = !self.allows(graph);
        self.sections.forced.insert(key, is_forced);
        is_forced
    }

    /// What a model can see of a section's acquisition and release.
    pub(super) fn labels_of(&self, section: &Section) -> Option<[Seen; 3]> {
        let taken = self.graph.event(section.read);
        let frame = taken.before.as_ref()?.frame();
        let release = self.sections.locks.as_ref()?.taken_by(frame.func, frame.pc)?;
        let given = (false, release.tags, Half::None, release.hidden);
        Some([seen(taken), seen(self.graph.event(section.write?)), given])
    }

    /// The second of two sections before the first one, with an access each of which the first comes before the second.
    fn two_sections(&self, sections: [Section; 2], accesses: [EventId; 2]) -> Graph {
        let mut graph = Graph::default();
        let lock = sections[0].loc;
        let data = self.graph.event(accesses[0]).loc;
        graph.add_init(lock, Some(0));
        let init = graph.add_init(data, Some(0));
        graph.set_witnessed(lock);
        let mut writes: Vec<EventId> = Vec::new();
        // The access that is first in coherence is added first.
        for (t, (section, access)) in sections.into_iter().zip(accesses).enumerate() {
            let thread = ThreadId::at(t);
            let tags = self.graph.lane(section.thread).tags;
            *graph.lane_mut(thread) = Lane { tags, ..Lane::default() };
            let Some(write) = section.write else { continue };
            let read = graph.add(Event { thread, ..bare(self.graph.event(section.read)) }, 0, 0);
            let end = graph.place(lock).map_or(1, |place| place.co.len());
            let taken = Event { thread, partner: read, ..bare(self.graph.event(write)) };
            writes.push(graph.add(taken, end, 1));
            let event = Event { thread, ..bare(self.graph.event(access)) };
            let kind = event.kind;
            let behind = graph.place(data).map_or(1, |place| place.co.len());
            let access = graph.add(event, behind, 2);
            if kind == Kind::Read {
                graph.event_mut(access).rf = init;
            }
            if let Some(release) = self.release_to_come(&section, write) {
                writes.push(graph.add(Event { thread, ..release }, end + 1, 3));
            }
        }
        writes.rotate_left(2);
        graph.set_coherence(lock, &writes);
        graph
    }
}
