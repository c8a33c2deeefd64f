//! How values are guessed: for all threads together, or for one alone.

use super::takes_value;
use crate::candidates::enumerate::ends::Ends;
use crate::graph::Graph;
use crate::ids::{LocId, ThreadId};
use crate::program::thread::Thread;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use xxhash_rust::xxh3::xxh3_128;

/// Which values reads have, which threads run, and what comes of it.
#[derive(Clone, Copy)]
pub(in crate::candidates) struct How<'h> {
    pub values: Values<'h>,
    /// The only thread that runs: it joins others, and leaves barriers, as if these were done.
    pub alone: Option<ThreadId>,
    /// With which ends runs are handed on.
    pub ends: Ends,
    /// Where the thread stood before reads and choices, if it need not go on where it has stood before: only what it may write is of interest.
    pub stood: Option<&'h RefCell<FxHashSet<u128>>>,
}

/// Which values reads and choices have.
#[derive(Clone, Copy)]
pub(in crate::candidates) enum Values<'h> {
    /// Reads each that the location may hold, choices each.
    Domain(&'h Domain),
    /// Those that each thread has, one after the other.
    Given(&'h [&'h [u64]]),
}

impl<'h> How<'h> {
    /// All threads run to their ends, on values of a domain.
    pub fn together(domain: &'h Domain) -> How<'h> {
        How { values: Values::Domain(domain), alone: None, ends: Ends::Whole, stood: None }
    }

    /// Whether a thread need not go on from here.
    pub(super) fn has_stood(&self, thread: &Thread) -> bool {
        self.stood.is_some_and(|stood| {
            let mut state = Vec::new();
            thread.describe(&mut state);
            !stood.borrow_mut().insert(xxh3_128(&state))
        })
    }

    /// What a thread reads next.
    pub(super) fn read(&self, graph: &Graph, t: ThreadId, loc: LocId) -> SmallVec<[u64; 4]> {
        match self.values {
            Values::Domain(domain) => domain.get(&loc).into_iter().flatten().copied().collect(),
            Values::Given(given) => given_to(given, graph, t).into_iter().collect(),
        }
    }

    /// Whether a thread that is given values has come to an event beyond them: these are of another run.
    pub(super) fn lacks_value(&self, values: &[u64]) -> bool {
        values.is_empty() && matches!(self.values, Values::Given(_))
    }

    /// What it chooses next.
    pub(super) fn choose(&self, graph: &Graph, t: ThreadId, values: &[u64]) -> SmallVec<[u64; 4]> {
        match self.values {
            Values::Domain(_) => SmallVec::from_slice(values),
            Values::Given(given) => given_to(given, graph, t).into_iter().collect(),
        }
    }
}

pub(super) fn given_to(given: &[&[u64]], graph: &Graph, t: ThreadId) -> Option<u64> {
    let before = graph.lane(t).order.iter().filter(|&&e| takes_value(graph.event(e))).count();
    given.get(t.index())?.get(before).copied()
}

/// The values that each location may hold.
pub(crate) type Domain = BTreeMap<LocId, BTreeSet<u64>>;
