//! Sets that an event comes to be in when it is no longer new: because of an edge from a new event, or to one.
//!
//! A read that is the first half of a read-modify-write is in the domain of `rmw` only when the second half has come; in the Linux kernel's model that
//! is when it comes to order other accesses. What paths gain by that leads through the event at a place where it could not be before.
//!
//! Limits: only for edges of a new event to others; no set that is left may be one that events on paths are in, and none that decides about
//! edges of further events may change.

use super::code::{Rule, SmallCode};
use super::{Change, Small};
use crate::kernel::row::{self, bits};
use std::ops::Range;

impl<const N: usize> Small<N> {
    /// Notes how the delta changes the sets that events are in which are there. `false`: in a way that cannot be handled.
    #[inline]
    pub(super) fn find_changes(&mut self, code: &SmallCode) -> bool {
        let [of_others, of_its_own] = code.late;
        let filled = self.delta.filled & of_others;
        if !self.delta.fresh {
            return filled | self.delta.filled & of_its_own == 0;
        }
        filled == 0 || self.find_changes_by(code, filled)
    }

    /// The same of a new event that has edges which may change sets.
    fn find_changes_by(&mut self, code: &SmallCode, filled: u64) -> bool {
        let own = self.all_sets(code);
        let others = bits(filled).fold(row::none(), |all, word| row::or(&all, &self.delta.words[word]));
        row::ones(&others).all(|event| {
            let old = self.sets_of(event);
            let new = self.sets_after(code, event, old, own);
            let sets = old ^ new;
            self.changes.extend((sets != 0).then_some(Change { event: event as u16, sets }));
            event != self.delta.row && sets & code.deciding == 0 && old & !new & code.on_paths == 0
        })
    }

    /// Which sets an event is in that is there.
    fn sets_of(&self, event: usize) -> u64 {
        (0..64).fold(0, |sets, set| sets | u64::from(row::has(&self.sets[set], event)) << set)
    }

    /// Which sets it is in when the new event has come, which is in the sets `own`.
    fn sets_after(&self, code: &SmallCode, event: usize, old: u64, own: u64) -> u64 {
        let derived = code.rules.iter().fold(0, |all, (set, _)| all | 1 << set);
        code.rules.iter().fold(old & !derived, |sets, &(set, rule)| {
            let is_member = match rule {
                Rule::Joined { of, word, with } => {
                    let meets = || own >> with & 1 == 1 && row::has(&self.delta.word(word as usize ^ 1), event);
                    sets >> of & 1 == 1 && (old >> set & 1 == 1 || meets())
                }
                _ => rule.holds(sets, |_, _| false),
            };
            sets | u64::from(is_member) << set
        })
    }

    /// Makes the changes from one on.
    pub(super) fn make_changes(&mut self, code: &SmallCode, from: usize) {
        self.joined.clear();
        for i in from..self.changes.len() {
            let change = self.changes[i];
            change.flip(&mut self.sets);
            let event = change.event as usize;
            let gained = bits(change.sets & code.on_paths).filter(|&set| row::has(&self.sets[set], event));
            let gained = gained.fold(0, |all, set| all | 1 << set);
            self.joined.extend((gained != 0).then_some((event, gained)));
        }
    }

    /// Adds what paths gain by events that came to be in sets. Which checks that concerns.
    pub(super) fn add_joined(&mut self, code: &SmallCode, paths: Range<usize>) -> u32 {
        let mut touched = 0;
        for i in 0..self.joined.len() {
            let (event, gained) = self.joined[i];
            for path in &code.paths[paths.clone()] {
                for at in (0..path.masks.len()).filter(|&at| gained >> path.masks[at] & 1 == 1) {
                    let from = self.retrace(code, path, at, row::one(event));
                    if row::is_none(&from) {
                        continue;
                    }
                    let to = self.follow(code, path, at, row::one(event));
                    touched |= self.add_pairs(code, path, &from, &to);
                }
            }
        }
        touched
    }
}
