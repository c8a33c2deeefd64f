//! Sets of values that depend on the execution, where `with … from` may choose from them.
//!
//! An execution graph already carries what such a choice would pick: one coherence order, one reads-from edge for each lock
//! read. So `with co from generate_cos(r)` is not a choice any more: it names the execution's order on the events that the model
//! orders, and checks that it respects `r`. Choices that the execution does not carry are dynamic.

use super::operators::lift;
use super::value::{Choice, Fault, Outcome, Value};
use super::{Env, Order, Stager};
use crate::algebra::{Check, ExprId, Node, Predicate, Role, Sort};
use crate::cat::diagnostics::not_iterable;
use crate::cat::source::Span;
use crate::cat::syntax::ast::{Expr, Ident};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What the form of an expression says of it as a function of one set, the hole.
#[derive(Clone, Copy)]
struct Facts {
    /// The hole occurs in it.
    mentions: bool,
    /// `e[a ∪ b] = e[a] ∪ e[b]` and `e[∅] = ∅`.
    additive: bool,
    /// All its edges end in the hole.
    targets: bool,
}

/// Base sets whose events the execution's `co` orders.
const ORDERED: &[&str] = &["W", "IW", "FW", "LKW", "UL"];
/// Base sets whose events have their reads-from edge in the execution's `rf-lock`.
const LOCK_READS: &[&str] = &["LKR", "LF", "RL", "RU"];

