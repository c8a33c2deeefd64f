//! Why a relation of the model has an edge: the parts of its definition that make it, down to base relations.
//!
//! Evaluated by the plain evaluator. A part that has a name is shown with its name and with its own parts. Limits: what a recursive
//! definition is made of is not followed, nor what lies deeper than [`DEEPEST`]; of several ways one is shown.

use super::explain::path;
use crate::algebra::naive::{Naive, Value};
use crate::algebra::{ExprId, Model, Node};
use crate::relation::candidate::{Candidate, Relation, way_through};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// Definitions are followed this deep.
const DEEPEST: usize = 24;
/// So many parts are shown at most.
const MOST: usize = 400;

/// How an expression has a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// It is a base relation, or nothing more is known of it.
    Itself,
    /// One part of a union has it.
    OneOf,
    /// All parts of an intersection have it.
    AllOf,
    /// The first part has it, and the second has not.
    Without,
    /// The parts make it, one after the other.
    Sequence,
    /// The steps of a path make it.
    Path,
    /// Its part has it the other way round.
    Converse,
    /// An event of a set, to itself.
    On,
    /// The two events are of these sets.
    Sets,
    /// An event to itself: nothing has to be gone through.
    Same,
}

/// An edge, and what makes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Derivation {
    /// What the model, or the execution, calls the relation; for sets, the set.
    pub name: Option<String>,
    /// How it comes about.
    pub how: How,
    /// From this event.
    pub from: u32,
    /// To this one.
    pub to: u32,
    /// The parts.
    pub parts: Vec<Derivation>,
}

impl Derivation {
    /// Gives events other numbers.
    pub fn renumber(&mut self, number: &dyn Fn(u32) -> u32) {
        (self.from, self.to) = (number(self.from), number(self.to));
        self.parts.iter_mut().for_each(|part| part.renumber(number));
    }
}

/// What makes a pair of an expression. `None`: it has no such pair.
pub fn derive(model: &Model, candidate: &Candidate, expr: ExprId, pair: (u32, u32)) -> Option<Derivation> {
    let names = model.definitions.iter().map(|(name, expr)| (*expr, name.as_str())).collect();
    let naive = Naive::new(&model.pool, candidate);
    let mut deriver = Deriver { model, naive, names, made: 0 };
    deriver.has(expr, pair).then(|| deriver.of(expr, pair, 0))
}

struct Deriver<'a> {
    model: &'a Model,
    naive: Naive<'a>,
    names: FxHashMap<ExprId, &'a str>,
    made: usize,
}

impl Deriver<'_> {
    fn relation(&mut self, expr: ExprId) -> Relation {
        match self.naive.value(expr) {
            Some(Value::Rel(relation)) => relation,
            Some(Value::Set(set)) => set.into_iter().map(|event| (event, event)).collect(),
            None => Relation::new(),
        }
    }

    fn has(&mut self, expr: ExprId, pair: (u32, u32)) -> bool {
        self.relation(expr).contains(&pair)
    }

    fn name(&self, expr: ExprId) -> Option<String> {
        let pool = &self.model.pool;
        match pool.node(expr) {
            Node::Base(base) => Some(pool.bases()[base.index()].name.clone()),
            _ => self.names.get(&expr).map(|&name| name.to_owned()),
        }
    }

    fn leaf(&self, expr: ExprId, how: How, (from, to): (u32, u32)) -> Derivation {
        Derivation { name: self.name(expr), how, from, to, parts: Vec::new() }
    }

    fn of(&mut self, expr: ExprId, pair: (u32, u32), depth: usize) -> Derivation {
        self.made += 1;
        if depth > DEEPEST || self.made > MOST {
            return self.leaf(expr, How::Itself, pair);
        }
        let (how, parts) = self.parts(expr, pair, depth + 1);
        Derivation { parts, ..self.leaf(expr, how, pair) }
    }

    fn parts(&mut self, expr: ExprId, pair: (u32, u32), depth: usize) -> (How, Vec<Derivation>) {
        let (from, to) = pair;
        match self.model.pool.node(expr) {
            Node::Union(parts) => {
                let part = parts.iter().copied().find(|&part| self.has(part, pair));
                (How::OneOf, part.map(|part| self.of(part, pair, depth)).into_iter().collect())
            }
            Node::Inter(parts) => (How::AllOf, parts.iter().map(|&part| self.of(part, pair, depth)).collect()),
            Node::Diff(part, without) => {
                let without = self.leaf(*without, How::Itself, pair);
                (How::Without, vec![self.of(*part, pair, depth), without])
            }
            Node::Inverse(part) => (How::Converse, vec![self.of(*part, (to, from), depth)]),
            Node::Star(_) | Node::Opt(_) if from == to => (How::Same, Vec::new()),
            Node::Opt(part) => (How::OneOf, vec![self.of(*part, pair, depth)]),
            Node::Plus(part) | Node::Star(part) => {
                let steps = path(&self.relation(*part), from, to).unwrap_or_default();
                (How::Path, steps.into_iter().map(|step| self.of(*part, step, depth)).collect())
            }
            Node::Seq(parts) => {
                let steps = self.through(parts, from, to);
                (How::Sequence, steps.into_iter().map(|(part, step)| self.of(part, step, depth)).collect())
            }
            Node::IdOn(set) => (How::On, vec![self.leaf(*set, How::Itself, pair)]),
            Node::Product(left, right) => {
                let (left, right) =
                    (self.leaf(*left, How::Itself, (from, from)), self.leaf(*right, How::Itself, (to, to)));
                (How::Sets, vec![left, right])
            }
            _ => (How::Itself, Vec::new()),
        }
    }

    /// One way through the parts of a composition.
    fn through(&mut self, parts: &[ExprId], from: u32, to: u32) -> Vec<(ExprId, (u32, u32))> {
        let relations: Vec<Relation> = parts.iter().map(|&part| self.relation(part)).collect();
        let edges = way_through(&relations, from, to).unwrap_or_default();
        parts.iter().copied().zip(edges).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::algebra::Sort;
    use crate::verdict::reasons::derive::*;

    #[test]
    fn an_edge_is_made_of_the_parts_of_its_definition() {
        let mut model = Model::default();
        let pool = &mut model.pool;
        let [po, rf, co] = ["po", "rf", "co"].map(|name| pool.base(name, Sort::Rel));
        let source = pool.inverse(rf);
        let fr = pool.seq([source, co]);
        let steps = pool.union(Sort::Rel, [po, fr]);
        let order = pool.plus(steps);
        model.definitions = vec![("fr".into(), fr), ("order".into(), order)];
        let mut candidate = Candidate { universe: (0..4).collect(), ..Candidate::default() };
        // 0 is an initial write, which 2 reads; 3 comes after it in coherence.
        for (name, pairs) in [("po", [(1, 2)]), ("rf", [(0, 2)]), ("co", [(0, 3)])] {
            candidate.relations.insert(name.into(), pairs.into());
        }
        let found = derive(&model, &candidate, order, (1, 3)).expect("an edge");
        assert_eq!((found.name.as_deref(), found.how, found.parts.len()), (Some("order"), How::Path, 2));
        let second = &found.parts[1].parts[0];
        assert_eq!((second.name.as_deref(), second.how, second.from, second.to), (Some("fr"), How::Sequence, 2, 3));
        let leaves: Vec<_> =
            second.parts.iter().map(|p| (p.how, p.parts.first().and_then(|p| p.name.clone()))).collect();
        assert_eq!(leaves, [(How::Converse, Some("rf".to_owned())), (How::Itself, None)]);
        assert_eq!(derive(&model, &candidate, order, (3, 1)), None);
    }
}
