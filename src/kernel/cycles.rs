//! Cycle search without a closure.

use super::code::{Chain, Place, UNIVERSE};
use super::eval::Eval;
use super::row::{self, Row};

impl<const N: usize> Eval<'_, N> {
    /// Whether a union of chains has a cycle; in a delta run, given that it had none before the last changes.
    ///
    /// A new cycle has a new edge, so it passes through a changed row. It also enters that row's event; for an event that is
    /// new, the edge that enters it is in a changed row too, so new events that no changed row mentions cannot lie on one. A
    /// depth-first search from what remains visits each event once.
    pub(super) fn has_cycle(&mut self, chains: &[Chain], full: bool) -> bool {
        let mut start = row::none::<N>();
        let mut entered = row::none::<N>();
        for chain in chains {
            let changed = self.todo(chain, full);
            row::join(&mut start, &changed);
            if !full {
                row::ones(&changed).for_each(|x| row::join(&mut entered, &self.chain_row(chain, x)));
            }
        }
        if !full {
            let fresh = *self.state.dirty::<N>(Place::Set(UNIVERSE));
            start = row::minus(&start, &row::minus(&fresh, &entered));
        }
        if row::is_none(&start) {
            return false;
        }
        let mut path = std::mem::take(&mut self.scratch.path);
        let mut pending = self.scratch.take();
        let found = self.search(chains, &start, &mut path, &mut pending);
        path.clear();
        self.scratch.path = path;
        self.scratch.give(pending);
        found
    }

    /// `path` is the current path, `pending` the unvisited targets of each event on it.
    fn search(&self, chains: &[Chain], start: &Row<N>, path: &mut Vec<u32>, pending: &mut Vec<u64>) -> bool {
        let mut visited = row::none::<N>();
        let mut on_path = row::none::<N>();
        for root in row::ones(start) {
            if row::has(&visited, root) {
                continue;
            }
            let mut next = Some(root);
            loop {
                if let Some(x) = next {
                    row::insert(&mut visited, x);
                    row::insert(&mut on_path, x);
                    let targets = self.row_of(chains, x);
                    if row::meets(&targets, &on_path) {
                        return true;
                    }
                    path.push(x as u32);
                    pending.extend(row::minus(&targets, &visited));
                }
                let Some(&x) = path.last() else { break };
                let top = pending.len() - N;
                let mut rest = row::none::<N>();
                rest.copy_from_slice(&pending[top..]);
                rest = row::minus(&rest, &visited);
                next = row::ones(&rest).next();
                match next {
                    Some(y) => {
                        row::remove(&mut rest, y);
                        pending[top..].copy_from_slice(&rest);
                    }
                    None => {
                        path.pop();
                        pending.truncate(top);
                        row::remove(&mut on_path, x as usize);
                    }
                }
            }
        }
        false
    }
}
