//! What a few accesses of one location forbid by themselves, whatever else there is.
//!
//! An *excerpt* is what remains of a graph when all but a handful of its events are left out: a location's initial write, some other writes of it in
//! their coherence order, and some reads of it, with everything that ties them to each other (program order, reads-from, dependencies,
//! read-modify-write pairs). A check that prunes and that an excerpt violates stays violated in every graph that it is an excerpt of, if that holds however
//! a graph grew ([`Judge::prunes_in_any_growth`], or [`Judge::of_any_growth`]; else nothing is concluded). So the model is asked once about each excerpt, by all that it can see of
//! it, and choices that make a forbidden one are not tried. There are four such questions:
//!
//! - whether the write of a read-modify-write may be elsewhere in coherence than right behind what its read reads;
//! - whether it may be there when the next write belongs to a read-modify-write that reads the same;
//! - whether a read may read something older than what an earlier read of its thread reads;
//! - whether what fills a hole could have made another choice, given what its thread does behind it (`holes`).
//!
//! Limits: no lock events and no fused read-modify-writes; models that look at values are not asked; a store-exclusive is looked at only together with its
//! load.

use super::judge::Judge;
use super::search::Search;
use crate::graph::event::{Event, Kind, NO_EVENT};
use crate::graph::{Graph, Lane};
use crate::ids::{EventId, LocId};
use crate::program::Half;
use crate::program::deps::{DepId, DepTable};
use smallvec::{SmallVec, smallvec};

/// Events of an excerpt at most, but for the initial write.
const MOST: usize = 5;
/// Stands for the event that is about to be added.
const NEW: EventId = EventId(u32::MAX - 1);

/// All that a model can see of an excerpt.
pub(super) type Key = [u64; 2 * MOST];

/// An event of an excerpt.
#[derive(Clone, Copy)]
struct Member<'g> {
    id: EventId,
    event: &'g Event,
    /// Its place in its thread, where there is another member of that thread and it is there.
    at: usize,
}

/// The events of an excerpt: the reads, then the writes in coherence order.
struct Excerpt<'g> {
    graph: &'g Graph,
    members: SmallVec<[Member<'g>; MOST]>,
}

