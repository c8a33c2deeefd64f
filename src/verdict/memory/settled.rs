//! Accesses that come before a `free`, or behind an allocation, by what a few events say.
//!
//! The exact question ([`super::lifetimes`]) is put to the plain evaluator, about the whole execution: thousands of times as long as it takes to find one. Mostly an access and the
//! `free` of its memory are ordered by a message: from the access to a write behind it, which the thread that frees has read, perhaps through another thread. So the model is
//! asked about these accesses alone, with the fences between the two of a thread, and the answer is remembered by all that it can see of them. Of these few events it
//! is concluded only what stays so however an execution grows ([`crate::algebra::facts::analyse`]): that the model's own happens-before orders the two, or that a check that prunes
//! rejects an access behind the `free`. Where a model has no happens-before of its own, the compiled model is asked about the whole execution before the plain evaluator is.
//!
//! Where such a model has a happens-before, an allocation is asked about in the same way: it stands at the other end of the message.
//!
//! Not noticed, and left to the exact question: what goes through more than three messages, locks of the kernel's model, coherence, or creation and joining together with messages.

use crate::algebra::facts::analyse::{Analysis, Growth};
use crate::algebra::facts::weaken::cores;
use crate::algebra::naive::{Naive, Value};
use crate::algebra::{Base, ExprId, Model, Pool};
use crate::explore::Execution;
use crate::explore::checker::consistency::{Checker, Kernel};
use crate::graph::base_relations::uses::Uses;
use crate::graph::event::{Event, INIT_THREAD, Kind, NO_EVENT, NO_LOC};
use crate::graph::{Graph, Lane, view};
use crate::ids::{EventId, LocId, TagSetId, ThreadId};
use crate::kernel::plan::Plan;
use crate::program::deps::{DepId, DepTable};
use crate::program::{Half, Program};
use crate::verdict::reasons::unordered::{closure, own_order};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// Messages between the access and the `free` at most, and paths of them that are asked about.
const MOST_MESSAGES: usize = 3;
const MOST_PATHS: usize = 16;
/// Debug builds put the exact question, too: always in executions of so many events, and in larger ones, where it takes a second, so often.
const FEW_EVENTS: usize = 128;
const ASKED_OF_MANY: u32 = 2;

/// What a model says of a few events.
pub struct Settled<'m> {
    model: &'m Model,
    how: Option<How>,
    known: FxHashMap<Vec<u64>, bool>,
    /// How often the exact question may still be put, in debug builds, where there are many events.
    left: u32,
}

/// What orders an access before a `free`.
enum How {
    /// The part of the model's own happens-before that only grows.
    Order(Pool, ExprId),
    /// That the model rejects the access behind the `free`.
    Checks(Box<Kernel>),
    /// Not known.
    Unknown,
}

/// A thread's part in a path of messages: where it begins, and where it ends.
type Part = (EventId, EventId);

/// An event of the part of a thread, and all that ties it to the others.
struct Member {
    id: EventId,
    event: Event,
    thread: usize,
    loc: Option<usize>,
    /// The member that it reads.
    source: Option<usize>,
    /// Whether it reads the initial write.
    reads_first: bool,
    partner: Option<usize>,
    /// The first member of its instruction.
    instruction: usize,
    /// The members that it depends on, by bit: address, data, control.
    depends: [u64; 3],
    /// Its place in coherence.
    rank: usize,
}

impl<'m> Settled<'m> {
    /// Nothing has been asked yet.
    pub fn new(model: &'m Model) -> Self {
        Settled { model, how: None, known: FxHashMap::default(), left: ASKED_OF_MANY }
    }

    /// Whether a debug build holds an answer against the exact question.
    pub fn is_asked_again(&mut self, graph: &Graph) -> bool {
        if graph.len() <= FEW_EVENTS {
            return true;
        }
        let is_left = self.left > 0;
        self.left = self.left.saturating_sub(1);
        is_left
    }

    /// Whether an access of another thread certainly comes before a `free` of what it accesses; or an allocation before an access, under a model
    /// with a happens-before of its own.
    pub fn comes_before(&mut self, execution: &Execution<'_, '_>, first: EventId, last: EventId) -> bool {
        if ends_before(execution.graph, first, last) {
            return true;
        }
        let mut paths = Vec::new();
        let ending = (EventId(u32::MAX), last);
        find_paths(execution.graph, first, &mut SmallVec::from_slice(&[ending]), &mut paths);
        paths.iter().any(|path| self.orders(execution, path, [first, last]))
    }

