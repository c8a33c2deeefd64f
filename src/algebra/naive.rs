//! The plain evaluator: a [`Model`] on a [`Candidate`], with ordinary sets of pairs.
//!
//! This is the yardstick for the fast path (`kernel::session`): it shares no code with it, follows the definitions of
//! [`Node`] word for word and has no simplification, no incrementality and no bit tricks.
//!
//! A recursive group is run as the loop that [`Fix`](super::expr::Fix) describes. The group *fails* when its `when` test
//! fails in some round, or when the loop never ends (its state recurs); an expression that mentions a failed group fails
//! too. Of a check whose operand fails only a `When` is violated, and only a `Settle` fires.
//!
//! Limits: a base relation is expected to relate events of the universe only, and nesting of recursive groups is recursion
//! here (staged models nest two deep at most). Expressions themselves are evaluated without recursion.

use super::expr::{ExprId, FixId, Node, Pool, Sort, VarId};
use super::model::{Check, Model, Predicate, Role};
use crate::patience::while_time;
use crate::relation::candidate::{Candidate, EventSet, Relation};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What an expression denotes on a candidate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A set of events.
    Set(EventSet),
    /// A relation over events.
    Rel(Relation),
}

impl Value {
    fn empty(sort: Sort) -> Value {
        match sort {
            Sort::Set => Value::Set(EventSet::new()),
            Sort::Rel => Value::Rel(Relation::new()),
        }
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        match self {
            Value::Set(set) => set.is_empty(),
            Value::Rel(relation) => relation.is_empty(),
        }
    }

    fn into_set(self) -> EventSet {
        match self {
            Value::Set(set) => set,
            Value::Rel(_) => EventSet::new(),
        }
    }

    fn into_rel(self) -> Relation {
        match self {
            Value::Rel(relation) => relation,
            Value::Set(_) => Relation::new(),
        }
    }

    fn included_in(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Set(a), Value::Set(b)) => a.is_subset(b),
            (Value::Rel(a), Value::Rel(b)) => a.is_subset(b),
            _ => false,
        }
    }

    fn zip(
        self,
        other: Value,
        sets: fn(&EventSet, &EventSet) -> EventSet,
        rels: fn(&Relation, &Relation) -> Relation,
    ) -> Value {
        match (self, other) {
            (Value::Set(a), Value::Set(b)) => Value::Set(sets(&a, &b)),
            (Value::Rel(a), Value::Rel(b)) => Value::Rel(rels(&a, &b)),
            (a, _) => Value::empty(match a {
                Value::Set(_) => Sort::Set,
                Value::Rel(_) => Sort::Rel,
            }),
        }
    }
}

/// What a model says of one complete execution.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// `Require` and `When` checks that are violated, in order.
    pub violated: Vec<usize>,
    /// Checks of the other roles that fire, in order.
    pub fired: Vec<usize>,
}

/// Judges a complete execution.
pub fn judge(model: &Model, candidate: &Candidate) -> Judgement {
    let mut naive = Naive::new(&model.pool, candidate);
    let mut judgement = Judgement::default();
    for (i, check) in model.checks.iter().enumerate() {
        match (check.role, naive.holds(check)) {
            (Role::Require, Some(false)) | (Role::When, None) => judgement.violated.push(i),
            (Role::Flag, Some(true)) | (Role::Undefined | Role::Assert, Some(false)) | (Role::Settle, None) => {
                judgement.fired.push(i)
            }
            _ => {}
        }
    }
    judgement
}

/// An evaluation in progress, with the values found so far.
pub struct Naive<'a> {
    pool: &'a Pool,
    candidate: &'a Candidate,
    /// Values of closed expressions (those that mention no recursion variable); `None` for a failed one.
    known: FxHashMap<ExprId, Option<Value>>,
    closed: FxHashMap<ExprId, bool>,
    env: FxHashMap<VarId, Value>,
}

