//! Why two events are not ordered: the chain of program order and communication that leads from one to the other, and the step of it that the
//! model's happens-before lacks; or that there is no such chain.
//!
//! A model has a happens-before when it defines a relation `hb` of which `po` is a part.

use crate::algebra::naive::{Naive, Value};
use crate::algebra::{ExprId, Model, Node, Pool};
use crate::patience;
use crate::relation::candidate::{Candidate, Relation};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// What may order events of different threads: the relation of the execution, and what it is called.
const BETWEEN: [(&str, &str); 3] = [("rf", "rf"), ("rf-lock", "rf"), ("thread-sync", "create/join")];

/// How the sentences begin.
const UNORDERED: &str = "why nothing orders them:";

/// The model's own `hb`, if it has one that is about the whole of program order: of which its definition says that.
pub fn own_order(model: &Model) -> Option<ExprId> {
    let (_, expr) = model.definitions.iter().rev().find(|(name, _)| name == "hb")?;
    includes_program_order(&model.pool, *expr).then_some(*expr)
}

fn includes_program_order(pool: &Pool, expr: ExprId) -> bool {
    let includes = |&part: &ExprId| includes_program_order(pool, part);
    match pool.node(expr) {
        Node::Base(base) => pool.bases()[base.index()].name == "po",
        Node::Union(parts) => parts.iter().any(includes),
        Node::Plus(inner) | Node::Star(inner) | Node::Opt(inner) => includes(inner),
        Node::Fix(group, n) => includes(&pool.fix(*group).bodies[*n as usize]),
        _ => false,
    }
}

/// What it is in an execution, with what creating and joining threads orders.
pub fn happens_before(model: &Model, candidate: &Candidate, naive: &mut Naive<'_>) -> Option<Relation> {
    let Some(Value::Rel(mut order)) = naive.value(own_order(model)?) else { return None };
    order.extend(candidate.relation("thread-sync"));
    Some(closure(&order))
}

/// What can be reached by program order, reads-from and the creation and joining of threads.
pub fn reachability(candidate: &Candidate) -> Relation {
    let mut edges = candidate.relation("po");
    for (relation, _) in BETWEEN {
        edges.extend(candidate.relation(relation));
    }
    closure(&edges)
}

/// The same without the creation and joining of threads.
pub fn communicated(candidate: &Candidate) -> Relation {
    let mut edges = candidate.relation("po");
    edges.extend(candidate.relation("rf"));
    edges.extend(candidate.relation("rf-lock"));
    closure(&edges)
}

pub(in crate::verdict) fn closure(edges: &Relation) -> Relation {
    let mut closed = Relation::new();
    let starts: std::collections::BTreeSet<u32> = edges.iter().map(|&(a, _)| a).collect();
    for start in starts {
        if patience::is_over() {
            break;
        }
        let mut open = vec![start];
        while let Some(a) = open.pop() {
            for &(_, b) in edges.range((a, 0)..=(a, u32::MAX)) {
                if closed.insert((start, b)) {
                    open.push(b);
                }
            }
        }
    }
    closed
}

/// Why neither of two events comes before the other, in a sentence. `row`: how an event is called, when it is shown.
pub fn why(model: &Model, candidate: &Candidate, pair: [u32; 2], row: &dyn Fn(u32) -> Option<String>) -> String {
    let [a, b] = pair;
    let Some(chain) = chain(candidate, a, b).or_else(|| chain(candidate, b, a)) else {
        let rf = candidate.relation("rf");
        let text = match rf.contains(&(a, b)) || rf.contains(&(b, a)) {
            true => "one reads what the other has written, which by itself orders nothing",
            false => "no chain of program order and reads-from leads from one to the other",
        };
        return format!("{UNORDERED} {text}");
    };
    let mut text = String::new();
    for (from, to, name) in &chain {
        match (row(*from), row(*to)) {
            (Some(from), Some(to)) if text.is_empty() => text = format!("{from} –{name}→ {to}"),
            (Some(_), Some(to)) => text += &format!(" –{name}→ {to}"),
            _ => {}
        }
    }
    let order = happens_before(model, candidate, &mut Naive::new(&model.pool, candidate));
    let lacks = |(from, to, name): &(u32, u32, &str)| {
        let ends = row(*from).zip(row(*to)).filter(|_| order.as_ref().is_some_and(|hb| !hb.contains(&(*from, *to))));
        ends.map(|(from, to)| format!("{from} –{name}→ {to}"))
    };
    let missing: Vec<String> = chain.iter().filter_map(lacks).collect();
    match missing.is_empty() {
        true => format!("{UNORDERED} {text} leads from one to the other, but the model does not order them by it"),
        false => format!(
            "{UNORDERED} {text} leads from one to the other, but happens-before lacks {}",
            missing.join(" and ")
        ),
    }
}

/// A shortest way from one event to another that is not the edge between them; program order in as few steps as possible.
fn chain(candidate: &Candidate, from: u32, to: u32) -> Option<Vec<(u32, u32, &'static str)>> {
    let mut edges: FxHashMap<u32, Vec<(u32, &'static str)>> = FxHashMap::default();
    for (relation, name) in BETWEEN.into_iter().chain([("po", "po")]) {
        for (a, b) in candidate.relation(relation).into_iter().filter(|&edge| edge != (from, to)) {
            edges.entry(a).or_default().push((b, name));
        }
    }
    let mut before: FxHashMap<u32, (u32, &'static str)> = FxHashMap::default();
    let mut open = VecDeque::from([from]);
    while let Some(at) = open.pop_front() {
        for &(next, name) in edges.get(&at).into_iter().flatten() {
            if next != from && !before.contains_key(&next) {
                before.insert(next, (at, name));
                open.push_back(next);
            }
        }
    }
    let mut chain = Vec::new();
    let mut at = to;
    while at != from {
        let &(previous, name) = before.get(&at)?;
        chain.push((previous, at, name));
        at = previous;
    }
    chain.reverse();
    Some(chain)
}

#[cfg(test)]
mod tests {
    use crate::algebra::Sort;
    use crate::verdict::reasons::unordered::*;

    /// Message passing: 0 and 1 write, 2 and 3 read.
    fn candidate() -> Candidate {
        let mut candidate = Candidate { universe: (0..4).collect(), ..Candidate::default() };
        candidate.relations.insert("po".into(), [(0, 1), (2, 3)].into());
        candidate.relations.insert("rf".into(), [(1, 2), (0, 3)].into());
        candidate
    }

    fn model() -> Model {
        let mut model = Model::default();
        let [po, sync] = ["po", "sync"].map(|name| model.pool.base(name, Sort::Rel));
        let hb = model.pool.union(Sort::Rel, [po, sync]);
        model.definitions.push(("hb".into(), hb));
        model
    }

    #[test]
    fn names_the_step_that_does_not_synchronise() {
        let row = |e: u32| Some(format!("e{e}"));
        let text = why(&model(), &candidate(), [0, 3], &row);
        assert!(text.contains("e0 –po→ e1 –rf→ e2 –po→ e3"), "{text}");
        assert!(text.ends_with("lacks e1 –rf→ e2"), "{text}");
    }

    #[test]
    fn says_when_nothing_leads_there() {
        let mut candidate = candidate();
        candidate.relations.insert("rf".into(), [(0, 3)].into());
        assert!(why(&model(), &candidate, [0, 3], &|e| Some(format!("e{e}"))).contains("by itself"));
        candidate.relations.remove("rf");
        assert!(why(&model(), &candidate, [0, 3], &|e| Some(format!("e{e}"))).contains("no chain"));
    }
}
