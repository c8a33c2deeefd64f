//! Instructions (CAT.md, sections 4.7 to 4.11).

use super::value::{ClassRelation, Error, Outcome, Procedure, Stop, Thunk, Value, error, set_of};
use super::{Choices, Env, Failure, Run};
use crate::algebra::{Predicate, Role};
use crate::cat::dialect::Dialect;
use crate::cat::source::Span;
use crate::cat::syntax::ast::{Expr, ExprKind, Ident, Instr, InstrKind, Pat, PatAtom, Test};
use crate::relation::candidate::{EventSet, Relation};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

impl Run<'_> {
    pub(super) fn file(&mut self, file: u32, env: &mut Env) -> Outcome<()> {
        match self.loaded.program.trees.get(file as usize).cloned().flatten() {
            Some(tree) => self.all(&tree.body, env),
            None => Ok(()),
        }
    }

    fn all(&mut self, body: &[Instr], env: &mut Env) -> Outcome<()> {
        for instr in body {
            self.deeper(instr.span, |this| this.step(instr, env))?;
        }
        Ok(())
    }

    fn step(&mut self, instr: &Instr, env: &mut Env) -> Outcome<()> {
        match &instr.kind {
            InstrKind::Let { recursive, bindings, when } => {
                self.bind(env, *recursive, bindings, when.as_ref())?;
                for binding in bindings.iter().filter(|b| !b.is_function()) {
                    if let Pat::One(PatAtom::Name(name)) = &binding.pat {
                        self.define(name, env);
                    }
                }
                Ok(())
            }
            InstrKind::Test(role, test) => self.test(*role, test, env),
            InstrKind::Include(name, at) => {
                match (self.loaded.program.includes.get(&(at.file, name.to_string())), self.loaded.dialect) {
                    (Some(file), _) => self.file(*file, env),
                    (None, Dialect::Dartagnan) => Ok(()),
                    (None, Dialect::Herd) => error(*at, format!("no file {name}")),
                }
            }
            InstrKind::Procedure { recursive, name, param, body } => {
                let slot = self.slot(Thunk::Busy);
                let outer = env.clone();
                env.bind(name.sym, slot);
                let env = if *recursive { env.clone() } else { outer };
                let procedure = Procedure { param: param.clone(), body: body.clone(), env };
                self.thunks[slot.0 as usize] = Thunk::Done(Ok(Value::Procedure(Rc::new(procedure))));
                Ok(())
            }
            InstrKind::Call { name, arg, label } => self.call(name, arg, label.as_ref(), env),
            InstrKind::Forall { var, set, body } => {
                for value in self.iterated(env, set, "forall instruction applied to non-set value")? {
                    let mut inner = env.clone();
                    self.bind_value(&mut inner, var.sym, value);
                    let defined = self.defined.len();
                    self.all(body, &mut inner)?;
                    self.defined.truncate(defined);
                }
                Ok(())
            }
            InstrKind::With { var, set } => self.choose(var, set, env),
            InstrKind::Match { scrutinee, clauses, default } => match self.evaluate(env, scrutinee)? {
                Value::Tag(tag, _) => {
                    let clause = clauses.iter().find(|(name, _)| name.sym == tag).map(|(_, body)| body);
                    match clause.or(default.as_ref()) {
                        Some(body) => self.all(body, env),
                        None => error(
                            scrutinee.span,
                            format!("pattern matching failed on value '{}'", self.interner.name(tag)),
                        ),
                    }
                }
                other => error(scrutinee.span, format!("matching on {}", other.kind())),
            },
            InstrKind::If { cond, then, otherwise } => {
                let body = if self.variant(cond) { then } else { otherwise };
                self.all(body, env)
            }
            InstrKind::Enum { name, tags } => {
                let declared = self.enums.len() as u32;
                self.enums.push(tags.iter().map(|t| t.sym).collect());
                for tag in tags {
                    self.tags.insert(tag.sym, declared);
                }
                let all = set_of(name.span, tags.iter().map(|t| Value::Tag(t.sym, declared)).collect())?;
                self.bind_value(env, name.sym, all);
                Ok(())
            }
            InstrKind::Show(_) | InstrKind::Unshow(_) | InstrKind::Debug(_) | InstrKind::Instructions { .. } => Ok(()),
            InstrKind::Error => error(instr.span, "syntax error"),
        }
    }

    fn define(&mut self, name: &Ident, env: &Env) {
        if self.options.definitions
            && let Some(slot) = env.get(name.sym)
        {
            self.defined.push((name.clone(), slot));
        }
    }

    /// The values that a loop or choice runs over.
    fn iterated(&mut self, env: &Env, set: &Expr, message: &str) -> Outcome<Vec<Value>> {
        match super::expressions::lift(self.evaluate(env, set)?) {
            Value::Empty => Ok(Vec::new()),
            Value::Values(values) => Ok(values.to_vec()),
            other => error(set.span, format!("{message}: {}", other.kind())),
        }
    }

    fn choose(&mut self, var: &Ident, set: &Expr, env: &mut Env) -> Outcome<()> {
        let mut values = self.iterated(env, set, "set expected")?;
        if self.options.choices == Choices::Native
            && let ExprKind::App(head, _) = &set.kind
            && let ExprKind::Var(name) = &head.kind
            && &*name.text == "cross"
        {
            values = self.native_edges(values);
        }
        if values.is_empty() {
            self.branch.failed.push(Failure {
                name: Some(format!("choice-of-{}", var.text)),
                span: set.span,
                operand: Relation::new(),
            });
            return Err(Stop::Reject);
        }
        let chosen = self.next_choice(values.len());
        match values.get(chosen) {
            Some(value) => self.bind_value(env, var.sym, value.clone()),
            None => return error(set.span, "the choices of two runs differ"),
        }
        self.define(var, env);
        Ok(())
    }

    /// Which of `count` ways this run takes.
    pub(super) fn next_choice(&mut self, count: usize) -> usize {
        if self.at == self.trail.len() {
            self.trail.push((0, count));
        }
        self.at += 1;
        self.trail[self.at - 1].0
    }

    fn call(&mut self, name: &Ident, arg: &Expr, label: Option<&Ident>, env: &Env) -> Outcome<()> {
        let skipped = [Some(name), label].into_iter().flatten().find(|n| self.skips(Some(n)));
        if skipped.is_some() && !self.loaded.strict_skip {
            return Ok(());
        }
        let Value::Procedure(procedure) = self.variable(env, name)? else {
            return Err(Stop::Fatal(Error { message: "procedure expected".to_owned(), span: name.span }));
        };
        let argument = self.evaluate(env, arg)?;
        let mut inner = procedure.env.clone();
        self.bind_argument(&mut inner, &procedure.param, argument, arg.span)?;
        let defined = self.defined.len();
        let under = skipped.map(|n| n.text.to_string()).or_else(|| self.under.clone());
        let outer = std::mem::replace(&mut self.under, under);
        self.all(&procedure.body, &mut inner)?;
        self.under = outer;
        self.defined.truncate(defined);
        Ok(())
    }

    /// With checks that have to fail: rejects the execution unless all of them did.
    pub(super) fn missing_failures(&mut self) -> Outcome<()> {
        if self.loaded.strict_skip
            && let Some(name) = self.loaded.skip_checks.iter().find(|name| !self.failures.contains(*name))
        {
            let failure = Failure { name: Some(name.clone()), span: Span::default(), operand: Relation::new() };
            self.branch.failed.push(failure);
            if !self.options.through {
                return Err(Stop::Reject);
            }
        }
        Ok(())
    }

    pub(super) fn fail(&mut self, test: &Test, operand: Relation) {
        self.branch.failed.push(Self::failure(test, operand));
    }

    fn failure(test: &Test, operand: Relation) -> Failure {
        Failure { name: test.name.as_ref().map(|n| n.text.to_string()), span: test.span, operand }
    }

    fn test(&mut self, role: Role, test: &Test, env: &Env) -> Outcome<()> {
        let name = test.name.as_ref().map(|n| n.text.to_string());
        let skipped = self.skips(test.name.as_ref());
        if skipped && !self.loaded.strict_skip {
            return Ok(());
        }
        let operand = self.operand(env, test)?;
        let holds = fulfils(test, &operand);
        let operand = if self.options.definitions { operand } else { Relation::new() };
        if let Some(under) = if skipped { name.clone() } else { self.under.clone() } {
            if !holds {
                self.failures.insert(under);
            }
            return Ok(());
        }
        let place = (test.span.file, test.span.range().start);
        match (role, holds) {
            (Role::Flag, true) => {
                self.branch.raised.extend(name.is_some().then_some(place));
                self.branch.flags.extend(name);
                self.branch.fired.push(Self::failure(test, operand));
            }
            (Role::Flag, false) | (Role::Require | Role::Undefined | Role::Assert, true) => {}
            // Staging makes them of recursive definitions, which are run as they are here.
            (Role::When | Role::Settle, _) => {}
            (Role::Undefined, false) => {
                self.branch.raised.insert(place);
                self.branch.undefined = true;
                self.branch.fired.push(Self::failure(test, operand));
            }
            (Role::Assert, false) => {
                let message = format!("{} assertion failed", name.unwrap_or_default());
                return Err(Stop::Fatal(Error { message, span: test.span }));
            }
            (Role::Require, false) => {
                self.fail(test, operand);
                if !self.options.through {
                    return Err(Stop::Reject);
                }
            }
        }
        Ok(())
    }

    pub(super) fn skips(&self, name: Option<&Ident>) -> bool {
        name.is_some_and(|name| self.loaded.skip_checks.iter().any(|s| **s == *name.text))
    }

    /// What a test is about, as a relation.
    pub(super) fn operand(&mut self, env: &Env, test: &Test) -> Outcome<Relation> {
        let at: Span = test.operand.span;
        match (self.evaluate(env, &test.operand)?, test.predicate) {
            (Value::Empty, _) => Ok(Relation::new()),
            (Value::Universe, _) => Ok(self.all_pairs()),
            (Value::Rel(r), _) => Ok((*r).clone()),
            (Value::Pair(a, b), _) => Ok([(a, b)].into()),
            (Value::ClassRel(r), _) => Ok(numbered(&r)),
            // For `empty`, an edge stands for each event.
            (Value::Set(s), Predicate::Empty) => Ok(s.iter().map(|e| (*e, *e)).collect()),
            (Value::Event(e), Predicate::Empty) => Ok([(e, e)].into()),
            (Value::Set(_) | Value::Event(_), _) => error(at, "relation expected"),
            (other, _) => error(at, format!("relation or set expected, {} found", other.kind())),
        }
    }
}

/// A relation between classes as one between their numbers: as empty, irreflexive or acyclic.
fn numbered(classes: &ClassRelation) -> Relation {
    let all: BTreeSet<&EventSet> = classes.iter().flat_map(|(a, b)| [a, b]).collect();
    let numbers: BTreeMap<&EventSet, u32> = all.into_iter().zip(0..).collect();
    classes.iter().map(|(a, b)| (numbers[a], numbers[b])).collect()
}

/// Whether a test of this relation holds.
pub(super) fn fulfils(test: &Test, relation: &Relation) -> bool {
    let holds = match test.predicate {
        Predicate::Empty => relation.is_empty(),
        Predicate::Irreflexive => relation.iter().all(|(a, b)| a != b),
        Predicate::Acyclic => super::expressions::closure(relation).iter().all(|(a, b)| a != b),
    };
    holds != test.negated
}
