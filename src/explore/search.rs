//! The depth-first search over choices.
//!
//! A frame is a choice: the source of a read, the coherence position of a write, the value of a `nondet`. Going back undoes
//! what was done since the frame was made, newest first; a thread goes back to a snapshot, never to its start. A revisit
//! works on a restricted copy of the graph, in a kernel session of its own, and puts the original back when its subtree is
//! done, so memory is bounded by the depth of nested revisits.

use super::own_reads::OwnReads;
use super::step::{Step, Undo};
use super::world::World;
use super::{Execution, Go, Problem, Statistics, Visitor, solo};
use crate::graph::event::{Event, Kind, NO_EVENT};
use crate::graph::feed::Feed;
use crate::graph::prefix::{PrefixKind, prefix};
use crate::graph::{Graph, Lane, Status};
use crate::ids::{EventId, SpanId, ThreadId};
use crate::kernel::bits::Bits;
use crate::kernel::plan::Plan;
use crate::kernel::session::Session;
use crate::program::deps::DepId;
use crate::program::fault::Fault;
use crate::program::thread::{Failure, Slot, Thread};
use crate::program::{Entry, Start};
use std::sync::Arc;

/// What a frame chooses.
pub(super) enum Choice {
    /// The source of a read.
    Source { event: Event, next: usize },
    /// The coherence position of a write (counted down), then the reads that it revisits.
    Position { event: Event, next: usize, reader: EventId, at: Option<usize>, revisits: Option<Vec<Revisit>> },
    /// One of several values.
    Value { event: Event, values: Box<[u64]>, next: usize },
    /// Nothing: when the frames above are done, the graph before the revisit is put back.
    Revisit { original: Box<Graph> },
}

/// A read that a write may revisit, and what stays then.
pub(super) struct Revisit {
    pub(super) read: EventId,
    pub(super) keep: Bits,
}

pub(super) struct Frame {
    trail: usize,
    pushed: bool,
    pub(super) choice: Choice,
}

/// A running search.
pub struct Search<'a, 'p> {
    pub(super) world: World<'p>,
    pub(super) graph: Graph,
    pub(super) trail: Vec<Undo>,
    pub(super) statistics: Statistics,
    plan: Arc<Plan>,
    /// Answers of [`Self::may_read_later`].
    pub(super) own_reads: OwnReads,
    pub(super) feed: Feed,
    pub(super) sessions: Vec<Session>,
    /// Looking only for a way to fill holes: nothing is shown, and only events added since this stamp are revisited.
    pub(super) filling: Option<u32>,
    /// The write to which its thread must come besides, for the holes to count as filled.
    pub(super) goal: Option<Box<Event>>,
    /// The first thread of a C program, past its joins, when it is the only one left.
    ending: Option<solo::Ending>,
    /// Answers of [`Self::can_end_alone`].
    endings: solo::Endings,
    pub(super) level: usize,
    pub(super) frames: Vec<Frame>,
    pub(super) kind: PrefixKind,
    visitor: &'a mut dyn Visitor,
    stop: bool,
    steps: u32,
    prefix: Bits,
    pub(super) work: Vec<EventId>,
}

impl<'a, 'p> Search<'a, 'p> {
    /// A search that has not started.
    pub fn new(world: World<'p>, plan: &Arc<Plan>, kind: PrefixKind, visitor: &'a mut dyn Visitor) -> Self {
        let mut session = Session::new(plan.clone());
        session.reset();
        Search {
            feed: Feed::new(plan, world.program),
            plan: plan.clone(),
            own_reads: OwnReads::default(),
            sessions: vec![session],
            filling: None,
            goal: None,
            ending: None,
            endings: solo::Endings::default(),
            level: 0,
            world,
            graph: Graph::default(),
            trail: Vec::new(),
            statistics: Statistics::default(),
            frames: Vec::new(),
            kind,
            visitor,
            stop: false,
            steps: 0,
            prefix: Bits::new(),
            work: Vec::new(),
        }
    }

