//! The depth-first search over choices.
//!
//! A frame is a choice: the source of a read, the coherence position of a write, the value of a `nondet`. Going back undoes
//! what was done since the frame was made, newest first; a thread goes back to a snapshot, never to its start. A revisit
//! works on a restricted copy of the graph, and puts the original back when its subtree is done, so memory is bounded by the depth of
//! nested revisits. The judge takes back what is deleted, and in the end does it again; one that cannot is replaced meanwhile.

use super::alone::Alone;
use super::certain::Straight;
use super::frame::{Choice, Frame};
use super::holes::{Answers, Goal};
use super::judge::{Judge, Kernel};
use super::outlook::Lookout;
use super::parts::Share;
use super::places::Refused;
use super::remember::Remembered;
use super::renew::Renewals;
use super::script::Script;
use super::share::{Depth, Path};
use super::step::{Step, Undo};
use super::symmetry::Kin;
use super::target::Target;
use super::world::World;
use super::{Go, Statistics, Visitor, solo};
use crate::graph::event::{Event, Kind, NO_EVENT};
use crate::graph::memory::Contents;
use crate::graph::prefix::PrefixKind;
use crate::graph::{Graph, Lane, Status};
use crate::ids::{EventId, LocId, ThreadId};
use crate::kernel::bits::Bits;
use crate::kernel::plan::Plan;
use crate::program::Entry;
use crate::program::deps::DepId;
use crate::program::thread::{Slot, Thread};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A step in a graph with more events takes longer than to look at the clock.
pub(super) const LARGE: usize = 100;

/// Most graphs have fewer events: there is room for so many from the start.
const ROOM: usize = 64;

/// A running search, with what says whether a graph is consistent.
pub struct Search<'a, 'p, J = Kernel> {
    pub(super) world: World<'p>,
    pub(super) graph: Graph,
    pub(super) trail: Vec<Undo>,
    pub(super) statistics: Statistics,
    /// What is known of two events of a thread by themselves.
    pub(super) alone: Alone,
    /// The judges of the graphs of nested revisits, the outermost first.
    pub(super) judges: Vec<J>,
    /// Judges what holds in any growth, where [`Self::judges`] do not.
    pub(super) general: Option<J>,
    /// Looking only for a way to fill holes: nothing is shown, and only events added since this stamp are revisited.
    pub(super) filling: Option<u32>,
    /// The write to which its thread must come besides, for the holes to count as filled.
    pub(super) goal: Option<Box<Goal>>,
    /// Choices that must be made while filling holes; else none.
    pub(super) script: Script,
    /// The graph to which a trial is to come; else none.
    pub(super) target: Option<Box<Target>>,
    /// What was found, if it is to be known.
    pub(super) remembered: Option<Box<Remembered>>,
    /// The first thread of a C program, past its joins, when it is the only one left.
    pub(super) ending: Option<solo::Ending>,
    /// What was found out of what revisits keep.
    pub(super) answers: Answers,
    /// Answers of [`Self::can_end_alone`].
    pub(super) endings: solo::Endings,
    pub(super) level: usize,
    pub(super) frames: Vec<Frame>,
    /// So many of the lowest frames have no alternative left.
    spent: usize,
    pub(super) kind: PrefixKind,
    /// Threads that are explored once up to renaming.
    pub(super) kin: Kin,
    /// For how many executions the one that is being shown stands.
    pub(super) stands_for: u64,
    /// Judges whether some coherence order makes a graph consistent, where some are of no interest.
    pub(super) of_any_order: Option<J>,
    pub(super) visitor: &'a mut dyn Visitor,
    /// The code of each thread, when outcomes are to be ruled out early.
    pub(super) straight: Vec<Option<Straight>>,
    pub(super) renewals: Renewals,
    /// How this search works together with others.
    pub(super) share: Option<Share<'a, Path>>,
    /// Looks how much is left, for somebody who wants to know.
    pub(super) lookout: Option<Lookout<'a>>,
    /// On the way to where a part begins: what is wrong with a thread there was shown by others.
    pub(super) is_walking: bool,
    /// How far down the search has been.
    pub(super) depth: Depth,
    /// Counts the turns of [`Self::run`].
    pub(super) turns: u32,
    /// Counts the turns of searches ahead.
    pub(super) ahead: u64,
    pub(super) stop: bool,
    /// The address of a location whose coherence does not follow from reads-from, though it was to. (No count: it is not taken back with the search ahead that finds it.)
    pub(super) ambiguous: Option<u64>,
    steps: u32,
    pub(super) prefix: Bits,
    pub(super) work: Vec<EventId>,
}