    /// Whether the compiled model rejects an execution.
    pub fn rejects(&mut self, execution: &Execution<'_, '_>, graph: &Graph) -> bool {
        let (model, world) = (self.model, execution.world);
        let How::Checks(checker) = self.how.get_or_insert_with(|| How::of(model, world.program)) else { return false };
        checker.load(graph, &world.deps);
        !checker.is_consistent() || !checker.is_consistent_when_complete()
    }

    /// Whether the events of a path put its first before its last.
    fn orders(&mut self, execution: &Execution<'_, '_>, path: &[Part], ends: [EventId; 2]) -> bool {
        let Some(members) = members(execution, path, ends) else { return false };
        let [at, until] = ends.map(|end| members.iter().position(|member| member.id == end));
        let (Some(at), Some(until)) = (at, until) else { return false };
        let key = key(execution.graph, &members, [at, until]);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let (model, program) = (self.model, execution.world.program);
        let settled = match self.how.get_or_insert_with(|| How::of(model, program)) {
            How::Unknown => false,
            How::Order(pool, order) => {
                let Excerpt { graph, deps, ids } = excerpt(execution.graph, &members, None);
                let candidate = view::candidate(&graph, &deps, program);
                let edge = (graph.row(ids[at]), graph.row(ids[until]));
                match Naive::new(pool, &candidate).value(*order) {
                    Some(Value::Rel(order)) => closure(&order).contains(&edge),
                    _ => false,
                }
            }
            How::Checks(checker) => {
                let Excerpt { graph, deps, .. } = excerpt(execution.graph, &members, Some(at));
                checker.load(&graph, &deps);
                !checker.is_consistent()
            }
        };
        self.known.insert(key, settled);
        settled
    }
}

impl How {
    fn of(model: &Model, program: &Program) -> How {
        if let Some(order) = own_order(model) {
            let analysis = Analysis::new(&model.pool, Growth::stable(true));
            let (pool, cores) = cores(&model.pool, &analysis, &[order]);
            return cores[0].map_or(How::Unknown, |core| How::Order(pool, core));
        }
        let uses = Uses::of(program);
        // A `free` is such a write, though the program may have no other.
        let is_of_free = |base: &Base| program.tags_of(program.relaxed_write).any(|tag| tag == base.name);
        let present = |base: &Base| uses.present(&base.name, base.sort) || is_of_free(base);
        let checker = Kernel::new(&Arc::new(Plan::compile(model, &present, true)), program);
        if checker.looks_at_values() { How::Unknown } else { How::Checks(Box::new(checker)) }
    }
}

/// Whether an event comes before another one by the creation and the end of threads, in one step.
fn ends_before(graph: &Graph, first: EventId, last: EventId) -> bool {
    let (from, to) = (graph.event(first).thread, graph.event(last).thread);
    let position = |e: EventId| graph.lane(graph.event(e).thread).order.iter().position(|&other| other == e);
    let order = &graph.lane(to).order;
    let waits = |&&e: &&EventId| {
        let event = graph.event(e);
        event.kind == Kind::Join && event.value == u64::from(from.0)
    };
    let joined = order.iter().take_while(|&&e| e != last).any(|e| waits(&e));
    let spawn = graph.lane(to).spawn;
    let created = spawn != NO_EVENT
        && graph.event(spawn).thread == from
        && position(first).zip(position(spawn)).is_some_and(|(first, spawn)| first < spawn);
    joined || created
}

/// Completes a path, which is given from its end on, by the messages that lead there from an event.
fn find_paths(graph: &Graph, first: EventId, path: &mut SmallVec<[Part; 4]>, found: &mut Vec<SmallVec<[Part; 4]>>) {
    let (_, last) = path[path.len() - 1];
    let order = &graph.lane(graph.event(last).thread).order;
    let Some(until) = order.iter().position(|&e| e == last) else { return };
    for &read in order[..until].iter().rev() {
        let event = graph.event(read);
        if found.len() >= MOST_PATHS {
            return;
        }
        if event.kind != Kind::Read || event.rf == NO_EVENT || !graph.contains(event.rf) {
            continue;
        }
        let sent = graph.event(event.rf);
        let is_new = |&(_, end): &Part| graph.event(end).thread != sent.thread;
        if sent.thread == INIT_THREAD || !path.iter().all(is_new) {
            continue;
        }
        let at = path.len() - 1;
        path[at].0 = read;
        if sent.thread == graph.event(first).thread {
            let theirs = &graph.lane(sent.thread).order;
            let place = |e: EventId| theirs.iter().position(|&other| other == e);
            if place(first).zip(place(event.rf)).is_some_and(|(first, sent)| first <= sent) {
                let mut whole = path.clone();
                whole.push((first, event.rf));
                whole.reverse();
                found.push(whole);
            }
        } else if path.len() < MOST_MESSAGES {
            path.push((NO_EVENT, event.rf));
            find_paths(graph, first, path, found);
            path.pop();
        }
    }
}

