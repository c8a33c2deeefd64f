//! Waits that nobody is left to end.
//!
//! When all threads but one have nothing more to do, nothing that this one has read can change any more. If it has read an older write than the last in a round of
//! its loop, or on the way to an assumption, it may be that it waits whatever it reads after that. Then nothing comes of the graph, and nobody is told of a thread that
//! waits for ever, as the last write is another one. So such a choice is not pursued: neither the read, where the write was passed over, nor the write, where
//! it overtakes the read. (The revisit of the read by that write is another choice.)
//!
//! What the thread may read is what is there, but for what its own accesses certainly forbid. That is a little search over values, and no checker is asked about what
//! it comes by. Where it does not come to an end soon, or to anything but reads and fences, nothing is concluded.
//!
//! Only where revisits keep program order. `docs/waits.md`, *Waits*.

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::frames::Refused;
use crate::explore::engine::search::Search;
use crate::graph::Status;
use crate::graph::event::{Event, Kind, NO_LOC};
use crate::graph::prefix::PrefixKind;
use crate::ids::{EventId, ThreadId};
use crate::program::Stop;
use crate::program::thread::{Action, Completion, Thread};
use smallvec::SmallVec;

/// So many runs to a next event are enough to see that a thread only waits; else it is not known.
const MOST_RUNS: u32 = 64;

/// The thread that is left, the place in it of the read that keeps it waiting, and how many runs there may be yet.
struct Left {
    thread: ThreadId,
    at: usize,
    runs: u32,
}

impl<J: Checker> Search<'_, '_, J> {
    /// Whether a read that was just added took an older write than the last, and nobody is left who could wake its thread, which only waits from there.
    pub(in crate::explore) fn never_wakes(&mut self, read: EventId) -> bool {
        self.gives_up_alone() && self.is_out_of_date(read) && self.is_unwoken(read)
    }

    /// Whether a write that was just added is the last that anybody does, overtakes what a thread has read, and that thread only waits from there.
    pub(in crate::explore) fn wakes_nobody(&mut self, write: EventId) -> bool {
        if !self.gives_up_alone() {
            return false;
        }
        let (writer, loc) = (self.graph.event(write).thread, self.graph.event(write).loc);
        let Some(place) = self.graph.place(loc) else { return false };
        let is_read = |e: EventId| self.graph.event(e).kind == Kind::Read && self.graph.event(e).loc == loc;
        let reads = place.reads.iter().copied().filter(|&read| {
            let t = self.graph.event(read).thread;
            // A thread's last read of the location is the one that leaves least to see.
            t != writer
                && self.is_out_of_date(read)
                && self.may_be_left(t)
                && self.graph.lane(t).order.iter().rev().copied().find(|&e| is_read(e)) == Some(read)
        });
        let reads: SmallVec<[EventId; 4]> = reads.collect();
        reads.into_iter().any(|read| self.is_unwoken(read))
    }

    fn gives_up_alone(&self) -> bool {
        self.kind == PrefixKind::ProgramOrder && self.filling.lookahead.is_none() && self.world.options.delay_waits
    }

    /// Whether a read did not take the write that is last in coherence now.
    fn is_out_of_date(&self, read: EventId) -> bool {
        let event = self.graph.event(read);
        !self.graph.is_unordered(event.loc) && self.graph.last_write(event.loc).is_some_and(|last| last != event.rf)
    }

    /// Whether a thread waits, or stands where it may come to wait.
    fn may_be_left(&self, t: ThreadId) -> bool {
        let lane = self.graph.lane(t);
        let Some(thread) = lane.thread.as_ref().filter(|thread| thread.failed.is_none()) else { return false };
        match lane.status {
            Status::Waiting(_) => self.may_be_given_up(&lane.status),
            // Memory that was freed may be read on the way.
            Status::Running => self.world.may_wait(thread) && !self.graph.has_frees(),
            _ => false,
        }
    }

    /// Whether the thread of a read waits whatever it reads after that, and no other thread does anything more.
    fn is_unwoken(&mut self, read: EventId) -> bool {
        let t = self.graph.event(read).thread;
        if !self.may_be_left(t) {
            return false;
        }
        let lane = self.graph.lane(t);
        let (Some(thread), events) = (lane.thread.clone(), lane.done as u32) else { return false };
        let Some(at) = lane.order.iter().rposition(|&e| e == read) else { return false };
        let waits = match &lane.status {
            Status::Waiting(reads) if !reads.contains(&read) => return false,
            status => !status.is_running(),
        };
        let others = (0..self.graph.lanes().len()).map(ThreadId::at).filter(|&u| u != t);
        let mut others: SmallVec<[ThreadId; 8]> = others.collect();
        // Those with the highest numbers have done what they do last of all, or not yet.
        others.reverse();
        let mut left = Left { thread: t, at, runs: MOST_RUNS };
        others.into_iter().all(|u| self.has_nothing_to_do(u, &left))
            && !self.may_be_wrong_since(t, at)
            && if waits { !self.stop_may_be_wrong(t, None) } else { self.only_waits(&mut left, thread, events) }
    }

