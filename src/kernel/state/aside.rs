//! What is undone to be done again: the words of the slots that a stretch of the trail would bring back are exchanged for those that it has
//! overwritten.
//!
//! A revisit deletes what was added after some event, and when its subtree is done all of that is there again. Taking it back and
//! putting it back costs as much as the trail is long, and evaluates nothing. Such stretches nest; they lie behind one another on one stack.

use super::State;
use super::trail::{COLUMN, ROW};
use crate::kernel::eval::order::Order;

/// Stretches of a trail that are undone, the outermost first.
#[derive(Default)]
pub(in crate::kernel) struct Aside {
    /// Places and what was there, the newest entry of a stretch first; a column or a row of a relation stands for its members.
    words: Vec<(u32, u64)>,
    /// Those of columns and rows, as words, and the number of words.
    members: Vec<u64>,
    values: Vec<(u32, Option<u64>)>,
    /// The orders of cycle checks at the time, as many each time; those beyond `stretches` are storage.
    orders: Vec<Order>,
    stretches: Vec<Stretch>,
}

/// What was on the stacks before.
#[derive(Clone, Copy)]
struct Stretch {
    words: usize,
    values: usize,
}

impl Aside {
    /// Forgets everything.
    pub(in crate::kernel) fn clear(&mut self) {
        self.words.clear();
        self.members.clear();
        self.values.clear();
        self.stretches.clear();
    }

    /// Places, to be renumbered when slots move.
    pub(in crate::kernel) fn words_mut(&mut self) -> impl Iterator<Item = &mut (u32, u64)> {
        self.words.iter_mut()
    }
}

impl State {
    /// Undoes writes back to an earlier length of the trail, and keeps what they wrote.
    pub(in crate::kernel) fn set_aside(&mut self, trail: usize, values: usize) {
        let mut aside = std::mem::take(&mut self.aside);
        let stretch = Stretch { words: aside.words.len(), values: aside.values.len() };
        let first = aside.stretches.len() * self.orders.len();
        aside.stretches.push(stretch);
        while aside.orders.len() < first + self.orders.len() {
            aside.orders.push(Order::default());
        }
        for (kept, order) in aside.orders[first..].iter_mut().zip(&self.orders) {
            kept.copy_from(order);
        }
        while self.trail.len() > trail {
            let Some((place, old)) = self.trail.pop() else { break };
            if place < COLUMN {
                let now = std::mem::replace(&mut self.array[place as usize], old);
                aside.words.push((place, now));
            } else if let Some(x) = old.checked_sub(ROW) {
                aside.words.push((place, old));
                let row = self.row_mut(place - COLUMN, x as usize);
                aside.members.extend_from_slice(row);
                aside.members.push(row.len() as u64);
                row.fill(0);
            } else {
                aside.words.push((place, old));
                self.take_column(place - COLUMN, old as usize, &mut aside.members);
            }
        }
        while self.value_trail.len() > values {
            let Some((row, old)) = self.value_trail.pop() else { break };
            aside.values.push((row, std::mem::replace(&mut self.values[row as usize], old)));
        }
        self.aside = aside;
    }

    /// Clears a column and appends its members.
    fn take_column(&mut self, rel: u32, event: usize, members: &mut Vec<u64>) {
        let (mut rows, mut length) = (0, 0);
        for (x, word) in self.column(rel, event).enumerate() {
            if x > 0 && x % 64 == 0 {
                members.push(std::mem::take(&mut rows));
                length += 1;
            }
            rows |= (*word >> (event % 64) & 1) << (x % 64);
            *word &= !(1 << (event % 64));
        }
        members.extend([rows, length + 1]);
    }

    /// Does the writes that were set aside last again.
    pub(in crate::kernel) fn put_back(&mut self) {
        let mut aside = std::mem::take(&mut self.aside);
        if let Some(stretch) = aside.stretches.pop() {
            let first = aside.stretches.len() * self.orders.len();
            for (order, kept) in self.orders.iter_mut().zip(&aside.orders[first..]) {
                order.copy_from(kept);
            }
            for (place, new) in aside.words.drain(stretch.words..).rev() {
                let old = if place < COLUMN {
                    std::mem::replace(&mut self.array[place as usize], new)
                } else {
                    let length = aside.members.pop().unwrap_or(0) as usize;
                    let members = aside.members.drain(aside.members.len().saturating_sub(length)..);
                    match new.checked_sub(ROW) {
                        Some(x) => {
                            self.row_mut(place - COLUMN, x as usize)[..length].copy_from_slice(members.as_slice())
                        }
                        None => self.put_column(place - COLUMN, new as usize, members.as_slice()),
                    }
                    new
                };
                self.trail.push((place, old));
            }
            for (row, new) in aside.values.drain(stretch.values..).rev() {
                self.value_trail.push((row, std::mem::replace(&mut self.values[row as usize], new)));
            }
        }
        self.aside = aside;
    }

    /// Enters an event into a column again, in these rows.
    fn put_column(&mut self, rel: u32, event: usize, rows: &[u64]) {
        for (x, word) in self.column(rel, event).enumerate() {
            let is_member = rows.get(x / 64).is_some_and(|rows| rows >> (x % 64) & 1 == 1);
            *word |= u64::from(is_member) << (event % 64);
        }
    }
}
