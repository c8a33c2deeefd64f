//! Runs threads to the next event, replays events that a revisit kept, and undoes both.
//!
//! The next thread is always the first that can run: those with a hole to fill or in the middle of a
//! read-modify-write before the others, then children before
//! their parents, then by number. That is a function of the graph alone, as the argument for optimality needs it. Holes
//! come first so that what an event kept by a revisit is ordered behind is there again before anybody else can read
//! something that contradicts it.

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::frames::{Step, Undo};
use crate::explore::engine::label::Extra;
use crate::explore::engine::search::{LARGE, Search};
use crate::graph::event::{Event, Kind, NO_LOC};
use crate::graph::pairs::Urgency;
use crate::graph::prefix::PrefixKind;
use crate::graph::{Lane, Status};
use crate::ids::{EventId, FuncId, ThreadId};
use crate::program::deps::DepId;
use crate::program::fault::Fault;
use crate::program::thread::{Action, Place, Slot, Thread, WaitsFor};
use crate::program::{Start, Stop};
use smallvec::SmallVec;

/// There is room for so many events of a thread when it is created.
const FEW: usize = 8;

/// How early a thread runs: how urgent that is, then whether it is inside a section whose order is witnessed, then how deep down it was created.
type Rank = (Urgency, bool, u32);

/// Gives an event its thread, and what that is where it stands: all but what the instruction says of the event.
#[inline]
pub(crate) fn put_in_place(event: &mut Event, t: ThreadId, thread: &Thread, place: &Place) {
    event.thread = t;
    event.key = place.key;
    event.group = place.group;
    event.span = place.span;
    (event.access, event.goes_on) = (place.access, place.goes_on);
    event.ctrl_deps = thread.ctrl();
    event.reached = thread.reached();
    event.before = Some(thread.snapshot().clone());
}

impl<J: Checker> Search<'_, '_, J> {
    /// Takes back everything done since the trail had this length.
    pub(in crate::explore) fn undo_to(&mut self, length: usize) {
        while self.trail.len() > length {
            match self.trail.pop() {
                Some(Undo::Lane(t, thread, done, status)) => {
                    let lane = self.graph.lane_mut(t);
                    (lane.thread, lane.done, lane.status) = (thread, done, status);
                }
                Some(Undo::Born(t)) => *self.graph.lane_mut(t) = Lane::default(),
                Some(Undo::Event(e, false)) => self.graph.remove(e),
                Some(Undo::Event(e, true)) => {
                    let event = self.graph.event_mut(e);
                    let (t, before) = (event.thread, event.before.take());
                    self.graph.remove(e);
                    self.graph.lane_mut(t).thread = before.map(Thread::from);
                }
                Some(Undo::Init(loc)) => self.graph.remove_init(loc),
                Some(Undo::Picks(e, sets)) => {
                    let event = self.graph.event_mut(e);
                    [event.addr_deps, event.data_deps, event.ctrl_deps] = sets;
                }
                Some(Undo::Pushed) => self.checker().pop(),
                Some(Undo::Orders(orders)) => {
                    self.set_orders(&orders);
                    self.level -= 1;
                }
                None => break,
            }
        }
    }

    /// Runs threads until there is a choice to make.
    pub(crate) fn advance(&mut self) -> Step {
        loop {
            let is_filled = self.filling.lookahead.is_some() && self.filling.target.is_none() && !self.has_holes();
            if is_filled || self.is_last() && self.can_end_alone() {
                break;
            }
            // An event of a large graph takes long, and many may come before the next choice.
            if self.graph.len() > LARGE && self.stop_is_due() {
                self.stop = true;
                return Step::Dead;
            }
            let Some(t) = self.next_thread() else { break };
            match self.run_thread(t) {
                None => {}
                Some(step) => return step,
            }
        }
        Step::End
    }

