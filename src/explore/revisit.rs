//! When a write may revisit an earlier read.
//!
//! A write `a` that was just reached may be read by a read `r` that is there already, unless `a` depends on `r`. Then
//! everything that was added after `r` and that `a` does not depend on is deleted, `r` reads `a`, and exploration goes on
//! from there. The same graph would be reached from every way of filling in what is deleted; so that it is reached once, the
//! revisit is made only from the *canonical* way: each deleted event, and `r` itself, must have been added with the choice
//! that is last in coherence among what was there (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL'22, with
//! dependency prefixes in the place of porf-prefixes).
//!
//! With dependency prefixes what is kept can have holes: a deleted event may come before a kept one in its thread. That
//! changes two things. Holes are filled before anything else, so the order in which the deleted events would be added
//! again is not the order in which they were added; it is computed ([`ages`]). And the last choice of an event that fills a
//! hole may be inconsistent; the canonical choice is the last one that is consistent and lets the other holes be filled.

use crate::graph::event::{INIT_THREAD, Kind, NO_EVENT};
use crate::graph::pairs::Urgency;
use crate::graph::prefix::PrefixKind;
use crate::graph::{Graph, Lane, Place, Status};
use crate::ids::{EventId, ThreadId};
use crate::kernel::bits::Bits;
use crate::program::Half;

/// The events that stay when `r` is revisited by a write with this prefix: what was added before `r`, `r`, the prefix.
pub fn kept(graph: &Graph, prefix: &Bits, r: EventId) -> Bits {
    let stamp = graph.event(r).stamp;
    graph.ids().filter(|&e| graph.event(e).stamp <= stamp || prefix.contains(e.0)).map(|e| e.0).collect()
}

/// The holes that a revisit by `writer` leaves: the deleted events before a kept one, or before the write, in their thread.
pub fn holes(graph: &Graph, keep: &Bits, writer: ThreadId) -> Vec<EventId> {
    let mut holes = Vec::new();
    for (t, lane) in graph.lanes().iter().enumerate() {
        let kept = lane.order.iter().rposition(|e| keep.contains(e.0)).unwrap_or(0);
        let until = if t == writer.index() { lane.done.max(kept) } else { kept };
        holes.extend(lane.order[..until].iter().copied().filter(|e| !keep.contains(e.0)));
    }
    holes
}

/// When each event would be added if exploration started from what a revisit keeps: 0 for what is kept, larger is later.
pub struct Ages(Vec<u32>);

impl Ages {
    /// Whether the revisit keeps `x`.
    pub fn is_kept(&self, x: EventId) -> bool {
        self.0[x.index()] == 0
    }

    /// When an event would be added.
    pub fn of(&self, e: EventId) -> u32 {
        self.0[e.index()]
    }

    /// Whether `x` is there when `e` is added.
    pub fn was_there(&self, e: EventId, x: EventId) -> bool {
        self.0[x.index()] <= self.0[e.index()]
    }
}

/// The order in which `r` and the events outside `keep` would be added again, all making the choices that they made in
/// `graph`, until a write of `writer` comes next. `None`: something else would come before one of them.
///
/// Where revisits keep program order this is the order in which they were added, as in the paper.
pub fn ages(graph: &Graph, keep: &Bits, r: EventId, writer: ThreadId, kind: PrefixKind) -> Option<Ages> {
    let mut there = keep.clone();
    there.remove(r.0);
    let missing: Vec<EventId> = graph.ids().filter(|e| !keep.contains(e.0)).collect();
    let largest = graph.ids().last().map_or(0, |e| e.index());
    let mut ages = vec![0; largest + 1];
    let mut lanes = 0..graph.lanes().len();
    if kind == PrefixKind::ProgramOrder
        || lanes.all(|t| urgency(graph, ThreadId::at(t), writer, &there) == Urgency::None)
    {
        // Without holes the order is the one in which they were added, and `r` comes first.
        for e in missing {
            ages[e.index()] = graph.event(e).stamp;
        }
        return Some(Ages(ages));
    }
    for age in 1..=missing.len() as u32 + 1 {
        let t = next_lane(graph, writer, &there)?;
        let next = first_missing(graph, t, writer, &there);
        if t == writer && next.is_none() {
            // The write fills a hole and would come before `r`, which is older: nothing else is added in between.
            ages[r.index()] = 1;
            return (age == 1 && missing.is_empty()).then_some(Ages(ages));
        }
        let e = next?;
        ages[e.index()] = age;
        there.insert(e.0);
    }
    Some(Ages(ages))
}

