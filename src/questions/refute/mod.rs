//! Refutation: the smallest programs with an outcome that one model allows and another one forbids.
//!
//! Programs and executions are those of synthesis. What is found is judged again by the plain evaluator.

pub mod evaluated;

use crate::algebra::naive;
use crate::cat::Loaded;
use crate::synth::Progress;
use crate::synth::Test;
use crate::synth::differ::of_program;
use crate::synth::minimal::frame::Layout;
use crate::synth::minimal::judge::Judge;
use crate::synth::minimal::{Outcome, Witness};
use crate::synth::parallel::{self, bounds};
use crate::synth::programs::plain::{Execution, Row};
use crate::synth::programs::program::Program;
use crate::synth::programs::vocabulary::Vocabulary;
use crate::synth::suite::name::Names;
use crate::synth::suite::print::{Condition, litmus};
use crate::verdict::reasons::explain;
use serde::Serialize;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// A model, ready to be asked.
pub struct Subject<'a> {
    /// As the user calls it.
    pub name: &'a str,
    /// The model.
    pub loaded: &'a Loaded,
    /// The same, compiled for the programs.
    pub judge: &'a Judge,
}

/// A test on which two models differ.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Difference {
    /// The name of the test.
    pub name: String,
    /// The number of events.
    pub size: usize,
    /// The program in one line.
    pub program: String,
    /// The model that allows the outcome.
    pub allowed_by: String,
    /// The model that forbids it.
    pub forbidden_by: String,
    /// An axiom of that model that an execution with the outcome violates.
    pub axiom: String,
    /// The cycle that violates it.
    pub cycle: String,
    /// The litmus test; its condition is the outcome.
    pub litmus: String,
}

/// The smallest programs found.
#[derive(Clone, Default, Debug)]
pub struct Found {
    /// With an outcome that only the first, or only the second model allows.
    pub only: [Option<(Program, Outcome)>; 2],
    /// The last size that was searched to the end, for what is still looked for.
    pub complete: usize,
}

/// Looks for the smallest programs on which models differ, in the directions that are wanted.
pub fn tell_apart(
    judges: [&Judge; 2],
    vocabulary: &Vocabulary,
    size: usize,
    workers: usize,
    wanted: [bool; 2],
    progress: &Progress,
) -> Found {
    let mut found = Found::default();
    for size in 2..=size {
        let open = [0, 1].map(|side| wanted[side] && found.only[side].is_none());
        if open == [false, false] {
            break;
        }
        let best: Mutex<[Option<(Program, Outcome)>; 2]> = Mutex::default();
        let ended = parallel::each(vocabulary, judges[0], bounds(size), workers, progress, |program| {
            let Some(difference) = of_program(program, judges, vocabulary) else { return };
            let mut best = best.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            for side in (0..2).filter(|&side| open[side]) {
                let Some(outcome) = difference.only[side].first() else { continue };
                let own = (program.clone(), outcome.clone());
                if best[side].as_ref().is_none_or(|known| own < *known) {
                    progress.found.fetch_add(1, Ordering::Relaxed);
                    best[side] = Some(own);
                }
            }
        });
        let best = best.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        for (own, new) in found.only.iter_mut().zip(best) {
            if own.is_none() {
                *own = new;
            }
        }
        if !ended {
            return found;
        }
        found.complete = size;
    }
    found
}

/// A difference as a test, with both verdicts and the reason of one. Errors: what printing says; the plain evaluator says otherwise.
pub fn described(
    program: &Program,
    outcome: &Outcome,
    allows: &Subject<'_>,
    forbids: &Subject<'_>,
    vocabulary: &Vocabulary,
) -> Result<Difference, String> {
    let plain = Plain::of(program, outcome, vocabulary);
    let Some(allowed) = plain.allowed(allows) else {
        return Err(format!("the plain evaluator finds the outcome forbidden by {}", allows.name));
    };
    if !has_own_orders(forbids) && plain.allowed(forbids).is_some() {
        return Err(format!("the plain evaluator finds the outcome allowed by {}", forbids.name));
    }
    let (axiom, cycle) = plain.violation(allowed, forbids);
    let comment = format!("allowed by {}, forbidden by {} ({axiom})", allows.name, forbids.name);
    let (name, litmus) = plain.printed(allowed, &comment)?;
    Ok(Difference {
        litmus,
        name,
        size: program.size(),
        program: program.text(vocabulary),
        allowed_by: allows.name.to_owned(),
        forbidden_by: forbids.name.to_owned(),
        axiom,
        cycle,
    })
}