    /// The thread that runs next: the first of those that can, but for those that would only spin, if there is another one.
    fn next_thread(&mut self) -> Option<ThreadId> {
        let goal = self.filling.goal.as_ref().map(|g| g.write.thread);
        let at_goal = self.is_at_goal();
        let may_run = |t: ThreadId| !(goal == Some(t) && at_goal);
        if self.kind == PrefixKind::Dependencies {
            let mut threads = (0..self.graph.lanes().len()).map(ThreadId::at);
            if let Some(t) = threads.find(|&t| may_run(t) && self.stands_before_kept(t)) {
                return Some(t);
            }
        }
        if let Some(t) = self.about_to_swap() {
            return Some(t);
        }
        let mut asleep = SmallVec::<[ThreadId; 8]>::new();
        let holders = if self.sections.are_witnessed() { self.graph.holders() } else { SmallVec::new() };
        let holds = |t: ThreadId| holders.iter().any(|&(holder, _)| holder == t);
        if holders.iter().any(|&(t, _)| self.waits(self.graph.lane(t))) {
            // What it waits for may want the lock.
            self.misjudge_sections();
            return None;
        }
        loop {
            // The first of those with the highest rank.
            let mut first: Option<(Rank, ThreadId)> = None;
            for (t, lane) in self.graph.lanes().iter().enumerate() {
                let t = ThreadId::at(t);
                if !lane.status.is_running() || !may_run(t) || asleep.contains(&t) || self.waits(lane) {
                    continue;
                }
                let least = if goal == Some(t) { Urgency::Hole } else { Urgency::None };
                let rank = (self.graph.urgency(lane).max(least), holds(t), lane.depth);
                if first.is_none_or(|(highest, _)| rank > highest) {
                    first = Some((rank, t));
                }
            }
            let Some(((urgency, ..), t)) = first else { return asleep.first().copied() };
            if urgency > Urgency::None || !self.is_asleep(t) {
                return Some(t);
            }
            asleep.push(t);
        }
    }

    /// Whether a thread comes to an event that was kept before it adds one, and is in the middle of a read-modify-write behind that or a
    /// later one.
    fn stands_before_kept(&mut self, t: ThreadId) -> bool {
        let lane = self.graph.lane(t);
        let Some(&kept) = lane.order.get(lane.done).filter(|_| lane.status.is_running()) else { return false };
        let is_half_done = |passed| self.graph.is_half_done(lane, passed);
        if !(lane.done + 1..lane.order.len()).any(is_half_done) {
            return false;
        }
        let Some(mut thread) = lane.thread.clone() else { return false };
        self.world.interpret(t, &mut thread, lane.done as u32);
        thread.place(self.world.program).key == self.graph.event(kept).key
    }

    /// Whether only the first thread of a C program is left: all others have ended. It may be able to run on alone.
    pub(in crate::explore) fn is_last(&self) -> bool {
        let lanes = self.graph.lanes();
        matches!(self.world.program.start, Start::Main(_))
            && lanes.len() > 1
            && lanes[0].done == lanes[0].order.len()
            && lanes[0].status.is_running()
            && lanes[1..].iter().all(|l| matches!(l.status, Status::Absent | Status::Finished))
    }

    /// Whether a thread stands where it waits for other threads: at a join, at a barrier.
    fn waits(&self, lane: &Lane) -> bool {
        match lane.thread.as_ref().and_then(|t| t.waits_for(self.world.program)) {
            None => false,
            Some(WaitsFor::End(child)) => {
                let has_ended = |l: &Lane| matches!(l.status, Status::Finished) && l.done == l.order.len();
                self.world.is_thread(&self.graph, child)
                    && !self.graph.lanes().get(child as usize).is_some_and(has_ended)
            }
            Some(WaitsFor::Arrivals { barrier, count }) => {
                let round = self.graph.round(lane, barrier);
                (self.graph.arrivals(barrier, round).count() as u64) < count
            }
        }
    }

    pub(in crate::explore) fn save(&mut self, t: ThreadId) {
        let lane = self.graph.lane(t);
        self.trail.push(Undo::Lane(t, lane.thread.clone(), lane.done, lane.status.clone()));
    }

    fn set_status(&mut self, t: ThreadId, status: Status) {
        self.graph.lane_mut(t).status = status;
    }

