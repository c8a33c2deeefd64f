//! Reads that would read from their future.
//!
//! A write `w` that may revisit a read `r` can come behind a read that reads something from behind `r`: then program order and reads-from make
//! a cycle, `r`, `sent`, `received`, `w`, and `r` again. It is what a model with dependencies must allow where nothing orders the
//! pairs of the two threads, and forbids where something does: an acquire and a release, a fence, a dependency. So the model is asked
//! about these four accesses alone, together with the fences between the two of a thread, and the answer is remembered by all that it can see of
//! them: a check that prunes and that they violate stays violated in whatever the revisit leads to, if that holds however a
//! graph grew (as in `excerpt`).
//!
//! Most revisits that close a cycle are forbidden, and most that are forbidden are for this reason. To find out by making them, and whether they are
//! maximal, is most of the work under models of which revisits leave holes.
//!
//! Not noticed: cycles through more than two threads, and what is forbidden by more than these events.

use crate::explore::checker::consistency::Checker;
use crate::explore::checker::known::{MOST_OF_CIRCLE, SideKey};
use crate::explore::engine::search::Search;
use crate::graph::event::{Event, Kind, NO_EVENT, NO_LOC};
use crate::graph::prefix::PrefixKind;
use crate::graph::{Graph, Lane};
use crate::ids::{EventId, LocId, ThreadId};
use crate::program::Half;
use crate::program::deps::{DepId, DepTable};
use crate::relation::bits::Bits;
use smallvec::SmallVec;

/// So many pairs are looked at for a revisit.
const ENOUGH: usize = 8;

