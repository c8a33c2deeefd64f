//! Turns a condition into the form that is cheapest to keep up to date while an execution grows.
//!
//! - *Backwards*: an event is mostly added after what it is related to (po-later, reading from a write that is there), so
//!   the row of the new event in the *converse* of a relation is all that changes, while in the relation itself a bit changes in
//!   the row of each predecessor. `acyclic`, `irreflexive` and `empty` do not tell a relation from its converse, so relations
//!   are tested backwards; and where `empty` has a relation and the converse of another one, the side that costs more is ([`backwards`]).
//! - *Without products*: `irreflexive (a ; b)` is `empty (a^-1 & b)`.

use super::converse::Converse;
use super::forwards::{Forwards, is_program_order};
use super::{Condition, inter, seq};
use crate::algebra::expr::{ExprId, Node, Pool, Sort};
use crate::algebra::model::Predicate;

/// Which intersections of two base relations are base relations themselves: those of names for which this says so, under a name
/// that has [`JOINT`] between theirs.
pub type Joint<'j> = &'j dyn Fn(&str, &str) -> bool;

/// Between the two names in that of a joint base relation.
pub const JOINT: &str = " & ";

/// Conditions that hold together exactly when the given one does. Conditions that get the same `converse` share the converses of what
/// they have in common.
pub fn orient(pool: &mut Pool, condition: Condition, converse: &mut Converse<'_>) -> Vec<Condition> {
    let Condition { predicate, expr } = condition;
    if pool.sort(expr) == Sort::Set {
        return vec![condition];
    }
    if predicate != Predicate::Irreflexive {
        return vec![Condition { predicate, expr: backwards(pool, expr, converse) }];
    }
    let parts: Vec<ExprId> = match pool.node(expr) {
        Node::Union(parts) => parts.to_vec(),
        _ => vec![expr],
    };
    parts.into_iter().map(|part| irreflexive(pool, converse, part)).collect()
}

/// The converse of a relation, or the relation itself with its converses turned in the same way: that in which less is composed along program order.
/// `r & s^-1` of a relation `r` that is an input and an `s` that is composed is best left as it is: turned, `s` would be kept forwards, and once
/// more where another condition needs it backwards.
fn backwards(pool: &mut Pool, expr: ExprId, converse: &mut Converse<'_>) -> ExprId {
    let turned = converse.of(pool, expr);
    let same = converse.of(pool, turned);
    let mut forwards = Forwards::default();
    if forwards.count(pool, same) < forwards.count(pool, turned) { same } else { turned }
}

fn irreflexive(pool: &mut Pool, converse: &mut Converse<'_>, part: ExprId) -> Condition {
    let factors: Vec<ExprId> = match pool.node(part) {
        Node::Seq(factors) => factors.to_vec(),
        Node::Plus(r) => {
            let r = *r;
            return Condition { predicate: Predicate::Acyclic, expr: converse.of(pool, r) };
        }
        _ => return Condition { predicate: Predicate::Irreflexive, expr: converse.of(pool, part) },
    };
    // The first factor that is more than a restriction goes to one side, the rest to the other.
    let first = factors.iter().position(|&x| !matches!(pool.node(x), Node::IdOn(_))).unwrap_or(0);
    let (head, tail) = factors.split_at(first + 1);
    if tail.iter().all(|&x| matches!(pool.node(x), Node::IdOn(_))) {
        return Condition { predicate: Predicate::Irreflexive, expr: converse.of(pool, part) };
    }
    let (head, tail) = (seq(pool, head.to_vec()), seq(pool, tail.to_vec()));
    let sides = if follows_program_order(pool, head) || !follows_program_order(pool, tail) {
        [converse.of(pool, head), tail]
    } else {
        [head, converse.of(pool, tail)]
    };
    Condition { predicate: Predicate::Empty, expr: inter(pool, Sort::Rel, sides.to_vec()) }
}

/// Whether program order stands below an expression: its converse is then likely the stable side.
fn follows_program_order(pool: &Pool, root: ExprId) -> bool {
    let mut reached = vec![false; root.index() + 1];
    reached[root.index()] = true;
    for i in (0..=root.index()).rev() {
        if !reached[i] {
            continue;
        }
        let id = ExprId::at(i);
        if is_program_order(pool, id) {
            return true;
        }
        pool.operands(id).into_iter().for_each(|x| reached[x.index()] = true);
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::algebra::expr::Base;
    use crate::algebra::simplify::orient::*;

    fn base(pool: &mut Pool, name: &str) -> ExprId {
        pool.base(name, Sort::Rel)
    }

    /// `rf ; po`.
    fn composed(pool: &mut Pool) -> ExprId {
        let [rf, po] = ["rf", "po"].map(|name| base(pool, name));
        pool.seq([rf, po])
    }

    fn empty(pool: &mut Pool, expr: ExprId) -> ExprId {
        let on = Condition { predicate: Predicate::Empty, expr };
        let [on] = orient(pool, on, &mut Converse::default())[..] else { panic!("one condition") };
        on.expr
    }

    #[test]
    fn an_input_and_the_converse_of_what_is_composed_stay_as_they_are() {
        let mut pool = Pool::new();
        let (co, order) = (base(&mut pool, "co"), composed(&mut pool));
        let against = pool.inverse(order);
        let both = pool.inter(Sort::Rel, [co, against]);
        let found = empty(&mut pool, both);
        let (co_back, backwards) = (pool.inverse(co), Converse::default().of(&mut pool, order));
        assert_eq!(found, pool.inter(Sort::Rel, [co, backwards]));
        assert!(pool.mentions(found, &Base { name: "co".into(), sort: Sort::Rel }));
        let along = pool.inter(Sort::Rel, [co, order]);
        let turned = pool.inter(Sort::Rel, [co_back, backwards]);
        assert_eq!(empty(&mut pool, along), turned);
    }

    #[test]
    fn what_is_needed_both_ways_is_composed_backwards_and_turned() {
        let mut pool = Pool::new();
        let order = composed(&mut pool);
        let longer = {
            let fence = base(&mut pool, "po");
            let order = pool.plus(order);
            pool.seq([fence, order])
        };
        let against = pool.inverse(order);
        let both = pool.inter(Sort::Rel, [longer, against]);
        let found = empty(&mut pool, both);
        let mut converse = Converse::default();
        let (first, second) = (converse.of(&mut pool, longer), converse.of(&mut pool, order));
        let second = pool.inverse(second);
        assert_eq!(found, pool.inter(Sort::Rel, [first, second]));
    }
}
