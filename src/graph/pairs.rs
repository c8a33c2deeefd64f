//! Read-modify-writes: which halves belong together, and whether a thread is in the middle of one.
//!
//! An instruction on a pair of registers (`LDXP`, `CASP`) has two reads and two writes; each write belongs to the read of its location.

use super::event::{Event, Kind, NO_EVENT};
use super::{EventId, Graph, Lane};
use crate::ids::LocId;
use crate::program::Half;

impl Event {
    /// Whether it is half of an exclusive or atomic instruction that may have a twin at a neighbouring location.
    pub fn is_half(&self) -> bool {
        matches!(self.half, Half::AmoRead | Half::AmoWrite | Half::ExRead | Half::ExWrite)
    }
}

/// Whether two events are the same half of one exclusive or atomic instruction: one access, at two locations if they differ.
pub fn is_pair(a: &Event, b: &Event) -> bool {
    a.is_half() && (a.thread, a.group, a.half) == (b.thread, b.group, b.half)
}

/// Whether two events are parts of one access that is cut ([`crate::program::cuts`]).
pub fn is_part_of(a: &Event, b: &Event) -> bool {
    a.access != 0 && (a.thread, a.access) == (b.thread, b.access)
}

/// Whether two events are of one access that reads and writes and is cut: what it writes depends on what it reads, and that is nothing between events.
pub fn are_one_update(a: &Event, b: &Event) -> bool {
    let is_part = |e: &Event| e.access != 0 && matches!(e.half, Half::FusedRead | Half::FusedWrite);
    is_part(a) && is_part(b) && (a.thread, a.group) == (b.thread, b.group)
}

impl Graph {
    /// Whether the last of a thread's first `passed` events is the read half of a read-modify-write (its write comes next, or,
    /// for an exclusive pair, the choice whether it succeeds), or the choice that it succeeds; or a part of an access of which another part comes next.
    #[inline]
    pub fn is_half_done(&self, lane: &Lane, passed: usize) -> bool {
        // Asked of every thread at every step: mostly the last event is a plain access, and that is all there is to see.
        match passed.checked_sub(1).map(|last| self.event(lane.order[last])) {
            None => false,
            Some(last) if last.goes_on => true,
            Some(last) if last.kind != Kind::Choose && last.half == Half::None => false,
            Some(_) => self.is_half_done_behind(lane, passed),
        }
    }

    fn is_half_done_behind(&self, lane: &Lane, passed: usize) -> bool {
        let last =
            lane.order[..passed].iter().rev().map(|&e| self.event(e)).find(|e| e.kind != Kind::Choose || e.size == 0);
        last.is_some_and(|e| match e.half {
            Half::AmoRead | Half::FusedRead | Half::ExRead => true,
            Half::AmoWrite | Half::ExWrite if e.partner != NO_EVENT => {
                // Of an instruction on a pair, one half may still be to come.
                let read = self.event(e.partner);
                let is_half = |x: &&EventId, of: &Event| {
                    let event = self.event(**x);
                    event.group == of.group && event.half == of.half
                };
                // The halves of one instruction follow each other.
                let own = lane.order[..passed].iter().rev().skip_while(|x| !is_half(x, e));
                let writes = own.take_while(|x| is_half(x, e)).count();
                let other = lane.order[..passed].iter().rev().skip_while(|x| !is_half(x, read));
                other.take_while(|x| is_half(x, read)).count() > writes
            }
            _ => false,
        })
    }

    /// Whether the last of a thread's first `passed` events writes a part of an access of which another part comes next. What others see of that, they do not see of any execution.
    #[inline]
    pub fn is_tearing(&self, lane: &Lane, passed: usize) -> bool {
        let last = passed.checked_sub(1).map(|last| self.event(lane.order[last]));
        last.is_some_and(|last| last.goes_on && last.kind == Kind::Write)
    }

    /// Of the reads of one instruction on a pair of locations, the one that accesses `loc`.
    pub fn twin(&self, read: EventId, loc: LocId) -> EventId {
        let event = self.event(read);
        if event.loc == loc {
            return read;
        }
        let mut twins = self.lane(event.thread).order.iter().copied().filter(|&e| {
            let other = self.event(e);
            other.group == event.group && other.half == event.half && other.loc == loc
        });
        twins.next_back().unwrap_or(read)
    }

    /// Whether a write belongs to a read-modify-write that happens, and writes the same, whatever it reads, but for what dependencies say of it. (An
    /// addition depends on what it reads, and the write of a compare-and-swap happens because of it.)
    pub fn is_exchange(&self, write: &Event) -> bool {
        write.half == Half::AmoWrite
            && !write.hidden
            && self.contains(write.partner)
            && self.event(write.partner).otherwise.is_none()
    }

    /// Whether there is, among these events of a thread, the read of an atomic instruction without its write, and then something else. `finished`: a
    /// read that counts as if it had its write.
    pub fn is_pending(&self, events: &[EventId], finished: Option<EventId>) -> bool {
        let lacks_write = |r: EventId| {
            Some(r) != finished
                && matches!(self.event(r).half, Half::AmoRead | Half::FusedRead)
                && !events.iter().any(|&e| self.event(e).partner == r)
        };
        events.split_last().is_some_and(|(_, others)| others.iter().any(|&e| lacks_write(e)))
    }

    /// How urgent it is that a thread runs: it stands before events that a revisit kept, or in the middle of a read-modify-write. What it
    /// adds then has its place given by what is there, and must take it before somebody else does.
    #[inline]
    pub fn urgency(&self, lane: &Lane) -> Urgency {
        let is_half_done = self.is_half_done(lane, lane.done);
        Urgency::of(is_half_done, lane.done < lane.order.len(), || self.is_pending(&lane.order, None))
    }
}

/// How urgent it is that a thread runs.
///
/// The write of a read-modify-write has one place only. Where something is kept behind it, it comes before what fills holes in other
/// threads: another read-modify-write among these would take the place (it can read this write instead). Where nothing is, it comes after them, because
/// it may revisit, and a revisit is made from a graph without holes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Urgency {
    /// Not at all.
    None,
    /// The thread is in the middle of a read-modify-write, and nothing comes later.
    Unfinished,
    /// Something is kept that comes later in the thread.
    Hole,
    /// The read of a read-modify-write is among that, and something behind it, but not its write.
    Pending,
    /// The thread is in the middle of a read-modify-write, and something is kept that comes later.
    HalfDone,
}

impl Urgency {
    /// Of a thread that is in the middle of a read-modify-write or not, with something kept behind that or not.
    #[inline]
    pub fn of(is_half_done: bool, has_more: bool, is_pending: impl FnOnce() -> bool) -> Urgency {
        match (is_half_done, has_more) {
            (true, true) => Urgency::HalfDone,
            (true, false) => Urgency::Unfinished,
            (false, true) if is_pending() => Urgency::Pending,
            (false, true) => Urgency::Hole,
            (false, false) => Urgency::None,
        }
    }
}