impl<'a> Naive<'a> {
    /// Nothing evaluated yet.
    pub fn new(pool: &'a Pool, candidate: &'a Candidate) -> Self {
        Naive { pool, candidate, known: FxHashMap::default(), closed: FxHashMap::default(), env: FxHashMap::default() }
    }

    /// The truth of a check's condition as written (its `~` included); `None` when a recursive group that it mentions fails.
    pub fn holds(&mut self, check: &Check) -> Option<bool> {
        let value = self.value(check.expr)?;
        Some(holds(check.predicate, &value) != check.negated)
    }

    /// The value of an expression; `None` when a recursive group that it mentions fails.
    pub fn value(&mut self, root: ExprId) -> Option<Value> {
        // Values of open expressions are good for this call only: the environment may differ at the next.
        let mut local: FxHashMap<ExprId, Option<Value>> = FxHashMap::default();
        let mut stack = vec![(root, false)];
        while let Some((id, ready)) = stack.pop() {
            if self.known.contains_key(&id) || local.contains_key(&id) {
                continue;
            }
            if !ready {
                stack.push((id, true));
                stack.extend(self.pool.operands(id).into_iter().map(|x| (x, false)));
                continue;
            }
            let operands: Option<Vec<Value>> = self
                .pool
                .operands(id)
                .iter()
                .map(|x| self.known.get(x).or_else(|| local.get(x)).cloned().flatten())
                .collect();
            let value = match operands {
                Some(operands) => self.apply(id, operands),
                None => None,
            };
            if self.is_closed(id) {
                self.known.insert(id, value);
            } else {
                local.insert(id, value);
            }
        }
        self.known.get(&root).or_else(|| local.get(&root)).cloned().flatten()
    }

    fn is_closed(&mut self, root: ExprId) -> bool {
        let mut stack = vec![(root, false)];
        while let Some((id, ready)) = stack.pop() {
            if self.closed.contains_key(&id) {
                continue;
            }
            let children = match self.pool.node(id) {
                Node::Fix(fix, _) => {
                    let group = self.pool.fix(*fix);
                    group.bodies.iter().copied().chain(group.when.iter().map(|w| w.2)).collect()
                }
                _ => self.pool.operands(id),
            };
            if !ready {
                stack.push((id, true));
                stack.extend(children.into_iter().map(|x| (x, false)));
                continue;
            }
            let closed = match self.pool.node(id) {
                Node::Var(_) => false,
                // A group inside another group's body is re-run each time; only a group free of outer variables is closed.
                Node::Fix(fix, _) => free_variables(self.pool, *fix).is_empty(),
                _ => children.iter().all(|x| self.closed[x]),
            };
            self.closed.insert(id, closed);
        }
        self.closed[&root]
    }

