//! Waits: threads that spin are not run before what they wait for is there, and not pursued when it can never come.
//!
//! Three rules keep explorations that end with a waiting thread few, and a fourth in `unwoken` (`docs/waits.md`, *Waits*):
//!
//! - *Asleep.* A thread that would find its loop idle if every read took the write that is last in coherence runs only when
//!   nobody else can. That is a matter of the order in which threads run, which exploration is free to choose.
//! - *Past hope.* A waiting thread whose last read did not take the last write that was there when it was added stays a waiting thread
//!   in everything explored from there, because no revisit touches a choice that was not maximal, nor what comes before it.
//! - *Overtaken.* So does one whose last read was overtaken by a write on which everything depends that can still happen.
//!
//! A failed assumption counts as a wait in all rules; it differs in that nobody is told of threads that wait for ever, and that it is in no execution. A wait is in one where another
//! thread ends the program (`tests/c/correct/language/ended_twice.c`): none is given up where that may be.

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::context::World;
use crate::explore::engine::search::Search;
use crate::explore::waits::known::{Foreseen, Reads, last_write};
use crate::graph::event::{Kind, NO_EVENT};
use crate::graph::prefix::{PrefixKind, prefix};
use crate::graph::{Graph, Status};
use crate::ids::{EventId, FuncId, LocId, ThreadId};
use crate::program::instr::Pc;
use crate::program::thread::{Action, Completion, Thread};
use crate::program::{Half, Stop};
use smallvec::SmallVec;

/// A wait that takes more accesses than this to be recognised is not.
const MOST_ACCESSES: u32 = 8;

impl World<'_> {
    /// Whether a thread that stands before a read would come round its loop, fail to acquire its lock, or fail an assumption, if this
    /// read and the following took the last writes of their locations.
    fn would_wait(&mut self, graph: &Graph, t: ThreadId, from: &Thread, done: usize) -> bool {
        if !self.may_wait(from) {
            return false;
        }
        if let Some(known) = self.foresight.get(graph, t, from, done) {
            return known;
        }
        let mut reads = Reads::new();
        let Some(waits) = self.run_ahead(graph, t, from.clone(), done, &mut reads) else { return false };
        self.foresight.set(Foreseen { from: from.clone(), thread: t, done, reads, waits });
        waits
    }

    /// Runs a thread to where it waits or does something else, and notes what it reads on the way. `None`: it reads what nothing has
    /// accessed.
    fn run_ahead(
        &mut self,
        graph: &Graph,
        t: ThreadId,
        mut thread: Thread,
        done: usize,
        reads: &mut Reads,
    ) -> Option<bool> {
        let mut last_read = None;
        for passed in 0..MOST_ACCESSES {
            let finished = match self.interpret(t, &mut thread, done as u32 + passed) {
                Action::Idle { .. } | Action::Stopped { why: Stop::Await | Stop::Assume, .. } => {
                    return Some(passed > 0);
                }
                Action::Read { addr, size, .. } => {
                    let loc = self.locs.find(self.translate(t, addr), size)?;
                    let value = last_write(graph, loc).map(|w| graph.event(w).value)?;
                    reads.push((loc, value));
                    last_read = Some((addr, size, value));
                    value
                }
                // The write half of a read-modify-write that changes nothing.
                Action::Write { addr, size, value, half: Half::AmoWrite | Half::FusedWrite, .. }
                    if last_read == Some((addr, size, value)) =>
                {
                    0
                }
                _ => return Some(false),
            };
            thread.finish(Completion::of(finished, false));
        }
        Some(false)
    }

    /// Whether the code that a thread runs can wait at all.
    pub(in crate::explore) fn may_wait(&self, thread: &Thread) -> bool {
        let may_wait = |func: FuncId, pc: Pc| {
            let function = &self.program.functions[func.index()];
            function.may_stop
                || self.calls_waits[func.index()]
                || function.may_idle_at.get(pc as usize).is_some_and(|&may| may)
        };
        may_wait(thread.frame().func, thread.next())
            || thread.frames().skip(1).any(|frame| may_wait(frame.func, frame.pc))
    }
}

impl<J: Checker> Search<'_, '_, J> {
    /// Whether a thread would only spin. Only asked where revisits keep program order.
    pub(in crate::explore) fn is_asleep(&mut self, t: ThreadId) -> bool {
        if self.kind != PrefixKind::ProgramOrder || !self.delays_waits() {
            return false;
        }
        let lane = self.graph.lane(t);
        lane.thread.as_ref().is_some_and(|thread| self.world.would_wait(&self.graph, t, thread, lane.done))
    }

