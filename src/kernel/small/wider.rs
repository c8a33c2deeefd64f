//! A small execution with more words a row: everything that is known of it, copied. What it is copied to may have held an earlier execution, and has room then.

use super::code::SmallCode;
use super::{Delta, Found, Small, Stack};
use crate::kernel::row::{self, Row};

impl<const N: usize> Small<N> {
    /// Has a wider form hold the same. It takes along what is known of some events.
    pub fn grow<const M: usize>(&mut self, code: &SmallCode, wide: &mut Small<M>) {
        wide.sets = self.sets.each_ref().map(row::wider);
        let room = self.member_of.len().max(wide.member_of.len());
        wide.member_of.clone_from(&self.member_of);
        wide.member_of.resize(room, 0);
        wide.rows.resize(code.rows_up_to(room), row::none());
        self.rows.iter().zip(&mut wide.rows).for_each(|(from, to)| *to = row::wider(from));
        wide.high = self.high;
        wide.delta = self.delta.wider();
        wide.met = self.met;
        self.stack.grow(&mut wide.stack);
        copy_log(&self.log, &mut wide.log);
        wide.changes.clone_from(&self.changes);
        (wide.finished, wide.told) = (self.finished, self.told);
        self.aside.grow(&mut wide.aside);
        copy(&self.aside_rows, &mut wide.aside_rows);
        copy_log(&self.aside_log, &mut wide.aside_log);
        wide.aside_changes.clone_from(&self.aside_changes);
        copy_log(&self.aside_written, &mut wide.aside_written);
        wide.spare.append(&mut wide.aside_whole);
        wide.aside_whole.extend(self.aside_whole.iter().map(|rows| rows.iter().map(row::wider).collect::<Vec<_>>()));
        wide.lots.clone_from(&self.lots);
        wide.violated = self.violated;
        wide.found = [Found::NONE; super::code::MOST_CHECKS];
        wide.learn_from(self);
    }

    /// Takes over what another form knows, whatever execution that holds.
    pub fn learn_from<const M: usize>(&mut self, other: &mut Small<M>) {
        self.met = other.met;
        self.known = std::mem::take(&mut other.known);
    }
}

impl<const N: usize> Delta<N> {
    fn wider<const M: usize>(&self) -> Delta<M> {
        let Delta { open, row, fresh, sets, filled, ref words, ref others } = *self;
        Delta { open, row, fresh, sets, filled, words: words.each_ref().map(row::wider), others: row::wider(others) }
    }
}

impl<const N: usize> Stack<N> {
    fn grow<const M: usize>(&self, wide: &mut Stack<M>) {
        wide.records.clone_from(&self.records);
        copy(&self.words, &mut wide.words);
        wide.frames.clone_from(&self.frames);
    }
}

fn copy<const N: usize, const M: usize>(rows: &[Row<N>], wide: &mut Vec<Row<M>>) {
    wide.clear();
    wide.extend(rows.iter().map(row::wider));
}

fn copy_log<const N: usize, const M: usize>(log: &[(u32, Row<N>)], wide: &mut Vec<(u32, Row<M>)>) {
    wide.clear();
    wide.extend(log.iter().map(|(at, old)| (*at, row::wider(old))));
}
