//! Checks: those that become part of the model, those that are skipped, and those that only an execution can decide.

use super::value::{Outcome, Value};
use super::{Env, Stager};
use crate::algebra::{Check, ExprId, Predicate, Role, Sort};
use crate::cat::diagnostics::{nearest, skipped_nothing, unnamed_flag};
use crate::cat::source::Span;
use crate::cat::syntax::ast::{Ident, Instr, InstrKind, Test};
use std::sync::Arc;

impl Stager<'_> {
    /// Which of the skipped names this is, if any.
    pub(super) fn skipped(&mut self, name: Option<&Ident>) -> Option<usize> {
        let at = self.skipped.iter().position(|s| name.is_some_and(|name| **s == *name.text))?;
        self.met[at] = true;
        Some(at)
    }

    /// A test that is executed: a check of the model, or, when it is skipped strictly, one that has to fail.
    pub(super) fn test(&mut self, role: Role, test: &Test, env: &Env) -> Outcome<()> {
        let skipped = self.skipped(test.name.as_ref());
        if skipped.is_some() && !self.strictly {
            return Ok(());
        }
        let expr = self.test_operand(env, test)?;
        let check = Check {
            name: test.name.as_ref().map(|n| n.text.to_string()),
            role,
            predicate: test.predicate,
            negated: test.negated,
            expr,
            place: (test.span.file, test.span.range()),
        };
        if let Some(skipped) = skipped.or(self.under) {
            self.has_to_fail.push((skipped, check));
            return Ok(());
        }
        if role == Role::Flag && test.name.is_none() {
            self.warn(unnamed_flag::report(self.with_flag(test.span)));
            return Ok(());
        }
        self.model.checks.push(check);
        Ok(())
    }

    /// The span of a test together with the word `flag` before it.
    fn with_flag(&self, test: Span) -> Span {
        let before = Span { start: test.start.saturating_sub(64), end: test.start, ..test };
        let text = self.loader.sources.text(before);
        let back = text.rfind("flag").map_or(0, |at| text.len() - at) as u32;
        Span { start: test.start - back, ..test }
    }

    /// An instruction that only an execution can run leaves a check that never says anything for each of its tests, so that the
    /// model still lists them in their order.
    pub(super) fn leave_checks(&mut self, instr: &Instr, env: &Env) {
        let mut open: Vec<(Arc<[Instr]>, usize)> = Vec::new();
        // Procedures that call each other are visited once.
        let mut entered: Vec<Span> = Vec::new();
        self.leave_check(instr, env, &mut open, &mut entered);
        while let Some((body, at)) = open.pop() {
            if let Some(instr) = body.get(at) {
                open.push((body.clone(), at + 1));
                self.leave_check(instr, env, &mut open, &mut entered);
            }
        }
    }

    fn leave_check(
        &mut self,
        instr: &Instr,
        env: &Env,
        open: &mut Vec<(Arc<[Instr]>, usize)>,
        entered: &mut Vec<Span>,
    ) {
        match &instr.kind {
            InstrKind::Test(role, test) => {
                let name = test.name.as_ref().map(|n| n.text.to_string());
                if self.skipped(test.name.as_ref()).is_none() && (*role != Role::Flag || name.is_some()) {
                    let place = (test.span.file, test.span.range());
                    self.dynamic_checks.insert((place.0, place.1.start));
                    let expr = self.model.pool.empty(Sort::Rel);
                    // A flag is raised by what holds, everything else by what does not.
                    let negated = *role == Role::Flag;
                    let check = Check { name, role: *role, predicate: Predicate::Empty, negated, expr, place };
                    self.model.checks.push(check);
                }
            }
            InstrKind::Call { name, .. } => {
                if let Ok(Value::Procedure(procedure)) = self.variable(env, name)
                    && !entered.contains(&procedure.name.span)
                {
                    entered.push(procedure.name.span);
                    open.push((procedure.body.clone(), 0));
                }
            }
            InstrKind::Forall { body, .. } => open.push((body.clone(), 0)),
            InstrKind::If { cond, then, otherwise } => {
                open.push((if self.variant(cond) { then } else { otherwise }.clone(), 0));
            }
            InstrKind::Match { clauses, default, .. } => {
                let bodies = clauses.iter().map(|(_, body)| body).chain(default);
                open.extend(bodies.map(|body| (body.clone(), 0)));
            }
            _ => {}
        }
    }

    /// At the end of the run: under each name that is skipped strictly some test has to fail.
    pub(super) fn require_failures(&mut self) {
        let has_to_fail = std::mem::take(&mut self.has_to_fail);
        for (index, name) in std::mem::take(&mut self.skipped).into_iter().enumerate() {
            if !self.met[index] {
                let names = self.model.checks.iter().filter_map(|c| c.name.as_deref());
                let warning = skipped_nothing::report(&name, nearest(&name, names));
                self.warn(warning);
            }
            if !self.strictly {
                continue;
            }
            let mut checks = has_to_fail.iter().filter(|(of, _)| *of == index).map(|(_, check)| check.clone());
            let required = match (checks.next(), checks.next()) {
                (Some(only), None) => Check { role: Role::Require, negated: !only.negated, ..only },
                (first, second) => {
                    let all: Vec<Check> = first.into_iter().chain(second).chain(checks).collect();
                    let place = all.first().map_or((0, 0..0), |c| c.place.clone());
                    let witnesses: Vec<ExprId> = all.iter().map(|check| self.witness(check)).collect();
                    let expr = self.model.pool.union(Sort::Rel, witnesses);
                    Check { name: None, role: Role::Require, predicate: Predicate::Empty, negated: true, expr, place }
                }
            };
            self.model.checks.push(Check { name: Some(name), ..required });
        }
    }

    /// A relation that is empty exactly when a check holds.
    fn witness(&mut self, check: &Check) -> ExprId {
        let pool = &mut self.model.pool;
        let id = pool.id();
        let found = match (check.predicate, pool.sort(check.expr)) {
            (Predicate::Empty, Sort::Set) => pool.id_on(check.expr),
            (Predicate::Empty, Sort::Rel) => check.expr,
            (Predicate::Irreflexive, _) => pool.inter(Sort::Rel, [check.expr, id]),
            (Predicate::Acyclic, _) => {
                let closed = pool.plus(check.expr);
                pool.inter(Sort::Rel, [closed, id])
            }
        };
        if !check.negated {
            return found;
        }
        let full = pool.full();
        let everything = pool.seq([full, found, full]);
        pool.diff(full, everything)
    }
}
