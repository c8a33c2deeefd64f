//! Coherence that nobody looks at: which order the writes of some locations have is searched, not explored.
//!
//! Where the coherence of a location does not tell executions apart ([`Equivalence`](crate::explore::options::Equivalence)), a graph is consistent when *some* order of its writes makes
//! it so. The graph and its checker have such an order all the time, a witness: a new write is put last, which mostly is consistent, and nothing else is done.
//! Only when the checker rejects something that was added, another order is looked for. First a checker is asked that knows nothing of these orders: what it rejects
//! no order mends. Then the writes are put in their places one by one, each as late as it can be, and the model's pruning checks give up a beginning that cannot be completed. A checker is shown
//! the graph with the order that is found, and goes on with it until the search goes back.
//!
//! The witness is a function of the choices that lead to a graph. Nothing else depends on it: not which choices there are, nor in which order they are tried
//! ([`Graph::listed`](crate::graph::Graph::listed)).
//!
//! Nothing is assumed of the model. What the search costs is exponential in the writes of a location only where the checks do not speak up.
//!
//! Not sure to be cheap: models that check coherence only at the end.

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::frames::{Orders, Undo};
use crate::explore::engine::search::Search;
use crate::graph::Place;
use crate::graph::event::Event;
use crate::ids::{EventId, LocId};
use crate::relation::bits::Bits;
use smallvec::SmallVec;

/// Writes that are to be last in coherence at their locations.
pub(in crate::explore) type Lasts = SmallVec<[(LocId, EventId); 4]>;

/// What is done with a graph that has a coherence order, which its checker knows; whether the order was the right one.
type Use<'u, 'a, 'p, J> = dyn FnMut(&mut Search<'a, 'p, J>) -> bool + 'u;

/// Orders that are being found.
struct Looking<'l, J> {
    /// Knows all of the graph but these orders.
    checker: J,
    /// The writes that have their place, by location.
    orders: Orders,
    lasts: &'l Lasts,
}

impl<'a, 'p, J: Checker> Search<'a, 'p, J> {
    /// Where a new write goes in a coherence order that is of no interest: last, but before what its thread writes behind it (what is deleted before the
    /// write is added behind it), or right behind what its own read-modify-write reads.
    pub(in crate::explore) fn likely_place(&self, write: &Event, place: &Place, passed: &[EventId]) -> usize {
        let at = |w: EventId| place.co.iter().position(|&x| x == w);
        let source =
            Some(write.partner).filter(|&read| self.graph.contains(read)).map(|read| self.graph.event(read).rf);
        let is_later = |w: &EventId| self.graph.event(*w).thread == write.thread && !passed.contains(w);
        source.and_then(at).map(|at| at + 1).or_else(|| place.co.iter().position(is_later)).unwrap_or(place.co.len())
    }

    /// Gives the graph, which its checker rejects, another coherence order where that is of no interest. `false`: no order makes it consistent.
    pub(in crate::explore) fn reorder(&mut self) -> bool {
        if self.has_one_order() {
            return false;
        }
        let before = self.open_orders();
        let found = self.find_orders(&Lasts::new(), &mut |_| true);
        if found {
            // Until what was added is taken back.
            self.level += 1;
            self.trail.push(Undo::Orders(before));
        } else {
            self.set_orders(&before);
        }
        found
    }

    /// Has the graph take a coherence order with these last writes and that its checker finds consistent, one after another until one is accepted; and
    /// then the one that it had. Where coherence is explored, the order is what it is.
    pub(in crate::explore) fn with_coherence(&mut self, lasts: &Lasts, accept: &mut Use<'_, 'a, 'p, J>) -> bool {
        if self.sections.are_witnessed() {
            return self.with_lock_orders(accept);
        }
        let have = |search: &Self| lasts.iter().all(|&(loc, write)| search.graph.last_write(loc) == Some(write));
        if have(self) && accept(self) {
            return true;
        }
        let is_last = |&(loc, write): &(LocId, EventId)| self.graph.last_write(loc) == Some(write);
        let can_be_last = |last: &(LocId, EventId)| {
            let open = self.graph.place(last.0).filter(|place| is_open(place));
            let is_only = lasts.iter().all(|other| other.0 != last.0 || other.1 == last.1);
            is_only && open.map_or_else(|| is_last(last), |place| place.co[1..].contains(&last.1))
        };
        if self.has_one_order() || !lasts.iter().all(can_be_last) {
            return false;
        }
        let before = self.open_orders();
        let found = self.find_orders(lasts, accept);
        self.set_orders(&before);
        found
    }

