//! The depth-first search over choices.
//!
//! A frame is a choice: the source of a read, the coherence position of a write, the value of a `nondet`. Going back undoes
//! what was done since the frame was made, newest first; a thread goes back to a snapshot, never to its start. A revisit
//! works on a restricted copy of the graph, and puts the original back when its subtree is done, so memory is bounded by the depth of
//! nested revisits. The checker takes back what is deleted, and in the end does it again; one that cannot is replaced meanwhile.

use crate::clock::Instant;
use crate::explore::bounds::pruning::is_out_of_reach;
use crate::explore::checker::consistency::{Checker, Kernel};
use crate::explore::engine::concerns::{Ends, Filling, Interchangeable, Judges, Scratch, Sharing};
use crate::explore::engine::context::World;
use crate::explore::engine::frames::{Choice, Frame, Refused, Step, Undo};
use crate::explore::parallel::parts::Share;
use crate::explore::reduction::straight::Straight;
use crate::explore::sections::Sections;
use crate::explore::statistics::Statistics;
use crate::explore::visitor::{Go, Visitor};
use crate::graph::event::{Event, Kind, NO_EVENT};
use crate::graph::memory::Contents;
use crate::graph::prefix::PrefixKind;
use crate::graph::{Graph, Lane, Status};
use crate::ids::{EventId, LocId, ThreadId};
use crate::kernel::plan::Plan;
use crate::program::Entry;
use crate::program::deps::DepId;
use crate::program::thread::{Slot, Thread};
use crate::sequential;
use std::sync::Arc;
use std::time::Duration;

/// A step in a graph with more events takes longer than to look at the clock.
pub(in crate::explore) const LARGE: usize = 100;

/// Most graphs have fewer events: there is room for so many from the start.
const ROOM: usize = 64;

/// A running search, with what says whether a graph is consistent.
pub struct Search<'a, 'p, J = Kernel> {
    pub(crate) world: World<'p>,
    pub(crate) graph: Graph,
    pub(in crate::explore) trail: Vec<Undo>,
    pub(crate) frames: Vec<Frame>,
    /// So many of the lowest frames have no alternative left.
    spent: usize,
    /// How many revisits are nested.
    pub(in crate::explore) level: usize,
    pub(in crate::explore) kind: PrefixKind,
    pub(in crate::explore) judges: Judges<J>,
    pub(in crate::explore) filling: Filling,
    pub(in crate::explore) ends: Ends,
    pub(in crate::explore) symmetry: Interchangeable,
    pub(in crate::explore) sections: Sections,
    pub(in crate::explore) sharing: Sharing<'a>,
    pub(in crate::explore) scratch: Scratch,
    pub(in crate::explore) visitor: &'a mut dyn Visitor,
    pub(in crate::explore) statistics: Statistics,
    pub(in crate::explore) stop: bool,
    /// The address of a location whose coherence does not follow from reads-from, though it was to. (No count: it is not taken back with the search ahead that finds it.)
    pub(in crate::explore) ambiguous: Option<u64>,
}

impl<'a, 'p, J: Checker> Search<'a, 'p, J> {
    /// A search that has not started.
    pub fn new(world: World<'p>, mut checker: J, kind: PrefixKind, visitor: &'a mut dyn Visitor) -> Self {
        checker.load(&Graph::default(), &world.deps);
        let mut graph = Graph::with_room(ROOM);
        if kind == PrefixKind::ProgramOrder {
            graph.keep_clocks();
        }
        Search {
            judges: Judges::new(checker),
            filling: Filling::default(),
            ends: Ends::default(),
            symmetry: Interchangeable::default(),
            sections: Sections::of(world.program, world.options.witness_sections && kind == PrefixKind::ProgramOrder),
            sharing: Sharing::default(),
            scratch: Scratch::default(),
            level: 0,
            world,
            graph,
            trail: Vec::with_capacity(2 * ROOM),
            statistics: Statistics::default(),
            frames: Vec::with_capacity(ROOM),
            spent: 0,
            kind,
            visitor,
            stop: false,
            ambiguous: None,
        }
    }

    /// Lets it know what other searches under the plan of its checker have asked about few events.
    pub(in crate::explore) fn under(mut self, plan: Option<&Arc<Plan>>) -> Self {
        self.judges.alone.plan = plan.cloned();
        self.ends.in_order = self.world.options.bound.is_some() && plan.is_some_and(|plan| plan.keeps_interleavings());
        self
    }

