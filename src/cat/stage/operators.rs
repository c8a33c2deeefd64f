//! Operators on symbolic values, with the overloading of the language (CAT.md, section 3.2).

use super::expressions::Comparison;
use super::value::{Fault, Outcome, Value};
use super::{Env, Stager, hints};
use crate::algebra::{ExprId, Node, Sort};
use crate::cat::diagnostics::{mixed_elements, mixed_kinds, universe_in_set, wrong_kind};
use crate::cat::source::Span;
use crate::cat::syntax::ast::{Expr, ExprKind};
use std::cmp::Ordering;
use std::rc::Rc;

/// Whether an evaluation came upon a name that nobody defines.
fn is_undefined(value: &Outcome<Value>) -> bool {
    matches!(value, Err(Fault::Error(diagnostic)) if hints::UNDEFINED.iter().any(|kind| kind.code == diagnostic.code()))
}

/// What two operands of `|`, `&`, `\` are both.
enum Pair {
    Exprs(Sort, ExprId, ExprId),
    Values(Rc<Vec<Value>>, Rc<Vec<Value>>),
}

impl Stager<'_> {
    fn wrong(&self, env: &Env, what: &str, expected: &str, found: &Value, operand: &Expr) -> Fault {
        let origin = self.origin(env, operand);
        wrong_kind::report(operand.span, what, expected, self.kind(found), origin).into()
    }

    /// The relation that a value is, for operators that take only relations.
    pub(super) fn relation(&mut self, env: &Env, value: Value, operand: &Expr, what: &str) -> Outcome<ExprId> {
        match value {
            Value::Expr(e) if self.model.pool.sort(e) == Sort::Rel => Ok(e),
            Value::Empty => Ok(self.model.pool.empty(Sort::Rel)),
            Value::Choice(_) => Err(per_execution(operand.span)),
            other => Err(self.wrong(env, what, "a relation", &other, operand)),
        }
    }

    /// The set that a value is, for operators that take only sets.
    pub(super) fn set(&mut self, env: &Env, value: Value, operand: &Expr, what: &str) -> Outcome<ExprId> {
        match value {
            Value::Expr(e) if self.model.pool.sort(e) == Sort::Set => Ok(e),
            Value::Empty => Ok(self.model.pool.empty(Sort::Set)),
            Value::Universe => Ok(self.model.pool.universe()),
            Value::Choice(_) => Err(per_execution(operand.span)),
            other => Err(self.wrong(env, what, "a set", &other, operand)),
        }
    }

    pub(super) fn identity_on(&mut self, env: &Env, operand: &Expr) -> Outcome<Value> {
        match self.evaluate(env, operand)? {
            Value::Empty => Ok(Value::Empty),
            Value::Universe => Ok(Value::Expr(self.model.pool.id())),
            value => {
                let set = self.set(env, value, operand, "`[…]`")?;
                Ok(Value::Expr(self.model.pool.id_on(set)))
            }
        }
    }

    /// Whether a value is empty whatever the execution.
    fn is_nothing(&self, value: &Value) -> bool {
        match value {
            Value::Empty => true,
            Value::Expr(e) => matches!(self.model.pool.node(*e), Node::Empty(_)),
            _ => false,
        }
    }

    /// The values of the operands of an operator that gives nothing where one of them is nothing. Beside such an operand a name that
    /// nobody defines decides nothing: `{}` stands for what has it. Not in a `try`, which asks whether the names are defined.
    pub(super) fn beside_nothing(&self, mut values: Vec<Outcome<Value>>) -> Outcome<Vec<Value>> {
        if self.trying == 0 && values.iter().any(|value| matches!(value, Ok(value) if self.is_nothing(value))) {
            values.iter_mut().filter(|value| is_undefined(value)).for_each(|value| *value = Ok(Value::Empty));
        }
        values.into_iter().collect()
    }

    fn both(&mut self, env: &Env, a: &Expr, b: &Expr) -> Outcome<(Value, Value)> {
        let values = vec![self.evaluate(env, a), self.evaluate(env, b)];
        let mut values = self.beside_nothing(values)?.into_iter();
        Ok((values.next().unwrap_or(Value::Empty), values.next().unwrap_or(Value::Empty)))
    }

    pub(super) fn product(&mut self, env: &Env, a: &Expr, b: &Expr) -> Outcome<Value> {
        let mut sides = [ExprId::default(); 2];
        let (va, vb) = self.both(env, a, b)?;
        for (side, (operand, value)) in sides.iter_mut().zip([(a, va), (b, vb)]) {
            *side = match value {
                Value::Event(e) => e,
                value => self.set(env, value, operand, "the product `*`")?,
            };
        }
        Ok(Value::Expr(self.model.pool.product(sides[0], sides[1])))
    }

    pub(super) fn postfix(&mut self, env: &Env, kind: &ExprKind, operand: &Expr) -> Outcome<Value> {
        let reflexive = matches!(kind, ExprKind::Star(_) | ExprKind::Opt(_));
        match self.evaluate(env, operand)? {
            Value::Universe => Ok(Value::Universe),
            Value::Empty if reflexive => Ok(Value::Expr(self.model.pool.id())),
            Value::Empty => Ok(Value::Empty),
            value => {
                let what = match kind {
                    ExprKind::Plus(_) => "the closure `+`",
                    ExprKind::Star(_) => "the closure `*`",
                    ExprKind::Opt(_) => "`?`",
                    _ => "the inverse `^-1`",
                };
                let relation = self.relation(env, value, operand, what)?;
                let pool = &mut self.model.pool;
                Ok(Value::Expr(match kind {
                    ExprKind::Plus(_) => pool.plus(relation),
                    ExprKind::Star(_) => pool.star(relation),
                    ExprKind::Opt(_) => pool.opt(relation),
                    _ => pool.inverse(relation),
                }))
            }
        }
    }

    pub(super) fn complement(&mut self, env: &Env, operand: &Expr) -> Outcome<Value> {
        let value = self.evaluate(env, operand)?;
        self.complement_of(env, value, operand)
    }

    fn complement_of(&mut self, env: &Env, value: Value, operand: &Expr) -> Outcome<Value> {
        match value {
            Value::Empty => Ok(Value::Universe),
            Value::Universe => Ok(Value::Empty),
            Value::Expr(e) => Ok(Value::Expr(self.model.pool.complement(e))),
            Value::Tag(tag) => self.complement_of(env, Value::Values(Rc::new(vec![Value::Tag(tag)])), operand),
            Value::Values(values) => match values.first() {
                Some(Value::Tag(first)) => {
                    let members = self.enums[first.declared as usize].clone();
                    let others = members.into_iter().map(Value::Tag).filter(|t| !contains(&values, t)).collect();
                    self.set_of(operand.span, others)
                }
                _ => Err(self.wrong(env, "`~`", "a set, a relation or a set of tags", &Value::Values(values), operand)),
            },
            Value::Choice(_) => Err(per_execution(operand.span)),
            other => Err(self.wrong(env, "`~`", "a set or a relation", &other, operand)),
        }
    }

    pub(super) fn union(&mut self, env: &Env, operands: &[Expr]) -> Outcome<Value> {
        let mut values: Vec<(&Expr, Value)> = Vec::with_capacity(operands.len());
        let mut universal = false;
        for operand in operands {
            match lift(self.evaluate(env, operand)?) {
                Value::Empty => {}
                // Everything from here on is evaluated, for its errors, but its kind does not matter.
                Value::Universe => universal = true,
                Value::Choice(_) => return Err(per_execution(operand.span)),
                value => values.push((operand, value)),
            }
        }
        if universal {
            return Ok(Value::Universe);
        }
        let Some((first, start)) = values.first().cloned() else { return Ok(Value::Empty) };
        match start {
            Value::Expr(e) => {
                let sort = self.model.pool.sort(e);
                let mut parts = Vec::with_capacity(values.len());
                for (operand, value) in &values {
                    match value {
                        Value::Expr(e) if self.model.pool.sort(*e) == sort => parts.push(*e),
                        other => return Err(self.mixed(env, "`|`", (first, &start), (operand, other))),
                    }
                }
                Ok(Value::Expr(self.model.pool.union(sort, parts)))
            }
            Value::Values(ref elements) => {
                let mut all = elements.to_vec();
                for (operand, value) in &values[1..] {
                    match value {
                        Value::Values(more) if self.same_type(&elements[0], &more[0]) => {
                            all.extend(more.iter().cloned())
                        }
                        other => return Err(self.mixed(env, "`|`", (first, &start), (operand, other))),
                    }
                }
                self.set_of(first.span, all)
            }
            other => Err(self.wrong(env, "`|`", "sets or relations", &other, first)),
        }
    }

    fn mixed(&self, env: &Env, what: &str, (a, va): (&Expr, &Value), (b, vb): (&Expr, &Value)) -> Fault {
        let one = (a.span, self.type_name(va), self.origin(env, a));
        let other = (b.span, self.type_name(vb), self.origin(env, b));
        mixed_kinds::report(what, one, other).into()
    }

    fn pair(&mut self, env: &Env, what: &str, (a, va): (&Expr, Value), (b, vb): (&Expr, Value)) -> Outcome<Pair> {
        match (lift(va), lift(vb)) {
            (Value::Expr(x), Value::Expr(y)) if self.model.pool.sort(x) == self.model.pool.sort(y) => {
                Ok(Pair::Exprs(self.model.pool.sort(x), x, y))
            }
            (Value::Values(x), Value::Values(y)) if self.same_type(&x[0], &y[0]) => Ok(Pair::Values(x, y)),
            (Value::Choice(_), _) | (_, Value::Choice(_)) => Err(per_execution(a.span)),
            (x @ (Value::Expr(_) | Value::Values(_)), y @ (Value::Expr(_) | Value::Values(_))) => {
                Err(self.mixed(env, what, (a, &x), (b, &y)))
            }
            (Value::Expr(_) | Value::Values(_), y) => Err(self.wrong(env, what, "sets or relations", &y, b)),
            (x, _) => Err(self.wrong(env, what, "sets or relations", &x, a)),
        }
    }

    pub(super) fn intersection(&mut self, env: &Env, a: &Expr, b: &Expr) -> Outcome<Value> {
        // `a & ~b` is a difference, so that it works for every set of values.
        if let (ExprKind::Complement(inner), false) = (&b.kind, b.parenthesised) {
            return self.difference(env, a, inner);
        }
        match self.both(env, a, b)? {
            (Value::Empty, _) | (_, Value::Empty) => Ok(Value::Empty),
            (Value::Universe, v) | (v, Value::Universe) => Ok(v),
            (va, vb) => match self.pair(env, "`&`", (a, va), (b, vb))? {
                Pair::Exprs(sort, x, y) => Ok(Value::Expr(self.model.pool.inter(sort, [x, y]))),
                Pair::Values(x, y) => {
                    let common = x.iter().filter(|v| contains(&y, v)).cloned().collect();
                    self.set_of(a.span, common)
                }
            },
        }
    }

    pub(super) fn difference(&mut self, env: &Env, a: &Expr, b: &Expr) -> Outcome<Value> {
        let va = self.evaluate(env, a);
        let vb = self.evaluate(env, b);
        // What is taken away from nothing decides nothing; what nothing is taken away from does.
        let decides_nothing = self.trying == 0 && matches!(&va, Ok(va) if self.is_nothing(va)) && is_undefined(&vb);
        let vb = if decides_nothing { Ok(Value::Empty) } else { vb };
        match (va?, vb?) {
            (Value::Empty, _) | (_, Value::Universe) => Ok(Value::Empty),
            (va, Value::Empty) => Ok(va),
            (Value::Universe, vb) => self.complement_of(env, vb, b),
            (va, vb) => match self.pair(env, "`\\`", (a, va), (b, vb))? {
                Pair::Exprs(_, x, y) => Ok(Value::Expr(self.model.pool.diff(x, y))),
                Pair::Values(x, y) => {
                    let rest = x.iter().filter(|v| !contains(&y, v)).cloned().collect();
                    self.set_of(a.span, rest)
                }
            },
        }
    }

    pub(super) fn add(&mut self, env: &Env, element: &Expr, set: &Expr) -> Outcome<Value> {
        let (element_value, set_value) = (self.evaluate(env, element)?, self.evaluate(env, set)?);
        match (element_value, set_value) {
            (Value::Universe, _) => Err(universe_in_set::report(element.span).into()),
            (_, Value::Universe) => Ok(Value::Universe),
            (value, Value::Empty) => self.set_of(element.span, vec![value]),
            (Value::Event(e), Value::Expr(s)) if self.model.pool.sort(s) == Sort::Set => {
                Ok(Value::Expr(self.model.pool.union(Sort::Set, [e, s])))
            }
            (Value::Tuple(parts), Value::Expr(r)) if self.model.pool.sort(r) == Sort::Rel && parts.len() == 2 => {
                match (&parts[0], &parts[1]) {
                    (Value::Event(x), Value::Event(y)) => {
                        let edge = self.model.pool.product(*x, *y);
                        Ok(Value::Expr(self.model.pool.union(Sort::Rel, [edge, r])))
                    }
                    _ => Err(self.wrong(env, "`++`", "a pair of events", &Value::Tuple(parts.clone()), element)),
                }
            }
            (value, Value::Values(values)) => {
                let mut all = values.to_vec();
                all.push(match value {
                    // The empty value is an element of its own in a set of sets.
                    Value::Empty => match &values[0] {
                        Value::Expr(e) => Value::Expr(self.model.pool.empty(self.model.pool.sort(*e))),
                        _ => Value::Empty,
                    },
                    value => value,
                });
                let span = element.span;
                if !self.same_type(&all[0], &all[all.len() - 1]) {
                    let (one, other) = (self.type_name(&all[0]), self.type_name(&all[all.len() - 1]));
                    return Err(mixed_elements::report(span, one, other).into());
                }
                self.set_of(span, all)
            }
            (_, Value::Choice(_)) => Err(per_execution(set.span)),
            (value, _) => Err(self.wrong(env, "`++`", "an element and a set", &value, element)),
        }
    }

    // ---- comparison ----

    /// What a value is for comparison: like its kind, but `T set` names `T`.
    pub(super) fn type_name(&self, value: &Value) -> &'static str {
        match value {
            Value::Values(values) => match values.first() {
                Some(Value::Tag(_)) => "a set of tags",
                Some(Value::Expr(e)) if self.model.pool.sort(*e) == Sort::Set => "a set of event sets",
                Some(Value::Expr(_)) => "a set of relations",
                _ => "a set of values",
            },
            other => self.kind(other),
        }
    }

    /// Whether two values may be elements of one set.
    pub(super) fn same_type(&self, a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Value::Expr(x), Value::Expr(y)) => self.model.pool.sort(*x) == self.model.pool.sort(*y),
            (Value::Tag(x), Value::Tag(y)) => x.declared == y.declared,
            (Value::Values(x), Value::Values(y)) => self.same_type(&x[0], &y[0]),
            (Value::Empty, Value::Expr(_) | Value::Values(_) | Value::Empty)
            | (Value::Expr(_) | Value::Values(_), Value::Empty) => true,
            (Value::Tuple(x), Value::Tuple(y)) => {
                x.len() == y.len() && x.iter().zip(y.iter()).all(|(x, y)| self.same_type(x, y))
            }
            (
                Value::Closure(_) | Value::Primitive(_) | Value::MapOf(_),
                Value::Closure(_) | Value::Primitive(_) | Value::MapOf(_),
            )
            | (Value::Procedure(_), Value::Procedure(_))
            | (Value::Event(_), Value::Event(_)) => true,
            _ => false,
        }
    }

    /// Where a value is, or would stand, in a sorted list; none when the order is not known.
    pub(super) fn position(&self, sorted: &[Value], value: &Value) -> Option<Result<usize, usize>> {
        let mut known = true;
        let found = sorted.binary_search_by(|other| {
            order(other, value).unwrap_or_else(|| {
                known = false;
                Ordering::Equal
            })
        });
        known.then_some(found)
    }

    pub(super) fn equal(&self, a: &Value, b: &Value) -> Comparison {
        match (a, b) {
            (Value::Universe, _) | (_, Value::Universe) => Comparison::Impossible,
            (Value::Empty, Value::Empty) => Comparison::Answer(true),
            (Value::Empty, Value::Values(_)) | (Value::Values(_), Value::Empty) => Comparison::Answer(false),
            (Value::Empty, Value::Expr(e)) | (Value::Expr(e), Value::Empty) => match self.model.pool.node(*e) {
                Node::Empty(_) => Comparison::Answer(true),
                _ => Comparison::Unknown,
            },
            _ if !self.same_type(a, b) => Comparison::Impossible,
            (Value::Expr(x), Value::Expr(y)) if x != y => Comparison::Unknown,
            _ => match order(a, b) {
                Some(answer) if answer == Ordering::Equal || !mentions_execution(a) => {
                    Comparison::Answer(answer == Ordering::Equal)
                }
                _ => Comparison::Unknown,
            },
        }
    }

    pub(super) fn subset(&self, a: &Value, b: &Value) -> Comparison {
        match (a, b) {
            (Value::Universe, _) | (_, Value::Universe) => Comparison::Impossible,
            (Value::Empty, Value::Empty | Value::Expr(_) | Value::Values(_)) => Comparison::Answer(true),
            (Value::Values(_), Value::Empty) => Comparison::Answer(false),
            (Value::Expr(_), Value::Expr(_) | Value::Empty) if self.same_type(a, b) => match a {
                Value::Expr(e) if matches!(self.model.pool.node(*e), Node::Empty(_)) => Comparison::Answer(true),
                _ => Comparison::Unknown,
            },
            (Value::Values(x), Value::Values(y)) if self.same_type(&x[0], &y[0]) => {
                if x.iter().any(mentions_execution) && !x.iter().all(|v| contains(y, v)) {
                    return Comparison::Unknown;
                }
                Comparison::Answer(x.iter().all(|v| contains(y, v)))
            }
            _ => Comparison::Impossible,
        }
    }

    pub(super) fn member(&self, a: &Value, b: &Value) -> Comparison {
        match (a, b) {
            (Value::Universe, _) | (_, Value::Universe) => Comparison::Impossible,
            (_, Value::Empty) => Comparison::Answer(false),
            (Value::Event(_) | Value::Tuple(_), Value::Expr(_)) => Comparison::Unknown,
            (value, Value::Values(values)) if self.same_type(value, &values[0]) => {
                let found = contains(values, value);
                if !found && mentions_execution(value) { Comparison::Unknown } else { Comparison::Answer(found) }
            }
            _ => Comparison::Impossible,
        }
    }
}

