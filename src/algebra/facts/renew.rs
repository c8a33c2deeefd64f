//! Whether the last event of a thread can be replaced by the maximal one, in complete executions.
//!
//! Of a thread that stops behind a read it is asked whether the same execution could be had with another read there, of the write that is last in coherence, whatever the other threads
//! have done by then. [`extend`](super::extend) asks that of checks that prune, of events about which nothing is known; here of
//! checks that are decided at the end, and of an event whose base sets are known. First the event is taken away, which violates no check whose
//! operand then gains nothing between the others; then the maximal one is added, as there. A difference gains nothing where its left
//! side gains nothing and its right side loses nothing.
//!
//! The execution without the event is consistent, and that says more of it than its form: from the last write of a location no edge of `x & loc` leads to a write if
//! checks say that `co ; x` and `x` have no loops. (C11 asks of `rf^-1 ; (hb & loc) ; [W]` to be in an order.)

use super::extend::{COHERENCE, Extension, Next, is_part_of};
use crate::algebra::expr::{ExprId, Node, Pool, Sort};
use crate::algebra::model::Predicate;
use crate::algebra::simplify::Condition;

/// What is decided at the end of executions.
#[derive(Clone)]
pub struct AtEnd {
    pool: Pool,
    /// None of it negated.
    conditions: Vec<Condition>,
    /// Relations without loops, by themselves or behind `co`, in a consistent execution.
    behind: Vec<ExprId>,
}

impl AtEnd {
    /// Conditions that are decided at the end, and others that hold in consistent executions.
    pub fn new(pool: &Pool, conditions: Vec<Condition>, others: impl Iterator<Item = Condition>) -> AtEnd {
        let all: Vec<Condition> = conditions.iter().copied().chain(others).collect();
        let behind = all.iter().filter_map(|on| behind_coherence(pool, *on)).filter(|&x| has_no_loops(pool, x, &all));
        AtEnd { pool: pool.clone(), behind: behind.collect(), conditions }
    }

    /// Whether all goes on holding when the last event of a thread, which is in these base sets, does not both read and write and stands for all parts of its access, is replaced by the maximal one
    /// of the same sets. O(pool) and more for recursive definitions.
    pub fn renews_last(&self, is_in: &dyn Fn(&str) -> bool) -> bool {
        let last = |maximal| Next::Last { is_in, maximal, behind: &self.behind };
        let (taken, added) = (Extension::of(&self.pool, &last(false)), Extension::of(&self.pool, &last(true)));
        self.conditions.iter().all(|on| taken.loses_nothing(on.expr) && added.keeps(on.predicate, on.expr))
    }
}

/// `x` of a condition that says that `co ; x` has no loops.
fn behind_coherence(pool: &Pool, on: Condition) -> Option<ExprId> {
    let Node::Seq(steps) = pool.node(on.expr) else { return None };
    let (&x, steps) = steps.split_last()?;
    let mut others = steps.iter().filter(|step| !matches!(pool.node(**step), Node::Opt(_) | Node::Star(_)));
    let is_coherence =
        |step: &ExprId| matches!(pool.node(*step), Node::Base(_)) && is_part_of(pool, *step, &[COHERENCE]);
    let only_coherence = others.next().is_some_and(is_coherence) && others.next().is_none();
    (only_coherence && on.predicate != Predicate::Empty).then_some(x)
}

fn has_no_loops(pool: &Pool, x: ExprId, conditions: &[Condition]) -> bool {
    conditions.iter().any(|on| match on.predicate {
        Predicate::Acyclic => leads_along(pool, x, on.expr),
        Predicate::Irreflexive => x == on.expr,
        Predicate::Empty => false,
    })
}

/// Whether each edge of a relation is a path of another, as far as their forms tell.
fn leads_along(pool: &Pool, id: ExprId, path: ExprId) -> bool {
    let is_step = id == path || matches!(pool.node(path), Node::Union(parts) if parts.contains(&id));
    is_step
        || match pool.node(id) {
            Node::Union(parts) | Node::Seq(parts) => parts.iter().all(|&part| leads_along(pool, part, path)),
            Node::Plus(inner) => leads_along(pool, *inner, path),
            Node::Inter(parts) => parts.iter().any(|&part| leads_along(pool, part, path)),
            Node::Diff(inner, _) => leads_along(pool, *inner, path),
            _ => false,
        }
}

/// Whether an event in these base sets is certain to be in a set.
pub(in crate::algebra) fn is_certainly_in(pool: &Pool, set: ExprId, is_in: &dyn Fn(&str) -> bool) -> bool {
    match pool.node(set) {
        Node::Base(base) => pool.sort(set) == Sort::Set && is_in(&pool.bases()[base.index()].name),
        Node::Universe => true,
        Node::Union(parts) => parts.iter().any(|part| is_certainly_in(pool, *part, is_in)),
        Node::Inter(parts) => parts.iter().all(|part| is_certainly_in(pool, *part, is_in)),
        _ => false,
    }
}
