//! Waits: threads that spin are not run before what they wait for is there, and not pursued when it can never come.
//!
//! Two rules keep explorations that end with a waiting thread few (`docs/exploration.md`, *Waits*):
//!
//! - *Asleep.* A thread that would find its loop idle if every read took the write that is last in coherence runs only when
//!   nobody else can. That is a matter of the order in which threads run, which exploration is free to choose.
//! - *Past hope.* A waiting thread whose last read did not take the last write that was there when it was added stays a waiting thread
//!   in everything explored from there, because no revisit touches a choice that was not canonical.

use super::judge::Judge;
use super::search::Search;
use super::world::World;
use crate::graph::Graph;
use crate::graph::event::NO_EVENT;
use crate::graph::prefix::PrefixKind;
use crate::ids::{EventId, LocId, ThreadId};
use crate::program::deps::DepId;
use crate::program::thread::{Action, Completion, Exclusive, Slot, Thread};
use crate::program::{Half, Stop};

/// A wait that takes more accesses than this to be recognised is not.
const MOST_ACCESSES: u32 = 8;

impl World<'_> {
    /// Whether a thread that stands before a read would come round its loop, or fail to acquire its lock, if this read and the
    /// following took the last writes of their locations.
    fn would_wait(&mut self, graph: &Graph, t: ThreadId, mut thread: Thread, done: usize) -> bool {
        if !self.may_wait(&thread) {
            return false;
        }
        let mut last_read = None;
        for passed in 0..MOST_ACCESSES {
            let finished = match self.interpret(t, &mut thread, done as u32 + passed) {
                Action::Idle { .. } | Action::Stopped { why: Stop::Await, .. } => return passed > 0,
                Action::Read { addr, size, .. } => {
                    let Some(value) = self.last_value(graph, t, addr, size) else { return false };
                    last_read = Some((addr, size, value));
                    value
                }
                // The write half of a read-modify-write that changes nothing.
                Action::Write { addr, size, value, half: Half::AmoWrite | Half::FusedWrite, .. }
                    if last_read == Some((addr, size, value)) =>
                {
                    0
                }
                _ => return false,
            };
            let completion = Completion {
                result: Slot { value: finished, deps: DepId::NONE },
                exclusive: Exclusive::Keep,
                effect: false,
                lasting: DepId::NONE,
            };
            self.threads.finish(&mut thread, self.program, &mut self.deps, completion);
        }
        false
    }

    /// Whether the code that a thread runs can wait at all.
    fn may_wait(&self, thread: &Thread) -> bool {
        thread.frames().any(|frame| {
            let function = &self.program.functions[frame.func.index()];
            function.has_await || function.depth_at.get(frame.pc as usize).is_some_and(|&depth| depth > 0)
        })
    }

    fn last_value(&self, graph: &Graph, t: ThreadId, addr: u64, size: u8) -> Option<u64> {
        let loc = self.locs.find(self.translate(t, addr), size)?;
        graph.last_write(loc).map(|w| graph.event(w).value)
    }
}

impl<J: Judge> Search<'_, '_, J> {
    /// Whether a thread would only spin. Only asked where revisits keep program order.
    pub(super) fn is_asleep(&mut self, t: ThreadId) -> bool {
        if self.kind != PrefixKind::ProgramOrder || !self.delays_waits() {
            return false;
        }
        let lane = self.graph.lane(t);
        let (thread, done) = (lane.thread.clone(), lane.done);
        thread.is_some_and(|thread| self.world.would_wait(&self.graph, t, thread, done))
    }

    fn delays_waits(&self) -> bool {
        self.filling.is_none() && self.world.options.delay_waits
    }

    /// Whether none of the reads that a thread waits for can be revisited any more: the one that was added last passed over a write
    /// that was there, later in coherence than its source. A revisit of an earlier one would delete that one. When only an earlier one
    /// never changes, a revisit of a later one keeps it, and may still end the wait: a test of a lock that read an old write, and a
    /// compare-and-swap behind it that fails for now.
    pub(super) fn waits_in_vain(&self, reads: &[EventId]) -> bool {
        let last = reads.iter().copied().max_by_key(|&r| self.graph.event(r).stamp);
        self.delays_waits() && last.is_some_and(|r| self.never_changes(r))
    }

    /// Whether a read passed over a write that was there, later in coherence than its source, when it was added: no revisit
    /// from this graph or any that follows changes or deletes it.
    pub(super) fn never_changes(&self, r: EventId) -> bool {
        let read = self.graph.event(r);
        // Where coherence is not explored, a write that was passed over may have been impossible to read.
        if self.floating || !self.adds_in_order() || !self.passes_over(read.loc, read.rf, read.stamp) {
            return false;
        }
        // What fills a hole may have had to take another write than the last.
        let order = &self.graph.lane(read.thread).order;
        !order.iter().any(|&e| self.graph.event(e).stamp < read.stamp && self.is_behind(order, e, r))
    }

    fn passes_over(&self, loc: LocId, rf: EventId, stamp: u32) -> bool {
        let Some(place) = self.graph.place(loc).filter(|_| rf != NO_EVENT) else { return false };
        place.co.iter().rev().take_while(|&&w| w != rf).any(|&w| self.graph.event(w).stamp < stamp)
    }

    fn is_behind(&self, order: &[EventId], e: EventId, r: EventId) -> bool {
        order.iter().position(|&x| x == e) > order.iter().position(|&x| x == r)
    }

    /// Whether events outside holes are always added again in the order in which they were added. With dependency prefixes, what
    /// a revisit keeps may let a thread that another thread created or holds up run earlier.
    fn adds_in_order(&self) -> bool {
        let lanes = self.graph.lanes();
        self.kind == PrefixKind::ProgramOrder || lanes.iter().skip(1).all(|l| l.depth <= 1 && l.waits == 0)
    }
}
