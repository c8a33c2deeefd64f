//! Compare-and-swaps that fail where the value found could have been read before.
//!
//! A thread reads a location, and compares and swaps there what it has read. Where that fails and the thread goes on as if it had read the value found to begin with, the execution in which it did so
//! has the same values, without the read and the failed attempt. So the attempt takes only sources with which it succeeds, and no write revisits it with which it does not. Where the thread comes
//! round an idle loop instead, the same holds: it could have read the value found when it was there before.
//!
//! That an attempt succeeds only with the write that was read is so where no value comes twice. Where one does, exploration begins anew, with all rounds ([`crate::explore::statistics::Statistics::recurs`]).
//!
//! The read and the attempt follow each other at once, in the thread and in the order in which events are added, as the halves of a read-modify-write do: nothing else runs between them. Only where revisits keep
//! program order, and the model decides nothing at the end of an execution, so that what remains of a consistent execution is one. `docs/waits.md`, *Rounds that try again*.

use crate::algebra::facts::retag::{Difference, Edges};
use crate::explore::checker::consistency::Checker;
use crate::explore::engine::search::Search;
use crate::explore::waits::known::is_update;
use crate::graph::base_relations::kinds::is_member;
use crate::graph::base_relations::names::{DEPENDENCIES, HALVES};
use crate::graph::event::{Event, Kind};
use crate::graph::prefix::PrefixKind;
use crate::graph::{Lane, Status};
use crate::ids::{EventId, LocId, TagSetId, ThreadId};
use crate::program::thread::{Action, Completion, Thread};
use crate::program::{Half, Instr, Object};
use smallvec::SmallVec;

/// So many reads may stand between a read and the compare-and-swap of what it has read.
const MOST_BETWEEN: usize = 3;

impl<J: Checker> Search<'_, '_, J> {
    fn leaves_out_retries(&self) -> bool {
        self.kind == PrefixKind::ProgramOrder && self.world.tries_again && self.judges.checkers[0].keeps_parts()
    }

    /// The thread that is to compare and swap what it has just read: it goes on before all others.
    pub(in crate::explore) fn about_to_swap(&mut self) -> Option<ThreadId> {
        if !self.leaves_out_retries() {
            return None;
        }
        let reads_last = |lane: &Lane| {
            let last = lane.order.last().filter(|_| lane.done == lane.order.len() && lane.status == Status::Running);
            last.is_some_and(|&e| self.graph.event(e).kind == Kind::Read)
        };
        let threads = (0..self.graph.lanes().len()).map(ThreadId::at);
        let threads: SmallVec<[ThreadId; 8]> = threads.filter(|&t| reads_last(self.graph.lane(t))).collect();
        threads.into_iter().find(|&t| self.swaps_next(t))
    }

    fn swaps_next(&mut self, t: ThreadId) -> bool {
        let lane = self.graph.lane(t);
        let (Some(mut thread), done) = (lane.thread.clone(), lane.done) else { return false };
        let Some(&read) = lane.order.last() else { return false };
        let Action::Read { addr, size, otherwise: Some(otherwise), half, .. } =
            self.world.interpret(t, &mut thread, done as u32)
        else {
            return false;
        };
        let loc = self.world.locs.find(self.world.translate(t, addr), size);
        let read = self.graph.event(read);
        is_update(half) && loc == Some(read.loc) && otherwise.expected == read.value && self.is_ordered(read.loc)
    }

    /// Whether a compare-and-swap that its thread has come to need not fail by reading a write.
    pub(in crate::explore) fn fails_in_vain(&mut self, swap: &Event, source: EventId) -> bool {
        let at = self.graph.lane(swap.thread).done;
        swap.otherwise.is_some()
            && self.leaves_out_retries()
            && self.follows_its_value(swap, at)
            && self.tries_again_for(swap, [at - 1, at], self.graph.event(source).value)
    }

    /// Whether one that is there need not fail by reading a value.
    pub(in crate::explore) fn would_fail_in_vain(&mut self, swap: EventId, value: u64) -> bool {
        if self.graph.event(swap).otherwise.is_none() || !self.leaves_out_retries() {
            return false;
        }
        let event = self.graph.event(swap).clone();
        let at = self.graph.lane(event.thread).order.iter().position(|&e| e == swap);
        at.is_some_and(|at| self.follows_its_value(&event, at) && self.tries_again_for(&event, [at - 1, at], value))
    }

