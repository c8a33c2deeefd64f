//! Evaluation of expressions.

use super::value::{Closure, Fault, Outcome, Tag, Thunk, Value};
use super::{Env, Stager};
use crate::algebra::{Node, Sort};
use crate::cat::diagnostics::{
    argument_mismatch, foreign_name, incomparable, match_fails, mixed_elements, name_of_other_architecture,
    name_taken_as_tag, nearest, undeclared_tag, universe_in_sequence, universe_in_set, unknown_variant,
};
use crate::cat::dialect::Dialect;
use crate::cat::source::Span;
use crate::cat::syntax::ast::{Binding, Cond, Expr, ExprKind, Ident, Pat, PatAtom, VariantCond};
use crate::cat::vocabulary::{Lookup, sort_of};
use std::rc::Rc;
use std::sync::Arc;

/// Variants that published models ask for; asking for others is worth a warning.
const KNOWN_VARIANTS: &[&str] = &[
    "cos-opt",
    "mixed",
    "vmsa",
    "kvm",
    "memtag",
    "mte",
    "ifetch",
    "self",
    "ets2",
    "ets3",
    "exs",
    "eis",
    "eos",
    "dic",
    "idc",
    "sve",
    "sme",
    "shadowstack",
    "lkmmv1",
    "lkmmv2",
    "deps",
    "normw",
    "splittedrmw",
    "success",
    "instr",
    "backcompat",
    "s128",
    "cutoff",
];

