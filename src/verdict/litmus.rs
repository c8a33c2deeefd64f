//! Sees the executions of a litmus test and groups them by their final state.

use crate::algebra::{Model, Role};
use crate::explore::{Execution, Go, Problem, Visitor};
use crate::litmus::outcome::Found;
use crate::litmus::{Source, Test};
use crate::program::fault::Fault;
use rustc_hash::FxHashMap;

/// A visitor that collects final states.
pub struct FinalStates<'a> {
    test: &'a Test,
    model: &'a Model,
    groups: FxHashMap<Vec<u64>, Found>,
    /// What executions do that has no final state: bad addresses, what is not supported. Each once.
    pub faults: Vec<Fault>,
}

impl<'a> FinalStates<'a> {
    /// A visitor that has seen nothing.
    pub fn new(test: &'a Test, model: &'a Model) -> Self {
        FinalStates { test, model, groups: FxHashMap::default(), faults: Vec::new() }
    }

    /// The final states seen, in no particular order; those that the test's filter rejects are not among them.
    pub fn found(self) -> Vec<Found> {
        self.groups.into_values().collect()
    }

    /// The values that the test watches, at the end of an execution.
    fn values(&self, execution: &Execution<'_, '_>) -> Vec<u64> {
        let (graph, world) = (execution.graph, execution.world);
        let watched = self.test.context.watches.iter().map(|watch| match watch.source {
            Source::Register { thread, register } => {
                let thread = graph.lanes().get(thread as usize).and_then(|lane| lane.thread.as_ref());
                thread.and_then(|t| t.frame().regs.get(register as usize)).map_or(0, |slot| slot.value)
            }
            Source::Memory { address, size } => {
                let written = world.locs.find(address, size).and_then(|loc| graph.last_write(loc));
                let value = written.map(|write| graph.event(write).value);
                value.or_else(|| world.memory.read(address, size)).unwrap_or(0)
            }
        });
        watched.collect()
    }
}

impl Visitor for FinalStates<'_> {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        let values = self.values(execution);
        if !self.test.accepts(&values) {
            return Go::On;
        }
        let group =
            self.groups.entry(values).or_insert_with_key(|values| Found { values: values.clone(), ..Found::default() });
        group.count += 1;
        for &flag in execution.flags {
            let check = &self.model.checks[flag];
            match (&check.name, check.role) {
                (_, Role::Undefined) => group.undefined = true,
                (Some(name), _) if !group.flags.contains(name) => group.flags.push(name.clone()),
                _ => {}
            }
        }
        Go::On
    }

    fn problem(&mut self, _: &Execution<'_, '_>, problem: &Problem) -> Go {
        if let Problem::Fault(_, _, fault) = problem
            && !self.faults.contains(fault)
        {
            self.faults.push(fault.clone());
        }
        Go::On
    }
}
