//! What is certain of an expression when only a few events, and only some of their base edges, are known.
//!
//! Each base name has two values, one that it certainly includes and one that it certainly lies within; so has each expression, by
//! interval arithmetic: a difference takes what is certain on the left and impossible on the right. At most [`MOST_EVENTS`] events: a
//! relation is one word.
//!
//! Of a recursive group that is monotone, has no `when` test and mentions no variable of another group, both bounds are least
//! fixpoints: in every round of the loop, the lower values lie within the exact ones, and these within the upper ones. Of any other
//! group nothing is known.

use super::analyse::is_positive;
use crate::algebra::naive::free_variables;
use crate::algebra::simplify::Condition;
use crate::algebra::{Base, ExprId, FixId, Node, Pool, Predicate, Sort, VarId};
use rustc_hash::FxHashMap;

/// The largest number of events.
pub const MOST_EVENTS: usize = 8;

/// A set (bit `i` of the lowest byte) or a relation (bit `8 i + j`) by what it includes and what includes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bound {
    /// Certainly members.
    pub certain: u64,
    /// Everything else is certainly no member.
    pub possible: u64,
}

impl Bound {
    /// A value that is known.
    pub fn exactly(value: u64) -> Bound {
        Bound { certain: value, possible: value }
    }

    /// Of which these are certain, and nothing else is known.
    pub fn at_least(certain: u64) -> Bound {
        Bound { certain, possible: u64::MAX }
    }

    fn map(self, f: impl Fn(u64) -> u64) -> Bound {
        Bound { certain: f(self.certain), possible: f(self.possible) }
    }

    fn with(self, other: Bound, f: impl Fn(u64, u64) -> u64) -> Bound {
        Bound { certain: f(self.certain, other.certain), possible: f(self.possible, other.possible) }
    }
}

/// The bit of an edge.
pub fn edge(from: usize, to: usize) -> u64 {
    1 << (8 * from + to)
}

fn row(relation: u64, i: usize) -> u64 {
    relation >> (8 * i) & 0xff
}

fn rows(f: impl Fn(usize) -> u64) -> u64 {
    (0..MOST_EVENTS).fold(0, |all, i| all | f(i) << (8 * i))
}

fn compose(a: u64, b: u64) -> u64 {
    rows(|i| (0..MOST_EVENTS).filter(|&k| row(a, i) >> k & 1 != 0).fold(0, |targets, k| targets | row(b, k)))
}

/// The converse of a relation.
pub fn inverse(a: u64) -> u64 {
    rows(|j| (0..MOST_EVENTS).filter(|&i| row(a, i) >> j & 1 != 0).fold(0, |sources, i| sources | 1 << i))
}

/// The transitive closure of a relation.
pub fn closure(a: u64) -> u64 {
    let mut all = a;
    loop {
        let more = all | compose(all, all);
        if more == all {
            return all;
        }
        all = more;
    }
}

fn domain(a: u64) -> u64 {
    (0..MOST_EVENTS).filter(|&i| row(a, i) != 0).fold(0, |set, i| set | 1 << i)
}

fn identity_on(set: u64) -> u64 {
    rows(|i| set & 1 << i)
}

/// A few events of an execution, and what is known of them.
pub struct Facts<'f> {
    /// How many.
    pub events: usize,
    /// What is known of a base name.
    pub base: &'f dyn Fn(&Base) -> Bound,
    /// Members of expressions that these are certain to have for another reason than what they are made of.
    pub assumed: &'f [(ExprId, u64)],
}

/// What is certain of all nodes of a pool up to a certain one.
struct Certain<'a> {
    pool: &'a Pool,
    facts: &'a Facts<'a>,
    vars: FxHashMap<VarId, Bound>,
}

/// What a condition certainly relates: the operand of `acyclic` or `irreflexive`, at least.
pub fn certain(pool: &Pool, id: ExprId, facts: &Facts<'_>) -> Bound {
    let mut run = Certain { pool, facts, vars: FxHashMap::default() };
    for fix in (0..pool.fix_count()).map(FixId::at) {
        run.solve(fix, id);
    }
    run.values(id).pop().unwrap_or(Bound::at_least(0))
}

/// Whether a condition is certainly violated.
pub fn is_violated(pool: &Pool, on: Condition, facts: &Facts<'_>) -> bool {
    let value = certain(pool, on.expr, facts).certain;
    match on.predicate {
        Predicate::Empty => value != 0,
        Predicate::Irreflexive => value & identity_on(0xff) != 0,
        Predicate::Acyclic => closure(value) & identity_on(0xff) != 0,
    }
}

