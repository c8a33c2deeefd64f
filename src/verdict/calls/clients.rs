//! Whether some client could tell that the results of calls are wrong.
//!
//! In the *most parallel client* each call has a thread of its own. A client that orders calls, by a flag that is set behind one and waited for before another, adds edges from ends to begins.
//! An execution is wrong for some client if there is a set of such edges with which the model still accepts it, and no order of the calls that contains them explains the results
//! (Golovin, Kokologiannakis and Vafeiadis, RELINCHE, POPL 2025). More edges only forbid more, under models that use `thread-sync` as the bundled ones do. So for each explanation that is left, one edge
//! against it is added; smaller sets come first.

use super::histories::Placement;
use super::relations::Relations;
use super::thread_order::ThreadOrder;
use crate::algebra::Model;
use crate::algebra::naive::Naive;
use crate::explore::Execution;
use crate::graph::view;
use crate::ids::EventId;
use crate::linearizability::history::{Calls, History};
use crate::linearizability::search::{Answer, Synchronised, search};
use crate::linearizability::specification::{Refusal, Specification};
use crate::relation::candidate::Candidate;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Edges from the end of one call to the begin of another.
pub type Edges = Vec<(usize, usize)>;

/// What is known of histories: an order that explains each, or that there is none.
pub type Known = FxHashMap<History, Option<Vec<usize>>>;

/// A smallest set of edges with which no order explains an execution of the most parallel client.
pub fn find(
    execution: &Execution<'_, '_>,
    model: &Model,
    placement: &Placement,
    specification: &Specification,
    known: &mut Known,
) -> Result<Option<Edges>, Refusal> {
    let mut asked = Asked::of(execution, model, placement);
    let mut open = VecDeque::from([Edges::new()]);
    let mut seen: FxHashSet<Edges> = FxHashSet::default();
    while let Some(edges) = open.pop_front() {
        let history = with(&placement.history, &edges);
        let order = match known.get(&history) {
            Some(order) => order.clone(),
            None => {
                let order = match search(specification, &history, Synchronised::default())? {
                    Answer::Linearizable(found) => Some(found.order),
                    Answer::No(_) => None,
                };
                known.insert(history.clone(), order.clone());
                order
            }
        };
        let Some(order) = order else { return Ok(Some(edges)) };
        for (at, &first) in order.iter().enumerate() {
            for &last in &order[at + 1..] {
                let has_returned = history.calls[last].result.is_some();
                // What is ordered the other way round stays so.
                if !has_returned || history.before[last] & 1 << first != 0 {
                    continue;
                }
                let mut more = edges.clone();
                more.push((last, first));
                more.sort_unstable();
                if seen.insert(more.clone()) && asked.accepts(&with(&placement.history, &more).before) {
                    open.push_back(more);
                }
            }
        }
    }
    Ok(None)
}

/// The history in which the edges hold, too, and what follows from them.
pub fn with(history: &History, edges: &Edges) -> History {
    let mut history = history.clone();
    for &(first, last) in edges {
        history.before[last] |= 1 << first;
    }
    for _ in 0..history.calls.len() {
        for call in 0..history.calls.len() {
            let before = history.before[call];
            let further = (0..history.calls.len()).filter(|at| before & 1 << at != 0).map(|at| history.before[at]);
            history.before[call] = further.fold(before, |all, more| all | more);
        }
    }
    history
}

/// A model that is asked about an execution with more order.
struct Asked<'a> {
    model: &'a Model,
    /// By bit rows, where that is possible.
    relations: Option<Relations<'a>>,
    /// For the plain evaluator; made when it is asked.
    candidate: Option<Candidate>,
    execution: &'a Execution<'a, 'a>,
    /// The events of each call that a model sees.
    events: Vec<Vec<EventId>>,
}

impl<'a> Asked<'a> {
    fn of(execution: &'a Execution<'a, 'a>, model: &'a Model, placement: &Placement) -> Asked<'a> {
        let graph = execution.graph;
        let events = placement.calls.iter().map(|placed| {
            let events = graph.lane(placed.thread).order.iter().copied();
            events.filter(|&event| graph.event(event).kind.in_model()).collect()
        });
        let threads = ThreadOrder::of(graph);
        let relations = Relations::of(model, graph, &execution.world.deps, execution.world.program, &threads);
        Asked { model, relations, candidate: None, execution, events: events.collect() }
    }

    /// Whether the model accepts the execution where each call comes behind these.
    fn accepts(&mut self, before: &[Calls]) -> bool {
        let mut added = Vec::new();
        for (last, &before) in before.iter().enumerate() {
            for first in (0..self.events.len()).filter(|first| before & 1 << first != 0) {
                for &x in &self.events[first] {
                    added.extend(self.events[last].iter().map(|&y| (x, y)));
                }
            }
        }
        let by_rows = self.by_rows(&added);
        debug_assert!(by_rows.is_none_or(|by_rows| by_rows == self.plainly(&added)), "the plain evaluator agrees");
        by_rows.unwrap_or_else(|| self.plainly(&added))
    }

    fn by_rows(&mut self, added: &[(EventId, EventId)]) -> Option<bool> {
        let relations = self.relations.as_mut()?;
        relations.order(added);
        let mut accepts = true;
        for check in self.model.checks.iter().filter(|check| check.role.rejects()) {
            accepts &= relations.holds(check)?;
        }
        Some(accepts)
    }

    fn plainly(&mut self, added: &[(EventId, EventId)]) -> bool {
        let (graph, world) = (self.execution.graph, self.execution.world);
        let candidate = self.candidate.get_or_insert_with(|| view::candidate(graph, &world.deps, world.program));
        let mut candidate = candidate.clone();
        let ordered = candidate.relations.entry("thread-sync".to_owned()).or_default();
        ordered.extend(added.iter().map(|&(x, y)| (graph.row(x), graph.row(y))));
        let mut naive = Naive::new(&self.model.pool, &candidate);
        self.model.checks.iter().filter(|check| check.role.rejects()).all(|check| naive.holds(check) == Some(true))
    }
}