impl<'g> Excerpt<'g> {
    /// `new`: what [`NEW`] stands for, which comes behind the first `passed` events of its thread. Initial writes are left out.
    #[inline]
    fn new(graph: &'g Graph, new: &'g Event, passed: usize, ids: &[EventId]) -> Self {
        let members = ids.iter().map(|&id| match id {
            NEW => Member { id, event: new, at: passed },
            _ => Member { id, event: graph.event(id), at: 0 },
        });
        let mut members: SmallVec<[Member<'g>; MOST]> =
            members.filter(|member| member.event.kind != Kind::Init).collect();
        for i in 0..members.len() {
            let Member { id, event, .. } = members[i];
            let has_other = members.iter().enumerate().any(|(k, e)| k != i && e.event.thread == event.thread);
            if has_other && id != NEW {
                members[i].at = graph.lane(event.thread).order.iter().rposition(|&e| e == id).unwrap_or(0);
            }
        }
        Excerpt { graph, members }
    }

    /// The number of a member.
    fn number(&self, id: EventId) -> Option<usize> {
        self.members.iter().position(|member| member.id == id)
    }

    /// Whether one of two members of a thread comes before the other one there.
    fn comes_before(one: Member<'_>, other: Member<'_>) -> bool {
        if one.event.partner == other.id {
            return false;
        }
        // What has the place of the new one will be behind it.
        other.event.partner == one.id || one.at < other.at || one.id == NEW && one.at == other.at
    }

    /// The members that come before one of them in its thread, by bit.
    fn earlier(&self, of: Member<'_>) -> u64 {
        let is_earlier =
            |e: Member<'_>| e.id != of.id && e.event.thread == of.event.thread && Self::comes_before(e, of);
        (0..self.members.len()).fold(0, |bits, i| bits | u64::from(is_earlier(self.members[i])) << i)
    }

    /// The members in a set of dependencies, by bit.
    fn among(&self, deps: &DepTable, set: DepId) -> u64 {
        if set == DepId::NONE {
            return 0;
        }
        let set = deps.get(set);
        (0..self.members.len()).fold(0, |bits, i| bits | u64::from(set.contains(self.members[i].id.0)) << i)
    }

    /// All that a model sees of it, if all members are of the kinds that are looked at and of different instructions but for pairs, and each depends on
    /// members before it only: in that order the model is told of them.
    fn key(&self, deps: &DepTable) -> Option<Key> {
        const NONE: u64 = 7;
        let mut key = [0; 2 * MOST];
        for (i, &member) in self.members.iter().enumerate() {
            let event = member.event;
            if event.hidden || matches!(event.half, Half::FusedRead | Half::FusedWrite) {
                return None;
            }
            let (mut thread, mut rf, mut partner) = (i, NONE, NONE);
            for (k, other) in self.members.iter().enumerate().filter(|&(k, _)| k != i) {
                if other.id == event.rf {
                    rf = k as u64;
                }
                if other.id == event.partner {
                    partner = k as u64;
                }
                if other.event.thread == event.thread {
                    thread = thread.min(k);
                    let is_pair = other.id == event.partner || other.event.partner == member.id;
                    if other.event.group == event.group && !is_pair {
                        return None;
                    }
                }
            }
            let [addr, data, ctrl] =
                [event.addr_deps, event.data_deps, event.ctrl_deps].map(|set| self.among(deps, set));
            if (addr | data | ctrl) >> i != 0 || event.half == Half::ExWrite && partner == NONE {
                return None;
            }
            let fields = [
                (1 + u64::from(event.kind == Kind::Read), 2),
                (event.half as u64, 3),
                (thread as u64, 3),
                (self.earlier(member), MOST),
                (rf, 3),
                (partner, 3),
                (addr, MOST),
                (data, MOST),
                (ctrl, MOST),
            ];
            key[2 * i] = fields.iter().fold(0, |all, &(field, bits)| all << bits | field);
            key[2 * i + 1] = u64::from(event.tags.0) | u64::from(self.graph.lane(event.thread).tags.0) << 32;
        }
        Some(key)
    }

    /// The graph of it.
    fn copied(self, deps: &mut DepTable, loc: LocId) -> Graph {
        let mut graph = Graph::default();
        let init = graph.add_init(loc, None);
        let mut ids = SmallVec::<[EventId; MOST]>::new();
        let mut writes = 1;
        for (i, &member) in self.members.iter().enumerate() {
            let (event, thread) = (member.event, member.event.thread);
            if graph.lanes().len() <= thread.index() || graph.lane(thread).order.is_empty() {
                *graph.lane_mut(thread) = Lane { tags: self.graph.lane(thread).tags, ..Lane::default() };
            }
            let at = (self.earlier(member) & !(!0 << i)).count_ones() as usize;
            let mut copy = Event { before: None, reached: DepId::NONE, ..event.clone() };
            for set in [&mut copy.addr_deps, &mut copy.data_deps, &mut copy.ctrl_deps] {
                let there = self.among(deps, *set);
                let kept = ids.iter().enumerate().filter(|(i, _)| there >> i & 1 == 1);
                *set = kept.fold(DepId::NONE, |all, (_, copy)| {
                    let one = deps.singleton(copy.0);
                    deps.union(all, one)
                });
            }
            ids.push(graph.add(copy, writes, at));
            writes += usize::from(event.kind == Kind::Write);
        }
        let named = |id: EventId| self.number(id).map(|i| ids[i]);
        for (member, &copy) in self.members.iter().zip(&ids) {
            let copy = graph.event_mut(copy);
            copy.partner = named(member.event.partner).unwrap_or(NO_EVENT);
            if member.event.kind == Kind::Read {
                copy.rf = named(member.event.rf).unwrap_or(init);
            }
        }
        graph
    }
}

impl<J: Judge> Search<'_, '_, J> {
    /// Of the places in coherence from `least` to before `next`, those that the write of a read-modify-write may take, as far as this is known. The first
    /// `passed` events of its thread come before it.
    pub(super) fn beside_its_source(
        &mut self,
        write: &Event,
        passed: usize,
        least: usize,
        next: usize,
    ) -> (usize, usize) {
        let all = (least, next);
        if write.partner == NO_EVENT || self.knows_no_excerpts() {
            return all;
        }
        let (graph, read) = (&self.graph, write.partner);
        let source = graph.event(read).rf;
        let Some(place) = graph.place(write.loc).filter(|_| graph.event(read).loc == write.loc) else { return all };
        let Some(at) = place.co.iter().rposition(|&w| w == source) else { return all };
        let order = &graph.lane(write.thread).order;
        if order[passed..].contains(&source) || order[passed..].contains(&read) {
            return all;
        }
        let behind = place.co.get(at + 1).copied();
        let (mut least, mut next) = all;
        if least <= at && at > 0 && !self.allows_excerpt(write, passed, &[read, NEW, source]) {
            least = at + 1;
        }
        if let Some(behind) = behind.filter(|&w| self.graph.event(w).thread != write.thread) {
            if next > at + 2 && !self.allows_excerpt(write, passed, &[read, source, behind, NEW]) {
                next = at + 2;
            }
            let other = self.graph.event(behind).partner;
            let takes_it = other != NO_EVENT && self.graph.event(other).rf == source;
            if takes_it && next == at + 2 && !self.allows_excerpt(write, passed, &[read, other, source, NEW, behind]) {
                next = at + 1;
            }
        }
        (least, next.max(least))
    }

