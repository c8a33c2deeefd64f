//! What threads do with locks: an acquisition and a release make no choice.
//!
//! What was taken for granted of the program may turn out otherwise, and then exploration begins anew: a lock is accessed in another way or given back by another thread; locks are taken in orders that go round, or again by
//! who has them; a thread stops, waits or ends while it has one.

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::frames::{Choice, Frame, Undo};
use crate::explore::engine::search::Search;
use crate::graph::Status;
use crate::graph::event::{Event, Kind, NO_EVENT, NO_LOC};
use crate::ids::{LocId, ThreadId};
use crate::program::Half;
use smallvec::SmallVec;

impl<J: Checker> Search<'_, '_, J> {
    /// Begins anew with the orders as choices.
    pub(in crate::explore) fn misjudge_sections(&mut self) {
        (self.statistics.misjudged, self.stop) = (true, true);
    }

    /// Whether a thread is inside a section.
    pub(in crate::explore) fn holds_lock(&self, t: ThreadId) -> bool {
        self.sections.are_witnessed() && self.graph.holders().iter().any(|&(holder, _)| holder == t)
    }

    /// Notices that a thread does not go on: whoever has a lock is to give it back.
    pub(in crate::explore) fn notice_stop(&mut self, t: ThreadId, status: &Status) {
        if !self.sections.are_witnessed() {
            return;
        }
        let waits = matches!(status, Status::Waiting(_) | Status::Assumed | Status::Cut);
        if waits || self.holds_lock(t) {
            self.misjudge_sections();
        }
    }

    /// Makes the move of an access to a lock, if it is one; whether the graph is consistent then.
    pub(in crate::explore) fn move_lock(&mut self, event: &Event) -> Option<bool> {
        if !self.sections.are_witnessed() {
            return None;
        }
        if event.kind.waits() && self.holds_lock(event.thread) {
            // In another order, what it waits for may wait for the lock.
            return self.refuse();
        }
        if self.is_of_shared_memory(event) {
            return self.refuse();
        }
        if event.loc == NO_LOC {
            return None;
        }
        let (Some(locks), Some(before)) = (&self.sections.locks, &event.before) else { return None };
        let frame = before.frame();
        let taken = (event.kind == Kind::Read).then(|| locks.taken_by(frame.func, frame.pc)).flatten();
        if let Some(release) = taken {
            return self.begin_section(event, release.value);
        }
        if !self.graph.is_witnessed(event.loc) {
            return None;
        }
        match event.half {
            Half::AmoWrite | Half::FusedWrite if event.partner != NO_EVENT => {
                let end = self.graph.place(event.loc).map_or(1, |place| place.co.len());
                if !self.is_exclusive_with(event) {
                    return self.refuse();
                }
                let (mark, is_nested) = (self.sections.begun_at, self.holds_lock(event.thread));
                match self.add_to_lock(event, end) {
                    false if is_nested => Some(self.take_back_unchosen(event.thread, mark)),
                    // A model under which a lock cannot be taken when it is free: whatever that means, orders tell.
                    false => self.refuse(),
                    true => Some(true),
                }
            }
            Half::None if event.kind == Kind::Write => {
                let sections = self.graph.sections(event.loc);
                let own = sections.iter().rev().find(|s| s.thread == event.thread && s.is_open());
                match own.and_then(|own| own.write) {
                    Some(taken) => {
                        let mark = self.mark_unchosen();
                        let is_consistent = self.add_to_lock(event, self.graph.co_index(taken) + 1);
                        Some(is_consistent || self.take_back_unchosen(event.thread, mark))
                    }
                    None => self.refuse(),
                }
            }
            _ => self.refuse(),
        }
    }

    /// Whether sections like the one that begins with a write never overlap; asked when a lock has another one.
    fn is_exclusive_with(&mut self, write: &Event) -> bool {
        let first = self.graph.sections(write.loc).first().copied().filter(|section| section.write.is_some());
        first.is_none_or(|first| self.is_exclusive(&first))
    }

    fn refuse(&mut self) -> Option<bool> {
        self.misjudge_sections();
        Some(false)
    }

    /// Adds the read of an acquisition. Whether a model allows it is asked with its write.
    fn begin_section(&mut self, event: &Event, free: u64) -> Option<bool> {
        let place = self.graph.place(event.loc)?;
        if !place.witnessed {
            let init = self.graph.event(place.init);
            let is_free = init.value == free && !init.undefined;
            if place.co.len() > 1 || !place.reads.is_empty() || !is_free || self.world.may_end_early {
                return self.refuse();
            }
            self.graph.set_witnessed(event.loc);
        }
        if self.is_taken_in_circles(event.thread, event.loc) {
            return self.refuse();
        }
        let mark = self.mark_unchosen();
        self.sections.begun_at = mark;
        let mut event = event.clone();
        event.rf = self.graph.last_write(event.loc).unwrap_or(NO_EVENT);
        event.read_value(free);
        let id = self.add_event(event, 0, None);
        if self.knows_graph() {
            self.send(id);
        }
        Some(true)
    }

