//! What creation and joining of threads, and barriers, order in an execution, together with program order. Every model has that.

use super::matrix::Matrix;
use crate::graph::Graph;
use crate::graph::event::Kind;
use crate::ids::EventId;
use std::rc::Rc;

/// The events that rows and columns stand for.
pub(in crate::verdict) struct Rows {
    pub(in crate::verdict) ids: Vec<EventId>,
    /// The row of each event, by its number.
    rows: Vec<u32>,
}

const NO_ROW: u32 = u32::MAX;

impl Rows {
    fn of_all(graph: &Graph) -> Rows {
        // In the order in which they were added, what is ordered leads to later rows mostly.
        let mut ids: Vec<EventId> = graph.ids().collect();
        let mut rows = vec![NO_ROW; ids.last().map_or(0, |last| last.index() + 1)];
        ids.sort_unstable_by_key(|&id| graph.event(id).stamp);
        ids.iter().enumerate().for_each(|(row, id)| rows[id.index()] = row as u32);
        Rows { ids, rows }
    }

    pub(in crate::verdict) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The row of an event. `None`: it is not in the execution.
    pub(in crate::verdict) fn of(&self, id: EventId) -> Option<usize> {
        self.rows.get(id.index()).filter(|&&row| row != NO_ROW).map(|&row| row as usize)
    }
}

/// What is ordered so.
pub(in crate::verdict) struct ThreadOrder {
    pub(in crate::verdict) rows: Rc<Rows>,
    pub(in crate::verdict) order: Rc<Matrix>,
}

impl ThreadOrder {
    pub(in crate::verdict) fn of(graph: &Graph) -> ThreadOrder {
        let rows = Rows::of_all(graph);
        let mut next = Matrix::new(rows.len());
        let mut edge = |from: EventId, to: EventId| {
            if let (Some(x), Some(y)) = (rows.of(from), rows.of(to)) {
                next.insert(x, y);
            }
        };
        for lane in graph.lanes() {
            for pair in lane.order.windows(2) {
                edge(pair[0], pair[1]);
            }
            if let Some(&first) = lane.order.first() {
                edge(lane.spawn, first);
            }
            for &id in &lane.order {
                let event = graph.event(id);
                match event.kind {
                    Kind::Join => {
                        // A thread without events hands on what was before it.
                        if let Some(child) = graph.lanes().get(event.value as usize) {
                            edge(child.order.last().copied().unwrap_or(child.spawn), id);
                        }
                    }
                    Kind::Depart => graph.arrivals(event.value, event.size).for_each(|arrival| edge(arrival, id)),
                    _ => {}
                }
            }
        }
        let order = next.closure(rows.len());
        ThreadOrder { rows: Rc::new(rows), order: Rc::new(order) }
    }
}
