//! Rewrites a model's checks into cheaper equivalent ones, in a new pool, for a program at hand.
//!
//! - Base names that are *absent* (always empty in the program) become the empty set or relation, and everything that
//!   follows from it is rebuilt from the leaves up. A recursion variable is known to be empty when its equation is empty
//!   under the assumption that all such variables are (greatest such set): by induction over the rounds of the group's loop
//!   it never becomes anything else, whether or not the group is monotone. So does what is settled by the kinds of the program's events
//!   ([`super::facts::settled`]), which may be everything, too.
//! - Converses are pushed to the leaves, so that only `b^-1` for a base name `b` (or a recursive component) remains, and
//!   `range(r)` becomes `domain(r^-1)`.
//! - An intersection with a product is a restriction: `r & (A * B)` is `[A] ; r ; [B]`; adjacent restrictions merge.
//! - A difference forgets what both sides share: `a \ (a & b)` is `a \ b`.
//! - `acyclic`, `irreflexive` and `empty` drop closures that do not change their answer (`acyclic (a+ | b)` is
//!   `acyclic (a | b)`, `irreflexive r+` is `acyclic r`, `empty domain(r)` is `empty r`).
//!
//! A group that is simplified away (it is intersected with something empty, say) can no longer fail: a `when` test counts only
//! where the group's value can matter.
//!
//! Passes of their own: [`converse`], [`orient`] ([`forwards`] says what is worth turning), [`narrow`]; [`share`]: common parts of compositions.
//!
//! Operands of a node always have smaller ids than the node, in any [`Pool`], so every pass here is a loop over ids: no
//! recursion, whatever the depth of the model.

pub mod converse;
pub mod forwards;
pub mod narrow;
pub mod orient;
pub mod share;

use super::expr::{Base, ExprId, Fix, FixId, Node, Pool, Sort, VarId};
use super::facts::settled::Settled;
use super::model::{Model, Predicate};
use super::simplify::converse::Converse;
use rustc_hash::FxHashMap;

/// A check's condition after simplification (its `~` and role are unchanged).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// What is tested.
    pub predicate: Predicate,
    /// Of what, in [`Simplified::pool`].
    pub expr: ExprId,
}

/// The checks of a model over a pool of their own.
pub struct Simplified {
    /// The expressions.
    pub pool: Pool,
    /// One condition a check of the model, in order.
    pub conditions: Vec<Condition>,
}

/// Simplifies all checks of a model for programs in which only the base names accepted by `present` can be non-empty. `settled`: what is known
/// of the model's expressions besides, by number; nothing is known of those behind its end.
pub fn simplify(model: &Model, present: &dyn Fn(&Base) -> bool, settled: &[Settled]) -> Simplified {
    let old = &model.pool;
    let absent: Vec<bool> = old.bases().iter().map(|base| !present(base)).collect();
    let empty_vars = empty_variables(old, &absent, settled);
    let needed = needed(old, model.checks.iter().map(|check| check.expr));
    let mut builder = Builder {
        old,
        pool: Pool::new(),
        built: vec![None; old.len()],
        converse: Converse::default(),
        vars: FxHashMap::default(),
        groups: FxHashMap::default(),
        absent,
        settled,
        empty_vars,
    };
    for i in (0..old.len()).filter(|&i| needed[i]) {
        let built = builder.build(ExprId::at(i));
        builder.built[i] = Some(built);
    }
    let conditions = model
        .checks
        .iter()
        .map(|check| {
            let expr = builder.rebuilt(check.expr);
            condition(&mut builder.pool, check.predicate, expr)
        })
        .collect();
    Simplified { pool: builder.pool, conditions }
}

