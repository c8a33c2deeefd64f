//! What filling holes remembers, and what it is to come to.

use crate::graph::event::Event;
use crate::ids::ThreadId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use xxhash_rust::xxh3::xxh3_128;

/// What an event is called however it is reached: its thread and its identity there.
pub(in crate::explore) type Name = (ThreadId, u64);

/// What an event took.
pub(super) enum Held {
    Value(u64),
    Source(Name),
    /// The writes before it in coherence, and behind it.
    Place(Vec<Name>, Vec<Name>),
}

/// The choices that must be made.
#[derive(Default)]
pub(in crate::explore) struct Script(pub(super) Vec<(Name, Held)>);

/// Answers are remembered for keys of so many numbers in all; then they are forgotten. A key has about a dozen numbers for each event that is kept.
const REMEMBERED: usize = 1 << 20;

/// What is asked of what a revisit keeps. The answer depends on that alone, and the same is kept in many graphs, so answers are remembered.
#[derive(Clone, Copy)]
pub(in crate::explore) enum Question {
    /// Whether the holes can be filled.
    Filled,
    /// Whether there is a graph from which the revisit is maximal; of a loan, whether the write is reached without it.
    Reached,
    /// Whether anything may come of it.
    Begun,
    /// Whether it is made from the graph from which it is maximal.
    Made,
}

/// What was found out.
#[derive(Default)]
pub(in crate::explore) struct Answers {
    /// By the key of what is kept ([`Search::fingerprint`]) and by question.
    pub(super) found: FxHashMap<Box<[u32]>, [Option<bool>; 4]>,
    /// The length of all keys.
    pub(super) length: usize,
}

impl Answers {
    pub(super) fn get(&self, key: &[u32], question: Question) -> Option<bool> {
        self.found.get(key).and_then(|known| known[question as usize])
    }

    pub(super) fn remember(&mut self, key: Box<[u32]>, question: Question, answer: bool) {
        if !self.found.contains_key(&key) {
            self.length += key.len();
            if self.length > REMEMBERED {
                self.length = key.len();
                self.found.clear();
            }
        }
        self.found.entry(key).or_default()[question as usize] = Some(answer);
    }
}

/// A write to which its thread must come, for holes to count as filled.
pub(in crate::explore) struct Goal {
    pub(in crate::explore) write: Event,
    /// How many kept events follow it in its thread. All others must have happened again when the thread stands before the write.
    pub(in crate::explore) left: usize,
    /// Whether the holes behind it must be such that they can be filled.
    pub(in crate::explore) goes_on: bool,
}

/// A graph to which a trial is to come.
pub(in crate::explore) struct Target(pub(super) Vec<Aim>);

/// An event of it.
pub(super) struct Aim {
    pub(super) name: Name,
    pub(super) took: Took,
}

/// What it took.
pub(super) enum Took {
    Nothing,
    Value(u64),
    Source(Name),
    /// The writes behind it in coherence.
    Before(Vec<Name>),
}

/// So many executions are remembered (about 80 MB).
const MOST: usize = 7 << 19;

/// Into so many sets, so that threads seldom wait for each other.
const SETS: usize = 16;

/// What was found, by all threads that search one program.
pub(in crate::explore) struct Found {
    pub(super) sets: [Mutex<FxHashSet<u128>>; SETS],
    pub(super) count: AtomicUsize,
    /// So many are remembered at most (or one more a thread).
    pub(super) most: usize,
}

/// What is known of an execution.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// It was found before.
    Found,
    /// It was not.
    New,
    /// It is not among those that are remembered, and there is no room for more.
    Unknown,
}

impl Default for Found {
    fn default() -> Found {
        Found::with_room(MOST)
    }
}

impl Found {
    pub(super) fn with_room(most: usize) -> Found {
        Found { sets: Default::default(), count: AtomicUsize::new(0), most }
    }

    /// The names of what was found, or of those whose last bits are zero where there are more than so many; and how many bits.
    pub(in crate::explore) fn sample(&self, most: usize) -> (Vec<u128>, u32) {
        let sets = self.sets.iter().map(|set| set.lock().unwrap_or_else(PoisonError::into_inner));
        let mut names: Vec<u128> = sets.flat_map(|set| set.iter().copied().collect::<Vec<_>>()).collect();
        let mut bits = 0;
        while names.len() > most {
            bits += 1;
            names.retain(|name| name.trailing_zeros() >= bits);
        }
        names.sort_unstable();
        (names, bits)
    }

    /// Adds what was found by another search. `false`: some of it was found here.
    pub(in crate::explore) fn takes(&self, other: &Found) -> bool {
        let (names, _) = other.sample(usize::MAX);
        names.into_iter().all(|name| self.meet(name) != Known::Found)
    }

    pub(super) fn meet(&self, execution: u128) -> Known {
        let set = &self.sets[(execution >> 64) as usize % SETS];
        // A set is never left half changed.
        let mut set = set.lock().unwrap_or_else(PoisonError::into_inner);
        if self.count.load(Ordering::Relaxed) >= self.most {
            return if set.contains(&execution) { Known::Found } else { Known::Unknown };
        }
        if !set.insert(execution) {
            return Known::Found;
        }
        self.count.fetch_add(1, Ordering::Relaxed);
        Known::New
    }
}

/// What a search remembers.
pub(in crate::explore) struct Remembered {
    pub(super) found: Arc<Found>,
    /// Graphs that revisits made of which it is not seen whether others make the same, with the order in which events were added: each is explored once, so exploration ends. `None`: others
    /// search too.
    pub(super) revisits: Option<FxHashSet<u128>>,
    /// Graphs that end with a waiting thread are remembered, too.
    pub(super) waiting: bool,
    /// Used again and again.
    pub(super) digest: Digest,
}

/// What a name is made of.
#[derive(Default)]
pub(super) struct Digest(pub(super) Vec<u8>);

impl Digest {
    pub(super) fn add<const N: usize>(&mut self, what: [u64; N]) {
        what.iter().for_each(|word| self.0.extend_from_slice(&word.to_le_bytes()));
    }

    pub(super) fn value(&self) -> u128 {
        xxh3_128(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Found, Known};

    #[test]
    fn what_there_is_no_room_for_is_not_taken_for_new() {
        let found = Found::with_room(2);
        assert_eq!([7, 8, 7].map(|e| found.meet(e)), [Known::New, Known::New, Known::Found]);
        assert_eq!([9, 8, 9].map(|e| found.meet(e)), [Known::Unknown, Known::Found, Known::Unknown]);
    }
}
