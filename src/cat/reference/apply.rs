//! Calls, and `let rec` with the exact loop of the language (CAT.md, sections 4.3 and 4.4).

use super::expressions::included;
use super::instructions::fulfils;
use super::value::{Outcome, Stop, Thunk, Value, error};
use super::{Choices, Env, Run};
use crate::cat::source::Span;
use crate::cat::syntax::ast::{Binding, Ident, Pat, PatAtom, Test};
use crate::relation::candidate::Relation;
use std::cmp::Ordering;

impl Run<'_> {
    /// `f x`
    pub(super) fn apply(&mut self, at: Span, f: &Value, x: Value) -> Outcome<Value> {
        match f {
            Value::Closure(closure) => {
                if self.options.choices == Choices::Native
                    && let Some(value) = self.native_orders(closure, &x)
                {
                    return Ok(value);
                }
                let mut env = closure.env.clone();
                self.bind_argument(&mut env, &closure.function.param, x, at)?;
                self.evaluate(&env, &closure.function.body)
            }
            Value::Primitive(name) => self.primitive(name, x, at),
            other => error(at, format!("closure or primitive expected, {} found", other.kind())),
        }
    }

    pub(super) fn bind_argument(&mut self, env: &mut Env, param: &Pat, x: Value, at: Span) -> Outcome<()> {
        match (param, x) {
            (Pat::One(atom), x) => self.bind_atom(env, atom, x),
            (Pat::Tuple(atoms, _), Value::Tuple(parts)) if parts.len() == atoms.len() => {
                for (atom, part) in atoms.iter().zip(parts.iter()) {
                    self.bind_atom(env, atom, part.clone());
                }
            }
            (Pat::Tuple(atoms, _), Value::Pair(a, b)) if atoms.len() == 2 => {
                self.bind_atom(env, &atoms[0], Value::Event(a));
                self.bind_atom(env, &atoms[1], Value::Event(b));
            }
            (Pat::Tuple(..), other) => return error(at, format!("argument_mismatch: {}", other.kind())),
        }
        Ok(())
    }

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
        let mut equations: Vec<(&Binding, &Ident)> = Vec::new();
        for binding in others {
            match &binding.pat {
                Pat::One(PatAtom::Name(name)) => equations.push((binding, name)),
                Pat::One(PatAtom::Wild(_)) => {}
                Pat::Tuple(..) => return error(binding.span, "illegal recursion on type tuple"),
            }
        }
        if equations.is_empty() {
            self.bind_functions(env, &functions);
            return Ok(());
        }
        let start = self.start_values(env, &functions, &equations)?;
        let mut inner = self.with_values(env, &functions, &equations, &start);
        let mut old = start;
        // Brent's method: a round determines all later ones, so values seen before come again for ever.
        let (mut landmark, mut round, mut next_landmark) = (old.clone(), 0_u64, 1_u64);
        loop {
            let mut new = Vec::with_capacity(equations.len());
            for (index, (binding, name)) in equations.iter().enumerate() {
                let value = match (self.evaluate(&inner, &binding.value)?, &old[index]) {
                    (Value::Universe, Value::Set(_)) => Value::set(self.candidate.universe.iter().copied()),
                    (Value::Universe, Value::Rel(_)) => Value::rel(self.all_pairs()),
                    (value, _) => value,
                };
                self.bind_value(&mut inner, name.sym, value.clone());
                new.push(value);
            }
            self.bind_functions(&mut inner, &functions);
            if let Some(test) = when
                && !self.skips(test.name.as_ref())
            {
                let operand = self.operand(&inner, test)?;
                if !fulfils(test, &operand) {
                    self.fail(test, if self.options.definitions { operand } else { Relation::new() });
                    return Err(Stop::Reject);
                }
            }
            let mut stable = true;
            for ((binding, _), (new, old)) in equations.iter().zip(new.iter().zip(&old)) {
                let answer = match (new, old) {
                    (Value::Universe, old) if old.is_empty() => Some(false),
                    _ => included(new, old),
                };
                match answer {
                    Some(answer) => stable &= answer,
                    None => return error(binding.span, format!("illegal recursion on type {}", new.kind())),
                }
            }
            if stable {
                *env = inner;
                return Ok(());
            }
            let equal = |(a, b): (&Value, &Value)| a.same_type(b) && a.order(b) == Ordering::Equal;
            if new.iter().zip(&landmark).all(equal) {
                return error(equations[0].0.span, "this recursion does not end");
            }
            round += 1;
            if round == next_landmark {
                next_landmark *= 2;
                landmark.clone_from(&new);
            }
            old = new;
        }
    }

    /// The environment in which the unknowns have these values.
    fn with_values(
        &mut self,
        env: &Env,
        functions: &[&Binding],
        equations: &[(&Binding, &Ident)],
        values: &[Value],
    ) -> Env {
        let mut inner = env.clone();
        for ((_, name), value) in equations.iter().zip(values) {
            self.bind_value(&mut inner, name.sym, value.clone());
        }
        self.bind_functions(&mut inner, functions);
        inner
    }

    /// Where the loop starts: at the empty set or relation, whichever an unknown is. That is known once its right-hand side has a
    /// value; until then it is the empty value of no kind. (The difference shows under `~` only, see `docs/deviations.md`.)
    fn start_values(
        &mut self,
        env: &Env,
        functions: &[&Binding],
        equations: &[(&Binding, &Ident)],
    ) -> Outcome<Vec<Value>> {
        let mut start = vec![Value::Empty; equations.len()];
        loop {
            let mut inner = self.with_values(env, functions, equations, &start);
            let mut learnt = false;
            for (index, (binding, name)) in equations.iter().enumerate() {
                let value = self.evaluate(&inner, &binding.value)?;
                if matches!(start[index], Value::Empty) {
                    start[index] = match value {
                        Value::Set(_) => Value::set([]),
                        Value::Rel(_) => Value::rel([]),
                        _ => continue,
                    };
                    learnt = true;
                    self.bind_value(&mut inner, name.sym, start[index].clone());
                }
            }
            if !learnt {
                return Ok(start);
            }
        }
    }

    fn bind_functions(&mut self, env: &mut Env, functions: &[&Binding]) {
        let mut slots = Vec::new();
        for binding in functions {
            if let Pat::One(PatAtom::Name(name)) = &binding.pat {
                let slot = self.slot(Thunk::Busy);
                env.bind(name.sym, slot);
                slots.push((slot, name, *binding));
            }
        }
        for (slot, name, binding) in slots {
            self.thunks[slot.0 as usize] = Thunk::Delayed(env.clone(), binding.value.clone(), Some(name.clone()));
        }
    }
}
