//! One model, judged on an execution three ways: by the kernel, by the plain evaluator of the algebra, by the reference evaluator.

use hmc::algebra::Role;
use hmc::algebra::Sort;
use hmc::algebra::naive::{Naive, Value};
use hmc::cat::Loaded;
use hmc::cat::reference::{Options, run};
use hmc::kernel::plan::Plan;
use hmc::kernel::session::Session;
use hmc::relation::bits::Bits;
use hmc::relation::candidate::Candidate;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A model, ready for executions.
pub struct Judge<'m> {
    loaded: &'m Loaded,
    plan: Arc<Plan>,
    session: Session,
}

/// What the staged model says of an execution.
#[derive(Debug)]
struct Staged {
    /// Required checks that do not hold, by index.
    failed: Vec<usize>,
    /// Flags and conditions of definedness that speak up, by index.
    raised: Vec<usize>,
}

impl<'m> Judge<'m> {
    pub fn new(loaded: &'m Loaded) -> Self {
        let plan = Arc::new(Plan::compile(&loaded.model, &|_| true, true));
        Judge { loaded, session: Session::new(plan.clone()), plan }
    }

    /// Compares all definitions, checks and flags on an execution.
    pub fn agree(&mut self, candidate: &Candidate) -> Result<(), String> {
        let model = &self.loaded.model;
        let mut naive = Naive::new(&model.pool, candidate);
        let mut staged = Staged { failed: Vec::new(), raised: Vec::new() };
        for (index, check) in model.checks.iter().enumerate() {
            match (check.role, naive.holds(check)) {
                (Role::Require, Some(false)) | (Role::When, None) => staged.failed.push(index),
                (Role::Flag, Some(true)) | (Role::Undefined, Some(false)) => staged.raised.push(index),
                _ => {}
            }
        }
        self.kernel(candidate, &staged, &mut naive)?;
        self.reference(candidate, &staged, &mut naive)
    }

    /// The kernel, fed with the whole execution at once.
    fn kernel(&mut self, candidate: &Candidate, staged: &Staged, naive: &mut Naive<'_>) -> Result<(), String> {
        let session = &mut self.session;
        session.reset();
        candidate.universe.iter().for_each(|e| session.add_event(*e));
        candidate.values.iter().for_each(|(e, value)| session.set_value(*e, *value));
        for (index, input) in self.plan.inputs().iter().enumerate() {
            match input.sort {
                Sort::Set => candidate.set(&input.name).iter().for_each(|e| session.add_to_set(index, *e)),
                Sort::Rel => {
                    for (from, to) in candidate.relation(&input.name) {
                        session.add_row(index, from, [to].into_iter().collect::<Bits>().words());
                    }
                }
            }
        }
        // A part of an operand may settle the check whatever the rest is, which may have no value.
        let has_value = |naive: &mut Naive<'_>, check: usize| naive.holds(&self.loaded.model.checks[check]).is_some();
        match session.violated_final() {
            Some(check) if !staged.failed.contains(&check) && has_value(naive, check) => {
                return Err(format!("the kernel says that check {check} fails, {:?} do", staged.failed));
            }
            None if !staged.failed.is_empty() => {
                return Err(format!("the kernel accepts, checks {:?} fail", staged.failed));
            }
            _ => {}
        }
        if staged.failed.is_empty() {
            let mut raised = Vec::new();
            session.flags(&mut raised);
            raised.retain(|i| !self.loaded.model.checks[*i].role.is_error());
            if raised != staged.raised {
                return Err(format!("the kernel raises {raised:?}, not {:?}", staged.raised));
            }
        }
        Ok(())
    }

    fn reference(&self, candidate: &Candidate, staged: &Staged, naive: &mut Naive<'_>) -> Result<(), String> {
        let options = Options { through: true, definitions: true, ..Options::default() };
        let branches = match run(self.loaded, candidate, &options) {
            Ok(branches) => branches,
            Err(e) if e.message.contains("does not end") => {
                let mut checks = self.loaded.model.checks.iter().filter(|check| check.role == Role::Settle);
                let fails = checks.any(|check| naive.holds(check).is_none());
                return fails.then_some(()).ok_or(format!("{}: only without staging", e.message));
            }
            Err(e) => return Err(e.message),
        };
        let [branch] = &branches[..] else { return Err(format!("{} branches", branches.len())) };
        let checks = &self.loaded.model.checks;
        let places = |indices: &[usize]| -> BTreeSet<(u32, usize)> {
            indices.iter().map(|i| (checks[*i].place.0, checks[*i].place.1.start)).collect()
        };
        let (failed, raised) = (places(&staged.failed), places(&staged.raised));
        let expected: BTreeSet<(u32, usize)> =
            branch.failed.iter().map(|f| (f.span.file, f.span.range().start)).collect();
        // A choice that has nothing to choose, and a recursion whose test fails, end the run at once: what follows has no value.
        if !branch.complete {
            return expected.is_subset(&failed).then_some(()).ok_or(format!("{expected:?} not in {failed:?}"));
        }
        if expected != failed {
            return Err(format!("checks at {expected:?} fail, staged {failed:?}"));
        }
        if branch.raised != raised {
            return Err(format!("raised at {:?}, staged {raised:?}", branch.raised));
        }
        for (name, expr) in &self.loaded.model.definitions {
            match naive.value(*expr) {
                Some(Value::Set(set)) => match branch.sets.get(name) {
                    Some(expected) if *expected != set => return Err(format!("{name}: {expected:?}, staged {set:?}")),
                    _ => {}
                },
                Some(Value::Rel(rel)) => match branch.relations.get(name) {
                    Some(expected) if *expected != rel => return Err(format!("{name}: {expected:?}, staged {rel:?}")),
                    _ => {}
                },
                None => return Err(format!("{name} has no value")),
            }
        }
        Ok(())
    }
}