    /// Begins with threads that run from the start; every initialised location is there from the start too.
    pub fn start_together(&mut self, entries: &[Entry]) {
        if self.world.options.prune {
            self.ends.straight = entries.iter().map(|entry| Straight::of(self.world.program, entry)).collect();
        }
        for (i, entry) in entries.iter().enumerate() {
            // Reads that come after the writes settle at once which of them they read.
            let only_writes = self.ends.straight.get(i).and_then(Option::as_ref).is_some_and(|s| !s.reads);
            let args: Vec<Slot> = entry.args.iter().map(|&value| Slot { value, deps: DepId::NONE }).collect();
            *self.graph.lane_mut(ThreadId::at(i)) = Lane {
                thread: Some(Thread::start(self.world.program, entry.function, &args, DepId::NONE)),
                status: Status::Running,
                tags: entry.tags,
                depth: u32::from(only_writes),
                ..Lane::default()
            };
        }
        for object in &self.world.program.objects {
            for cell in &object.cells {
                let loc = self.world.locs.intern(object.address + cell.offset, cell.size);
                if self.graph.place(loc).is_none() {
                    let contents = self.world.memory.read(object.address + cell.offset, cell.size);
                    self.add_init(loc, contents);
                }
            }
        }
    }

    /// Adds the initial write of a location.
    pub(in crate::explore) fn add_init(&mut self, loc: LocId, contents: Contents) {
        let id = self.graph.add_init(loc, contents);
        let address = self.world.locs.get(loc).0;
        if self.world.program.persistence.has(address) {
            self.graph.set_address(loc, address);
        }
        if self.world.options.equivalence.leaves_open(self.world.locs.get(loc).0) {
            self.graph.set_unordered(loc);
        }
        self.send(id);
    }

    /// Begins where `main` stopped running alone.
    pub fn start_main(&mut self, first: Thread, end: sequential::End) {
        let status = match end {
            sequential::End::Spawn | sequential::End::Survives => Status::Running,
            sequential::End::Finished => Status::Finished,
            sequential::End::Stuck => Status::Waiting(Vec::new()),
            sequential::End::Assumed => Status::Assumed,
            sequential::End::Cut | sequential::End::Asks(..) | sequential::End::Chooses(_) => Status::Cut,
            sequential::End::Fault(fault) => Status::Faulted(fault),
        };
        *self.graph.lane_mut(ThreadId(0)) = Lane { thread: Some(first), status, ..Lane::default() };
    }

    /// Runs to the end, or until the visitor or a bound says stop. Gives back the tables, and whether it was the visitor.
    pub fn run(mut self) -> (Statistics, World<'p>, Go) {
        loop {
            if matches!(self.advance(), Step::End) {
                self.end();
            }
            if self.must_stop() {
                self.statistics.stopped = true;
                break;
            }
            self.share_out();
            if !self.next() {
                self.statistics.stopped |= self.stop;
                break;
            }
        }
        self.learn(self.sharing.turns);
        if let Some(lookout) = &mut self.sharing.lookout {
            lookout.end(self.statistics.complete);
        }
        self.statistics.ambiguous = self.ambiguous;
        let go = if self.stop && !self.stop_is_due() { Go::Stop } else { Go::On };
        (self.statistics, self.world, go)
    }

    /// Whether a time limit, an interrupt, or another part of the same exploration ends the search.
    pub(in crate::explore) fn stop_is_due(&self) -> bool {
        self.world.options.should_stop() || self.sharing.share.as_ref().is_some_and(Share::is_dropped)
    }

    /// Whether the visitor, a time limit or an interrupt ends the search. In small graphs, where looking at the clock would cost
    /// as much as a step, that is asked now and then.
    pub(in crate::explore) fn must_stop(&mut self) -> bool {
        self.scratch.steps = self.scratch.steps.wrapping_add(1);
        let due = self.scratch.steps & 0xf == 0 || self.graph.len() > LARGE;
        self.stop |= due && (self.stop_is_due() || self.statistics.events >= self.world.options.max_work);
        self.stop
    }

    /// The checker of the graph at hand.
    #[inline]
    pub(in crate::explore) fn checker(&mut self) -> &mut J {
        &mut self.judges.checkers[self.level]
    }

    /// Tells the checker of an event that was just added.
    pub(in crate::explore) fn send(&mut self, id: EventId) {
        self.judges.checkers[self.level].add(&self.graph, &self.world.deps, id);
    }

