//! What is asked of complete executions: checks that may look at nothing less, and flags.
//!
//! What they need is worked out when they are asked for. Where the small form has no code for them, the form for any execution is
//! told of the small one, and answers.

use super::Session;
use crate::kernel::plan::code::Item;
use crate::kernel::small::{Beyond, Fact};
use std::sync::Arc;

impl Session {
    /// A required check that the complete execution violates: a pruning check if there is one, else the one that is cheapest to
    /// evaluate.
    pub fn violated_final(&mut self) -> Option<usize> {
        self.settle();
        self.found().or_else(|| {
            if let (Some(small), Some(code)) = (&mut self.small, &self.plan.code.small) {
                let Some(at_end) = &code.at_end else {
                    return self.shown(|session| session.violated.or_else(|| session.last_violated())).flatten();
                };
                let mut violated = None;
                small.finish(code, &at_end.last, &mut |index| violated.replace(index).is_none());
                return violated;
            }
            self.last_violated()
        })
    }

    /// A check of complete executions that is violated.
    fn last_violated(&mut self) -> Option<usize> {
        let plan = Arc::clone(&self.plan);
        let violated = self.aside(|session| session.run(&plan.code.last, &mut |_| true));
        self.finished = violated.is_none();
        violated
    }

    /// Asks something of the form for any execution, which is told of the small one that there is for that.
    ///
    /// Of two executions that are asked about, one after the other, the second mostly has what the first began with. So frames are opened while one is
    /// told, ever closer to its end: what differs by its last `k` additions costs at most twice as many.
    fn shown<T>(&mut self, ask: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let plan = Arc::clone(&self.plan);
        let code = plan.code.small.as_ref()?;
        let mut small = self.small.take()?;
        let (kept, all) = (small.told(), small.additions());
        while self.told > kept {
            self.told = self.shown_at.pop().unwrap_or(0);
            self.pop();
        }
        while self.told < all {
            self.shown_at.push(self.told);
            self.push();
            let next = all - (all - self.told) / 2;
            small.tell(code, self.told..next, &mut |row, fact| match fact {
                Fact::New => self.add_event(row),
                Fact::Member(input) => self.add_to_set(input, row),
                Fact::To(input, targets) => self.add_row(input, row, targets),
                Fact::From(input, sources) => self.add_column(input, sources, row),
            });
            self.told = next;
        }
        self.settle();
        let answer = ask(self);
        self.small = Some(small);
        Some(answer)
    }

    /// Appends the indices of the flags, undefinedness conditions and assertions that fire, on a complete consistent execution.
    pub fn flags(&mut self, out: &mut Vec<usize>) {
        self.settle();
        if let (Some(small), Some(code)) = (&mut self.small, &self.plan.code.small) {
            if self.plan.code.flags.is_empty() {
                return;
            }
            if small.violated().is_none() {
                let Some(at_end) = &code.at_end else {
                    return self.shown(|session| session.flags(out)).unwrap_or_default();
                };
                return small.finish(code, &at_end.flags, &mut |index| {
                    out.push(index);
                    false
                });
            }
            // What follows from the last event is not known in this form.
            self.hand_over(Beyond::Kind, &|_, _| Ok(()));
            self.settle();
        }
        let plan = Arc::clone(&self.plan);
        if self.violated.is_some() {
            // The evaluation stopped at the violated check: bring the rest up to date.
            self.run(&plan.code.partial, &mut |_| false);
            self.state.clean();
        }
        let start = out.len();
        let finished = std::mem::replace(&mut self.finished, false);
        self.aside(|session| {
            if !finished {
                session.run(&plan.code.last, &mut |_| false);
            }
            session.run(&plan.code.flags, &mut |index| {
                out.push(index);
                false
            })
        });
        out[start..].sort_unstable();
    }

    /// Runs a schedule whose values are scratch: nothing to undo.
    fn aside<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let logging = std::mem::replace(&mut self.state.logging, false);
        let result = run(self);
        self.state.logging = logging;
        self.state.clean();
        result
    }

    /// Runs a schedule in full; stops at the first check that speaks up and is accepted by `stop`.
    fn run(&mut self, items: &[Item], stop: &mut dyn FnMut(usize) -> bool) -> Option<usize> {
        super::run(&mut self.state, &mut self.scratch, items, None, stop)
    }
}