    /// Begins with threads that run from the start; every initialised location is there from the start too.
    pub fn start_together(&mut self, entries: &[Entry]) {
        for (i, entry) in entries.iter().enumerate() {
            let args: Vec<Slot> = entry.args.iter().map(|&value| Slot { value, deps: DepId::NONE }).collect();
            *self.graph.lane_mut(ThreadId::at(i)) = Lane {
                thread: Some(Thread::start(self.world.program, entry.function, &args, DepId::NONE)),
                status: Status::Running,
                tags: entry.tags,
                ..Lane::default()
            };
        }
        for object in &self.world.program.objects {
            for cell in &object.cells {
                let loc = self.world.locs.intern(object.address + cell.offset, cell.size);
                if self.graph.place(loc).is_none() {
                    let value = self.world.memory.read(object.address + cell.offset, cell.size);
                    let id = self.graph.add_init(loc, value);
                    self.send(id);
                }
            }
        }
    }

    /// Begins where `main` stopped running alone.
    pub fn start_main(&mut self, first: solo::Solo, end: solo::End) {
        let status = match end {
            solo::End::Spawn => Status::Running,
            solo::End::Finished => Status::Finished,
            solo::End::Stuck => Status::Waiting(Vec::new()),
            solo::End::Assumed => Status::Assumed,
            solo::End::Cut => Status::Cut,
            solo::End::Fault(fault) => Status::Faulted(fault),
        };
        *self.graph.lane_mut(ThreadId(0)) = Lane { thread: Some(first.thread), status, ..Lane::default() };
    }

    /// Runs to the end, or until the visitor or a bound says stop.
    pub fn run(mut self) -> Statistics {
        loop {
            if matches!(self.advance(), Step::End) {
                self.end();
            }
            if self.must_stop() {
                self.statistics.stopped = true;
                break;
            }
            if !self.next() {
                self.statistics.stopped |= self.stop;
                break;
            }
        }
        self.statistics
    }

    /// Whether the visitor, a time limit or an interrupt ends the search. In small graphs, where looking at the clock would cost
    /// as much as a step, that is asked now and then.
    pub(super) fn must_stop(&mut self) -> bool {
        self.steps = self.steps.wrapping_add(1);
        let due = self.steps & 0xf == 0 || self.graph.len() > 100;
        self.stop |= due && self.world.options.should_stop();
        self.stop
    }

    pub(super) fn session(&mut self) -> &mut Session {
        &mut self.sessions[self.level]
    }

    /// Hands an event that was just added to the kernel.
    pub(super) fn send(&mut self, id: EventId) {
        let session = &mut self.sessions[self.level];
        self.feed.send(session, &self.graph, &self.world.deps, id);
    }

    /// Hands an event to the kernel and asks whether the graph is still consistent.
    pub(super) fn send_and_check(&mut self, id: EventId) -> bool {
        self.send(id);
        self.statistics.events += 1;
        self.session().violated_partial().is_none()
    }

    /// A read was reached.
    pub(super) fn choose_source(&mut self, event: Event) {
        let next = self.graph.place(event.loc).map_or(0, |p| p.co.len());
        self.push_frame(Choice::Source { event, next });
    }

    /// A write was reached.
    pub(super) fn choose_position(&mut self, event: Event) {
        let next = self.graph.place(event.loc).map_or(0, |p| p.co.len()) + 1;
        self.push_frame(Choice::Position { event, next, reader: NO_EVENT, at: None, revisits: None });
    }

    /// A `nondet` was reached.
    pub(super) fn choose_value(&mut self, event: Event, values: Box<[u64]>) {
        self.push_frame(Choice::Value { event, values, next: 0 });
    }

    fn push_frame(&mut self, choice: Choice) {
        self.frames.push(Frame { trail: self.trail.len(), pushed: false, choice });
    }

