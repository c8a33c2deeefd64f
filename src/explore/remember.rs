//! Executions that were found, where some can be reached in two ways.
//!
//! Where a revisit leaves holes and it is not seen whether what it makes comes of a smaller one too ([`super::target`]), it is made, and executions that come of both count once: they are remembered, as
//! 128 bits each. What was found before the first such revisit would have to be known as well, so exploration by several threads, which
//! remembers nothing, ends there and is done anew by one ([`super::parallel`]).
//!
//! Limits: after [`MOST`] executions no more are remembered, and what comes later may count twice; [`Statistics::forgetful`](super::Statistics::forgetful) says so.

use super::judge::Judge;
use super::search::Search;
use crate::graph::event::{Event, Kind};
use crate::ids::EventId;
use crate::kernel::bits::Bits;
use rustc_hash::FxHashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// So many executions are remembered (about 80 MB).
const MOST: usize = 7 << 19;

/// What was found.
pub(super) struct Remembered {
    executions: FxHashSet<u128>,
    /// So many of them at most.
    most: usize,
    /// Graphs that such revisits made, with the order in which events were added: each is explored once, so exploration ends.
    revisits: FxHashSet<u128>,
}

/// What is known of an execution.
#[derive(PartialEq, Eq, Debug)]
enum Known {
    /// It was found before.
    Found,
    /// It was not.
    New,
    /// It is not among those that are remembered, and there is no room for more.
    Unknown,
}

impl Remembered {
    fn with_room(most: usize) -> Remembered {
        Remembered { executions: FxHashSet::default(), most, revisits: FxHashSet::default() }
    }

    fn meet(&mut self, execution: u128) -> Known {
        if self.executions.len() >= self.most {
            return if self.executions.contains(&execution) { Known::Found } else { Known::Unknown };
        }
        if self.executions.insert(execution) { Known::New } else { Known::Found }
    }
}

/// Two hashes, which differ in what they begin with.
struct Digest([DefaultHasher; 2]);

impl Digest {
    fn new() -> Digest {
        let begun = |with: u64| {
            let mut hasher = DefaultHasher::new();
            hasher.write_u64(with);
            hasher
        };
        Digest([begun(0), begun(1)])
    }

    fn add(&mut self, what: impl Hash) {
        self.0.iter_mut().for_each(|hasher| what.hash(hasher));
    }

    fn value(&self) -> u128 {
        let [low, high] = self.0.each_ref().map(Hasher::finish);
        u128::from(high) << 64 | u128::from(low)
    }
}

impl<J: Judge> Search<'_, '_, J> {
    /// Has it remember the executions that it finds.
    pub(super) fn remembering(mut self) -> Self {
        self.remembered = Some(Box::new(Remembered::with_room(MOST)));
        self
    }

    /// Whether the graph at hand, where no thread can run, was found before, and may have been. (That nothing comes twice without such a revisit is for tests
    /// to see, so it is not hidden.)
    pub(super) fn was_found(&mut self) -> bool {
        if self.remembered.is_none() {
            return false;
        }
        let execution = self.digest();
        let known = self.remembered.as_mut().map_or(Known::New, |remembered| remembered.meet(execution));
        self.statistics.forgetful |= known == Known::Unknown;
        known == Known::Found && self.statistics.twofold
    }

    /// Whether a revisit is made of which it is not seen whether another one makes the same. Where executions are not remembered the search ends.
    pub(super) fn is_made_in_doubt(&mut self, event: &Event, r: EventId, keep: &Bits) -> bool {
        self.statistics.twofold = true;
        let Some(mut remembered) = self.remembered.take() else {
            self.stop = true;
            return false;
        };
        let mut digest = Digest::new();
        digest.add(self.fingerprint(event, r, keep));
        let mut kept: Vec<EventId> = keep.iter().map(EventId).collect();
        kept.sort_unstable_by_key(|&e| self.graph.event(e).stamp);
        digest.add(kept.iter().map(|e| e.0).collect::<Vec<_>>());
        let is_new = remembered.revisits.insert(digest.value());
        self.remembered = Some(remembered);
        is_new
    }

    /// A name for the graph at hand: every event with its value, its source and its place in coherence.
    fn digest(&self) -> u128 {
        let mut digest = Digest::new();
        for (t, lane) in self.graph.lanes().iter().enumerate() {
            digest.add((t, lane.order.len(), lane.done));
            for &e in &lane.order {
                let event = self.graph.event(e);
                digest.add((event.key, event.loc.0, event.value));
                if event.kind == Kind::Read {
                    digest.add(self.name_of(event.rf));
                }
            }
        }
        for (loc, place) in self.graph.places().filter(|(_, place)| !place.unordered && place.co.len() > 2) {
            digest.add((loc.0, place.co.len()));
            place.co[1..].iter().for_each(|&w| digest.add(self.name_of(w)));
        }
        digest.value()
    }
}

#[cfg(test)]
mod tests {
    use super::{Known, Remembered};

    #[test]
    fn what_there_is_no_room_for_is_not_taken_for_new() {
        let mut remembered = Remembered::with_room(2);
        assert_eq!([7, 8, 7].map(|e| remembered.meet(e)), [Known::New, Known::New, Known::Found]);
        assert_eq!([9, 8, 9].map(|e| remembered.meet(e)), [Known::Unknown, Known::Found, Known::Unknown]);
    }
}
