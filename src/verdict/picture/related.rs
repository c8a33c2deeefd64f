//! Relations of a model in an execution, as edges of its picture.

use super::draw::shown_events;
use super::{Edge, Picture};
use crate::algebra::naive::{Naive, Value};
use crate::algebra::{ExprId, Model};
use crate::explore::Execution;
use crate::graph::view;
use crate::relation::candidate::Candidate;
use rustc_hash::FxHashMap;

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

/// Edges of which no other edges make a way: of each transitive relation those that the others do not imply.
pub fn reduced(edges: &[Edge]) -> Vec<Edge> {
    let mut pairs: FxHashMap<&str, Vec<(u32, u32)>> = FxHashMap::default();
    edges.iter().for_each(|edge| pairs.entry(&edge.name).or_default().push((edge.from, edge.to)));
    let implied = |edge: &&Edge| {
        let own = &pairs[edge.name.as_str()];
        let has = |pair: (u32, u32)| own.contains(&pair);
        let is_order = own.iter().all(|&(a, b)| a != b)
            && own.iter().all(|&(a, b)| own.iter().all(|&(c, d)| b != c || has((a, d))));
        is_order && own.iter().any(|&(from, by)| from == edge.from && has((by, edge.to)))
    };
    edges.iter().filter(|edge| !implied(edge)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(pairs: &[(u32, u32)]) -> Vec<Edge> {
        pairs.iter().map(|&(from, to)| Edge { from, to, name: "r".into() }).collect()
    }

    #[test]
    fn an_order_is_drawn_without_what_follows_from_it() {
        assert_eq!(reduced(&edges(&[(0, 1), (1, 2), (0, 2)])), edges(&[(0, 1), (1, 2)]));
        assert_eq!(reduced(&edges(&[(0, 1), (1, 2), (0, 2), (2, 3)])), edges(&[(0, 1), (1, 2), (0, 2), (2, 3)]));
        assert_eq!(reduced(&edges(&[(0, 1), (1, 0), (0, 0), (1, 1)])).len(), 4);
    }
}
