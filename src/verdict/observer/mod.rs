//! Sees the executions of a program and keeps what matters: findings, flags, what could not be run.
//!
//! - [`crashes`]: what the recovery finds behind them.
//! - [`parts`]: observers of the parts of a search, and what they tell each other.

mod crashes;
mod parts;

use crate::algebra::{Check, Model, Role, naive};
use crate::cat::Loaded;
use crate::explore::coverage::Coverage;
use crate::explore::{Execution, Go, Problem, Visitor};
use crate::graph::{Lane, Status, view};
use crate::patience;
use crate::program::fault::Fault;
use crate::verdict::calls::linearizable::Linearizability;
use crate::verdict::crash::Crashes;
use crate::verdict::finding::{self, Property};
use crate::verdict::flags;
use crate::verdict::memory::settled::Settled;
use crate::verdict::memory::{births, leaks, lifetimes, misuse};
use crate::verdict::outcomes::Outcomes;
use crate::verdict::picture::place::Place;
use crate::verdict::picture::sources::Sources;
use crate::verdict::picture::{Picture, RowOrder, draw, order, related};
use crate::verdict::reasons::orders;
use crate::verdict::result::{Finding, Flag};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// A visitor that collects findings.
pub struct Observer<'a> {
    loaded: &'a Loaded,
    model: &'a Model,
    sources: &'a Sources,
    properties: Vec<Property>,
    keep_going: bool,
    /// Whether the model may have no answer for an execution.
    may_lack_answers: bool,
    raised: Vec<u64>,
    /// What is known of accesses and the end of what they access.
    settled: Settled<'a>,
    /// The relations of the model that pictures show.
    relations: Vec<String>,
    /// Which flag a finding comes from, by place in `findings`.
    flagged: Vec<(usize, usize)>,
    /// What flags that make no program wrong are about, in the first execution that raises them.
    about: FxHashMap<usize, Vec<String>>,
    /// What is wrong, each once, in the order in which it was found.
    pub findings: Vec<Finding>,
    /// What the program does that hmc cannot run, each once.
    pub unsupported: Vec<Finding>,
    /// What is not wrong but hardly meant, each once.
    pub warnings: Vec<Finding>,
    /// What executions reach, if it is to be known.
    pub coverage: Option<Coverage>,
    /// The values that executions end with, if they are to be known.
    pub outcomes: Option<Outcomes>,
    /// Calls that are held against a specification, if there is one.
    pub linearizability: Option<Linearizability>,
    /// What the recovery finds, if it is to be run.
    pub crashes: Option<Crashes>,
    /// The first execution with an outcome that surprises.
    pub surprise: Option<Picture>,
    /// What ends executions and is not looked for, each property and place once.
    pub left_out: Vec<LeftOut>,
}

/// An error that ends executions, of a property that is not looked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LeftOut {
    /// The property.
    pub property: Property,
    /// One sentence.
    pub message: String,
    /// Where it shows.
    pub place: Option<Place>,
}

impl LeftOut {
    fn of(property: Property, Finding { message, place, .. }: Finding) -> LeftOut {
        LeftOut { property, message, place }
    }
}

impl<'a> Observer<'a> {
    /// An observer that has seen nothing. It ends the search at the first finding, unless told to keep going. `model` is what is
    /// explored with; findings are confirmed with the model as `loaded`.
    pub fn new(
        loaded: &'a Loaded,
        model: &'a Model,
        sources: &'a Sources,
        properties: &[Property],
        keep_going: bool,
    ) -> Self {
        Observer {
            loaded,
            model,
            sources,
            properties: properties.to_vec(),
            keep_going,
            may_lack_answers: model.checks.iter().any(|check| check.role.is_error()),
            raised: vec![0; model.checks.len()],
            settled: Settled::new(model),
            relations: Vec::new(),
            flagged: Vec::new(),
            about: FxHashMap::default(),
            findings: Vec::new(),
            unsupported: Vec::new(),
            warnings: Vec::new(),
            coverage: None,
            outcomes: None,
            linearizability: None,
            crashes: None,
            surprise: None,
            left_out: Vec::new(),
        }
    }