impl<'a, 'p, J: Judge> Search<'a, 'p, J> {
    /// A search that has not started.
    pub fn new(world: World<'p>, mut judge: J, kind: PrefixKind, visitor: &'a mut dyn Visitor) -> Self {
        judge.load(&Graph::default(), &world.deps);
        let mut graph = Graph::with_room(ROOM);
        if kind == PrefixKind::ProgramOrder {
            graph.keep_clocks();
        }
        Search {
            of_any_order: judge.of_any_order(),
            alone: Alone::default(),
            general: judge.of_any_growth(),
            judges: vec![judge],
            filling: None,
            goal: None,
            script: Script::default(),
            target: None,
            remembered: None,
            ending: None,
            answers: Answers::default(),
            endings: solo::Endings::default(),
            level: 0,
            world,
            graph,
            trail: Vec::with_capacity(2 * ROOM),
            statistics: Statistics::default(),
            frames: Vec::with_capacity(ROOM),
            spent: 0,
            kind,
            kin: Kin::default(),
            stands_for: 1,
            visitor,
            straight: Vec::new(),
            renewals: Renewals::default(),
            share: None,
            lookout: None,
            is_walking: false,
            depth: Depth::default(),
            turns: 0,
            ahead: 0,
            stop: false,
            ambiguous: None,
            steps: 0,
            prefix: Bits::new(),
            work: Vec::new(),
        }
    }

    /// Lets it know what other searches under the plan of its judge have asked about few events.
    pub(super) fn under(mut self, plan: Option<&Arc<Plan>>) -> Self {
        self.alone.plan = plan.cloned();
        self
    }