/// Recursion variables that stay empty throughout, given the absent base names.
fn empty_variables(pool: &Pool, absent: &[bool], settled: &[Settled]) -> FxHashMap<VarId, bool> {
    let mut assumed: FxHashMap<VarId, bool> = FxHashMap::default();
    for f in 0..pool.fix_count() {
        // A group with a `when` test matters even when its values are empty: it may reject the execution.
        let group = pool.fix(FixId::at(f));
        assumed.extend(group.vars.iter().map(|&v| (v, group.when.is_none())));
    }
    loop {
        let mut empty: Vec<bool> = Vec::with_capacity(pool.len());
        for i in 0..pool.len() {
            let is = |x: &ExprId| empty[x.index()];
            let value = match pool.node(ExprId::at(i)) {
                _ if settled.get(i) == Some(&Settled::Empty) => true,
                Node::Empty(_) => true,
                Node::Universe | Node::Full | Node::Id | Node::Star(_) | Node::Opt(_) => false,
                Node::Base(base) => absent[base.index()],
                Node::Var(var) => assumed.get(var).copied().unwrap_or(true),
                Node::Fix(fix, n) => assumed[&pool.fix(*fix).vars[*n as usize]],
                Node::Union(xs) => xs.iter().all(is),
                Node::Inter(xs) | Node::Seq(xs) => xs.iter().any(is),
                Node::Diff(a, _) => is(a),
                Node::Product(a, b) => is(a) || is(b),
                Node::IdOn(a)
                | Node::Inverse(a)
                | Node::Plus(a)
                | Node::Domain(a)
                | Node::Range(a)
                | Node::DifferentValues(a) => is(a),
            };
            empty.push(value);
        }
        let mut stable = true;
        for f in 0..pool.fix_count() {
            let group = pool.fix(FixId::at(f));
            for (var, body) in group.vars.iter().zip(&group.bodies) {
                if assumed[var] && !empty[body.index()] {
                    assumed.insert(*var, false);
                    stable = false;
                }
            }
        }
        if stable {
            return assumed;
        }
    }
}

/// Which nodes the roots need.
pub(crate) fn needed(pool: &Pool, roots: impl Iterator<Item = ExprId>) -> Vec<bool> {
    let mut needed = vec![false; pool.len()];
    for root in roots {
        needed[root.index()] = true;
    }
    for i in (0..pool.len()).rev() {
        if !needed[i] {
            continue;
        }
        let id = ExprId::at(i);
        match pool.node(id) {
            Node::Fix(fix, _) => {
                let group = pool.fix(*fix);
                for &body in group.bodies.iter().chain(group.when.iter().map(|w| &w.2)) {
                    needed[body.index()] = true;
                }
            }
            _ => pool.operands(id).into_iter().for_each(|x| needed[x.index()] = true),
        }
    }
    needed
}

struct Builder<'a> {
    old: &'a Pool,
    pool: Pool,
    built: Vec<Option<ExprId>>,
    converse: Converse<'static>,
    vars: FxHashMap<VarId, (VarId, ExprId)>,
    groups: FxHashMap<FixId, Vec<ExprId>>,
    absent: Vec<bool>,
    settled: &'a [Settled],
    empty_vars: FxHashMap<VarId, bool>,
}

