//! Which reads a write that was just reached may revisit.
//!
//! Where program order counts as a dependency, clocks say at once that the write depends on a read, or that a read passed over a write that a revisit keeps, and
//! mostly nothing is left. What is left is looked at with the write's prefix at hand: [`crate::explore::revisit::condition`] says what is maximal, `holes` what is kept.

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::frames::Revisit;
use crate::explore::engine::search::Search;
use crate::graph::clocks::Clock;
use crate::graph::event::Event;
use crate::graph::prefix::{PrefixKind, prefix as find_prefix};
use crate::ids::EventId;
use smallvec::SmallVec;

impl<J: Checker> Search<'_, '_, J> {
    /// The reads that a write may revisit.
    pub(in crate::explore) fn revisitable(&mut self, event: &Event) -> Vec<Revisit> {
        let reads = self.graph.place(event.loc).map_or(&[][..], |place| &place.reads);
        // A write that has evicted a read has done so by revisiting it.
        if event.evicts.is_some() || !reads.iter().any(|&r| self.may_be_independent(r, event)) {
            return Vec::new();
        }
        let since = self.filling.lookahead.unwrap_or(0);
        self.graph.settle_clocks();
        let clock = self.graph.clock_before(event);
        let may_be = |&r: &EventId| {
            let from_any = self.sections.are_witnessed();
            let is_known_not_to_be =
                |clock| self.graph.is_counted(clock, r) || !from_any && !self.may_be_maximal(r, clock);
            self.may_be_independent(r, event)
                && self.graph.event(r).stamp > since
                && !clock.as_ref().is_some_and(is_known_not_to_be)
        };
        let reads = self.graph.place(event.loc).map_or(&[][..], |place| &place.reads);
        let mut reads: SmallVec<[EventId; 8]> = reads.iter().rev().copied().filter(may_be).collect();
        if reads.is_empty() && clock.is_some() {
            return Vec::new();
        }
        let mut prefix = std::mem::take(&mut self.scratch.prefix);
        match clock {
            Some(clock) => self.graph.counted(&clock, &mut prefix),
            None => find_prefix(&self.graph, &self.world.deps, self.kind, event, &mut prefix, &mut self.scratch.work),
        }
        self.add_kin(event, &mut prefix);
        reads.retain(|r| !prefix.contains(r.0) && self.knows_evictions(*r, &prefix));
        reads.retain(|r| !self.would_fail_in_vain(*r, event.value));
        self.notice_weak_need(event, &prefix);
        self.statistics.revisitable += reads.len() as u64;
        reads.retain(|read| self.may_read_later(*read, event));
        let revisits = reads.into_iter().flat_map(|read| self.maximal_revisit(event, &prefix, read)).collect();
        self.scratch.prefix = prefix;
        revisits
    }

    /// Whether a write may not depend on a read, as far as their threads tell: where program order counts, it depends on what its own thread has read.
    fn may_be_independent(&self, read: EventId, write: &Event) -> bool {
        self.kind == PrefixKind::Dependencies || self.graph.event(read).thread != write.thread
    }

    /// Whether a read may have made the maximal choice with respect to the writes that a revisit keeps, by a write with this clock: those that are older
    /// than the read, and those that the write depends on. One that it passed over, where program order counts, settles that it has not.
    fn may_be_maximal(&self, read: EventId, write: &Clock) -> bool {
        let read = self.graph.event(read);
        let Some(place) = self.graph.place(read.loc).filter(|place| !place.unordered) else { return true };
        let is_kept = |w: EventId| self.graph.event(w).stamp < read.stamp || self.graph.is_counted(write, w);
        !place.co.iter().rev().copied().take_while(|&w| w != read.rf).any(is_kept)
    }
}
