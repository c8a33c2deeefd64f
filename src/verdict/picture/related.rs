//! Relations of a model in an execution, as edges of its picture.

use super::draw::shown_events;
use super::{Edge, Picture};
use crate::algebra::naive::{Naive, Value};
use crate::algebra::{ExprId, Model};
use crate::explore::Execution;
use crate::graph::view;
use crate::relation::candidate::Candidate;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Relations that pictures have of themselves.
pub const ORDINARY: [&str; 8] = ["po", "rf", "co", "fr", "addr", "data", "ctrl", "casdep"];

/// The definition of a name: the last one counts.
pub fn defined(model: &Model, name: &str) -> Option<ExprId> {
    let own = model.definitions.iter().rev();
    own.chain(model.shows.iter().rev()).find(|(own, _)| own == name).map(|&(_, expr)| expr)
}

/// The pairs of a relation of the model or of the execution; a set is taken as the identity on it. `None`: there is no such name, or the
/// model has no value for it.
pub fn pairs(model: &Model, candidate: &Candidate, name: &str, naive: &mut Naive<'_>) -> Option<Vec<(u32, u32)>> {
    let value = match defined(model, name) {
        Some(expr) => naive.value(expr)?,
        None => match (candidate.relations.get(name), candidate.sets.get(name)) {
            (Some(relation), _) => Value::Rel(relation.clone()),
            (None, Some(set)) => Value::Set(set.clone()),
            (None, None) => return None,
        },
    };
    Some(match value {
        Value::Rel(relation) => relation.into_iter().collect(),
        Value::Set(set) => set.into_iter().map(|event| (event, event)).collect(),
    })
}

/// Adds what these relations have between the events of a picture of an execution. Names without a value add nothing.
pub fn relate(picture: &mut Picture, execution: &Execution<'_, '_>, model: &Model, names: &[String]) {
    let mut names = names.iter().filter(|name| !ORDINARY.contains(&name.as_str())).peekable();
    if names.peek().is_none() {
        return;
    }
    let (events, _) = shown_events(execution.graph);
    let rows: FxHashMap<u32, u32> = events.iter().zip(0..).map(|(event, row)| (event.0, row)).collect();
    let candidate = view::candidate(execution.graph, &execution.world.deps, execution.world.program);
    let mut naive = Naive::new(&model.pool, &candidate);
    for name in names {
        let pairs = pairs(model, &candidate, name, &mut naive).unwrap_or_default();
        let shown = pairs.iter().filter_map(|(from, to)| Some((*rows.get(from)?, *rows.get(to)?)));
        let edges: Vec<Edge> = shown.map(|(from, to)| Edge { from, to, name: name.clone() }).collect();
        picture.related.extend(edges);
    }
}

/// The relations of a picture as they are drawn. Of an order, pairs that follow from others are left out; so is program order within it.
pub fn reduced(picture: &Picture) -> Vec<Edge> {
    let mut pairs: FxHashMap<&str, Vec<(u32, u32)>> = FxHashMap::default();
    picture.related.iter().for_each(|edge| pairs.entry(&edge.name).or_default().push((edge.from, edge.to)));
    let orders: FxHashMap<&str, Order<'_>> =
        pairs.iter().filter_map(|(name, pairs)| Some((*name, Order::of(pairs, picture)?))).collect();
    let implied = |edge: &&Edge| orders.get(edge.name.as_str()).is_some_and(|order| order.implies(edge, picture));
    picture.related.iter().filter(|edge| !implied(edge)).cloned().collect()
}

/// A relation that is transitive, and has no pair of an event and itself.
struct Order<'p> {
    pairs: &'p [(u32, u32)],
    has_program_order: bool,
}

impl Order<'_> {
    fn of<'p>(pairs: &'p [(u32, u32)], picture: &Picture) -> Option<Order<'p>> {
        let has = |pair: (u32, u32)| pairs.contains(&pair);
        let is_transitive = pairs.iter().all(|&(a, b)| pairs.iter().all(|&(c, d)| b != c || has((a, d))));
        // Some events of a picture are none of the model.
        let rows: BTreeSet<u32> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
        let is_kept = |a: u32, b: u32| !is_one_thread(picture, a, b) || has((a, b));
        let has_program_order = rows.iter().all(|&a| rows.range(a + 1..).all(|&b| is_kept(a, b)));
        (is_transitive && pairs.iter().all(|(a, b)| a != b)).then_some(Order { pairs, has_program_order })
    }

    fn implies(&self, edge: &Edge, picture: &Picture) -> bool {
        let has = |from: u32, to: u32| self.pairs.contains(&(from, to));
        self.has_program_order && is_one_thread(picture, edge.from, edge.to)
            || self.pairs.iter().any(|&(from, by)| from == edge.from && has(by, edge.to))
    }
}

fn is_one_thread(picture: &Picture, a: u32, b: u32) -> bool {
    let thread = |row: u32| picture.events.get(row as usize).map(|event| event.thread);
    thread(a) == thread(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn drawn(pairs: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let edge = |&(from, to): &(u32, u32)| Edge { from, to, name: "r".into() };
        // The events are two of each of two threads.
        let mut picture = sample::violated().violation.expect("a finding").execution;
        picture.related = pairs.iter().map(edge).collect();
        reduced(&picture).iter().map(|edge| (edge.from, edge.to)).collect()
    }

    #[test]
    fn an_order_is_drawn_without_what_follows_from_it() {
        assert_eq!(drawn(&[(0, 2), (1, 2), (2, 3), (0, 3), (1, 3)]), [(0, 2), (1, 2), (2, 3)]);
        assert_eq!(drawn(&[(0, 1), (2, 3), (1, 2), (0, 2), (0, 3), (1, 3)]), [(1, 2)]);
        // No order: it is drawn as it is.
        assert_eq!(drawn(&[(0, 1), (1, 0)]), [(0, 1), (1, 0)]);
        assert_eq!(drawn(&[(0, 2), (2, 3)]), [(0, 2), (2, 3)]);
        // Event 0 is none of the model.
        assert_eq!(drawn(&[(1, 2), (2, 3), (1, 3)]), [(1, 2)]);
    }
}
