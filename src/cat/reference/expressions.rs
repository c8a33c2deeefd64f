//! Expressions and operators (CAT.md, section 3.2).

use super::value::{Closure, Error, Outcome, Stop, Thunk, Value, error, set_of};
use super::{Env, Run};
use crate::cat::dialect::Dialect;
use crate::cat::source::Span;
use crate::cat::syntax::ast::{Binding, Cond, Expr, ExprKind, Ident, Pat, PatAtom, VariantCond};
use crate::patience::while_time;
use crate::relation::candidate::{EventSet, Relation};
use std::cmp::Ordering;
use std::rc::Rc;

impl Run<'_> {
    pub(super) fn evaluate(&mut self, env: &Env, expr: &Expr) -> Outcome<Value> {
        self.deeper(expr.span, |this| this.evaluate_here(env, expr))
    }

    fn evaluate_here(&mut self, env: &Env, expr: &Expr) -> Outcome<Value> {
        let at = expr.span;
        match &expr.kind {
            ExprKind::Zero => Ok(Value::rel([])),
            ExprKind::Universe => Ok(Value::Universe),
            ExprKind::Tag(name) => match self.tags.get(&name.sym) {
                Some(declared) => Ok(Value::Tag(name.sym, *declared)),
                None => error(at, format!("tag '{} is undefined", name.text)),
            },
            ExprKind::Var(name) => self.variable(env, name),
            ExprKind::Set(elements) => {
                let values = elements.iter().map(|e| self.evaluate(env, e)).collect::<Outcome<Vec<_>>>()?;
                set_of(at, values)
            }
            ExprKind::Tuple(parts) => {
                let parts = parts.iter().map(|e| self.evaluate(env, e)).collect::<Outcome<Vec<_>>>()?;
                Ok(Value::Tuple(Rc::new(parts)))
            }
            ExprKind::IdOn(set) => match self.evaluate(env, set)? {
                Value::Empty => Ok(Value::Empty),
                Value::Universe => Ok(Value::rel(self.candidate.universe.iter().map(|e| (*e, *e)))),
                Value::Set(s) => Ok(Value::rel(s.iter().map(|e| (*e, *e)))),
                other => error(set.span, format!("type events expected, {} found", other.kind())),
            },
            ExprKind::Union(operands) => self.union(env, operands),
            ExprKind::Seq(operands) => self.sequence(env, operands),
            ExprKind::Inter(a, b) => match &b.kind {
                ExprKind::Complement(inner) if !b.parenthesised => {
                    let a = self.evaluate(env, a)?;
                    let b = self.taken_from(env, &a, inner)?;
                    self.difference(at, a, b)
                }
                _ => {
                    let values = vec![self.evaluate(env, a), self.evaluate(env, b)];
                    let mut values = self.beside_nothing(values)?.into_iter();
                    let mut next = || values.next().unwrap_or(Value::Empty);
                    self.intersection(at, next(), next())
                }
            },
            ExprKind::Diff(a, b) => {
                let a = self.evaluate(env, a)?;
                let b = self.taken_from(env, &a, b)?;
                self.difference(at, a, b)
            }
            ExprKind::Complement(a) => {
                let a = self.evaluate(env, a)?;
                self.complement(at, a)
            }
            ExprKind::Add(element, set) => {
                let (element, set) = (self.evaluate(env, element)?, self.evaluate(env, set)?);
                self.add(at, element, set)
            }
            ExprKind::Product(a, b) => {
                let values = vec![self.evaluate(env, a), self.evaluate(env, b)];
                let values = self.beside_nothing(values)?;
                let sides = values.into_iter().zip([a.span, b.span]).map(|(value, at)| self.product_side(value, at));
                let sides = sides.collect::<Outcome<Vec<_>>>()?;
                Ok(Value::rel(sides[0].iter().flat_map(|x| sides[1].iter().map(|y| (*x, *y)))))
            }
            ExprKind::Plus(a) | ExprKind::Star(a) | ExprKind::Opt(a) | ExprKind::Inverse(a) => {
                let value = self.evaluate(env, a)?;
                self.postfix(&expr.kind, a.span, value)
            }
            ExprKind::App(function, argument) => {
                let f = self.evaluate(env, function)?;
                if !matches!(f, Value::Closure(_) | Value::Primitive(_)) {
                    return error(function.span, format!("closure or primitive expected, {} found", f.kind()));
                }
                let x = self.evaluate(env, argument)?;
                self.apply(at, &f, x)
            }
            ExprKind::Let { recursive, bindings, body } => {
                let mut inner = env.clone();
                self.bind(&mut inner, *recursive, bindings, None)?;
                self.evaluate(&inner, body)
            }
            ExprKind::Fun(_) => self.named(env, expr, None),
            ExprKind::Try(first, second) => {
                self.trying += 1;
                let value = self.evaluate(env, first);
                self.trying -= 1;
                match value {
                    Err(Stop::Error(_) | Stop::Unbound(_)) if !self.exhausted() => self.evaluate(env, second),
                    other => other,
                }
            }
            ExprKind::If(cond, then, otherwise) => {
                let branch = if self.condition(env, at, cond)? { then } else { otherwise };
                self.evaluate(env, branch)
            }
            ExprKind::MatchTag { scrutinee, clauses, default } => match self.evaluate(env, scrutinee)? {
                Value::Tag(tag, _) => {
                    let clause = clauses.iter().find(|(name, _)| name.sym == tag).map(|(_, body)| body);
                    match clause.or(default.as_deref()) {
                        Some(body) => self.evaluate(env, body),
                        None => error(at, format!("pattern matching failed on value '{}'", self.interner.name(tag))),
                    }
                }
                other => error(scrutinee.span, format!("matching on {}", other.kind())),
            },
            ExprKind::MatchSet { scrutinee, empty, left, element, rest, body } => {
                let (first, others) = match self.evaluate(env, scrutinee)? {
                    Value::Universe => return error(scrutinee.span, "Cannot set-match on universe"),
                    v if v.is_empty() => return self.evaluate(env, empty),
                    Value::Set(s) => {
                        let first = s.first().copied().unwrap_or_default();
                        (Value::Event(first), Value::set(s.iter().copied().skip(1)))
                    }
                    Value::Rel(r) => {
                        let first = r.first().copied().unwrap_or_default();
                        (Value::Pair(first.0, first.1), Value::rel(r.iter().copied().skip(1)))
                    }
                    Value::Values(v) => {
                        let others = if v.len() == 1 { Value::Empty } else { Value::Values(Rc::new(v[1..].to_vec())) };
                        (v[0].clone(), others)
                    }
                    other => return error(scrutinee.span, format!("set-matching on non-set value: {}", other.kind())),
                };
                let mut inner = env.clone();
                if let Some(left) = left {
                    let none = match &others {
                        Value::Set(_) => Value::set([]),
                        Value::Rel(_) => Value::rel([]),
                        _ => Value::Empty,
                    };
                    self.bind_atom(&mut inner, left, none);
                }
                self.bind_atom(&mut inner, element, first);
                self.bind_atom(&mut inner, rest, others);
                self.evaluate(&inner, body)
            }
            ExprKind::Error => error(at, "syntax error"),
        }
    }

    pub(super) fn named(&mut self, env: &Env, expr: &Expr, name: Option<&Ident>) -> Outcome<Value> {
        match &expr.kind {
            ExprKind::Fun(function) => Ok(Value::Closure(Rc::new(Closure {
                function: function.clone(),
                env: env.clone(),
                name: name.cloned(),
            }))),
            _ => self.evaluate(env, expr),
        }
    }

    pub(super) fn variable(&mut self, env: &Env, name: &Ident) -> Outcome<Value> {
        match (env.get(name.sym), self.loaded.dialect) {
            (Some(slot), _) => self.force(slot, name.sym, name.span),
            (None, Dialect::Herd) => {
                Err(Stop::Unbound(Error { message: format!("unbound var: {}", name.text), span: name.span }))
            }
            (None, Dialect::Dartagnan) => Ok(Value::set(self.candidate.set(&name.text))),
        }
    }

    pub(super) fn bind_atom(&mut self, env: &mut Env, atom: &PatAtom, value: Value) {
        if let PatAtom::Name(name) = atom {
            self.bind_value(env, name.sym, value);
        }
    }

    pub(super) fn bind_lazily(&mut self, env: &mut Env, bindings: &[Binding]) {
        let outer = env.clone();
        // Backwards, so that the first of equal names wins.
        for binding in bindings.iter().rev() {
            match &binding.pat {
                Pat::One(PatAtom::Wild(_)) => {}
                Pat::One(PatAtom::Name(name)) => {
                    let slot = self.slot(Thunk::Delayed(outer.clone(), binding.value.clone(), Some(name.clone())));
                    env.bind(name.sym, slot);
                }
                Pat::Tuple(atoms, _) => {
                    let whole = self.slot(Thunk::Delayed(outer.clone(), binding.value.clone(), None));
                    for (index, atom) in atoms.iter().enumerate().rev() {
                        if let PatAtom::Name(name) = atom {
                            let slot = self.slot(Thunk::Component(whole, index, atoms.len()));
                            env.bind(name.sym, slot);
                        }
                    }
                }
            }
        }
    }

    fn union(&mut self, env: &Env, operands: &[Expr]) -> Outcome<Value> {
        let mut values = Vec::with_capacity(operands.len());
        for operand in operands {
            match self.evaluate(env, operand)? {
                Value::Empty => {}
                Value::Tag(t, e) => values.push((operand.span, Value::Values(Rc::new(vec![Value::Tag(t, e)])))),
                value => values.push((operand.span, value)),
            }
        }
        if values.iter().any(|(_, v)| matches!(v, Value::Universe)) {
            return Ok(Value::Universe);
        }
        let mut values = values.into_iter();
        let Some((at, mut sum)) = values.next() else { return Ok(Value::Empty) };
        if !matches!(sum, Value::Set(_) | Value::Rel(_) | Value::ClassRel(_) | Value::Values(_)) {
            return error(at, format!("cannot perform union on type {}", sum.kind()));
        }
        for (at, value) in values {
            sum = match (sum, value) {
                (Value::Set(a), Value::Set(b)) => Value::Set(Rc::new(&*a | &*b)),
                (Value::Rel(a), Value::Rel(b)) => Value::Rel(Rc::new(&*a | &*b)),
                (Value::ClassRel(a), Value::ClassRel(b)) => Value::ClassRel(Rc::new(&*a | &*b)),
                (Value::Values(a), Value::Values(b)) if a[0].same_type(&b[0]) => {
                    set_of(at, a.iter().chain(b.iter()).cloned().collect())?
                }
                (a, b) => return error(at, format!("type {} expected, {} found", a.kind(), b.kind())),
            };
        }
        Ok(sum)
    }

    fn sequence(&mut self, env: &Env, operands: &[Expr]) -> Outcome<Value> {
        let mut product: Option<Value> = None;
        let (mut empty, mut skipped) = (false, false);
        let values = operands.iter().map(|operand| match &operand.kind {
            // `[_]` is skipped like `_`.
            ExprKind::IdOn(set) if matches!(set.kind, ExprKind::Universe) => self.evaluate(env, set),
            _ => self.evaluate(env, operand),
        });
        let values = values.collect();
        for (operand, value) in operands.iter().zip(self.beside_nothing(values)?) {
            let next = match value {
                Value::Empty => {
                    empty = true;
                    continue;
                }
                Value::Universe => {
                    skipped = true;
                    continue;
                }
                Value::Pair(a, b) => Value::rel([(a, b)]),
                value @ (Value::Rel(_) | Value::ClassRel(_)) => value,
                other => return error(operand.span, format!("type rel expected, {} found", other.kind())),
            };
            product = Some(match (product, next) {
                (None, next) => next,
                (Some(Value::Rel(a)), Value::Rel(b)) => Value::Rel(Rc::new(compose(&a, &b))),
                (Some(Value::ClassRel(a)), Value::ClassRel(b)) => Value::ClassRel(Rc::new(
                    a.iter()
                        .flat_map(|(x, y)| {
                            b.iter().filter(move |(z, _)| y == z).map(move |(_, w)| (x.clone(), w.clone()))
                        })
                        .collect(),
                )),
                (Some(a), b) => return error(operand.span, format!("type {} expected, {} found", a.kind(), b.kind())),
            });
        }
        Ok(match product {
            _ if empty => Value::Empty,
            Some(value) => value,
            None if skipped => Value::Universe,
            None => Value::Empty,
        })
    }

    /// The values of the operands of an operator that gives nothing where one of them is nothing: `{}` stands for what has a name that
    /// nobody defines then. Not in a `try`, which asks whether the names are defined.
    fn beside_nothing(&self, mut values: Vec<Outcome<Value>>) -> Outcome<Vec<Value>> {
        if self.trying == 0 && values.iter().any(|value| matches!(value, Ok(value) if value.is_empty())) {
            values.iter_mut().filter(|v| matches!(v, Err(Stop::Unbound(_)))).for_each(|v| *v = Ok(Value::Empty));
        }
        values.into_iter().collect()
    }

    /// What is taken away from a value: from nothing, a name that nobody defines takes nothing.
    fn taken_from(&mut self, env: &Env, from: &Value, taken: &Expr) -> Outcome<Value> {
        match self.evaluate(env, taken) {
            Err(Stop::Unbound(_)) if from.is_empty() && self.trying == 0 => Ok(Value::Empty),
            value => value,
        }
    }

    pub(super) fn all_pairs(&self) -> Relation {
        let universe = &self.candidate.universe;
        universe.iter().flat_map(|x| universe.iter().map(|y| (*x, *y))).collect()
    }

    fn intersection(&self, at: Span, a: Value, b: Value) -> Outcome<Value> {
        Ok(match (lift(a), lift(b)) {
            (Value::Empty, _) | (_, Value::Empty) => Value::Empty,
            (Value::Universe, v) | (v, Value::Universe) => v,
            (Value::Set(a), Value::Set(b)) => Value::Set(Rc::new(&*a & &*b)),
            (Value::Rel(a), Value::Rel(b)) => Value::Rel(Rc::new(&*a & &*b)),
            (Value::Pair(x, y), Value::Rel(b)) | (Value::Rel(b), Value::Pair(x, y)) => {
                return error(at, format!("intersection on pair ({x},{y}) and a relation of {} edges", b.len()));
            }
            (Value::ClassRel(a), Value::ClassRel(b)) => Value::ClassRel(Rc::new(&*a & &*b)),
            (Value::Values(a), Value::Values(b)) if a[0].same_type(&b[0]) => {
                set_of(at, a.iter().filter(|v| contains(&b, v)).cloned().collect())?
            }
            (a, b) => return error(at, format!("intersection of {} and {}", a.kind(), b.kind())),
        })
    }

    fn difference(&self, at: Span, a: Value, b: Value) -> Outcome<Value> {
        Ok(match (lift(a), lift(b)) {
            (Value::Empty, _) | (_, Value::Universe) => Value::Empty,
            (a, Value::Empty) => a,
            (Value::Universe, b) => return self.complement(at, b),
            (Value::Set(a), Value::Set(b)) => Value::Set(Rc::new(&*a - &*b)),
            (Value::Rel(a), Value::Rel(b)) => Value::Rel(Rc::new(&*a - &*b)),
            (Value::ClassRel(a), Value::ClassRel(b)) => Value::ClassRel(Rc::new(&*a - &*b)),
            (Value::Values(a), Value::Values(b)) if a[0].same_type(&b[0]) => {
                set_of(at, a.iter().filter(|v| !contains(&b, v)).cloned().collect())?
            }
            (a, b) => return error(at, format!("difference of {} and {}", a.kind(), b.kind())),
        })
    }

    fn complement(&self, at: Span, value: Value) -> Outcome<Value> {
        Ok(match lift(value) {
            Value::Empty => Value::Universe,
            Value::Universe => Value::Empty,
            Value::Set(s) => Value::Set(Rc::new(&self.candidate.universe - &*s)),
            Value::Rel(r) => Value::Rel(Rc::new(&self.all_pairs() - &*r)),
            Value::Values(values) => match values[0] {
                Value::Tag(_, declared) => {
                    let all = self.enums[declared as usize].iter().map(|t| Value::Tag(*t, declared));
                    set_of(at, all.filter(|t| !contains(&values, t)).collect())?
                }
                _ => return error(at, "complement of a set of values"),
            },
            other => return error(at, format!("complement of {}", other.kind())),
        })
    }

    fn add(&self, at: Span, element: Value, set: Value) -> Outcome<Value> {
        Ok(match (element, set) {
            (Value::Universe, _) => return error(at, "universe in set ++"),
            (_, Value::Universe) => Value::Universe,
            (value, Value::Empty) => set_of(at, vec![value])?,
            (Value::Event(e), Value::Set(s)) => Value::set(s.iter().copied().chain([e])),
            (Value::Pair(a, b), Value::Rel(r)) => Value::rel(r.iter().copied().chain([(a, b)])),
            (Value::Tuple(parts), Value::Rel(r)) => match (parts.as_slice(), r) {
                ([Value::Event(a), Value::Event(b)], r) => Value::rel(r.iter().copied().chain([(*a, *b)])),
                _ => return error(at, "type pair expected, tuple found"),
            },
            (value, Value::Values(values)) if value.same_type(&values[0]) => {
                set_of(at, values.iter().cloned().chain([value]).collect())?
            }
            (a, b) => return error(at, format!("{} ++ {}", a.kind(), b.kind())),
        })
    }

    fn product_side(&self, side: Value, at: Span) -> Outcome<EventSet> {
        match side {
            Value::Empty => Ok(EventSet::new()),
            Value::Universe => Ok(self.candidate.universe.clone()),
            Value::Event(e) => Ok([e].into()),
            Value::Set(s) => Ok((*s).clone()),
            other => error(at, format!("type events expected, {} found", other.kind())),
        }
    }

    fn postfix(&self, kind: &ExprKind, at: Span, value: Value) -> Outcome<Value> {
        let identity = || self.candidate.universe.iter().map(|e| (*e, *e));
        Ok(match (kind, value) {
            (_, Value::Universe) => Value::Universe,
            (ExprKind::Star(_) | ExprKind::Opt(_), Value::Empty) => Value::rel(identity()),
            (_, Value::Empty) => Value::Empty,
            (ExprKind::Inverse(_), Value::Pair(a, b)) => Value::Pair(b, a),
            (ExprKind::Inverse(_), Value::Rel(r)) => Value::rel(r.iter().map(|(a, b)| (*b, *a))),
            (ExprKind::Inverse(_), Value::ClassRel(c)) => {
                Value::ClassRel(Rc::new(c.iter().map(|(a, b)| (b.clone(), a.clone())).collect()))
            }
            (ExprKind::Plus(_), Value::Rel(r)) => Value::Rel(Rc::new(closure(&r))),
            (ExprKind::Star(_), Value::Rel(r)) => Value::rel(closure(&r).into_iter().chain(identity())),
            (ExprKind::Opt(_), Value::Rel(r)) => Value::rel(r.iter().copied().chain(identity())),
            (_, other) => return error(at, format!("type rel expected, {} found", other.kind())),
        })
    }

    fn condition(&mut self, env: &Env, at: Span, cond: &Cond) -> Outcome<bool> {
        let (a, b) = match cond {
            Cond::Variant(cond) => return Ok(self.variant(cond)),
            Cond::Equal(a, b) | Cond::Subset(a, b) | Cond::In(a, b) => (self.evaluate(env, a)?, self.evaluate(env, b)?),
        };
        let incomparable = || error(at, format!("{} and {} cannot be compared", a.kind(), b.kind()));
        match (cond, &a, &b) {
            (_, Value::Universe, _) | (_, _, Value::Universe) => incomparable(),
            (Cond::Equal(..), a, b) if a.same_type(b) => Ok(a.order(b) == Ordering::Equal),
            (Cond::Subset(..), a, b) if a.same_type(b) => match included(a, b) {
                Some(answer) => Ok(answer),
                None => incomparable(),
            },
            (Cond::In(..), Value::Event(e), Value::Set(s)) => Ok(s.contains(e)),
            (Cond::In(..), Value::Pair(x, y), Value::Rel(r)) => Ok(r.contains(&(*x, *y))),
            (Cond::In(..), Value::Tuple(parts), Value::Rel(r)) => match parts.as_slice() {
                [Value::Event(x), Value::Event(y)] => Ok(r.contains(&(*x, *y))),
                _ => incomparable(),
            },
            (Cond::In(..), _, Value::Empty) => Ok(false),
            (Cond::In(..), value, Value::Values(values)) if value.same_type(&values[0]) => Ok(contains(values, value)),
            _ => incomparable(),
        }
    }

    pub(super) fn variant(&self, cond: &VariantCond) -> bool {
        match cond {
            VariantCond::Name(name, _) => self.loaded.variants.iter().any(|v| v.eq_ignore_ascii_case(name)),
            VariantCond::Not(c) => !self.variant(c),
            VariantCond::And(a, b) => self.variant(a) && self.variant(b),
            VariantCond::Or(a, b) => self.variant(a) || self.variant(b),
        }
    }
}