/// The first events of a thread, in so far as they come before the revisiting write if it is that write's.
fn coming(lane: &Lane, t: ThreadId, writer: ThreadId) -> &[EventId] {
    if t == writer { &lane.order[..lane.done] } else { &lane.order }
}

/// The next event of a thread that is not there. What comes behind the revisiting write in its thread does not count.
fn first_missing(graph: &Graph, t: ThreadId, writer: ThreadId, there: &Bits) -> Option<EventId> {
    coming(graph.lane(t), t, writer).iter().copied().find(|e| !there.contains(e.0))
}

/// How urgent a thread is when only the events of `there` are present ([`Graph::urgency`]). The revisiting write counts as one with the read
/// of the same read-modify-write: its thread is not urgent for being about to make that write.
fn urgency(graph: &Graph, t: ThreadId, writer: ThreadId, there: &Bits) -> Urgency {
    let lane = graph.lane(t);
    let is_there = |e: &EventId| there.contains(e.0);
    let (is_half_done, has_more) = match coming(lane, t, writer).iter().position(|e| !is_there(e)) {
        None => {
            let runs = lane.status == Status::Running && t != writer;
            (runs && graph.is_half_done(lane, lane.done), lane.order[lane.done..].iter().any(is_there))
        }
        // What is missing before the revisiting write is missing before something that is kept.
        Some(at) => (graph.is_half_done(lane, at), t == writer || lane.order[at..].iter().any(is_there)),
    };
    Urgency::of(is_half_done, has_more, || {
        let own = match t == writer && graph.is_half_done(lane, lane.done) {
            true => lane.order[..lane.done].iter().rev().find(|&&e| graph.event(e).kind == Kind::Read),
            false => None,
        };
        let others = lane.order.iter().filter(|&e| is_there(e) && Some(e) != own);
        graph.is_pending(&others.copied().collect::<Vec<_>>())
    })
}

/// The thread that would run next when only the events of `there` are present; the rule of [`super::step`].
fn next_lane(graph: &Graph, writer: ThreadId, there: &Bits) -> Option<ThreadId> {
    let mut best: Option<((Urgency, u32), usize)> = None;
    for (t, lane) in graph.lanes().iter().enumerate() {
        let born = lane.spawn == NO_EVENT || there.contains(lane.spawn.0);
        let next = first_missing(graph, ThreadId::at(t), writer, there);
        if !born || next.is_none() && lane.status != Status::Running {
            continue;
        }
        let waits = next.map(|e| graph.event(e)).is_some_and(|e| match e.kind {
            Kind::Join => graph.lane(ThreadId(e.value as u32)).order.iter().any(|e| !there.contains(e.0)),
            Kind::Depart => graph.arrivals(e.value, e.size).any(|e| !there.contains(e.0)),
            _ => false,
        });
        if waits {
            continue;
        }
        let rank = (urgency(graph, ThreadId::at(t), writer, there), lane.depth);
        if best.is_none_or(|(other, _)| rank > other) {
            best = Some((rank, t));
        }
    }
    best.map(|(_, t)| ThreadId::at(t))
}

/// A choice that an event might have made instead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alternative {
    /// A read might have read this write.
    Source(EventId),
    /// A write might have followed this one in coherence.
    After(EventId),
    /// A choice among values might have been this one.
    Value(u64),
}

/// An event that is canonical only if none of these choices, which come before its own, was possible when it was added.
pub type Doubt = (EventId, Vec<Alternative>);