    fn apply(&mut self, id: ExprId, operands: Vec<Value>) -> Option<Value> {
        let candidate = self.candidate;
        let universe = &candidate.universe;
        let sort = self.pool.sort(id);
        let mut operands = operands.into_iter();
        let mut next = || operands.next().unwrap_or_else(|| Value::empty(sort));
        let identity = || -> Relation { universe.iter().map(|&x| (x, x)).collect() };
        Some(match self.pool.node(id) {
            Node::Empty(sort) => Value::empty(*sort),
            Node::Universe => Value::Set(universe.clone()),
            Node::Full => Value::Rel(product(universe, universe)),
            Node::Id => Value::Rel(identity()),
            Node::Base(base) => {
                let base = &self.pool.bases()[base.index()];
                match base.sort {
                    Sort::Set => Value::Set(candidate.set(&base.name)),
                    Sort::Rel => Value::Rel(candidate.relation(&base.name)),
                }
            }
            Node::Var(var) => self.env.get(var).cloned().unwrap_or_else(|| Value::empty(sort)),
            Node::Fix(fix, n) => self.run(*fix)?.swap_remove(*n as usize),
            Node::Union(_) => operands.reduce(|a, b| a.zip(b, |a, b| a | b, |a, b| a | b))?,
            Node::Inter(_) => operands.reduce(|a, b| a.zip(b, |a, b| a & b, |a, b| a & b))?,
            Node::Diff(..) => next().zip(next(), |a, b| a - b, |a, b| a - b),
            Node::Seq(_) => {
                Value::Rel(operands.map(Value::into_rel).reduce(|a, b| compose(&a, &b)).unwrap_or_else(identity))
            }
            Node::Product(..) => Value::Rel(product(&next().into_set(), &next().into_set())),
            Node::IdOn(_) => Value::Rel(next().into_set().into_iter().map(|x| (x, x)).collect()),
            Node::Inverse(_) => Value::Rel(next().into_rel().into_iter().map(|(x, y)| (y, x)).collect()),
            Node::Plus(_) => Value::Rel(closure(next().into_rel())),
            Node::Star(_) => Value::Rel(&closure(next().into_rel()) | &identity()),
            Node::Opt(_) => Value::Rel(&next().into_rel() | &identity()),
            Node::Domain(_) => Value::Set(next().into_rel().into_iter().map(|(x, _)| x).collect()),
            Node::Range(_) => Value::Set(next().into_rel().into_iter().map(|(_, y)| y).collect()),
            Node::DifferentValues(_) => {
                let value = |x| candidate.values.get(&x);
                Value::Rel(next().into_rel().into_iter().filter(|&(x, y)| value(x) != value(y)).collect())
            }
        })
    }

    /// Runs the loop of a recursive group; `None` when it fails.
    fn run(&mut self, fix: FixId) -> Option<Vec<Value>> {
        let group = self.pool.fix(fix);
        let mut old: Vec<Value> = group.vars.iter().map(|&v| Value::empty(self.pool.var_sort(v))).collect();
        for (&var, value) in group.vars.iter().zip(&old) {
            self.env.insert(var, value.clone());
        }
        // Brent's method: the state after a round determines all later ones, so a state seen before means "for ever".
        let mut landmark = old.clone();
        let (mut round, mut next_landmark) = (0u64, 1u64);
        loop {
            let mut new = Vec::with_capacity(old.len());
            for (&var, &body) in group.vars.iter().zip(&group.bodies) {
                let value = self.value(body)?;
                self.env.insert(var, value.clone());
                new.push(value);
            }
            if let Some((predicate, negated, test)) = group.when {
                let value = self.value(test)?;
                if holds(predicate, &value) == negated {
                    return None;
                }
            }
            if new.iter().zip(&old).all(|(new, old)| new.included_in(old)) {
                return Some(new);
            }
            if new == landmark {
                return None;
            }
            round += 1;
            if round == next_landmark {
                next_landmark *= 2;
                landmark = new.clone();
            }
            old = new;
        }
    }
}

/// The variables that a group's equations mention and that belong to groups around it.
pub(crate) fn free_variables(pool: &Pool, fix: FixId) -> BTreeSet<VarId> {
    let (mut seen, mut free, mut bound) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut groups = BTreeSet::from([fix]);
    let mut stack: Vec<ExprId> = Vec::new();
    let enter = |fix: FixId, stack: &mut Vec<ExprId>, bound: &mut BTreeSet<VarId>| {
        let group = pool.fix(fix);
        bound.extend(group.vars.iter().copied());
        stack.extend(group.bodies.iter().copied().chain(group.when.iter().map(|w| w.2)));
    };
    enter(fix, &mut stack, &mut bound);
    while let Some(id) = stack.pop() {
        if !seen.insert(id) {
            continue;
        }
        match pool.node(id) {
            Node::Var(var) => {
                free.insert(*var);
            }
            Node::Fix(inner, _) => {
                if groups.insert(*inner) {
                    enter(*inner, &mut stack, &mut bound);
                }
            }
            _ => stack.extend(pool.operands(id)),
        }
    }
    &free - &bound
}

