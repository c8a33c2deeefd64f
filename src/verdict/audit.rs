//! Remembers every execution, counts those that come twice, and judges each with the plain evaluator.
//!
//! Slow and memory-hungry on purpose: it shares nothing with exploration but the graph that it is shown. Two executions
//! are the same when their threads have the same events (by place in the code, value and location), the same reads-from and
//! the same coherence, and leave the same memory.

use super::identity;
use crate::algebra::{Model, naive};
use crate::explore::visitor::pass_on;
use crate::explore::{Execution, Go, Visitor};
use crate::graph::view;
use crate::ids::EventId;
use rustc_hash::FxHashSet;
use sha2::{Digest, Sha256};

/// A visitor that audits and passes on.
pub struct Audit<'a> {
    model: &'a Model,
    inner: &'a mut dyn Visitor,
    seen: FxHashSet<[u8; 32]>,
    /// Executions that came again.
    pub duplicate: u64,
    /// Executions on which the plain evaluator disagrees.
    pub disagreements: u64,
}

impl<'a> Audit<'a> {
    /// Audits what `inner` sees.
    pub fn new(model: &'a Model, inner: &'a mut dyn Visitor) -> Self {
        Audit { model, inner, seen: FxHashSet::default(), duplicate: 0, disagreements: 0 }
    }
}

impl Visitor for Audit<'_> {
    pass_on!(inner: unfinished endless wants_blocked blocked problem);

    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        if !self.seen.insert(fingerprint(execution)) {
            self.duplicate += 1;
        }
        let candidate = view::candidate(execution.graph, &execution.world.deps, execution.world.program);
        let judgement = naive::judge(self.model, &candidate);
        if !judgement.violated.is_empty() || judgement.fired != execution.flags {
            self.disagreements += 1;
        }
        self.inner.complete(execution)
    }
}

/// What tells executions apart.
fn fingerprint(execution: &Execution<'_, '_>) -> [u8; 32] {
    let (graph, world) = (execution.graph, execution.world);
    let mut hash = Sha256::new();
    let mut put = |n: u64| hash.update(n.to_le_bytes());
    identity::add_sources(execution, &mut put);
    let mut places: Vec<(u64, Vec<EventId>)> =
        graph.places().map(|(loc, place)| (world.locs.get(loc).0, place.co.clone())).collect();
    places.sort();
    for (address, co) in places {
        put(address);
        for write in co {
            identity::of(graph, write).into_iter().for_each(&mut put);
        }
    }
    let last = execution.last.map(|last| &last.memory);
    for memory in [Some(&world.memory), last].into_iter().flatten() {
        for block in memory.blocks() {
            hash.update(block.address.to_le_bytes());
            hash.update(&block.bytes);
        }
    }
    hash.finalize().into()
}