    fn add_to_lock(&mut self, event: &Event, co: usize) -> bool {
        let id = self.add_event(event.clone(), co, None);
        self.send_and_check(id)
    }

    /// Notes which locks a thread has that takes one; whether there is an order, over all executions so far, in which none is taken inside a section of a later one.
    fn is_taken_in_circles(&mut self, t: ThreadId, loc: LocId) -> bool {
        let address = |loc: LocId| self.world.locs.get(loc).0;
        let taken = address(loc);
        let held: SmallVec<[u64; 4]> =
            self.graph.holders().iter().filter(|held| held.0 == t).map(|held| address(held.1)).collect();
        let mut is_new = false;
        for held in held {
            is_new |= self.sections.nested.insert((held, taken));
        }
        is_new && {
            let nested = &self.sections.nested;
            let mut reached: Vec<u64> = vec![taken];
            let mut at = 0;
            while let Some(&lock) = reached.get(at) {
                at += 1;
                for &(_, inner) in nested.iter().filter(|(outer, _)| *outer == lock) {
                    if !reached.contains(&inner) {
                        reached.push(inner);
                    }
                }
            }
            nested.iter().any(|&(outer, inner)| inner == taken && reached.contains(&outer))
        }
    }

    /// Passes over a thread of which no choice of the next event is consistent, where that may change.
    pub(in crate::explore) fn pass_over(&mut self, mut frame: Frame) -> bool {
        if !std::mem::take(&mut frame.may_pass_over) {
            return false;
        }
        let (thread, loc) = match &frame.choice {
            Choice::Source { event, .. } => (event.thread, event.loc),
            Choice::Position { event, .. } => (event.thread, NO_LOC),
            Choice::Value { .. } | Choice::Revisit { .. } => return false,
        };
        if !self.may_be_freed(thread) {
            return false;
        }
        self.set_stuck(thread, loc);
        self.frames.push(frame);
        true
    }

    /// Notes that the last event of a thread made the first choice that was consistent.
    pub(in crate::explore) fn note_first(&mut self, choice: &Choice) {
        let (Choice::Source { event, .. } | Choice::Position { event, .. }) = choice else { return };
        let lane = self.graph.lane(event.thread);
        if let Some(&last) = lane.done.checked_sub(1).and_then(|at| lane.order.get(at)) {
            self.graph.event_mut(last).is_first = true;
        }
    }

    /// Whether something may come of a graph in which a thread is stuck: a revisit of something that it has read, or that it owes something to. A revisit does not delete a read that made another choice than the first, but
    /// where a write depends on that; and while it stays, so does all that was there before, and the thread is stuck.
    fn may_be_freed(&self, t: ThreadId) -> bool {
        let lane = self.graph.lane(t);
        let passed = lane.order[..lane.done].iter().rev().map(|&e| self.graph.event(e));
        let mut choices = passed.filter(|event| match event.kind {
            Kind::Read | Kind::Write => !self.graph.is_witnessed(event.loc),
            kind => kind == Kind::Choose,
        });
        choices.next().is_none_or(|last| last.kind == Kind::Write || last.is_first)
    }

    /// Notes where an event begins that makes no choice: it may have to be taken back.
    pub(in crate::explore) fn mark_unchosen(&mut self) -> usize {
        let mark = self.trail.len();
        if self.sections.are_witnessed() {
            self.checker().push();
            self.trail.push(Undo::Pushed);
        }
        mark
    }

    /// Takes such an event back, which is not consistent, and passes over its thread; `false`: that changes nothing.
    pub(in crate::explore) fn take_back_unchosen(&mut self, t: ThreadId, mark: usize) -> bool {
        let may_be_freed = self.sections.are_witnessed() && {
            self.undo_to(mark);
            self.may_be_freed(t)
        };
        if may_be_freed {
            self.set_stuck(t, NO_LOC);
        }
        may_be_freed
    }

    fn set_stuck(&mut self, t: ThreadId, loc: LocId) {
        self.save(t);
        self.graph.lane_mut(t).status = Status::Stuck(loc);
    }

    /// Threads that stand before a read of a location to which a write was added may go on.
    pub(in crate::explore) fn wake_stuck(&mut self, loc: LocId) {
        if !self.sections.are_witnessed() {
            return;
        }
        for t in (0..self.graph.lanes().len()).map(ThreadId::at) {
            if self.graph.lane(t).status == Status::Stuck(loc) {
                self.save(t);
                self.graph.lane_mut(t).status = Status::Running;
            }
        }
    }

    /// Whether some thread is stuck: nothing comes of the graph.
    pub(in crate::explore) fn is_any_stuck(&self) -> bool {
        self.sections.are_witnessed() && self.graph.lanes().iter().any(|l| matches!(l.status, Status::Stuck(_)))
    }
}
