//! A small execution with more words a row: everything that is known of it, copied.

use super::walk::Found;
use super::{Delta, Lot, Small, Stack};
use crate::kernel::row::{self, Row};

impl<const N: usize> Small<N> {
    /// The same with room for more events. It takes along what is known of some.
    pub fn wider<const M: usize>(&mut self) -> Small<M> {
        let logged = |log: &[(u32, Row<N>)]| log.iter().map(|(at, old)| (*at, row::wider(old))).collect();
        Small {
            sets: self.sets.each_ref().map(row::wider),
            member_of: self.member_of.clone(),
            rows: wider(&self.rows),
            high: self.high,
            delta: self.delta.wider(),
            met: self.met,
            stack: self.stack.wider(),
            log: logged(&self.log),
            changes: self.changes.clone(),
            finished: self.finished,
            told: self.told,
            aside: self.aside.wider(),
            aside_rows: wider(&self.aside_rows),
            aside_log: logged(&self.aside_log),
            aside_changes: self.aside_changes.clone(),
            lots: self.lots.iter().map(|lot| Lot { ..*lot }).collect(),
            violated: self.violated,
            found: [Found::NONE; super::code::MOST_CHECKS],
            pairs: Vec::new(),
            states: [row::none(); super::automaton::MOST_STATES],
            gains: Vec::new(),
            joined: Vec::new(),
            known: std::mem::take(&mut self.known),
        }
    }
}

impl<const N: usize> Delta<N> {
    fn wider<const M: usize>(&self) -> Delta<M> {
        let Delta { open, row, fresh, sets, filled, ref words, ref others } = *self;
        Delta { open, row, fresh, sets, filled, words: words.each_ref().map(row::wider), others: row::wider(others) }
    }
}

impl<const N: usize> Stack<N> {
    fn wider<const M: usize>(&self) -> Stack<M> {
        Stack { records: self.records.clone(), words: wider(&self.words), frames: self.frames.clone() }
    }
}

fn wider<const N: usize, const M: usize>(rows: &[Row<N>]) -> Vec<Row<M>> {
    rows.iter().map(row::wider).collect()
}
