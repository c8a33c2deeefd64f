//! Executions that differ in coherence only, and nowhere that anybody looks, as one where they are to count so.

use crate::explore::visitor::pass_on;
use crate::explore::{Execution, Go, Visitor};
use crate::verdict::identity;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

/// A visitor that passes on the first execution with the same events, sources, flags and last writes of the locations that are looked at; or all.
pub struct FirstOfSources<V> {
    /// Who is to see the first ones.
    pub inner: V,
    looked_at: Option<LookedAt>,
    seen: FxHashSet<u128>,
    /// How many executions were not passed on.
    pub passed_over: u64,
}

/// Addresses and sizes of what is looked at; nothing: all of it.
type LookedAt = Option<Arc<[(u64, u64)]>>;

impl<V> FirstOfSources<V> {
    /// One that has seen nothing, and passes on the first ones of those that differ in what is looked at only, or all.
    pub fn new(inner: V, looked_at: Option<LookedAt>) -> Self {
        FirstOfSources { inner, looked_at, seen: FxHashSet::default(), passed_over: 0 }
    }

    fn name(looked_at: &LookedAt, execution: &Execution<'_, '_>) -> u128 {
        let mut words: Vec<u8> = Vec::new();
        let mut put = |n: u64| words.extend_from_slice(&n.to_le_bytes());
        identity::add_sources(execution, &mut put);
        execution.flags.iter().for_each(|&flag| put(flag as u64));
        let is_seen = |address: u64, size: u64| {
            let is_met = |&(start, length): &(u64, u64)| address < start + length && start < address + size;
            looked_at.as_ref().is_none_or(|all| all.iter().any(is_met))
        };
        let place = |loc| execution.world.locs.get(loc);
        let places = execution.graph.places().map(|(loc, at)| (place(loc), at.co.last().copied()));
        let mut last: Vec<_> = places.filter(|&((address, size), _)| is_seen(address, u64::from(size))).collect();
        last.sort_unstable();
        for ((address, _), write) in last {
            put(address);
            write.into_iter().flat_map(|write| identity::of(execution.graph, write)).for_each(&mut put);
        }
        xxh3_128(&words)
    }
}

impl<V: Visitor> Visitor for FirstOfSources<V> {
    pass_on!(inner: unfinished endless wants_blocked blocked problem);

    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        let is_first = match &self.looked_at {
            Some(looked_at) => self.seen.insert(Self::name(looked_at, execution)),
            None => true,
        };
        if is_first {
            return self.inner.complete(execution);
        }
        self.passed_over += 1;
        Go::On
    }
}
