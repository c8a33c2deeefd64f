//! The linearizations of an execution: orders of all steps in which each comes behind those that it needs.
//!
//! A step is an event, or both halves of a read-modify-write that nothing comes between, or all parts of an access, or an arrival with the number that is drawn there. Steps of a thread are in program order; a thread comes behind what created it, a join behind the thread, leaving a
//! barrier behind all that arrive there, and before anybody arrives in the next round. In [`Order::Memory`] each read sees the latest write, and writes are in coherence order.
//!
//! Limits: a thread that would wait at a semaphore, for a condition, or in a loop counts as one that could go on.

use super::bound::{Bound, Measure};
use super::{preemptions, rounds};
use crate::explore::waits::acquired::{operation, waited_for};
use crate::graph::Graph;
use crate::graph::event::{Event, INIT_THREAD, Kind, NO_EVENT};
use crate::ids::EventId;
use crate::program::Program;
use crate::program::operation::Operation;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// How many steps each thread has done.
pub type Done = SmallVec<[u16; 8]>;

/// What an interleaving keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Each read sees the latest write, and writes come in coherence order.
    Memory,
    /// A read comes behind what it reads.
    Sources,
}

/// So many steps of a thread.
type Need = (usize, u16);

/// A write to the word of a lock: its step, and whether a thread waits while it is the last one.
type Taken = (Need, bool);

/// One step of a thread.
#[derive(Default)]
struct Step {
    /// What comes before it.
    needs: SmallVec<[Need; 4]>,
    /// Without which its thread waits.
    awaits: SmallVec<[Need; 2]>,
    /// The writes to the lock that it takes, in coherence order, if it waits for one.
    lock: Vec<Taken>,
    /// Whether a step of another thread needs it.
    is_needed: bool,
}

/// The steps of an execution, and what orders them.
pub struct Interleavings {
    threads: Vec<Vec<Step>>,
    is_contradictory: bool,
}

impl Interleavings {
    /// Of the first so many events of each thread. `ends`: the first thread joins all others behind its last event.
    pub fn of(graph: &Graph, program: &Program, upto: &[usize], order: Order, ends: bool) -> Interleavings {
        let mut building = Building::new(graph, program, upto, order);
        for (t, &upto) in upto.iter().enumerate() {
            for &id in &graph.lanes()[t].order[..upto] {
                building.add_needs(t, id);
            }
        }
        if ends && !building.threads.is_empty() {
            let all = building.threads.iter().map(Vec::len).enumerate().skip(1);
            let others: SmallVec<[Need; 2]> = all.map(|(t, steps)| (t, steps as u16)).collect();
            let (needs, awaits) = (others.iter().copied().collect(), others);
            building.threads[0].push(Step { needs, awaits, ..Step::default() });
        }
        let mut interleavings = Interleavings { threads: building.threads, is_contradictory: false };
        interleavings.settle();
        interleavings
    }

    /// Notes which steps others need, and whether a thread needs a later step of its own.
    fn settle(&mut self) {
        let mut needed: Vec<Need> = Vec::new();
        for (t, steps) in self.threads.iter_mut().enumerate() {
            for (at, step) in steps.iter_mut().enumerate() {
                self.is_contradictory |= step.needs.iter().any(|&(u, upto)| u == t && usize::from(upto) > at + 1);
                step.needs.retain(|&mut (u, upto)| u != t && upto > 0);
                needed.extend(step.needs.iter().chain(step.lock.iter().map(|(need, _)| need)));
            }
        }
        for (t, upto) in needed.into_iter().filter(|&(_, upto)| upto > 0) {
            self.threads[t][usize::from(upto) - 1].is_needed = true;
        }
    }

    /// Whether there is one.
    pub fn exist(&self) -> bool {
        !self.is_contradictory && rounds::least(self).is_some()
    }

    /// The least number of what is bounded, if it is not above the bound and there is an interleaving.
    pub fn least(&self, bound: Bound) -> Option<u32> {
        match bound.measure {
            Measure::Preemptions => preemptions::least(self, bound.most),
            Measure::Rounds => rounds::least(self).filter(|&rounds| rounds <= bound.most),
        }
    }

    /// No step is done.
    pub fn begin(&self) -> Done {
        self.threads.iter().map(|_| 0).collect()
    }

    /// Whether all are.
    pub fn is_end(&self, done: &Done) -> bool {
        self.threads.iter().zip(done).all(|(steps, &done)| steps.len() == usize::from(done))
    }

    fn next(&self, done: &Done, thread: usize) -> Option<&Step> {
        self.threads[thread].get(usize::from(done[thread]))
    }

    /// Whether the next step of a thread can be done now.
    pub fn is_possible(&self, done: &Done, thread: usize) -> bool {
        self.next(done, thread).is_some_and(|step| step.needs.iter().all(|need| is_met(done, need)))
    }

    /// Whether a step of another thread needs the next one of this.
    pub fn is_waited_for(&self, done: &Done, thread: usize) -> bool {
        self.next(done, thread).is_some_and(|step| step.is_needed)
    }

    /// Whether a thread could go on, whatever comes in this execution.
    pub fn goes_on(&self, done: &Done, thread: usize) -> bool {
        self.next(done, thread).is_some_and(|step| {
            let is_held =
                || step.lock.iter().rev().find(|(write, _)| is_met(done, write)).is_some_and(|&(_, held)| held);
            step.awaits.iter().all(|need| is_met(done, need)) && !is_held()
        })
    }
}