    /// Whether a read may read a write that is older than the one that an earlier read of its thread reads.
    pub(super) fn may_read_back(&mut self, older: EventId, earlier: EventId, read: &Event) -> bool {
        let newer = self.graph.event(earlier).rf;
        let own = |e: EventId| self.graph.event(e).thread == read.thread;
        if own(older) || own(newer) || self.knows_no_excerpts() {
            return true;
        }
        let mut read = read.clone();
        read.before = None;
        read.rf = older;
        read.read_value(self.graph.event(older).value);
        self.allows_excerpt(&read, usize::MAX, &[earlier, NEW, older, newer])
    }

    /// Whether what the thread of an access does behind it, in so far as that is there, or the read of its own read-modify-write, forbids that it
    /// reads this write, or that it comes behind it. The first `passed` events of its thread come before it.
    pub(super) fn is_forbidden(
        &mut self,
        event: &Event,
        passed: usize,
        write: EventId,
        is_there: impl Fn(EventId) -> bool,
    ) -> bool {
        if self.knows_no_excerpts() {
            return false;
        }
        let against = self.excerpts_against(event, passed, write, is_there);
        against.into_iter().any(|mut members| {
            members.dedup();
            !self.allows_excerpt(event, passed, &members)
        })
    }

    /// Excerpts that may forbid that: with accesses behind this one in its thread that read or write something that is not later in coherence.
    fn excerpts_against(
        &self,
        event: &Event,
        passed: usize,
        write: EventId,
        is_there: impl Fn(EventId) -> bool,
    ) -> SmallVec<[SmallVec<[EventId; MOST]>; 4]> {
        let graph = &self.graph;
        let mut found = SmallVec::new();
        let Some(place) = graph.place(event.loc) else { return found };
        let at = |w: EventId| place.co.iter().position(|&x| x == w);
        let Some(last) = at(write) else { return found };
        let behind = graph.lane(event.thread).order[passed..].iter().copied();
        for x in behind.filter(|&x| graph.event(x).loc == event.loc && is_there(x)) {
            let other = graph.event(x);
            let seen = match other.kind {
                Kind::Write => x,
                Kind::Read if other.rf != NO_EVENT => other.rf,
                _ => continue,
            };
            if !is_there(seen) || at(seen).is_none_or(|at| at > last) {
                continue;
            }
            found.push(match (event.kind, other.kind) {
                (Kind::Read, Kind::Read) if seen == write => continue,
                (Kind::Read, Kind::Read) => smallvec![NEW, x, seen, write],
                (Kind::Read, _) => smallvec![NEW, x, write],
                (_, Kind::Read) => smallvec![x, seen, NEW],
                _ => smallvec![x, NEW],
            });
        }
        let read = event.partner;
        if event.kind == Kind::Write && read != NO_EVENT && is_there(read) && graph.event(read).loc == event.loc {
            let source = graph.event(read).rf;
            if source != write && is_there(source) && at(source).is_some_and(|at| at < last) {
                found.push(smallvec![read, source, write, NEW]);
            }
        }
        found
    }

    /// Whether what a few accesses forbid is not known to stay forbidden, or more than the accesses counts.
    pub(super) fn knows_no_excerpts(&self) -> bool {
        let judge = &self.judges[0];
        self.floating || judge.looks_at_values() || self.world.deps.has_picks() || !self.knows_any_growth()
    }

    /// Whether the model allows some accesses together with one that is to be added behind the first `passed` events of its thread.
    fn allows_excerpt(&mut self, new: &Event, passed: usize, members: &[EventId]) -> bool {
        let excerpt = Excerpt::new(&self.graph, new, passed, members);
        let Some(key) = excerpt.key(&self.world.deps) else { return true };
        if let Some(&known) = self.alone.excerpts.get(&key) {
            return known;
        }
        let graph = excerpt.copied(&mut self.world.deps, new.loc);
        let possible = self.allows(graph);
        self.alone.excerpts.insert(key, possible);
        possible
    }
}