    /// Tells the checker of an event and asks whether the graph is still consistent.
    pub(in crate::explore) fn send_and_check(&mut self, id: EventId) -> bool {
        self.statistics.events += 1;
        let consistent = self.timed(|search| {
            if search.sections.are_witnessed() {
                return search.has_witness(id);
            }
            search.send(id);
            search.checker().is_consistent() || search.reorder()
        });
        self.statistics.rejected += u64::from(!consistent);
        consistent && !self.is_ruled_out()
    }

    /// Measures what the model takes, if somebody wants to know.
    pub(in crate::explore) fn timed<T>(&mut self, ask: impl FnOnce(&mut Self) -> T) -> T {
        let begin = self.world.options.timed.then(Instant::now);
        let answer = ask(self);
        self.statistics.in_model += begin.map_or(Duration::ZERO, |begin| begin.elapsed());
        answer
    }

    /// A choice among values was reached.
    pub(in crate::explore) fn choose_value(&mut self, mut event: Box<Event>, values: Box<[u64]>) {
        self.order_values(&mut event, &values);
        self.push_frame(Choice::Value { event, values, next: 0 });
    }

    /// How many frames the checker of a level has of the frames that are open.
    pub(in crate::explore) fn open_frames(&self, level: usize) -> usize {
        self.frames.iter().filter(|frame| frame.pushed && frame.level == level).count()
    }

    pub(in crate::explore) fn push_frame(&mut self, choice: Choice) {
        let (trail, found) = (self.trail.len(), self.statistics.complete);
        let may_pass_over = self.sections.are_witnessed() && choice.is_of_thread();
        let (level, tried) = (self.level, 0);
        self.frames.push(Frame { trail, pushed: false, given: false, level, may_pass_over, tried, found, choice });
    }

    /// Whether no frame has an alternative left. Not noticed while holes are filled.
    fn is_spent(&mut self) -> bool {
        if self.filling.lookahead.is_some() {
            return false;
        }
        let is_spent = |frame: &Frame| frame.given || !frame.choice.has_more() && !frame.may_pass_over;
        while self.frames.get(self.spent).is_some_and(is_spent) {
            self.spent += 1;
        }
        self.spent >= self.frames.len()
    }

    /// Goes back to the last frame that has an alternative left, and takes it. `false` when there is none: then nobody needs the graph as it was before.
    pub(crate) fn next(&mut self) -> bool {
        if self.is_spent() {
            return false;
        }
        while let Some(mut frame) = self.frames.pop() {
            if let Choice::Revisit { original, in_place } = frame.choice {
                self.trail.truncate(frame.trail);
                self.leave_revisit(*original, in_place, frame.level);
                continue;
            }
            self.undo_to(frame.trail);
            if frame.pushed {
                self.checker().pop();
                self.world.threads.go_back();
                frame.pushed = false;
            }
            if !frame.given && self.take(frame) {
                return true;
            }
            if self.stop {
                break;
            }
        }
        false
    }