/// Tags are sets of one where sets are due.
pub(super) fn lift(value: Value) -> Value {
    match value {
        Value::Tag(t, e) => Value::Values(Rc::new(vec![Value::Tag(t, e)])),
        other => other,
    }
}

fn contains(values: &[Value], value: &Value) -> bool {
    values.iter().any(|v| v.order(value) == Ordering::Equal)
}

/// Inclusion; none for kinds that have none.
pub(super) fn included(a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (a, _) if a.is_empty() => Some(true),
        (Value::Set(_) | Value::Rel(_) | Value::ClassRel(_) | Value::Values(_), b) if b.is_empty() => Some(false),
        (Value::Set(a), Value::Set(b)) => Some(a.is_subset(b)),
        (Value::Rel(a), Value::Rel(b)) => Some(a.is_subset(b)),
        (Value::ClassRel(a), Value::ClassRel(b)) => Some(a.is_subset(b)),
        (Value::Values(a), Value::Values(b)) => Some(a.iter().all(|v| contains(b, v))),
        (Value::Universe, Value::Universe) => Some(true),
        (_, Value::Universe) => Some(true),
        _ => None,
    }
}

/// `a ; b`
pub(super) fn compose(a: &Relation, b: &Relation) -> Relation {
    while_time(a.iter()).flat_map(|(x, y)| b.range((*y, 0)..=(*y, u32::MAX)).map(move |(_, z)| (*x, *z))).collect()
}

/// `r+`
pub(super) fn closure(r: &Relation) -> Relation {
    let mut closed = r.clone();
    loop {
        let before = closed.len();
        let longer = compose(&closed, r);
        closed.extend(longer);
        if closed.len() == before {
            return closed;
        }
    }
}
