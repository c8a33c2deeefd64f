//! Execution graphs: events, reads-from, coherence, dependencies, and the order in which events were added.
//!
//! A graph changes in four ways only: an event is added, an event is removed again, a read gets another source, and
//! everything outside a set of events is deleted (a revisit). It knows neither programs nor models; the thread snapshots that
//! events carry are opaque to it.
//!
//! - [`event`]: one event; `lane`: a thread.
//! - [`memory`]: what is in memory before the graph begins; locations.
//! - [`prefix`]: what an event depends on; [`clocks`]: the same where program order counts, kept up to date.
//! - `changes`: how events come and go; `rounds`: of barriers; [`pairs`]: read-modify-writes; [`sections`]: of locks whose order is witnessed.
//! - [`base_relations`]: hands base sets and relations to the kernel event by event; `sync`: what creating, joining and barriers order.
//! - [`view`]: the same, as plain data.

pub mod base_relations;
mod changes;
pub mod clocks;
pub mod event;
mod lane;
pub mod memory;
pub mod pairs;
pub mod prefix;
mod rounds;
pub mod sections;
mod sync;
pub mod view;

use crate::ids::{EventId, LocId, ThreadId};
use crate::relation::bits::Bits;
use event::{Event, NO_EVENT, NO_LOC};
pub use lane::{Lane, Status};
use smallvec::SmallVec;

/// A location of the graph.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its initial write, or [`NO_EVENT`] when nothing accesses it.
    pub init: EventId,
    /// All its writes in coherence order, the initial one first.
    pub co: Vec<EventId>,
    /// Whether that order is of no interest: any will do that makes the graph consistent, and this is one.
    pub unordered: bool,
    /// Whether it is the word of a lock whose sections have a witness order ([`sections`]).
    pub witnessed: bool,
    /// Its reads, in the order in which they were added.
    pub reads: Vec<EventId>,
    /// The rows of all events that name it.
    pub rows: Bits,
    /// The rows of its writes.
    pub writes: Bits,
    /// Its address, where it survives a crash; else 0.
    pub address: u64,
}

impl Default for Place {
    fn default() -> Self {
        let (rows, writes) = (Bits::new(), Bits::new());
        let (co, reads) = (Vec::new(), Vec::new());
        Place { init: NO_EVENT, co, unordered: false, witnessed: false, reads, rows, writes, address: 0 }
    }
}

/// An execution graph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    events: Vec<Event>,
    live: Bits,
    /// How many are live.
    count: usize,
    lanes: Vec<Lane>,
    places: Vec<Place>,
    /// The rows of all events that a model sees.
    rows: Bits,
    /// Those of initial writes.
    init_rows: Bits,
    /// How many events end the life of memory.
    frees: usize,
    next_stamp: u32,
    /// The words of locks whose sections have a witness order.
    locks: SmallVec<[LocId; 4]>,
    /// How far each event looks back, where that is kept.
    clocks: Option<clocks::Clocks>,
}

impl Graph {
    /// A graph without events, with room for so many.
    pub fn with_room(events: usize) -> Graph {
        Graph { events: Vec::with_capacity(events), ..Graph::default() }
    }

    /// The event behind an id.
    #[inline]
    pub fn event(&self, id: EventId) -> &Event {
        &self.events[id.index()]
    }

    /// As [`Self::event`], to change it.
    #[inline]
    pub fn event_mut(&mut self, id: EventId) -> &mut Event {
        &mut self.events[id.index()]
    }

    /// Whether there is such an event.
    #[inline]
    pub fn contains(&self, id: EventId) -> bool {
        id != NO_EVENT && self.live.contains(id.0)
    }

