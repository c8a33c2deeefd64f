//! Critical sections whose order is witnessed, not explored: N readers under one lock are one execution.
//!
//! A graph is consistent when *some* order of the sections of each lock makes it so. The graph and its checker have such an order all the time, a witness: an acquisition comes last, reads
//! the last release, and makes no choice; a release comes right behind its acquisition ([`crate::graph::sections`]). Only when the checker rejects something that was added, another order is looked for ([`orders`]).
//! Prefixes do not go through reads of locks, and no write to one revisits anything. That is where the saving comes from.
//!
//! - [`moves`]: what is done with accesses to locks, and where a program turns out to be another one than it was taken for.
//! - [`exclusive`]: whether the model lets nobody have a lock that somebody has.
//! - [`judge`]: whether some order makes a graph consistent. A section that is not the last of its lock can be *open*: a read of its thread took what is older than a later section. The graph is judged as if the thread
//!   gave the lock back where it stands.
//! - [`orders`]: which orders are tried; [`forced`]: which sections have only one order.
//! - [`complete`]: complete executions, and the flags that some order raises.
//! - [`remade`]: which revisits are made.
//!
//! Nobody waits for such a lock: where a section is open for ever, or locks are taken in orders that go round, exploration begins anew with the orders as choices ([`Statistics::misjudged`](crate::explore::Statistics::misjudged)).
//!
//! Limits: [`crate::analysis::locks`]; only where revisits keep program order.

mod complete;
mod exclusive;
mod forced;
mod judge;
mod moves;
mod orders;
mod remade;

use crate::analysis::locks::Locks;
use crate::ids::TagSetId;
use crate::program::{Half, Program};
use forced::{ConflictKey, Seen};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a model can see of an access: whether it is a read, its labels, the tags of its thread.
type Access = (bool, TagSetId, Half, bool, TagSetId);

/// What is known of sections while a program is explored.
#[derive(Default)]
pub(in crate::explore) struct Sections {
    /// Where locks are taken and given back; none where the order of sections is explored.
    locks: Option<Locks>,
    /// Locks, by address, of which the second was taken inside a section of the first.
    nested: FxHashSet<(u64, u64)>,
    /// For each level, whether its checker knows the graph with releases that are still to come, or not at all.
    has_shadow: Vec<bool>,
    /// How much of the trail there was before the acquisition that was begun last.
    begun_at: usize,
    /// Revisits that were made.
    made: FxHashSet<u128>,
    /// Whether sections of a kind never overlap.
    exclusive: FxHashMap<([Seen; 3], TagSetId), bool>,
    /// Whether what orders two accesses does so over a section in between.
    reaching: FxHashMap<[Access; 2], bool>,
    /// Whether a conflict of two accesses puts their sections in order.
    forced: FxHashMap<ConflictKey, bool>,
}

impl Sections {
    /// Those of a program, if their order is to be witnessed.
    pub(in crate::explore) fn of(program: &Program, are_witnessed: bool) -> Sections {
        Sections { locks: are_witnessed.then(|| Locks::of(program)).flatten(), ..Sections::default() }
    }

    /// Whether orders are witnessed.
    #[inline]
    pub(in crate::explore) fn are_witnessed(&self) -> bool {
        self.locks.is_some()
    }

    /// Notes whether the checker of a level knows the graph with releases that are still to come, or not at all.
    pub(in crate::explore) fn set_shadow(&mut self, level: usize, has_shadow: bool) {
        if self.has_shadow.len() <= level {
            self.has_shadow.resize(level + 1, false);
        }
        self.has_shadow[level] = has_shadow;
    }

    pub(in crate::explore) fn has_shadow(&self, level: usize) -> bool {
        self.has_shadow.get(level).is_some_and(|&has| has)
    }
}
