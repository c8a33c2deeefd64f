//! Programs whose events are known beforehand: only what is read and the order of writes is searched.
//!
//! Most litmus tests are straight code: no branch decides which events there are, no address is computed from what was read. In
//! most others few reads decide that, and few values can be read there: these values are *guessed*, each combination in turn, and only
//! writes of the value that was guessed are sources of such a read. (`straight` says which reads, and for which programs
//! all that is certain.) Then nothing of exploration's care is needed. All events are handed to the kernel at once;
//! the writes of each location are put in their order one by one, then each read gets its source, and after each step the checks that prune
//! speak. More of them do than in ordinary exploration, because nothing grows but reads-from and coherence
//! ([`crate::algebra::facts::analyse::Growth::complete`]). Every choice made is part of what tells executions apart, so each execution is found
//! once; all alternatives are tried, so each is found.
//!
//! The values follow from the choices (`values`). An execution in which dependencies and reads-from form a cycle is no business of
//! this module: when the model accepts one, it gives up, and the program is explored as any other; unless all candidates are wanted
//! ([`crate::explore::options::ThinAir::Values`]).
//!
//! - `straight`: which programs, which reads are guessed.
//! - `threads`: a search that only runs them; `sets`: the sets of events that they may have.
//! - `assign`: the choices.
//! - `in_parts`: the search in parts that other processes search.
//! - `share`: how a part of the search is given to another thread; `guess`: how many executions there will be.
//! - `values`: what the registers and the memory hold in the end.

mod assign;
mod guess;
mod in_parts;
mod sets;
mod share;
mod straight;
mod threads;
mod values;

use crate::explore::options::{Equivalence, Options};
use crate::explore::parallel::parts::{Parts, Split, field};
use crate::explore::progress::descents::Guessing;
use crate::explore::statistics::Statistics;
use crate::explore::visitor::{Go, Nobody, Visitor};
use crate::kernel::plan::Plan;
use crate::program::rounds::{self, Rounds};
use crate::program::{Instr, Program, Start};
use assign::Assigner;
use in_parts::InParts;
use serde_json::{Value, json};
use sets::each_set;
use share::Way;
use std::sync::Arc;
use straight::Guessed;
use threads::Ended;

/// What has to be fixed for the events of a program to be certain.
pub struct Shape {
    guessed: Vec<Guessed>,
    /// The program without the rounds of loops that change nothing, if it has such.
    straight: Option<Program>,
}

impl Shape {
    fn program<'p>(&'p self, program: &'p Program) -> &'p Program {
        self.straight.as_ref().unwrap_or(program)
    }
}

/// The shape of a program whose exploration can be left to [`explore`].
pub fn shape(program: &Program, options: &Options) -> Option<Shape> {
    let suits = options.equivalence == Equivalence::ReadsFromAndCoherence
        && !options.first_of_sources
        && !options.prune
        && options.prefix.is_none();
    if !suits {
        return None;
    }
    let straight = without_idle_rounds(program);
    let events = straight.as_ref().unwrap_or(program);
    if tries_again(events) {
        return None;
    }
    let guessed = straight::guessed(events)?;
    Some(Shape { guessed, straight })
}

/// Whether a thread may stop for good after a choice, such as that a store-exclusive fails: runs that stop would have to be told from those that do not.
fn tries_again(program: &Program) -> bool {
    let has = |is: &dyn Fn(&Instr) -> bool| program.functions.iter().any(|function| function.code.iter().any(is));
    has(&rounds::is_stop) && has(&|instr| matches!(instr, Instr::Choose { .. } | Instr::ChooseBit { .. }))
}

/// A program whose loops have rounds that change nothing, without these. It has the same complete executions but for such rounds.
fn without_idle_rounds(program: &Program) -> Option<Program> {
    if program.functions.iter().all(|function| function.loops.is_empty()) {
        return None;
    }
    let mut straight = program.clone();
    rounds::leave_out(&mut straight, Rounds::Idle).then_some(straight)
}

