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
//! - `assign`: the choices.
//! - `in_parts`: the search in parts that other processes search.
//! - `share`: how a part of the search is given to another thread; `guess`: how many executions there will be.
//! - `values`: what the registers and the memory hold in the end.

mod assign;
mod guess;
mod in_parts;
mod share;
mod straight;
mod values;

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::context::World;
use crate::explore::engine::frames::Choice;
use crate::explore::engine::search::Search;
use crate::explore::engine::step::Step;
use crate::explore::options::{Equivalence, Options};
use crate::explore::parallel::parts::{Parts, Split, field};
use crate::explore::progress::descents::Guessing;
use crate::explore::statistics::Statistics;
use crate::explore::visitor::{Go, Nobody, Visitor};
use crate::graph::event::Kind;
use crate::graph::memory::Memory;
use crate::graph::prefix::PrefixKind;
use crate::graph::{Graph, Status};
use crate::ids::EventId;
use crate::kernel::plan::Plan;
use crate::program::deps::DepTable;
use crate::program::rounds::{self, Rounds};
use crate::program::{Entry, Instr, Program, Start};
use assign::Assigner;
use in_parts::InParts;
use serde_json::{Value, json};
use share::Way;
use std::sync::Arc;
use straight::Guessed;

/// Graphs with more events are left to ordinary exploration.
const MAX_EVENTS: u32 = 128;

/// Why a search ends before it has seen everything.
enum Ended {
    /// A time limit or an interrupt wants it, or nobody wants to know any more.
    Stopped,
    /// The visitor wants it.
    Sated,
    /// The program is not what it was taken for.
    Unsuitable,
}

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

/// Searches each set of events from where the part begins, one after the other.
fn each_set(program: &Program, entries: &[Entry], options: &Options, assigner: &mut Assigner<'_>) -> Result<(), Ended> {
    loop {
        let mut nobody = Nobody;
        let mut world = World::new(program, options, Memory::of(program), entries.len() as u32);
        let guesses = assigner.guessed.iter().zip(&assigner.at.chosen);
        world.guesses = guesses.map(|(read, &n)| ((read.thread, read.pc), read.values[n])).collect();
        let mut search = Search::new(world, Anything, PrefixKind::ProgramOrder, &mut nobody);
        // Here reads get other sources while later events stay.
        search.graph.forget_clocks();
        search.start_together(entries);
        each_run(&mut search, assigner)?;
        assigner.runs_before = 0;
        if assigner.is_last || !advance(&mut assigner.at.chosen, assigner.guessed) {
            return Ok(());
        }
    }
}

/// Goes on to the next combination of guesses, if there is one.
fn advance(chosen: &mut [usize], guessed: &[Guessed]) -> bool {
    for (n, read) in chosen.iter_mut().zip(guessed) {
        *n += 1;
        if *n < read.values.len() {
            return true;
        }
        *n = 0;
    }
    false
}

/// Runs the threads once for each combination of choices, with any sources and orders, and has the sources and orders searched.
fn each_run(search: &mut Threads<'_, '_>, assigner: &mut Assigner<'_>) -> Result<(), Ended> {
    assigner.at.run = 0;
    loop {
        match search.advance() {
            Step::Choice => match search.frames.last_mut().map(|frame| &mut frame.choice) {
                // One source is as good as any; initial values are those that free a lock.
                Some(Choice::Source { next, .. }) => *next = 1,
                Some(Choice::Value { next, values, .. }) => *next = assigner.first_of(values.len()),
                _ => {}
            },
            Step::Dead | Step::End if stops(search) => {}
            Step::Dead => return Err(Ended::Unsuitable),
            Step::End => {
                if !is_finished(&search.graph) {
                    return Err(Ended::Unsuitable);
                }
                // Where a read that was guessed does not take place, its first value stands for all.
                if !assigner.is_before_part() && assigner.all_reached(&search.graph) {
                    let original = search.graph.clone();
                    assigner.search(search)?;
                    search.graph = original;
                }
                if assigner.is_last && !assigner.is_before_part() {
                    return Ok(());
                }
                assigner.at.run += 1;
            }
        }
        if !search.next() {
            return Ok(());
        }
        if let Some(frame) = search.frames.last_mut()
            && matches!(frame.choice, Choice::Source { .. } | Choice::Position { .. })
        {
            frame.given = true;
        }
    }
}

/// Whether a thread has come where it stops whatever it reads, if not what was guessed.
fn stops(search: &Threads<'_, '_>) -> bool {
    let functions = &search.world.program.functions;
    search.graph.lanes().iter().filter(|lane| lane.status == Status::Assumed).any(|lane| {
        let frame = lane.thread.as_ref().map(|thread| thread.frame());
        frame
            .is_some_and(|frame| functions[frame.func.index()].code.get(frame.pc as usize).is_some_and(rounds::is_stop))
    })
}

/// Whether every thread has come to its end, by events of kinds that are dealt with here.
fn is_finished(graph: &Graph) -> bool {
    let known = |kind: Kind| matches!(kind, Kind::Init | Kind::Read | Kind::Write | Kind::Fence | Kind::Choose);
    graph.ids().all(|e| e.0 < MAX_EVENTS && known(graph.event(e).kind))
        && graph.lanes().iter().all(|lane| {
            let failed = lane.thread.as_ref().is_none_or(|thread| thread.failed.is_some());
            lane.status == Status::Finished && lane.done == lane.order.len() && !failed
        })
}

/// A search that only runs the threads, to see which events there are.
type Threads<'a, 'p> = Search<'a, 'p, Anything>;

/// Allows every graph.
struct Anything;

impl Checker for Anything {
    fn another(&self) -> Self {
        Anything
    }

    fn load(&mut self, _: &Graph, _: &DepTable) {}

    fn push(&mut self) {}

    fn pop(&mut self) {}

    fn add(&mut self, _: &Graph, _: &DepTable, _: EventId) {}

    fn is_consistent(&mut self) -> bool {
        true
    }

    fn is_consistent_when_complete(&mut self) -> bool {
        true
    }
}