    /// Takes the next alternative of a frame and puts the frame back; `false` when there was none.
    pub(in crate::explore) fn take(&mut self, mut frame: Frame) -> bool {
        let mut refused = Refused::default();
        loop {
            // Whether this is what the argument for completeness counts on.
            let mut maximal = false;
            frame.tried += 1;
            let consistent = match &mut frame.choice {
                Choice::Source { event, next, least, passed } => {
                    if *next <= *least {
                        return self.pass_over(frame);
                    }
                    *next -= 1;
                    let Some(place) = self.graph.place(event.loc) else { return false };
                    // Where the order is of no interest, the first choice is not the maximal one if it is inconsistent.
                    maximal = *next + 1 == place.co.len() && !place.unordered && !self.sections.are_witnessed();
                    let source = if place.unordered { self.graph.listed(event.loc)[*next] } else { place.co[*next] };
                    if self.is_stale(event, *next, *passed, &mut refused)
                        || passed.is_evicted && self.is_before_eviction(event, source)
                        || self.fails_in_vain(event, source)
                    {
                        continue;
                    }
                    let mut event = (**event).clone();
                    event.rf = source;
                    let value = self.graph.event(event.rf).value;
                    event.read_value(value);
                    if !self.follows_script(&event, 0) {
                        continue;
                    }
                    self.add_chosen(event, 0, NO_EVENT, None)
                }
                Choice::Value { event, values, next } => {
                    let Some(&value) = values.get(*next) else { return false };
                    let mut event = (**event).clone();
                    event.take_value(value);
                    *next += 1;
                    if !self.follows_script(&event, 0) {
                        continue;
                    }
                    self.add_chosen(event, 0, NO_EVENT, None)
                }
                Choice::Position { event, next, least, reader, at, revisits } => {
                    if *next > *least {
                        *next -= 1;
                        let looks_ahead = self.kind == PrefixKind::ProgramOrder || self.sharing.share.is_some();
                        let looks_ahead = looks_ahead && self.filling.lookahead.is_none();
                        if *next == *least && *reader == NO_EVENT && looks_ahead && !frame.given {
                            // So that what is left is known, and nothing is given away or gone back to that turns out to be nothing.
                            *revisits = Some(self.revisitable(event));
                        }
                        // Positions count from the end: the last place in coherence is tried first.
                        let (co, event, reader, at) = (*next, (**event).clone(), *reader, *at);
                        if !self.follows_script(&event, co) {
                            continue;
                        }
                        maximal = reader == NO_EVENT
                            && at.is_none()
                            && self.comes_last(&event, co)
                            && !self.sections.are_witnessed();
                        self.add_chosen(event, co, reader, at)
                    } else {
                        if *reader != NO_EVENT {
                            return false;
                        }
                        let candidates = revisits.get_or_insert_with(|| self.revisitable(event));
                        let Some(revisit) = candidates.pop() else { return self.pass_over(frame) };
                        let event = (**event).clone();
                        self.frames.push(frame);
                        self.revisit(event, revisit.read, &revisit.keep);
                        self.statistics.revisits += 1;
                        return self.next();
                    }
                }
                Choice::Revisit { .. } => return false,
            };
            // The last choice leaves what is settled as it is.
            if consistent && (maximal || !self.is_out_of_bounds()) {
                if std::mem::take(&mut frame.may_pass_over) {
                    self.note_first(&frame.choice);
                }
                frame.pushed = true;
                self.frames.push(frame);
                return true;
            }
            if maximal {
                self.notice_stuck();
            }
            self.undo_to(frame.trail);
            self.checker().pop();
            if self.must_stop() {
                return false;
            }
        }
    }

    /// Whether no execution within the bound on interleavings is reached from the graph, if there is one. Where dependencies are all that revisits keep, nothing is known of that.
    fn is_out_of_bounds(&mut self) -> bool {
        let Some(bound) = self.world.options.bound else { return false };
        if self.kind != PrefixKind::ProgramOrder || self.filling.lookahead.is_some() {
            return false;
        }
        let is_out = is_out_of_reach(bound, &self.graph, self.world.program, self.ends.in_order);
        self.statistics.out_of_bounds += u64::from(is_out);
        is_out
    }

    /// The maximal next event was rejected. If that was by a check of which nobody knows whether it ever does that, executions may be lost. What
    /// fills a hole is not meant: its last choice may be inconsistent, and that it can be filled was seen before the revisit was made.
    pub(in crate::explore) fn notice_stuck(&mut self) {
        let has_holes = || self.graph.lanes().iter().any(|lane| lane.done < lane.order.len());
        let is_open = self.sections.are_witnessed();
        if !self.statistics.stuck && !is_open && self.filling.lookahead.is_none() && !has_holes() {
            self.statistics.stuck = self.checker().may_get_stuck();
        }
    }

    /// Adds an event whose choice has been made, completes its instruction, and checks the graph.
    pub(in crate::explore) fn add_chosen(
        &mut self,
        event: Event,
        co: usize,
        reader: EventId,
        at: Option<usize>,
    ) -> bool {
        self.checker().push();
        let (in_model, kind, t) = (event.kind.in_model(), event.kind, event.thread);
        let is_reached = at.is_none();
        let id = self.add_event(event, co, at);
        if reader != NO_EVENT {
            self.graph.set_source(reader, id);
        }
        if !self.is_in_order(id) || reader != NO_EVENT && !self.is_in_order(reader) {
            return false;
        }
        if in_model {
            if kind == Kind::Read && is_reached && (self.stops_in_vain(t) || self.never_wakes(id)) {
                return false;
            }
            let is_write = kind == Kind::Write;
            let goes_on = self.send_and_check(id)
                && !(is_write && (self.is_overtaken() || reader == NO_EVENT && self.wakes_nobody(id)));
            if goes_on && is_write {
                self.notice_recurrence_of(id);
            }
            goes_on
        } else {
            self.statistics.events += 1;
            true
        }
    }
}
