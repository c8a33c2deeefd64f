//! Executions that differ in the order of critical sections only, counted as one.
//!
//! Where exploration tells them apart, all of them are looked at: what is wrong may depend on the order. A flag of several counts once.

use super::sections::{self, Words};
use crate::explore::parallel::parts::Split;
use crate::explore::visitor::pass_on;
use crate::explore::{Execution, Go, Visitor};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Counts executions up to the order of critical sections.
pub(in crate::driver) struct Folded<V> {
    /// Who is to see the executions.
    pub inner: V,
    keys: FxHashSet<u128>,
    flags: FxHashSet<(u128, usize)>,
    seen: u64,
    told_apart: BTreeSet<String>,
}

/// What was counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Counted {
    /// Executions up to the order of critical sections.
    pub keys: u64,
    /// Those that were explored.
    pub seen: u64,
    /// Whether one order was explored for all.
    pub explores_one: bool,
    /// Locks of which the order tells executions apart.
    pub told_apart: BTreeSet<String>,
}

impl Counted {
    /// As a user is told.
    pub fn sentences(&self) -> Vec<String> {
        let count = "executions that differ only in the order of critical sections count as one (`--locks content`)";
        let mut all = vec![match self.explores_one {
            true => format!("{count}, and one is explored"),
            false => format!("{count}; {} were explored", self.seen),
        }];
        if !self.told_apart.is_empty() {
            let names: Vec<String> = self.told_apart.iter().map(|name| format!("`{name}`")).collect();
            let note = "the order tells executions apart of locks that are tried, shared, or whose owner is looked at";
            all.push(format!("{note}: {}", names.join(", ")));
        }
        all
    }
}

impl<V> Folded<V> {
    /// One that has seen nothing.
    pub fn new(inner: V) -> Self {
        let (keys, flags, told_apart) = Default::default();
        Folded { inner, keys, flags, seen: 0, told_apart }
    }

    /// What was counted. `explores_one`: whether one order was explored for all.
    pub fn counted(&self, explores_one: bool) -> Counted {
        let (keys, seen) = (self.keys.len() as u64, self.seen);
        debug_assert!(!explores_one || keys == seen, "each is found once");
        Counted { keys, seen, explores_one, told_apart: self.told_apart.clone() }
    }
}

impl<V: Visitor> Visitor for Folded<V> {
    pass_on!(inner: problem unfinished endless wants_blocked blocked cut);

    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        let words = Words::of(execution);
        let world = execution.world;
        for &loc in &words.told_apart {
            let object = world.program.object_at(world.locs.get(loc).0);
            self.told_apart.insert(object.map_or_else(|| "memory of the heap".to_owned(), |o| o.name.clone()));
        }
        let key = sections::key(execution, &words, true);
        self.keys.insert(key);
        self.seen += 1;
        let flags: Vec<usize> =
            execution.flags.iter().copied().filter(|&flag| self.flags.insert((key, flag))).collect();
        self.inner.complete(&Execution { flags: &flags, ..*execution })
    }
}

impl<V: Split> Split for Folded<V> {
    fn fork(&self) -> Self {
        Folded::new(self.inner.fork())
    }

    /// Flags that both raised of one key count twice; so nobody helps.
    fn join(&mut self, later: Self) -> Go {
        self.keys.extend(later.keys);
        self.flags.extend(later.flags);
        self.seen += later.seen;
        self.told_apart.extend(later.told_apart);
        self.inner.join(later.inner)
    }
}
