//! The choices on the way to the graph at hand: what is left of each, and what leads back before it.

use crate::explore::checker::known::Likeness;
use crate::explore::progress::online::Level;
use crate::graph::event::{Event, NO_EVENT};
use crate::graph::{Graph, Status};
use crate::ids::{EventId, LocId, ThreadId};
use crate::program::deps::DepId;
use crate::program::thread::Thread;
use crate::relation::bits::Bits;

/// What a frame chooses.
pub(crate) enum Choice {
    /// The source of a read (counted down to `least`), and what its thread passed.
    Source { event: Box<Event>, next: usize, least: usize, passed: Passed },
    /// The coherence position of a write (counted down to `least`), then the reads that it revisits.
    Position {
        event: Box<Event>,
        next: usize,
        least: usize,
        reader: EventId,
        at: Option<usize>,
        revisits: Option<Vec<Revisit>>,
    },
    /// One of several values.
    Value { event: Box<Event>, values: Box<[u64]>, next: usize },
    /// Nothing: when the frames above are done, the graph before the revisit is put back. The checker goes back, too, where it went on from
    /// what it knew.
    Revisit { original: Box<Graph>, in_place: bool },
}

impl Choice {
    /// Whether it is one of the next event of a thread, and not of a write that revisits.
    pub(in crate::explore) fn is_of_thread(&self) -> bool {
        match self {
            Choice::Source { .. } => true,
            Choice::Position { reader, .. } => *reader == NO_EVENT,
            Choice::Value { .. } | Choice::Revisit { .. } => false,
        }
    }

    /// Whether an alternative may be left.
    #[inline]
    pub(in crate::explore) fn has_more(&self) -> bool {
        self.left() > 0
    }

    /// How many alternatives are left. Revisits that are not known yet count as one.
    #[inline]
    pub(in crate::explore) fn left(&self) -> usize {
        match self {
            Choice::Source { next, least, .. } => next.saturating_sub(*least),
            Choice::Value { next, values, .. } => values.len().saturating_sub(*next),
            Choice::Position { next, least, reader, revisits, .. } => {
                let revisits = if *reader == NO_EVENT { revisits.as_ref().map_or(1, Vec::len) } else { 0 };
                next.saturating_sub(*least) + revisits
            }
            Choice::Revisit { .. } => 0,
        }
    }
}

/// A read that a write may revisit, and what stays then.
pub(crate) struct Revisit {
    pub(in crate::explore) read: EventId,
    pub(in crate::explore) keep: Bits,
}

/// A choice on the way to the graph at hand, and what leads back before it.
pub(crate) struct Frame {
    /// How much of the trail there was before it.
    pub(in crate::explore) trail: usize,
    /// Whether the checker has a frame of it.
    pub(in crate::explore) pushed: bool,
    /// The alternatives that are left are explored by another thread.
    pub(crate) given: bool,
    /// That of the checker which knows the graph before the choice.
    pub(in crate::explore) level: usize,
    /// Whether the thread is passed over if no alternative is consistent, and none was so far.
    pub(in crate::explore) may_pass_over: bool,
    /// How many alternatives were tried.
    pub(in crate::explore) tried: u32,
    /// How many executions had been found before.
    pub(in crate::explore) found: u64,
    pub(crate) choice: Choice,
}

impl Frame {
    /// How far it has come.
    pub(in crate::explore) fn progress(&self) -> Level {
        Level { found: self.found, tried: self.tried, left: self.choice.left(), given: self.given }
    }
}

/// What the thread of a read passed at its location: the place in coherence of its last write, and its last read with the place of what that reads; and whether a write has evicted the read.
#[derive(Clone, Copy, Default)]
pub(crate) struct Passed {
    pub(in crate::explore) write: usize,
    pub(in crate::explore) read: Option<(EventId, usize)>,
    pub(in crate::explore) is_evicted: bool,
}

impl Passed {
    /// Nothing that is not before this place in coherence is older than what the thread passed.
    pub(in crate::explore) fn end(self) -> usize {
        self.write.max(self.read.map_or(0, |(_, at)| at))
    }
}

/// Writes that a read may not read: mostly the next one is like one of them.
#[derive(Default)]
pub(in crate::explore) struct Refused {
    pub(in crate::explore) older: Option<EventId>,
    pub(in crate::explore) back: Option<Likeness>,
}

/// How far [`Search::advance`] got.
pub(crate) enum Step {
    /// A choice was pushed.
    Choice,
    /// An event without a choice made the graph inconsistent.
    Dead,
    /// No thread can run.
    End,
}

/// How to take back one change of the graph.
pub(in crate::explore) enum Undo {
    /// A thread ran.
    Lane(ThreadId, Option<Thread>, usize, Status),
    /// A thread was created.
    Born(ThreadId),
    /// An event was added; whether its thread went past it.
    Event(EventId, bool),
    /// A location was accessed for the first time.
    Init(LocId),
    /// An event got other dependency sets.
    Picks(EventId, [DepId; 3]),
    /// The checker has a frame for what makes no choice, and may have to be taken back.
    Pushed,
    /// Coherence orders that are of no interest were exchanged for others, and the checker for one that knows these.
    Orders(Orders),
}

/// The writes of some locations in an order, the initial ones left out.
pub(in crate::explore) type Orders = Vec<(LocId, Vec<EventId>)>;