impl Builder<'_> {
    fn rebuilt(&mut self, id: ExprId) -> ExprId {
        self.built[id.index()].unwrap_or_else(|| self.pool.empty(self.old.sort(id)))
    }

    fn all(&mut self, ids: &[ExprId]) -> Vec<ExprId> {
        ids.iter().map(|&x| self.rebuilt(x)).collect()
    }

    fn build(&mut self, id: ExprId) -> ExprId {
        let sort = self.old.sort(id);
        match self.settled.get(id.index()) {
            Some(Settled::Empty) => return self.pool.empty(sort),
            Some(Settled::Everything) => return self.pool.universe(),
            Some(Settled::Open) | None => {}
        }
        match self.old.node(id).clone() {
            Node::Empty(sort) => self.pool.empty(sort),
            Node::Universe => self.pool.universe(),
            Node::Full => self.pool.full(),
            Node::Id => self.pool.id(),
            Node::Base(base) if self.absent[base.index()] => self.pool.empty(sort),
            Node::Base(base) => {
                let base = &self.old.bases()[base.index()];
                self.pool.base(&base.name, base.sort)
            }
            Node::Var(var) => self.var(var).1,
            Node::Fix(fix, n) => self.group(fix)[n as usize],
            Node::Union(xs) => {
                let xs = self.all(&xs);
                union(&mut self.pool, sort, xs)
            }
            Node::Inter(xs) => {
                let xs = self.all(&xs);
                inter(&mut self.pool, sort, xs)
            }
            Node::Diff(a, b) => {
                let (a, b) = (self.rebuilt(a), self.rebuilt(b));
                diff(&mut self.pool, sort, a, b)
            }
            Node::Seq(xs) => {
                let xs = self.all(&xs);
                seq(&mut self.pool, xs)
            }
            Node::Product(a, b) => {
                let (a, b) = (self.rebuilt(a), self.rebuilt(b));
                self.pool.product(a, b)
            }
            Node::IdOn(a) => {
                let a = self.rebuilt(a);
                self.pool.id_on(a)
            }
            Node::Inverse(a) => {
                let a = self.rebuilt(a);
                self.converse.of(&mut self.pool, a)
            }
            Node::Plus(a) => {
                let a = self.rebuilt(a);
                self.pool.plus(a)
            }
            Node::Star(a) => {
                let a = self.rebuilt(a);
                self.pool.star(a)
            }
            Node::Opt(a) => {
                let a = self.rebuilt(a);
                self.pool.opt(a)
            }
            Node::Domain(a) => {
                let a = self.rebuilt(a);
                self.pool.domain(a)
            }
            Node::Range(a) => {
                let a = self.rebuilt(a);
                let back = self.converse.of(&mut self.pool, a);
                self.pool.domain(back)
            }
            Node::DifferentValues(a) => {
                let a = self.rebuilt(a);
                self.pool.different_values(a)
            }
        }
    }

    fn var(&mut self, var: VarId) -> (VarId, ExprId) {
        let sort = self.old.var_sort(var);
        let pool = &mut self.pool;
        let (new, expr) = *self.vars.entry(var).or_insert_with(|| pool.var(sort));
        if self.empty_vars.get(&var).copied().unwrap_or(true) { (new, self.pool.empty(sort)) } else { (new, expr) }
    }

    /// The components of a recursive group; its equations have been built already.
    fn group(&mut self, fix: FixId) -> Vec<ExprId> {
        if let Some(components) = self.groups.get(&fix) {
            return components.clone();
        }
        let group = self.old.fix(fix).clone();
        let bodies = self.all(&group.bodies);
        let when = group.when.map(|(predicate, negated, test)| (predicate, negated, self.rebuilt(test)));
        // Variables that stay empty leave the group: they add nothing to its stop rule either.
        let mut vars = Vec::new();
        let mut kept = Vec::new();
        let mut place = Vec::new();
        for (&var, &body) in group.vars.iter().zip(&bodies) {
            if self.empty_vars.get(&var).copied().unwrap_or(true) {
                place.push(None);
            } else {
                place.push(Some(vars.len()));
                vars.push(self.var(var).0);
                kept.push(body);
            }
        }
        let built = if vars.is_empty() { Vec::new() } else { self.pool.recursive(Fix { vars, bodies: kept, when }) };
        let components: Vec<ExprId> = group
            .vars
            .iter()
            .zip(place)
            .map(|(&var, place)| place.map_or_else(|| self.pool.empty(self.old.var_sort(var)), |n| built[n]))
            .collect();
        self.groups.insert(fix, components.clone());
        components
    }
}

/// Union, absorbing operands below another operand (`x | x & y`) and everything below the top.
pub(super) fn union(pool: &mut Pool, sort: Sort, operands: Vec<ExprId>) -> ExprId {
    if operands.iter().any(|&x| matches!(pool.node(x), Node::Full | Node::Universe)) {
        return pool.top(sort);
    }
    let absorbed = |x: &ExprId| match pool.node(*x) {
        Node::Inter(parts) => parts.iter().any(|p| operands.contains(p)),
        Node::Diff(a, _) => operands.contains(a),
        _ => false,
    };
    let kept: Vec<ExprId> = operands.iter().copied().filter(|x| !absorbed(x)).collect();
    pool.union(sort, kept)
}

