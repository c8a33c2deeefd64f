//! Exploration up to reads-from: which coherence orders a graph can have is searched, not explored.
//!
//! With `--equivalence rf` a graph is consistent when *some* coherence order makes it so. While exploring, the kernel knows only
//! that initial writes come first; each time something was added, the order that was found last is tried, completed by what is new, and
//! when the model rejects it, orders are searched: the writes of each location are put in their places one by one, and the
//! model's pruning checks give up a beginning that cannot be completed. So nothing is assumed of the model; what the search
//! costs is exponential in the writes of a location only where the checks do not speak up.
//!
//! Not sure to be cheap: models that judge coherence only at the end.

use super::judge::Judge;
use super::search::Search;
use crate::ids::{EventId, LocId};
use crate::kernel::bits::Bits;
use smallvec::SmallVec;
use std::sync::Arc;

/// Writes that are to be last in coherence at their locations.
pub(super) type Lasts = SmallVec<[(LocId, EventId); 4]>;

/// The orders that were found last on the way to a graph, by location. Going back takes back what was found since, so that the order that
/// is found next, and shown, is a function of the way.
#[derive(Clone, Default)]
pub(super) struct Hints(Arc<Vec<Vec<EventId>>>);

impl Hints {
    fn set(&mut self, loc: LocId, order: Vec<EventId>) {
        if self.0.get(loc.index()) == Some(&order) {
            return;
        }
        let all = Arc::make_mut(&mut self.0);
        if all.len() <= loc.index() {
            all.resize_with(loc.index() + 1, Vec::new);
        }
        all[loc.index()] = order;
    }
}

/// What is done with a coherence order, which is in the graph and in the kernel then; whether it was the right one.
type Use<'u, 'a, 'p, J> = dyn FnMut(&mut Search<'a, 'p, J>) -> bool + 'u;

impl<'a, 'p, J: Judge> Search<'a, 'p, J> {
    /// Whether the graph has a coherence order that no pruning check forbids.
    pub(super) fn has_coherence(&mut self) -> bool {
        !self.floating || self.with_coherence(&Lasts::new(), &mut |_| true)
    }

    /// Puts coherence orders with these last writes into the graph and before the judge, until one is accepted, and takes it out
    /// again. Where coherence is explored, the order is what it is.
    pub(super) fn with_coherence(&mut self, lasts: &Lasts, accept: &mut Use<'_, 'a, 'p, J>) -> bool {
        if !self.floating {
            return accept(self);
        }
        let mut open: Vec<LocId> = self.graph.places().filter(|(_, p)| p.co.len() > 2).map(|(loc, _)| loc).collect();
        // Numbers of locations depend on what was explored before.
        open.sort_unstable_by_key(|&loc| self.world.locs.get(loc));
        let wrong = |&(loc, write): &(LocId, EventId)| {
            self.graph.place(loc).is_none_or(|p| p.co.len() > 1 && !p.co[1..].contains(&write))
        };
        if lasts.iter().any(wrong) {
            return false;
        }
        if open.is_empty() {
            return accept(self);
        }
        let listed: Vec<Vec<EventId>> = open.iter().map(|&loc| self.writes(loc)).collect();
        let mut guess: Vec<Vec<EventId>> = open.iter().map(|&loc| self.guess(loc, lasts)).collect();
        self.judge().push();
        for order in &guess {
            for (i, &write) in order.iter().enumerate() {
                self.order(write, &[], &order[i + 1..]);
            }
        }
        let mut found = self.try_orders(&open, &guess, accept);
        self.judge().pop();
        if !found {
            let todo: Vec<(usize, EventId)> =
                guess.iter().enumerate().flat_map(|(i, order)| order.iter().rev().map(move |&w| (i, w))).collect();
            guess.iter_mut().for_each(Vec::clear);
            found = self.place_writes(&open, &todo, lasts, &mut guess, accept);
        }
        for (&loc, order) in open.iter().zip(&listed) {
            self.graph.set_coherence(loc, order);
        }
        if found {
            for (loc, order) in open.into_iter().zip(guess) {
                self.hints.set(loc, order);
            }
        }
        found
    }

    fn writes(&self, loc: LocId) -> Vec<EventId> {
        self.graph.place(loc).map_or(Vec::new(), |p| p.co[1..].to_vec())
    }

    /// The order to try first: the one that was found last, what is new at the end, or behind what its own
    /// read-modify-write reads.
    fn guess(&self, loc: LocId, lasts: &Lasts) -> Vec<EventId> {
        let writes = self.writes(loc);
        let known = self.hints.0.get(loc.index());
        let mut order: Vec<EventId> = known.into_iter().flatten().copied().filter(|w| writes.contains(w)).collect();
        for write in writes {
            if order.contains(&write) {
                continue;
            }
            let partner = self.graph.event(write).partner;
            let source = if self.graph.contains(partner) { self.graph.event(partner).rf } else { write };
            let init = self.graph.place(loc).is_some_and(|p| p.init == source);
            let at = order.iter().position(|&w| w == source).map_or(if init { 0 } else { order.len() }, |i| i + 1);
            order.insert(at, write);
        }
        if let Some(&(_, last)) = lasts.iter().find(|(l, _)| *l == loc)
            && let Some(at) = order.iter().position(|&w| w == last)
        {
            let last = order.remove(at);
            order.push(last);
        }
        order
    }

    /// Tells the judge that a write comes behind some others of its location and before others.
    fn order(&mut self, write: EventId, before: &[EventId], behind: &[EventId]) {
        let row = self.graph.row(write);
        let rows = |writes: &[EventId]| writes.iter().map(|&w| self.graph.row(w)).collect::<Bits>();
        let (sources, targets) = (rows(before), rows(behind));
        self.judge().order(row, &sources, &targets);
    }

    /// Whether complete orders, which the kernel knows, are consistent and accepted.
    fn try_orders(&mut self, open: &[LocId], orders: &[Vec<EventId>], accept: &mut Use<'_, 'a, 'p, J>) -> bool {
        if !self.judge().is_consistent() {
            return false;
        }
        for (&loc, order) in open.iter().zip(orders) {
            self.graph.set_coherence(loc, order);
        }
        accept(self)
    }

    /// Puts the remaining writes (the index of their location in `open`, the write) in their places, each last possible place first.
    fn place_writes(
        &mut self,
        open: &[LocId],
        todo: &[(usize, EventId)],
        lasts: &Lasts,
        orders: &mut [Vec<EventId>],
        accept: &mut Use<'_, 'a, 'p, J>,
    ) -> bool {
        let Some((&(i, write), rest)) = todo.split_first() else { return self.try_orders(open, orders, accept) };
        let last = lasts.iter().find(|(loc, _)| *loc == open[i]).map(|(_, w)| *w);
        for at in (0..=orders[i].len()).rev() {
            let behind_last = orders[i][..at].iter().any(|&w| Some(w) == last);
            if behind_last || Some(write) == last && at < orders[i].len() {
                continue;
            }
            if self.must_stop() {
                return false;
            }
            orders[i].insert(at, write);
            self.judge().push();
            let (before, behind) = (orders[i][..at].to_vec(), orders[i][at + 1..].to_vec());
            self.order(write, &before, &behind);
            let found = self.judge().is_consistent() && self.place_writes(open, rest, lasts, orders, accept);
            self.judge().pop();
            if found {
                return true;
            }
            orders[i].remove(at);
        }
        false
    }
}
