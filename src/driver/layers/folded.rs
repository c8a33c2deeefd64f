//! Executions that differ in the order of critical sections only, counted as one.
//!
//! Where exploration tells them apart, all of them are looked at: what is wrong may depend on the order. A flag of several counts once.

use super::sections::{self, Words};
use crate::explore::parallel::parts::{Split, field};
use crate::explore::visitor::pass_on;
use crate::explore::{Execution, Go, Visitor};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Counts executions up to the order of critical sections.
pub(in crate::driver) struct Folded<V> {
    /// Who is to see the executions.
    pub inner: V,
    keys: FxHashSet<u128>,
    flags: FxHashSet<(u128, usize)>,
    /// How often flags went to `inner` once more for a key that had them.
    again: FxHashMap<usize, u64>,
    seen: u64,
    told_apart: BTreeSet<String>,
    next_look: u64,
    repeats: Option<Arc<AtomicBool>>,
}

/// The first count of executions at which repetitions are looked for; later ones are twice the one before.
const FIRST_LOOK: u64 = 1024;

/// An exploration of one order for all takes up to so many times as long for each execution.
const WORTH: u64 = 4;

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
    /// How often each check, by its number, was counted once more than it is to be.
    pub again: FxHashMap<usize, u64>,
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
    /// One that has seen nothing. `repeats`: the search ends where most executions repeat others, and it is noted there.
    pub fn new(inner: V, repeats: Option<Arc<AtomicBool>>) -> Self {
        let (keys, flags, again, told_apart) = Default::default();
        Folded { inner, keys, flags, again, seen: 0, told_apart, next_look: FIRST_LOOK, repeats }
    }

    /// What was counted. `explores_one`: whether one order was explored for all.
    pub fn counted(&self, explores_one: bool) -> Counted {
        let (keys, seen) = (self.keys.len() as u64, self.seen);
        debug_assert!(!explores_one || keys == seen, "each is found once");
        let (told_apart, again) = (self.told_apart.clone(), self.again.clone());
        Counted { keys, seen, explores_one, told_apart, again }
    }

    /// Looks for repetitions when it is time.
    fn look(&mut self) -> Go {
        let Some(repeats) = &self.repeats else { return Go::On };
        if self.seen >= self.next_look {
            self.next_look = 2 * self.seen;
            if self.seen >= WORTH * self.keys.len() as u64 {
                repeats.store(true, Ordering::Relaxed);
            }
        }
        if repeats.load(Ordering::Relaxed) { Go::Stop } else { Go::On }
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
        match self.inner.complete(&Execution { flags: &flags, ..*execution }) {
            Go::On => self.look(),
            Go::Stop => Go::Stop,
        }
    }
}

impl<V: Split> Split for Folded<V> {
    fn fork(&self) -> Self {
        Folded::new(self.inner.fork(), self.repeats.clone())
    }

    fn join(&mut self, later: Self) -> Go {
        self.keys.extend(later.keys);
        for raised @ (_, flag) in later.flags {
            if !self.flags.insert(raised) {
                *self.again.entry(flag).or_default() += 1;
            }
        }
        for (flag, again) in later.again {
            *self.again.entry(flag).or_default() += again;
        }
        self.seen += later.seen;
        self.told_apart.extend(later.told_apart);
        match self.inner.join(later.inner) {
            Go::On => self.look(),
            Go::Stop => Go::Stop,
        }
    }

    /// Keys in halves: JSON has no numbers of 128 bits.
    fn recorded(&self) -> Option<Value> {
        let halves = |&key: &u128| ((key >> 64) as u64, key as u64);
        let flags = self.flags.iter().map(|(key, flag)| (halves(key), flag));
        Some(json!({
            "inner": self.inner.recorded()?,
            "keys": self.keys.iter().map(halves).collect::<Vec<_>>(),
            "flags": flags.collect::<Vec<_>>(),
            "again": self.again.iter().collect::<Vec<_>>(),
            "seen": self.seen,
            "told_apart": self.told_apart,
        }))
    }

    fn restored(&self, record: &Value) -> Result<Self, String> {
        let whole = |(high, low): (u64, u64)| u128::from(high) << 64 | u128::from(low);
        let keys: Vec<(u64, u64)> = field(record, "keys")?;
        let flags: Vec<((u64, u64), usize)> = field(record, "flags")?;
        let again: Vec<(usize, u64)> = field(record, "again")?;
        Ok(Folded {
            keys: keys.into_iter().map(whole).collect(),
            flags: flags.into_iter().map(|(key, flag)| (whole(key), flag)).collect(),
            again: again.into_iter().collect(),
            seen: field(record, "seen")?,
            told_apart: field(record, "told_apart")?,
            ..Folded::new(self.inner.restored(&record["inner"])?, self.repeats.clone())
        })
    }
}
