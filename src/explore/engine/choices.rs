//! What an access can choose: the source of a read, the place in coherence of a write.
//!
//! Choices that the accesses of its own thread, or the other half of a read-modify-write, certainly forbid are left out (`alone`, `excerpt`).

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::frames::{Choice, Passed, Refused};
use crate::explore::engine::search::Search;
use crate::explore::options::Equivalence;
use crate::graph::event::{Event, Kind, NO_EVENT};
use crate::ids::EventId;

impl<J: Checker> Search<'_, '_, J> {
    /// A read was reached.
    pub(in crate::explore) fn choose_source(&mut self, event: Box<Event>) {
        self.notice_recurrence_for(&event);
        let next = self.graph.place(event.loc).map_or(0, |p| p.co.len());
        if self.graph.is_unordered(event.loc) && !self.world.options.equivalence.is_reads_from() {
            (self.statistics.misjudged, self.stop) = (true, true);
        }
        let passed = self.passed(&event);
        let mut least = 0;
        if let Some(passed) = passed.filter(|_| self.filling.lookahead.is_none()) {
            // What is left is known then, and nothing is gone back to that turns out to be nothing.
            let mut refused = Refused::default();
            least = (0..next).take_while(|&at| self.is_stale(&event, at, passed, &mut refused)).count();
            least = self.outdated(&event, least);
        }
        let passed = passed.unwrap_or_default();
        self.push_frame(Choice::Source { event, next, least, passed });
    }

    /// What the thread of a read has passed at its location; nothing where all writes are alike to the read.
    pub(in crate::explore) fn passed(&self, read: &Event) -> Option<Passed> {
        self.graph.place(read.loc).filter(|place| place.co.len() > 1 && !place.unordered)?;
        let done = self.graph.lane(read.thread).done;
        let is_evicted = self.is_evicted(read);
        Some(Passed { write: self.own_write(read, done), read: self.own_read(read, done), is_evicted })
    }

    /// Whether a read certainly may not read the write at a place in coherence, because of what its thread passed.
    pub(in crate::explore) fn is_stale(
        &mut self,
        read: &Event,
        at: usize,
        passed: Passed,
        refused: &mut Refused,
    ) -> bool {
        let Some(place) = self.graph.place(read.loc).filter(|_| at < passed.end()) else { return false };
        let (source, newer) = (place.co[at], place.co[passed.write]);
        at < passed.write && !self.may_read_older(source, newer, read, &mut refused.older)
            || passed
                .read
                .is_some_and(|(earlier, end)| at < end && !self.may_read_back(source, earlier, read, &mut refused.back))
    }

    /// A write was reached.
    pub(in crate::explore) fn choose_position(&mut self, event: Box<Event>) {
        let (least, next) = self.positions(&event, None);
        self.push_frame(Choice::Position { event, next, least, reader: NO_EVENT, at: None, revisits: None });
    }

    /// The last position in coherence at which a write is tried, and one more than the first. Where the order is of no interest there is only one.
    pub(in crate::explore) fn positions(&mut self, write: &Event, at: Option<usize>) -> (usize, usize) {
        let Some(place) = self.graph.place(write.loc) else { return (1, 1) };
        let lane = self.graph.lane(write.thread);
        let passed = &lane.order[..at.unwrap_or(lane.done)];
        if place.unordered {
            let at = self.likely_place(write, place, passed);
            return (at, at + 1);
        }
        let length = place.co.len();
        let own = self.own_write(write, passed.len());
        let (earlier, passed) = (place.co[own], passed.len());
        let least = if own == 0 || self.may_come_before(earlier, write) { 1 } else { own + 1 };
        let least = self.behind_known(write, passed, least);
        let (least, next) = self.beside_its_source(write, passed, least, length + 1);
        if next - least > 1 && matches!(self.world.options.equivalence, Equivalence::ReadsFromBut(_)) {
            (self.ambiguous, self.stop) = (Some(self.world.locs.get(write.loc).0), true);
        }
        (least, next)
    }

    /// The place in coherence of the last write to an access's location among the first events of its thread, so many of them; 0 if there is
    /// none.
    fn own_write(&self, access: &Event, first: usize) -> usize {
        let Some(place) = self.graph.place(access.loc) else { return 0 };
        let order = &self.graph.lane(access.thread).order;
        let passed = |w: EventId| first == order.len() || order[..first].contains(&w);
        let own = place.co.iter().rposition(|&w| self.graph.event(w).thread == access.thread && passed(w));
        own.unwrap_or(0)
    }

    /// The last read of an access's location among the first events of its thread, so many of them, and the place in coherence of what it reads.
    fn own_read(&self, access: &Event, passed: usize) -> Option<(EventId, usize)> {
        let place = self.graph.place(access.loc)?;
        let order = &self.graph.lane(access.thread).order[..passed];
        // Whichever list is shorter.
        let read = if order.len() < place.reads.len() {
            let is_read = |&&e: &&EventId| {
                let event = self.graph.event(e);
                event.kind == Kind::Read && event.loc == access.loc
            };
            order.iter().rev().find(is_read)
        } else {
            let is_own = |r: &&EventId| self.graph.event(**r).thread == access.thread && order.contains(r);
            place.reads.iter().rev().find(is_own)
        };
        let &read = read?;
        let source = self.graph.event(read).rf;
        Some((read, place.co.iter().rposition(|&w| w == source)?))
    }

    /// Whether a place in coherence is the last, and so is what the read of the same read-modify-write reads.
    pub(in crate::explore) fn comes_last(&self, write: &Event, co: usize) -> bool {
        let Some(place) = self.graph.place(write.loc) else { return false };
        let reads_last = || Some(self.graph.event(write.partner).rf) == place.co.last().copied();
        co == place.co.len() && (write.partner == NO_EVENT || reads_last())
    }
}
