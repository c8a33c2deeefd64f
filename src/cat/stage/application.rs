//! Calls of functions and primitives.

use super::bell::set_name;
use super::operators::lift;
use super::value::{Choice, Closure, Fault, Outcome, Primitive, Value};
use super::{Env, Stager};
use crate::algebra::Sort;
use crate::cat::diagnostics::{argument_mismatch, fail_called, not_a_function, primitive_argument, universe_in_set};
use crate::cat::source::Span;
use crate::cat::syntax::ast::{Expr, ExprKind, Pat, Sym};
use std::rc::Rc;

impl Stager<'_> {
    pub(super) fn application(&mut self, env: &Env, span: Span, function: &Expr, argument: &Expr) -> Outcome<Value> {
        let f = self.evaluate(env, function)?;
        if let Value::Expr(_) | Value::Empty | Value::Universe | Value::Values(_) | Value::Tag(_) | Value::Tuple(_) = f
        {
            let origin = self.origin(env, function);
            let argument = match &argument.kind {
                ExprKind::Var(name) => Some(&*name.text),
                _ => None,
            };
            return Err(not_a_function::report(function.span, self.kind(&f), origin, argument).into());
        }
        let x = self.evaluate(env, argument)?;
        let kind = self.kind(&x);
        let value = self.apply(span, &f, x, function.span, argument.span);
        value.map_err(|fault| self.seen_from_the_call(fault, function.span, argument.span, kind))
    }

    /// What goes wrong in a function of the library is shown at the call, where the argument comes from.
    fn seen_from_the_call(&self, fault: Fault, function: Span, argument: Span, kind: &str) -> Fault {
        match fault {
            Fault::Error(error)
                if error.span().is_some_and(|at| self.loader.is_library(at.file))
                    && !self.loader.is_library(argument.file) =>
            {
                let name = self.loader.sources.text(function);
                let text = format!("`{name}` of the library is given {kind} here");
                Rc::unwrap_or_clone(error).called_at(argument, text).into()
            }
            fault => fault,
        }
    }

    /// `f x`
    pub(super) fn apply(&mut self, call: Span, f: &Value, x: Value, head: Span, at: Span) -> Outcome<Value> {
        match f {
            Value::Closure(closure) => {
                if let Some(value) = self.known_function(closure, &x, at)? {
                    return Ok(value);
                }
                let mut env = closure.env.clone();
                self.bind_argument(&mut env, &closure.function.param, x, at)?;
                self.evaluate(&env, &closure.function.body)
            }
            Value::Primitive(primitive) => self.primitive(*primitive, x, call, head, at),
            Value::MapOf(f) => self.map(call, f, x, at),
            other => Err(not_a_function::report(head, self.kind(other), None, None).into()),
        }
    }

    /// Binds a parameter to an argument.
    pub(super) fn bind_argument(&mut self, env: &mut Env, param: &Pat, x: Value, at: Span) -> Outcome<()> {
        match (param, x) {
            (Pat::One(atom), x) => self.bind_atom(env, atom, x),
            (Pat::Tuple(atoms, _), Value::Tuple(parts)) if parts.len() == atoms.len() => {
                for (atom, part) in atoms.iter().zip(parts.iter()) {
                    self.bind_atom(env, atom, part.clone());
                }
            }
            (Pat::Tuple(atoms, pattern), Value::Tuple(parts)) => {
                return Err(argument_mismatch::report(at, atoms.len(), parts.len(), *pattern).into());
            }
            (Pat::Tuple(atoms, pattern), _) => {
                return Err(argument_mismatch::report(at, atoms.len(), 1, *pattern).into());
            }
        }
        Ok(())
    }

    /// Library functions that staging knows by name and home: what they do with sets of the execution is recognised as a whole.
    fn known_function(&mut self, closure: &Rc<Closure>, x: &Value, at: Span) -> Outcome<Option<Value>> {
        let Some(name) = &closure.name else { return Ok(None) };
        let home = self.loader.stem(name.span.file);
        match (home, &*name.text) {
            ("stdlib", "map") => Ok(Some(Value::MapOf(Rc::new(x.clone())))),
            ("cross" | "ncross", "cross") => Ok(self.cross(x)),
            ("cross" | "ncross", "generate_cos") => match self.captured(closure, "W") {
                Some(events) => self.orders(events, x, at).map(Some),
                None => Ok(None),
            },
            ("cross" | "ncross", "generate_orders") => match x {
                Value::Tuple(parts) if parts.len() == 2 => self.orders(parts[0].clone(), &parts[1], at).map(Some),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// The value that a name has where a function was defined.
    fn captured(&mut self, closure: &Closure, name: &str) -> Option<Value> {
        let sym = self.loader.interner.lookup(name)?;
        let slot = closure.env.get(sym)?;
        self.force(slot, sym, closure.function.body.span).ok()
    }

    fn primitive(&mut self, primitive: Primitive, x: Value, call: Span, head: Span, at: Span) -> Outcome<Value> {
        match primitive {
            Primitive::Fail => Err(fail_called::report(call).into()),
            Primitive::PerExecution("linearisations") if self.free_orders => match &x {
                Value::Tuple(parts) if self.is_set_with_order(parts) => Ok(self.linear(&parts[0], &parts[1])),
                _ => Err(Fault::Dynamic(call, "chooses among all orders of a set")),
            },
            Primitive::PerExecution(name) => Err(Fault::Dynamic(
                call,
                match name {
                    "linearisations" => "chooses among all orders of a set",
                    "newSet" | "newRelation" => "chooses any set or relation",
                    _ => "builds a set of values from events",
                },
            )),
            Primitive::Domain | Primitive::Range => match x {
                Value::Empty | Value::Universe => Ok(x),
                Value::Expr(r) if self.model.pool.sort(r) == Sort::Rel => {
                    let pool = &mut self.model.pool;
                    Ok(Value::Expr(if primitive == Primitive::Domain { pool.domain(r) } else { pool.range(r) }))
                }
                other => Err(self.bad_argument(head, at, "a relation", &other)),
            },
            Primitive::PageTable if matches!(&x, Value::Tuple(parts) if self.is_set_with_order(parts)) => {
                Ok(Value::Expr(self.model.pool.empty(Sort::Set)))
            }
            Primitive::DifferentValues | Primitive::AsTransitive | Primitive::PageTable => match x {
                Value::Expr(r) if self.model.pool.sort(r) == Sort::Rel => {
                    let pool = &mut self.model.pool;
                    Ok(Value::Expr(match primitive {
                        Primitive::DifferentValues => pool.different_values(r),
                        Primitive::AsTransitive => pool.plus(r),
                        _ => pool.empty(Sort::Rel),
                    }))
                }
                Value::Empty => Ok(Value::Empty),
                Value::Universe => {
                    let full = Value::Expr(self.model.pool.full());
                    self.primitive(primitive, full, call, head, at)
                }
                other => Err(self.bad_argument(head, at, "a relation", &other)),
            },
            Primitive::FromTo => match x {
                Value::Expr(s) if self.model.pool.sort(s) == Sort::Set => Ok(self.fenced_by(s)),
                Value::Empty => Ok(Value::Expr(self.model.pool.empty(Sort::Rel))),
                other => Err(self.bad_argument(head, at, "a set", &other)),
            },
            Primitive::Tag2Events | Primitive::Tag2Fenced => {
                let tag = self.tag_argument(x, head, at)?;
                let name = set_name(self.loader.interner.name(tag));
                let set = self.model.pool.base(&name, Sort::Set);
                if primitive == Primitive::Tag2Events { Ok(Value::Expr(set)) } else { Ok(self.fenced_by(set)) }
            }
            Primitive::Tag2Relation => {
                let tag = self.tag_argument(x, head, at)?;
                let name = self.loader.interner.name(tag).clone();
                Ok(Value::Expr(self.model.pool.base(&name, Sort::Rel)))
            }
        }
    }

    /// Whether these are a set and a relation.
    fn is_set_with_order(&self, parts: &[Value]) -> bool {
        let is = |value: &Value, sort| match value {
            Value::Expr(e) => self.model.pool.sort(*e) == sort,
            Value::Empty | Value::Universe => true,
            _ => false,
        };
        matches!(parts, [set, order] if is(set, Sort::Set) && is(order, Sort::Rel))
    }

    fn bad_argument(&self, head: Span, at: Span, expected: &str, found: &Value) -> Fault {
        primitive_argument::report(at, self.loader.sources.text(head), expected, self.kind(found)).into()
    }

    fn tag_argument(&self, x: Value, head: Span, at: Span) -> Outcome<Sym> {
        match x {
            Value::Tag(tag) => Ok(tag.name),
            other => Err(self.bad_argument(head, at, "a tag", &other)),
        }
    }

    /// Pairs with an event of a set between them, in the execution's own program order.
    fn fenced_by(&mut self, set: crate::algebra::ExprId) -> Value {
        let pool = &mut self.model.pool;
        let (po, fence) = (pool.base("po", Sort::Rel), pool.id_on(set));
        Value::Expr(pool.seq([po, fence, po]))
    }

    /// `map f S`
    fn map(&mut self, call: Span, f: &Value, x: Value, at: Span) -> Outcome<Value> {
        match lift(x) {
            Value::Empty => Ok(Value::Empty),
            Value::Universe => Err(universe_in_set::report(at).into()),
            Value::Values(values) => {
                let mut images = Vec::with_capacity(values.len());
                for value in values.iter() {
                    images.push(self.apply(call, f, value.clone(), at, at)?);
                }
                self.set_of(call, images)
            }
            Value::Expr(e) if matches!(self.model.pool.node(e), crate::algebra::Node::Empty(_)) => Ok(Value::Empty),
            Value::Expr(e) if self.model.pool.sort(e) == Sort::Rel => {
                // `map (fun p -> p ++ 0) r`: the edges of `r` as relations.
                if adds_to_nothing(f) {
                    return Ok(Value::Choice(Rc::new(Choice::EdgesOf(e))));
                }
                Err(Fault::Dynamic(call, "maps a function over the edges of a relation"))
            }
            Value::Expr(e) => self.map_over_events(call, f, e),
            other => Err(self.bad_argument(call, at, "a set", &other)),
        }
    }
}

/// Whether a function is `fun p -> p ++ 0` (or `p ++ {}` under another name for it, which makes a set and is not it).
fn adds_to_nothing(f: &Value) -> bool {
    let Value::Closure(closure) = f else { return false };
    let Pat::One(crate::cat::syntax::ast::PatAtom::Name(param)) = &closure.function.param else { return false };
    match &closure.function.body.kind {
        ExprKind::Add(element, set) => {
            matches!(&element.kind, ExprKind::Var(name) if name.sym == param.sym) && matches!(set.kind, ExprKind::Zero)
        }
        _ => false,
    }
}
