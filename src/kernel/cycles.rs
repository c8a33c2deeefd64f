//! Cycle search without a closure.

use super::code::{Chain, Place, RelSlot, Step, UNIVERSE};
use super::eval::Eval;
use super::row::{self, Row};

impl<const N: usize> Eval<'_, N> {
    /// Whether a union of chains has a cycle; in a delta run, given that it had none before the last changes.
    ///
    /// A new cycle has a new edge, so it passes through a changed row. It also enters that row's event; for an event that is
    /// new, the edge that enters it is in a changed row too, so new events that no changed row mentions cannot lie on one. A
    /// depth-first search from what remains visits each event once.
    pub(super) fn has_cycle(&mut self, chains: &[Chain], full: bool) -> bool {
        if !full && chains.iter().all(|chain| self.is_tight(chain)) {
            return self.has_new_cycle(chains);
        }
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
        self.has_cycle_from(chains, &start)
    }

    /// Whether a cycle can be reached from some events.
    fn has_cycle_from(&mut self, chains: &[Chain], start: &Row<N>) -> bool {
        if row::is_none(start) {
            return false;
        }
        let mut path = std::mem::take(&mut self.scratch.path);
        let mut pending = self.scratch.take();
        let found = self.search(chains, start, &mut path, &mut pending);
        path.clear();
        self.scratch.path = path;
        self.scratch.give(pending);
        found
    }

    /// Whether every edge that a chain gained begins or ends at a new event.
    fn is_tight(&self, chain: &Chain) -> bool {
        let grew_tightly = |slot: &RelSlot| !self.state.is_loose(*slot);
        matches!(&chain.steps[..], [Step::Rel { slot, opt: false }] if grew_tightly(slot))
            && chain.and.iter().all(grew_tightly)
            && !chain.not.iter().any(|&slot| self.state.has_shrunk(Place::Rel(slot)))
            && !chain.differ
    }

    /// Whether there is a cycle, given that there was none before and that all edges gained since begin or end at a new event:
    /// it passes through that event, and enters it by a row that changed. Mostly the rows that changed are those of the new event
    /// alone, and nothing is searched.
    fn has_new_cycle(&mut self, chains: &[Chain]) -> bool {
        let fresh = *self.state.dirty::<N>(Place::Set(UNIVERSE));
        let mut new = row::ones(&fresh);
        let (Some(event), None) = (new.next(), new.next()) else { return self.has_cycle_from(chains, &fresh) };
        let mut changed = row::none::<N>();
        for chain in chains {
            row::join(&mut changed, &self.affected_by(chain));
        }
        let mut entering = row::none::<N>();
        for x in row::ones(&changed) {
            if row::has(&self.row_of(chains, x), event) {
                row::insert(&mut entering, x);
            }
        }
        if row::is_none(&entering) {
            return false;
        }
        let mut seen = row::one::<N>(event);
        let mut todo = seen;
        while let Some(x) = row::ones(&todo).next() {
            if row::has(&entering, x) {
                return true;
            }
            row::remove(&mut todo, x);
            let more = row::minus(&self.row_of(chains, x), &seen);
            row::join(&mut seen, &more);
            row::join(&mut todo, &more);
        }
        false
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
