//! Runs each thread by itself.

use crate::candidates::enumerate::ends::{Ends, has_failed};
use crate::candidates::enumerate::guess::{How, guess, takes_value};
use crate::candidates::enumerate::{Budget, Domain, Stretch};
use crate::candidates::traces::grounds::possible;
use crate::candidates::traces::{Made, Trace};
use crate::explore::checker::thin_air::{Origin, Reads, origins_in};
use crate::explore::engine::context::World;
use crate::explore::options::ThinAir;
use crate::graph::event::{Event, Kind, NO_EVENT};
use crate::graph::{Graph, Lane, Status};
use crate::ids::{EventId, FuncId, LocId, ThreadId};
use crate::relation::bits::Bits;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Chains of values are taken to be so long, until traces are found to have more writes.
const SHORT: usize = 1;

/// A thread has so many traces at most; and so many where there is no other limit but time.
const MOST_TRACES: usize = 1 << 16;
const MOST_TRACES_EVER: usize = 1 << 21;

/// The threads of a program.
pub(super) struct Alone {
    /// What they start with.
    starts: Vec<Lane>,
    /// How many of them are there from the start; of C programs the first, which creates the others.
    first: usize,
    /// Their runs, found by [`Self::find`].
    pub traces: Vec<Vec<Trace>>,
    /// How long chains of values are taken to be, each made of the one before.
    pub longest_chain: usize,
    /// Whether traces are wanted; else only what threads write.
    finds: bool,
    /// The most writes of a trace of the thread that runs.
    writes: usize,
    /// Numbers of values.
    numbers: FxHashMap<(LocId, u64), u32>,
    /// The memory that threads allocate, and whether there is some whose size differs from run to run.
    allocated: Vec<Event>,
    allocates_unlike: bool,
    /// Whether a thread ends with a value, and whether the first one does, or comes to, something behind where it may get that.
    has_results: bool,
    may_use_results: bool,
    /// Whether not all runs have the same threads.
    creates_others: bool,
    /// Whether the first thread, or another one, ends the program, and whether one may be waiting then.
    first_exits: bool,
    others_exit: bool,
    waits: bool,
}

impl Alone {
    pub fn new(start: &Graph) -> Alone {
        Alone {
            starts: start.lanes().to_vec(),
            first: start.lanes().len(),
            traces: Vec::new(),
            longest_chain: SHORT,
            finds: false,
            writes: 0,
            numbers: FxHashMap::default(),
            allocated: Vec::new(),
            allocates_unlike: false,
            has_results: false,
            may_use_results: false,
            creates_others: false,
            first_exits: false,
            others_exit: false,
            waits: false,
        }
    }

    /// Whether runs cannot be put together of those of each thread.
    pub fn is_unsuitable(&self) -> bool {
        self.creates_others
            || self.allocates_unlike
            || self.has_results && self.may_use_results
            || self.others_exit
            || self.first_exits && self.waits
    }

    /// Collects what threads write that run on values of the domain. Returns how long chains of values are taken to be.
    pub fn collect(
        &mut self,
        world: &mut World<'_>,
        start: &Graph,
        domain: &Domain,
        grown: &mut Domain,
        budget: &mut Budget<'_>,
    ) -> usize {
        self.finds = false;
        self.run_each(world, start, domain, grown, budget);
        self.longest_chain
    }

    /// Finds all traces on values of the domain. Returns how many writes they have together, at most.
    pub fn find(&mut self, world: &mut World<'_>, start: &Graph, domain: &Domain, budget: &mut Budget<'_>) -> usize {
        self.finds = true;
        self.run_each(world, start, domain, &mut Domain::new(), budget)
    }