    /// The same, which draws these relations of the model.
    #[must_use]
    pub fn relating(mut self, relations: Vec<String>) -> Self {
        self.relations = relations;
        self
    }

    /// The same, which notes what executions reach.
    #[must_use]
    pub fn covering(mut self, covers: bool) -> Self {
        self.coverage = covers.then(Coverage::default);
        self
    }

    /// The same, which notes the outcomes of complete executions.
    #[must_use]
    pub fn observing(mut self, outcomes: Option<Outcomes>) -> Self {
        self.outcomes = outcomes;
        self
    }

    /// The same, which holds calls against a specification.
    #[must_use]
    pub fn specified(mut self, linearizability: Option<Linearizability>) -> Self {
        self.linearizability = linearizability;
        self
    }

    /// The flags that were raised.
    pub fn flags(&self) -> Vec<Flag> {
        let mut flags: Vec<Flag> = Vec::new();
        for (number, (check, &executions)) in self.model.checks.iter().zip(&self.raised).enumerate() {
            if executions == 0 || check.role.is_error() {
                continue;
            }
            let undefined = check.role == Role::Undefined;
            let events = self.about.get(&number).cloned().unwrap_or_default();
            match flags.iter_mut().find(|f| f.name == flags::name(check)) {
                Some(flag) => {
                    flag.executions = flag.executions.max(executions);
                    if flag.events.is_empty() {
                        flag.events = events;
                    }
                }
                None => flags.push(Flag { name: flags::name(check).to_owned(), executions, undefined, events }),
            }
        }
        flags
    }

    /// Counts checks, by number, so many times less.
    pub fn discount(&mut self, again: &FxHashMap<usize, u64>) {
        again.iter().for_each(|(&check, count)| self.raised[check] -= count);
    }

