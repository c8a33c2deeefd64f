//! What a few accesses of one location forbid by themselves, whatever else there is.
//!
//! An *excerpt* is what remains of a graph when all but a handful of its events are left out: a location's initial write, some other writes of it in
//! their coherence order, and some reads of it, with everything that ties them to each other (program order, reads-from, dependencies,
//! read-modify-write pairs). A check that prunes and that an excerpt violates stays violated in every graph that it is an excerpt of, if that holds however
//! a graph grew ([`Checker::prunes_in_any_growth`], or [`Checker::of_any_growth`]; else nothing is concluded). So the model is asked once about each excerpt, by all that it can see of
//! it, and choices that make a forbidden one are not tried. There are four such questions:
//!
//! - whether the write of a read-modify-write may be elsewhere in coherence than right behind what its read reads;
//! - whether it may be there when the next write belongs to a read-modify-write that reads the same;
//! - whether a read may read something older than what an earlier read of its thread reads;
//! - whether what fills a hole could have made another choice, given what its thread does behind it (`holes`).
//!
//! Limits: no lock events and no fused read-modify-writes; models that look at values are not asked; a store-exclusive is looked at only together with its
//! load.

use crate::explore::checker::consistency::Checker;
use crate::explore::checker::known::{ExcerptKey, Likeness, MOST_OF_EXCERPT};
use crate::explore::engine::search::Search;
use crate::graph::event::{Event, INIT_THREAD, Kind, NO_EVENT};
use crate::graph::{Graph, Lane};
use crate::ids::{EventId, LocId, TagSetId};
use crate::program::Half;
use crate::program::deps::{DepId, DepTable};
use smallvec::{SmallVec, smallvec};

/// Stands for the event that is about to be added.
const NEW: EventId = EventId(u32::MAX - 1);

/// An event of an excerpt.
#[derive(Clone, Copy)]
struct Member<'g> {
    id: EventId,
    event: &'g Event,
    /// For a read, the write that it reads: the event's own, but for a read that is asked about.
    rf: EventId,
    /// The tags and the half that the event has then.
    labels: (TagSetId, Half),
    /// Its place in its thread, where there is another member of that thread and it is there.
    at: usize,
}

/// The event that is about to be added: where, and for a read what it would read.
#[derive(Clone, Copy)]
struct Added<'g> {
    event: &'g Event,
    rf: EventId,
    /// So many events of its thread come before it.
    passed: usize,
}

impl<'g> Added<'g> {
    fn new(event: &'g Event, passed: usize) -> Self {
        Added { event, rf: event.rf, passed }
    }
}

/// The events of an excerpt: the reads, then the writes in coherence order.
struct Excerpt<'g> {
    graph: &'g Graph,
    members: SmallVec<[Member<'g>; MOST_OF_EXCERPT]>,
}

