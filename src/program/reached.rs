//! Which instructions threads have run: for those who want to know what of a program executions reach.

use super::Program;
use super::thread::{Action, Context, Thread};
use crate::ids::FuncId;
use serde::{Deserialize, Serialize};

/// Instructions that were run, by function and place in it.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub struct Reached(Vec<Vec<bool>>);

impl From<Vec<String>> for Reached {
    fn from(functions: Vec<String>) -> Reached {
        Reached(functions.iter().map(|code| code.bytes().map(|c| c == b'1').collect()).collect())
    }
}

impl From<Reached> for Vec<String> {
    fn from(reached: Reached) -> Vec<String> {
        let text = |code: &Vec<bool>| code.iter().map(|&run| if run { '1' } else { '0' }).collect();
        reached.0.iter().map(text).collect()
    }
}

impl Reached {
    /// None of a program was run.
    pub fn none_of(program: &Program) -> Reached {
        Reached(program.functions.iter().map(|f| vec![false; f.code.len()]).collect())
    }

    /// Whether an instruction was run.
    pub fn contains(&self, func: FuncId, pc: usize) -> bool {
        self.0.get(func.index()).and_then(|code| code.get(pc)).copied().unwrap_or(false)
    }

    /// Adds what was run elsewhere.
    pub fn add(&mut self, other: &Reached) {
        for (all, more) in self.0.iter_mut().zip(&other.0) {
            all.iter_mut().zip(more).for_each(|(all, more)| *all |= more);
        }
    }

    /// As [`Thread::run`], and notes each instruction on the way, the one at which it stops included.
    pub fn run(&mut self, thread: &mut Thread, cx: &mut Context<'_>) -> Action {
        let mut left = cx.budget;
        loop {
            self.note(thread);
            cx.budget = left.min(1);
            let action = thread.run(cx);
            // A bound on rounds cuts it without an instruction.
            if action != Action::Cut || cx.budget > 0 || left == 0 {
                self.note(thread);
                cx.budget = left;
                return action;
            }
            left -= 1;
        }
    }

    fn note(&mut self, thread: &Thread) {
        let at = self.0.get_mut(thread.frame().func.index()).and_then(|code| code.get_mut(thread.next() as usize));
        if let Some(at) = at {
            *at = true;
        }
    }
}