/// The events of a path from one of these to the other. `None`: some are of kinds that are not looked at.
fn members(execution: &Execution<'_, '_>, path: &[Part], ends: [EventId; 2]) -> Option<Vec<Member>> {
    let (graph, deps) = (execution.graph, &execution.world.deps);
    let mut ids: Vec<(usize, EventId)> = Vec::new();
    for (thread, &(first, last)) in path.iter().enumerate() {
        let order = &graph.lane(graph.event(first).thread).order;
        let place = |e: EventId| order.iter().position(|&other| other == e);
        let (from, to) = (place(first)?, place(last)?);
        let is_half = |e: EventId| {
            let event = graph.event(e);
            [first, last].iter().any(|&end| e == end || event.partner == end || graph.event(end).partner == e)
        };
        let is_fence = |e: EventId| graph.event(e).kind == Kind::Fence && graph.event(e).loc == NO_LOC;
        let fences = || (from..to).filter(|&at| is_fence(order[at]));
        let fences = [fences().next(), fences().next_back()];
        let taken = |&at: &usize| is_half(order[at]) || fences.contains(&Some(at));
        ids.extend((0..order.len()).filter(taken).map(|at| (thread, order[at])));
    }
    // The one end accesses memory; the other one ends its life, or begins it, and is looked at as a write.
    let no_access = |e: &EventId| matches!(graph.event(*e).kind, Kind::Free | Kind::Alloc(_));
    let life = ends.into_iter().find(no_access)?;
    let mut locs: Vec<LocId> = ends.into_iter().filter(|&e| e != life).map(|e| graph.event(e).loc).collect();
    let mut all: Vec<Member> = Vec::new();
    for (number, &(thread, id)) in ids.iter().enumerate() {
        let mut event = graph.event(id).clone();
        if id == life {
            (event.kind, event.loc) = (Kind::Write, locs[0]);
            event.tags = execution.world.program.relaxed_write;
            event.addr_deps = event.data_deps;
        } else if event.hidden || !event.kind.in_model() || matches!(event.half, Half::FusedRead | Half::FusedWrite) {
            return None;
        }
        let at = |e: EventId| ids.iter().position(|&(_, other)| other == e);
        let among = |set: DepId| {
            let set = deps.get(set);
            ids.iter().enumerate().fold(0, |bits, (i, (_, e))| bits | u64::from(set.contains(e.0)) << i)
        };
        let loc = (event.loc != NO_LOC).then(|| {
            locs.iter().position(|&loc| loc == event.loc).unwrap_or_else(|| {
                locs.push(event.loc);
                locs.len() - 1
            })
        });
        let is_read = event.kind == Kind::Read && event.rf != NO_EVENT;
        let is_one = |&(of, other): &(usize, EventId)| of == thread && graph.event(other).group == event.group;
        all.push(Member {
            id,
            thread,
            loc,
            source: if is_read { at(event.rf) } else { None },
            reads_first: is_read && graph.event(event.rf).thread == INIT_THREAD,
            partner: if event.partner == NO_EVENT { None } else { at(event.partner) },
            instruction: ids.iter().position(is_one).unwrap_or(number),
            depends: [event.addr_deps, event.data_deps, event.ctrl_deps].map(among),
            rank: match event.kind {
                Kind::Write if id == life => {
                    if life == ends[0] {
                        0
                    } else {
                        usize::MAX
                    }
                }
                Kind::Write => graph.co_index(id),
                _ => usize::MAX,
            },
            event,
        });
    }
    // Places in coherence count from the first of a location, as far as they are seen here.
    let ranks: Vec<usize> =
        all.iter().map(|m| all.iter().filter(|o| o.loc == m.loc && o.rank < m.rank).count()).collect();
    all.iter_mut().zip(ranks).for_each(|(member, rank)| member.rank = rank);
    (all.len() <= 64).then_some(all)
}