    /// Goes back to the last frame that has an alternative left, and takes it. `false` when there is none.
    pub(super) fn next(&mut self) -> bool {
        while let Some(mut frame) = self.frames.pop() {
            if let Choice::Revisit { original } = frame.choice {
                self.trail.truncate(frame.trail);
                self.graph = *original;
                self.level -= 1;
                continue;
            }
            self.undo_to(frame.trail);
            if frame.pushed {
                self.session().pop();
                frame.pushed = false;
            }
            if self.take(frame) {
                return true;
            }
            if self.stop {
                break;
            }
        }
        false
    }

    /// Takes the next alternative of a frame and puts the frame back; `false` when there was none.
    fn take(&mut self, mut frame: Frame) -> bool {
        loop {
            let consistent = match &mut frame.choice {
                Choice::Source { event, next } => {
                    if *next == 0 {
                        return false;
                    }
                    *next -= 1;
                    let mut event = event.clone();
                    event.rf = self.graph.place(event.loc).map_or(NO_EVENT, |p| p.co[*next]);
                    let value = self.graph.event(event.rf).value;
                    event.read_value(value);
                    self.add_chosen(event, 0, NO_EVENT, None)
                }
                Choice::Value { event, values, next } => {
                    let Some(&value) = values.get(*next) else { return false };
                    let mut event = event.clone();
                    event.value = value;
                    event.passed_over = values[..*next].into();
                    *next += 1;
                    self.add_chosen(event, 0, NO_EVENT, None)
                }
                Choice::Position { event, next, reader, at, revisits } => {
                    if *next > 1 {
                        *next -= 1;
                        // Positions count from the end: the last place in coherence is tried first.
                        let (co, event, reader, at) = (*next, event.clone(), *reader, *at);
                        self.add_chosen(event, co, reader, at)
                    } else {
                        if *reader != NO_EVENT {
                            return false;
                        }
                        let event = event.clone();
                        let candidates = revisits.get_or_insert_with(|| self.revisitable(&event));
                        let Some(revisit) = candidates.pop() else { return false };
                        self.frames.push(frame);
                        self.revisit(event, revisit.read, &revisit.keep);
                        self.statistics.revisits += 1;
                        return self.next();
                    }
                }
                Choice::Revisit { .. } => return false,
            };
            if consistent {
                frame.pushed = true;
                self.frames.push(frame);
                return true;
            }
            self.undo_to(frame.trail);
            self.session().pop();
            if self.must_stop() {
                return false;
            }
        }
    }

    /// Adds an event whose choice has been made, completes its instruction, and checks the graph.
    pub(super) fn add_chosen(&mut self, event: Event, co: usize, reader: EventId, at: Option<usize>) -> bool {
        self.session().push();
        let in_model = event.kind.in_model();
        let id = self.add_event(event, co, at);
        if reader != NO_EVENT {
            self.graph.event_mut(reader).rf = id;
        }
        if in_model {
            self.send_and_check(id)
        } else {
            self.statistics.events += 1;
            true
        }
    }

    /// The reads that a write may revisit.
    fn revisitable(&mut self, event: &Event) -> Vec<Revisit> {
        let Some(place) = self.graph.place(event.loc) else { return Vec::new() };
        if place.reads.is_empty() {
            return Vec::new();
        }
        prefix(&self.graph, &self.world.deps, self.kind, event, &mut self.prefix, &mut self.work);
        let since = self.filling.unwrap_or(0);
        let may = |r: &EventId| !self.prefix.contains(r.0) && self.graph.event(*r).stamp > since;
        let mut reads: Vec<EventId> = place.reads.iter().rev().copied().filter(may).collect();
        reads.retain(|&read| self.may_read_later(read, event));
        // Looking for canonical revisits can need searches of their own.
        let prefix = std::mem::take(&mut self.prefix);
        let revisits = reads.into_iter().filter_map(|read| self.canonical_revisit(event, &prefix, read)).collect();
        self.prefix = prefix;
        revisits
    }

    /// Hands the whole graph to a session of its own.
    pub(super) fn enter_level(&mut self) {
        self.level += 1;
        if self.sessions.len() == self.level {
            self.sessions.push(Session::new(self.plan.clone()));
        }
        let session = &mut self.sessions[self.level];
        session.reset();
        self.feed.send_all(session, &self.graph, &self.world.deps);
    }