/// Checks that `r` and everything that the revisit would delete were added canonically. `None`: they were not.
///
/// For most events the last choice of all is consistent, and anything else settles it. When something after the event in
/// its own thread was there already (a hole was filled), later choices may have been impossible; these are left to the
/// caller as doubts, to be refuted by the model. Where coherence is not explored (`floating`), writes make no choice, and the last
/// write that was there may have been impossible to read. O(deleted × accesses of their locations).
pub fn doubts(
    graph: &Graph,
    keep: &Bits,
    ages: &Ages,
    r: EventId,
    writer: ThreadId,
    floating: bool,
) -> Option<Vec<Doubt>> {
    let mut doubts = Vec::new();
    for e in graph.ids().filter(|&e| e == r || !keep.contains(e.0)) {
        if graph.event(e).thread == INIT_THREAD {
            continue;
        }
        let later = later_choices(graph, ages, e, writer, floating)?;
        if !later.is_empty() {
            doubts.push((e, later));
        }
    }
    Some(doubts)
}

/// What the read half of a read-modify-write would rather have read where coherence is not explored: a write that no other
/// read-modify-write has read, so that its own write can follow; among these, and among the others, the one that is listed last.
fn better_sources(graph: &Graph, place: &Place, e: EventId, earlier: &dyn Fn(EventId) -> bool) -> Vec<Alternative> {
    let writes = || place.co.iter().copied().filter(|&w| earlier(w));
    let is_taken = |source: EventId| {
        let partners = writes().map(|w| graph.event(w).partner).filter(|&r| r != NO_EVENT && r != e);
        partners.into_iter().any(|r| graph.event(r).rf == source)
    };
    let rank = |source: EventId| (!is_taken(source), place.co.iter().position(|&w| w == source));
    let own = rank(graph.event(e).rf);
    writes().filter(|&w| rank(w) > own).map(Alternative::Source).collect()
}

/// The choices, later in coherence or earlier in a list of values, that `e` might have made instead; `None` when it certainly
/// might.
fn later_choices(graph: &Graph, ages: &Ages, e: EventId, writer: ThreadId, floating: bool) -> Option<Vec<Alternative>> {
    let event = graph.event(e);
    let earlier = |x: EventId| ages.was_there(e, x);
    // Whether something after it in its thread was there before it.
    let fills_hole = || {
        let mut lane = graph.lane(event.thread).order.iter().skip_while(|&&x| x != e).skip(1);
        event.thread == writer || lane.any(|&x| earlier(x))
    };
    let write = match event.kind {
        Kind::Write => e,
        Kind::Read => event.rf,
        Kind::Choose => {
            let alternatives: Vec<Alternative> = event.passed_over.iter().map(|&v| Alternative::Value(v)).collect();
            return (alternatives.is_empty() || fills_hole()).then_some(alternatives);
        }
        _ => return Some(Vec::new()),
    };
    let place = graph.place(event.loc)?;
    if event.kind == Kind::Read && !earlier(event.rf) {
        return None;
    }
    if event.kind == Kind::Write && place.reads.iter().any(|&r| graph.event(r).rf == e && earlier(r)) {
        return None;
    }
    if floating && event.kind == Kind::Write {
        return Some(Vec::new());
    }
    if floating && matches!(event.expected_half, Half::AmoRead | Half::FusedRead | Half::ExRead) {
        return Some(better_sources(graph, place, e, &earlier));
    }
    let alternative = if event.kind == Kind::Read { Alternative::Source } else { Alternative::After };
    let later: Vec<Alternative> =
        place.co.iter().copied().rev().take_while(|&w| w != write).filter(|&w| earlier(w)).map(alternative).collect();
    if later.is_empty() {
        return Some(later);
    }
    // The write of a read-modify-write goes where its read was, if that is kept.
    if event.kind == Kind::Write && event.partner != NO_EVENT && ages.is_kept(event.partner) {
        return Some(later);
    }
    (floating || fills_hole()).then_some(later)
}
