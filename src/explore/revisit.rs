//! When a write may revisit an earlier read.
//!
//! A write `a` that was just reached may be read by a read `r` that is there already, unless `a` depends on `r`. Then
//! everything that was added after `r` and that `a` does not depend on is deleted, `r` reads `a`, and exploration goes on
//! from there. The same graph would be reached from every way of filling in what is deleted; so that it is reached once, the
//! revisit is made only from the *canonical* way: each deleted event, and `r` itself, must have been added with the choice
//! that is last in coherence among what was there (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL'22, with
//! dependency prefixes in the place of porf-prefixes).

use crate::graph::Graph;
use crate::graph::event::{INIT_THREAD, Kind};
use crate::ids::EventId;
use crate::kernel::bits::Bits;

/// The events that stay when `r` is revisited by a write with this prefix: what was added before `r`, `r`, the prefix.
pub fn kept(graph: &Graph, prefix: &Bits, r: EventId) -> Bits {
    let stamp = graph.event(r).stamp;
    graph.ids().filter(|&e| graph.event(e).stamp <= stamp || prefix.contains(e.0)).map(|e| e.0).collect()
}

/// Whether `r` and everything that the revisit would delete were added canonically.
///
/// O(deleted × accesses of their locations).
pub fn is_canonical(graph: &Graph, prefix: &Bits, r: EventId) -> bool {
    let stamp = graph.event(r).stamp;
    graph.ids().all(|e| {
        let event = graph.event(e);
        let concerned = event.thread != INIT_THREAD && event.stamp >= stamp && (e == r || !prefix.contains(e.0));
        !concerned || added_last(graph, prefix, e)
    })
}

/// Whether `e` made the last choice in coherence order, among what was added before it and the prefix.
fn added_last(graph: &Graph, prefix: &Bits, e: EventId) -> bool {
    let event = graph.event(e);
    let earlier = |x: EventId| graph.event(x).stamp <= event.stamp || prefix.contains(x.0);
    let write = match event.kind {
        Kind::Write => e,
        Kind::Read => event.rf,
        Kind::Choose => return event.first_choice,
        _ => return true,
    };
    let Some(place) = graph.place(event.loc) else { return true };
    if event.kind == Kind::Write && place.reads.iter().any(|&r| graph.event(r).rf == e && earlier(r)) {
        return false;
    }
    place.co.iter().rev().take_while(|&&w| w != write).all(|&w| !earlier(w))
}