/// A thread's part in such a cycle: a read, fences, a write.
struct Side<'g> {
    graph: &'g Graph,
    members: SmallVec<[(EventId, &'g Event); MOST_OF_CIRCLE]>,
}

impl<'g> Side<'g> {
    /// The events of a thread from one read to a write, which need not be there yet. `between`: what is between them. `None`: they are of kinds
    /// that are not looked at.
    fn new(
        graph: &'g Graph,
        read: (EventId, &'g Event),
        between: &'g [EventId],
        write: (EventId, &'g Event),
        keep: &Bits,
    ) -> Option<Self> {
        let of_its_own = |e: &Event| !e.hidden && !matches!(e.half, Half::FusedRead | Half::FusedWrite);
        let is_pair = write.1.partner == read.0;
        let is_known = of_its_own(read.1)
            && of_its_own(write.1)
            && (is_pair || write.1.half != Half::ExWrite && write.1.group != read.1.group);
        if !is_known {
            return None;
        }
        let is_fence = |e: &&EventId| {
            let event = graph.event(**e);
            event.kind == Kind::Fence && event.loc == NO_LOC && of_its_own(event) && keep.contains(e.0)
        };
        let first = between.iter().find(is_fence);
        let last = between.iter().rev().find(is_fence).filter(|&last| Some(last) != first);
        let mut members = SmallVec::new();
        members.push(read);
        members.extend(first.into_iter().chain(last).map(|&e| (e, graph.event(e))));
        members.push(write);
        Some(Side { graph, members })
    }

    /// The members that an event depends on, by bit: address, data, control.
    fn dependencies(&self, deps: &DepTable, event: &Event) -> [u64; 3] {
        [event.addr_deps, event.data_deps, event.ctrl_deps].map(|set| {
            let set = deps.get(set);
            let members = self.members.iter().enumerate();
            members.fold(0, |bits, (i, &(id, _))| bits | u64::from(set.contains(id.0)) << i)
        })
    }

    fn key(&self, deps: &DepTable) -> SideKey {
        let mut key = [0; 2 * MOST_OF_CIRCLE];
        for ((i, &(_, event)), words) in self.members.iter().enumerate().zip(key.chunks_exact_mut(2)) {
            let [addr, data, ctrl] = self.dependencies(deps, event);
            let is_pair = i > 0 && event.partner == self.members[0].0;
            let kind =
                1 + [Kind::Read, Kind::Fence].iter().position(|kind| *kind == event.kind).map_or(2, |n| n as u64);
            words[0] = [kind, event.half as u64, u64::from(event.is_fence), u64::from(is_pair), addr, data, ctrl]
                .into_iter()
                .fold(0, |all, field| all << 8 | field);
            words[1] = u64::from(event.tags.0) | u64::from(self.graph.lane(event.thread).tags.0) << 32;
        }
        key
    }

    /// Adds a copy of the part to a graph as a thread of it. The write is given a place in coherence. The read, and the write.
    fn copy_to(
        &self,
        graph: &mut Graph,
        deps: &mut DepTable,
        thread: ThreadId,
        co: usize,
        locs: [LocId; 2],
    ) -> [EventId; 2] {
        let tags = self.graph.lane(self.members[0].1.thread).tags;
        *graph.lane_mut(thread) = Lane { tags, ..Lane::default() };
        let mut copies = SmallVec::<[EventId; MOST_OF_CIRCLE]>::new();
        for (i, &(_, event)) in self.members.iter().enumerate() {
            let mut copy = Event {
                before: None,
                reached: DepId::NONE,
                supposed: DepId::NONE,
                thread,
                rf: NO_EVENT,
                ..event.clone()
            };
            let sets = self.dependencies(deps, event);
            for (set, among) in [&mut copy.addr_deps, &mut copy.data_deps, &mut copy.ctrl_deps].into_iter().zip(sets) {
                let kept = copies.iter().enumerate().filter(|(k, _)| among >> k & 1 == 1);
                *set = kept.fold(DepId::NONE, |all, (_, copy)| {
                    let one = deps.singleton(copy.0);
                    deps.union(all, one)
                });
            }
            copy.partner = match copies.first() {
                Some(&read) if event.partner == self.members[0].0 => read,
                _ => NO_EVENT,
            };
            match copy.kind {
                Kind::Read => copy.loc = locs[0],
                Kind::Write => copy.loc = locs[1],
                _ => {}
            }
            copies.push(graph.add(copy, co, i));
        }
        [copies[0], copies[copies.len() - 1]]
    }
}

impl<J: Checker> Search<'_, '_, J> {
    /// Whether the model forbids by a few accesses that `r` reads this write, where all of these events are.
    pub(in crate::explore) fn is_from_the_future(&mut self, write: &Event, r: EventId, keep: &Bits) -> bool {
        let is_unordered = self.graph.is_unordered(write.loc);
        if self.kind != PrefixKind::Dependencies || is_unordered || self.knows_no_excerpts() {
            return false;
        }
        let thread = self.graph.event(r).thread;
        let (theirs, own) = (self.graph.lane(thread), self.graph.lane(write.thread));
        let Some(at) = theirs.order.iter().position(|&e| e == r).filter(|_| thread != write.thread) else {
            return false;
        };
        let behind: Bits = theirs.order[at + 1..].iter().map(|e| e.0).filter(|&e| keep.contains(e)).collect();
        let receives = |e: &EventId| {
            let event = self.graph.event(*e);
            event.kind == Kind::Read && event.rf != NO_EVENT && keep.contains(e.0) && behind.contains(event.rf.0)
        };
        let received: SmallVec<[usize; ENOUGH]> =
            (0..own.done).filter(|&i| receives(&own.order[i])).take(ENOUGH).collect();
        let mut read = self.graph.event(r).clone();
        read.read_value(write.value);
        received.into_iter().any(|i| self.is_forbidden_circle((r, &read, at), i, write, keep))
    }

    /// The same where the cycle goes through this read of the write's thread.
    fn is_forbidden_circle(
        &mut self,
        (r, read, at): (EventId, &Event, usize),
        received: usize,
        write: &Event,
        keep: &Bits,
    ) -> bool {
        let graph = &self.graph;
        let (theirs, own) = (&graph.lane(read.thread).order, graph.lane(write.thread));
        let second = own.order[received];
        let sent = graph.event(second).rf;
        let Some(until) = theirs.iter().position(|&e| e == sent) else { return false };
        let first = Side::new(graph, (r, read), &theirs[at + 1..until], (sent, graph.event(sent)), keep);
        let between = &own.order[received + 1..own.done];
        let then = Side::new(graph, (second, graph.event(second)), between, (NO_EVENT, write), keep);
        let (Some(first), Some(then)) = (first, then) else { return false };
        let is_one = read.loc == graph.event(sent).loc;
        let key = (first.key(&self.world.deps), then.key(&self.world.deps), is_one);
        if let Some(&known) = self.judges.alone.circles.get(&key) {
            return !known;
        }
        // Where both writes are of one location, either may be the first.
        let orders: &[usize] = if is_one { &[1, 2] } else { &[1] };
        let circles: SmallVec<[Graph; 2]> =
            orders.iter().map(|&co| circle(&first, &then, is_one, co, &mut self.world.deps)).collect();
        drop((first, then));
        let possible = circles.into_iter().any(|circle| self.allows(circle));
        self.judges.alone.circles.insert(key, possible);
        !possible
    }
}

/// The graph of two such parts, each of which reads what the other one writes.
fn circle(first: &Side<'_>, then: &Side<'_>, is_one: bool, co: usize, deps: &mut DepTable) -> Graph {
    let [revisited, sent] = [LocId(0), LocId(u32::from(!is_one))];
    let mut graph = Graph::default();
    graph.add_init(revisited, None);
    if !is_one {
        graph.add_init(sent, None);
    }
    let [read, from] = first.copy_to(&mut graph, deps, ThreadId(0), 1, [revisited, sent]);
    let [received, write] = then.copy_to(&mut graph, deps, ThreadId(1), co, [sent, revisited]);
    graph.event_mut(read).rf = write;
    graph.event_mut(received).rf = from;
    graph
}
