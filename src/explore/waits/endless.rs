//! Threads that wait for ever: where all that they read is final, so that it never changes.
//!
//! A thread that waits has read in a round of its loop what is last in coherence, or what only such rounds have written behind: an exchange that waits writes the
//! value that is there. A loop that reads nothing goes round whatever others do.

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::search::Search;
use crate::explore::reduction::coherence::Lasts;
use crate::explore::visitor::{Execution, Problem};
use crate::graph::event::{Event, Kind};
use crate::graph::{Lane, Status};
use crate::ids::{EventId, ThreadId};
use crate::program::thread::Action;
use crate::program::{Instr, Stop};

impl<J: Checker> Search<'_, '_, J> {
    /// Whether a write is that of a read-modify-write which leaves the value as it was.
    pub(in crate::explore) fn changes_nothing(&self, write: &Event) -> bool {
        self.graph.contains(write.partner) && self.graph.event(write.partner).value == write.value
    }

    /// Whether a thread goes round a loop in which it reads nothing.
    pub(in crate::explore) fn reads_nothing_for_ever(&mut self, t: ThreadId) -> bool {
        let lane = self.graph.lane(t);
        let Status::Waiting(reads) = &lane.status else { return false };
        let Some(mut thread) = lane.thread.clone().filter(|_| reads.is_empty()) else { return false };
        matches!(self.interpret(t, &mut thread), Action::Idle { .. })
    }

    /// Whether a thread stands before a condition that others are to make true, of a lock mostly, and not in a loop that spins.
    pub(in crate::explore) fn has_stopped_to_wait(&self) -> bool {
        let waits = |lane: &Lane| {
            let frame = lane.thread.as_ref().filter(|_| matches!(lane.status, Status::Waiting(_)))?.frame();
            let instr = self.world.program.functions[frame.func.index()].code.get(frame.pc as usize)?;
            Some(matches!(instr, Instr::StopUnless { why: Stop::Await, .. }))
        };
        self.graph.lanes().iter().any(|lane| waits(lane) == Some(true))
    }

    /// Shows that threads wait for ever, if all that they wait for reads what can be the last write in coherence.
    pub(in crate::explore) fn show_stuck(&mut self, waiting: Vec<ThreadId>, reads: &[EventId]) {
        let lasts: Lasts = reads.iter().map(|&r| (self.graph.event(r).loc, self.last_of_round(r, reads))).collect();
        let problem = Problem::Stuck(waiting);
        self.with_coherence(&lasts, &mut |search| {
            let shown = search.checker().is_consistent_when_complete();
            if shown {
                search.show(&problem);
                search.show_flags_of(false, None);
            }
            shown
        });
    }

    /// What has to be last in coherence for a read to read the same value for ever: its source, or the last write of the rounds that came behind that.
    fn last_of_round(&self, read: EventId, reads: &[EventId]) -> EventId {
        let mut last = self.graph.event(read).rf;
        // No more than there are, whatever the model says of coherence.
        for _ in reads {
            let behind = reads.iter().filter(|&&r| self.graph.event(r).rf == last).filter_map(|&r| self.update_of(r));
            match behind.max_by_key(|&w| self.graph.co_index(w)) {
                Some(write) => last = write,
                None => break,
            }
        }
        last
    }

    /// The write of the read-modify-write that a read belongs to, if that changes nothing.
    fn update_of(&self, read: EventId) -> Option<EventId> {
        let order = &self.graph.lane(self.graph.event(read).thread).order;
        let is_update =
            |write: &Event| write.kind == Kind::Write && write.partner == read && self.changes_nothing(write);
        order.iter().copied().find(|&e| is_update(self.graph.event(e)))
    }

    pub(in crate::explore) fn show(&mut self, problem: &Problem) {
        let execution = Execution {
            graph: &self.graph,
            world: &self.world,
            flags: &[],
            last: None,
            all_joined: false,
            stands_for: 1,
        };
        self.stop |= self.visitor.problem(&execution, problem) == crate::explore::visitor::Go::Stop;
    }
}
