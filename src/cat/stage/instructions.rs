//! Running files: definitions, checks, includes, procedures, loops, choices.

use super::value::{Fault, Outcome, Procedure, Thunk, Value};
use super::{Env, Stager};
use crate::cat::diagnostics::{include_cycle, not_a_procedure, not_iterable};
use crate::cat::source::Span;
use crate::cat::syntax::ast::{Expr, Ident, Instr, InstrKind, Pat, PatAtom};
use std::rc::Rc;
use std::sync::Arc;

impl Stager<'_> {
    /// Runs the instructions of a file that has been read.
    pub fn run_file(&mut self, file: u32, env: &mut Env) {
        let Some(tree) = self.loader.tree(file) else { return };
        self.including.push((file, None));
        self.run(&tree.body, env);
        self.including.pop();
    }

    /// After the standard library: what its `co0` consists of.
    pub fn note_standard_order(&mut self, env: &Env) {
        let Some(sym) = self.loader.interner.lookup("co0") else { return };
        let Some(slot) = env.get(sym) else { return };
        if let Ok(Value::Expr(e)) = self.force(slot, sym, Span::default()) {
            self.standard_order.insert(e);
            if let crate::algebra::Node::Union(parts) = self.model.pool.node(e) {
                self.standard_order.extend(parts.iter().copied());
            }
        }
    }

    /// Definitions made so far are not the model's own.
    pub fn forget_definitions(&mut self) {
        self.defined.clear();
        self.shown.clear();
    }

    fn run(&mut self, body: &[Instr], env: &mut Env) {
        for instr in body {
            let outcome = self.deeper(instr.span, |this| this.step(instr, env));
            if let Err(fault) = outcome {
                self.report(fault.clone());
                if let Fault::Dynamic(..) = fault {
                    self.leave_checks(instr, env);
                }
                self.poison(instr, env, &fault);
            }
        }
    }

    /// What an instruction that failed would have bound has no value; using it repeats the reason.
    fn poison(&mut self, instr: &Instr, env: &mut Env, fault: &Fault) {
        let mut names: Vec<&Ident> = Vec::new();
        match &instr.kind {
            InstrKind::Let { bindings, .. } => {
                for binding in bindings.iter() {
                    match &binding.pat {
                        Pat::One(PatAtom::Name(name)) => names.push(name),
                        Pat::One(PatAtom::Wild(_)) => {}
                        Pat::Tuple(atoms, _) => names.extend(atoms.iter().filter_map(|a| match a {
                            PatAtom::Name(name) => Some(name),
                            PatAtom::Wild(_) => None,
                        })),
                    }
                }
            }
            InstrKind::With { var, .. } => names.push(var),
            _ => {}
        }
        for name in names {
            let slot = self.value_slot(Err(fault.clone()), Some(name.span));
            env.bind(name.sym, slot);
        }
    }

    fn step(&mut self, instr: &Instr, env: &mut Env) -> Outcome<()> {
        let declaring = self.declarations.is_some();
        match &instr.kind {
            InstrKind::Let { recursive, bindings, when } => {
                self.bind(env, *recursive, bindings, when.as_ref())?;
                self.note_definitions(bindings, env);
            }
            InstrKind::Test(role, test) if !declaring => self.test(*role, test, env)?,
            InstrKind::Show(items) if !declaring => self.show(items, env),
            InstrKind::Unshow(names) => self.shown.retain(|(name, ..)| !names.iter().any(|n| *n.text == **name)),
            InstrKind::Include(name, at) => self.include(name, *at, env),
            InstrKind::Procedure { recursive, name, param, body } => {
                self.procedure(*recursive, name, param, body, env);
            }
            InstrKind::Call { name, arg, label } if !declaring => {
                let skipped = self.skipped(Some(name)).or_else(|| self.skipped(label.as_ref()));
                if skipped.is_none() || self.strictly {
                    let outer = self.under;
                    self.under = skipped.or(outer);
                    let done = self.call(name, arg, env);
                    self.under = outer;
                    done?;
                }
            }
            InstrKind::Forall { var, set, body } if !declaring => self.forall(var, set, body, env)?,
            InstrKind::With { var, set } if !declaring => {
                let value = self.choose(env, var, set, instr.span)?;
                let slot = self.value_slot(Ok(value), Some(var.span));
                env.bind(var.sym, slot);
                self.defined.push((var.clone(), slot));
            }
            InstrKind::Match { scrutinee, clauses, default } => {
                let tag = self.scrutinee_tag(env, scrutinee)?;
                let clause = clauses.iter().find(|(name, _)| name.sym == tag.name).map(|(_, body)| body);
                match clause.or(default.as_ref()) {
                    Some(body) => self.run(body, env),
                    None => {
                        let text = format!("`'{}`", self.loader.interner.name(tag.name));
                        return Err(crate::cat::diagnostics::match_fails::report(scrutinee.span, &text).into());
                    }
                }
            }
            InstrKind::If { cond, then, otherwise } => {
                let body = if self.variant(cond) { then } else { otherwise };
                self.run(body, env);
            }
            InstrKind::Enum { name, tags } => self.declare_tags(name, tags, env),
            InstrKind::Instructions { kind, shape, default } if declaring => {
                self.declare_instructions(kind, shape, *default, env)?;
            }
            // What this pass ignores, and what is skipped; `debug` prints nothing here.
            InstrKind::Test(..)
            | InstrKind::Show(_)
            | InstrKind::Call { .. }
            | InstrKind::Forall { .. }
            | InstrKind::With { .. }
            | InstrKind::Instructions { .. }
            | InstrKind::Debug(_)
            | InstrKind::Error => {}
        }
        Ok(())
    }

    fn note_definitions(&mut self, bindings: &[crate::cat::syntax::ast::Binding], env: &Env) {
        for binding in bindings {
            if let Pat::One(PatAtom::Name(name)) = &binding.pat
                && !binding.is_function()
                && let Some(slot) = env.get(name.sym)
            {
                self.defined.push((name.clone(), slot));
            }
        }
    }

    fn show(&mut self, items: &[(Arc<Expr>, Option<Ident>)], env: &Env) {
        for (expr, name) in items {
            let label = match name {
                Some(name) => name.text.to_string(),
                None => self.loader.sources.text(expr.span).to_owned(),
            };
            self.shown.retain(|(shown, ..)| *shown != label);
            self.shown.push((label, expr.clone(), env.clone()));
        }
    }

    fn include(&mut self, name: &str, at: Span, env: &mut Env) {
        let file = match self.loader.include(name, at) {
            Ok(file) => file,
            Err(diagnostic) => {
                // In the Dartagnan dialect a missing file is skipped.
                match self.dialect {
                    crate::cat::Dialect::Dartagnan => {}
                    crate::cat::Dialect::Herd => self.report((*diagnostic).into()),
                }
                return;
            }
        };
        if let Some(first) = self.including.iter().position(|(open, _)| *open == file) {
            let chain: Vec<String> = self.including[first..]
                .iter()
                .map(|(f, _)| *f)
                .chain([file])
                .map(|f| self.loader.sources.file(f).name.to_string())
                .collect();
            let steps: Vec<Span> = self.including[first + 1..].iter().filter_map(|(_, at)| *at).collect();
            self.report(include_cycle::report(at, &chain, &steps).into());
            return;
        }
        let Some(tree) = self.loader.tree(file) else { return };
        self.including.push((file, Some(at)));
        self.run(&tree.body, env);
        self.including.pop();
    }

    fn procedure(&mut self, recursive: bool, name: &Ident, param: &Pat, body: &Arc<[Instr]>, env: &mut Env) {
        let slot = self.slot(Thunk::Busy, Some(name.span));
        let outer = env.clone();
        env.bind(name.sym, slot);
        let env = if recursive { env.clone() } else { outer };
        let procedure = Procedure { name: name.clone(), param: param.clone(), body: body.clone(), env };
        self.thunks[slot.0 as usize] = Thunk::Done(Ok(Value::Procedure(Rc::new(procedure))));
    }

    fn call(&mut self, name: &Ident, arg: &Expr, env: &Env) -> Outcome<()> {
        let procedure = match self.variable(env, name)? {
            Value::Procedure(procedure) => procedure,
            other => return Err(not_a_procedure::report(name.span, &name.text, self.kind(&other)).into()),
        };
        let argument = self.evaluate(env, arg)?;
        let mut inner = procedure.env.clone();
        self.bind_argument(&mut inner, &procedure.param, argument, arg.span)?;
        let defined = self.defined.len();
        self.run(&procedure.body, &mut inner);
        self.defined.truncate(defined);
        Ok(())
    }

    fn forall(&mut self, var: &Ident, set: &Expr, body: &[Instr], env: &Env) -> Outcome<()> {
        let values = match super::operators::lift(self.evaluate(env, set)?) {
            Value::Empty => return Ok(()),
            Value::Values(values) => values,
            Value::Choice(_) => return Err(Fault::Dynamic(set.span, "a loop over values built from events")),
            other => return Err(not_iterable::report(set.span, "forall", self.kind(&other)).into()),
        };
        for value in values.iter() {
            let mut inner = env.clone();
            let slot = self.value_slot(Ok(value.clone()), Some(var.span));
            inner.bind(var.sym, slot);
            let defined = self.defined.len();
            self.run(body, &mut inner);
            self.defined.truncate(defined);
        }
        Ok(())
    }
}
