//! Cycle search without a closure.

use super::code::{Chain, Place, RelSlot, Step, UNIVERSE};
use super::eval::Eval;
use super::order::Order;
use super::row::{self, Row};

/// From this width on, cycle checks keep a topological order. Smaller graphs are searched as fast.
const ORDERED: usize = 2;

impl<const N: usize> Eval<'_, N> {
    /// Whether a union of chains has a cycle; in a delta run, given that it had none before the last changes.
    ///
    /// A new cycle has a new edge, so it passes through a changed row. It also enters that row's event; for an event that is
    /// new, the edge that enters it is in a changed row too, so new events that no changed row mentions cannot lie on one. A
    /// depth-first search from what remains visits each event once.
    pub(super) fn has_cycle(&mut self, chains: &[Chain], full: bool, order: Option<usize>) -> bool {
        if let Some(slot) = order.filter(|_| N >= ORDERED && !full) {
            let mut order = std::mem::take(&mut self.state.orders[slot]);
            order.broken |= chains.iter().any(|chain| self.may_lose(chain));
            let found = if order.broken { None } else { Some(self.contradicts(chains, &mut order)) };
            // What was there before the last changes agrees with the order still, if it did.
            if found == Some(true) && !order.ready {
                order.clear();
            }
            order.ready |= found == Some(false);
            self.state.orders[slot] = order;
            if let Some(found) = found {
                return found;
            }
        }
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

    /// Whether every edge that a chain gained begins or ends at a new event. Chains of several relations are looked into in wide rows only.
    fn is_tight(&self, chain: &Chain) -> bool {
        if N >= ORDERED {
            let fresh = self.state.dirty::<N>(Place::Set(UNIVERSE));
            return self.gains(chain).is_some_and(|gains| row::is_none(&row::minus(&gains.columns, fresh)));
        }
        let grew_tightly = |slot: &RelSlot| !self.state.is_loose(*slot);
        matches!(&chain.steps[..], [Step::Rel { slot, opt: false }] if grew_tightly(slot))
            && chain.and.iter().all(grew_tightly)
            && !chain.not.iter().any(|&slot| self.state.has_shrunk(Place::Rel(slot)))
            && !chain.differ
    }

    /// Whether a union of chains, which had no cycle before the last changes and has lost no edge, has one now. Brings its
    /// topological order up to date, unless it has.
    ///
    /// An edge that contradicts the order is new, so it begins at an event whose row changed; where all new edges touch new
    /// events, which are first put behind all that lead to them, it begins at one of these.
    fn contradicts(&mut self, chains: &[Chain], order: &mut Order) -> bool {
        let fresh = *self.state.dirty::<N>(Place::Set(UNIVERSE));
        order.make_room(self.state.high);
        let mut unchecked;
        if order.ready {
            let changed = chains.iter().fold(fresh, |all, chain| row::or(&all, &self.todo(chain, false)));
            let mut leads_on = false;
            row::ones(&fresh).for_each(|x| order.remove(x));
            // What was there when the check was skipped, because nothing led to it or from it.
            let mut missing = row::minus(self.state.set(UNIVERSE), &fresh);
            (0..N).for_each(|k| missing[k] &= !order.listed(k));
            row::ones(&missing).for_each(|x| order.insert(x, order.before(None)));
            for x in row::ones(&fresh) {
                let last = row::is_none(&self.row_of(chains, x));
                leads_on |= !last;
                let behind = if last { order.before(None) } else { self.last_source(chains, order, &changed, x) };
                order.insert(x, behind);
            }
            // What other chains gained begins or ends at a new event.
            let loose = chains.iter().filter(|chain| !self.is_tight(chain));
            unchecked = loose.fold(row::none(), |all, chain| row::or(&all, &self.todo(chain, false)));
            if row::is_none(&unchecked) && !leads_on {
                return false;
            }
            row::join(&mut unchecked, &fresh);
        } else {
            unchecked = *self.state.set::<N>(UNIVERSE);
            for x in row::ones(&unchecked) {
                order.insert(x, order.before(None));
            }
        }
        let mut passed = row::none::<N>();
        let mut at = order.after(None);
        while let Some(x) = at {
            if row::has(&unchecked, x) {
                row::remove(&mut unchecked, x);
                let targets = self.row_of(chains, x);
                let back = row::and(&targets, &passed);
                if row::has(&targets, x)
                    || !row::is_none(&back) && self.turns_back(chains, order, x, &back, &mut passed)
                {
                    return true;
                }
                if row::is_none(&unchecked) {
                    return false;
                }
            }
            row::insert(&mut passed, x);
            at = order.after(Some(x));
        }
        false
    }

    /// The last event, in the order, from which an edge leads to a new one.
    fn last_source(&self, chains: &[Chain], order: &Order, changed: &Row<N>, new: usize) -> Option<usize> {
        let mut at = order.before(None);
        while let Some(x) = at {
            if row::has(changed, x) && row::has(&self.row_of(chains, x), new) {
                break;
            }
            at = order.before(Some(x));
        }
        at
    }

    /// Moves everything that `back`, some targets of `x` that were passed before it, leads to, among what was passed, behind `x`. Whether `x` is among
    /// it, so that there is a cycle.
    fn turns_back(&self, chains: &[Chain], order: &mut Order, x: usize, back: &Row<N>, passed: &mut Row<N>) -> bool {
        let mut moved = *back;
        let mut todo = *back;
        // Events added late are near to `x` more often than not.
        while let Some(y) = row::last(&todo) {
            row::remove(&mut todo, y);
            let targets = self.row_of(chains, y);
            if row::has(&targets, x) {
                return true;
            }
            let more = row::minus(&row::and(&targets, passed), &moved);
            row::join(&mut moved, &more);
            row::join(&mut todo, &more);
        }
        *passed = row::minus(passed, &moved);
        // From the last to the first, each right behind `x`.
        let mut at = order.before(Some(x));
        while let Some(y) = at.filter(|_| !row::is_none(&moved)) {
            at = order.before(Some(y));
            if row::has(&moved, y) {
                row::remove(&mut moved, y);
                order.remove(y);
                order.insert(y, Some(x));
            }
        }
        false
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