    fn run_each(
        &mut self,
        world: &mut World<'_>,
        start: &Graph,
        domain: &Domain,
        grown: &mut Domain,
        budget: &mut Budget<'_>,
    ) -> usize {
        let (mut writes, mut number) = (0, 0);
        self.traces.clear();
        // The first thread, which comes first, may create others.
        while number < self.starts.len() && !self.is_unsuitable() {
            let t = ThreadId::at(number);
            let graph = self.graph_of(start, t);
            let stood = RefCell::default();
            let stood = (!self.finds).then_some(&stood);
            let how = How { alone: Some(t), ends: Ends::Any, stood, ..How::together(domain) };
            // Where a thread does not go on from where it has stood before, what is done does not tell what is left.
            let stretch = if self.finds { Stretch::ALL } else { Stretch::NONE };
            self.traces.push(Vec::new());
            self.writes = 0;
            budget.begin(!self.finds);
            let mut done =
                |world: &World<'_>, graph: Graph, budget: &mut Budget<'_>| self.note(world, &graph, t, budget);
            guess(world, graph, stretch, how, grown, &mut done, budget);
            writes += self.writes;
            number += 1;
        }
        writes
    }

    /// What one thread begins with, and the memory that threads may have allocated.
    fn graph_of(&self, start: &Graph, t: ThreadId) -> Graph {
        let mut graph = start.clone();
        for other in 0..self.first {
            graph.lane_mut(ThreadId::at(other)).status = Status::Finished;
        }
        *graph.lane_mut(t) = self.starts[t.index()].clone();
        // It allocates its own anew; where it does not go on because it has stood there before, it has it from then.
        let of_others = self.allocated.iter().filter(|event| !self.finds || event.thread != t);
        let nobody = ThreadId::at(self.starts.len());
        for (at, event) in of_others.enumerate() {
            graph.lane_mut(nobody);
            graph.add(Event { thread: nobody, ..event.clone() }, 0, at);
        }
        graph
    }

    /// Notes how a thread's run has ended.
    fn note(&mut self, world: &World<'_>, graph: &Graph, t: ThreadId, budget: &mut Budget<'_>) {
        let events = || graph.lane(t).order.iter().map(|&e| graph.event(e));
        for event in events().filter(|event| matches!(event.kind, Kind::Alloc(_))) {
            match self.allocated.iter().find(|known| known.value == event.value) {
                Some(known) => self.allocates_unlike |= known.size != event.size,
                None => self.allocated.push(event.clone()),
            }
        }
        if self.finds && graph.lane(t).status == Status::Exited {
            let exits = if t.0 == 0 { &mut self.first_exits } else { &mut self.others_exit };
            *exits = true;
        }
        self.writes = self.writes.max(events().filter(|event| event.kind == Kind::Write).count());
        self.note_created(graph, t);
        self.note_results(graph, t);
        let most = if budget.limit == u64::MAX { MOST_TRACES_EVER } else { MOST_TRACES };
        if self.finds && self.traces[t.index()].len() < most {
            let trace = self.trace(world, graph, t);
            self.waits |= trace.waits;
            self.traces[t.index()].push(trace);
        } else if self.finds {
            budget.end();
        }
    }

    fn trace(&mut self, world: &World<'_>, graph: &Graph, t: ThreadId) -> Trace {
        let lane = graph.lane(t);
        let events = || lane.order.iter().map(|&e| graph.event(e));
        let initial = |loc: LocId| graph.place(loc).map(|place| graph.event(place.init).value);
        let (mut needs, mut provides) = (Bits::new(), Bits::new());
        let mut writes = Vec::new();
        let computed: Option<FxHashMap<EventId, _>> = match world.options.thin_air {
            ThinAir::Dependencies => None,
            ThinAir::Values => origins_in(world, graph, t).map(|all| {
                let made =
                    |origin: Origin| (origin.event, if origin.copied.is_some() { Reads::new() } else { origin.from });
                all.events.into_iter().map(made).collect()
            }),
        };
        // What each event is made of, as far as it was not there at first.
        let mut made: FxHashMap<EventId, Bits> = FxHashMap::default();
        for &e in &lane.order {
            let event = graph.event(e);
            let mut of = Bits::new();
            let mut add = |other: EventId| {
                if let Some(more) = made.get(&other) {
                    of.union_with(more);
                }
            };
            match &computed {
                Some(computed) => computed.get(&e).into_iter().flatten().copied().for_each(add),
                None => {
                    let sets = [event.addr_deps, event.data_deps, event.ctrl_deps, event.reached];
                    sets.iter().flat_map(|&set| world.deps.get(set).iter()).for_each(|other| add(EventId(other)));
                    Some(event.partner).filter(|_| !graph.is_exchange(event)).into_iter().for_each(add);
                }
            }
            let number = matches!(event.kind, Kind::Read | Kind::Write).then(|| self.number(event.loc, event.value));
            match (event.kind, number) {
                (Kind::Read, Some(number)) if initial(event.loc) != Some(event.value) => {
                    needs.insert(number);
                    of.insert(number);
                }
                (Kind::Write, Some(value)) => {
                    provides.insert(value);
                    writes.push(Made { value, of: of.clone() });
                }
                _ => {}
            }
            made.insert(e, of);
        }
        Trace {
            values: events().filter(|event| takes_value(event)).map(|event| event.value).collect(),
            needs,
            provides,
            writes: writes.into(),
            fails: has_failed(graph),
            // The end of `main` makes no events.
            is_whole: matches!(lane.status, Status::Finished | Status::Exited | Status::Running),
            waits: matches!(lane.status, Status::Waiting(_)) || events().any(may_not_come),
        }
    }