    /// Begins with threads that run from the start; every initialised location is there from the start too.
    pub fn start_together(&mut self, entries: &[Entry]) {
        if self.world.options.prune {
            self.straight = entries.iter().map(|entry| Straight::of(self.world.program, entry)).collect();
        }
        for (i, entry) in entries.iter().enumerate() {
            // Reads that come after the writes settle at once which of them they read.
            let only_writes = self.straight.get(i).and_then(Option::as_ref).is_some_and(|s| !s.reads);
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
    pub(super) fn add_init(&mut self, loc: LocId, contents: Contents) {
        let id = self.graph.add_init(loc, contents);
        if self.world.options.equivalence.leaves_open(self.world.locs.get(loc).0) {
            self.graph.set_unordered(loc);
        }
        self.send(id);
    }

    /// Begins where `main` stopped running alone.
    pub fn start_main(&mut self, first: Thread, end: solo::End) {
        let status = match end {
            solo::End::Spawn => Status::Running,
            solo::End::Finished => Status::Finished,
            solo::End::Stuck => Status::Waiting(Vec::new()),
            solo::End::Assumed => Status::Assumed,
            solo::End::Cut => Status::Cut,
            solo::End::Fault(fault) => Status::Faulted(fault),
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
        self.learn(self.turns);
        if let Some(lookout) = &mut self.lookout {
            lookout.end(self.statistics.complete);
        }
        self.statistics.ambiguous = self.ambiguous;
        let go = if self.stop && !self.stop_is_due() { Go::Stop } else { Go::On };
        (self.statistics, self.world, go)
    }

    /// Whether a time limit, an interrupt, or another part of the same exploration ends the search.
    pub(super) fn stop_is_due(&self) -> bool {
        self.world.options.should_stop() || self.share.as_ref().is_some_and(Share::is_dropped)
    }

    /// Whether the visitor, a time limit or an interrupt ends the search. In small graphs, where looking at the clock would cost
    /// as much as a step, that is asked now and then.
    pub(super) fn must_stop(&mut self) -> bool {
        self.steps = self.steps.wrapping_add(1);
        let due = self.steps & 0xf == 0 || self.graph.len() > LARGE;
        self.stop |= due && (self.stop_is_due() || self.statistics.events >= self.world.options.max_work);
        self.stop
    }

    /// The judge of the graph at hand.
    #[inline]
    pub(super) fn judge(&mut self) -> &mut J {
        &mut self.judges[self.level]
    }

    /// Tells the judge of an event that was just added.
    pub(super) fn send(&mut self, id: EventId) {
        self.judges[self.level].add(&self.graph, &self.world.deps, id);
    }

    /// Tells the judge of an event and asks whether the graph is still consistent.
    pub(super) fn send_and_check(&mut self, id: EventId) -> bool {
        self.statistics.events += 1;
        let consistent = self.timed(|search| {
            search.send(id);
            search.judge().is_consistent() || search.reorder()
        });
        self.statistics.rejected += u64::from(!consistent);
        consistent && !self.is_ruled_out()
    }

    /// Measures what the model takes, if somebody wants to know.
    pub(super) fn timed<T>(&mut self, ask: impl FnOnce(&mut Self) -> T) -> T {
        let begin = self.world.options.timed.then(Instant::now);
        let answer = ask(self);
        self.statistics.in_model += begin.map_or(Duration::ZERO, |begin| begin.elapsed());
        answer
    }

    /// A choice among values was reached.
    pub(super) fn choose_value(&mut self, mut event: Box<Event>, values: Box<[u64]>) {
        self.order_values(&mut event, &values);
        self.push_frame(Choice::Value { event, values, next: 0 });
    }

    /// How many frames the judge of a level has of the frames that are open.
    pub(super) fn open_frames(&self, level: usize) -> usize {
        self.frames.iter().filter(|frame| frame.pushed && frame.level == level).count()
    }

    pub(super) fn push_frame(&mut self, choice: Choice) {
        let (trail, found) = (self.trail.len(), self.statistics.complete);
        self.frames.push(Frame { trail, pushed: false, given: false, level: self.level, tried: 0, found, choice });
    }

    /// Whether no frame has an alternative left. Not noticed while holes are filled.
    fn is_spent(&mut self) -> bool {
        if self.filling.is_some() {
            return false;
        }
        let is_spent = |frame: &Frame| frame.given || !frame.choice.has_more();
        while self.frames.get(self.spent).is_some_and(is_spent) {
            self.spent += 1;
        }
        self.spent >= self.frames.len()
    }

    /// Goes back to the last frame that has an alternative left, and takes it. `false` when there is none: then nobody needs the graph as it was before.
    pub(super) fn next(&mut self) -> bool {
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
                self.judge().pop();
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
    pub(super) fn take(&mut self, mut frame: Frame) -> bool {
        let mut refused = Refused::default();
        loop {
            // Whether this is what the argument for completeness counts on.
            let mut canonical = false;
            frame.tried += 1;
            let consistent = match &mut frame.choice {
                Choice::Source { event, next, least, passed } => {
                    if *next <= *least {
                        return false;
                    }
                    *next -= 1;
                    let Some(place) = self.graph.place(event.loc) else { return false };
                    // Where the order is of no interest, the first choice is not the canonical one if it is inconsistent.
                    canonical = *next + 1 == place.co.len() && !place.unordered;
                    let source = if place.unordered { self.graph.listed(event.loc)[*next] } else { place.co[*next] };
                    if self.is_stale(event, *next, *passed, &mut refused)
                        || self.is_before_eviction(event, source)
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
                        let looks_ahead = self.kind == PrefixKind::ProgramOrder || self.share.is_some();
                        let looks_ahead = looks_ahead && self.filling.is_none();
                        if *next == *least && *reader == NO_EVENT && looks_ahead && !frame.given {
                            // So that what is left is known, and nothing is given away or gone back to that turns out to be nothing.
                            *revisits = Some(self.revisitable(event));
                        }
                        // Positions count from the end: the last place in coherence is tried first.
                        let (co, event, reader, at) = (*next, (**event).clone(), *reader, *at);
                        if !self.follows_script(&event, co) {
                            continue;
                        }
                        canonical = reader == NO_EVENT && at.is_none() && self.comes_last(&event, co);
                        self.add_chosen(event, co, reader, at)
                    } else {
                        if *reader != NO_EVENT {
                            return false;
                        }
                        let candidates = revisits.get_or_insert_with(|| self.revisitable(event));
                        let Some(revisit) = candidates.pop() else { return false };
                        let event = (**event).clone();
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
            if canonical {
                self.notice_stuck();
            }
            self.undo_to(frame.trail);
            self.judge().pop();
            if self.must_stop() {
                return false;
            }
        }
    }

    /// The canonical next event was rejected. If that was by a check of which nobody knows whether it ever does that, executions may be lost. What
    /// fills a hole is not meant: its last choice may be inconsistent, and that it can be filled was seen before the revisit was made.
    pub(super) fn notice_stuck(&mut self) {
        let has_holes = || self.graph.lanes().iter().any(|lane| lane.done < lane.order.len());
        if !self.statistics.stuck && self.filling.is_none() && !has_holes() {
            self.statistics.stuck = self.judge().may_get_stuck();
        }
    }

    /// Adds an event whose choice has been made, completes its instruction, and checks the graph.
    pub(super) fn add_chosen(&mut self, event: Event, co: usize, reader: EventId, at: Option<usize>) -> bool {
        self.judge().push();
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