fn holds(predicate: Predicate, value: &Value) -> bool {
    match (predicate, value) {
        (Predicate::Empty, value) => value.is_empty(),
        (Predicate::Irreflexive, Value::Rel(relation)) => relation.iter().all(|(x, y)| x != y),
        (Predicate::Acyclic, Value::Rel(relation)) => closure(relation.clone()).iter().all(|(x, y)| x != y),
        (_, Value::Set(_)) => true,
    }
}

fn product(a: &EventSet, b: &EventSet) -> Relation {
    while_time(a.iter()).flat_map(|&x| b.iter().map(move |&y| (x, y))).collect()
}

fn compose(a: &Relation, b: &Relation) -> Relation {
    while_time(a.iter()).flat_map(|&(x, y)| b.range((y, 0)..=(y, u32::MAX)).map(move |&(_, z)| (x, z))).collect()
}

fn closure(relation: Relation) -> Relation {
    let mut all = relation.clone();
    let mut fresh = relation.clone();
    while !fresh.is_empty() {
        fresh = &compose(&fresh, &relation) - &all;
        all.extend(fresh.iter().copied());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::expr::Fix;
    use super::*;

    fn chain() -> Candidate {
        let mut c = Candidate { universe: (0..4).collect(), ..Candidate::default() };
        c.relations.insert("po".into(), [(0, 1), (1, 2), (2, 3)].into());
        c.sets.insert("W".into(), [0, 2].into());
        c
    }

    #[test]
    fn operators_follow_their_definitions() {
        let c = chain();
        let mut pool = Pool::new();
        let po = pool.base("po", Sort::Rel);
        let w = pool.base("W", Sort::Set);
        let on_w = pool.id_on(w);
        let plus = pool.plus(po);
        let between = pool.seq([on_w, plus, on_w]);
        let star = pool.star(po);
        let not = pool.complement(star);
        let mut naive = Naive::new(&pool, &c);
        assert_eq!(naive.value(between), Some(Value::Rel([(0, 2)].into())));
        let back: Relation = [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)].into();
        assert_eq!(naive.value(not), Some(Value::Rel(back)));
    }

    #[test]
    fn recursion_is_the_loop_of_the_language() {
        let c = chain();
        let mut pool = Pool::new();
        let w = pool.base("W", Sort::Set);
        // `let rec x = W \ x`: W, then {}, which is included in W.
        let (var, x) = pool.var(Sort::Set);
        let body = pool.diff(w, x);
        let stops = pool.recursive(Fix { vars: vec![var], bodies: vec![body], when: None })[0];
        // `let rec y = _ \ y when empty y` fails in the first round.
        let (var, y) = pool.var(Sort::Set);
        let body = pool.complement(y);
        let fails =
            pool.recursive(Fix { vars: vec![var], bodies: vec![body], when: Some((Predicate::Empty, false, y)) })[0];
        let mut naive = Naive::new(&pool, &c);
        assert_eq!(naive.value(stops), Some(Value::Set(EventSet::new())));
        assert_eq!(naive.value(fails), None);
    }

    #[test]
    fn a_loop_without_end_fails() {
        let mut c = Candidate { universe: (0..3).collect(), ..Candidate::default() };
        c.relations.insert("next".into(), [(0, 1), (1, 2), (2, 0)].into());
        c.sets.insert("start".into(), [0].into());
        let mut pool = Pool::new();
        let (next, start) = (pool.base("next", Sort::Rel), pool.base("start", Sort::Set));
        // `let rec x = range([x];next) | (start \ domain([x];_*_))`: a token that walks round a ring.
        let (var, x) = pool.var(Sort::Set);
        let on_x = pool.id_on(x);
        let step = pool.seq([on_x, next]);
        let moved = pool.range(step);
        let full = pool.full();
        let any = pool.seq([full, on_x]);
        let some = pool.domain(any);
        let seed = pool.diff(start, some);
        let body = pool.union(Sort::Set, [moved, seed]);
        let token = pool.recursive(Fix { vars: vec![var], bodies: vec![body], when: None })[0];
        assert_eq!(Naive::new(&pool, &c).value(token), None);
    }
}
