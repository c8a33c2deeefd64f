//! What a thread knows of a location from other threads: a write that comes before something which it has read.
//!
//! A thread takes a lock, and then accesses what the lock guards. Whatever the last holder wrote there is behind it: most models let it read nothing older, and
//! write nothing that comes before that in coherence. Else every older write would be tried as a source, and every earlier place in coherence. So the model is asked once, about
//! an execution that has these events only: a write `w`, behind it in its thread a write `s` (or that is `w`), a read `g` of `s` by the next thread (and so on, a hop each), behind
//! `g` the access, which reads something older than `w` or comes before it in coherence. A check that prunes stays violated in every execution that has
//! them, if that holds however the execution grew ([`Checker::prunes_in_any_growth`], or [`Checker::of_any_growth`]; else nothing is concluded).
//!
//! Limits: so many hops ([`HOPS`]), each by one of the last reads of a thread ([`RECENT`]); fences in between, dependencies and the other halves of
//! read-modify-writes are left out, which forbids less; no fused read-modify-writes and no store-exclusives; models that look at values are not asked.

use crate::explore::checker::consistency::Checker;
use crate::explore::checker::known::SynchronisedKey;
use crate::explore::checker::same_thread::bare;
use crate::explore::engine::search::Search;
use crate::graph::event::{Event, INIT_THREAD, Kind, NO_EVENT};
use crate::graph::{Graph, Lane};
use crate::ids::{EventId, ThreadId};
use crate::program::Half;
use smallvec::SmallVec;
use std::cmp::Reverse;

/// So many threads pass it on at most.
const HOPS: usize = 2;
/// So many events of a thread are looked at, the last ones.
const RECENT: usize = 16;
/// The access, an older write, the known write, and two events a hop.
const MOST: usize = 3 + 2 * HOPS;

/// So many ways are looked at by which a thread knows others.
const WAYS: usize = 8;

/// What passed something on: a write, the read that reads it, a write behind that, and so on until the thread itself.
type Through = SmallVec<[EventId; 2 * HOPS]>;

/// The first events of another thread, which a thread knows.
#[derive(Clone)]
struct Known {
    thread: ThreadId,
    /// So many come before the first write that was read.
    first: usize,
    through: Through,
}

type Ways = SmallVec<[Known; WAYS]>;

/// The access that is about to be added.
#[derive(Clone, Copy)]
struct Access<'e> {
    event: &'e Event,
    /// So many events of its thread come before it.
    passed: usize,
}

/// An event of the execution that is asked about.
struct Member<'g> {
    event: &'g Event,
    /// Its place in its thread.
    at: usize,
    /// Its place in coherence, in halves, so that there is room between two writes; 0 for reads.
    co: usize,
    /// The member that it reads; none for the initial write.
    rf: Option<usize>,
}

impl<J: Checker> Search<'_, '_, J> {
    /// How many of the first writes in coherence a read certainly may not read because its thread knows newer ones from other threads; those before `least`
    /// are ruled out already.
    pub(in crate::explore) fn outdated(&mut self, read: &Event, least: usize) -> usize {
        let access = Access { event: read, passed: self.graph.lane(read.thread).done };
        let Some((newer, through)) = self.newest_known(access, Some(least), least + 1) else { return least };
        let is_outdated = |&at: &usize| self.is_known_to_be_over(access, Some(at), newer, &through);
        let first = least + 1 + (least + 1..newer).take_while(is_outdated).count();
        debug_assert!(
            first == least || self.rejects(access, first - 1),
            "what a few events forbid the whole graph does"
        );
        first
    }

    /// The first place in coherence that a write may take, as far as its thread knows writes of other threads; not before `least`. The first `passed`
    /// events of its thread come before it. (The write of a read-modify-write has its place by what the read reads.)
    pub(in crate::explore) fn behind_known(&mut self, write: &Event, passed: usize, least: usize) -> usize {
        if write.partner != NO_EVENT {
            return least;
        }
        let access = Access { event: write, passed };
        let first = self.newest_known(access, None, least).map_or(least, |(newer, _)| newer + 1);
        debug_assert!(
            first == least || self.rejects(access, first - 1),
            "what a few events forbid the whole graph does"
        );
        first
    }

