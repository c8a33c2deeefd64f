//! Where coherence follows from reads-from, when executions count up to that: there it is explored like everything else, which costs less than looking for an order.
//!
//! A location that one thread writes, or that is only updated by read-modify-writes, has one coherence order for each choice of sources. Which these are is found by trying: a
//! short search takes all locations for such, and ends where one is not; that one is left open in the next. Which are left open in the end is a function of the program and
//! the model, as one thread does that. When exploration comes to another one after all, it begins anew with all of them open.

use crate::explore::{self, Equivalence, Nobody, Options};
use crate::kernel::plan::Plan;
use crate::program::Program;
use std::sync::Arc;

/// Events that each of these searches adds at most.
const WORK: u64 = 5000;

/// When so many locations are left open, all are.
const MOST: usize = 32;

/// How executions are explored that count up to reads-from. `plan`: that of exploration up to reads-from, which is the same in all forms.
pub(in crate::driver) fn with_few_open(program: &Program, plan: &Arc<Plan>, options: &Options) -> Equivalence {
    let mut open = Vec::new();
    while open.len() < MOST {
        let equivalence = Equivalence::ReadsFromBut(open.clone().into());
        let few = Options { equivalence: equivalence.clone(), max_work: WORK, forecast: None, ..options.clone() };
        match explore::explore(program, plan, &few, &mut Nobody).ambiguous {
            Some(address) => open.push(address),
            None => return equivalence,
        }
    }
    Equivalence::ReadsFrom
}
