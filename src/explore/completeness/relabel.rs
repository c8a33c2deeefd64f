//! Ends the search with a graph that was found in another way, as if exploration had come to it.
//!
//! The enumerator runs threads past what exploration stops them at: memory that is freed twice, or that is not theirs, the join of what is no thread. So each event is looked at once more as exploration
//! labels it, and the first that it would have refused is the error that its thread ends in. The thread's later events stay in the graph: what others read of them happens only because the
//! thread went wrong.
//!
//! Limits: of several threads that go wrong one is shown, and of executions in which two go wrong because of each other only those that the enumerator has.

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::search::Search;
use crate::explore::engine::step::put_in_place;
use crate::graph::event::{Event, NO_LOC};
use crate::graph::{Graph, Lane, Status};
use crate::ids::{EventId, ThreadId};
use crate::program::fault::Fault;
use crate::program::thread::{Action, Thread};

/// What a thread does that is an error.
struct Wrong {
    thread: ThreadId,
    /// The thread as it stands there.
    at: Thread,
    fault: Fault,
}

impl<J: Checker> Search<'_, '_, J> {
    /// Ends with a graph in which each event has its sources and values, and each lane the thread that made it. Whether a thread does what exploration does not let it go past: then the
    /// execution is not complete, whatever the enumerator says.
    pub(in crate::explore) fn end_with(&mut self, graph: Graph) -> bool {
        self.graph = graph;
        self.judges.checkers[self.level].load(&self.graph, &self.world.deps);
        let wrong = self.first_wrong();
        for t in (0..self.graph.lanes().len()).map(ThreadId::at) {
            self.stand_again(t);
        }
        let is_wrong = wrong.is_some();
        if let Some(Wrong { thread, at, fault }) = wrong {
            let lane = self.graph.lane_mut(thread);
            (lane.thread, lane.status) = (Some(at), Status::Faulted(fault));
        } else if matches!(self.graph.lanes().first(), Some(Lane { status: Status::Running, .. })) {
            self.can_end_alone();
        }
        self.end();
        is_wrong
    }

    /// Where a thread has stopped: the enumerator counts one as failed that waits for one that has, and does not say what others wait for.
    fn stand_again(&mut self, t: ThreadId) {
        let lane = self.graph.lane(t);
        let (Status::Faulted(_) | Status::Waiting(_), Some(mut thread)) = (&lane.status, lane.thread.clone()) else {
            return;
        };
        let action = self.world.interpret(t, &mut thread, lane.done as u32);
        let is_held_up = matches!(action, Action::Join { .. } | Action::Depart { .. });
        let awaited = self.awaited(t, &action);
        let status = match self.refusal(t, &thread, action, None) {
            Some(fault) => Status::Faulted(fault),
            None if is_held_up => Status::Running,
            None => match awaited {
                Some(reads) => Status::Waiting(reads),
                None => return,
            },
        };
        self.graph.lane_mut(t).status = status;
    }

    /// The first event, as they were made, that exploration would not have added.
    fn first_wrong(&mut self) -> Option<Wrong> {
        let mut events: Vec<EventId> = self.graph.ids().filter(|&e| self.graph.event(e).before.is_some()).collect();
        events.sort_unstable_by_key(|&e| self.graph.event(e).stamp);
        events.into_iter().find_map(|e| self.wrong(e))
    }

    fn wrong(&mut self, e: EventId) -> Option<Wrong> {
        let event = self.graph.event(e).clone();
        let t = event.thread;
        let mut at = Thread::from(event.before.clone()?);
        let done = self.graph.lane(t).done;
        let place = self.graph.lane(t).order.iter().position(|&x| x == e)?;
        let action = self.world.interpret(t, &mut at, place as u32);
        self.graph.lane_mut(t).done = place;
        let fault = self.refusal(t, &at, action, Some(event));
        self.graph.lane_mut(t).done = done;
        Some(Wrong { thread: t, at, fault: fault? })
    }

    /// Why exploration does not add the event at which a thread stands, if it does not. A round of a barrier is over in a graph to which all have come; whether too many have is seen where they leave.
    fn refusal(&mut self, t: ThreadId, thread: &Thread, action: Action, event: Option<Event>) -> Option<Fault> {
        let mut event = event.unwrap_or_else(|| {
            let mut event = Event::init(NO_LOC, Some(0));
            put_in_place(&mut event, t, thread, &thread.place(self.world.program));
            event
        });
        match action {
            Action::Fault(fault) => Some(fault),
            Action::Finished
            | Action::Exit
            | Action::Stopped { .. }
            | Action::Idle { .. }
            | Action::Cut
            | Action::Arrive { .. } => None,
            _ => {
                // What an access is part of is told by where its thread stands.
                let last = self.graph.lane_mut(t).thread.replace(thread.clone());
                let fault = self.label(t, &mut event, action).err();
                self.graph.lane_mut(t).thread = last;
                fault
            }
        }
    }
}