    /// Runs one thread to its next event. `None`: it stopped, or an event that makes no choice was dealt with.
    pub(in crate::explore) fn run_thread(&mut self, t: ThreadId) -> Option<Step> {
        self.save(t);
        if self.has_failed_in_vain(t) {
            return self.wait(t, Status::Assumed);
        }
        let mut thread = self.graph.lane_mut(t).thread.take()?;
        let action = self.interpret(t, &mut thread);
        self.graph.lane_mut(t).thread = Some(thread);
        let status = match action {
            Action::Exit => Status::Exited,
            Action::Finished if self.world.ends_program(&self.graph, t) => Status::Exited,
            Action::Finished => Status::Finished,
            Action::Stopped { why: Stop::Assume, .. } => Status::Assumed,
            Action::Stopped { why: Stop::Await, .. } | Action::Idle { .. } => {
                Status::Waiting(self.awaited(t, &action).unwrap_or_default())
            }
            Action::Cut => Status::Cut,
            Action::Fault(fault) => return self.fault(t, fault),
            Action::Join { .. } | Action::Depart { .. } if self.waits(self.graph.lane(t)) => return None,
            action => return self.event_reached(t, action),
        };
        self.wait(t, status)
    }

    /// A thread stops, and perhaps nothing comes of the graph.
    fn wait(&mut self, t: ThreadId, status: Status) -> Option<Step> {
        self.notice_stop(t, &status);
        if self.may_be_given_up(&status) && self.waits_in_vain(t) {
            return Some(Step::Dead);
        }
        self.stop_thread(t, status)
    }

    /// The reads that a thread waits for, if it does.
    pub(in crate::explore) fn awaited(&self, t: ThreadId, action: &Action) -> Option<Vec<EventId>> {
        let is_read = |e: &EventId| self.is_read(*e);
        match *action {
            Action::Stopped { why: Stop::Await, deps } => {
                let looked_at = self.world.deps.get(deps).iter().map(|n| self.called(t, n)).filter(is_read);
                Some(looked_at.filter(|&e| !self.has_updated(e)).collect())
            }
            Action::Idle { since } => {
                let lane = self.graph.lane(t);
                let recent = &lane.order[(since as usize).min(lane.done)..lane.done];
                Some(recent.iter().copied().filter(is_read).collect())
            }
            _ => None,
        }
    }

    /// Whether a read belongs to a read-modify-write that has changed the value: such a read is not made again.
    fn has_updated(&self, read: EventId) -> bool {
        let Event { thread, value, .. } = *self.graph.event(read);
        let mut events = self.graph.lane(thread).order.iter().map(|&e| self.graph.event(e));
        events.any(|e| e.kind == Kind::Write && e.partner == read && e.value != value)
    }

    /// Lets a thread run to its next event.
    pub(in crate::explore) fn interpret(&mut self, t: ThreadId, thread: &mut Thread) -> Action {
        self.world.interpret(t, thread, self.graph.lane(t).done as u32)
    }

    /// A thread stops. When that is before an event that a revisit kept, the graph is no execution of the program.
    fn stop_thread(&mut self, t: ThreadId, status: Status) -> Option<Step> {
        let lane = self.graph.lane(t);
        if lane.done < lane.order.len() || self.filling.goal.as_ref().is_some_and(|g| g.write.thread == t) {
            if status == Status::Cut {
                self.show_cut();
            }
            return Some(Step::Dead);
        }
        self.set_status(t, status);
        self.is_overtaken().then_some(Step::Dead)
    }

    /// A thread stops with an error, which is shown at once when the graph as it is satisfies the model in full.
    fn fault(&mut self, t: ThreadId, fault: Fault) -> Option<Step> {
        self.notice_stop(t, &Status::Faulted(fault.clone()));
        if self.statistics.misjudged {
            return Some(Step::Dead);
        }
        let dead = self.stop_thread(t, Status::Faulted(fault.clone()));
        if dead.is_none() {
            self.show_fault(t, fault);
        }
        dead
    }

    fn is_read(&self, e: EventId) -> bool {
        self.graph.contains(e) && self.graph.event(e).kind == Kind::Read
    }

