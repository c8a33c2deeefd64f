//! The recovery of a program, behind one of its executions.
//!
//! It runs alone, on memory as it was at the start, but for what survives. Where it reads that first, each write of the place is tried as the source (and the
//! initial one); the model judges the execution with the reads that were made so far. Memory that survives does not change any more, so each place is chosen
//! once. The model that the execution was found with does not see these reads.
//!
//! A write survives whole or not at all, also where it is made of parts.
//!
//! The checks that can only fail once more as the recovery goes on cut the search; the others are asked at its end.

use crate::algebra::Model;
use crate::explore::checker::consistency::{Checker, Kernel};
use crate::explore::{Execution, Go, Options, plan_for_reads};
use crate::graph::event::{Event, Kind};
use crate::graph::memory::Block;
use crate::graph::pairs::is_part_of;
use crate::graph::{Graph, Lane, Status};
use crate::ids::{EventId, LocId, TagSetId, ThreadId};
use crate::kernel::plan::Plan;
use crate::program::Program;
use crate::program::crash::Surviving;
use crate::program::deps::DepTable;
use crate::sequential::{End, Solo};
use std::sync::Arc;

/// The base set of the recovery's reads.
pub const READS: &str = "REC";

/// More steps without an access are no recovery that ends.
const LONGEST: u64 = 1_000_000;

/// Whether a model speaks of what the recovery reads.
pub fn is_seen_by(model: &Model) -> bool {
    model.pool.bases().iter().any(|base| base.name == READS)
}

/// The recovery of a program, judged by a model.
#[derive(Clone)]
pub struct Recovery {
    program: Arc<Program>,
    tags: TagSetId,
    plan: Arc<Plan>,
}

/// One way in which the recovery ended.
pub struct Recovered<'r> {
    /// The execution with the reads of the recovery.
    pub graph: &'r Graph,
    /// The program with these reads.
    pub program: &'r Program,
    /// The thread that the recovery is.
    pub thread: ThreadId,
    /// The recovery at its end.
    pub solo: &'r Solo,
    /// How it ended.
    pub end: End,
    /// The places of which it was open what they hold, with what they hold: by address.
    pub found: &'r [(u64, u8, u64)],
}

/// What a recovery found of memory that survives: addresses, sizes, values.
pub type State = Vec<(u64, u8, u64)>;

impl Recovered<'_> {
    /// What it found, each place once.
    pub fn state(&self) -> State {
        let mut state = self.solo.found.clone();
        state.sort_unstable();
        state.dedup();
        state
    }
}

impl Recovery {
    /// The recovery of a program that has one.
    pub fn new(program: &Program, model: &Model) -> Recovery {
        let program = program.with_recovery_reads(READS);
        let tags = program.persistence.reads.unwrap_or_default();
        let plan = plan_for_reads(model, &program, tags);
        Recovery { program: Arc::new(program), tags, plan }
    }

    /// The program, of which executions have what the recovery reads.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The model, compiled for the program.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// Shows every way in which the recovery may end behind an execution.
    pub fn explore(&self, execution: &Execution<'_, '_>, see: &mut dyn FnMut(&Recovered<'_>) -> Go) -> Go {
        let world = execution.world;
        let mut graph = execution.graph.clone();
        let thread = ThreadId::at(graph.lanes().len());
        *graph.lane_mut(thread) = Lane { status: Status::Finished, tags: self.tags, ..Lane::default() };
        let mut checker = Kernel::new(&self.plan, &self.program);
        checker.load(&graph, &world.deps);
        let open: Vec<LocId> = graph
            .places()
            .filter(|(loc, place)| place.co.len() > 1 && self.program.persistence.has(world.locs.get(*loc).0))
            .map(|(loc, _)| loc)
            .collect();
        let mut open: Vec<((u64, u8), LocId)> = open.into_iter().map(|loc| (world.locs.get(loc), loc)).collect();
        open.sort_unstable();
        let Some(first) = self.program.persistence.recovery else { return Go::On };
        let mut solo = Solo::start(&self.program, first);
        let survives = |block: &&Block| self.program.persistence.has(block.address);
        for block in world.memory.blocks().iter().filter(survives) {
            if let Some(fresh) = solo.memory.block_at_mut(block.address) {
                fresh.clone_from(block);
            }
        }
        solo.surviving = Surviving::Open;
        solo.open = open.iter().map(|&(place, _)| place).collect();
        let options = Options { max_local_steps: LONGEST, ..world.options.clone() };
        let (deps, found, chosen) = (DepTable::default(), Vec::new(), Vec::new());
        let mut run = Run { of: self, graph, checker, thread, open, options, deps, found, chosen, see };
        run.go_on(solo)
    }
}

struct Run<'r, 's> {
    of: &'r Recovery,
    graph: Graph,
    checker: Kernel,
    thread: ThreadId,
    /// Places of which it is open what they hold.
    open: Vec<((u64, u8), LocId)>,
    options: Options,
    deps: DepTable,
    found: Vec<(u64, u8, u64)>,
    /// The writes that survive, of the places that were read.
    chosen: Vec<(LocId, EventId)>,
    see: &'s mut dyn FnMut(&Recovered<'_>) -> Go,
}

