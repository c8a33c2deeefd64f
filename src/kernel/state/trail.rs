//! The trail: what a session has overwritten, and how it is brought back.
//!
//! It is linear in the events that were added, however many edges they brought: what only enters a new event into a column is one entry a
//! relation, and undoing it clears the column; so is the row of a new event.
//!
//! Undoing waits until the state is wanted again ([`State::catch_up`]): a search that goes back by many frames at once goes through each
//! relation once, and one that ends undoes nothing.

use super::{Shape, State};
use crate::kernel::plan::code::RelSlot;

/// Places from here on are relations, not words. A new event is usually related to much of what is there: one entry for its
/// whole column keeps the trail linear in the number of events.
pub(in crate::kernel) const COLUMN: u32 = 1 << 31;
/// Added to an event for whose row an entry stands.
pub(in crate::kernel) const ROW: u64 = 1 << 32;
/// From this width on, columns of derived relations are found out, too, and rows of new events have entries of their own.
pub(in crate::kernel) const WIDE: usize = 8;
/// So many edges are put on the trail one by one.
pub(in crate::kernel) const FEW: usize = 4;

impl State {
    /// Undoes writes back to earlier lengths of the trails, before anything else is done.
    #[inline]
    pub(in crate::kernel) fn undo(&mut self, trail: usize, values: usize) {
        self.owed = Some((trail, values));
    }

    /// Undoes what is still to be undone. O(what was written + rows · relations with columns to clear), however many events leave.
    #[inline]
    pub(in crate::kernel) fn catch_up(&mut self) {
        if let Some((trail, values)) = self.owed.take() {
            self.undo_now(trail, values);
        }
    }

    fn undo_now(&mut self, trail: usize, values: usize) {
        let words = self.shape.words;
        while self.trail.len() > trail {
            let Some((place, old)) = self.trail.pop() else { break };
            let Some(rel) = place.checked_sub(COLUMN) else {
                self.array[place as usize] = old;
                continue;
            };
            if let Some(x) = old.checked_sub(ROW) {
                self.row_mut(rel, x as usize).fill(0);
                continue;
            }
            let (leaving, event) = (&mut self.leaving[rel as usize * words..][..words], old as usize);
            if leaving.iter().all(|&word| word == 0) {
                self.left.push(rel);
            }
            leaving[event / 64] |= 1 << (event % 64);
        }
        // Only now: a word may have been overwritten when some of these columns were there, and has come back with them.
        while let Some(rel) = self.left.pop() {
            self.clear_columns(rel);
        }
        for (row, value) in self.value_trail.drain(values..).rev() {
            self.values[row as usize] = value;
        }
    }

    /// Takes the events that leave out of the targets of a relation.
    fn clear_columns(&mut self, rel: u32) {
        let words = self.shape.words;
        for k in 0..words {
            let gone = std::mem::take(&mut self.leaving[rel as usize * words + k]);
            if gone != 0 {
                self.column(rel, 64 * k).for_each(|word| *word &= !gone);
            }
        }
    }

    /// The words of a relation in which an event can be a target, from the first row on.
    pub(in crate::kernel) fn column(&mut self, rel: u32, event: usize) -> impl Iterator<Item = &mut u64> {
        let Shape { words, height, sets, .. } = self.shape;
        let start = (sets + rel as usize * height) * words + event / 64;
        self.array[start..].iter_mut().step_by(words).take(self.high)
    }

    /// Puts the column of an event on the trail, once.
    pub(in crate::kernel) fn log_column(&mut self, slot: RelSlot, event: usize) {
        if self.columns[slot.0 as usize] != (event as u32, FEW + 1) {
            self.columns[slot.0 as usize] = (event as u32, FEW + 1);
            self.trail.push((COLUMN | slot.0, event as u64));
        }
    }

    /// Puts on the trail that the row of a new event is empty.
    pub(in crate::kernel) fn log_row(&mut self, slot: RelSlot, x: usize) {
        self.trail.push((COLUMN | slot.0, ROW | x as u64));
    }

    /// A row of a relation.
    pub(in crate::kernel) fn row_mut(&mut self, rel: u32, x: usize) -> &mut [u64] {
        let Shape { words, height, sets, .. } = self.shape;
        &mut self.array[(sets + rel as usize * height + x) * words..][..words]
    }

    /// Puts on the trail that a new event is entered into a word of a relation: few times word by word, then as a column.
    #[inline]
    pub(in crate::kernel) fn log_entry(&mut self, slot: RelSlot, event: usize, place: usize, old: u64) {
        let (last, entries) = &mut self.columns[slot.0 as usize];
        if *last != event as u32 {
            (*last, *entries) = (event as u32, 0);
        }
        match *entries {
            ..FEW => {
                *entries += 1;
                self.trail.push((place as u32, old));
            }
            FEW => self.log_column(slot, event),
            _ => {}
        }
    }
}