    /// Makes `r` read from the write `event` in a restricted copy of the graph, and opens the choice of its position there.
    pub(super) fn revisit(&mut self, event: Event, r: EventId, keep: &Bits) {
        let lane = self.graph.lane(event.thread);
        let passed = &lane.order[..lane.done];
        // When something before the write is deleted or runs again, the interpreter comes to the write later.
        let intact = passed.iter().all(|&e| keep.contains(e.0) && e != r);
        let at = (!intact).then(|| passed.iter().filter(|e| keep.contains(e.0)).count());
        let together = matches!(self.world.program.start, Start::Together(_));
        let original = Box::new(self.graph.clone());
        self.graph.restrict(keep, r, &|loc| together || loc == event.loc);
        let read = self.graph.event_mut(r);
        read.rf = NO_EVENT;
        read.read_value(event.value);
        // The write's thread stands before the write again, or before what must be filled in first.
        self.frames.push(Frame { trail: self.trail.len(), pushed: false, choice: Choice::Revisit { original } });
        self.enter_level();
        let next = self.graph.place(event.loc).map_or(0, |p| p.co.len()) + 1;
        self.push_frame(Choice::Position { event, next, reader: r, at, revisits: None });
    }

    /// No thread can run.
    fn end(&mut self) {
        let ending = self.ending.take();
        let mut waiting = Vec::new();
        let mut waits_for_final = true;
        let mut complete = true;
        let mut cut = false;
        let mut fault = None;
        for (t, lane) in self.graph.lanes().iter().enumerate() {
            match &lane.status {
                Status::Absent | Status::Finished => {}
                // The first thread of a C program runs its end alone, below.
                Status::Running if t == 0 && ending.is_some() => {}
                // It waits for a thread to end, or at a barrier.
                Status::Running => {
                    complete = false;
                    waiting.push(ThreadId::at(t));
                }
                Status::Waiting(reads) => {
                    complete = false;
                    waiting.push(ThreadId::at(t));
                    // A thread that is alone from the start and waits has no reads of the graph.
                    waits_for_final &= (!reads.is_empty() || self.graph.is_empty())
                        && reads.iter().all(|&r| {
                            let e = self.graph.event(r);
                            self.graph.last_write(e.loc) == Some(e.rf)
                        });
                }
                Status::Assumed => {
                    complete = false;
                    waits_for_final = false;
                }
                Status::Cut => {
                    complete = false;
                    waits_for_final = false;
                    cut = true;
                }
                Status::Faulted(f) => {
                    complete = false;
                    waits_for_final = false;
                    fault.get_or_insert((ThreadId::at(t), f.clone()));
                }
            }
        }
        let size = self.graph.len();
        self.statistics.events_max = self.statistics.events_max.max(size);
        if let Some((thread, failure)) = self.failed() {
            self.show_fault_at(thread, failure.span, Fault::Assertion(failure.message.clone()));
            return;
        }
        if complete {
            self.complete(ending);
            return;
        }
        if let Some((thread, fault)) = fault {
            self.show_fault(thread, fault);
        } else if cut {
            self.statistics.cut += 1;
        } else {
            self.statistics.blocked += 1;
            if !waiting.is_empty() && waits_for_final && !self.has_holes() && self.session().violated_final().is_none()
            {
                self.show(&Problem::Stuck(waiting));
            }
        }
    }

    /// Shows an error of a thread, when the graph satisfies the model in full and has no holes: until a hole is filled it is
    /// not known that the events kept behind it can happen.
    pub(super) fn show_fault(&mut self, thread: ThreadId, fault: Fault) {
        let runner = self.graph.lane(thread).thread.as_ref();
        let (span, fault) = match runner.map(|t| (t, t.failed.clone())) {
            Some((_, Some(failure))) => (failure.span, Fault::Assertion(failure.message.clone())),
            Some((t, None)) => (t.place(self.world.program).span, fault),
            None => (SpanId::default(), fault),
        };
        self.show_fault_at(thread, span, fault);
    }

