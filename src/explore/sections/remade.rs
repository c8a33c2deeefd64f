//! Which revisits are made: each that makes a graph which no revisit has made before.
//!
//! Elsewhere a revisit is made from one graph of those that lead to the same, the maximal one ([`crate::explore::revisit::condition`]). Here that may not be there: what it deletes is added again in an order in which a section that
//! comes first need not be added first, and where it is not, none of the choices of another one may be possible. So revisits are made from any graph, and what they made is remembered, as 128 bits each.

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::search::Search;
use crate::graph::event::{Event, INIT_THREAD, NO_EVENT, NO_LOC};
use crate::ids::EventId;
use crate::relation::bits::Bits;
use xxhash_rust::xxh3::xxh3_128;

impl<J: Checker> Search<'_, '_, J> {
    /// Whether a write is to revisit a read, keeping this: the graph is one, and was not made before.
    pub(in crate::explore) fn is_to_be_made(&mut self, write: &Event, r: EventId, keep: &Bits) -> bool {
        let is_kept = |e: EventId| self.graph.event(e).thread == INIT_THREAD || keep.contains(e.0);
        let has_source = |e: EventId| {
            let event = self.graph.event(e);
            e == r || event.rf == NO_EVENT || self.graph.is_witnessed(event.loc) || is_kept(event.rf)
        };
        keep.iter().map(EventId).all(has_source) && {
            let name = self.name_of_remade(write, r, keep);
            self.sections.made.insert(name)
        }
    }

    /// A name for what a revisit makes: the events that it keeps with their values and sources, and coherence, but for those of locks.
    fn name_of_remade(&self, write: &Event, r: EventId, keep: &Bits) -> u128 {
        let mut bytes: Vec<u8> = Vec::with_capacity(32 * keep.len());
        let mut put = |n: u64| bytes.extend_from_slice(&n.to_le_bytes());
        let identity = |e: EventId| {
            let event = self.graph.event(e);
            // The key of an initial write is the number of its location, which is named besides.
            [u64::from(event.thread.0), if event.thread == INIT_THREAD { 0 } else { event.key }]
        };
        put(self.world.chosen);
        [u64::from(write.thread.0), write.key, write.value].into_iter().for_each(&mut put);
        identity(r).into_iter().for_each(&mut put);
        for (t, lane) in self.graph.lanes().iter().enumerate() {
            let kept = lane.order.iter().copied().filter(|e| keep.contains(e.0));
            // A thread that is not there is no more than one of which nothing is kept.
            let count = kept.clone().count();
            if count > 0 {
                [t as u64, count as u64].into_iter().for_each(&mut put);
            }
            for e in kept {
                let event = self.graph.event(e);
                put(event.key);
                if event.loc != NO_LOC {
                    put(self.world.locs.get(event.loc).0);
                }
                if e != r {
                    put(event.value);
                    if event.rf != NO_EVENT && !self.graph.is_witnessed(event.loc) {
                        identity(event.rf).into_iter().for_each(&mut put);
                    }
                }
            }
        }
        let mut orders: Vec<_> =
            self.graph.places().filter(|(_, place)| !place.witnessed && place.co.len() > 2).collect();
        orders.sort_unstable_by_key(|&(loc, _)| self.world.locs.get(loc));
        for (loc, place) in orders {
            let (address, size) = self.world.locs.get(loc);
            let kept = place.co[1..].iter().copied().filter(|w| keep.contains(w.0));
            let count = kept.clone().count();
            if count > 1 {
                [address, u64::from(size), count as u64].into_iter().for_each(&mut put);
                kept.flat_map(identity).for_each(&mut put);
            }
        }
        xxh3_128(&bytes)
    }
}