/// Whether a model chooses orders, which the plain evaluator does not.
pub(super) fn has_own_orders(subject: &Subject<'_>) -> bool {
    !subject.loaded.orders.is_empty()
}

/// An outcome of a program, for the plain evaluator.
pub struct Plain<'a> {
    program: &'a Program,
    vocabulary: &'a Vocabulary,
    row: Row,
    executions: Vec<Execution>,
}

impl<'a> Plain<'a> {
    /// All executions with an outcome. Time grows exponentially with the size of the program.
    pub fn of(program: &'a Program, outcome: &Outcome, vocabulary: &'a Vocabulary) -> Plain<'a> {
        let row = Row::of(program);
        let mut executions = row.executions(vocabulary);
        executions.retain(|x| {
            outcome.sources.iter().all(|source| x.rf.contains(source))
                && x.co.iter().zip(&outcome.lasts).all(|(order, last)| last.is_none() || order.last() == last.as_ref())
        });
        Plain { program, vocabulary, row, executions }
    }

    /// Whether a model accepts an execution. What cannot be evaluated is not accepted.
    fn accepted(&self, at: usize, subject: &Subject<'_>) -> bool {
        if subject.loaded.dynamic {
            let candidate = self.row.candidate(self.vocabulary, &self.executions[at]);
            return evaluated::accepts(subject.loaded, &candidate) == Ok(true);
        }
        self.violated(at, subject).is_empty()
    }

    fn violated(&self, at: usize, subject: &Subject<'_>) -> Vec<usize> {
        let candidate = self.row.candidate(self.vocabulary, &self.executions[at]);
        naive::judge(&subject.loaded.model, &candidate).violated
    }

    /// An execution that a model allows.
    pub fn allowed(&self, subject: &Subject<'_>) -> Option<usize> {
        (0..self.executions.len()).find(|&at| has_own_orders(subject) || self.accepted(at, subject))
    }

    /// The axiom that forbids an execution, and the cycle.
    pub fn violation(&self, at: usize, forbids: &Subject<'_>) -> (String, String) {
        let violated = if has_own_orders(forbids) { Vec::new() } else { self.violated(at, forbids) };
        let Some(&check) = violated.first() else { return ("the whole model".to_owned(), String::new()) };
        let model = &forbids.loaded.model;
        let axiom = model.checks[check].name.clone().unwrap_or_else(|| format!("check {}", check + 1));
        let candidate = self.row.candidate(self.vocabulary, &self.executions[at]);
        let witness = explain::witness(model, &candidate, &model.checks[check]);
        let steps = witness.steps.iter().map(|step| {
            let name = |e: u32| event_name(self.program, self.vocabulary, e as usize);
            format!("{} {} {}", name(step.from), step.name, name(step.to))
        });
        (axiom, steps.collect::<Vec<_>>().join(", "))
    }

    /// The name and text of the test whose condition is an execution's outcome. Errors: what printing says.
    pub fn printed(&self, at: usize, comment: &str) -> Result<(String, String), String> {
        let execution = &self.executions[at];
        let layout = Layout::new(self.program, self.vocabulary);
        let source = |read| execution.rf.iter().find(|(own, _)| own == read);
        let rf = layout.reads.iter().filter_map(source).copied().collect();
        let witness = Witness { rf, co: execution.co.clone(), axioms: 1, forbidden: true };
        let test = Test { program: self.program.clone(), outcomes: vec![witness] };
        let name = Names::new(self.vocabulary).of(self.program);
        let litmus = litmus(&test, self.vocabulary, &name, &[comment.to_owned()], Condition::Exists)?;
        Ok((name, litmus))
    }
}

/// An event as its thread and token.
fn event_name(program: &Program, vocabulary: &Vocabulary, number: usize) -> String {
    let mut first = 0;
    for (thread, shape) in program.threads.iter().enumerate() {
        if let Some(event) = shape.events.get(number - first) {
            let address = if event.address == crate::synth::programs::program::NO_ADDRESS {
                String::new()
            } else {
                format!("({})", crate::synth::programs::program::address(event.address))
            };
            return format!("P{thread}:{}{address}", vocabulary.token(event.token).name);
        }
        first += shape.events.len();
    }
    format!("init({})", crate::synth::programs::program::address((number - first) as u8))
}