    /// The checks for which the model has no answer for some execution.
    pub fn failures(&self) -> Vec<&'a Check> {
        self.raised().filter(|(check, _)| check.role.is_error()).map(|(check, _)| check).collect()
    }

    /// Whether the model has no answer for an execution: what goes wrong in it says nothing of the program then. Complete executions come with what is
    /// raised in them; others are judged here.
    fn has_no_answer(&mut self, execution: &Execution<'_, '_>, complete: bool) -> bool {
        if !self.may_lack_answers {
            return false;
        }
        let raised = match complete {
            true => execution.flags.to_vec(),
            false => {
                let candidate = view::candidate(execution.graph, &execution.world.deps, execution.world.program);
                naive::judge(self.model, &candidate).fired
            }
        };
        let is_error = |check: &usize| self.model.checks[*check].role.is_error();
        let failing: Vec<usize> = raised.into_iter().filter(is_error).collect();
        for &check in &failing {
            self.raised[check] = self.raised[check].saturating_add(execution.stands_for);
        }
        !failing.is_empty()
    }

    /// The checks that speak up in some execution, and in how many.
    fn raised(&self) -> impl Iterator<Item = (&'a Check, u64)> {
        self.model.checks.iter().zip(self.raised.iter().copied()).filter(|(_, n)| *n > 0)
    }

    fn looks_for(&self, property: Property) -> bool {
        self.properties.contains(&property)
    }

    /// Says which orders an execution lacks that no interleaving explains.
    fn add_orders(&self, execution: &Execution<'_, '_>, finding: &mut Finding) {
        if finding.execution.order != RowOrder::Interleaving {
            let (ids, _) = order::rows(execution.graph);
            let rows = ids.iter().enumerate().map(|(i, &e)| (e, i as u32)).collect();
            let deadline = execution.world.options.deadline;
            let explained = patience::within(deadline, || orders::explain(execution, self.model, &rows));
            if let Some(orders) = explained.flatten() {
                orders.draw(&mut finding.execution);
                finding.orders = Some(orders);
            }
        }
    }

    /// Counts the flags of these kinds that an execution raises, and describes the first execution with one that makes the program wrong.
    fn look_at_flags(&mut self, execution: &Execution<'_, '_>, counts: fn(&Check) -> bool) -> Go {
        let mut go = Go::On;
        let model = self.model;
        let flags = execution.flags.iter().map(|&flag| (flag, &model.checks[flag]));
        for (flag, check) in flags.filter(|(_, check)| counts(check)) {
            let first = self.raised[flag] == 0;
            self.raised[flag] = self.raised[flag].saturating_add(execution.stands_for);
            if first && flags::is_violation(check) && self.looks_for(Property::Race) {
                let found = self.findings.len();
                go = self.keep(execution, flags::describe(execution, self.loaded, model, check, self.sources));
                if self.findings.len() > found {
                    self.flagged.push((flag, found));
                }
            } else if first && !flags::is_violation(check) && !check.role.is_error() {
                let events = flags::events(execution, self.loaded, model, check, self.sources);
                self.about.insert(flag, events);
            }
        }
        go
    }

    /// Keeps a read of what was never written, if there is one.
    fn look_for_uninitialised(&mut self, execution: &Execution<'_, '_>) -> Option<Go> {
        let looks = self.looks_for(Property::Uninitialised);
        let mut finding = looks.then(|| finding::uninitialised(execution, self.sources)).flatten()?;
        self.add_orders(execution, &mut finding);
        Some(self.keep(execution, finding))
    }

    /// Keeps an access to memory that may be freed by then, or not yet allocated, if there is one.
    fn look_for_freed(&mut self, execution: &Execution<'_, '_>) -> Option<Go> {
        if !self.looks_for(Property::Memory) {
            return None;
        }
        let freed = lifetimes::find(execution, self.model, &mut self.settled, self.sources);
        let finding = freed.or_else(|| births::find(execution, self.model, &mut self.settled, self.sources))?;
        Some(self.keep(execution, finding))
    }

    /// Looks for all that can be wrong with an execution but how it ends.
    fn look_at_all(&mut self, execution: &Execution<'_, '_>) -> Go {
        let mut go = self.look_at_flags(execution, |_| true);
        if let Some(finding) = self.misuse(execution) {
            go = self.keep(execution, finding);
        } else if let Some(found) = self.look_for_uninitialised(execution) {
            go = found;
        }
        self.look_for_freed(execution).unwrap_or(go)
    }

    /// Keeps a history that no order of its calls explains, if there is one.
    fn look_at_calls(&mut self, execution: &Execution<'_, '_>) -> Option<Go> {
        let finding = self.linearizability.as_mut()?.find(execution, self.model, self.sources)?;
        self.looks_for(Property::Linearizability).then(|| self.keep(execution, finding))
    }

    fn misuse(&self, execution: &Execution<'_, '_>) -> Option<Finding> {
        if !self.looks_for(Property::Locks) && !self.looks_for(Property::Threads) {
            return None;
        }
        misuse::find(execution, self.sources).filter(|f| self.properties.iter().any(|p| p.name() == f.kind))
    }

    fn cover(&mut self, execution: &Execution<'_, '_>) {
        if let Some(coverage) = &mut self.coverage {
            coverage.see(execution);
        }
    }

    fn keep(&mut self, execution: &Execution<'_, '_>, mut finding: Finding) -> Go {
        related::relate(&mut finding.execution, execution, self.model, &self.relations);
        self.add(finding);
        if self.keep_going { Go::On } else { Go::Stop }
    }

    fn add(&mut self, mut finding: Finding) {
        finding::move_out(&mut finding);
        let same = |f: &Finding| f.kind == finding.kind && f.place == finding.place && f.message == finding.message;
        if !self.findings.iter().any(same) {
            self.findings.push(finding);
        }
    }

    fn add_unsupported(&mut self, finding: Finding) {
        if !self.unsupported.iter().any(|f| f.message == finding.message && f.place == finding.place) {
            self.unsupported.push(finding);
        }
    }

    /// Notes an error that is not looked for. Its execution is described only where there is something new to say.
    fn leave_out(&mut self, execution: &Execution<'_, '_>, problem: &Problem) {
        let property = finding::property(problem);
        let known = |place: &Option<Place>| self.left_out.iter().any(|l| l.property == property && l.place == *place);
        match problem {
            Problem::Fault(_, span, _) if known(&draw::place(execution.world.program, *span)) => return,
            Problem::Stuck(_) if self.left_out.iter().any(|l| l.property == property) => return,
            _ => {}
        }
        self.add_left_out(LeftOut::of(property, finding::describe(execution, problem, self.sources)));
    }

    fn add_left_out(&mut self, error: LeftOut) {
        if !self.left_out.iter().any(|l| l.property == error.property && l.place == error.place) {
            self.left_out.push(error);
        }
    }

    fn warn(&mut self, warning: Finding) {
        if !self.warnings.iter().any(|w| w.kind == warning.kind && w.place == warning.place) {
            self.warnings.push(warning);
        }
    }
}

