//! When a write may revisit an earlier read.
//!
//! A write `a` that was just reached may be read by a read `r` that is there already, unless `a` depends on `r`. Then
//! everything that was added after `r` and that `a` does not depend on is deleted, `r` reads `a`, and exploration goes on
//! from there. The same graph would be reached from every way of filling in what is deleted; so that it is reached once, the
//! revisit is made only from the *maximal* way: each deleted event, and `r` itself, must have been added with the choice
//! that is last in coherence among what was there (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL'22, with
//! dependency prefixes in the place of porf-prefixes).
//!
//! With dependency prefixes what is kept can have holes: a deleted event may come before a kept one in its thread. That
//! changes two things. Holes are filled before anything else, so the order in which the deleted events would be added
//! again is not the order in which they were added; it is computed (`ages`). And the last choice of an event that fills a
//! hole may be inconsistent; the maximal choice is the last one that is consistent and lets the other holes be filled.

use crate::explore::holes::addition_order::Ages;
use crate::graph::Graph;
use crate::graph::event::{INIT_THREAD, Kind, NO_EVENT};
use crate::ids::{EventId, ThreadId};
use crate::program::Half;
use crate::relation::bits::Bits;

/// The events that stay when `r` is revisited by a write with this prefix: what was added before `r`, `r`, the prefix.
pub fn kept(graph: &Graph, prefix: &Bits, r: EventId) -> Bits {
    let stamp = graph.event(r).stamp;
    graph.ids_of(|e| graph.event(e).stamp <= stamp || prefix.contains(e.0))
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

/// An event that is maximal only if none of these choices, which come before its own, was possible when it was added.
pub type Doubt = (EventId, Vec<Alternative>);

/// Checks that `r` and everything that the revisit would delete were added maximally. `None`: they were not.
///
/// For most events the last choice of all is consistent, and anything else settles it. When something after the event in
/// its own thread was there already (a hole was filled), later choices may have been impossible; these are left to the
/// caller as doubts, to be refuted by the model. Where the order of a location's writes is of no interest, they make no choice, and the last
/// write that was there may have been impossible to read. O(deleted × accesses of their locations).
pub fn doubts(graph: &Graph, keep: &Bits, ages: &Ages, r: EventId, writer: ThreadId) -> Option<Vec<Doubt>> {
    let mut doubts = Vec::new();
    for e in graph.ids().filter(|&e| e == r || !keep.contains(e.0)) {
        if graph.event(e).thread == INIT_THREAD {
            continue;
        }
        let later = later_choices(graph, ages, e, writer)?;
        if !later.is_empty() {
            doubts.push((e, later));
        }
    }
    Some(doubts)
}

/// What a read would rather have read where the order of the writes is of no interest: what is listed later. The read half of a read-modify-write
/// would rather have read a write that no other read-modify-write has read, so that its own write can follow; among these, and among the others, the one
/// that is listed last.
fn better_sources(graph: &Graph, e: EventId, earlier: &dyn Fn(EventId) -> bool) -> Vec<Alternative> {
    let event = graph.event(e);
    let listed = graph.listed(event.loc);
    let is_half = matches!(event.expected_half, Half::AmoRead | Half::FusedRead | Half::ExRead);
    let writes = || listed.iter().copied().filter(|&w| earlier(w));
    let is_taken = |source: EventId| {
        if !is_half {
            return false;
        }
        let partners = writes().map(|w| graph.event(w).partner).filter(|&r| r != NO_EVENT && r != e);
        partners.into_iter().any(|r| graph.event(r).rf == source)
    };
    let rank = |source: EventId| (!is_taken(source), listed.iter().position(|&w| w == source));
    let own = rank(event.rf);
    writes().filter(|&w| rank(w) > own).map(Alternative::Source).collect()
}

/// The choices, later in coherence or earlier in a list of values, that `e` might have made instead; `None` when it certainly
/// might.
fn later_choices(graph: &Graph, ages: &Ages, e: EventId, writer: ThreadId) -> Option<Vec<Alternative>> {
    let event = graph.event(e);
    let earlier = |x: EventId| ages.was_there(e, x);
    // Whether something after it in its thread was there before it, or holes were open elsewhere.
    let meets_hole = || {
        let mut lane = graph.lane(event.thread).order.iter().skip_while(|&&x| x != e).skip(1);
        ages.as_added || event.thread == writer || lane.any(|&x| earlier(x))
    };
    let write = match event.kind {
        // The read that it evicted is older, and would be there without it.
        Kind::Write if event.evicts.is_some() => return None,
        Kind::Write => e,
        Kind::Read => event.rf,
        Kind::Choose => {
            let alternatives: Vec<Alternative> = event.passed_over().iter().map(|&v| Alternative::Value(v)).collect();
            return (alternatives.is_empty() || meets_hole()).then_some(alternatives);
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
    if place.unordered {
        let is_read = event.kind == Kind::Read;
        return Some(if is_read { better_sources(graph, e, &earlier) } else { Vec::new() });
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
    meets_hole().then_some(later)
}