    /// The thread stands at an instruction that is an event.
    fn event_reached(&mut self, t: ThreadId, action: Action) -> Option<Step> {
        let thread = self.graph.lane(t).thread.clone()?;
        let place = thread.place(self.world.program);
        let lane = self.graph.lane(t);
        if let Some(&kept) = lane.order.get(lane.done) {
            if self.graph.event(kept).key == place.key {
                return (!self.replay(t, kept, thread, &action)).then_some(Step::Dead);
            }
            if lane.order[lane.done..].iter().any(|&e| self.graph.event(e).key == place.key) {
                return Some(Step::Dead);
            }
        }
        if self.filling.goal.as_ref().is_some_and(|g| g.write.thread == t && g.write.key == place.key) {
            return if self.is_at_goal() { None } else { Some(Step::Dead) };
        }
        if self.graph.len() >= self.world.options.max_events {
            self.notice_stop(t, &Status::Cut);
            return self.stop_thread(t, Status::Cut);
        }
        // In a box from the start: most events end up in a choice.
        let mut event = Box::new(Event::init(NO_LOC, Some(0)));
        put_in_place(&mut event, t, &thread, &place);
        event.supposed = self.supposed_by(t, &thread);
        let extra = match self.label(t, &mut event, action) {
            Ok(extra) => extra,
            Err(fault) => return self.fault(t, fault),
        };
        for set in [&mut event.addr_deps, &mut event.data_deps, &mut event.ctrl_deps, &mut event.reached] {
            *set = self.events_of(t, *set);
        }
        if let Some(is_consistent) = self.move_lock(&event) {
            return (!is_consistent).then_some(Step::Dead);
        }
        match (event.kind, extra) {
            (_, Extra::Values(values)) => self.choose_value(event, values),
            (Kind::Read, _) => self.choose_source(event),
            (Kind::Write, _) => self.choose_position(event),
            (kind, extra) => {
                let mark = self.mark_unchosen();
                let id = self.add_event(*event, 0, None);
                if let Extra::Birth(function, arg) = extra {
                    self.give_birth(id, function, arg);
                }
                if !kind.in_model() {
                    self.statistics.events += 1;
                    return None;
                }
                if self.send_and_check(id) {
                    return None;
                }
                if self.take_back_unchosen(t, mark) {
                    return None;
                }
                self.notice_stuck();
                return Some(Step::Dead);
            }
        }
        Some(Step::Choice)
    }

    /// Adds an event and completes its instruction; or, when a revisit deleted events before it, puts it at position `at`
    /// of its thread for the interpreter to reach later.
    pub(in crate::explore) fn add_event(&mut self, event: Event, co: usize, at: Option<usize>) -> EventId {
        let t = event.thread;
        let reached = at.is_none();
        let at = at.unwrap_or(self.graph.lane(t).done);
        let id = self.graph.add(event, co, at);
        self.trail.push(Undo::Event(id, reached));
        if self.graph.event(id).kind == Kind::Write {
            self.wake_stuck(self.graph.event(id).loc);
        }
        if reached {
            let before = self.graph.event(id).before.clone();
            let lane = self.graph.lane_mut(t);
            lane.thread = before.map(Thread::from);
            lane.done += 1;
            self.complete_instruction(t, id);
        }
        id
    }

    fn give_birth(&mut self, spawn: EventId, function: FuncId, arg: u64) {
        let event = self.graph.event(spawn);
        let child = ThreadId(event.value as u32);
        let depth = self.graph.lane(event.thread).depth + 1;
        let takes_argument = self.world.program.functions[function.index()].params > 0;
        let argument = takes_argument.then_some(Slot { value: arg, deps: DepId::NONE });
        let thread = self.world.threads.start(self.world.program, function, argument);
        let order = Vec::with_capacity(FEW);
        *self.graph.lane_mut(child) =
            Lane { thread: Some(thread), status: Status::Running, spawn, depth, order, ..Lane::default() };
        self.trail.push(Undo::Born(child));
    }
}
