//! Execution graphs: events, reads-from, coherence, dependencies, and the order in which events were added.
//!
//! A graph changes in four ways only: an event is added, an event is removed again, a read gets another source, and
//! everything outside a set of events is deleted (a revisit). It knows neither programs nor models; the thread snapshots that
//! events carry are opaque to it.
//!
//! - [`event`]: one event.
//! - [`memory`]: what is in memory before the graph begins; locations.
//! - [`prefix`]: what an event depends on; [`clocks`]: the same where program order counts, kept up to date.
//! - [`names`]: the base sets and relations.
//! - `lane`: a thread of a graph.
//! - `kinds`: which base sets the events of a program can be members of together.
//! - [`feed`]: hands them to the kernel event by event; `edges` and `sync` compute them, `newest` those of events that come after everything else.
//! - [`uses`]: which base names a program can give a meaning to.
//! - [`view`]: the same, as plain data.

pub mod clocks;
mod edges;
pub mod event;
pub mod feed;
pub(crate) mod kinds;
mod lane;
pub mod memory;
pub mod names;
mod newest;
pub mod pairs;
pub mod prefix;
mod rows;
mod sync;
pub mod uses;
pub mod view;

use crate::ids::{EventId, LocId, ThreadId};
use crate::kernel::bits::Bits;
use crate::program::thread::Thread;
use event::{Event, INIT_THREAD, Kind, NO_EVENT, NO_LOC};
pub use lane::{Lane, Status};
use memory::Contents;
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
    /// Its reads, in the order in which they were added.
    pub reads: Vec<EventId>,
    /// The rows of all events that name it.
    pub rows: Bits,
    /// The rows of its writes.
    pub writes: Bits,
}