    fn show_fault_at(&mut self, thread: ThreadId, span: SpanId, fault: Fault) {
        if self.filling.is_none() && !self.has_holes() && self.session().violated_final().is_none() {
            self.show(&Problem::Fault(thread, span, fault));
        }
    }

    /// A thread that went on after a failed assertion. It goes on because a model may forbid what led there only when it sees
    /// what comes later (a critical section that the failure would have cut short forbids more once it is closed).
    fn failed(&self) -> Option<(ThreadId, Arc<Failure>)> {
        let mut lanes = self.graph.lanes().iter().enumerate();
        lanes.find_map(|(t, lane)| Some((ThreadId::at(t), lane.thread.as_ref()?.failed.clone()?)))
    }

    fn show(&mut self, problem: &Problem) {
        let execution = Execution { graph: &self.graph, world: &self.world, flags: &[], last: None, all_joined: false };
        self.stop |= self.visitor.problem(&execution, problem) == Go::Stop;
    }

    /// Whether the first thread, the only one left, can run to the program's end without an event: it joins all others
    /// before it accesses memory. Asked once for a graph; the answer is kept with what it took to find it.
    pub(super) fn can_end_alone(&mut self) -> bool {
        let Some(Lane { thread: Some(thread), order, .. }) = self.graph.lanes().first() else { return false };
        if let Some(known) = self.endings.get(&self.graph, thread) {
            self.ending.clone_from(known);
            return known.is_some();
        }
        let thread = thread.clone();
        let joined = order.iter().map(|&e| self.graph.event(e)).filter(|e| e.kind == Kind::Join).map(|e| e.value);
        let mut ending = solo::Ending::new(thread.clone(), joined.collect());
        let can = ending.join_all(&mut self.world, &self.graph);
        self.ending = can.then_some(ending);
        self.endings.insert(&self.graph, thread, self.ending.clone());
        can
    }

    /// Every thread has ended (or the first thread of a C program runs on alone).
    fn complete(&mut self, ending: Option<solo::Ending>) {
        if self.session().violated_final().is_some() {
            return;
        }
        let mut choices = solo::Choices::default();
        loop {
            let mut last = None;
            let mut end = solo::End::Finished;
            if let Some(ending) = ending.as_ref().filter(|e| !e.is_over()) {
                let mut alone = solo::Solo::last(&self.world, &self.graph, ending.thread.clone());
                end = alone.run(self.world.program, self.world.options, &mut self.world.deps, &mut choices);
                last = Some(alone);
            }
            match end {
                solo::End::Finished | solo::End::Spawn => {
                    self.statistics.complete += 1;
                    let mut flags = Vec::new();
                    self.session().flags(&mut flags);
                    let execution = Execution {
                        graph: &self.graph,
                        world: &self.world,
                        flags: &flags,
                        last: last.as_ref(),
                        all_joined: ending.is_some(),
                    };
                    self.stop |= self.visitor.complete(&execution) == Go::Stop;
                }
                solo::End::Stuck => {
                    self.statistics.blocked += 1;
                    self.show(&Problem::Stuck(vec![ThreadId(0)]));
                }
                solo::End::Assumed => self.statistics.blocked += 1,
                solo::End::Cut => self.statistics.cut += 1,
                solo::End::Fault(fault) => {
                    let span = last.as_ref().map(|l| l.thread.place(self.world.program).span).unwrap_or_default();
                    let execution = Execution {
                        graph: &self.graph,
                        world: &self.world,
                        flags: &[],
                        last: last.as_ref(),
                        all_joined: true,
                    };
                    let problem = Problem::Fault(ThreadId(0), span, fault);
                    self.stop |= self.visitor.problem(&execution, &problem) == Go::Stop;
                }
            }
            if self.stop || !choices.advance() {
                return;
            }
        }
    }
}