    /// The number of a value of a location.
    fn number(&mut self, loc: LocId, value: u64) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry((loc, value)).or_insert(next)
    }

    /// Drops traces that need what cannot be written.
    pub fn keep_possible(&mut self) {
        let count = |traces: &[Vec<Trace>]| traces.iter().map(Vec::len).sum::<usize>();
        loop {
            let (before, possible) = (count(&self.traces), possible(&self.traces, &self.numbers));
            let needs_none_else = |trace: &Trace| trace.needs.iter().all(|value| possible.contains(value));
            self.traces.iter_mut().for_each(|of_thread| of_thread.retain(needs_none_else));
            if count(&self.traces) == before {
                return;
            }
        }
    }

    /// Notes the threads that the first has created: in each run the same.
    fn note_created(&mut self, graph: &Graph, t: ThreadId) {
        let others = graph.lanes().iter().enumerate().skip(self.first).filter(|&(number, _)| number != t.index());
        let created: Vec<(usize, &Lane)> = others.filter(|(_, lane)| lane.thread.is_some()).collect();
        if t.0 != 0 || self.first != 1 {
            self.creates_others |= !created.is_empty();
            return;
        }
        for &(number, lane) in &created {
            match self.starts.get(number) {
                None => {
                    self.creates_others |= number != self.starts.len();
                    self.starts.push(Lane { spawn: NO_EVENT, ..lane.clone() });
                }
                Some(known) => self.creates_others |= beginning(known) != beginning(lane),
            }
        }
        // While values are collected, a run may end before it has created all.
        self.creates_others |= self.finds && created.len() + 1 != self.starts.len();
    }

    /// Notes values with which threads end, and whether they may be used.
    fn note_results(&mut self, graph: &Graph, t: ThreadId) {
        let lane = graph.lane(t);
        if t.0 != 0 {
            let result = lane.thread.as_ref().and_then(|thread| thread.result);
            self.has_results |= result.is_some_and(|result| result.value != 0);
        } else {
            let kinds = lane.order.iter().map(|&e| graph.event(e).kind);
            let mut from_join = kinds.skip_while(|&kind| kind != Kind::Join);
            // Where it does no more than to end with the program, it stands behind the last join.
            self.may_use_results |= from_join.next().is_some()
                && (lane.status != Status::Running || from_join.any(|kind| kind != Kind::Join));
        }
    }
}

/// Whether a thread that is alone goes past something that may never come: it leaves a barrier, or joins a thread that may be waiting for it.
fn may_not_come(event: &Event) -> bool {
    let waits_for_it = event.thread != ThreadId(0) || event.value == 0;
    event.kind == Kind::Depart || event.kind == Kind::Join && waits_for_it
}

/// With what a thread begins.
fn beginning(lane: &Lane) -> Option<(FuncId, Option<u64>)> {
    let frame = lane.thread.as_ref()?.frame();
    Some((frame.func, frame.regs.first().map(|register| register.value)))
}
