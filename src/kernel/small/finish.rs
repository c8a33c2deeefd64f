//! Checks of complete executions, evaluated as a whole: what they look at need not grow with the execution.

use super::Small;
use super::code::{LastCode, PathCode, SmallCode};
use crate::algebra::Predicate;
use crate::kernel::row::{self, Row};

impl<const N: usize> Small<N> {
    /// Whether a check speaks up. Everything that was added has been taken over, and no pruning check is violated.
    pub fn speaks_up(&self, code: &SmallCode, check: &LastCode) -> bool {
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
        let from = self.sets[path.masks[0] as usize];
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