impl Visitor for Observer<'_> {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        if self.has_no_answer(execution, true) {
            return Go::On;
        }
        self.cover(execution);
        if let Some(outcomes) = &mut self.outcomes {
            let surprises = outcomes.see(execution);
            if surprises && self.surprise.is_none() {
                self.surprise = Some(draw::draw(execution, self.sources).picture);
            }
        }
        let go = self.look_at_all(execution);
        let go = self.look_at_calls(execution).unwrap_or(go);
        let go = if go == Go::On { self.look_at_crashes(execution) } else { go };
        for warning in leaks::find(execution) {
            self.warn(warning);
        }
        go
    }

    /// Other flags than races may speak of what has not come yet.
    fn unfinished(&mut self, execution: &Execution<'_, '_>) -> Go {
        if self.has_no_answer(execution, false) {
            return Go::On;
        }
        let go = self.look_at_flags(execution, flags::is_race);
        let go = self.look_for_uninitialised(execution).unwrap_or(go);
        self.look_for_freed(execution).unwrap_or(go)
    }

    fn endless(&mut self, execution: &Execution<'_, '_>) -> Go {
        match self.has_no_answer(execution, false) {
            true => Go::On,
            false => {
                self.cover(execution);
                self.look_at_all(execution)
            }
        }
    }

    fn wants_blocked(&self) -> bool {
        self.coverage.is_some() || self.linearizability.is_some()
    }

    fn blocked(&mut self, execution: &Execution<'_, '_>) {
        self.cover(execution);
        // The calls that have returned were made, whatever the others assume. A thread that waits goes on in another execution, or waits for ever: that is a problem.
        let has_ended = |lane: &Lane| !matches!(lane.status, Status::Waiting(_));
        if self.linearizability.is_some()
            && execution.graph.lanes().iter().all(has_ended)
            && !self.has_no_answer(execution, false)
        {
            self.look_at_calls(execution);
        }
    }

    fn problem(&mut self, execution: &Execution<'_, '_>, problem: &Problem) -> Go {
        self.cover(execution);
        match problem {
            Problem::Fault(_, _, fault) if Fault::is_unsupported(fault) => {
                // What cannot be run may come of a misuse: a barrier that was never initialised counts nobody.
                if let Some(misuse) = self.misuse(execution) {
                    return self.keep(execution, misuse);
                }
                let finding = finding::describe(execution, problem, self.sources);
                self.add_unsupported(finding);
                Go::On
            }
            _ if self.has_no_answer(execution, false) => Go::On,
            _ => {
                // What waits for ever can crash, too.
                if matches!(problem, Problem::Stuck(_)) && self.look_at_crashes(execution) == Go::Stop {
                    return Go::Stop;
                }
                let wanted = self.looks_for(finding::property(problem));
                // Threads that wait for ever may do so because a lock was misused before; and what nobody asks about hides no misuse.
                let asks = !wanted || matches!(problem, Problem::Stuck(_));
                let misuse = asks.then(|| self.misuse(execution)).flatten();
                let describe = || wanted.then(|| finding::describe(execution, problem, self.sources));
                let Some(mut finding) = misuse.or_else(describe) else {
                    self.leave_out(execution, problem);
                    return self.look_at_calls(execution).unwrap_or(Go::On);
                };
                self.add_orders(execution, &mut finding);
                self.keep(execution, finding)
            }
        }
    }
}