    /// Whether what holds in any growth forbids the graph with an access that reads from this place in coherence, or has it.
    fn rejects(&mut self, access: Access<'_>, place: usize) -> bool {
        let mut graph = self.graph.clone();
        graph.forget_clocks();
        let mut event = access.event.clone();
        let (loc, co) = (event.loc, graph.place(event.loc).map_or_else(Vec::new, |there| there.co.clone()));
        if event.kind == Kind::Read {
            event.rf = co[place];
            event.read_value(graph.event(co[place]).value);
        }
        let id = graph.add(event, place, access.passed);
        // A read that is being revisited reads the write.
        let reads = graph.place(loc).map_or_else(Vec::new, |there| there.reads.clone());
        reads.into_iter().for_each(|read| {
            if graph.event(read).rf == NO_EVENT {
                graph.set_rf(read, id);
            }
        });
        !self.allows(graph)
    }

    /// The place of a write in coherence, not before `least`, that the thread of an access knows from another one, and through what; so that
    /// the access may not read the `older` write, or not come before it. The last such write, as far as it is asked about.
    fn newest_known(&mut self, access: Access<'_>, older: Option<usize>, least: usize) -> Option<(usize, Through)> {
        let (least, asks) = (least.max(1), access.event.thread);
        self.graph.place(access.event.loc).filter(|place| !place.unordered && place.co.len() > least)?;
        if self.knows_no_excerpts() {
            return None;
        }
        let mut ways = Ways::from_elem(Known { thread: asks, first: access.passed, through: Through::new() }, 1);
        for _ in 0..HOPS {
            ways = self.passed_on(asks, &ways);
            let mut known: SmallVec<[(usize, Through); WAYS]> = ways
                .iter()
                .filter_map(|way| Some((self.last_known(access.event, way, least)?, way.through.clone())))
                .collect();
            known.sort_by_key(|&(at, _)| Reverse(at));
            if let Some(found) = known.into_iter().find(|(at, way)| self.is_known_to_be_over(access, older, *at, way)) {
                return Some(found);
            }
        }
        None
    }

    /// The place in coherence of the last write to an access's location that its thread knows by a way, if it is not before `least`.
    fn last_known(&self, access: &Event, way: &Known, least: usize) -> Option<usize> {
        let is_write = |e: &&EventId| {
            let event = self.graph.event(**e);
            event.kind == Kind::Write && event.loc == access.loc
        };
        let write = self.graph.lane(way.thread).order[..=way.first].iter().rev().find(is_write)?;
        let place = self.graph.place(access.loc)?;
        place.co.iter().skip(least).rposition(|w| w == write).map(|at| at + least)
    }

    /// What the last reads of threads, before the places that are known, have passed on to them.
    fn passed_on(&self, asks: ThreadId, known: &Ways) -> Ways {
        let mut all = Ways::new();
        for way in known {
            for &g in self.graph.lane(way.thread).order[..way.first].iter().rev().take(RECENT) {
                let got = self.graph.event(g);
                if got.kind != Kind::Read || got.rf == NO_EVENT || self.graph.is_witnessed(got.loc) || all.len() == WAYS
                {
                    continue;
                }
                let thread = self.graph.event(got.rf).thread;
                if [INIT_THREAD, asks, way.thread].contains(&thread) {
                    continue;
                }
                let Some(first) = self.graph.lane(thread).order.iter().rposition(|&e| e == got.rf) else { continue };
                let mut through = Through::from_slice(&[got.rf, g]);
                through.extend_from_slice(&way.through);
                all.push(Known { thread, first, through });
            }
        }
        all
    }

    /// Whether an access certainly may not read an older write (or, without one, come before it in coherence) than the one that it knows through others. Writes are
    /// given by their places.
    fn is_known_to_be_over(
        &mut self,
        access: Access<'_>,
        older: Option<usize>,
        newer: usize,
        through: &[EventId],
    ) -> bool {
        let (key, graph) = {
            let Some(asked) = Asked::new(&self.graph, access, older, newer, through) else { return false };
            let key = asked.key();
            if let Some(&known) = self.judges.alone.synchronised.get(&key) {
                return known;
            }
            (key, asked.copied())
        };
        let is_over = !self.allows(graph);
        self.judges.alone.synchronised.insert(key, is_over);
        is_over
    }
}

/// The execution that is asked about: its events, the access last.
struct Asked<'g> {
    graph: &'g Graph,
    members: SmallVec<[Member<'g>; MOST]>,
}

