//! Setting frames aside, and putting them back: not one record after the other, as most of what an execution has is set aside or little is.
//!
//! What is small of the rows is copied. Where more events stay than are set aside, that is the rows of the latter, and what is written in those of the former.
//! Else the rows of the events that stay are copied to another array, which takes the place of the one that has them all until that is put back.

use super::code::SmallCode;
use super::history::enter_sets;
use super::{Lot, Record, Small, Stack};
use crate::kernel::row::{self, Row};

impl<const N: usize> Small<N> {
    /// Undoes everything since the push of a frame, until [`Self::put_back`]. Everything that was added has been taken over.
    pub fn set_aside(&mut self, code: &SmallCode, kept: usize) -> bool {
        let Some(&first) = self.stack.frames.get(kept) else { return false };
        // What was entered for checks of complete executions is entered again when they are asked next.
        for at in (first.records..self.finished).rev() {
            self.empty_rows(code, self.stack.records[at]);
        }
        self.finished = self.finished.min(first.records);
        let new = new_events(&self.stack.records[first.records..]);
        let stay = row::minus(&self.sets[0], &new);
        let Stack { records, words, frames } = &mut self.aside;
        let begin = self.stack.records.get(first.records);
        let ends = (self.stack.words.len(), self.log.len(), self.changes.len());
        let (word, entry, change) =
            begin.map_or(ends, |begin| (begin.words as usize, begin.log as usize, begin.changes as usize));
        let swapped = row::ones(&stay).count() < row::ones(&new).count();
        self.lots.push(Lot {
            kept,
            records: records.len(),
            words: words.len(),
            frames: frames.len(),
            rows: self.aside_rows.len(),
            log: self.aside_log.len(),
            changes: self.aside_changes.len(),
            written: self.aside_written.len(),
            swapped: swapped.then_some(self.finished),
            violated: self.violated,
        });
        let moved = |record: Record| Record { words: (record.words as usize - word + words.len()) as u32, ..record };
        records.extend(self.stack.records.drain(first.records..).map(moved));
        words.extend(self.stack.words.drain(word..));
        frames.extend(self.stack.frames.drain(kept..));
        self.sets[0] = stay;
        if swapped {
            self.copy_those_that_stay(code, &new, entry)
        } else {
            self.copy_those_that_go(code, &new, entry)
        }
        self.aside_log.extend(self.log.drain(entry..));
        self.changes[change..].iter().for_each(|change| change.flip(&mut self.sets));
        self.aside_changes.extend(self.changes.drain(change..));
        self.told = self.told.min(first.records);
        self.violated = first.violated;
        true
    }

    /// Takes the new events and the log from an entry on out of a copy of the rows, with which it goes on.
    fn copy_those_that_stay(&mut self, code: &SmallCode, new: &Row<N>, entry: usize) {
        let mut rows = self.spare.pop().unwrap_or_default();
        if rows.len() < self.rows.len() {
            rows.resize(self.rows.len(), row::none());
        }
        let nobodys = 0..code.rows_up_to(0);
        rows[nobodys.clone()].copy_from_slice(&self.rows[nobodys]);
        for x in row::ones(&self.sets[0]) {
            let all = code.rows_of(x);
            rows[all.clone()].copy_from_slice(&self.rows[all]);
        }
        self.log[entry..].iter().rev().for_each(|&(at, old)| rows[at as usize] = old);
        for x in row::ones(&self.sets[0]) {
            for &slot in &code.columns {
                let at = code.at(x, slot);
                rows[at] = row::minus(&rows[at], new);
            }
        }
        self.aside_whole.push(std::mem::replace(&mut self.rows, rows));
    }

    /// Copies the rows of the new events, and takes them and the log from an entry on out of the others.
    fn copy_those_that_go(&mut self, code: &SmallCode, new: &Row<N>, entry: usize) {
        self.aside_rows.reserve(code.stride * row::ones(new).count());
        row::ones(new).for_each(|event| self.aside_rows.extend_from_slice(&self.rows[code.rows_of(event)]));
        for &(at, old) in self.log[entry..].iter().rev() {
            self.aside_written.push((at, std::mem::replace(&mut self.rows[at as usize], old)));
        }
        for x in row::ones(&self.sets[0]) {
            for &slot in &code.columns {
                let at = code.at(x, slot);
                if row::meets(&self.rows[at], new) {
                    self.aside_written.push((at as u32, self.rows[at]));
                    self.rows[at] = row::minus(&self.rows[at], new);
                }
            }
        }
    }

    /// Undoes what was done since the last [`Self::set_aside`], and does again what that has undone.
    pub fn put_back(&mut self, code: &SmallCode) {
        let Some(lot) = self.lots.pop() else { return };
        self.delta.open = false;
        while self.stack.frames.len() > lot.kept {
            self.pop(code);
        }
        debug_assert!(
            self.aside.records.get(lot.records).is_none_or(|first| first.log as usize == self.log.len()),
            "the log is as long as it was"
        );
        match lot.swapped {
            Some(finished) => self.take_whole(code, finished),
            None => self.take_rows(code, &lot),
        }
        let base = self.stack.words.len();
        for record in self.aside.records.drain(lot.records..) {
            let event = record.row as usize;
            if record.fresh {
                enter_sets(&mut self.sets, &mut self.member_of[event], event, record.sets);
            }
            self.stack.records.push(Record { words: (base + record.words as usize - lot.words) as u32, ..record });
        }
        self.aside_changes[lot.changes..].iter().for_each(|change| change.flip(&mut self.sets));
        self.changes.extend(self.aside_changes.drain(lot.changes..));
        self.log.extend(self.aside_log.drain(lot.log..));
        self.stack.words.extend(self.aside.words.drain(lot.words..));
        self.stack.frames.extend(self.aside.frames.drain(lot.frames..));
        self.violated = lot.violated;
    }

    /// Takes back the rows that another array took the place of. So many records had been entered in them for checks of complete executions.
    fn take_whole(&mut self, code: &SmallCode, finished: usize) {
        let Some(rows) = self.aside_whole.pop() else { return };
        self.spare.push(std::mem::replace(&mut self.rows, rows));
        self.rows.resize(code.rows_up_to(self.member_of.len()), row::none());
        self.finished = finished;
    }

    /// Takes back rows that were copied.
    fn take_rows(&mut self, code: &SmallCode, lot: &Lot) {
        let new: Row<N> = new_events(&self.aside.records[lot.records..]);
        for (at, now) in self.aside_written.drain(lot.written..).rev() {
            self.rows[at as usize] = now;
        }
        for (event, rows) in row::ones(&new).zip(self.aside_rows[lot.rows..].chunks_exact(code.stride.max(1))) {
            self.rows[code.rows_of(event)].copy_from_slice(rows);
        }
        self.aside_rows.truncate(lot.rows);
    }
}

/// The events that some records added.
fn new_events<const N: usize>(records: &[Record]) -> Row<N> {
    records.iter().filter(|record| record.fresh).fold(row::none(), |mut new, record| {
        row::insert(&mut new, record.row as usize);
        new
    })
}
