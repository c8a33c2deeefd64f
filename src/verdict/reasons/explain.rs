//! Why an outcome is forbidden: every candidate execution that would give it, the axiom that rejects it, and the cycle.
//!
//! Candidates come from the plain enumerator and are judged by the plain evaluator, so an explanation shares no code with the
//! exploration that it explains, and every cycle shown is one of the relation that the evaluator computed.
//!
//! An edge is named as in the model: a definition by its name, a union by the part that has the edge, a composition by its
//! steps. Limits: a check that is negated, or whose operand is a set, is named without a cycle.

use crate::algebra::naive::{Naive, Value};
use crate::algebra::{Check, ExprId, Model, Node, Predicate};
use crate::relation::candidate::{Candidate, Relation, way_through};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Expressions are followed this deep below a check.
const DEEPEST: usize = 64;

/// What an edge of an expression without a name is called.
pub const UNNAMED: &str = "?";
/// What an edge of a product of sets is called.
pub const ANY: &str = "any two events";

/// One step of a cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// From this event.
    pub from: u32,
    /// To this one.
    pub to: u32,
    /// What the edge is called.
    pub name: String,
    /// The expression that has the edge, or its converse.
    pub expr: ExprId,
    /// Whether `expr` has the converse of the edge.
    pub inverse: bool,
}

/// Why a check fails.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Witness {
    /// The edges of the relation that the check is about: a cycle, or for a check that asks for emptiness one edge.
    pub edges: Vec<(u32, u32)>,
    /// The same in smaller steps, with names.
    pub steps: Vec<Step>,
}

/// The edges on which a violated check fails, shortest cycle first found; empty when there is nothing to show.
pub fn witness(model: &Model, candidate: &Candidate, check: &Check) -> Witness {
    let mut namer = Namer::new(model, candidate);
    if check.negated {
        return Witness::default();
    }
    let Some(Value::Rel(relation)) = namer.naive.value(check.expr) else { return Witness::default() };
    let path = match check.predicate {
        Predicate::Acyclic => shortest_cycle(&relation),
        Predicate::Irreflexive => relation.iter().find(|(a, b)| a == b).map(|&edge| vec![edge]),
        Predicate::Empty => relation.iter().next().map(|&edge| vec![edge]),
    };
    let mut witness = Witness { edges: path.unwrap_or_default(), steps: Vec::new() };
    for &(a, b) in &witness.edges {
        namer.name(check.expr, a, b, true, 0, &mut witness.steps);
    }
    witness
}

/// A shortest cycle, as edges.
fn shortest_cycle(relation: &Relation) -> Option<Vec<(u32, u32)>> {
    let starts: Vec<u32> = relation.iter().map(|&(a, _)| a).collect();
    starts.into_iter().filter_map(|start| path(relation, start, start)).min_by_key(Vec::len)
}

/// A shortest path of at least one edge.
pub(super) fn path(relation: &Relation, from: u32, to: u32) -> Option<Vec<(u32, u32)>> {
    let mut before: FxHashMap<u32, u32> = FxHashMap::default();
    let mut open = VecDeque::from([from]);
    while let Some(a) = open.pop_front() {
        for &(_, b) in relation.range((a, 0)..=(a, u32::MAX)) {
            if b == to {
                let mut edges = vec![(a, b)];
                let mut at = a;
                while at != from {
                    let previous = *before.get(&at)?;
                    edges.push((previous, at));
                    at = previous;
                }
                edges.reverse();
                return Some(edges);
            }
            if b != from && !before.contains_key(&b) {
                before.insert(b, a);
                open.push_back(b);
            }
        }
    }
    None
}

/// The same step seen from its other end.
fn converse(step: Step) -> Step {
    let name = match step.name.strip_suffix("^-1") {
        Some(name) => name.to_owned(),
        None => format!("{}^-1", step.name),
    };
    Step { from: step.to, to: step.from, name, expr: step.expr, inverse: !step.inverse }
}

struct Namer<'a> {
    model: &'a Model,
    naive: Naive<'a>,
    names: FxHashMap<ExprId, &'a str>,
}

impl<'a> Namer<'a> {
    fn new(model: &'a Model, candidate: &'a Candidate) -> Self {
        let names = model.definitions.iter().map(|(name, expr)| (*expr, name.as_str())).collect();
        Namer { model, naive: Naive::new(&model.pool, candidate), names }
    }

    fn has(&mut self, expr: ExprId, a: u32, b: u32) -> bool {
        matches!(self.naive.value(expr), Some(Value::Rel(r)) if r.contains(&(a, b)))
    }

    fn relation(&mut self, expr: ExprId) -> Relation {
        match self.naive.value(expr) {
            Some(Value::Rel(relation)) => relation,
            _ => Relation::new(),
        }
    }