    /// Whether the last that a thread has done is a compare-and-swap that failed, or a read of the same place, behind a read of what it expects and other reads of which nothing is left, so that another execution, in which the first read found what this one has, stands for all
    /// that comes of it. Then the thread stops there, as before an assumption that does not hold.
    pub(in crate::explore) fn has_failed_in_vain(&mut self, t: ThreadId) -> bool {
        if !self.leaves_out_retries() {
            return false;
        }
        let lane = self.graph.lane(t);
        let passed = &lane.order[..lane.done];
        let Some((&swap, before)) = passed.split_last() else { return false };
        let swap = self.graph.event(swap);
        let is_again = swap.otherwise.is_none() && swap.expected_half == Half::None;
        if swap.kind != Kind::Read || !(is_again || is_update(swap.expected_half)) || !self.is_ordered(swap.loc) {
            return false;
        }
        let is_between = |e: &EventId| {
            let event = self.graph.event(*e);
            event.kind == Kind::Read && event.half == Half::None && !event.hidden && event.loc != swap.loc
        };
        let between = before.iter().rev().take_while(|&e| is_between(e)).count();
        let Some(first) = before.len().checked_sub(between + 1).filter(|_| (1..=MOST_BETWEEN).contains(&between))
        else {
            return false;
        };
        let read = self.graph.event(before[first]);
        let expected = swap.otherwise.map_or(read.value, |otherwise| otherwise.expected);
        if (read.kind, read.loc, read.value) != (Kind::Read, swap.loc, expected) {
            return false;
        }
        let (swap, at) = (swap.clone(), before.len());
        // Of a place that is compared and swapped, nothing is wrong with the first read that is not with the attempt.
        let from = if is_again { first } else { first + 1 };
        let between: SmallVec<[EventId; 4]> = SmallVec::from_slice(&before[from..]);
        self.tries_again_for(&swap, [first, at], swap.value) && between.into_iter().all(|e| self.is_harmless(e))
    }

    /// Whether nothing can be wrong with a read that no other execution shows: it is of a variable. That it races with no write is seen to.
    fn is_harmless(&mut self, read: EventId) -> bool {
        let program = self.world.program;
        let read = self.graph.event(read).clone();
        let (address, size) = self.world.locs.get(read.loc);
        let is_in = |o: &Object| !o.thread_local && (o.address..o.address + o.bytes.len() as u64).contains(&address);
        if !program.objects.iter().any(is_in) {
            return false;
        }
        let known = (read.loc, false, read.tags);
        if self.minds_races() && !self.ends.noted.contains(&known) {
            self.ends.noted.insert(known);
            let stores = program.functions.iter().flat_map(|function| &function.code).filter_map(|instr| match instr {
                Instr::Store(store) => Some((store.tags, store.half, store.hidden)),
                _ => None,
            });
            for (tags, half, hidden) in stores {
                let write = Event { kind: Kind::Write, tags, half, hidden, ..read.clone() };
                if self.may_race(&read, &write) {
                    let bytes = address..address + u64::from(size);
                    let met = self.world.options.left_out.leave_out(bytes, (tags, half));
                    self.recurs(met);
                }
            }
        }
        true
    }

    /// Whether races of reads that are left out would be told of.
    fn minds_races(&self) -> bool {
        self.tells_of_rounds() && self.judges.checkers[0].has_flags()
    }

    /// Whether a compare-and-swap fails by a value with which the thread goes on as if a read before had got it, or comes round a loop since that: the places in the thread of the read and of the attempt.
    fn tries_again_for(&mut self, swap: &Event, [before, at]: [usize; 2], value: u64) -> bool {
        let t = swap.thread;
        let read = self.graph.event(self.graph.lane(t).order[before]).clone();
        if value == read.value || read.hidden != swap.hidden {
            return false;
        }
        let (Some(first), Some(then)) = (read.before.clone(), swap.before.clone()) else { return false };
        let (mut first, mut then) = (Thread::from(first), Thread::from(then));
        let [before, at] = [before as u32, at as u32];
        then.finish(Completion::of(value, false));
        let next = self.world.interpret(t, &mut then, at + 1);
        if then.failed.is_some() {
            return false;
        }
        if let Action::Idle { since } = next {
            return since == before && !self.world.may_end_early;
        }
        first.finish(Completion::of(value, false));
        let same = self.world.interpret(t, &mut first, before + 1);
        let goes_on_alike =
            first.failed.is_none() && is_same_read(&next, &same) && then.came_round_like(at + 1, &first, before + 1);
        goes_on_alike
            && (!self.judges.checkers[0].looks_at_dependencies()
                || self.depends_alike([swap, &read], [&then, &first], [at, before]))
            && self.may_be_retagged(t, swap.hidden, swap.labels(value), read.labels(value))
    }

    /// Whether all that comes depends on the failed attempt where it would depend on the read in its place, and the attempt on what the read depends on; given with what comes, and their places in the thread.
    fn depends_alike(&self, [swap, read]: [&Event; 2], [then, first]: [&Thread; 2], [at, before]: [u32; 2]) -> bool {
        let deps = &self.world.deps;
        let pairs = [(swap.addr_deps, read.addr_deps), (swap.ctrl_deps, read.ctrl_deps)];
        pairs.into_iter().all(|(own, other)| deps.covers(own, 0, other, 0))
            && then.depends_like(at, first, before, self.world.program, deps)
    }