fn is_met(done: &Done, &(thread, upto): &Need) -> bool {
    done[thread] >= upto
}

/// Steps while they are put together.
struct Building<'a> {
    graph: &'a Graph,
    program: &'a Program,
    order: Order,
    threads: Vec<Vec<Step>>,
    /// Where each event is: its thread, and the number of its step there from 1.
    places: FxHashMap<EventId, Need>,
}

impl<'a> Building<'a> {
    fn new(graph: &'a Graph, program: &'a Program, upto: &[usize], order: Order) -> Building<'a> {
        let mut places = FxHashMap::default();
        let mut threads = Vec::new();
        for (t, (lane, &upto)) in graph.lanes().iter().zip(upto).enumerate() {
            let mut steps = 0;
            for (at, &id) in lane.order[..upto].iter().enumerate() {
                let is_new = at == 0 || !are_one(graph, lane.order[at - 1], id);
                steps += u16::from(is_new);
                places.insert(id, (t, steps));
            }
            threads.push((0..steps).map(|_| Step::default()).collect());
        }
        Building { graph, program, order, threads, places }
    }

    fn step(&mut self, t: usize, id: EventId) -> &mut Step {
        let at = usize::from(self.places[&id].1) - 1;
        &mut self.threads[t][at]
    }

    /// The steps of these events, those that are left out aside.
    fn places(&self, events: impl IntoIterator<Item = EventId>) -> SmallVec<[Need; 4]> {
        events.into_iter().filter_map(|id| self.places.get(&id).copied()).collect()
    }

    fn add_needs(&mut self, t: usize, id: EventId) {
        let graph = self.graph;
        let event = graph.event(id);
        let lane = &graph.lanes()[t];
        let mut needs = SmallVec::<[Need; 4]>::new();
        if lane.order.first() == Some(&id) {
            needs.extend(self.places([lane.spawn]));
        }
        let mut awaits = SmallVec::<[Need; 4]>::new();
        match event.kind {
            Kind::Read => needs.extend(self.places([event.rf])),
            Kind::Write if self.order == Order::Memory => needs.extend(self.places(overwritten(graph, id))),
            Kind::Join => {
                let child = event.value as usize;
                awaits.extend(self.threads.get(child).map(|steps| (child, steps.len() as u16)));
            }
            Kind::Depart => awaits.extend(self.places(graph.arrivals(event.value, event.size))),
            Kind::Arrive => needs.extend(self.places(departures(graph, event))),
            _ => {}
        }
        needs.extend(awaits.iter().copied());
        let lock = self.lock(event, id).unwrap_or_default();
        let own = self.places[&id];
        let step = self.step(t, id);
        step.needs.extend(needs.into_iter().filter(|&need| need != own));
        step.awaits.extend(awaits);
        if !lock.is_empty() {
            step.lock = lock;
        }
    }

    /// The writes to a lock that this write takes, if its thread waits until that is free.
    fn lock(&self, event: &Event, id: EventId) -> Option<Vec<Taken>> {
        let graph = self.graph;
        let taken = waited_for(graph, self.program, event)?;
        if self.places.get(&event.partner) != self.places.get(&id) {
            return None;
        }
        let free = graph.event(event.partner).value;
        let is_held = |w: &EventId| match taken {
            // Readers wait for a writer only.
            Operation::Share(_) => matches!(operation(self.program, graph.event(*w)), Some(Operation::Acquire(_))),
            _ => graph.event(*w).value != free,
        };
        let writes = graph.place(event.loc)?.co.iter();
        Some(writes.filter_map(|w| Some((*self.places.get(w)?, is_held(w)))).collect())
    }
}

/// Whether an event goes on with the step of the one before it.
fn are_one(graph: &Graph, first: EventId, second: EventId) -> bool {
    let (before, event) = (graph.event(first), graph.event(second));
    let is_part = event.access != 0 && event.access == before.access && event.kind == before.kind;
    let is_update = event.kind == Kind::Write && event.partner == first && {
        let co = graph.place(event.loc).map_or(&[][..], |place| &place.co);
        let source = |w: &EventId| *w == before.rf;
        co.iter().position(|&w| w == second).is_some_and(|at| at > 0 && source(&co[at - 1]))
    };
    // The number that a thread draws where it arrives at a barrier.
    let arrives = event.kind == Kind::Arrive && before.kind == Kind::Write && event.group == before.group;
    is_part || is_update || arrives
}

/// What comes right before a write in coherence, and the reads of that.
fn overwritten(graph: &Graph, write: EventId) -> SmallVec<[EventId; 8]> {
    let event = graph.event(write);
    let Some(place) = graph.place(event.loc) else { return SmallVec::new() };
    let before = place.co.iter().take_while(|&&w| w != write).last().copied().unwrap_or(NO_EVENT);
    let reads = place.reads.iter().copied().filter(|&r| r != event.partner && graph.event(r).rf == before);
    let written = Some(before).filter(|&w| w != NO_EVENT && graph.event(w).thread != INIT_THREAD);
    written.into_iter().chain(reads).collect()
}

/// Who leaves a barrier in the round before.
fn departures(graph: &Graph, arrival: &Event) -> SmallVec<[EventId; 8]> {
    let is_before = |e: &Event| e.kind == Kind::Depart && e.value == arrival.value && e.size + 1 == arrival.size;
    graph.ids().filter(|&e| is_before(graph.event(e))).collect()
}