impl Run<'_, '_> {
    /// Runs on to the end in every way.
    fn go_on(&mut self, mut solo: Solo) -> Go {
        let program = &self.of.program.clone();
        match solo.run(program, &self.options.limits(), &mut self.deps, &mut Default::default()) {
            End::Asks(address, size) => self.try_sources(&solo, (address, size)),
            End::Chooses(values) => {
                for &value in &values {
                    let mut next = solo.clone();
                    next.go_past(program, &mut self.deps, value);
                    if self.go_on(next) == Go::Stop {
                        return Go::Stop;
                    }
                }
                Go::On
            }
            end => self.show(&solo, end),
        }
    }

    fn show(&mut self, solo: &Solo, end: End) -> Go {
        if !self.checker.is_consistent_when_complete() {
            return Go::On;
        }
        let Run { of, graph, thread, found, see, .. } = self;
        graph.lane_mut(*thread).thread = Some(solo.thread.apart());
        see(&Recovered { graph, program: &of.program, thread: *thread, solo, end, found })
    }

    /// Each write of a place as what it holds.
    fn try_sources(&mut self, solo: &Solo, place: (u64, u8)) -> Go {
        let Some(&(_, loc)) = self.open.iter().find(|(at, _)| *at == place) else { return Go::On };
        let sources = self.graph.place(loc).map_or(Vec::new(), |place| place.co.clone());
        for source in sources {
            if self.chosen.iter().any(|&other| self.tears((loc, source), other)) {
                continue;
            }
            let read = self.read(solo, loc, source);
            self.checker.push();
            self.checker.add(&self.graph, &self.deps, read);
            let mut go = Go::On;
            if self.checker.is_consistent() {
                let event = self.graph.event(source);
                let (value, is_initial) = (event.value, event.kind == Kind::Init);
                let mut next = solo.clone();
                next.open.retain(|&other| other != place);
                if !is_initial {
                    next.memory.write(place.0, place.1, Some(value).into());
                }
                self.found.push((place.0, place.1, value));
                self.chosen.push((loc, source));
                go = self.go_on(next);
                self.chosen.pop();
                self.found.pop();
            }
            self.checker.pop();
            self.graph.remove(read);
            if go == Go::Stop {
                return go;
            }
        }
        Go::On
    }

    /// Whether one part of a write has survived, or what came after it, where another part has not.
    fn tears(&self, (one, source): (LocId, EventId), (other, its_source): (LocId, EventId)) -> bool {
        let order = |loc: LocId| self.graph.place(loc).map_or(&[][..], |place| &place.co[..]);
        let has_survived = |loc: LocId, source: EventId, write: EventId| {
            let at = |wanted| order(loc).iter().position(|&e| e == wanted);
            at(write) <= at(source)
        };
        let parts = order(one).iter().filter(|&&part| self.graph.event(part).access != 0);
        let pairs = parts.flat_map(|&part| {
            let is_rest = move |&&rest: &&EventId| is_part_of(self.graph.event(part), self.graph.event(rest));
            order(other).iter().filter(is_rest).map(move |&rest| (part, rest))
        });
        pairs.into_iter().any(|(part, rest)| has_survived(one, source, part) != has_survived(other, its_source, rest))
    }

    /// The event of a read by the recovery.
    fn read(&mut self, solo: &Solo, loc: LocId, source: EventId) -> EventId {
        let number = self.found.len() as u64 + 1;
        let tags = self.of.tags;
        let at = self.graph.lane(self.thread).order.len();
        let mut event = Event {
            kind: Kind::Read,
            thread: self.thread,
            key: number,
            group: number,
            span: solo.thread.place(&self.of.program).span,
            expected_tags: tags,
            tags,
            rf: source,
            ..Event::init(loc, None)
        };
        event.undefined = false;
        event.read_value(self.graph.event(source).value);
        let id = self.graph.add(event, 0, at);
        self.graph.lane_mut(self.thread).done = at + 1;
        id
    }
}