    /// Names the edge from `a` to `b` of `expr`. `top`: the expression is the check's own, so that its name says nothing.
    fn name(&mut self, expr: ExprId, a: u32, b: u32, top: bool, depth: usize, steps: &mut Vec<Step>) {
        let pool = &self.model.pool;
        let known = self.names.get(&expr).copied();
        let step = |name: &str| Step { from: a, to: b, name: name.to_owned(), expr, inverse: false };
        if let (Some(name), false) = (known, top) {
            steps.push(step(name));
            return;
        }
        if depth > DEEPEST {
            steps.push(step(UNNAMED));
            return;
        }
        match pool.node(expr) {
            Node::Base(base) => steps.push(step(&pool.bases()[base.index()].name)),
            Node::Union(parts) => match parts.iter().copied().find(|&p| self.has(p, a, b)) {
                Some(part) => self.name(part, a, b, false, depth + 1, steps),
                None => steps.push(step(UNNAMED)),
            },
            Node::Inter(parts) => {
                // A named part says most, then one that is made of others; base relations, the identity and products only restrict.
                let says = |p: &&ExprId| match pool.node(**p) {
                    _ if self.names.contains_key(*p) => 0,
                    Node::Base(_) => 2,
                    Node::Product(..) | Node::Full | Node::Id | Node::IdOn(_) => 3,
                    _ => 1,
                };
                let part = parts.iter().min_by_key(says).copied();
                match part {
                    Some(part) => self.name(part, a, b, false, depth + 1, steps),
                    None => steps.push(step(UNNAMED)),
                }
            }
            Node::Diff(part, _) => self.name(*part, a, b, false, depth + 1, steps),
            Node::Inverse(part) => {
                let mut inner = Vec::new();
                self.name(*part, b, a, false, depth + 1, &mut inner);
                steps.extend(inner.into_iter().rev().map(converse));
            }
            Node::Plus(part) | Node::Star(part) | Node::Opt(part) => {
                let relation = self.relation(*part);
                for (x, y) in path(&relation, a, b).unwrap_or_default() {
                    self.name(*part, x, y, false, depth + 1, steps);
                }
            }
            Node::Seq(parts) => self.sequence(expr, parts, a, b, depth, steps),
            Node::IdOn(_) | Node::Id => {}
            Node::Product(..) | Node::Full => steps.push(step(ANY)),
            _ => steps.push(step(known.unwrap_or(UNNAMED))),
        }
    }

    /// Names the steps of a composition: goes through its parts with the events that each can lead to.
    fn sequence(&mut self, expr: ExprId, parts: &[ExprId], a: u32, b: u32, depth: usize, steps: &mut Vec<Step>) {
        let relations: Vec<Relation> = parts.iter().map(|&p| self.relation(p)).collect();
        let Some(edges) = way_through(&relations, a, b) else {
            return steps.push(Step { from: a, to: b, name: UNNAMED.to_owned(), expr, inverse: false });
        };
        for (&part, (x, y)) in parts.iter().zip(edges) {
            self.name(part, x, y, false, depth + 1, steps);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::algebra::{Role, Sort};
    use crate::verdict::reasons::explain::*;

    fn relation(pairs: &[(u32, u32)]) -> Relation {
        pairs.iter().copied().collect()
    }

    #[test]
    fn cycles_are_shortest() {
        let cycle = shortest_cycle(&relation(&[(0, 1), (1, 2), (2, 0), (1, 3), (3, 1)])).expect("a cycle");
        assert_eq!(cycle.len(), 2);
        assert_eq!(shortest_cycle(&relation(&[(4, 4)])), Some(vec![(4, 4)]));
        assert_eq!(shortest_cycle(&relation(&[(0, 1), (1, 2)])), None);
    }

    #[test]
    fn edges_have_the_names_of_the_model() {
        let mut model = Model::default();
        let pool = &mut model.pool;
        let [po, rf, co] = ["po", "rf", "co"].map(|n| pool.base(n, Sort::Rel));
        let source = pool.inverse(rf);
        let fr = pool.seq([source, co]);
        let all = pool.union(Sort::Rel, [po, rf, co, fr]);
        model.definitions.push(("fr".into(), fr));
        let check = Check {
            name: Some("total-order".into()),
            role: Role::Require,
            predicate: Predicate::Acyclic,
            negated: false,
            expr: all,
            place: (0, 0..0),
        };
        // Store buffering: 0 and 1 are initial writes, 2 and 4 writes, 3 and 5 reads.
        let mut candidate = Candidate { universe: (0..6).collect(), ..Candidate::default() };
        for (name, pairs) in [("po", [(2, 3), (4, 5)]), ("rf", [(1, 3), (0, 5)]), ("co", [(0, 2), (1, 4)])] {
            candidate.relations.insert(name.into(), relation(&pairs));
        }
        let steps = witness(&model, &candidate, &check).steps;
        let names: Vec<&str> = steps.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names, ["po", "fr", "po", "fr"]);
        model.definitions.clear();
        let steps = witness(&model, &candidate, &check).steps;
        let names: Vec<&str> = steps.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names, ["po", "rf^-1", "co", "po", "rf^-1", "co"]);
    }
}
