//! Which orders of sections are tried: first one that has what is forced, and is otherwise as it was, open sections late; mostly that is the right one. Where it is not, a checker that knows no orders rejects what
//! none mends, each two sections are tried by themselves in either order, and in the end all orders that are left.

use super::forced::Forced;
use super::judge::Accept;
use crate::explore::checker::consistency::Checker;
use crate::explore::engine::frames::Orders;
use crate::explore::engine::search::Search;
use crate::ids::{EventId, LocId};

/// Sections in an order, by number.
type Line = Vec<usize>;

impl<'a, 'p, J: Checker> Search<'a, 'p, J> {
    /// Looks for orders that make the graph consistent and are accepted. The graph has them then, and the checker of the next level knows it. Where none is found, the graph is left with some that were tried.
    pub(super) fn find_lock_orders(&mut self, accept: &mut Accept<'_, 'a, 'p, J>) -> bool {
        let Some(mut forced) = self.forced_order() else { return false };
        let first = forced.likely();
        if self.try_lock_orders(&forced.orders(&first), accept) {
            return true;
        }
        if forced.is_total() || !self.is_allowed_without_orders() || !self.compare_sections(&mut forced) {
            return false;
        }
        let second = forced.likely();
        if second != first && self.try_lock_orders(&forced.orders(&second), accept) {
            return true;
        }
        let mut line = Line::new();
        self.try_all(&forced, &mut line, &[&first, &second], accept)
    }

    /// Asks of each two sections whose order is not certain in which they can be by themselves; `false`: some in neither.
    fn compare_sections(&mut self, forced: &mut Forced) -> bool {
        let count = forced.sections.len();
        for (i, j) in (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j))) {
            let (first, second) = (forced.sections[i], forced.sections[j]);
            if first.loc != second.loc || forced.comes_before(i, j) || forced.comes_before(j, i) {
                continue;
            }
            if self.must_stop() {
                return false;
            }
            let are_ordered = self.is_allowed_in_order(&first, &second) || forced.order(j, i);
            if !are_ordered || !self.is_allowed_in_order(&second, &first) && !forced.order(i, j) {
                return false;
            }
        }
        true
    }

    /// Tries all orders that begin so, but for some.
    fn try_all(
        &mut self,
        forced: &Forced,
        line: &mut Line,
        tried: &[&Line],
        accept: &mut Accept<'_, 'a, 'p, J>,
    ) -> bool {
        if line.len() == forced.sections.len() {
            return !tried.contains(&&*line) && self.try_lock_orders(&forced.orders(line), accept);
        }
        // Sections of one lock after those of another.
        let loc = (0..forced.sections.len()).find(|i| !line.contains(i)).map(|i| forced.sections[i].loc);
        for i in 0..forced.sections.len() {
            if Some(forced.sections[i].loc) != loc || !forced.may_be_next(i, line) {
                continue;
            }
            if self.must_stop() {
                return false;
            }
            line.push(i);
            let found = self.try_all(forced, line, tried, accept);
            line.pop();
            if found {
                return true;
            }
        }
        false
    }
}

impl Forced {
    /// Whether a section may come next behind some.
    fn may_be_next(&self, next: usize, line: &[usize]) -> bool {
        let is_there = |i: usize| line.contains(&i);
        !is_there(next) && (0..self.sections.len()).all(|i| is_there(i) || !self.comes_before(i, next))
    }

    /// An order that has what is forced: each time the first section that may come next, but for open ones.
    fn likely(&self) -> Line {
        let count = self.sections.len();
        let mut line = Line::with_capacity(count);
        for _ in 0..count {
            let loc = (0..count).find(|i| !line.contains(i)).map(|i| self.sections[i].loc);
            let next = (0..count).filter(|&i| Some(self.sections[i].loc) == loc && self.may_be_next(i, &line));
            line.extend(next.min_by_key(|&i| (self.sections[i].is_open(), i)));
        }
        line
    }

    /// The writes of each lock in such an order.
    fn orders(&self, line: &[usize]) -> Orders {
        let mut orders: Vec<(LocId, Vec<EventId>)> = Vec::new();
        for section in line.iter().map(|&i| self.sections[i]) {
            match orders.last_mut() {
                Some((loc, order)) if *loc == section.loc => order.extend(section.writes()),
                _ => orders.push((section.loc, section.writes().collect())),
            }
        }
        orders
    }
}
