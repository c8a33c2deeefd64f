//! Whether a check is violated by what it gains.

use super::code::{CheckCode, SmallCode};
use super::{Found, Pairs, Small};
use crate::algebra::Predicate;
use crate::kernel::row::{self, Row};

impl<const N: usize> Small<N> {
    /// Brings the successors of each cycle check up to date. `touched`: the checks that the new event's paths are of. Says which check is
    /// violated, if one is; then the others may be left out.
    pub(super) fn find_violated(&mut self, code: &SmallCode, mut touched: u32) -> Option<usize> {
        if !self.gains.is_empty() {
            touched |= self.add_gains(code, code.check_paths());
        }
        if !self.joined.is_empty() {
            touched |= self.add_joined(code, code.check_paths());
        }
        let mut violated = None;
        while touched != 0 {
            let number = touched.trailing_zeros() as usize;
            touched &= touched - 1;
            let found = std::mem::replace(&mut self.found[number], Found::NONE);
            let check = &code.checks[number];
            if violated.is_none() && self.violates(code, check, 1 << number, found) {
                violated = Some(check.index);
            }
        }
        violated
    }

    /// Whether a check is violated by what was found, given that it was not before.
    #[inline]
    fn violates(&mut self, code: &SmallCode, check: &CheckCode, bit: u32, found: Found<N>) -> bool {
        let mut pairs = self.pairs.iter().filter(|pairs| pairs.checks & bit != 0);
        match check.predicate {
            Predicate::Acyclic => self.close(code, check, bit, found),
            Predicate::Irreflexive => {
                row::has(&row::or(&found.after, &found.before), self.delta.row)
                    || pairs.any(|pairs| row::meets(&pairs.sources, &pairs.targets))
            }
            Predicate::Empty => !found.is_none() || pairs.next().is_some(),
        }
    }

    /// Enters what was found of a cycle check. Whether there is a cycle.
    fn close(&mut self, code: &SmallCode, check: &CheckCode, bit: u32, found: Found<N>) -> bool {
        let (event, slot) = (self.delta.row, check.row);
        let Found { mut after, mut before } = found;
        if row::has(&before, event) {
            row::insert(&mut after, event);
            row::remove(&mut before, event);
        }
        row::join(&mut self.rows[code.at(event, slot)], &after);
        if !row::is_none(&before) {
            self.rows[code.at(event, slot + 1)] = before;
            self.write(slot, &before);
            self.write(slot + 1, &row::one(event));
        }
        for i in 0..self.pairs.len() {
            let Pairs { checks, sources, targets } = self.pairs[i];
            if checks & bit != 0 {
                row::ones(&sources).for_each(|x| self.write(code.at(x, slot), &targets));
                self.write(slot, &sources);
            }
        }
        let mut pairs = self.pairs.iter().filter(|pairs| pairs.checks & bit != 0);
        row::has(&after, event)
            || !row::is_none(&before) && !row::is_none(&after) && self.reaches(code, slot, &after, &before)
            || pairs.any(|pairs| self.reaches(code, slot, &pairs.targets, &pairs.sources))
    }

    /// Whether one of some events is among others, or leads to one of them. The others have been given successors when they were no longer new.
    #[inline]
    fn reaches(&self, code: &SmallCode, slot: usize, from: &Row<N>, to: &Row<N>) -> bool {
        if !row::meets(&self.up_to(code, from), &self.rows[slot]) {
            return false;
        }
        let (late, headed) = (self.rows[slot], self.rows[slot + 1]);
        let (mut seen, mut newest) = (*from, *from);
        while !row::meets(&newest, to) {
            let mut all = row::none();
            for x in row::ones(&newest) {
                row::join(&mut all, &self.rows[code.at(x, slot)]);
            }
            if row::meets(&newest, &late) {
                let leads = |&y: &usize| row::meets(&self.rows[code.at(y, slot + 1)], &newest);
                row::ones(&row::minus(&headed, &seen)).filter(leads).for_each(|y| row::insert(&mut all, y));
            }
            newest = row::minus(&all, &seen);
            if row::is_none(&newest) {
                return false;
            }
            row::join(&mut seen, &newest);
        }
        true
    }

    /// Some events and all that were there before one of them. A successor that an event had when it was new is older: so, unless one of
    /// these has been given another one since, none of them leads to anything else.
    #[inline]
    fn up_to(&self, code: &SmallCode, events: &Row<N>) -> Row<N> {
        let (mut all, mut todo) = (*events, *events);
        let Some(elders) = code.elders else { return all };
        while let Some(x) = row::last(&todo) {
            row::remove(&mut todo, x);
            let older = &self.rows[code.at(x, elders)];
            todo = row::minus(&todo, older);
            row::join(&mut all, older);
        }
        all
    }
}
