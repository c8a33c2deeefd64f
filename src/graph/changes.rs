//! The ways in which a graph changes, and how it is kept true meanwhile what is known of it besides: rows, clocks, stamps.

use super::event::{Event, INIT_THREAD, Kind, NO_EVENT};
use super::memory::Contents;
use super::{Graph, Lane, Place, Status};
use crate::ids::{EventId, LocId, ThreadId};
use crate::program::thread::Thread;
use crate::relation::bits::Bits;

impl Graph {
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
        (place.unordered, place.witnessed) = (false, false);
        place.rows.insert(id.0);
        place.writes.insert(id.0);
        self.rows.insert(id.0);
        self.init_rows.insert(id.0);
        id
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
        self.settle_sections(loc);
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
            self.settle_sections(loc);
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
            if let Status::Stuck(_) = lane.status {
                lane.status = Status::Running;
            }
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
        for i in 0..self.locks.len() {
            self.settle_sections(self.locks[i]);
        }
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
        self.settle_sections(loc);
    }
}
