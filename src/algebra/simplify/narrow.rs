//! Subtracted products, turned into restrictions.
//!
//! A race is a conflict that is not `A * A`: an end of it is outside `A`. Written so, it says which events must be there for one: where
//! all accesses are atomic there are none, and nothing else need be looked at (`kernel::plan::sections`). So `r \ (A * B)` becomes
//! `[~A] ; r | r ; [~B]`, if `r` is a union of base relations, restricted and intersected.

use super::{diff, seq, union};
use crate::algebra::expr::{ExprId, Node, Pool, Sort};

/// An operand is not split into more parts than this.
const MOST_PARTS: usize = 8;

/// The same relation with products subtracted from it turned into restrictions, where that is worth it.
pub fn narrow(pool: &mut Pool, expr: ExprId) -> ExprId {
    let (mut core, mut removed) = (expr, Vec::new());
    while let Node::Diff(a, b) = *pool.node(core) {
        core = a;
        match pool.node(b) {
            Node::Union(parts) => removed.extend(parts.iter().copied()),
            _ => removed.push(b),
        }
    }
    let mut parts = match pool.node(core) {
        Node::Union(parts) => parts.to_vec(),
        _ => vec![core],
    };
    if pool.sort(expr) == Sort::Set || !parts.iter().all(|&part| is_simple(pool, part)) {
        return expr;
    }
    let mut others = Vec::new();
    for part in removed {
        let Node::Product(a, b) = *pool.node(part) else {
            others.push(part);
            continue;
        };
        let mut split = Vec::new();
        for x in parts {
            if let Some(outside) = outside(pool, a) {
                split.push(seq(pool, vec![outside, x]));
            }
            if let Some(outside) = outside(pool, b) {
                split.push(seq(pool, vec![x, outside]));
            }
        }
        if split.len() > MOST_PARTS {
            return expr;
        }
        parts = split;
    }
    let kept = union(pool, Sort::Rel, parts);
    if others.is_empty() {
        return kept;
    }
    let removed = union(pool, Sort::Rel, others);
    diff(pool, Sort::Rel, kept, removed)
}

/// Whether a relation is made of base relations by restriction and intersection alone, so that it costs little however often it is written.
fn is_simple(pool: &Pool, id: ExprId) -> bool {
    match pool.node(id) {
        Node::Base(_) | Node::IdOn(_) => true,
        Node::Inverse(a) => is_simple(pool, *a),
        Node::Inter(xs) => xs.iter().all(|&x| is_simple(pool, x)),
        Node::Seq(xs) => {
            let restrictions = xs.iter().filter(|&&x| matches!(pool.node(x), Node::IdOn(_))).count();
            restrictions + 1 >= xs.len() && xs.iter().all(|&x| is_simple(pool, x))
        }
        _ => false,
    }
}

/// `[~set]`, if there is anything outside the set.
fn outside(pool: &mut Pool, set: ExprId) -> Option<ExprId> {
    if matches!(pool.node(set), Node::Universe) {
        return None;
    }
    let universe = pool.universe();
    let outside = diff(pool, Sort::Set, universe, set);
    Some(pool.id_on(outside))
}
