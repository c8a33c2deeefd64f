//! Models of which a part can only be evaluated on executions: every execution of small programs, judged by the reference evaluator.
//!
//! It takes milliseconds an execution, where the compiled search takes microseconds.

use super::Found;
use crate::cat::{Loaded, reference};
use crate::relation::candidate::Candidate;
use crate::synth::Progress;
use crate::synth::minimal::Outcome;
use crate::synth::minimal::judge::Judge;
use crate::synth::parallel::{self, bounds};
use crate::synth::programs::plain::{Execution, Row};
use crate::synth::programs::program::Program;
use crate::synth::programs::vocabulary::Vocabulary;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

/// The smallest programs so far that only the first, and only the second model allows an outcome of.
type Best = [Option<(Program, Outcome)>; 2];

/// Whether a model accepts an execution. Errors: what the evaluator says.
pub fn accepts(loaded: &Loaded, candidate: &Candidate) -> Result<bool, String> {
    reference::accepts(loaded, candidate).map(|flags| flags.is_some()).map_err(|error| error.message)
}

/// As [`super::tell_apart`]. `shape`: a model that is compiled as far as it can be; programs do not depend on it.
pub fn tell_apart(
    models: [&Loaded; 2],
    shape: &Judge,
    vocabulary: &Vocabulary,
    size: usize,
    workers: usize,
    wanted: [bool; 2],
    progress: &Progress,
) -> Result<Found, String> {
    let mut found = Found::default();
    for size in 2..=size {
        let open = [0, 1].map(|side| wanted[side] && found.only[side].is_none());
        if open == [false, false] {
            break;
        }
        let best: Mutex<Result<Best, String>> = Mutex::new(Ok([None, None]));
        let ended = parallel::each(vocabulary, shape, bounds(size), workers, progress, |program| {
            let only = only(program, models, vocabulary);
            let mut best = best.lock().unwrap_or_else(PoisonError::into_inner);
            match (&mut *best, only) {
                (Ok(best), Ok(only)) => {
                    for side in (0..2).filter(|&side| open[side]) {
                        let Some(outcome) = only[side].first() else { continue };
                        let own = (program.clone(), outcome.clone());
                        if best[side].as_ref().is_none_or(|known| own < *known) {
                            progress.found.fetch_add(1, Ordering::Relaxed);
                            best[side] = Some(own);
                        }
                    }
                }
                (Ok(_), Err(error)) => {
                    progress.stop.store(true, Ordering::Relaxed);
                    *best = Err(error);
                }
                (Err(_), _) => {}
            }
        });
        let best = best.into_inner().unwrap_or_else(PoisonError::into_inner)?;
        for (own, new) in found.only.iter_mut().zip(best) {
            if own.is_none() {
                *own = new;
            }
        }
        if !ended {
            return Ok(found);
        }
        found.complete = size;
    }
    Ok(found)
}

/// The outcomes of a program that only the first, and that only the second model allows.
fn only(program: &Program, models: [&Loaded; 2], vocabulary: &Vocabulary) -> Result<[BTreeSet<Outcome>; 2], String> {
    let row = Row::of(program);
    let mut allowed = [BTreeSet::new(), BTreeSet::new()];
    for execution in row.executions(vocabulary) {
        let candidate = row.candidate(vocabulary, &execution);
        for (loaded, allowed) in models.into_iter().zip(&mut allowed) {
            if accepts(loaded, &candidate)? {
                allowed.insert(outcome(&execution));
            }
        }
    }
    let [a, b] = allowed;
    Ok([&a - &b, &b - &a])
}

fn outcome(execution: &Execution) -> Outcome {
    let lasts = execution.co.iter().map(|order| order.last().copied()).collect();
    Outcome { sources: execution.rf.clone(), lasts }
}
