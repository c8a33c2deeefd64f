//! A thread of an execution graph: its events, how far it has run, and what it is doing.

use super::event::NO_EVENT;
use crate::ids::{EventId, LocId, TagSetId};
use crate::program::fault::Fault;
use crate::program::thread::Thread;
use crate::relation::bits::Bits;

/// What a thread is doing.
#[derive(Clone, PartialEq, Debug)]
pub enum Status {
    /// The thread does not exist (yet).
    Absent,
    /// It can run.
    Running,
    /// It has ended.
    Finished,
    /// It has ended, and the program with it: nobody sees it end, and what others still wait for plays no part any more.
    Exited,
    /// It waits for one of these reads to read something else.
    Waiting(Vec<EventId>),
    /// No choice of its next event is consistent. Others go on: what they do may be read instead, if it is a read of this location, or may have something else deleted. Only where the order of sections is witnessed.
    Stuck(LocId),
    /// An assumption of the user failed: the execution is of no interest.
    Assumed,
    /// A bound was reached.
    Cut,
    /// It stopped with an error.
    Faulted(Fault),
}

impl Status {
    /// Whether the thread can run. (Comparing would look at what other states hold.)
    #[inline]
    pub fn is_running(&self) -> bool {
        matches!(self, Status::Running)
    }
}

/// A thread of the graph.
#[derive(Clone, Debug)]
pub struct Lane {
    /// The interpreter, standing before the first event that is not `done`.
    pub thread: Option<Thread>,
    /// Its events in program order.
    pub order: Vec<EventId>,
    /// How many of them the interpreter has passed. The others were kept by a revisit that deleted events before them.
    pub done: usize,
    /// What it is doing.
    pub status: Status,
    /// The event that created it.
    pub spawn: EventId,
    /// 0 for initial threads, else one more than its creator's.
    pub depth: u32,
    /// Tags that all its events carry.
    pub tags: TagSetId,
    /// The rows of its events that a model sees.
    pub rows: Bits,
    /// How many of its events wait for other threads.
    pub waits: usize,
}

impl Default for Lane {
    fn default() -> Self {
        Lane {
            thread: None,
            order: Vec::new(),
            done: 0,
            status: Status::Absent,
            spawn: NO_EVENT,
            depth: 0,
            tags: TagSetId(0),
            rows: Bits::new(),
            waits: 0,
        }
    }
}
