//! What is ordered in an execution: by the creation and joining of threads, by barriers, and by the model's happens-before.
//!
//! The model is asked by bit rows, where that is possible; debug builds ask the plain evaluator, too.

use super::matrix::Matrix;
use super::relations::Relations;
use super::thread_order::{Rows, ThreadOrder};
use crate::algebra::naive::Naive;
use crate::algebra::{ExprId, Model};
use crate::explore::Execution;
use crate::graph::view;
use crate::ids::EventId;
use crate::verdict::reasons::unordered::{happens_before, own_order};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Debug builds work it out twice where there are at most so many events: the plain evaluator takes seconds for some hundred.
const MOST_TWICE: usize = 128;

/// The order.
pub(super) struct Happens {
    rows: Rc<Rows>,
    order: Matrix,
}

impl Happens {
    pub(super) fn of(execution: &Execution<'_, '_>, model: &Model) -> Happens {
        let threads = ThreadOrder::of(execution.graph);
        let order = match own_order(model) {
            None => (*threads.order).clone(),
            Some(own) => {
                let by_rows = by_rows(execution, model, own, &threads);
                debug_assert!(
                    threads.rows.len() > MOST_TWICE
                        || by_rows.as_ref().is_none_or(|order| *order == plainly(execution, model, &threads)),
                    "the plain evaluator agrees"
                );
                by_rows.unwrap_or_else(|| plainly(execution, model, &threads))
            }
        };
        Happens { rows: threads.rows, order }
    }

    /// Whether one event comes before another.
    pub(super) fn precedes(&self, first: EventId, last: EventId) -> bool {
        let rows = self.rows.of(first).zip(self.rows.of(last));
        rows.is_some_and(|(x, y)| self.order.contains(x, y))
    }
}

fn by_rows(execution: &Execution<'_, '_>, model: &Model, own: ExprId, threads: &ThreadOrder) -> Option<Matrix> {
    let (graph, world) = (execution.graph, execution.world);
    let mut relations = Relations::of(model, graph, &world.deps, world.program, threads)?;
    let own = relations.value(own)?;
    Some(own.zip(&threads.order, |a, b| a | b).closure(threads.rows.len()))
}

fn plainly(execution: &Execution<'_, '_>, model: &Model, threads: &ThreadOrder) -> Matrix {
    let (graph, world) = (execution.graph, execution.world);
    let candidate = view::candidate(graph, &world.deps, world.program);
    let order = happens_before(model, &candidate, &mut Naive::new(&model.pool, &candidate));
    let by_row: FxHashMap<u32, usize> = graph
        .ids()
        .filter(|&e| graph.event(e).kind.in_model())
        .filter_map(|e| Some((graph.row(e), threads.rows.of(e)?)))
        .collect();
    let mut all = (*threads.order).clone();
    for (from, to) in order.into_iter().flatten() {
        if let (Some(&x), Some(&y)) = (by_row.get(&from), by_row.get(&to)) {
            all.insert(x, y);
        }
    }
    all.closure(threads.rows.len())
}