    /// All events, in order of id.
    pub fn ids(&self) -> impl Iterator<Item = EventId> + '_ {
        self.live.iter().map(EventId)
    }

    /// Those of which something holds.
    pub fn ids_of(&self, holds: impl Fn(EventId) -> bool) -> Bits {
        let mut ids = self.live.clone();
        ids.retain(|e| holds(EventId(e)));
        ids
    }

    /// Number of events, initial writes included.
    #[inline]
    pub fn len(&self) -> usize {
        debug_assert_eq!(self.count, self.live.len());
        self.count
    }

    /// Whether there is no event.
    pub fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    /// The threads, in order of [`ThreadId`].
    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// A thread.
    #[inline]
    pub fn lane(&self, id: ThreadId) -> &Lane {
        &self.lanes[id.index()]
    }

    /// A thread, to change it; made if need be.
    #[inline]
    pub fn lane_mut(&mut self, id: ThreadId) -> &mut Lane {
        if self.lanes.len() <= id.index() {
            self.make_lanes(id.index() + 1);
        }
        &mut self.lanes[id.index()]
    }

    #[cold]
    fn make_lanes(&mut self, count: usize) {
        self.lanes.resize_with(count, Lane::default);
    }

    /// A location that is accessed.
    pub fn place(&self, loc: LocId) -> Option<&Place> {
        self.places.get(loc.index()).filter(|p| p.init != NO_EVENT)
    }

    /// All locations that are accessed.
    pub fn places(&self) -> impl Iterator<Item = (LocId, &Place)> {
        self.places.iter().enumerate().filter(|(_, p)| p.init != NO_EVENT).map(|(i, p)| (LocId::at(i), p))
    }

    /// Says where a location that survives a crash is.
    pub fn set_address(&mut self, loc: LocId, address: u64) {
        self.places[loc.index()].address = address;
    }

    /// Where an event is: the address that it accesses, if that survives a crash, or that it is about; 0 when there is none.
    #[inline]
    pub fn address(&self, event: &Event) -> u64 {
        match self.places.get(event.loc.index()) {
            Some(place) if event.loc != NO_LOC => place.address,
            _ if event.kind == event::Kind::Fence => event.value,
            _ => 0,
        }
    }

    /// Says that the coherence order of a location that is accessed is of no interest.
    pub fn set_unordered(&mut self, loc: LocId) {
        self.places[loc.index()].unordered = true;
    }

    /// Whether the coherence order of a location is of no interest.
    #[inline]
    pub fn is_unordered(&self, loc: LocId) -> bool {
        self.places.get(loc.index()).is_some_and(|place| place.unordered)
    }

    /// The writes of a location, the initial one first, the others in coherence order, or where that is of no interest by thread and program order, which no
    /// way of reaching the graph changes.
    pub fn listed(&self, loc: LocId) -> SmallVec<[EventId; 8]> {
        let Some(place) = self.place(loc) else { return SmallVec::new() };
        let mut writes: SmallVec<[EventId; 8]> = place.co.iter().copied().collect();
        if place.unordered {
            let order = |thread: ThreadId| &self.lanes[thread.index()].order;
            let at = |w: EventId| order(self.event(w).thread).iter().position(|&e| e == w);
            writes[1..].sort_by_cached_key(|&w| (self.event(w).thread, at(w)));
        }
        writes
    }

    /// The last write of a location in coherence order.
    pub fn last_write(&self, loc: LocId) -> Option<EventId> {
        self.place(loc).and_then(|p| p.co.last().copied())
    }

    /// The position of a write in its location's coherence order (0 for the initial write).
    pub fn co_index(&self, write: EventId) -> usize {
        let loc = self.event(write).loc;
        self.places[loc.index()].co.iter().position(|&w| w == write).unwrap_or(usize::MAX)
    }

    /// The rows of all events that a model sees.
    pub fn rows(&self) -> &Bits {
        &self.rows
    }

    /// Those of initial writes.
    pub fn init_rows(&self) -> &Bits {
        &self.init_rows
    }

    /// Whether some event ends the life of memory.
    pub fn has_frees(&self) -> bool {
        self.frees > 0
    }

    /// The largest stamp given so far.
    pub fn last_stamp(&self) -> u32 {
        self.next_stamp
    }

    /// The row that an event has in the model's eyes: the two halves of a fused read-modify-write share one.
    #[inline]
    pub fn row(&self, id: EventId) -> u32 {
        let e = self.event(id);
        match e.half {
            crate::program::Half::FusedWrite if e.partner != NO_EVENT => e.partner.0,
            _ => id.0,
        }
    }

    /// Whether two events access one location.
    pub fn same_location(&self, a: EventId, b: EventId) -> bool {
        let loc = self.event(a).loc;
        loc != NO_LOC && loc == self.event(b).loc
    }
}
