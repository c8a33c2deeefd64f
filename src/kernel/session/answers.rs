//! What was found out by asking about a few events alone, kept for whoever asks the same under the plan again: in a batch of small tests, and where one
//! program is explored many times, the questions are always the same few.

use crate::kernel::plan::Plan;
use rustc_hash::FxHashMap;
use std::sync::{Mutex, PoisonError};

/// So many are kept before all are forgotten.
const KEPT: usize = 4096;

/// Answers by question: all that tells questions under one plan apart, whatever the program.
#[derive(Default)]
pub(in crate::kernel) struct Answers(Mutex<FxHashMap<Box<[u8]>, bool>>);

impl Plan {
    /// The answer to a question, if one was kept.
    pub fn answer(&self, question: &[u8]) -> Option<bool> {
        // A thread that panicked here left the table as it was.
        self.spare.answers.0.lock().unwrap_or_else(PoisonError::into_inner).get(question).copied()
    }

    /// Keeps the answer to a question.
    pub fn keep_answer(&self, question: &[u8], answer: bool) {
        let mut answers = self.spare.answers.0.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.len() >= KEPT {
            answers.clear();
        }
        answers.insert(question.into(), answer);
    }
}