/// All that a model can see of these events.
fn key(graph: &Graph, members: &[Member], ends: [usize; 2]) -> Vec<u64> {
    let mut key = ends.map(|end| end as u64).to_vec();
    let number = |n: Option<usize>| n.map_or(0, |n| n as u64 + 1);
    for member in members {
        let event = &member.event;
        let kind = [Kind::Read, Kind::Write].iter().position(|kind| *kind == event.kind).unwrap_or(2) as u64;
        let source = if member.reads_first { 127 } else { number(member.source) };
        let small = [
            kind << 1 | u64::from(event.is_fence),
            event.half as u64,
            member.thread as u64,
            number(member.loc),
            source,
            number(member.partner),
            member.instruction as u64,
            member.rank as u64,
        ];
        key.push(small.into_iter().fold(0, |all, field| all << 8 | field));
        key.push(u64::from(event.tags.0) | u64::from(lane_tags(graph, member).0) << 32);
        key.extend(member.depends);
        // What it is if it reads another value.
        let other =
            event.otherwise.map_or(0, |other| 1 + u64::from(other.tags.0) + (u64::from(other.half as u8) << 32));
        key.push(if event.kind == Kind::Read { other } else { 0 });
    }
    key
}

fn lane_tags(graph: &Graph, member: &Member) -> TagSetId {
    graph.lane(graph.event(member.id).thread).tags
}

/// A graph that has these events only.
struct Excerpt {
    graph: Graph,
    deps: DepTable,
    /// What the members are called there.
    ids: Vec<EventId>,
}

/// `behind`: an access, which is put behind the `free`, the last of the members.
fn excerpt(whole: &Graph, members: &[Member], behind: Option<usize>) -> Excerpt {
    let (mut graph, mut deps) = (Graph::default(), DepTable::default());
    let locs = members.iter().filter_map(|member| member.loc).max().map_or(0, |last| last + 1);
    let initial: Vec<EventId> = (0..locs).map(|loc| graph.add_init(LocId::at(loc), None)).collect();
    let mut ids: Vec<EventId> = Vec::new();
    let mut passed = 0;
    for (number, member) in members.iter().enumerate() {
        let thread = ThreadId::at(member.thread);
        if number == 0 || members[number - 1].thread != member.thread {
            *graph.lane_mut(thread) = Lane { tags: lane_tags(whole, member), ..Lane::default() };
            passed = 0;
        }
        let sets = member.depends.map(|among| {
            let kept = ids.iter().enumerate().filter(|(i, _)| among >> i & 1 == 1);
            kept.fold(DepId::NONE, |all, (_, id)| {
                let one = deps.singleton(id.0);
                deps.union(all, one)
            })
        });
        let event = Event {
            before: None,
            reached: DepId::NONE,
            supposed: DepId::NONE,
            passed_over: None,
            thread,
            rf: NO_EVENT,
            loc: member.loc.map_or(NO_LOC, LocId::at),
            partner: member.partner.and_then(|partner| ids.get(partner)).copied().unwrap_or(NO_EVENT),
            addr_deps: sets[0],
            data_deps: sets[1],
            ctrl_deps: sets[2],
            ..member.event.clone()
        };
        let co = member.loc.and_then(|loc| graph.place(LocId::at(loc))).map_or(0, |place| place.co.len());
        ids.push(graph.add(event, co, passed));
        passed += 1;
    }
    for (member, &id) in members.iter().zip(&ids) {
        let first = member.loc.filter(|_| member.reads_first).map(|loc| initial[loc]);
        if let Some(source) = member.source.map(|source| ids[source]).or(first) {
            graph.event_mut(id).rf = source;
        }
    }
    // The halves of a read-modify-write come behind the `free` together.
    let other = behind
        .and_then(|at| members[at].partner.or_else(|| members.iter().position(|member| member.partner == Some(at))));
    let moved: Vec<usize> = behind.into_iter().chain(other).collect();
    let (free, last) = (ids[ids.len() - 1], members[members.len() - 1].event.value);
    for &at in moved.iter().filter(|&&at| members[at].event.kind == Kind::Read) {
        let read = graph.event_mut(ids[at]);
        read.rf = free;
        read.read_value(last);
    }
    for loc in 0..locs {
        let is_here = |&at: &usize| members[at].loc == Some(loc) && members[at].event.kind == Kind::Write;
        let mut order: Vec<usize> = (0..members.len()).filter(is_here).collect();
        order.sort_by_key(|&at| (moved.contains(&at), members[at].rank));
        graph.set_coherence(LocId::at(loc), &order.into_iter().map(|at| ids[at]).collect::<Vec<_>>());
    }
    Excerpt { graph, deps, ids }
}
