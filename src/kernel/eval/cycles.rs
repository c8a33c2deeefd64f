//! Cycle search without a closure.

use super::Eval;
use super::gains;
use super::order::Order;
use crate::kernel::plan::code::{Chain, Place, RelSlot, Step, UNIVERSE};
use crate::kernel::row::{self, Row};

/// From this width on, cycle checks keep a topological order. Smaller graphs are searched as fast.
const ORDERED: usize = 2;

impl<const N: usize> Eval<'_, N> {
    /// Whether a union of chains has a cycle; in a delta run, given that it had none before the last changes.
    ///
    /// A new cycle has a new edge, so it passes through a changed row. It also enters that row's event; for an event that is
    /// new, the edge that enters it is in a changed row too, so new events that no changed row mentions cannot lie on one. A
    /// depth-first search from what remains visits each event once.
    pub(in crate::kernel) fn has_cycle(&mut self, chains: &[Chain], full: bool, order: Option<usize>) -> bool {
        if !full && chains.iter().all(|chain| self.gained_only_sources(chain)) && self.puts_first(order) {
            return false;
        }
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
        if !full && let Some(entering) = self.entering(chains) {
            return self.has_cycle_through_new(chains, &entering);
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

    /// Puts new events, to which nothing leads, before all others of a topological order. `false` if it has to be made first.
    fn puts_first(&mut self, order: Option<usize>) -> bool {
        let Some(slot) = order.filter(|_| N >= ORDERED) else { return true };
        let fresh = *self.state.dirty::<N>(Place::Set(UNIVERSE));
        let high = self.state.high;
        let order = &mut self.state.orders[slot];
        if order.ready {
            order.make_room(high);
            for x in row::ones(&fresh) {
                order.remove(x);
                order.insert(x, None);
            }
        }
        order.ready || order.broken
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
    fn is_tight(&mut self, chain: &Chain) -> bool {
        if self.gained_only_sources(chain) {
            return true;
        }
        let grew_tightly = |slot: &RelSlot| !self.state.is_loose(*slot);
        if let [Step::Rel { slot, opt: false }] = &chain.steps[..] {
            return grew_tightly(slot)
                && chain.and.iter().all(grew_tightly)
                && !chain.not.iter().any(|&slot| self.state.has_shrunk(Place::Rel(slot)))
                && !chain.differ;
        }
        let fresh = *self.state.dirty::<N>(Place::Set(UNIVERSE));
        let mut gained = self.scratch.take();
        let is_tight = self.gained(chain, &mut gained)
            && gains::pairs::<N>(&gained).all(|(_, targets)| row::is_none(&row::minus(targets, &fresh)));
        self.scratch.give(gained);
        is_tight
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
            let mut leads_on = false;
            row::ones(&fresh).for_each(|x| order.remove(x));
            // What was there when the check was skipped, because nothing led to it or from it.
            let mut missing = row::minus(self.state.set(UNIVERSE), &fresh);
            (0..N).for_each(|k| missing[k] &= !order.listed(k));
            row::ones(&missing).for_each(|x| order.insert(x, order.before(None)));
            let entering = match self.entering(chains) {
                Some(entering) => row::minus(&entering, &fresh),
                None => chains
                    .iter()
                    .fold(row::none(), |all, chain| row::or(&all, &row::minus(&self.todo(chain, false), &fresh))),
            };
            let behind = order.last_of(row::ones(&entering));
            for x in row::ones(&fresh) {
                let last = row::is_none(&self.row_of(chains, x));
                leads_on |= !last;
                order.insert(x, if last { order.before(None) } else { behind });
            }
            // What other chains gained begins or ends at a new event.
            unchecked = row::none();
            for chain in chains {
                if !self.is_tight(chain) {
                    row::join(&mut unchecked, &self.todo(chain, false));
                }
            }
            if row::is_none(&unchecked) && !leads_on {
                return false;
            }
            row::join(&mut unchecked, &fresh);
        } else {
            unchecked = *self.state.set::<N>(UNIVERSE);
            // What is added later mostly leads to what was there.
            for x in row::ones(&unchecked) {
                order.insert(x, None);
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

    /// Moves everything that `back`, some targets of `x` that were passed before it, leads to, among what was passed, behind `x`. Whether `x` is among
    /// it, so that there is a cycle.
    fn turns_back(
        &mut self,
        chains: &[Chain],
        order: &mut Order,
        x: usize,
        back: &Row<N>,
        passed: &mut Row<N>,
    ) -> bool {
        let mut moved = *back;
        let mut todo = *back;
        let mut through = self.scratch.take();
        // Events added late are near to `x` more often than not.
        while let Some(y) = row::last(&todo) {
            row::remove(&mut todo, y);
            let targets = self.more_targets(chains, y, &mut through);
            if row::has(&targets, x) {
                self.scratch.give(through);
                return true;
            }
            let more = row::minus(&row::and(&targets, passed), &moved);
            row::join(&mut moved, &more);
            row::join(&mut todo, &more);
        }
        self.scratch.give(through);
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

    /// The events from which a union of chains gained an edge to a new event, if all that it gained are such edges and edges from new
    /// events.
    fn entering(&mut self, chains: &[Chain]) -> Option<Row<N>> {
        let fresh = *self.state.dirty::<N>(Place::Set(UNIVERSE));
        let mut entering = row::none::<N>();
        for chain in chains {
            if self.gained_only_sources(chain) {
                continue;
            }
            if let [Step::Rel { slot, opt: false }] = chain.steps[..] {
                if !self.is_tight(chain) {
                    return None;
                }
                for x in row::ones(self.state.dirty::<N>(Place::Rel(slot))) {
                    if row::meets(&self.chain_row(chain, x), &fresh) {
                        row::insert(&mut entering, x);
                    }
                }
                continue;
            }
            let mut gained = self.scratch.take();
            let mut is_known = self.gained(chain, &mut gained);
            for (sources, targets) in gains::pairs::<N>(&gained) {
                is_known &= row::is_none(&row::minus(targets, &fresh));
                let words = row::filled(targets);
                for x in row::ones(sources).filter(|_| is_known) {
                    if words.iter().any(|&k| gains::let_through::<N>(self.state, chain, x, k, targets[k]) != 0) {
                        row::insert(&mut entering, x);
                    }
                }
            }
            self.scratch.give(gained);
            if !is_known {
                return None;
            }
            for x in row::ones(&fresh) {
                if row::meets(&self.chain_row(chain, x), &fresh) {
                    row::insert(&mut entering, x);
                }
            }
        }
        Some(entering)
    }

    /// Whether there is a cycle, given that there was none before and that all edges gained since begin at a new event, or end at one and
    /// begin at one of `entering`: it passes through one of these. Mostly there are none, and nothing is searched.
    fn has_cycle_through_new(&mut self, chains: &[Chain], entering: &Row<N>) -> bool {
        if row::is_none(entering) {
            return false;
        }
        let fresh = *self.state.dirty::<N>(Place::Set(UNIVERSE));
        let mut new = row::ones(&fresh);
        let (Some(event), None) = (new.next(), new.next()) else { return self.has_cycle_from(chains, entering) };
        let mut through = self.scratch.take();
        let mut seen = row::one::<N>(event);
        let mut todo = seen;
        let mut found = row::has(entering, event);
        while let Some(x) = row::ones(&todo).next().filter(|_| !found) {
            row::remove(&mut todo, x);
            let more = row::minus(&self.more_targets(chains, x, &mut through), &seen);
            found = row::meets(&more, entering);
            row::join(&mut seen, &more);
            row::join(&mut todo, &more);
        }
        self.scratch.give(through);
        found
    }

    /// The targets of an event, of which those may be left out that this gave before: `through` holds, for each chain, the events from
    /// which its last relation was followed. So all calls of a search together cost no more than following each relation once.
    fn more_targets(&self, chains: &[Chain], x: usize, through: &mut Vec<u64>) -> Row<N> {
        through.resize(chains.len() * N, 0);
        let mut targets = row::none::<N>();
        for (chain, through) in chains.iter().zip(through.as_chunks_mut::<N>().0) {
            let last = chain.steps.iter().rposition(|step| matches!(step, Step::Rel { .. }));
            let plain = chain.and.is_empty() && chain.not.is_empty() && !chain.differ;
            let (Some(last), true) = (last.filter(|&last| last > 0), plain) else {
                row::join(&mut targets, &self.chain_row(chain, x));
                continue;
            };
            let (before, after) = chain.steps.split_at(last);
            match self.walk(before, x) {
                None => {}
                Some(None) => row::join(&mut targets, &self.chain_row(chain, x)),
                Some(Some(at)) => {
                    let new = row::minus(&at, through);
                    row::join(through, &at);
                    row::join(&mut targets, &self.walk_on(after, &new));
                }
            }
        }
        targets
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