impl Stager<'_> {
    /// `generate_orders(S, r)`
    pub(super) fn orders(&mut self, events: Value, order: &Value, at: Span) -> Outcome<Value> {
        let events = match events {
            Value::Expr(e) if self.model.pool.sort(e) == Sort::Set => e,
            Value::Empty => self.model.pool.empty(Sort::Set),
            _ => return Err(Fault::Dynamic(at, "orders events that are no set of the execution")),
        };
        let order = match order {
            Value::Expr(e) if self.model.pool.sort(*e) == Sort::Rel => *e,
            Value::Empty => self.model.pool.empty(Sort::Rel),
            _ => return Err(Fault::Dynamic(at, "orders events by something that is no relation")),
        };
        Ok(Value::Choice(Rc::new(Choice::Orders { events, order })))
    }

    /// `cross S`, when staging has a use for it.
    pub(super) fn cross(&mut self, sets: &Value) -> Option<Value> {
        match sets {
            // One way to choose nothing.
            Value::Empty => {
                let none = Value::Expr(self.model.pool.empty(Sort::Rel));
                Some(Value::Values(Rc::new(vec![none])))
            }
            Value::Choice(choice) => match **choice {
                Choice::OneEdgePerEvent { events, edges } => {
                    Some(Value::Choice(Rc::new(Choice::Cross { events, edges })))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `map f S` for a set of events `S` of the execution: evaluates `f` on one unknown event. When the result is the edges of a
    /// relation that is additive in that event, the edges for all events are that relation with `S` in its place.
    pub(super) fn map_over_events(&mut self, call: Span, f: &Value, events: ExprId) -> Outcome<Value> {
        let dynamic = Fault::Dynamic(call, "maps a function over the events of a set");
        let (_, event) = self.model.pool.var(Sort::Set);
        let Value::Choice(image) = self.apply(call, f, Value::Event(event), call, call)? else { return Err(dynamic) };
        let Choice::EdgesOf(edges) = *image else { return Err(dynamic) };
        if matches!(self.model.pool.node(edges), Node::Empty(_)) {
            return Ok(Value::Choice(Rc::new(Choice::OneEdgePerEvent { events, edges })));
        }
        if edges < event {
            return Err(dynamic);
        }
        let facts = self.facts(event, edges);
        if !facts.last().is_some_and(|f| f.additive && f.targets) {
            return Err(dynamic);
        }
        let edges = self.substitute(edges, event, events, &facts);
        Ok(Value::Choice(Rc::new(Choice::OneEdgePerEvent { events, edges })))
    }

    /// What is known, by form, of each node between `hole` and `last` as a function of `hole`. Operands come before the nodes that
    /// use them, so one pass in order does.
    fn facts(&self, hole: ExprId, last: ExprId) -> Vec<Facts> {
        let pool = &self.model.pool;
        let mut facts: Vec<Facts> = Vec::with_capacity(last.index() - hole.index() + 1);
        facts.push(Facts { mentions: true, additive: true, targets: false });
        for index in hole.index() + 1..=last.index() {
            let e = ExprId::at(index);
            let of = |x: ExprId| match x.index().checked_sub(hole.index()) {
                Some(at) => facts[at],
                // Older than the hole: constant.
                None => Facts { mentions: false, additive: false, targets: false },
            };
            let one = |xs: &[ExprId]| {
                let mut with = xs.iter().filter(|x| of(**x).mentions);
                matches!((with.next(), with.next()), (Some(x), None) if of(*x).additive)
            };
            let empty = |x: ExprId| matches!(pool.node(x), Node::Empty(_));
            let additive = match pool.node(e) {
                Node::Empty(_) => true,
                Node::Union(xs) => xs.iter().all(|x| of(*x).additive || empty(*x)),
                Node::Inter(xs) | Node::Seq(xs) => one(xs),
                Node::Diff(a, b) => of(*a).additive && !of(*b).mentions,
                Node::Product(a, b) => one(&[*a, *b]),
                Node::IdOn(a) | Node::Inverse(a) | Node::Domain(a) | Node::Range(a) => of(*a).additive,
                _ => false,
            };
            let targets = match pool.node(e) {
                Node::Empty(_) => true,
                Node::Union(xs) => xs.iter().all(|x| of(*x).targets || empty(*x)),
                Node::Inter(xs) => xs.iter().any(|x| of(*x).targets),
                Node::Seq(xs) => xs.last().is_some_and(|x| of(*x).targets),
                Node::Diff(a, _) => of(*a).targets,
                Node::Product(_, b) => *b == hole,
                Node::IdOn(a) => *a == hole,
                _ => false,
            };
            let mentions = pool.operands(e).into_iter().any(|x| of(x).mentions);
            facts.push(Facts { mentions, additive, targets });
        }
        facts
    }

    /// `e` with `value` for `hole`, for the forms that are additive.
    fn substitute(&mut self, e: ExprId, hole: ExprId, value: ExprId, facts: &[Facts]) -> ExprId {
        let mut new: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        new.insert(hole, value);
        for index in hole.index() + 1..=e.index() {
            if !facts[index - hole.index()].mentions {
                continue;
            }
            let old = ExprId::at(index);
            let of = |x: &ExprId| new.get(x).copied().unwrap_or(*x);
            let (node, sort, pool) =
                (self.model.pool.node(old).clone(), self.model.pool.sort(old), &mut self.model.pool);
            let made = match node {
                Node::Union(xs) => pool.union(sort, xs.iter().map(of).collect::<Vec<_>>()),
                Node::Inter(xs) => pool.inter(sort, xs.iter().map(of).collect::<Vec<_>>()),
                Node::Seq(xs) => pool.seq(xs.iter().map(of).collect::<Vec<_>>()),
                Node::Diff(a, b) => pool.diff(of(&a), of(&b)),
                Node::Product(a, b) => pool.product(of(&a), of(&b)),
                Node::IdOn(a) => pool.id_on(of(&a)),
                Node::Inverse(a) => pool.inverse(of(&a)),
                Node::Domain(a) => pool.domain(of(&a)),
                Node::Range(a) => pool.range(of(&a)),
                // Not additive, so not part of `e`.
                _ => continue,
            };
            new.insert(old, made);
        }
        new.get(&e).copied().unwrap_or(e)
    }

    /// Whether a set is within a union of these base sets, by its form.
    fn within(&self, set: ExprId, bases: &[&str]) -> bool {
        let pool = &self.model.pool;
        match pool.node(set) {
            Node::Empty(_) => true,
            Node::Base(base) => bases.contains(&&*pool.bases()[base.index()].name),
            Node::Union(xs) => xs.iter().all(|x| self.within(*x, bases)),
            Node::Inter(xs) => xs.iter().any(|x| self.within(*x, bases)),
            Node::Diff(a, _) => self.within(*a, bases),
            _ => false,
        }
    }

    /// `with x from S`: the value of `x`.
    pub(super) fn choose(&mut self, env: &Env, var: &Ident, set: &Expr, span: Span) -> Outcome<Value> {
        match lift(self.evaluate(env, set)?) {
            Value::Values(values) if values.len() == 1 => Ok(values[0].clone()),
            Value::Values(_) => Err(Fault::Dynamic(span, "chooses among several values")),
            Value::Empty => {
                // Nothing to choose: every execution is rejected.
                let nothing = self.model.pool.empty(Sort::Rel);
                self.require(var, Predicate::Empty, true, nothing, set.span);
                Ok(Value::Empty)
            }
            Value::Choice(choice) => match *choice {
                Choice::Orders { events, order } => self.choose_order(var, events, order, set.span),
                Choice::Cross { events, edges } => self.choose_edges(var, events, edges, set.span),
                Choice::Linear { events, order } => Ok(self.choose_linear(var, events, order)),
                _ => Err(Fault::Dynamic(span, "chooses among values built from events")),
            },
            other => Err(not_iterable::report(set.span, "with", self.kind(&other)).into()),
        }
    }

    /// `linearisations(S, r)`
    pub(super) fn linear(&mut self, events: &Value, order: &Value) -> Value {
        let pool = &mut self.model.pool;
        let events = match events {
            Value::Expr(e) => *e,
            Value::Universe => pool.universe(),
            _ => pool.empty(Sort::Set),
        };
        let order = match order {
            Value::Expr(e) => *e,
            Value::Universe => pool.top(Sort::Rel),
            _ => pool.empty(Sort::Rel),
        };
        Value::Choice(Rc::new(Choice::Linear { events, order }))
    }

    /// A choice that stays one: the execution does not carry it.
    fn choose_linear(&mut self, var: &Ident, events: ExprId, order: ExprId) -> Value {
        let base = format!("with {} {}", self.orders.len(), var.text);
        let chosen = self.model.pool.base(&base, Sort::Rel);
        self.orders.push(Order { base, name: var.text.to_string(), events, order });
        Value::Expr(chosen)
    }

    fn choose_order(&mut self, var: &Ident, events: ExprId, order: ExprId, at: Span) -> Outcome<Value> {
        if !self.within(events, ORDERED) {
            return Err(Fault::Dynamic(at, "orders events that coherence does not order"));
        }
        let native = self.model.pool.base("co", Sort::Rel);
        let writes = self.model.pool.base("W", Sort::Set);
        let pairs = self.model.pool.product(events, events);
        // Where no lock is in sight the execution's order is on plain writes only.
        let plain = events == writes && !self.loader.mentions("LKW");
        let chosen = if plain { self.without_locks(native) } else { self.model.pool.inter(Sort::Rel, [native, pairs]) };
        // What the library's own `co0` says holds of every execution; only what a model adds is checked.
        let parts = match self.model.pool.node(order) {
            Node::Union(xs) => xs.to_vec(),
            _ => vec![order],
        };
        if parts.iter().any(|p| !self.standard_order.contains(p)) {
            // The order is closed first and then restricted to each location, as in the language.
            let loc = self.model.pool.base("loc", Sort::Rel);
            let extra: Vec<_> = parts.iter().copied().filter(|p| !self.standard_order.contains(p)).collect();
            let local = extra.iter().all(|p| self.orders_writes_of_one_location(*p, events));
            let demanded = if local {
                self.model.pool.union(Sort::Rel, extra)
            } else {
                let closed = self.model.pool.plus(order);
                self.model.pool.inter(Sort::Rel, [closed, loc, pairs])
            };
            let missing = self.model.pool.diff(demanded, chosen);
            self.require(var, Predicate::Empty, false, missing, at);
        }
        Ok(Value::Expr(chosen))
    }

    /// Coherence without the kernel's lock events, which are no writes to a model that does not know locks. (C11's are writes.)
    /// Written so that nothing is left of it in programs without locks.
    fn without_locks(&mut self, co: ExprId) -> ExprId {
        let pool = &mut self.model.pool;
        let [taken, released, writes] = ["LKW", "UL", "W"].map(|name| pool.base(name, Sort::Set));
        let named = pool.union(Sort::Set, [taken, released]);
        let (locks, all) = (pool.diff(named, writes), pool.top(Sort::Set));
        let edges = [pool.product(locks, all), pool.product(all, locks)];
        let edges = pool.union(Sort::Rel, edges);
        pool.diff(co, edges)
    }

    /// Whether all edges of `e` are between events of `events` at one location, by its form. Then the transitive closure adds
    /// nothing that a transitive order that contains `e` does not have.
    fn orders_writes_of_one_location(&self, e: ExprId, events: ExprId) -> bool {
        let pool = &self.model.pool;
        let is = |x: ExprId, name: &str| matches!(pool.node(x), Node::Base(b) if pool.bases()[b.index()].name == name);
        let part_of_events = |set: ExprId| {
            set == events || is(set, "IW") || matches!(pool.node(events), Node::Union(xs) if self.part_of_one(set, xs))
        };
        match pool.node(e) {
            Node::Empty(_) => true,
            Node::Union(xs) => xs.iter().all(|x| self.orders_writes_of_one_location(*x, events)),
            Node::Diff(a, _) => self.orders_writes_of_one_location(*a, events),
            Node::Seq(xs) => match (pool.node(xs[0]), pool.node(xs[xs.len() - 1])) {
                (Node::IdOn(a), Node::IdOn(b)) => {
                    part_of_events(*a) && part_of_events(*b) && xs[1..xs.len() - 1].iter().all(|x| is(*x, "loc"))
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn part_of_one(&self, set: ExprId, unions: &[ExprId]) -> bool {
        unions.contains(&set)
            || match self.model.pool.node(set) {
                Node::Diff(a, _) => self.part_of_one(*a, unions),
                Node::Inter(xs) => xs.iter().any(|x| self.part_of_one(*x, unions)),
                Node::Union(xs) => xs.iter().all(|x| self.part_of_one(*x, unions)),
                _ => false,
            }
    }

    fn choose_edges(&mut self, var: &Ident, events: ExprId, edges: ExprId, at: Span) -> Outcome<Value> {
        if !self.within(events, LOCK_READS) {
            return Err(Fault::Dynamic(at, "chooses one edge for each event of a set"));
        }
        let native = self.model.pool.base("rf-lock", Sort::Rel);
        let chosen = self.model.pool.inter(Sort::Rel, [native, edges]);
        let covered = self.model.pool.range(chosen);
        let uncovered = self.model.pool.diff(events, covered);
        self.require(var, Predicate::Empty, false, uncovered, at);
        // At most one edge each: so is `rf-lock` by construction.
        Ok(Value::Expr(chosen))
    }

    fn require(&mut self, var: &Ident, predicate: Predicate, negated: bool, expr: ExprId, at: Span) {
        self.model.checks.push(Check {
            name: Some(format!("choice-of-{}", var.text)),
            role: Role::Require,
            predicate,
            negated,
            expr,
            place: (at.file, at.range()),
        });
    }
}
