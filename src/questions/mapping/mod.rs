//! Whether a mapping compiles one model correctly to another one: no compiled program has an outcome that its source forbids.
//!
//! Programs of C11 are those of synthesis, compiled by [`compiled`]. What is found is judged again by the plain evaluator, on both sides.

mod compiled;

use super::refute::{Difference, Plain, Subject, has_own_orders};
use crate::llvm::mapping::Mapping;
use crate::synth::Progress;
use crate::synth::differ;
use crate::synth::minimal::frame::{Frame, Layout};
use crate::synth::minimal::{Outcome, is_allowed};
use crate::synth::parallel::{self, bounds};
use crate::synth::programs::program::Program;
use crate::synth::programs::vocabulary::Vocabulary;
pub use compiled::Compiler;
use serde::Serialize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase", tag = "verdict")]
pub enum Verdict {
    /// A compiled program does what its source may not do.
    Refuted {
        /// The source, with the outcome.
        test: Box<Difference>,
        /// The compiled program in one line.
        compiled: String,
    },
    /// None was found.
    Unknown {
        /// The last size that was searched to the end.
        up_to: usize,
        /// Programs that were not looked at: their compiled form is too large.
        left_out: u64,
    },
}

/// A mapping between two models.
pub struct Question<'a> {
    /// The model of the source.
    pub source: Subject<'a>,
    /// What sources are made of.
    pub vocabulary: &'a Vocabulary,
    /// The model of the compiled program.
    pub target: Subject<'a>,
    /// How sources are compiled.
    pub compiler: &'a Compiler,
}

impl Question<'_> {
    /// The least outcome of a program that the source forbids and the compiled program has. `None`: the compiled program is too large.
    fn wrong(&self, program: &Program) -> Option<Option<Outcome>> {
        let compiled = self.compiler.compile(program)?;
        let target = &self.compiler.target;
        let (above, below) = (Layout::new(program, self.vocabulary), Layout::new(&compiled.program, target));
        let mut source = Frame::whole(&above, self.vocabulary, self.source.judge);
        let mut machine = Frame::whole(&below, target, self.target.judge);
        let mut found: Option<Outcome> = None;
        differ::each(&above, &mut |outcome| {
            if found.as_ref().is_none_or(|known| outcome < known)
                && !is_allowed(&above, &mut source, self.source.judge, outcome)
                && is_allowed(&below, &mut machine, self.target.judge, &compiled.outcome(outcome))
            {
                found = Some(outcome.clone());
            }
        });
        Some(found)
    }

    /// Looks for the smallest program of up to a size that is compiled wrongly. Errors: the plain evaluator says otherwise; what printing says.
    pub fn answer(&self, size: usize, workers: usize, progress: &Progress) -> Result<Verdict, String> {
        let left_out = AtomicU64::new(0);
        let mut up_to = 1;
        for size in 2..=size {
            let best: Mutex<Option<(Program, Outcome)>> = Mutex::default();
            let ended = parallel::each(
                self.vocabulary,
                self.source.judge,
                bounds(size),
                workers,
                progress,
                |program| match self.wrong(program) {
                    None => {
                        left_out.fetch_add(1, Ordering::Relaxed);
                    }
                    Some(None) => {}
                    Some(Some(outcome)) => {
                        let own = (program.clone(), outcome);
                        let mut best = best.lock().unwrap_or_else(PoisonError::into_inner);
                        if best.as_ref().is_none_or(|known| own < *known) {
                            *best = Some(own);
                        }
                    }
                },
            );
            if let Some((program, outcome)) = best.into_inner().unwrap_or_else(PoisonError::into_inner) {
                return self.described(&program, &outcome);
            }
            if !ended {
                break;
            }
            up_to = size;
        }
        Ok(Verdict::Unknown { up_to, left_out: left_out.into_inner() })
    }

    /// What is wrong, as the plain evaluator sees it.
    fn described(&self, program: &Program, outcome: &Outcome) -> Result<Verdict, String> {
        let differs = |model: &str| format!("the plain evaluator says otherwise about {model}");
        let compiled = self.compiler.compile(program).ok_or_else(|| differs(self.target.name))?;
        let below = compiled.outcome(outcome);
        if Plain::of(&compiled.program, &below, &self.compiler.target).allowed(&self.target).is_none() {
            return Err(differs(self.target.name));
        }
        let above = Plain::of(program, outcome, self.vocabulary);
        if !has_own_orders(&self.source) && above.allowed(&self.source).is_some() {
            return Err(differs(self.source.name));
        }
        let (axiom, cycle) = above.violation(0, &self.source);
        let comment =
            format!("forbidden by {} ({axiom}), allowed by {} when compiled", self.source.name, self.target.name);
        let (name, litmus) = above.printed(0, &comment)?;
        let test = Difference {
            name,
            size: program.size(),
            program: program.text(self.vocabulary),
            allowed_by: self.target.name.to_owned(),
            forbidden_by: self.source.name.to_owned(),
            axiom,
            cycle,
            litmus,
        };
        Ok(Verdict::Refuted { test: Box::new(test), compiled: compiled.program.text(&self.compiler.target) })
    }
}

/// The mapping of a name, or that of a target's architecture. Errors: there is none; the file cannot be read.
pub fn named(name: Option<&str>, target: &str) -> Result<Mapping, String> {
    match name {
        Some(name) => Mapping::named(name),
        None => Ok(Mapping::for_arch(Some(target))),
    }
}
