//! Events: the nodes of an execution graph.

use super::memory::Contents;
use crate::ids::{EventId, LocId, SpanId, TagSetId, ThreadId};
use crate::program::deps::DepId;
use crate::program::thread::{Otherwise, Snapshot};
use crate::program::{Half, Region};

/// No event (a read without a source yet, a write that is not half of anything).
pub const NO_EVENT: EventId = EventId(u32::MAX);
/// No location.
pub const NO_LOC: LocId = LocId(u32::MAX);
/// The pseudo-thread of initial writes.
pub const INIT_THREAD: ThreadId = ThreadId(u32::MAX);

/// What an event does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The initial write of a location.
    Init,
    /// A memory read.
    Read,
    /// A memory write.
    Write,
    /// A fence, or another event of the model without a value.
    Fence,
    /// One of several values, by the user's choice (`nondet`, a store-conditional that may fail).
    Choose,
    /// Creates a thread.
    Spawn,
    /// Has waited for a thread.
    Join,
    /// Has reached a barrier.
    Arrive,
    /// Has left a barrier, together with the other threads of its round.
    Depart,
    /// New memory.
    Alloc(Region),
    /// End of memory's life.
    Free,
    /// Tells of an operation that a specification speaks of.
    Mark,
}

impl Kind {
    /// Whether a memory model sees such events.
    pub fn in_model(self) -> bool {
        matches!(self, Kind::Init | Kind::Read | Kind::Write | Kind::Fence)
    }

    /// Whether it orders events of different threads by itself, under every model.
    pub fn synchronises(self) -> bool {
        matches!(self, Kind::Spawn | Kind::Join | Kind::Arrive | Kind::Depart)
    }

    /// Whether its thread waited for other threads there.
    pub fn waits(self) -> bool {
        matches!(self, Kind::Join | Kind::Depart)
    }

    /// Whether it takes part in coherence.
    pub fn writes(self) -> bool {
        matches!(self, Kind::Init | Kind::Write)
    }
}

/// An event.
#[derive(Clone, Debug)]
pub struct Event {
    /// What it does.
    pub kind: Kind,
    /// Its thread ([`INIT_THREAD`] for initial writes).
    pub thread: ThreadId,
    /// Identity within the thread (see [`crate::program::thread`]).
    pub key: u64,
    /// Instruction instance within the thread.
    pub group: u64,
    /// The access within the thread of which it is a part; 0 for a whole one. Reads and writes are different accesses.
    pub access: u64,
    /// Whether another part of its access comes behind it.
    pub goes_on: bool,
    /// Source position.
    pub span: SpanId,
    /// When it was added: larger is later. Initial writes have 0.
    pub stamp: u32,
    /// Its location, or [`NO_LOC`].
    pub loc: LocId,
    /// The value read or written; for `Choose` the value chosen, for `Alloc` and `Free` the address, for `Spawn` and
    /// `Join` the other thread's number, for `Arrive` and `Depart` the barrier's address; for `Mark` what is told.
    pub value: u64,
    /// For `Alloc`, the size in bytes; for `Mark` the [`crate::program::Mark`] as a number; for `Arrive` and `Depart`, the barrier's round; for `Choose`, whether the write of a
    /// read-modify-write comes next (while no value is taken: how many values there are with which none does).
    pub size: u64,
    /// Tags, for a read as decided by the value read.
    pub tags: TagSetId,
    /// Half of a read-modify-write, for a read as decided by the value read.
    pub half: Half,
    /// Tags and half of a read that finds the expected value.
    pub expected_tags: TagSetId,
    /// See `expected_tags`.
    pub expected_half: Half,
    /// What it carries when another value is read.
    pub otherwise: Option<Otherwise>,
    /// In no base set `R W M` (lock events).
    pub hidden: bool,
    /// In base set `F`.
    pub is_fence: bool,
    /// Address dependencies.
    pub addr_deps: DepId,
    /// Data dependencies; of a read, those of what it is compared with (`casdep`).
    pub data_deps: DepId,
    /// Control dependencies.
    pub ctrl_deps: DepId,
    /// What let the thread get there (see [`crate::program::thread::State::reached`]): no dependency to a model.
    pub reached: DepId,
    /// Of what the thread supposed to get there (see [`crate::program::thread::State::supposed`]), the reads of read-modify-writes; nothing where program order counts.
    pub supposed: DepId,
    /// For a read, the write that it reads.
    pub rf: EventId,
    /// For the write half of a read-modify-write, the read half.
    pub partner: EventId,
    /// The thread just before the event; `None` for initial writes.
    pub before: Option<Snapshot>,
    /// For an initial write: the memory's contents are undefined there.
    pub undefined: bool,
    /// For `Choose`: the values that come before the one taken, in maximal order (while none is taken: all); the maximal choice is the first
    /// value that is possible.
    pub passed_over: Option<Box<[u64]>>,
    /// Whether its choice was the first that was consistent when it was added. Only where the order of sections is witnessed.
    pub is_first: bool,
    /// For a write that took a lock: the read by which another thread had taken it before, and which is deleted.
    pub evicts: Option<Evicted>,
}

/// A read that was deleted because its thread would only wait behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evicted {
    /// Its thread.
    pub thread: ThreadId,
    /// Its identity there: the thread stands before the same read again.
    pub key: u64,
    /// When it had been added.
    pub stamp: u32,
}

impl Event {
    /// The initial write of a location.
    pub fn init(loc: LocId, contents: impl Into<Contents>) -> Event {
        let contents = contents.into();
        Event {
            kind: Kind::Init,
            thread: INIT_THREAD,
            key: u64::from(loc.0),
            group: u64::from(loc.0),
            access: 0,
            goes_on: false,
            span: SpanId(0),
            stamp: 0,
            loc,
            value: contents.value,
            size: 0,
            tags: TagSetId(0),
            half: Half::None,
            expected_tags: TagSetId(0),
            expected_half: Half::None,
            otherwise: None,
            hidden: false,
            is_fence: false,
            addr_deps: DepId::NONE,
            data_deps: DepId::NONE,
            ctrl_deps: DepId::NONE,
            reached: DepId::NONE,
            supposed: DepId::NONE,
            rf: NO_EVENT,
            partner: NO_EVENT,
            before: None,
            undefined: contents.is_undefined(),
            passed_over: None,
            is_first: false,
            evicts: None,
        }
    }

    /// The tags and the half of a read that reads this value.
    pub fn labels(&self, value: u64) -> (TagSetId, Half) {
        match self.otherwise {
            Some(other) if other.expected != value => (other.tags, other.half),
            _ => (self.expected_tags, self.expected_half),
        }
    }

    /// Gives a read its value, and the tags and half that follow from it.
    pub fn read_value(&mut self, value: u64) {
        self.value = value;
        (self.tags, self.half) = self.labels(value);
    }

    /// Gives a choice one of its values, which are in maximal order.
    pub fn take_value(&mut self, value: u64) {
        let values = self.passed_over();
        let at = values.iter().position(|&v| v == value).unwrap_or(0);
        let passed_over = values[..at].into();
        self.value = value;
        self.size = u64::from(at as u64 >= self.size);
        self.passed_over = Some(passed_over);
    }

    /// See the field.
    pub fn passed_over(&self) -> &[u64] {
        self.passed_over.as_deref().unwrap_or_default()
    }
}