impl Certain<'_> {
    fn everything(&self, sort: Sort) -> u64 {
        let universe = (1u64 << self.facts.events) - 1;
        match sort {
            Sort::Set => universe,
            Sort::Rel => rows(|i| if i < self.facts.events { universe } else { 0 }),
        }
    }

    /// Values of a group, if it matters for a root and anything is known of it. Groups stand behind those that they mention.
    fn solve(&mut self, fix: FixId, root: ExprId) {
        let group = self.pool.fix(fix);
        let unknown = group.when.is_some()
            || !is_positive(self.pool, fix)
            || !free_variables(self.pool, fix).is_empty()
            || group.bodies.iter().any(|&body| self.mentions_unsolved(body, fix));
        if unknown || group.bodies.iter().any(|b| b.index() > root.index()) {
            return;
        }
        let nothing = Bound::default();
        self.vars.extend(group.vars.iter().map(|&var| (var, nothing)));
        loop {
            let mut stable = true;
            for (&var, &body) in group.vars.iter().zip(&group.bodies) {
                let value = self.values(body).pop().unwrap_or(nothing);
                stable &= self.vars.insert(var, value) == Some(value);
            }
            if stable {
                return;
            }
        }
    }

    /// Whether another group stands below an expression whose value is not known yet.
    fn mentions_unsolved(&self, body: ExprId, fix: FixId) -> bool {
        let mut stack = vec![body];
        let mut seen = vec![false; body.index() + 1];
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            match self.pool.node(id) {
                Node::Fix(inner, _) if *inner != fix && inner.index() > fix.index() => return true,
                _ => stack.extend(self.pool.operands(id)),
            }
        }
        false
    }

    fn values(&self, root: ExprId) -> Vec<Bound> {
        let mut known: Vec<Bound> = Vec::with_capacity(root.index() + 1);
        for id in (0..=root.index()).map(ExprId::at) {
            let all = self.everything(self.pool.sort(id));
            let mut value = self.value(id, &known);
            for &(_, more) in self.facts.assumed.iter().filter(|(of, _)| *of == id) {
                value = Bound { certain: value.certain | more, possible: value.possible | more };
            }
            // What lies outside the events is no member.
            known.push(Bound { certain: value.certain & all, possible: value.possible & all });
        }
        known
    }

    fn value(&self, id: ExprId, known: &[Bound]) -> Bound {
        let get = |x: &ExprId| known[x.index()];
        let fold =
            |xs: &[ExprId], f: fn(u64, u64) -> u64| xs.iter().map(get).reduce(|a, b| a.with(b, f)).unwrap_or_default();
        let full = self.everything(Sort::Rel);
        let identity = identity_on(self.everything(Sort::Set));
        let unknown = Bound::at_least(0);
        match self.pool.node(id) {
            Node::Empty(_) => Bound::exactly(0),
            Node::Universe => Bound::exactly(self.everything(Sort::Set)),
            Node::Full => Bound::exactly(full),
            Node::Id => Bound::exactly(identity),
            Node::Base(base) => (self.facts.base)(&self.pool.bases()[base.index()]),
            Node::Var(var) => self.vars.get(var).copied().unwrap_or(unknown),
            Node::Fix(fix, n) => self.vars.get(&self.pool.fix(*fix).vars[*n as usize]).copied().unwrap_or(unknown),
            Node::Union(xs) => fold(xs, |a, b| a | b),
            Node::Inter(xs) => fold(xs, |a, b| a & b),
            Node::Diff(a, b) => {
                let (a, b) = (get(a), get(b));
                Bound { certain: a.certain & !b.possible, possible: a.possible & !b.certain }
            }
            Node::Seq(xs) => fold(xs, compose),
            Node::Product(a, b) => get(a).with(get(b), |a, b| rows(|i| if a >> i & 1 != 0 { b & 0xff } else { 0 })),
            Node::IdOn(a) => get(a).map(identity_on),
            Node::Inverse(a) => get(a).map(inverse),
            Node::Plus(a) => get(a).map(closure),
            Node::Star(a) => get(a).map(|a| closure(a) | identity),
            Node::Opt(a) => get(a).map(|a| a | identity),
            Node::Domain(a) => get(a).map(domain),
            Node::Range(a) => get(a).map(|a| domain(inverse(a))),
            Node::DifferentValues(a) => Bound { certain: 0, possible: get(a).possible },
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::algebra::facts::bounds::*;

    /// Two events in program order, of which the second may or may not be in `W`.
    fn base(base: &Base) -> Bound {
        match base.name.as_str() {
            "po" => Bound::exactly(edge(0, 1) | edge(1, 2) | edge(0, 2)),
            "W" => Bound { certain: 0b100, possible: 0b110 },
            _ => Bound::at_least(0),
        }
    }

    #[test]
    fn a_difference_takes_what_is_certain_on_the_left_and_impossible_on_the_right() {
        let mut pool = Pool::new();
        let (po, w) = (pool.base("po", Sort::Rel), pool.base("W", Sort::Set));
        let on_w = pool.id_on(w);
        let to_w = pool.seq([po, on_w]);
        let rest = pool.diff(po, to_w);
        let facts = Facts { events: 3, base: &base, assumed: &[] };
        assert_eq!(
            certain(&pool, to_w, &facts),
            Bound { certain: edge(0, 2) | edge(1, 2), possible: edge(0, 1) | edge(0, 2) | edge(1, 2) }
        );
        assert_eq!(certain(&pool, rest, &facts), Bound { certain: 0, possible: edge(0, 1) });
    }

    #[test]
    fn recursion_goes_to_its_least_fixpoint() {
        let mut pool = Pool::new();
        let (po, w) = (pool.base("po", Sort::Rel), pool.base("W", Sort::Set));
        let on_w = pool.id_on(w);
        let last = pool.seq([po, on_w]);
        let (var, x) = pool.var(Sort::Rel);
        let more = pool.seq([x, x]);
        let body = pool.union(Sort::Rel, [last, more]);
        let closed = pool.recursive(crate::algebra::expr::Fix { vars: vec![var], bodies: vec![body], when: None })[0];
        let facts = Facts { events: 3, base: &base, assumed: &[] };
        assert_eq!(certain(&pool, closed, &facts).certain, edge(0, 2) | edge(1, 2));
        let on = Condition { predicate: Predicate::Empty, expr: closed };
        assert!(is_violated(&pool, on, &facts));
    }
}
