//! A topological order of the events under the operand of an `acyclic` check, kept from one evaluation to the next.
//!
//! While an execution grows, most new edges agree with the order, and nothing has to be searched; an edge that does not is looked
//! into between its two ends only. The idea is that of D. J. Pearce and P. H. J. Kelly, *A Dynamic Topological Sort Algorithm for
//! Directed Acyclic Graphs* (JEA 11, 2007); here only what comes after an edge's target is moved, because rows have no columns.
//!
//! Undoing removes edges, and an order of more edges is one of fewer: nothing is undone here. Rows of events that are gone stay
//! where they are, without edges, until their number is used again.

/// Distance of the labels of neighbours, at first.
const GAP: u64 = 1 << 32;
/// The node before the first and behind the last row; row `x` is node `x + 1`.
const ENDS: usize = 0;

/// See the module.
#[derive(Default)]
pub(in crate::kernel) struct Order {
    /// Increasing along the list; 0 for what is not in it.
    labels: Vec<u64>,
    next: Vec<u32>,
    previous: Vec<u32>,
    /// Rows in the list.
    listed: Vec<u64>,
    /// Whether the list was filled once. Events that were added since may be missing until an edge makes the check look at them.
    pub ready: bool,
    /// Whether an edge was lost: undoing brings it back, and the order may not agree with it.
    pub broken: bool,
}

impl Order {
    /// Back to nothing.
    pub(in crate::kernel) fn clear(&mut self) {
        (self.ready, self.broken) = (false, false);
        self.labels.clear();
        self.listed.clear();
        self.next.clear();
        self.previous.clear();
    }

    /// Becomes a copy of another one, in its own storage.
    pub(in crate::kernel) fn copy_from(&mut self, other: &Order) {
        (self.ready, self.broken) = (other.ready, other.broken);
        self.labels.clone_from(&other.labels);
        self.next.clone_from(&other.next);
        self.previous.clone_from(&other.previous);
        self.listed.clone_from(&other.listed);
    }

    /// Makes room for rows below this number.
    pub(in crate::kernel) fn make_room(&mut self, rows: usize) {
        let nodes = self.labels.len().max(rows + 1);
        self.labels.resize(nodes, 0);
        self.listed.resize(nodes.div_ceil(64), 0);
        self.next.resize(nodes, 0);
        self.previous.resize(nodes, 0);
    }

    /// The row behind another one, or the first.
    pub(in crate::kernel) fn after(&self, x: Option<usize>) -> Option<usize> {
        (self.next[x.map_or(ENDS, |x| x + 1)] as usize).checked_sub(1)
    }

    /// The row before another one, or the last.
    pub(in crate::kernel) fn before(&self, x: Option<usize>) -> Option<usize> {
        (self.previous[x.map_or(ENDS, |x| x + 1)] as usize).checked_sub(1)
    }

    /// The last of some rows that are in the list.
    pub(in crate::kernel) fn last_of(&self, rows: impl Iterator<Item = usize>) -> Option<usize> {
        rows.max_by_key(|x| self.labels[x + 1])
    }

    /// The rows in the list, 64 a word.
    pub(in crate::kernel) fn listed(&self, k: usize) -> u64 {
        self.listed.get(k).copied().unwrap_or(0)
    }

    /// Takes a row out of the list, if it is there.
    pub(in crate::kernel) fn remove(&mut self, x: usize) {
        let node = x + 1;
        if self.labels[node] != 0 {
            let (before, after) = (self.previous[node], self.next[node]);
            self.next[before as usize] = after;
            self.previous[after as usize] = before;
            self.labels[node] = 0;
            self.listed[x / 64] &= !(1 << (x % 64));
        }
    }

    /// Puts a row that is not in the list behind another one, or at the beginning.
    pub(in crate::kernel) fn insert(&mut self, x: usize, behind: Option<usize>) {
        let (node, before) = (x + 1, behind.map_or(ENDS, |y| y + 1));
        let mut label = self.between(before);
        if label.is_none() {
            self.relabel();
            label = self.between(before);
        }
        self.labels[node] = label.unwrap_or(u64::MAX);
        self.listed[x / 64] |= 1 << (x % 64);
        let after = self.next[before];
        (self.previous[node], self.next[node]) = (before as u32, after);
        self.next[before] = node as u32;
        self.previous[after as usize] = node as u32;
    }

    /// A label between those of a node and the next one.
    fn between(&self, node: usize) -> Option<u64> {
        let low = self.labels[node];
        let high = match self.next[node] as usize {
            ENDS => u64::MAX,
            next => self.labels[next],
        };
        let step = ((high - low) / 2).min(GAP);
        (step > 0).then_some(low + step)
    }

    fn relabel(&mut self) {
        let (mut node, mut label) = (self.next[ENDS] as usize, 0);
        while node != ENDS {
            label += GAP;
            self.labels[node] = label;
            node = self.next[node] as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Order;

    fn listed(order: &Order) -> Vec<usize> {
        std::iter::successors(order.after(None), |&x| order.after(Some(x))).collect()
    }

    #[test]
    fn rows_stay_where_they_were_put() {
        let mut order = Order::default();
        order.make_room(600);
        let mut expected = Vec::new();
        // Always behind the first: labels run out again and again.
        for x in 0..500 {
            let behind = expected.first().copied();
            order.insert(x, behind);
            expected.insert(usize::from(x > 0), x);
        }
        assert_eq!(listed(&order), expected);
        assert!(expected.windows(2).all(|pair| order.labels[pair[0] + 1] < order.labels[pair[1] + 1]));
        order.remove(7);
        order.remove(7);
        expected.retain(|&x| x != 7);
        order.insert(599, order.before(None));
        expected.push(599);
        assert_eq!(listed(&order), expected);
        order.clear();
        order.make_room(1);
        assert_eq!(order.after(None), None);
    }
}