    /// Whether an execution stays consistent, and what goes wrong in it wrong, if a read that is no half of a read-modify-write has other tags, and less depends on others.
    fn may_be_retagged(&mut self, t: ThreadId, hidden: bool, from: (TagSetId, Half), to: (TagSetId, Half)) -> bool {
        if from.1 != to.1 || !matches!(from.1, Half::None) {
            return false;
        }
        let key = (hidden, self.graph.lane(t).tags, from.0, to.0);
        if let Some(&(_, may_be)) = self.ends.retagged.iter().find(|(known, _)| *known == key) {
            return may_be;
        }
        let program = self.world.program;
        let of_thread = self.graph.lane(t).tags;
        let is_in = |tags, name: &str| is_member(program, Kind::Read, [hidden, false], [tags, of_thread], name);
        let relations = |name: &str| match name {
            _ if DEPENDENCIES.contains(&name) => Edges::Fewer,
            _ if HALVES.contains(&name) => Edges::Elsewhere,
            _ => Edges::Same,
        };
        let sets = |name: &str| [is_in(from.0, name), is_in(to.0, name)];
        let may_be = self.judges.checkers[0].keeps_retagged(&Difference { sets: &sets, relations: &relations });
        self.ends.retagged.push((key, may_be));
        may_be
    }

    /// Notices, when a thread comes to a compare-and-swap behind a read, that the location has a value twice: then it may succeed with another write than the read's.
    pub(in crate::explore) fn notice_recurrence_for(&mut self, swap: &Event) {
        let at = self.graph.lane(swap.thread).done;
        if self.filling.lookahead.is_some() || !self.leaves_out_retries() || !self.follows_its_value(swap, at) {
            return;
        }
        let co = self.graph.place(swap.loc).map_or(&[][..], |place| &place.co);
        let mut values: SmallVec<[u64; 16]> = co.iter().map(|&w| self.graph.event(w).value).collect();
        values.sort_unstable();
        self.recurs(values.windows(2).any(|two| two[0] == two[1]));
    }

    /// The same when a write is added.
    pub(in crate::explore) fn notice_recurrence_of(&mut self, write: EventId) {
        if self.filling.lookahead.is_some() || !self.leaves_out_retries() {
            return;
        }
        let event = self.graph.event(write);
        let known = (event.loc, true, event.tags);
        if self.minds_races() && !self.ends.noted.contains(&known) {
            let (address, size) = self.world.locs.get(event.loc);
            let bytes = address..address + u64::from(size);
            let met = self.world.options.left_out.write(bytes, (event.tags, event.half));
            self.ends.noted.insert(known);
            self.recurs(met);
        }
        let event = self.graph.event(write);
        let Some(place) = self.graph.place(event.loc) else { return };
        let recurs = place.co.iter().any(|&w| w != write && self.graph.event(w).value == event.value)
            && place.reads.iter().any(|&r| self.swaps_what_was_read(r));
        self.recurs(recurs);
    }

    fn recurs(&mut self, recurs: bool) {
        self.statistics.recurs |= recurs;
        self.stop |= recurs;
    }

    fn swaps_what_was_read(&self, read: EventId) -> bool {
        let event = self.graph.event(read);
        let order = &self.graph.lane(event.thread).order;
        event.otherwise.is_some()
            && order.iter().position(|&e| e == read).is_some_and(|at| self.follows_its_value(event, at))
    }

    /// Whether the read of a compare-and-swap, at this place in its thread, comes right behind a read of the same location that got the value which it expects.
    fn follows_its_value(&self, swap: &Event, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.graph.lane(swap.thread).order.get(before));
        let (Some(otherwise), Some(&read)) = (swap.otherwise, before) else { return false };
        let read = self.graph.event(read);
        is_update(swap.expected_half)
            && (read.kind, read.loc, read.value) == (Kind::Read, swap.loc, otherwise.expected)
            && self.is_ordered(swap.loc)
    }

    fn is_ordered(&self, loc: LocId) -> bool {
        !self.graph.is_unordered(loc)
    }
}

/// Whether two reads that threads come to are the same but for what they depend on.
fn is_same_read(one: &Action, other: &Action) -> bool {
    let (
        Action::Read { addr, size, tags, half, otherwise, hidden, .. },
        Action::Read {
            addr: addr2, size: size2, tags: tags2, half: half2, otherwise: otherwise2, hidden: hidden2, ..
        },
    ) = (one, other)
    else {
        return false;
    };
    (addr, size, tags, half, otherwise, hidden) == (addr2, size2, tags2, half2, otherwise2, hidden2)
}
