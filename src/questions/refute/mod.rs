//! Refutation: the smallest programs with an outcome that one model allows and another one forbids.
//!
//! Programs and executions are those of synthesis. What is found is judged again by the plain evaluator.

use crate::algebra::naive;
use crate::cat::Loaded;
use crate::synth::Progress;
use crate::synth::Test;
use crate::synth::differ::of_program;
use crate::synth::frame::Layout;
use crate::synth::judge::Judge;
use crate::synth::matrix::EVENTS;
use crate::synth::minimal::{Outcome, Witness};
use crate::synth::name::Names;
use crate::synth::plain::Row;
use crate::synth::print::{Condition, litmus};
use crate::synth::program::Program;
use crate::synth::programs::{Bounds, Programs};
use crate::synth::shapes::Shapes;
use crate::synth::vocabulary::Vocabulary;
use crate::verdict::explain;
use serde::Serialize;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

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
        let bounds = Bounds { size, threads: size, addresses: size.min(EVENTS - size) };
        let maker = Shapes::new(vocabulary, judges[0], &[], false);
        let programs = Programs::new(vocabulary, &maker, bounds);
        progress.begin(size, programs.parts());
        let next = AtomicUsize::new(0);
        let best: Mutex<[Option<(Program, Outcome)>; 2]> = Mutex::default();
        std::thread::scope(|scope| {
            for _ in 0..workers.max(1) {
                scope.spawn(|| {
                    loop {
                        let part = next.fetch_add(1, Ordering::Relaxed);
                        if part >= programs.parts() || progress.is_stopped() {
                            break;
                        }
                        let _ = programs.of_part(part, &mut |program| {
                            progress.programs.fetch_add(1, Ordering::Relaxed);
                            if let Some(difference) = of_program(program, judges, vocabulary) {
                                let mut best = best.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                                for side in (0..2).filter(|&side| open[side]) {
                                    let Some(outcome) = difference.only[side].first() else { continue };
                                    let own = (program.clone(), outcome.clone());
                                    if best[side].as_ref().is_none_or(|known| own < *known) {
                                        progress.found.fetch_add(1, Ordering::Relaxed);
                                        best[side] = Some(own);
                                    }
                                }
                            }
                            if progress.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                        });
                        progress.done.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        });
        let best = best.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        for (own, new) in found.only.iter_mut().zip(best) {
            if own.is_none() {
                *own = new;
            }
        }
        if progress.is_stopped() {
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
    let row = Row::of(program);
    let all = row.executions(vocabulary);
    let agrees = |rf: &[(usize, usize)], co: &[Vec<usize>]| {
        outcome.sources.iter().all(|source| rf.contains(source))
            && co.iter().zip(&outcome.lasts).all(|(order, last)| last.is_none() || order.last() == last.as_ref())
    };
    let of_outcome: Vec<_> = all.iter().filter(|x| agrees(&x.rf, &x.co)).collect();
    let rejects = |subject: &Subject<'_>, at: usize| {
        let candidate = row.candidate(vocabulary, of_outcome[at]);
        naive::judge(&subject.loaded.model, &candidate).violated
    };
    let own_orders = |subject: &Subject<'_>| !subject.loaded.orders.is_empty();
    let mut axiom = "the whole model".to_owned();
    let mut cycle = String::new();
    let allowed = (0..of_outcome.len()).find(|&at| own_orders(allows) || rejects(allows, at).is_empty());
    let Some(allowed) = allowed else {
        return Err(format!("the plain evaluator finds the outcome forbidden by {}", allows.name));
    };
    if !own_orders(forbids) {
        if (0..of_outcome.len()).any(|at| rejects(forbids, at).is_empty()) {
            return Err(format!("the plain evaluator finds the outcome allowed by {}", forbids.name));
        }
        let model = &forbids.loaded.model;
        let candidate = row.candidate(vocabulary, of_outcome[allowed]);
        if let Some(&check) = rejects(forbids, allowed).first() {
            axiom = model.checks[check].name.clone().unwrap_or_else(|| format!("check {}", check + 1));
            let witness = explain::witness(model, &candidate, &model.checks[check]);
            let steps = witness.steps.iter().map(|step| {
                let name = |e: u32| event_name(program, vocabulary, e as usize);
                format!("{} {} {}", name(step.from), step.name, name(step.to))
            });
            cycle = steps.collect::<Vec<_>>().join(", ");
        }
    }
    let execution = of_outcome[allowed];
    let layout = Layout::new(program, vocabulary);
    let rf = layout.reads.iter().filter_map(|read| execution.rf.iter().find(|(own, _)| own == read)).copied().collect();
    let witness = Witness { rf, co: execution.co.clone(), axioms: 1, forbidden: true };
    let test = Test { program: program.clone(), outcomes: vec![witness] };
    let name = Names::new(vocabulary).of(program);
    let comment = [format!("allowed by {}, forbidden by {} ({axiom})", allows.name, forbids.name)];
    Ok(Difference {
        litmus: litmus(&test, vocabulary, &name, &comment, Condition::Exists)?,
        name,
        size: program.size(),
        program: program.text(vocabulary),
        allowed_by: allows.name.to_owned(),
        forbidden_by: forbids.name.to_owned(),
        axiom,
        cycle,
    })
}

/// An event as its thread and token.
fn event_name(program: &Program, vocabulary: &Vocabulary, number: usize) -> String {
    let mut first = 0;
    for (thread, shape) in program.threads.iter().enumerate() {
        if let Some(event) = shape.events.get(number - first) {
            let address = if event.address == crate::synth::program::NO_ADDRESS {
                String::new()
            } else {
                format!("({})", crate::synth::program::address(event.address))
            };
            return format!("P{thread}:{}{address}", vocabulary.token(event.token).name);
        }
        first += shape.events.len();
    }
    format!("init({})", crate::synth::program::address((number - first) as u8))
}
