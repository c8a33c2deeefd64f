//! What tells executions apart where the order of critical sections does not: their events with values, and reads-from and coherence of all locations but the words of locks.
//!
//! A location is such a word where each access to it takes a lock, waiting until it is free, or gives it back. Whoever looks at who has a lock, tries to take it, or takes it together with others, sees the
//! order: there it tells executions apart.

use crate::explore::Execution;
use crate::explore::waits::acquired::{operation, waited_for};
use crate::graph::event::{Event, INIT_THREAD, Kind};
use crate::ids::LocId;
use crate::program::operation::Operation;
use crate::verdict::identity;
use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::xxh3_128;

/// The words of locks of an execution.
#[derive(Default)]
pub struct Words {
    /// Those of which the order does not count.
    pub folded: FxHashSet<LocId>,
    /// Those of which it does.
    pub told_apart: FxHashSet<LocId>,
}

impl Words {
    /// Of an execution.
    pub fn of(execution: &Execution<'_, '_>) -> Words {
        let (graph, program) = (execution.graph, execution.world.program);
        let events = || graph.ids().map(|e| graph.event(e)).filter(|e| e.thread != INIT_THREAD);
        let takes = |e: &Event| matches!(operation(program, e), Some(Operation::Acquire(_) | Operation::Share(_)));
        let taken: FxHashSet<LocId> = events().filter(|e| e.kind == Kind::Write && takes(e)).map(|e| e.loc).collect();
        let is_half_of = |read: &Event, write: &Event| (read.thread, read.group) == (write.thread, write.group);
        let is_plain_use = |e: &Event| match e.kind {
            Kind::Read => events().any(|write| {
                let whole = write.loc == e.loc && is_half_of(e, write);
                whole && matches!(waited_for(graph, program, write), Some(Operation::Acquire(_)))
            }),
            Kind::Write => match operation(program, e) {
                Some(Operation::Acquire(_)) => matches!(waited_for(graph, program, e), Some(Operation::Acquire(_))),
                Some(Operation::Release(_)) => !graph.contains(e.partner),
                _ => false,
            },
            // A fence that names an object does not access it.
            _ => true,
        };
        let not_only_taken: FxHashSet<LocId> =
            events().filter(|e| taken.contains(&e.loc) && !is_plain_use(e)).map(|e| e.loc).collect();
        let folded = taken.difference(&not_only_taken).copied().collect();
        Words { folded, told_apart: not_only_taken }
    }
}

/// What tells an execution apart. `coherence`: also the order of writes to locations that are no words of locks.
pub fn key(execution: &Execution<'_, '_>, words: &Words, coherence: bool) -> u128 {
    let (graph, world) = (execution.graph, execution.world);
    let mut bytes: Vec<u8> = Vec::new();
    let mut put = |n: u64| bytes.extend_from_slice(&n.to_le_bytes());
    for lane in graph.lanes() {
        put(lane.order.len() as u64);
        for &id in &lane.order {
            let event = graph.event(id);
            let place = graph.place(event.loc).map(|_| world.locs.get(event.loc));
            let (address, size) = place.unwrap_or_default();
            [event.key, event.value, address, u64::from(size)].into_iter().for_each(&mut put);
            if !words.folded.contains(&event.loc) {
                identity::of(graph, event.rf).into_iter().for_each(&mut put);
            }
        }
    }
    let told = graph.places().filter(|(loc, place)| coherence && place.co.len() > 2 && !words.folded.contains(loc));
    let mut told: Vec<_> = told.map(|(loc, place)| (world.locs.get(loc), &place.co)).collect();
    told.sort_unstable_by_key(|&(place, _)| place);
    for ((address, size), co) in told {
        [address, u64::from(size), co.len() as u64].into_iter().for_each(&mut put);
        co.iter().flat_map(|&w| identity::of(graph, w)).for_each(&mut put);
    }
    xxh3_128(&bytes)
}
