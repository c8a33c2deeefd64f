//! Every revisit, from every graph.
//!
//! Exploration makes a revisit from one graph of those that lead to the same ([`crate::explore::revisit::maximal`]), keeps no more than the write needs ([`crate::explore::holes::keep_sets`]), and leaves to others what comes of them too
//! ([`crate::explore::holes::revisited_by_deleted`], [`crate::explore::holes::performed_by_maximal`]). None of that is done here. A revisit keeps all that does not depend on the read, whenever it was added, so nothing of what is explored from there depends on how the search came there;
//! a graph that a revisit makes is explored once, and what was found is remembered ([`crate::explore::holes::remember`]). It takes longer, by far where many reads may be revisited, and none of the rules
//! that are tested and not proved plays a part: so the one is held against the other where exploration goes by those.
//!
//! Not found: executions that decide about themselves, and those of which the way leads through graphs that have no place for an update because another one, which would read something else then, has taken it.

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::frames::Revisit;
use crate::explore::engine::search::Search;
use crate::graph::event::{Event, INIT_THREAD, NO_EVENT};
use crate::graph::prefix::{extend, prefix as find_prefix};
use crate::ids::EventId;
use crate::relation::bits::Bits;

/// Of so many other reads that may be read again all combinations are tried; of more, none, each, and all.
const FEW: usize = 4;

impl<J: Checker> Search<'_, '_, J> {
    /// The revisits of a read by a write that were not made before.
    pub(in crate::explore) fn every_revisit(&mut self, event: &Event, prefix: &Bits, r: EventId) -> Vec<Revisit> {
        let reads = self.graph.place(event.loc).map_or(&[][..], |place| &place.reads);
        let others: Vec<EventId> = reads.iter().copied().filter(|&e| e != r && !prefix.contains(e.0)).collect();
        let count = others.len();
        let again: Vec<Vec<EventId>> = match count {
            0..=FEW => {
                let way = |bits: usize| (0..count).filter(|i| bits >> i & 1 == 1).map(|i| others[i]).collect();
                (0..1 << count).map(way).collect()
            }
            _ => others.iter().map(|&e| vec![e]).chain([Vec::new(), others.clone()]).collect(),
        };
        let mut made = Vec::new();
        // What it reads now plays no part.
        let mut needed = Bits::new();
        let read = Event { rf: NO_EVENT, ..self.graph.event(r).clone() };
        find_prefix(&self.graph, &self.world.deps, self.kind, &read, &mut needed, &mut self.scratch.work);
        for again in again {
            for is_rerun in [false, true] {
                let left_out = self.left_out(r, &again, prefix, is_rerun);
                if left_out.iter().any(|e| needed.contains(e.0)) {
                    continue;
                }
                let keep = self.independent_of(r, &left_out);
                let is_new =
                    !self.is_from_the_future(event, r, &keep) && self.was_not_made(event, r, &keep).unwrap_or(true);
                if is_new {
                    made.push(Revisit { read: r, keep });
                }
            }
        }
        made
    }

    /// What is read anew: a read and others; with `is_rerun`, all that stands behind one of them in its thread, too, but for a prefix.
    fn left_out(&self, r: EventId, others: &[EventId], prefix: &Bits, is_rerun: bool) -> Vec<EventId> {
        let mut left_out: Vec<EventId> = others.iter().copied().chain([r]).collect();
        for &e in others.iter().chain([&r]).filter(|_| is_rerun) {
            let order = &self.graph.lane(self.graph.event(e).thread).order;
            let behind = order.iter().rev().take_while(|&&x| x != e);
            left_out.extend(behind.filter(|x| **x != r && !prefix.contains(x.0)));
        }
        left_out
    }

    /// A read and all that does not depend on what is left out.
    fn independent_of(&mut self, r: EventId, left_out: &[EventId]) -> Bits {
        let mut keep = Bits::new();
        for e in self.graph.ids() {
            let mut needed = Bits::new();
            if self.graph.event(e).thread != INIT_THREAD {
                extend(&self.graph, &self.world.deps, self.kind, e, &mut needed, &mut self.scratch.work);
            }
            if e == r || !left_out.iter().any(|other| needed.contains(other.0)) {
                keep.insert(e.0);
            }
        }
        keep
    }
}