/// Intersection; products become restrictions of what they are intersected with.
pub(super) fn inter(pool: &mut Pool, sort: Sort, operands: Vec<ExprId>) -> ExprId {
    let whole = pool.inter(sort, operands);
    let Node::Inter(parts) = pool.node(whole).clone() else { return whole };
    let (mut kept, mut removed) = (Vec::new(), Vec::new());
    for part in parts.iter().copied() {
        match *pool.node(part) {
            Node::Diff(top, out) if matches!(pool.node(top), Node::Full | Node::Universe) => removed.push(out),
            _ => kept.push(part),
        }
    }
    if !removed.is_empty() {
        let out = union(pool, sort, removed);
        let kept = inter(pool, sort, kept);
        return diff(pool, sort, kept, out);
    }
    if sort == Sort::Set {
        return whole;
    }
    let (mut sources, mut targets, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts.iter().copied() {
        match *pool.node(part) {
            Node::Product(a, b) => {
                sources.push(a);
                targets.push(b);
            }
            _ => rest.push(part),
        }
    }
    if sources.is_empty() {
        return distribute(pool, &rest).unwrap_or(whole);
    }
    let a = pool.inter(Sort::Set, sources);
    let b = pool.inter(Sort::Set, targets);
    if rest.is_empty() {
        return pool.product(a, b);
    }
    let rest = pool.inter(Sort::Rel, rest);
    let (a, b) = (pool.id_on(a), pool.id_on(b));
    seq(pool, vec![a, rest, b])
}

/// `r & s & (A * B | C * D)` is `[A] ; r ; [B] & s | [C] ; r ; [D] & s`: two restrictions are cheaper than a matrix of products. They are put on what
/// is an input: anything else would be computed in full before it is restricted.
fn distribute(pool: &mut Pool, parts: &[ExprId]) -> Option<ExprId> {
    let products = |x: ExprId| -> Option<Vec<(ExprId, ExprId)>> {
        let Node::Union(xs) = pool.node(x) else { return None };
        xs.iter()
            .map(|&x| match pool.node(x) {
                Node::Product(a, b) => Some((*a, *b)),
                _ => None,
            })
            .collect()
    };
    let (at, pairs) = parts.iter().enumerate().find_map(|(i, &x)| products(x).map(|pairs| (i, pairs)))?;
    let rest = parts.iter().enumerate().filter(|&(i, _)| i != at).map(|(_, &x)| x);
    let is_input = |x: &ExprId| match pool.node(*x) {
        Node::Base(_) => true,
        Node::Inverse(a) => matches!(pool.node(*a), Node::Base(_)),
        _ => false,
    };
    let (inputs, others): (Vec<ExprId>, Vec<ExprId>) = rest.partition(is_input);
    if pairs.len() > 3 || inputs.is_empty() {
        return None;
    }
    let inputs = inter(pool, Sort::Rel, inputs);
    let restricted = pairs.into_iter().map(|(a, b)| {
        let (a, b) = (pool.id_on(a), pool.id_on(b));
        let restricted = seq(pool, vec![a, inputs, b]);
        inter(pool, Sort::Rel, others.iter().copied().chain([restricted]).collect())
    });
    let restricted = restricted.collect();
    Some(union(pool, Sort::Rel, restricted))
}

/// Difference. What the right side shares with the left adds nothing to it: `a \ (a & b)` is `a \ b`, which matters to the
/// analysis when `b` is stable and `a` is not.
pub(super) fn diff(pool: &mut Pool, sort: Sort, a: ExprId, b: ExprId) -> ExprId {
    let kept: Vec<ExprId> = match pool.node(a) {
        Node::Inter(parts) => parts.to_vec(),
        _ => vec![a],
    };
    let mut removed = Vec::new();
    let alternatives: Vec<ExprId> = match pool.node(b) {
        Node::Union(parts) => parts.to_vec(),
        _ => vec![b],
    };
    for part in alternatives {
        match pool.node(part).clone() {
            Node::Inter(parts) if parts.iter().any(|p| *p == a || kept.contains(p)) => {
                removed.push(inter(
                    pool,
                    sort,
                    parts.iter().copied().filter(|p| *p != a && !kept.contains(p)).collect(),
                ));
            }
            _ if part == a || kept.contains(&part) => return pool.empty(sort),
            _ => removed.push(part),
        }
    }
    let removed = union(pool, sort, removed);
    pool.diff(a, removed)
}

/// Composition; adjacent restrictions merge, and so do adjacent closures of one relation.
pub(super) fn seq(pool: &mut Pool, operands: Vec<ExprId>) -> ExprId {
    let whole = pool.seq(operands);
    let Node::Seq(parts) = pool.node(whole).clone() else { return whole };
    let mut out: Vec<ExprId> = Vec::with_capacity(parts.len());
    for part in parts.iter().copied() {
        let merged = out.last().and_then(|&last| join(pool, last, part));
        match merged {
            Some(joined) => {
                out.pop();
                out.push(joined);
            }
            None => out.push(part),
        }
    }
    if out.len() == parts.len() { whole } else { pool.seq(out) }
}

/// `a ; b` as one simpler expression, where there is one.
fn join(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    match (pool.node(a).clone(), pool.node(b).clone()) {
        (Node::IdOn(s), Node::IdOn(t)) => {
            let both = pool.inter(Sort::Set, [s, t]);
            Some(pool.id_on(both))
        }
        (Node::Star(r), Node::Star(s)) | (Node::Star(r), Node::Opt(s)) | (Node::Opt(r), Node::Star(s)) if r == s => {
            Some(pool.star(r))
        }
        (Node::Star(r), _) if r == b => Some(pool.plus(r)),
        (_, Node::Star(r)) if r == a => Some(pool.plus(r)),
        (Node::Star(r), Node::Plus(s))
        | (Node::Plus(r), Node::Star(s) | Node::Opt(s))
        | (Node::Opt(r), Node::Plus(s))
            if r == s =>
        {
            Some(pool.plus(r))
        }
        _ => None,
    }
}

/// The cheapest condition with the same answer.
fn condition(pool: &mut Pool, predicate: Predicate, expr: ExprId) -> Condition {
    match (predicate, pool.node(expr).clone()) {
        (Predicate::Acyclic, Node::Plus(r)) => condition(pool, Predicate::Acyclic, r),
        (Predicate::Irreflexive, Node::Plus(r)) => condition(pool, Predicate::Acyclic, r),
        (Predicate::Acyclic, Node::Union(parts)) => {
            let parts: Vec<ExprId> = parts
                .iter()
                .map(|&x| match *pool.node(x) {
                    Node::Plus(r) => r,
                    _ => x,
                })
                .collect();
            Condition { predicate, expr: union(pool, Sort::Rel, parts) }
        }
        (Predicate::Empty, Node::Plus(r) | Node::Domain(r) | Node::Range(r) | Node::Inverse(r) | Node::IdOn(r)) => {
            condition(pool, Predicate::Empty, r)
        }
        _ => Condition { predicate, expr },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_union_of_products_restricts_an_input_and_leaves_the_other_filters() {
        let mut pool = Pool::new();
        let [r, s] = ["r", "s"].map(|name| pool.base(name, Sort::Rel));
        let sets = ["A", "B", "C", "D"].map(|name| pool.base(name, Sort::Set));
        let (closure, products) = (pool.plus(s), [pool.product(sets[0], sets[1]), pool.product(sets[2], sets[3])]);
        let products = pool.union(Sort::Rel, products);
        let found = inter(&mut pool, Sort::Rel, vec![r, closure, products]);
        let ends = sets.map(|set| pool.id_on(set));
        let restricted = [[ends[0], r, ends[1]], [ends[2], r, ends[3]]].map(|path| {
            let path = pool.seq(path);
            pool.inter(Sort::Rel, [path, closure])
        });
        assert_eq!(found, pool.union(Sort::Rel, restricted));
    }
}