impl Default for Place {
    fn default() -> Self {
        let (rows, writes) = (Bits::new(), Bits::new());
        Place { init: NO_EVENT, co: Vec::new(), unordered: false, reads: Vec::new(), rows, writes }
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

    /// The lowest number that no event has.
    fn free_id(&self) -> EventId {
        let free = self.live.words().iter().position(|&w| w != u64::MAX);
        EventId(match free {
            Some(word) => word as u32 * 64 + self.live.words()[word].trailing_ones(),
            None => self.live.words().len() as u32 * 64,
        })
    }

    fn set(&mut self, id: EventId, event: Event) {
        self.live.insert(id.0);
        self.count += 1;
        if id.index() == self.events.len() {
            self.events.push(event);
        } else {
            self.events[id.index()] = event;
        }
    }

    /// Adds the initial write of a location.
    pub fn add_init(&mut self, loc: LocId, contents: impl Into<Contents>) -> EventId {
        let id = self.free_id();
        self.set(id, Event::init(loc, contents));
        if self.places.len() <= loc.index() {
            self.places.resize_with(loc.index() + 1, Place::default);
        }
        let place = &mut self.places[loc.index()];
        place.init = id;
        place.co.clear();
        place.co.push(id);
        place.unordered = false;
        place.rows.insert(id.0);
        place.writes.insert(id.0);
        self.rows.insert(id.0);
        self.init_rows.insert(id.0);
        id
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

    /// Enters an event into the sets of rows.
    fn note(&mut self, id: EventId) {
        let row = self.row(id);
        let event = &self.events[id.index()];
        let lane = &mut self.lanes[event.thread.index()];
        lane.waits += usize::from(event.kind.waits());
        self.frees += usize::from(event.kind == Kind::Free);
        if !event.kind.in_model() {
            return;
        }
        lane.rows.insert(row);
        self.rows.insert(row);
        if let Some(place) = self.places.get_mut(event.loc.index()) {
            place.rows.insert(row);
            if event.kind == Kind::Write {
                place.writes.insert(row);
            }
        }
    }

    /// Takes an event out of the sets of rows. A row that it shares with its other half stays.
    fn forget(&mut self, id: EventId) {
        let row = self.row(id);
        let event = &self.events[id.index()];
        let lane = &mut self.lanes[event.thread.index()];
        lane.waits -= usize::from(event.kind.waits());
        self.frees -= usize::from(event.kind == Kind::Free);
        if !event.kind.in_model() {
            return;
        }
        let place = self.places.get_mut(event.loc.index());
        if row == id.0 {
            lane.rows.remove(row);
            self.rows.remove(row);
        }
        if let Some(place) = place {
            if event.kind == Kind::Write {
                place.writes.remove(row);
            }
            if row == id.0 {
                place.rows.remove(row);
            }
        }
    }

    /// Removes the initial write of a location that nothing accesses any more.
    pub fn remove_init(&mut self, loc: LocId) {
        let place = &mut self.places[loc.index()];
        self.live.remove(place.init.0);
        self.count -= 1;
        self.rows.remove(place.init.0);
        self.init_rows.remove(place.init.0);
        place.init = NO_EVENT;
        place.co.clear();
        place.rows.clear();
        place.writes.clear();
    }

    /// Adds an event to its thread, at position `at` of program order.
    /// A write goes to position `co` of its location's coherence order; a read reads from its `rf`.
    pub fn add(&mut self, event: Event, co: usize, at: usize) -> EventId {
        let id = self.free_id();
        self.add_as(id, event, co, at);
        id
    }

    fn add_as(&mut self, id: EventId, mut event: Event, co: usize, at: usize) {
        self.next_stamp += 1;
        event.stamp = self.next_stamp;
        let (thread, kind, loc) = (event.thread, event.kind, event.loc);
        self.set(id, event);
        let lane = &mut self.lanes[thread.index()];
        lane.order.insert(at, id);
        match kind {
            Kind::Read => self.places[loc.index()].reads.push(id),
            Kind::Write => self.places[loc.index()].co.insert(co, id),
            _ => {}
        }
        self.note(id);
        self.tick(id);
    }

    /// Adds an event of a graph that this one is a restriction of ([`Self::restrict`]), by the same name and at its place in program order; its
    /// thread counts as having come there. What it reads may be changed, and its place in coherence (the number of writes before it) is given.
    /// [`Self::remove`] takes it back.
    pub fn add_again(&mut self, whole: &Graph, id: EventId, event: Event, co: usize) {
        let t = event.thread;
        if event.kind == Kind::Spawn {
            let child = ThreadId(event.value as u32);
            let Lane { spawn, depth, tags, .. } = *whole.lane(child);
            *self.lane_mut(child) = Lane { spawn, depth, tags, status: Status::Running, ..Lane::default() };
        }
        let before = whole.lane(t).order.iter().take_while(|&&e| e != id);
        let at = before.filter(|&&e| self.contains(e)).count();
        self.add_as(id, event, co, at);
        self.lane_mut(t).done = at + 1;
    }

    /// Takes back the latest [`Self::add`].
    pub fn remove(&mut self, id: EventId) {
        self.forget(id);
        self.untick(id);
        let (thread, kind, loc) = {
            let e = self.event(id);
            (e.thread, e.kind, e.loc)
        };
        let lane = &mut self.lanes[thread.index()];
        if let Some(at) = lane.order.iter().rposition(|&e| e == id) {
            lane.order.remove(at);
            lane.done = lane.done.min(at);
        }
        if let Kind::Read | Kind::Write = kind {
            let place = &mut self.places[loc.index()];
            let list = if kind == Kind::Read { &mut place.reads } else { &mut place.co };
            if let Some(at) = list.iter().rposition(|&e| e == id) {
                list.remove(at);
            }
        }
        self.next_stamp -= 1;
        self.live.remove(id.0);
        self.count -= 1;
        self.events[id.index()].before = None;
    }

    /// Deletes every event outside `keep` (initial writes stay while their location is accessed or `pinned`), and sets each
    /// thread back to its first deleted event, or to `restart` when that comes first.
    pub fn restrict(&mut self, keep: &Bits, restart: EventId, pinned: &dyn Fn(LocId) -> bool) {
        for t in 0..self.lanes.len() {
            let mut first = None;
            let order = &self.lanes[t].order;
            for (i, &e) in order.iter().enumerate().take(self.lanes[t].done) {
                if !keep.contains(e.0) || e == restart {
                    first = Some((i, e));
                    break;
                }
            }
            if let Some((at, e)) = first {
                let before = self.events[e.index()].before.clone();
                let lane = &mut self.lanes[t];
                lane.thread = before.map(Thread::from);
                lane.done = at;
                lane.status = Status::Running;
            }
            let lane = &mut self.lanes[t];
            lane.order.retain(|e| keep.contains(e.0));
            if lane.spawn != NO_EVENT && !keep.contains(lane.spawn.0) {
                *lane = Lane::default();
            }
            lane.rows.clear();
            lane.waits = 0;
        }
        for place in &mut self.places {
            place.co.retain(|w| *w == place.init || keep.contains(w.0));
            place.reads.retain(|r| keep.contains(r.0));
            place.rows.clear();
            place.writes.clear();
            if place.init != NO_EVENT {
                place.rows.insert(place.init.0);
                place.writes.insert(place.init.0);
            }
        }
        for i in 0..self.places.len() {
            let place = &self.places[i];
            if place.init != NO_EVENT && place.co.len() == 1 && place.reads.is_empty() && !pinned(LocId::at(i)) {
                self.remove_init(LocId::at(i));
            }
        }
        let dead: Vec<u32> =
            self.live.iter().filter(|&e| self.events[e as usize].thread != INIT_THREAD && !keep.contains(e)).collect();
        for e in dead {
            self.live.remove(e);
            self.count -= 1;
            self.events[e as usize].before = None;
        }
        self.retain_clocks(keep);
        self.rows = self.init_rows.clone();
        self.frees = 0;
        for t in 0..self.lanes.len() {
            for i in 0..self.lanes[t].order.len() {
                self.note(self.lanes[t].order[i]);
            }
        }
    }

    /// Gives a read another source.
    pub fn set_rf(&mut self, read: EventId, write: EventId) {
        let value = self.event(write).value;
        let event = self.event_mut(read);
        event.rf = write;
        event.read_value(value);
    }

    /// Says which write a read reads whose value it has already.
    pub fn set_source(&mut self, read: EventId, write: EventId) {
        self.event_mut(read).rf = write;
        self.untick(read);
        self.tick(read);
    }

    /// Orders the writes of a location after its initial one.
    pub fn set_coherence(&mut self, loc: LocId, order: &[EventId]) {
        let place = &mut self.places[loc.index()];
        place.co.truncate(1);
        place.co.extend_from_slice(order);
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

    /// The arrivals at a barrier in one round.
    pub fn arrivals(&self, barrier: u64, round: u64) -> impl Iterator<Item = EventId> + '_ {
        self.ids().filter(move |&e| {
            let e = self.event(e);
            e.kind == Kind::Arrive && e.value == barrier && e.size == round
        })
    }

    /// Whether some thread has left a round of a barrier: all that take part have arrived.
    pub fn is_round_over(&self, barrier: u64, round: u64) -> bool {
        self.ids().map(|e| self.event(e)).any(|e| e.kind == Kind::Depart && e.value == barrier && e.size == round)
    }

    /// The round of a barrier in which a thread arrives next: behind those that it has left, and that the threads had left which created it, or which it has
    /// joined.
    pub fn next_round(&self, t: ThreadId, barrier: u64) -> u64 {
        let lane = self.lane(t);
        self.rounds_left(lane, &lane.order[..lane.done], barrier)
    }

    fn rounds_left(&self, lane: &Lane, passed: &[EventId], barrier: u64) -> u64 {
        let creator = self.contains(lane.spawn).then(|| self.lane(self.event(lane.spawn).thread));
        let before = creator.map_or(0, |creator| {
            let at = creator.order.iter().position(|&e| e == lane.spawn).unwrap_or(0);
            self.rounds_left(creator, &creator.order[..at], barrier)
        });
        passed.iter().map(|&e| self.event(e)).fold(before, |left, e| match e.kind {
            Kind::Depart if e.value == barrier => left.max(e.size + 1),
            Kind::Join => {
                let joined = self.lane(ThreadId(e.value as u32));
                left.max(self.rounds_left(joined, &joined.order, barrier))
            }
            _ => left,
        })
    }

    /// The round of a barrier in which a thread is that has arrived there.
    pub fn round(&self, lane: &Lane, barrier: u64) -> u64 {
        let passed = lane.order[..lane.done].iter().rev().map(|&e| self.event(e));
        let mut arrivals = passed.filter(|e| e.kind == Kind::Arrive && e.value == barrier);
        arrivals.next().map_or(0, |e| e.size)
    }

    /// Whether two events access one location.
    pub fn same_location(&self, a: EventId, b: EventId) -> bool {
        let loc = self.event(a).loc;
        loc != NO_LOC && loc == self.event(b).loc
    }
}