    /// Whether a thread that is run on does nothing that another one could see, as long as the thread that is left has not ended.
    fn has_nothing_to_do(&mut self, u: ThreadId, left: &Left) -> bool {
        let lane = self.graph.lane(u);
        match lane.status {
            Status::Running => {}
            Status::Absent => return true,
            Status::Finished | Status::Exited | Status::Waiting(_) | Status::Assumed => {
                return lane.thread.as_ref().is_none_or(|thread| thread.failed.is_none());
            }
            Status::Stuck(_) | Status::Cut | Status::Faulted(_) => return false,
        }
        let Some(mut thread) = lane.thread.clone() else { return false };
        let events = lane.done as u32;
        for passed in 0..MOST_RUNS {
            let value = match self.world.interpret(u, &mut thread, events + passed) {
                _ if thread.failed.is_some() => return false,
                Action::Finished | Action::Exit => return true,
                Action::Fence { addr: None, .. } => 0,
                Action::Join { thread: child, .. } => match self.ended(child, left) {
                    Ok(result) => result,
                    Err(never) => return never,
                },
                _ => return false,
            };
            thread.finish(Completion::of(value, true));
        }
        false
    }

    /// The result of a thread that has ended, or is about to; else whether it never ends as long as the thread that is left has not.
    fn ended(&mut self, child: u64, left: &Left) -> Result<u64, bool> {
        let t = ThreadId(child as u32);
        if t == left.thread {
            return Err(true);
        }
        let Some(lane) = self.graph.lanes().get(t.index()) else { return Err(false) };
        let Some(mut thread) = lane.thread.clone() else { return Err(false) };
        match lane.status {
            Status::Waiting(_) | Status::Assumed => return Err(true),
            Status::Finished | Status::Running => {}
            _ => return Err(false),
        }
        let events = lane.done as u32;
        match self.world.interpret(t, &mut thread, events) {
            Action::Finished => Ok(thread.result.map_or(0, |result| result.value)),
            _ => Err(false),
        }
    }

    /// Whether the thread that is left, which has had so many events when it stands there, comes to wait for another value of its read, or to an assumption
    /// that fails, whatever it reads.
    fn only_waits(&mut self, left: &mut Left, mut thread: Thread, events: u32) -> bool {
        let Some(runs) = left.runs.checked_sub(1) else { return false };
        left.runs = runs;
        let action = self.world.interpret(left.thread, &mut thread, events);
        match action {
            _ if thread.failed.is_some() => false,
            Action::Idle { since } => since as usize <= left.at && !self.world.may_end_early,
            Action::Stopped { why: Stop::Assume, .. } => true,
            Action::Fence { addr: None, .. } => {
                thread.finish(Completion::of(0, false));
                self.only_waits(left, thread, events + 1)
            }
            Action::Read { .. } => {
                let Some(values) = self.readable(left.thread, &thread, action) else { return false };
                values.into_iter().all(|value| {
                    let mut thread = thread.clone();
                    thread.finish(Completion::of(value, false));
                    self.only_waits(left, thread, events + 1)
                })
            }
            _ => false,
        }
    }

    /// The values that a read to which a thread comes may get from the writes that are there. `None`: nothing has accessed what it reads, or something may be
    /// wrong with the read itself.
    fn readable(&mut self, t: ThreadId, thread: &Thread, action: Action) -> Option<SmallVec<[u64; 4]>> {
        let Action::Read { addr, size, tags, half, otherwise, hidden, addr_deps, data_deps } = action else {
            return None;
        };
        let mut event = Event::init(NO_LOC, None);
        let place = thread.place(self.world.program);
        (event.kind, event.thread, event.key, event.group) = (Kind::Read, t, place.key, place.group);
        (event.expected_tags, event.expected_half, event.otherwise, event.hidden) = (tags, half, otherwise, hidden);
        event.loc = self.world.locs.find(self.world.translate(t, addr), size)?;
        event.addr_deps = self.events_of(t, addr_deps);
        event.data_deps = self.events_of(t, data_deps);
        event.ctrl_deps = self.events_of(t, thread.ctrl());
        let writes = self.graph.place(event.loc)?.co.len();
        for value in [otherwise.map(|other| other.expected), Some(otherwise.map_or(0, |other| !other.expected))] {
            event.read_value(value.unwrap_or_default());
            if self.may_race_with_any(&event, None) {
                return None;
            }
        }
        let passed = self.passed(&event);
        let mut refused = Refused::default();
        let mut is_stale = |search: &mut Self, at: &usize| {
            passed.is_some_and(|passed| search.is_stale(&event, *at, passed, &mut refused))
        };
        let first = (0..writes).take_while(|at| is_stale(self, at)).count();
        let first = if passed.is_some() { self.outdated(&event, first) } else { first };
        let mut values = SmallVec::new();
        for at in (first..writes).rev() {
            if is_stale(self, &at) {
                continue;
            }
            let source = self.graph.event(self.graph.place(event.loc)?.co[at]);
            if source.undefined {
                return None;
            }
            if !values.contains(&source.value) {
                values.push(source.value);
            }
        }
        Some(values)
    }
}
