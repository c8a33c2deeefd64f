//! `let rec`: recursive functions, and fixpoints of sets and relations (CAT.md, section 4.3).
//!
//! A system of equations over sets and relations becomes a fixpoint node. Whether an unknown is a set or a relation is not
//! written anywhere: it is found by evaluating the right-hand sides from the empty value, as the language itself does, until no
//! more is learnt.

use super::value::{Fault, Outcome, Thunk, Value};
use super::{Env, Stager};
use crate::algebra::expr::Fix;
use crate::algebra::facts::analyse::is_positive;
use crate::algebra::{Check, ExprId, Node, Predicate, Role, Sort, VarId};
use crate::cat::diagnostics::{endless_recursion, illegal_recursion, mixed_kinds, test_operand};
use crate::cat::source::Span;
use crate::cat::syntax::ast::{Binding, Ident, Pat, PatAtom, Test};

/// An equation over sets or relations.
struct Equation<'b> {
    binding: &'b Binding,
    name: Ident,
    unknown: Option<(Sort, VarId, ExprId)>,
    /// It is `_`, of no kind.
    universe: bool,
}

impl Stager<'_> {
    /// Binds the definitions of a `let` or `let rec`.
    pub(super) fn bind(
        &mut self,
        env: &mut Env,
        recursive: bool,
        bindings: &[Binding],
        when: Option<&Test>,
    ) -> Outcome<()> {
        if !recursive {
            self.bind_lazily(env, bindings);
            return Ok(());
        }
        let (functions, others): (Vec<&Binding>, Vec<&Binding>) = bindings.iter().partition(|b| b.is_function());
        if others.is_empty() {
            self.bind_functions(env, &functions);
            return Ok(());
        }
        if self.declarations.is_some() {
            // The declaration pass does not compute fixpoints: nothing that it looks at depends on one.
            return Ok(());
        }
        let mut equations = Vec::with_capacity(others.len());
        for binding in others {
            match &binding.pat {
                Pat::One(PatAtom::Name(name)) => {
                    equations.push(Equation { binding, name: name.clone(), unknown: None, universe: false })
                }
                Pat::One(PatAtom::Wild(_)) => {}
                Pat::Tuple(..) => return Err(illegal_recursion::report(binding.span, "a tuple").into()),
            }
        }
        if self.learn_kinds(env, &functions, &mut equations)? {
            self.settle(env, &functions, &equations)
        } else {
            self.close(env, &functions, &equations, when)
        }
    }

    /// Mutually recursive functions: each sees all of them.
    fn bind_functions(&mut self, env: &mut Env, functions: &[&Binding]) {
        let mut slots = Vec::new();
        for binding in functions {
            if let Pat::One(PatAtom::Name(name)) = &binding.pat {
                let slot = self.slot(Thunk::Busy, Some(name.span));
                env.bind(name.sym, slot);
                slots.push((slot, name, *binding));
            }
        }
        for (slot, name, binding) in slots {
            self.thunks[slot.0 as usize] = Thunk::Delayed(env.clone(), binding.value.clone(), Some(name.clone()));
        }
    }

    /// The environment in which right-hand sides are read: unknowns stand for themselves once their kind is known.
    fn open_environment(&mut self, env: &Env, functions: &[&Binding], equations: &[Equation<'_>]) -> Env {
        let mut inner = env.clone();
        for equation in equations {
            let value = match equation.unknown {
                Some((_, _, expr)) => Value::Expr(expr),
                None if equation.universe => Value::Universe,
                None => Value::Empty,
            };
            let slot = self.value_slot(Ok(value), Some(equation.name.span));
            inner.bind(equation.name.sym, slot);
        }
        self.bind_functions(&mut inner, functions);
        inner
    }

    /// Finds out which unknowns are sets and which relations. The answer is whether one is a set of values: such systems are
    /// computed now.
    fn learn_kinds(&mut self, env: &Env, functions: &[&Binding], equations: &mut [Equation<'_>]) -> Outcome<bool> {
        loop {
            let mut learnt = false;
            let mut inner = self.open_environment(env, functions, equations);
            let mut values = Vec::with_capacity(equations.len());
            for equation in equations.iter_mut() {
                let value = self.evaluate(&inner, &equation.binding.value)?;
                if equation.unknown.is_none() {
                    let sort = match &value {
                        Value::Expr(e) => Some(self.model.pool.sort(*e)),
                        Value::Empty | Value::Values(_) => None,
                        // `_` says nothing of its kind; the other equations may.
                        Value::Universe => {
                            learnt |= !equation.universe;
                            equation.universe = true;
                            None
                        }
                        Value::Choice(_) => {
                            return Err(Fault::Dynamic(equation.binding.span, "a recursion over sets of values"));
                        }
                        other => return Err(illegal_recursion::report(equation.binding.span, self.kind(other)).into()),
                    };
                    if let Some(sort) = sort {
                        let (var, expr) = self.model.pool.var(sort);
                        equation.unknown = Some((sort, var, expr));
                        learnt = true;
                        // Later equations of this round see the new value, as in the language.
                        let slot = self.value_slot(Ok(Value::Expr(expr)), Some(equation.name.span));
                        inner.bind(equation.name.sym, slot);
                    }
                }
                values.push(value);
            }
            if values.iter().any(|v| matches!(v, Value::Values(_))) {
                return Ok(true);
            }
            if !learnt {
                return Ok(false);
            }
        }
    }

    /// A system over sets and relations: a fixpoint node.
    fn close(
        &mut self,
        env: &mut Env,
        functions: &[&Binding],
        equations: &[Equation<'_>],
        when: Option<&Test>,
    ) -> Outcome<()> {
        let inner = self.open_environment(env, functions, equations);
        let (mut vars, mut bodies) = (Vec::new(), Vec::new());
        for equation in equations {
            let value = self.evaluate(&inner, &equation.binding.value)?;
            let Some((sort, var, _)) = equation.unknown else {
                if equation.universe != matches!(value, Value::Universe) {
                    return Err(illegal_recursion::report(equation.binding.span, "`_`").into());
                }
                continue;
            };
            let body = match value {
                Value::Expr(e) if self.model.pool.sort(e) == sort => e,
                Value::Empty => self.model.pool.empty(sort),
                Value::Universe => self.model.pool.top(sort),
                other => {
                    let (was, is) = (if sort == Sort::Set { "a set" } else { "a relation" }, self.kind(&other));
                    let span = equation.binding.value.span;
                    return Err(mixed_kinds::report(
                        "this recursion",
                        (equation.name.span, was, None),
                        (span, is, None),
                    )
                    .into());
                }
            };
            vars.push(var);
            bodies.push(body);
        }
        if let ([var], [body], None) = (&vars[..], &bodies[..], when)
            && let Some(closure) = self.as_closure(equations, *var, *body)
        {
            return self.bind_solutions(env, functions, equations, vec![closure]);
        }
        let test = when;
        let when = match when.filter(|test| self.skipped(test.name.as_ref()).is_none()) {
            Some(test) => Some((test.predicate, test.negated, self.test_operand(&inner, test)?)),
            None => None,
        };
        let first = equations.first();
        let (role, name, span) = match test {
            Some(test) if when.is_some() => (Role::When, test.name.as_ref(), test.span),
            _ => (Role::Settle, first.map(|e| &e.name), first.map_or_else(Default::default, |e| e.binding.span)),
        };
        let solutions = self.model.pool.recursive(Fix { vars, bodies, when });
        if let Some(&first) = solutions.first() {
            self.want_settled(first, role, name.map(|name| name.text.to_string()), span);
        }
        self.bind_solutions(env, functions, equations, solutions)
    }

    /// A recursion matters whether or not anything else uses what it computes: its `when` test rejects executions, and without one it may
    /// never come to an end. Where it stands in another, that one fails with it.
    fn want_settled(&mut self, solution: ExprId, role: Role, name: Option<String>, span: Span) {
        let pool = &mut self.model.pool;
        let may_fail =
            matches!(pool.node(solution), Node::Fix(fix, _) if role == Role::When || !is_positive(pool, *fix));
        if !may_fail || !pool.is_closed(solution) {
            return;
        }
        let relation = match pool.sort(solution) {
            Sort::Rel => solution,
            Sort::Set => pool.product(solution, solution),
        };
        let id = pool.id();
        let expr = pool.diff(relation, id);
        self.model.checks.push(Check {
            name,
            role,
            predicate: Predicate::Irreflexive,
            negated: false,
            expr,
            place: (span.file, span.range()),
        });
    }

    /// `r = e | (r ; r)` is a transitive closure.
    fn as_closure(&mut self, equations: &[Equation<'_>], var: VarId, body: ExprId) -> Option<ExprId> {
        let (_, _, unknown) = equations.iter().find_map(|e| e.unknown.filter(|u| u.1 == var))?;
        let Node::Union(parts) = self.model.pool.node(body).clone() else { return None };
        let square = self.model.pool.seq([unknown, unknown]);
        // What was first read with the empty relation for the unknown is older than the unknown, so it does not mention it.
        let (old, new): (Vec<ExprId>, Vec<ExprId>) = parts.iter().partition(|p| **p < unknown);
        if new != [square] {
            return None;
        }
        let base = self.model.pool.union(Sort::Rel, old);
        Some(self.model.pool.plus(base))
    }

    fn bind_solutions(
        &mut self,
        env: &mut Env,
        functions: &[&Binding],
        equations: &[Equation<'_>],
        solutions: Vec<ExprId>,
    ) -> Outcome<()> {
        let mut solutions = solutions.into_iter();
        for equation in equations {
            let value = match equation.unknown {
                Some(_) => solutions.next().map_or(Value::Empty, Value::Expr),
                None if equation.universe => Value::Universe,
                None => Value::Empty,
            };
            let slot = self.value_slot(Ok(value), Some(equation.name.span));
            env.bind(equation.name.sym, slot);
        }
        self.bind_functions(env, functions);
        Ok(())
    }

    /// A system over sets of values: computed here, by the loop of the language.
    fn settle(&mut self, env: &mut Env, functions: &[&Binding], equations: &[Equation<'_>]) -> Outcome<()> {
        let mut old = vec![Value::Empty; equations.len()];
        for _ in 0..10_000 {
            let mut inner = env.clone();
            for (equation, value) in equations.iter().zip(&old) {
                let slot = self.value_slot(Ok(value.clone()), Some(equation.name.span));
                inner.bind(equation.name.sym, slot);
            }
            self.bind_functions(&mut inner, functions);
            let mut new = Vec::with_capacity(equations.len());
            for equation in equations {
                let value = self.evaluate(&inner, &equation.binding.value)?;
                match &value {
                    Value::Empty | Value::Values(_) => {}
                    Value::Expr(_) => {
                        return Err(Fault::Dynamic(
                            equation.binding.span,
                            "a recursion over sets of values and of events",
                        ));
                    }
                    other => return Err(illegal_recursion::report(equation.binding.span, self.kind(other)).into()),
                }
                let slot = self.value_slot(Ok(value.clone()), Some(equation.name.span));
                inner.bind(equation.name.sym, slot);
                self.bind_functions(&mut inner, functions);
                new.push(value);
            }
            let stable = new
                .iter()
                .zip(&old)
                .all(|(n, o)| matches!(self.subset(n, o), super::expressions::Comparison::Answer(true)));
            if stable {
                *env = inner;
                return Ok(());
            }
            old = new;
        }
        let span = equations.first().map_or_else(Default::default, |e| e.binding.span);
        Err(endless_recursion::report(span).into())
    }

    /// The expression that a test looks at.
    pub(super) fn test_operand(&mut self, env: &Env, test: &Test) -> Outcome<ExprId> {
        let operand = &test.operand;
        let name = match test.predicate {
            Predicate::Acyclic => "acyclic",
            Predicate::Irreflexive => "irreflexive",
            Predicate::Empty => "empty",
        };
        match self.evaluate(env, operand)? {
            Value::Empty => Ok(self.model.pool.empty(Sort::Rel)),
            Value::Universe => Ok(self.model.pool.full()),
            Value::Event(e) if test.predicate == Predicate::Empty => Ok(e),
            Value::Expr(e) if test.predicate == Predicate::Empty || self.model.pool.sort(e) == Sort::Rel => Ok(e),
            Value::Choice(_) => Err(Fault::Dynamic(operand.span, "a set of values built from events")),
            other => Err(test_operand::report(operand.span, name, self.kind(&other), self.origin(env, operand)).into()),
        }
    }
}