    /// Whether waits are delayed and given up. That nothing is lost with one that is given up holds of revisits that are made from maximal graphs: where every revisit is made, from whatever
    /// graph, a thread may be woken from one in which it seems to wait in vain.
    pub(in crate::explore) fn delays_waits(&self) -> bool {
        self.filling.lookahead.is_none() && self.world.options.delay_waits && !self.world.options.every_revisit
    }

    /// Whether a thread has stopped so that no execution comes of it if it stays there.
    pub(in crate::explore) fn may_be_given_up(&self, status: &Status) -> bool {
        match status {
            Status::Waiting(_) => !self.world.may_end_early,
            Status::Assumed => true,
            _ => false,
        }
    }

    /// Whether a thread that stands where it waits, or where an assumption fails, does so in everything explored from here: the last
    /// read that led it there never changes, so none before it does, as a revisit of these would delete it.
    ///
    /// One of several reads that led there is not enough: the thread may go on when a later one is revisited, and that revisit is made
    /// from a graph like this one (`tests/c/wrong/wait/stale_and_fresh.c`). Nor is a wait in vain if an assertion fails on the way to it: it may hold of
    /// whatever else the read reads (`tests/c/wrong/wait/fails_in_the_round.c`).
    pub(in crate::explore) fn waits_in_vain(&mut self, t: ThreadId) -> bool {
        self.delays_waits()
            && !self.has_failed(t)
            && self.never_reads_again(t)
            && self.renews_last_read(t)
            && !self.stop_may_be_wrong(t, None)
    }

    /// Whether an assertion of a thread has failed that went on.
    fn has_failed(&self, t: ThreadId) -> bool {
        self.graph.lane(t).thread.as_ref().is_some_and(|thread| thread.failed.is_some())
    }

    fn never_reads_again(&self, t: ThreadId) -> bool {
        let lane = self.graph.lane(t);
        let passed = &lane.order[..lane.done];
        let Some(at) = passed.iter().rposition(|&e| self.graph.event(e).kind == Kind::Read) else { return false };
        let (before, after) = (&passed[..at], &passed[at + 1..]);
        self.never_changes(passed[at])
            && (self.kind == PrefixKind::ProgramOrder || {
                // Nothing depends on it, so that no revisit keeps it; and what comes before it is older, so that a revisit deletes it.
                let stamp = self.graph.event(passed[at]).stamp;
                after.iter().all(|&e| self.graph.event(e).kind != Kind::Write)
                    && before.iter().all(|&e| self.graph.event(e).stamp < stamp)
            })
    }

    /// Whether the thread of a read that was just added stops behind it, with nothing but fences in between, and in vain. Then nobody need say whether
    /// the read is consistent, and it is not counted.
    pub(in crate::explore) fn stops_in_vain(&mut self, t: ThreadId) -> bool {
        self.waits_in_vain(t)
            && self.graph.lane(t).thread.as_ref().is_some_and(|from| self.world.may_wait(from))
            && self.stops_behind_fences(t)
    }

    /// Whether a thread stops, with nothing but fences before that.
    fn stops_behind_fences(&mut self, t: ThreadId) -> bool {
        let lane = self.graph.lane(t);
        let Some(thread) = lane.thread.clone() else { return false };
        let done = lane.done as u32;
        self.stops_from(t, thread, done)
    }

    /// The same of a thread that has had so many events when it stands there.
    pub(in crate::explore) fn stops_from(&mut self, t: ThreadId, mut thread: Thread, done: u32) -> bool {
        for passed in 0..MOST_ACCESSES {
            match self.world.interpret(t, &mut thread, done + passed) {
                _ if thread.failed.is_some() => return false,
                Action::Stopped { why: Stop::Assume, .. } => return true,
                Action::Idle { .. } | Action::Stopped { why: Stop::Await, .. } => return !self.world.may_end_early,
                Action::Fence { addr: None, .. } => thread.finish(Completion::of(0, false)),
                _ => return false,
            }
        }
        false
    }

