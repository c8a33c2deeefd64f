//! Whether a check is violated by what it gains.

use super::Small;
use super::code::{CheckCode, SmallCode};
use super::walk::{Found, Pairs};
use crate::algebra::Predicate;
use crate::kernel::row::{self, Row};

impl<const N: usize> Small<N> {
    /// Brings the successors of each cycle check up to date. `touched`: the checks that the new event's paths are of. Says which check is
    /// violated, if one is; then the others may be left out.
    pub(super) fn find_violated(&mut self, code: &SmallCode, mut touched: u32) -> Option<usize> {
        if !self.gains.is_empty() {
            touched |= self.add_gains(code, code.check_paths());
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
            Predicate::Acyclic => self.close(code.stride, check.row, bit, found),
            Predicate::Irreflexive => {
                row::has(&row::or(&found.after, &found.before), self.delta.row)
                    || pairs.any(|pairs| row::meets(&pairs.sources, &pairs.targets))
            }
            Predicate::Empty => !found.is_none() || pairs.next().is_some(),
        }
    }

    /// Enters new successors in a cycle check. Whether there is a cycle.
    #[inline]
    fn close(&mut self, stride: usize, slot: usize, check: u32, found: Found<N>) -> bool {
        let event = self.delta.row;
        let Found { mut after, mut before } = found;
        if row::has(&before, event) {
            row::insert(&mut after, event);
            row::remove(&mut before, event);
        }
        row::join(&mut self.rows[event * stride + slot], &after);
        for x in row::ones(&before) {
            // One that leads to another one of them leads to the event anyway: there was no cycle.
            if !row::meets(&self.rows[x * stride + slot], &before) {
                self.write(x * stride + slot, &row::one(event));
            }
        }
        for i in 0..self.pairs.len() {
            let Pairs { checks, sources, targets } = self.pairs[i];
            if checks & check != 0 {
                row::ones(&sources).for_each(|x| self.write(x * stride + slot, &targets));
            }
        }
        let mut pairs = self.pairs.iter().filter(|pairs| pairs.checks & check != 0);
        row::has(&after, event)
            || !row::is_none(&before) && !row::is_none(&after) && self.reaches(stride, slot, &after, &before)
            || pairs.any(|pairs| self.reaches(stride, slot, &pairs.targets, &pairs.sources))
    }

    /// Whether one of some events is among others, or leads to one of them.
    #[inline]
    fn reaches(&self, stride: usize, slot: usize, from: &Row<N>, to: &Row<N>) -> bool {
        let (mut seen, mut newest) = (*from, *from);
        while !row::meets(&newest, to) {
            let mut all = row::none();
            for x in row::ones(&newest) {
                row::join(&mut all, &self.rows[x * stride + slot]);
            }
            newest = row::minus(&all, &seen);
            if row::is_none(&newest) {
                return false;
            }
            row::join(&mut seen, &newest);
        }
        true
    }
}
