//! The model's happens-before on an execution. The plain evaluator says the same ([`crate::verdict::reasons::unordered::happens_before`]); debug builds ask both.

use super::matrix::{Matrix, Relations};
use crate::algebra::Model;
use crate::graph::Graph;
use crate::ids::EventId;
use crate::program::Program;
use crate::program::deps::DepTable;
use crate::verdict::reasons::unordered::own_order;

/// What is ordered in an execution.
pub struct Happens {
    events: Vec<EventId>,
    order: Matrix,
}

impl Happens {
    /// The model's own order, with what creating and joining threads orders. `None`: it has none, or it has to be asked otherwise.
    pub fn of(model: &Model, graph: &Graph, deps: &DepTable, program: &Program) -> Option<Happens> {
        let mut relations = Relations::of(model, graph, deps, program)?;
        let own = relations.value(own_order(model)?)?;
        let sync = relations.base("thread-sync")?;
        let order = own.zip(&sync, |a, b| a | b).closure(relations.ids.len());
        Some(Happens { events: relations.ids, order })
    }

    /// The pairs.
    pub fn pairs(&self) -> impl Iterator<Item = (EventId, EventId)> {
        let target = move |x: usize| self.order.targets(x).map(move |y| (self.events[x], self.events[y]));
        (0..self.events.len()).flat_map(target)
    }
}