    /// Whether some thread that has stopped at a wait or an assumption stays there in everything explored from here, because its last
    /// read `r` was overtaken: a write `w` came later, in coherence too, on which everything that can still happen depends. Whatever
    /// revisited `r` would keep `w`, and with `w` there `r` did not make the maximal choice.
    ///
    /// Only asked where revisits keep program order. `docs/waits.md`, *Waits*.
    pub(in crate::explore) fn is_overtaken(&mut self) -> bool {
        if self.kind != PrefixKind::ProgramOrder || !self.delays_waits() {
            return false;
        }
        (0..self.graph.lanes().len()).any(|t| {
            let lane = &self.graph.lanes()[t];
            if !self.may_be_given_up(&lane.status) || lane.done < lane.order.len() || self.has_failed(ThreadId::at(t)) {
                return false;
            }
            let is_read = |e: &&EventId| self.graph.event(**e).kind == Kind::Read;
            let Some(read) = lane.order.iter().rev().find(is_read).map(|&r| self.graph.event(r)) else { return false };
            let Some(place) = self.graph.place(read.loc).filter(|place| !place.unordered) else { return false };
            let t = ThreadId::at(t);
            // What the thread itself has written behind the read is deleted when that is revisited. And a round of another thread that waits, too, may have
            // written what was there: all of these wait for ever then, if nothing else comes.
            let comes_between = |&w: &EventId| {
                let write = self.graph.event(w);
                write.stamp > read.stamp && write.thread != t && !self.changes_nothing(write)
            };
            let later = place.co.iter().rev().copied().take_while(|&w| w != read.rf);
            let later: SmallVec<[EventId; 8]> = later.filter(comes_between).collect();
            let overtakes = |search: &mut Self, w| search.all_know(w, t) && !search.stop_may_be_wrong(t, Some(w));
            later.into_iter().any(|w| overtakes(self, w)) && self.renews_last_read(t)
        })
    }

    /// Whether everything that threads do from now on depends on `w`; `stopped` does nothing.
    fn all_know(&mut self, w: EventId, stopped: ThreadId) -> bool {
        (0..self.graph.lanes().len()).all(|u| self.knows(ThreadId::at(u), w, stopped))
    }

    fn knows(&mut self, u: ThreadId, w: EventId, stopped: ThreadId) -> bool {
        let lane = self.graph.lane(u);
        if u == stopped || lane.status != Status::Running || self.graph.event(w).thread == u {
            return true;
        }
        let mut last = lane.order.last().copied();
        // A thread that stands before a join does nothing before the thread that it joins has ended.
        if let Some(mut thread) = lane.thread.clone().filter(|_| lane.done == lane.order.len())
            && let Action::Join { thread: child, .. } = self.interpret(u, &mut thread)
            && let Some(child) = self.graph.lanes().get(child as usize)
        {
            let writes = child.order.contains(&w);
            if writes || matches!(child.status, Status::Waiting(_) | Status::Assumed) {
                return true;
            }
            last = child.order.last().copied().or(last);
        }
        let Some(last) = last else { return false };
        self.graph.settle_clocks();
        if let Some(clock) = self.graph.clock_before(self.graph.event(last)) {
            return self.graph.is_counted(&clock, w);
        }
        let mut before = std::mem::take(&mut self.scratch.prefix);
        prefix(&self.graph, &self.world.deps, self.kind, self.graph.event(last), &mut before, &mut self.scratch.work);
        let knows = before.contains(w.0);
        self.scratch.prefix = before;
        knows
    }

    /// Whether a read passed over a write that was there, later in coherence than its source, when it was added: no revisit
    /// from this graph or any that follows changes or deletes it.
    pub(in crate::explore) fn never_changes(&self, r: EventId) -> bool {
        let read = self.graph.event(r);
        // Where the order is of no interest, a write that was passed over may have been impossible to read.
        if self.graph.is_unordered(read.loc)
            || !self.adds_in_order()
            || !self.passes_over(read.loc, read.rf, read.stamp)
        {
            return false;
        }
        // What fills a hole may have had to take another write than the last.
        let order = &self.graph.lane(read.thread).order;
        let behind = order.iter().rposition(|&e| e == r).map_or(0, |at| at + 1);
        order[behind..].iter().all(|&e| self.graph.event(e).stamp >= read.stamp)
    }

    fn passes_over(&self, loc: LocId, rf: EventId, stamp: u32) -> bool {
        let Some(place) = self.graph.place(loc).filter(|_| rf != NO_EVENT) else { return false };
        place.co.iter().rev().take_while(|&&w| w != rf).any(|&w| self.graph.event(w).stamp < stamp)
    }

    /// Whether events outside holes are always added again in the order in which they were added. With dependency prefixes, what
    /// a revisit keeps may let a thread that another thread created or holds up run earlier.
    fn adds_in_order(&self) -> bool {
        let lanes = self.graph.lanes();
        self.kind == PrefixKind::ProgramOrder || lanes.iter().skip(1).all(|l| l.depth <= 1 && l.waits == 0)
    }
}