/// Tags are sets of one where sets are due.
pub(super) fn lift(value: Value) -> Value {
    match value {
        Value::Tag(tag) => Value::Values(Rc::new(vec![Value::Tag(tag)])),
        other => other,
    }
}

fn per_execution(span: Span) -> Fault {
    Fault::Dynamic(span, "a set of values built from events")
}

fn contains(values: &[Value], value: &Value) -> bool {
    values.iter().any(|v| order(v, value) == Some(Ordering::Equal))
}

/// Whether a value contains sets or relations, whose equality only the execution decides.
fn mentions_execution(value: &Value) -> bool {
    match value {
        Value::Expr(_) | Value::Event(_) | Value::Choice(_) => true,
        Value::Values(values) => values.iter().any(mentions_execution),
        Value::Tuple(parts) => parts.iter().any(mentions_execution),
        _ => false,
    }
}

/// An order on values of one type. Relations are ordered by identity of their expressions, which is finer than equality.
fn order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Expr(x) | Value::Event(x), Value::Expr(y) | Value::Event(y)) => Some(x.cmp(y)),
        (Value::Tag(x), Value::Tag(y)) => Some(x.name.cmp(&y.name)),
        (Value::Empty, Value::Empty) => Some(Ordering::Equal),
        (Value::Empty, _) => Some(Ordering::Less),
        (_, Value::Empty) => Some(Ordering::Greater),
        (Value::Values(x), Value::Values(y)) | (Value::Tuple(x), Value::Tuple(y)) => {
            for (x, y) in x.iter().zip(y.iter()) {
                match order(x, y)? {
                    Ordering::Equal => {}
                    unequal => return Some(unequal),
                }
            }
            Some(x.len().cmp(&y.len()))
        }
        (Value::Closure(x), Value::Closure(y)) => Some(Rc::as_ptr(x).addr().cmp(&Rc::as_ptr(y).addr())),
        (Value::Primitive(x), Value::Primitive(y)) => {
            let position = |p| super::value::PRIMITIVES.iter().position(|(_, q)| *q == p);
            Some(position(*x).cmp(&position(*y)))
        }
        _ => None,
    }
}
