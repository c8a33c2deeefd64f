//! Checks of complete executions, evaluated as a whole: what they look at need not grow with the execution.

use super::code::{LastCode, PathCode, SmallCode};
use super::{Record, Small};
use crate::algebra::Predicate;
use crate::kernel::row::{self, Row, bits};

impl<const N: usize> Small<N> {
    /// Tells of each check that speaks up, until that is enough. Everything that was added has been taken over, and no pruning check is violated.
    pub fn finish(&mut self, code: &SmallCode, checks: &[LastCode], enough: &mut dyn FnMut(usize) -> bool) {
        if checks.is_empty() {
            return;
        }
        self.fill_rows(code);
        for check in checks {
            if self.speaks_up(code, check) && enough(check.index) {
                break;
            }
        }
        if code.finishing != 0 && self.stack.records.iter().any(|record| !record.fresh) {
            // Their edges cannot be told from those that were there.
            for slot in bits(u64::from(code.finishing)).filter_map(|relation| code.backward[relation]) {
                row::ones(&self.sets[0]).for_each(|x| self.rows[code.at(x, slot)] = row::none());
            }
            self.finished = 0;
        }
    }

    /// Enters the edges that only checks of complete executions need, of what was added since that was done last.
    fn fill_rows(&mut self, code: &SmallCode) {
        if code.finishing == 0 {
            return;
        }
        let stack = &self.stack;
        for record in &stack.records[self.finished..] {
            let event = record.row as usize;
            for (word, others) in bits(record.filled).zip(&stack.words[record.words as usize..]) {
                let Some(slot) = code.finished_in(word / 2) else { continue };
                if word.is_multiple_of(2) {
                    row::join(&mut self.rows[code.at(event, slot)], others);
                } else {
                    row::ones(others).for_each(|x| row::insert(&mut self.rows[code.at(x, slot)], event));
                }
            }
        }
        self.finished = self.stack.records.len();
    }

    /// Takes back what [`Self::fill_rows`] did for the newest record in the rows of other events, when that record is taken back.
    pub(super) fn empty_rows(&mut self, code: &SmallCode, record: Record) {
        self.finished = self.stack.records.len();
        let event = record.row as usize;
        for (word, others) in bits(record.filled).zip(&self.stack.words[record.words as usize..]) {
            if let Some(slot) = code.finished_in(word / 2).filter(|_| word % 2 == 1) {
                row::ones(others).for_each(|x| row::remove(&mut self.rows[code.at(x, slot)], event));
            }
        }
    }

    fn speaks_up(&self, code: &SmallCode, check: &LastCode) -> bool {
        let holds = |(predicate, paths): &(Predicate, Vec<PathCode>)| match predicate {
            Predicate::Empty => paths.iter().all(|path| self.pairs_of(code, path).next().is_none()),
            Predicate::Irreflexive => {
                paths.iter().all(|path| self.pairs_of(code, path).all(|(x, to)| !row::has(&to, x)))
            }
            Predicate::Acyclic => self.is_acyclic(code, paths),
        };
        check.tests.iter().all(holds) == check.fires_when
    }

    /// The events that a path leads from, each with those that it leads to.
    fn pairs_of<'a>(&'a self, code: &'a SmallCode, path: &'a PathCode) -> impl Iterator<Item = (usize, Row<N>)> + 'a {
        let from = row::and(&self.sets[0], &self.sets[path.masks[0] as usize]);
        let pairs = row::ones(&from).map(move |x| {
            let to = self.follow(code, path, 0, row::one(x));
            (x, self.let_through(code, path, x, to))
        });
        pairs.filter(|(_, to)| !row::is_none(to))
    }

    /// Whether a union has no cycle: whether all events can be removed, each when it leads to no other one any more.
    fn is_acyclic(&self, code: &SmallCode, paths: &[PathCode]) -> bool {
        let mut successors = vec![row::none(); self.high];
        for (x, to) in paths.iter().flat_map(|path| self.pairs_of(code, path)) {
            row::join(&mut successors[x], &to);
        }
        let mut left = self.sets[0];
        loop {
            let ends = row::ones(&left).filter(|&x| !row::meets(&successors[x], &left));
            let rest = ends.fold(left, |mut rest, x| {
                row::remove(&mut rest, x);
                rest
            });
            if rest == left {
                return row::is_none(&left);
            }
            left = rest;
        }
    }
}
