//! Threads that wait for a lock stand before it.
//!
//! A thread has read that a lock is free, by a read-modify-write, and another one takes the lock first: its write revisits that read. The first thread then reads that the lock is taken and waits, for
//! nothing but a write that comes behind this one. So its read is deleted rather than revisited: the thread stands before the lock again, sleeps until it is free (`awaits`), and reads what is there then. An
//! exploration that ends with a thread that waits for a lock is none of these.
//!
//! The write *has evicted* the read. It counts as read by something older than it, so it is not deleted again while that would be there ([`crate::explore::revisit::condition`]); and when the thread comes to the read again, it
//! reads nothing that does not depend on the write. `docs/waits.md`, *Waits*.

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::frames::Choice;
use crate::explore::engine::search::Search;
use crate::graph::event::{Event, Evicted, NO_EVENT};
use crate::graph::prefix::PrefixKind;
use crate::ids::EventId;
use crate::program::thread::{Completion, Thread};
use crate::program::{Half, Start};
use crate::relation::bits::Bits;
use smallvec::SmallVec;

impl<J: Checker> Search<'_, '_, J> {
    /// Whether a read that a write revisits took the write that this one's read-modify-write takes as well, and its thread only waits when it reads this one.
    pub(in crate::explore) fn only_waits_behind(&mut self, write: &Event, r: EventId) -> bool {
        if self.kind != PrefixKind::ProgramOrder || !self.delays_waits() || self.world.may_end_early {
            return false;
        }
        let read = self.graph.event(r);
        let takes_the_same = self.graph.contains(write.partner) && self.graph.event(write.partner).rf == read.rf;
        if !takes_the_same || !is_update(read) || self.graph.is_unordered(read.loc) {
            return false;
        }
        let (t, read) = (read.thread, read.clone());
        let Some(before) = read.before.clone() else { return false };
        let Some(at) = self.graph.lane(t).order.iter().position(|&e| e == r) else { return false };
        let mut thread = Thread::from(before);
        thread.finish(Completion::of(write.value, false));
        let mut would_read = read;
        would_read.read_value(write.value);
        self.stops_from(t, thread, at as u32 + 1) && !self.may_be_wrong_with(&would_read, write)
    }

    /// Whether something may be wrong with a read that no execution shows in which it is not made.
    fn may_be_wrong_with(&mut self, read: &Event, write: &Event) -> bool {
        self.is_freed_by_another(read)
            || self.may_race_with_any(read, None)
            || self.tells_of_rounds() && self.judges.checkers[0].has_flags() && self.may_race(read, write)
    }

    /// Deletes a read that a write revisits, with what the revisit deletes, and opens the choice of the write's place in coherence.
    pub(in crate::explore) fn evict(&mut self, mut event: Event, r: EventId, mut keep: Bits) {
        let Event { thread, key, stamp, loc, .. } = *self.graph.event(r);
        event.evicts = Some(Evicted { thread, key, stamp });
        keep.remove(r.0);
        let together = matches!(self.world.program.start, Start::Together(_));
        let deleted = self.graph.ids().filter(|e| !keep.contains(e.0)).map(|e| self.graph.event(e).stamp);
        let oldest = deleted.filter(|&s| s > 0).min().unwrap_or(stamp);
        let original = Box::new(self.graph.clone());
        self.graph.restrict(&keep, NO_EVENT, &|other| together || other == loc);
        self.forget_evictions(stamp);
        let in_place = self.timed(|search| search.enter_restriction(oldest));
        self.push_frame(Choice::Revisit { original, in_place });
        self.choose_position(Box::new(event));
    }

    /// Reads that were evicted are added again when a revisit deletes what is younger than this, unless they are older.
    pub(in crate::explore) fn forget_evictions(&mut self, stamp: u32) {
        let is_younger = |e: &EventId| self.graph.event(*e).evicts.is_some_and(|evicted| evicted.stamp > stamp);
        let all: SmallVec<[EventId; 4]> = self.graph.ids().filter(is_younger).collect();
        all.into_iter().for_each(|e| self.graph.event_mut(e).evicts = None);
    }

    /// The writes that have evicted a read which its thread has come to again.
    fn evictions(&self, read: &Event) -> SmallVec<[EventId; 2]> {
        let has_evicted = |w: &EventId| {
            let evicted = self.graph.event(*w).evicts;
            evicted.is_some_and(|evicted| (evicted.thread, evicted.key) == (read.thread, read.key))
        };
        let place = self.graph.place(read.loc).filter(|_| self.kind == PrefixKind::ProgramOrder && is_update(read));
        place.map_or_else(SmallVec::new, |place| place.co.iter().copied().filter(has_evicted).collect())
    }

    /// Whether a write has evicted a read to which its thread has come again.
    pub(in crate::explore) fn is_evicted(&self, read: &Event) -> bool {
        !self.evictions(read).is_empty()
    }

    /// Whether a write is no source for a read, because it does not depend on a write that has evicted the read.
    pub(in crate::explore) fn is_before_eviction(&mut self, read: &Event, source: EventId) -> bool {
        let evictions = self.evictions(read);
        self.graph.settle_clocks();
        let depends = |w: EventId| {
            let is_behind = || self.graph.co_index(source) >= self.graph.co_index(w);
            self.graph.is_behind(source, w).unwrap_or_else(is_behind)
        };
        !evictions.into_iter().all(depends)
    }

    /// Whether a revisiting write, of which this is the prefix, depends on the writes that have evicted a read.
    pub(in crate::explore) fn knows_evictions(&self, read: EventId, prefix: &Bits) -> bool {
        self.evictions(self.graph.event(read)).into_iter().all(|w| prefix.contains(w.0))
    }
}

/// Whether a read belongs to a read-modify-write, if it finds what that expects.
fn is_update(read: &Event) -> bool {
    matches!(read.expected_half, Half::AmoRead | Half::FusedRead | Half::ExRead)
}