impl Stager<'_> {
    /// The value of an expression.
    pub(super) fn evaluate(&mut self, env: &Env, expr: &Expr) -> Outcome<Value> {
        self.deeper(expr.span, |this| this.evaluate_here(env, expr))
    }

    fn evaluate_here(&mut self, env: &Env, expr: &Expr) -> Outcome<Value> {
        match &expr.kind {
            ExprKind::Zero => Ok(Value::Expr(self.model.pool.empty(Sort::Rel))),
            ExprKind::Universe => Ok(Value::Universe),
            ExprKind::Tag(name) => self.tag(name).map(Value::Tag),
            ExprKind::Var(name) => self.variable(env, name),
            ExprKind::Set(elements) => self.explicit_set(env, expr.span, elements),
            ExprKind::Tuple(parts) => {
                let parts = parts.iter().map(|p| self.evaluate(env, p)).collect::<Outcome<Vec<_>>>()?;
                Ok(Value::Tuple(Rc::new(parts)))
            }
            ExprKind::IdOn(set) => self.identity_on(env, set),
            ExprKind::Union(operands) => self.union(env, operands),
            ExprKind::Seq(operands) => self.sequence(env, operands),
            ExprKind::Inter(a, b) => self.intersection(env, a, b),
            ExprKind::Diff(a, b) => self.difference(env, a, b),
            ExprKind::Add(element, set) => self.add(env, element, set),
            ExprKind::Product(a, b) => self.product(env, a, b),
            ExprKind::Complement(a) => self.complement(env, a),
            ExprKind::Plus(a) | ExprKind::Star(a) | ExprKind::Opt(a) | ExprKind::Inverse(a) => {
                self.postfix(env, &expr.kind, a)
            }
            ExprKind::App(function, argument) => self.application(env, expr.span, function, argument),
            ExprKind::Let { recursive, bindings, body } => {
                let mut inner = env.clone();
                self.bind(&mut inner, *recursive, bindings, None)?;
                self.evaluate(&inner, body)
            }
            ExprKind::Fun(function) => {
                Ok(Value::Closure(Rc::new(Closure { function: function.clone(), env: env.clone(), name: None })))
            }
            ExprKind::Try(first, second) => {
                self.trying += 1;
                let value = self.evaluate(env, first);
                self.trying -= 1;
                match value {
                    Err(Fault::Error(_)) if !self.exhausted() => self.evaluate(env, second),
                    other => other,
                }
            }
            ExprKind::If(cond, then, otherwise) => {
                if self.condition(env, cond)? {
                    self.evaluate(env, then)
                } else {
                    self.evaluate(env, otherwise)
                }
            }
            ExprKind::MatchTag { scrutinee, clauses, default } => {
                let tag = self.scrutinee_tag(env, scrutinee)?;
                let clause = clauses.iter().find(|(name, _)| name.sym == tag.name).map(|(_, body)| body);
                match (clause, default) {
                    (Some(body), _) => self.evaluate(env, body),
                    (None, Some(body)) => self.evaluate(env, body),
                    (None, None) => {
                        let text = format!("`'{}`", self.loader.interner.name(tag.name));
                        Err(match_fails::report(scrutinee.span, &text).into())
                    }
                }
            }
            ExprKind::MatchSet { .. } => self.match_set(env, expr),
            ExprKind::Error => Err(Fault::Reported),
        }
    }

    /// The tag that a `match` looks at.
    pub(super) fn scrutinee_tag(&mut self, env: &Env, scrutinee: &Expr) -> Outcome<Tag> {
        match self.evaluate(env, scrutinee)? {
            Value::Tag(tag) => Ok(tag),
            other => Err(match_fails::report(scrutinee.span, self.kind(&other)).into()),
        }
    }

    /// An expression that is given a name: a function keeps it.
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

    pub(super) fn tag(&self, name: &Ident) -> Outcome<Tag> {
        self.tags.get(&name.sym).copied().ok_or_else(|| {
            let known: Vec<&str> = self.tags.keys().map(|sym| &**self.loader.interner.name(*sym)).collect();
            undeclared_tag::report(&name.text, name.span, nearest(&name.text, known)).into()
        })
    }

    pub(super) fn variable(&mut self, env: &Env, name: &Ident) -> Outcome<Value> {
        if let Some(slot) = env.get(name.sym) {
            return self.force(slot, name.sym, name.span);
        }
        let near = {
            let bound: Vec<Arc<str>> =
                self.loader.interner.names().filter(|(sym, _)| env.get(*sym).is_some()).map(|(_, n)| n).collect();
            nearest(&name.text, bound.iter().map(|n| &**n)).map(str::to_owned)
        };
        match (self.vocabulary.lookup(&name.text), self.dialect) {
            (Lookup::Elsewhere(others), Dialect::Herd) => {
                let this = self.vocabulary.arch().unwrap_or("another architecture");
                if let (true, 0, Some(sort)) = (self.vocabulary.is_claimed(), self.trying, sort_of(&name.text)) {
                    self.foreign
                        .push((name.text.to_string(), foreign_name::report(&name.text, name.span, &others, this)));
                    return Ok(Value::Expr(self.model.pool.base(&name.text, sort)));
                }
                Err(name_of_other_architecture::report(&name.text, name.span, &others, this).into())
            }
            (_, Dialect::Herd) => Err(self.undefined(name, near.as_deref()).into()),
            (found, Dialect::Dartagnan) => {
                if found == Lookup::Unknown {
                    self.warn(name_taken_as_tag::report(&name.text, name.span, near.as_deref()));
                }
                Ok(Value::Expr(self.model.pool.base(&name.text, Sort::Set)))
            }
        }
    }

    fn explicit_set(&mut self, env: &Env, span: Span, elements: &[Expr]) -> Outcome<Value> {
        let mut values = Vec::with_capacity(elements.len());
        for element in elements {
            match self.evaluate(env, element)? {
                Value::Universe => return Err(universe_in_set::report(element.span).into()),
                value => values.push(value),
            }
        }
        self.set_of(span, values)
    }

    /// The set of these values: of events it is an event set.
    pub(super) fn set_of(&mut self, span: Span, values: Vec<Value>) -> Outcome<Value> {
        if values.is_empty() {
            return Ok(Value::Empty);
        }
        if values.iter().all(|v| matches!(v, Value::Event(_))) {
            let singletons = values.iter().filter_map(|v| if let Value::Event(e) = v { Some(*e) } else { None });
            let singletons: Vec<_> = singletons.collect();
            return Ok(Value::Expr(self.model.pool.union(Sort::Set, singletons)));
        }
        let mut sorted: Vec<Value> = Vec::with_capacity(values.len());
        for value in values {
            if let Some(first) = sorted.first()
                && !self.same_type(first, &value)
            {
                return Err(mixed_elements::report(span, self.type_name(first), self.type_name(&value)).into());
            }
            match self.position(&sorted, &value) {
                Some(Ok(_)) => {}
                Some(Err(at)) => sorted.insert(at, value),
                None => {
                    return Err(Fault::Dynamic(
                        span,
                        "a set of values that cannot be compared before there is an execution",
                    ));
                }
            }
        }
        Ok(Value::Values(Rc::new(sorted)))
    }

    fn sequence<'e>(&mut self, env: &Env, operands: &'e [Expr]) -> Outcome<Value> {
        let mut relations = Vec::with_capacity(operands.len());
        let (mut empty, mut skipped) = (false, false);
        // `[_]` counts as `_` here: an operand that is skipped.
        let inner = |operand: &'e Expr| match &operand.kind {
            ExprKind::IdOn(set) if matches!(set.kind, ExprKind::Universe) => set,
            _ => operand,
        };
        let values = operands.iter().map(|operand| self.evaluate(env, inner(operand))).collect();
        for (operand, value) in operands.iter().zip(self.beside_nothing(values)?) {
            let inner = inner(operand);
            match value {
                Value::Empty => empty = true,
                Value::Universe => {
                    skipped = true;
                    if self.dialect == Dialect::Herd && std::ptr::eq(inner, operand) {
                        self.warn(universe_in_sequence::report(operand.span));
                    }
                }
                value => relations.push(self.relation(env, value, operand, "`;`")?),
            }
        }
        if empty {
            return Ok(Value::Empty);
        }
        if relations.is_empty() && skipped {
            return Ok(Value::Universe);
        }
        Ok(Value::Expr(self.model.pool.seq(relations)))
    }

    fn match_set(&mut self, env: &Env, expr: &Expr) -> Outcome<Value> {
        let ExprKind::MatchSet { scrutinee, empty, left, element, rest, body } = &expr.kind else {
            return Err(Fault::Reported);
        };
        match self.evaluate(env, scrutinee)? {
            Value::Empty => self.evaluate(env, empty),
            Value::Expr(e) if matches!(self.model.pool.node(e), Node::Empty(_)) => self.evaluate(env, empty),
            Value::Expr(_) | Value::Choice(_) => {
                Err(Fault::Dynamic(expr.span, "takes a set of the execution apart, element by element"))
            }
            Value::Values(values) => {
                let others = match values.len() {
                    1 => Value::Empty,
                    _ => Value::Values(Rc::new(values[1..].to_vec())),
                };
                let mut inner = env.clone();
                if let Some(left) = left {
                    self.bind_atom(&mut inner, left, Value::Empty);
                }
                self.bind_atom(&mut inner, element, values[0].clone());
                self.bind_atom(&mut inner, rest, others);
                self.evaluate(&inner, body)
            }
            other => Err(match_fails::report(scrutinee.span, self.kind(&other)).into()),
        }
    }

    pub(super) fn bind_atom(&mut self, env: &mut Env, atom: &PatAtom, value: Value) {
        if let PatAtom::Name(name) = atom {
            let slot = self.value_slot(Ok(value), Some(name.span));
            env.bind(name.sym, slot);
        }
    }

    /// Binds the definitions of a `let` that is not recursive. The first of equal names wins.
    pub(super) fn bind_lazily(&mut self, env: &mut Env, bindings: &[Binding]) {
        let outer = env.clone();
        for binding in bindings.iter().rev() {
            match &binding.pat {
                Pat::One(PatAtom::Name(name)) => {
                    let thunk = Thunk::Delayed(outer.clone(), binding.value.clone(), Some(name.clone()));
                    let slot = self.slot(thunk, Some(name.span));
                    env.bind(name.sym, slot);
                }
                Pat::One(PatAtom::Wild(_)) => {}
                Pat::Tuple(atoms, pattern) => {
                    let thunk = Thunk::Delayed(outer.clone(), binding.value.clone(), None);
                    let of = self.slot(thunk, Some(binding.value.span));
                    for (index, atom) in atoms.iter().enumerate().rev() {
                        if let PatAtom::Name(name) = atom {
                            let thunk = Thunk::Component { of, index, arity: atoms.len(), pattern: *pattern };
                            let slot = self.slot(thunk, Some(name.span));
                            env.bind(name.sym, slot);
                        }
                    }
                }
            }
        }
    }

    /// A component of a value that a tuple pattern takes apart. The first component of what is no tuple is the value itself.
    pub(super) fn component(
        &self,
        whole: &Value,
        index: usize,
        arity: usize,
        pattern: Span,
        at: Span,
    ) -> Outcome<Value> {
        match whole {
            Value::Tuple(parts) if parts.len() == arity => Ok(parts[index].clone()),
            Value::Tuple(parts) => Err(argument_mismatch::report(at, arity, parts.len(), pattern).into()),
            value if index == 0 => Ok(value.clone()),
            _ => Err(argument_mismatch::report(at, arity, 1, pattern).into()),
        }
    }

    fn condition(&mut self, env: &Env, cond: &Cond) -> Outcome<bool> {
        let (a, b) = match cond {
            Cond::Variant(cond) => return Ok(self.variant(cond)),
            Cond::Equal(a, b) | Cond::Subset(a, b) | Cond::In(a, b) => (self.evaluate(env, a)?, self.evaluate(env, b)?),
        };
        let span = match cond {
            Cond::Equal(a, b) | Cond::Subset(a, b) | Cond::In(a, b) => Span { end: b.span.end, ..a.span },
            Cond::Variant(_) => Span::default(),
        };
        let answer = match cond {
            Cond::Equal(..) => self.equal(&a, &b),
            Cond::Subset(..) => self.subset(&a, &b),
            _ => self.member(&a, &b),
        };
        match answer {
            Comparison::Answer(answer) => Ok(answer),
            Comparison::Unknown => Err(Fault::Dynamic(span, "compares values of the execution")),
            Comparison::Impossible => Err(incomparable::report(span, self.type_name(&a), self.type_name(&b)).into()),
        }
    }

    /// A condition on variants, which are known.
    pub(super) fn variant(&mut self, cond: &VariantCond) -> bool {
        match cond {
            VariantCond::Name(name, span) => {
                let given = self.variants.iter().any(|v| v.eq_ignore_ascii_case(name));
                if !given && !KNOWN_VARIANTS.iter().any(|v| v.eq_ignore_ascii_case(name)) {
                    self.warn(unknown_variant::report(*span, name));
                }
                given
            }
            VariantCond::Not(c) => !self.variant(c),
            VariantCond::And(a, b) => self.variant(a) && self.variant(b),
            VariantCond::Or(a, b) => self.variant(a) || self.variant(b),
        }
    }
}

/// The answer to a question about two values.
pub(super) enum Comparison {
    /// Known.
    Answer(bool),
    /// Depends on the execution.
    Unknown,
    /// Values of these kinds cannot be compared.
    Impossible,
}