/// Explores a program of this shape, under a plan that was made for complete sets of events. `None`: it has to be
/// explored in the ordinary way; what the visitor has seen until then is worth nothing.
pub fn explore(
    program: &Program,
    shape: &Shape,
    plan: &Arc<Plan>,
    options: &Options,
    visitor: &mut dyn Visitor,
) -> Option<Statistics> {
    let program = shape.program(program);
    let Start::Together(entries) = &program.start else { return None };
    if plan.looks_at_values() {
        return None;
    }
    let mut assigner = Assigner::new(plan, program, &shape.guessed, visitor);
    match each_set(program, entries, options, &mut assigner) {
        Err(Ended::Unsuitable) => return None,
        Err(Ended::Stopped | Ended::Sated) => assigner.statistics.stopped = true,
        Ok(()) => {}
    }
    Some(assigner.statistics)
}

/// The same with as many threads as are to be had (`options.spare`), besides this one.
pub fn explore_shared<V: Visitor + Split>(
    program: &Program,
    shape: &Shape,
    plan: &Arc<Plan>,
    options: &Options,
    visitor: &mut V,
) -> Option<Statistics> {
    let program = shape.program(program);
    let Start::Together(entries) = &program.start else { return None };
    if plan.looks_at_values() {
        return None;
    }
    if let Some(divider) = &options.divider {
        let apart = options.apart();
        let fresh = Part { seen: visitor.fork(), is_unsuitable: false };
        let mut search = InParts::new(program, shape, plan, &apart, fresh);
        if divider.conduct(&mut search) {
            let (mut statistics, part) = search.told(options);
            if part.is_unsuitable {
                return None;
            }
            statistics.stopped |= visitor.join(part.seen) == Go::Stop;
            return Some(statistics);
        }
    }
    let parts = Parts::<Part<V>, Way>::new(Part { seen: visitor.fork(), is_unsuitable: false });
    let guessing = Guessing::new(options);
    let guess = || {
        guessing.guess(|dice| {
            let mut nobody = Nobody;
            Assigner::new(plan, program, &shape.guessed, &mut nobody).descend(program, entries, options, dice)
        });
    };
    options.spare.work_with_help(&guess, &|help| {
        // A helper reads a copy of its own.
        let own = help.is_none().then(|| Arc::new(plan.apart()));
        let plan = own.as_ref().unwrap_or(plan);
        parts.work(help, |way, part, share| {
            let mut assigner = Assigner::new(plan, program, &shape.guessed, &mut part.seen);
            assigner.begin(way, share);
            let ended = each_set(program, entries, options, &mut assigner);
            assigner.learn();
            let mut statistics = assigner.statistics;
            statistics.stopped = matches!(ended, Err(Ended::Stopped | Ended::Sated));
            part.is_unsuitable = matches!(ended, Err(Ended::Unsuitable));
            let stops = part.is_unsuitable || matches!(ended, Err(Ended::Sated));
            (statistics, if stops { Go::Stop } else { Go::On })
        });
    });
    let (mut statistics, part) = parts.into_result()?;
    if part.is_unsuitable {
        return None;
    }
    statistics.stopped |= visitor.join(part.seen) == Go::Stop;
    Some(statistics)
}

/// What was seen in a part of the search.
struct Part<V> {
    seen: V,
    /// The program is not what it was taken for, which ends the search for parts that come later.
    is_unsuitable: bool,
}

impl<V: Split> Split for Part<V> {
    fn fork(&self) -> Self {
        Part { seen: self.seen.fork(), is_unsuitable: false }
    }

    fn join(&mut self, later: Self) -> Go {
        self.is_unsuitable = later.is_unsuitable;
        if self.is_unsuitable { Go::Stop } else { self.seen.join(later.seen) }
    }

    fn recorded(&self) -> Option<Value> {
        Some(json!({ "seen": self.seen.recorded()?, "unsuitable": self.is_unsuitable }))
    }

    fn restored(&self, record: &Value) -> Result<Self, String> {
        let seen = self.seen.restored(&record["seen"])?;
        Ok(Part { seen, is_unsuitable: field(record, "unsuitable")? })
    }
}