impl<'g> Excerpt<'g> {
    /// `new`: what [`NEW`] stands for. Initial writes are left out.
    fn new(graph: &'g Graph, new: Added<'g>, ids: &[EventId]) -> Self {
        let mut members = SmallVec::<[Member<'g>; MOST_OF_EXCERPT]>::new();
        for &id in ids {
            let (event, rf, at) = match id {
                NEW => (new.event, new.rf, new.passed),
                _ => (graph.event(id), graph.event(id).rf, 0),
            };
            let labels = match rf == event.rf {
                true => (event.tags, event.half),
                false => event.labels(graph.event(rf).value),
            };
            if event.kind != Kind::Init {
                members.push(Member { id, event, rf, labels, at });
            }
        }
        for i in 0..members.len() {
            let Member { id, event, .. } = members[i];
            let is_other = |other: &Member<'_>| other.id != id && other.event.thread == event.thread;
            if id != NEW && members.iter().any(is_other) {
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
    fn comes_before(one: &Member<'_>, other: &Member<'_>) -> bool {
        if one.event.partner == other.id {
            return false;
        }
        // What has the place of the new one will be behind it.
        other.event.partner == one.id || one.at < other.at || one.id == NEW && one.at == other.at
    }

    /// The members that come before one of them in its thread, by bit.
    fn earlier(&self, of: &Member<'_>) -> u64 {
        let is_earlier =
            |e: &Member<'_>| e.id != of.id && e.event.thread == of.event.thread && Self::comes_before(e, of);
        bits(&self.members, is_earlier)
    }

    /// The members in a set of dependencies, by bit.
    fn among(&self, deps: &DepTable, set: DepId) -> u64 {
        if set == DepId::NONE {
            return 0;
        }
        let set = deps.get(set);
        bits(&self.members, |member| set.contains(member.id.0))
    }

    /// All that a model sees of it, if all members are of the kinds that are looked at and of different instructions but for pairs, and each depends on
    /// members before it only: in that order the model is told of them.
    fn key(&self, deps: &DepTable) -> Option<ExcerptKey> {
        const NONE: u64 = 7;
        let mut key = [0; 2 * MOST_OF_EXCERPT];
        let members = &self.members[..];
        for (i, member) in members.iter().enumerate() {
            let Member { event, labels: (tags, half), .. } = *member;
            if event.hidden || matches!(half, Half::FusedRead | Half::FusedWrite) {
                return None;
            }
            let (mut thread, mut rf, mut partner, mut earlier) = (i, NONE, NONE, 0);
            for (k, other) in members.iter().enumerate() {
                if k == i {
                    continue;
                }
                if other.id == member.rf {
                    rf = k as u64;
                }
                if other.event.thread == event.thread {
                    thread = thread.min(k);
                    let is_pair = other.id == event.partner || other.event.partner == member.id;
                    if other.event.group == event.group && !is_pair {
                        return None;
                    }
                    if other.id == event.partner {
                        partner = k as u64;
                    }
                    earlier |= u64::from(Self::comes_before(other, member)) << k;
                }
            }
            let among = |set| self.among(deps, set);
            let (addr, data, ctrl) = (among(event.addr_deps), among(event.data_deps), among(event.ctrl_deps));
            if (addr | data | ctrl) >> i != 0 || half == Half::ExWrite && partner == NONE {
                return None;
            }
            let mut fields = 1 + u64::from(event.kind == Kind::Read);
            for (field, bits) in [(half as u64, 3), (thread as u64, 3), (rf, 3), (partner, 3)] {
                fields = fields << bits | field;
            }
            for set in [earlier, addr, data, ctrl] {
                fields = fields << MOST_OF_EXCERPT | set;
            }
            key[2 * i] = fields;
            key[2 * i + 1] = u64::from(tags.0) | u64::from(self.graph.lane(event.thread).tags.0) << 32;
        }
        Some(key)
    }

    /// The graph of it.
    fn copied(self, deps: &mut DepTable, loc: LocId) -> Graph {
        let mut graph = Graph::default();
        let init = graph.add_init(loc, None);
        let mut ids = SmallVec::<[EventId; MOST_OF_EXCERPT]>::new();
        let mut writes = 1;
        for (i, &member) in self.members.iter().enumerate() {
            let (event, thread) = (member.event, member.event.thread);
            if graph.lanes().len() <= thread.index() || graph.lane(thread).order.is_empty() {
                *graph.lane_mut(thread) = Lane { tags: self.graph.lane(thread).tags, ..Lane::default() };
            }
            let at = (self.earlier(&member) & !(!0 << i)).count_ones() as usize;
            let mut copy = Event { before: None, reached: DepId::NONE, supposed: DepId::NONE, ..event.clone() };
            if member.rf != event.rf {
                copy.read_value(self.graph.event(member.rf).value);
            }
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
                copy.rf = named(member.rf).unwrap_or(init);
            }
        }
        graph
    }
}

/// The members of which something holds, by bit.
fn bits(members: &[Member<'_>], holds: impl Fn(&Member<'_>) -> bool) -> u64 {
    members.iter().enumerate().fold(0, |bits, (i, member)| bits | u64::from(holds(member)) << i)
}

impl<J: Checker> Search<'_, '_, J> {
    /// Of the places in coherence from `least` to before `next`, those that the write of a read-modify-write may take, as far as this is known. The first
    /// `passed` events of its thread come before it.
    pub(in crate::explore) fn beside_its_source(
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
        let thread = write.thread;
        let write = Added::new(write, passed);
        let (mut least, mut next) = all;
        if least <= at && at > 0 && !self.allows_excerpt(write, &[read, NEW, source]) {
            least = at + 1;
        }
        if let Some(behind) = behind.filter(|&w| self.graph.event(w).thread != thread) {
            if next > at + 2 && !self.allows_excerpt(write, &[read, source, behind, NEW]) {
                next = at + 2;
            }
            let other = self.graph.event(behind).partner;
            let takes_it = other != NO_EVENT && self.graph.event(other).rf == source;
            if takes_it && next == at + 2 && !self.allows_excerpt(write, &[read, other, source, NEW, behind]) {
                next = at + 1;
            }
        }
        (least, next.max(least))
    }

    /// Whether a read may read a write that is older than the one that an earlier read of its thread reads. `refused`: a write that it may not read, with the
    /// same earlier read.
    pub(in crate::explore) fn may_read_back(
        &mut self,
        older: EventId,
        earlier: EventId,
        read: &Event,
        refused: &mut Option<Likeness>,
    ) -> bool {
        let newer = self.graph.event(earlier).rf;
        let own = |e: EventId| self.graph.event(e).thread == read.thread;
        if own(older) || own(newer) || self.knows_no_excerpts() {
            return true;
        }
        let (likeness, added) =
            (self.likeness(older, newer, read), Added { event: read, rf: older, passed: usize::MAX });
        let members = [earlier, NEW, older, newer];
        if likeness.is_some() && likeness == *refused {
            debug_assert!(!self.allows_excerpt(added, &members), "writes that are alike make the same excerpt");
            return false;
        }
        let may = self.allows_excerpt(added, &members);
        if !may {
            *refused = likeness;
        }
        may
    }

    /// What distinguishes writes of other threads than a read's that it might read though an earlier read of its thread has read a newer one. `None`: that is
    /// more than this.
    fn likeness(&self, older: EventId, newer: EventId, read: &Event) -> Option<Likeness> {
        let (older_id, newer_id, graph) = (older, newer, &self.graph);
        let (older, newer) = (graph.event(older), graph.event(newer));
        let is_beside = older.thread == newer.thread && older.thread != INIT_THREAD;
        let depends = |on: EventId, event: &Event| {
            let sets = [event.addr_deps, event.data_deps, event.ctrl_deps];
            sets.iter().any(|&set| set != DepId::NONE && self.world.deps.get(set).contains(on.0))
        };
        if is_beside && (older.group == newer.group || depends(older_id, newer) || depends(newer_id, older)) {
            return None;
        }
        let is_one = |&&e: &&EventId| e == older_id || e == newer_id;
        Some(Likeness {
            labels: (older.tags, older.half),
            hidden: older.hidden,
            of_thread: (older.thread != INIT_THREAD).then(|| graph.lane(older.thread).tags),
            before: is_beside.then(|| graph.lane(older.thread).order.iter().rev().find(is_one) == Some(&newer_id)),
            read: read.labels(older.value),
        })
    }

    /// Whether what the thread of an access does behind it, in so far as that is there, or the read of its own read-modify-write, forbids that it
    /// reads this write, or that it comes behind it. The first `passed` events of its thread come before it.
    pub(in crate::explore) fn is_forbidden(
        &mut self,
        event: &Event,
        passed: usize,
        write: EventId,
        is_there: impl Fn(EventId) -> bool,
    ) -> bool {
        if self.knows_no_excerpts() || self.graph.is_unordered(event.loc) {
            return false;
        }
        let against = self.excerpts_against(event, passed, write, is_there);
        against.into_iter().any(|mut members| {
            members.dedup();
            !self.allows_excerpt(Added::new(event, passed), &members)
        })
    }

    /// Excerpts that may forbid that: with accesses behind this one in its thread that read or write something that is not later in coherence.
    fn excerpts_against(
        &self,
        event: &Event,
        passed: usize,
        write: EventId,
        is_there: impl Fn(EventId) -> bool,
    ) -> SmallVec<[SmallVec<[EventId; MOST_OF_EXCERPT]>; 4]> {
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
    pub(in crate::explore) fn knows_no_excerpts(&self) -> bool {
        let checker = &self.judges.checkers[0];
        checker.looks_at_values() || self.world.deps.has_picks() || !self.knows_any_growth()
    }

    /// Whether the model allows some accesses together with one that is to be added.
    fn allows_excerpt(&mut self, new: Added<'_>, members: &[EventId]) -> bool {
        let excerpt = Excerpt::new(&self.graph, new, members);
        let Some(key) = excerpt.key(&self.world.deps) else { return true };
        if let Some(&known) = self.judges.alone.excerpts.get(&key) {
            return known;
        }
        let graph = excerpt.copied(&mut self.world.deps, new.event.loc);
        let possible = self.allows(graph);
        self.judges.alone.excerpts.insert(key, possible);
        possible
    }
}
