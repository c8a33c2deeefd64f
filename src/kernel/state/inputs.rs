//! What the inputs of a plan are told: members, edges and values.

use super::trail::{FEW, WIDE};
use super::{Shape, State};
use crate::kernel::plan::code::{Place, RelSlot, SetSlot, UNIVERSE};
use crate::kernel::plan::wake::Wake;

impl State {
    /// Adds an event's membership of an input set, or of the universe.
    pub(in crate::kernel) fn add_member(&mut self, slot: SetSlot, row: usize) {
        let words = self.shape.words;
        if self.add_bit(slot.0 as usize, row) {
            let index = slot.0 as usize;
            self.dirty[index * words + row / 64] |= 1 << (row % 64);
            self.touched.insert(Place::Set(slot));
            if !self.is_new(row) {
                self.entered.insert(Place::Set(slot));
            }
        }
    }

    /// Adds an edge from each of the members of `sources` to an event to an input relation.
    pub(in crate::kernel) fn add_column(
        &mut self,
        slot: RelSlot,
        sources: impl Iterator<Item = usize> + Clone,
        y: usize,
    ) {
        if !(self.logging && self.is_new(y) && sources.clone().nth(FEW).is_some()) {
            return sources.for_each(|x| self.add_edge(slot, x, y));
        }
        self.log_column(slot, y);
        let Shape { words, height, sets, .. } = self.shape;
        let first = (sets + slot.0 as usize * height) * words + y / 64;
        let (dirty, mut changed) = ((sets + slot.0 as usize) * words, false);
        for x in sources {
            let word = &mut self.array[first + x * words];
            if *word >> (y % 64) & 1 == 0 {
                *word |= 1 << (y % 64);
                self.dirty[dirty + x / 64] |= 1 << (x % 64);
                changed = true;
            }
        }
        if changed {
            self.touched.insert(Place::Rel(slot));
            self.entered.insert(Place::Rel(slot));
        }
    }

    /// Adds one edge to an input relation.
    #[inline]
    pub(in crate::kernel) fn add_edge(&mut self, slot: RelSlot, x: usize, y: usize) {
        let Shape { words, height, sets, .. } = self.shape;
        if self.add_bit(sets + slot.0 as usize * height + x, y) {
            self.dirty[(sets + slot.0 as usize) * words + x / 64] |= 1 << (x % 64);
            self.touched.insert(Place::Rel(slot));
            if !self.is_new(x) || self.old(y / 64) >> (y % 64) & 1 == 0 {
                self.entered.insert(Place::Rel(slot));
            }
        }
    }

    /// Word `k` of the set of events that were there at the last evaluation.
    #[inline]
    fn old(&self, k: usize) -> u64 {
        let at = UNIVERSE.0 as usize * self.shape.words + k;
        self.array[at] & !self.dirty[at]
    }

    #[inline]
    fn add_bit(&mut self, row: usize, bit: usize) -> bool {
        let place = row * self.shape.words + bit / 64;
        let old = self.array[place];
        let new = old | 1 << (bit % 64);
        if new == old {
            return false;
        }
        if self.logging {
            self.trail.push((place as u32, old));
        }
        self.array[place] = new;
        true
    }

    /// Adds edges from `x` to every target to an input relation.
    pub(in crate::kernel) fn add_targets(&mut self, slot: RelSlot, x: usize, targets: &[u64]) {
        let Shape { words, height, sets, .. } = self.shape;
        let start = (sets + slot.0 as usize * height + x) * words;
        let (mut changed, mut entered) = (false, !self.is_new(x));
        let outer = self.logging;
        let is_empty = |row: &[u64]| row.iter().all(|&word| word == 0);
        if outer && !entered && words >= WIDE && is_empty(&self.array[start..start + words]) && !is_empty(targets) {
            self.log_row(slot, x);
            self.logging = false;
        }
        for (k, &word) in targets.iter().enumerate().take(words) {
            let old = self.array[start + k];
            if old | word != old {
                if self.logging {
                    self.trail.push(((start + k) as u32, old));
                }
                self.array[start + k] = old | word;
                changed = true;
                entered |= word & !old & !self.old(k) != 0;
            }
        }
        self.logging = outer;
        if changed {
            self.dirty[(sets + slot.0 as usize) * words + x / 64] |= 1 << (x % 64);
            self.touched.insert(Place::Rel(slot));
            if entered {
                self.entered.insert(Place::Rel(slot));
            }
        }
    }

    /// Sets an event's value.
    pub(in crate::kernel) fn set_value(&mut self, row: usize, value: u64) {
        let old = self.values[row].replace(value);
        if old == Some(value) {
            return;
        }
        if self.logging {
            self.value_trail.push((row as u32, old));
        }
        self.revalued[row / 64] |= 1 << (row % 64);
        self.touched = Wake::ALL;
    }
}