    /// Whether the graph has one coherence order only of those that are of no interest, or all are of interest.
    fn has_one_order(&self) -> bool {
        !self.world.options.equivalence.leaves_orders_open() || !self.graph.places().any(|(_, place)| is_open(place))
    }

    /// The orders that the graph has at hand and that are of no interest.
    fn open_orders(&self) -> Orders {
        let open = self.graph.places().filter(|(_, place)| is_open(place));
        let mut open: Orders = open.map(|(loc, place)| (loc, place.co[1..].to_vec())).collect();
        // Numbers of locations depend on what was explored before.
        open.sort_unstable_by_key(|&(loc, _)| self.world.locs.get(loc));
        open
    }

    pub(in crate::explore) fn set_orders(&mut self, orders: &Orders) {
        orders.iter().for_each(|(loc, order)| self.graph.set_coherence(*loc, order));
    }

    /// Looks for orders with these last writes, that make the graph consistent and are accepted. Before that is asked, the graph has them, and the checker of the next
    /// level knows it. Where none is found, the graph is left with some that were tried.
    fn find_orders(&mut self, lasts: &Lasts, accept: &mut Use<'_, 'a, 'p, J>) -> bool {
        let Some(mut checker) = self.judges.of_any_order.take() else { return false };
        checker.load(&self.graph, &self.world.deps);
        let known = self.open_orders();
        let writes = known.iter().enumerate().flat_map(|(i, (_, order))| order.iter().map(move |&w| (i, w)));
        let writes: Vec<(usize, EventId)> = writes.collect();
        let orders = known.iter().map(|&(loc, _)| (loc, Vec::new())).collect();
        let mut looking = Looking { checker, orders, lasts };
        let found = looking.checker.is_consistent() && self.place_writes(&mut looking, &writes, accept);
        self.judges.of_any_order = Some(looking.checker);
        found
    }

    /// Puts the remaining writes (the index of their location, the write) in their places.
    fn place_writes(
        &mut self,
        looking: &mut Looking<'_, J>,
        todo: &[(usize, EventId)],
        accept: &mut Use<'_, 'a, 'p, J>,
    ) -> bool {
        let Some((&(i, write), rest)) = todo.split_first() else {
            self.set_orders(&looking.orders);
            self.enter_level();
            let is_accepted = self.checker().is_consistent() && accept(self);
            self.level -= 1;
            return is_accepted;
        };
        let loc = looking.orders[i].0;
        let last = looking.lasts.iter().find(|(l, _)| *l == loc).map(|(_, w)| *w);
        for at in (0..=looking.orders[i].1.len()).rev() {
            let (before, behind) = looking.orders[i].1.split_at(at);
            let behind_last = before.iter().any(|&w| Some(w) == last);
            if behind_last || Some(write) == last && !behind.is_empty() {
                continue;
            }
            if self.must_stop() {
                return false;
            }
            let rows = |writes: &[EventId]| writes.iter().map(|&w| self.graph.row(w)).collect::<Bits>();
            let (row, before, behind) = (self.graph.row(write), rows(before), rows(behind));
            looking.checker.push();
            looking.checker.order(row, &before, &behind);
            looking.orders[i].1.insert(at, write);
            let found = looking.checker.is_consistent() && self.place_writes(looking, rest, accept);
            looking.checker.pop();
            if found {
                return true;
            }
            looking.orders[i].1.remove(at);
        }
        false
    }
}

/// Whether the writes of a location have more than one order, and which it is is of no interest.
pub(in crate::explore) fn is_open(place: &Place) -> bool {
    place.unordered && place.co.len() > 2
}
