//! Reads that read from a write which a revisit deletes.
//!
//! Such a read `q` was revisited by the write `w` that it reads. It is older than the read `r` that is to be revisited now, and `w` is not: so `r` was kept by that revisit because
//! `w` needs it, and what `w` needs is not taken from it. What comes of the revisit of `r` comes of one of `q` by `w` as well, from a graph in which `r` has been revisited and `q` reads something else.
//!
//! There need not be such a graph. `w` may be the write of an update that read the same as the update of `q`: it has no place unless `q` reads from it. So it is asked whether there is,
//! with `q` added before what the revisit of `r` would add. If not, that revisit is made without `q` and all that needs it.
//!
//! Not certain: a graph that is found may be one to which exploration does not come, because `q` reads there what is last of what the revisit keeps. Such programs count as `unproved` ([`Statistics`](crate::explore::statistics::Statistics)).

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::frames::Revisit;
use crate::explore::engine::search::Search;
use crate::explore::holes::known::Question;
use crate::explore::revisit::condition;
use crate::explore::revisit::condition::Alternative;
use crate::graph::event::{Event, INIT_THREAD, NO_EVENT};
use crate::graph::prefix::extend;
use crate::ids::EventId;
use crate::relation::bits::Bits;

impl<J: Checker> Search<'_, '_, J> {
    /// Whether a kept read other than `r` reads from an event that is not kept.
    pub(in crate::explore) fn reads_from_deleted(&self, keep: &Bits, r: EventId) -> bool {
        keep.iter().any(|e| e != r.0 && self.is_lent(EventId(e), keep))
    }

    fn is_lent(&self, e: EventId, keep: &Bits) -> bool {
        let source = self.graph.event(e).rf;
        source != NO_EVENT && !keep.contains(source.0)
    }

    /// The revisit that is made instead of one that keeps such reads, if any is. Where the write is not reached without them however they are filled in, no
    /// dependency tells that it needs them, and what it would lead to is said to be missing.
    pub(in crate::explore) fn revisit_without_lent(
        &mut self,
        event: &Event,
        r: EventId,
        keep: &Bits,
    ) -> Option<Revisit> {
        if self.filling.lookahead.is_some() {
            return None;
        }
        let mut rest = self.without_lent(keep, r);
        if condition::holes(&self.graph, &rest, event.thread).is_empty() {
            return None;
        }
        self.statistics.unproved = true;
        let mut lent: Vec<EventId> = keep.iter().map(EventId).filter(|&q| q != r && self.is_lent(q, keep)).collect();
        lent.sort_by_key(|&q| self.graph.event(q).stamp);
        let is_reached = self.is_reached_without(event, &rest, &[]);
        if is_reached && self.is_reached_without(event, &rest, &lent) {
            return None;
        }
        rest.insert(r.0);
        if !self.can_begin(event, r, &rest) || self.stop {
            return None;
        }
        self.statistics.circular |= !is_reached;
        (is_reached && self.is_made_in_doubt(event, r, &rest)).then_some(Revisit { read: r, keep: rest })
    }

    /// What is kept and needs neither `r` nor what is not kept.
    fn without_lent(&mut self, keep: &Bits, r: EventId) -> Bits {
        let mut rest = Bits::new();
        for e in keep.iter().filter(|&e| e != r.0 && self.graph.event(EventId(e)).thread != INIT_THREAD) {
            let mut needed = Bits::new();
            extend(&self.graph, &self.world.deps, self.kind, EventId(e), &mut needed, &mut self.scratch.work);
            if needed.iter().all(|n| n != r.0 && keep.contains(n)) {
                rest.insert(e);
            }
        }
        rest
    }

    /// Whether the write is reached from this when these reads are added first, and not revisited.
    fn is_reached_without(&mut self, event: &Event, rest: &Bits, lent: &[EventId]) -> bool {
        let mut key = self.fingerprint(event, NO_EVENT, rest).into_vec();
        key.extend(lent.iter().map(|q| q.0));
        let since = self.graph.last_stamp() + lent.len() as u32;
        let lent: Vec<Event> = lent.iter().map(|&q| self.graph.event(q).clone()).collect();
        self.answer(key.into(), Question::Reached, |search| {
            let goal = search.to_reach(event, rest);
            search.reaches(rest, Some(goal), 0, since, |search| lent.iter().all(|q| search.adds_again(q)))
        })
    }

    /// Adds a read again, from the last write that is there, if its thread stands before it.
    pub(in crate::explore) fn adds_again(&mut self, read: &Event) -> bool {
        let lane = self.graph.lane(read.thread);
        let stands = |key: u64| lane.thread.as_ref().is_some_and(|t| t.place(self.world.program).key == key);
        if lane.done < lane.order.len() || !stands(read.key) {
            return true;
        }
        let Some(&last) = self.graph.place(read.loc).and_then(|place| place.co.last()) else { return true };
        let (event, co) = self.with_choice(read.clone(), Alternative::Source(last));
        self.makes_choice(event, co, None)
    }
}