impl<'g> Asked<'g> {
    /// `None`: not all events are of the kinds that are looked at.
    fn new(
        graph: &'g Graph,
        access: Access<'g>,
        older: Option<usize>,
        newer: usize,
        through: &[EventId],
    ) -> Option<Self> {
        let place = graph.place(access.event.loc)?;
        let mut members = SmallVec::<[Member<'g>; MOST]>::new();
        let mut add = |id: EventId, rf: Option<usize>| {
            let event = graph.event(id);
            let at = graph.lane(event.thread).order.iter().rposition(|&e| e == id)?;
            let co = match event.kind {
                Kind::Write => 2 * graph.place(event.loc)?.co.iter().rposition(|&w| w == id)?,
                _ => 0,
            };
            members.push(Member { event, at, co, rf });
            Some(members.len() - 1)
        };
        let source = match older {
            Some(at) if at > 0 => Some(add(place.co[at], None)?),
            _ => None,
        };
        let known = add(place.co[newer], None)?;
        for hop in through.chunks_exact(2) {
            // The known write may be what was read.
            let sent = if hop[0] == place.co[newer] { known } else { add(hop[0], None)? };
            add(hop[1], Some(sent))?;
        }
        let co = if access.event.kind == Kind::Write { 2 * newer - 1 } else { 0 };
        members.push(Member { event: access.event, at: access.passed, co, rf: source });
        let is_strange = |member: &Member<'_>| {
            let half = member.event.half;
            member.event.hidden || matches!(half, Half::FusedRead | Half::FusedWrite | Half::ExWrite)
        };
        let are_one = |a: &Member<'_>, b: &Member<'_>| {
            let (a, b) = (a.event, b.event);
            let is_open = || graph.place(a.loc).is_some_and(|place| place.unordered);
            let are_writes = a.kind == Kind::Write && b.kind == Kind::Write;
            a.thread == b.thread && a.group == b.group || are_writes && a.loc == b.loc && is_open()
        };
        let is_pair = |i: usize| members[..i].iter().any(|other| are_one(other, &members[i]));
        let is_asked = !members.iter().any(is_strange) && !(0..members.len()).any(is_pair);
        is_asked.then_some(Asked { graph, members })
    }

    /// All that a model sees of them.
    fn key(&self) -> SynchronisedKey {
        let members = &self.members[..];
        let mut key = SynchronisedKey::new();
        for (i, member) in members.iter().enumerate() {
            let event = member.event;
            let value = member.rf.map(|rf| members[rf].event.value);
            let (tags, half) = match event.kind {
                Kind::Read => event.labels(value.unwrap_or_else(|| self.initial_value(event))),
                _ => (event.tags, event.half),
            };
            let first = |same: &dyn Fn(&Member<'_>) -> bool| members.iter().position(same).unwrap_or(i) as u64;
            let rank = |before: &dyn Fn(&Member<'_>) -> bool| members.iter().filter(|m| before(m)).count() as u64;
            let fields = [
                u64::from(event.kind == Kind::Read),
                half as u64,
                first(&|m| m.event.thread == event.thread),
                first(&|m| m.event.loc == event.loc),
                rank(&|m| m.event.thread == event.thread && m.at < member.at),
                rank(&|m| m.event.loc == event.loc && m.co < member.co),
                member.rf.map_or(MOST as u64, |rf| rf as u64),
            ];
            key.push(fields.iter().fold(u64::from(tags.0), |all, field| all << 4 | field));
            key.push(u64::from(self.graph.lane(event.thread).tags.0));
        }
        key
    }

    /// What a read of the initial write of its location reads.
    fn initial_value(&self, read: &Event) -> u64 {
        self.graph.place(read.loc).map_or(0, |place| self.graph.event(place.init).value)
    }

    /// The graph of them.
    fn copied(&self) -> Graph {
        let members = &self.members[..];
        let mut graph = Graph::default();
        let mut ids = SmallVec::<[EventId; MOST]>::new();
        for (i, member) in members.iter().enumerate() {
            let event = member.event;
            if graph.place(event.loc).is_none() {
                graph.add_init(event.loc, Some(self.initial_value(event)));
            }
            if graph.lanes().len() <= event.thread.index() || graph.lane(event.thread).order.is_empty() {
                let tags = self.graph.lane(event.thread).tags;
                *graph.lane_mut(event.thread) = Lane { tags, ..Lane::default() };
            }
            let earlier = || members[..i].iter();
            let at = earlier().filter(|m| m.event.thread == event.thread && m.at < member.at).count();
            let is_before =
                |m: &&Member<'_>| m.event.kind == Kind::Write && m.event.loc == event.loc && m.co < member.co;
            let co = 1 + earlier().filter(is_before).count();
            ids.push(graph.add(bare(event), co, at));
        }
        for (member, &id) in members.iter().zip(&ids).filter(|(member, _)| member.event.kind == Kind::Read) {
            let init = graph.place(member.event.loc).map_or(NO_EVENT, |place| place.init);
            graph.set_rf(id, member.rf.map_or(init, |rf| ids[rf]));
        }
        graph
    }
}
