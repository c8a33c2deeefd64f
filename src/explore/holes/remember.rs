//! Executions that were found, where revisits leave holes.
//!
//! That nothing is found twice there is argued and tested, not proved (`docs/exploration.md`). So it is looked at: complete executions are remembered, as 128 bits each, and one that was found is passed
//! over. Several threads, of which each sees a part, then end, and one does everything anew ([`crate::explore::parallel::team`]): what is passed over would depend on who comes first. So they
//! do where it is not seen whether what a revisit makes comes of a smaller one too ([`crate::explore::holes::trial`]). It is made then, and executions that come of both count once.
//!
//! The same where executions that differ in coherence only are to count once and are explored nevertheless ([`Options::first_of_sources`](crate::explore::options::Options::first_of_sources)): the first is shown.
//!
//! Limits: after [`MOST`] executions no more are remembered, and what comes later may count twice; [`Statistics::forgetful`](crate::explore::statistics::Statistics::forgetful) and
//! [`Statistics::overfull`](crate::explore::statistics::Statistics::overfull) say so. Two executions with the same 128 bits (of a hash that is made to avoid that) would be taken for one.

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::ending::Ending;
use crate::explore::engine::search::Search;
use crate::explore::holes::known::{Digest, Found, Known, Remembered};
use crate::graph::event::{Event, INIT_THREAD, Kind, NO_EVENT, NO_LOC};
use crate::graph::prefix::PrefixKind;
use crate::ids::{EventId, LocId};
use crate::relation::bits::Bits;
use rustc_hash::FxHashSet;
use std::sync::Arc;

impl<J: Checker> Search<'_, '_, J> {
    /// Has it remember the executions that it finds, where that may be needed, for itself alone.
    pub(in crate::explore) fn remembering(self) -> Self {
        let may_be_needed = self.kind == PrefixKind::Dependencies || self.world.options.first_of_sources;
        if may_be_needed { self.remembering_in(&Arc::default(), false) } else { self }
    }

    /// The same, with what was found before it, and for what comes after; with `waiting`, what ends with a waiting thread as well.
    pub(in crate::explore) fn remembering_in(mut self, found: &Arc<Found>, waiting: bool) -> Self {
        let (revisits, digest) = (Some(FxHashSet::default()), Digest::default());
        self.filling.remembered = Some(Box::new(Remembered { found: found.clone(), revisits, waiting, digest }));
        self
    }

    /// The same, with others.
    pub(in crate::explore) fn remembering_with(mut self, found: &Arc<Found>) -> Self {
        let with_others =
            || Remembered { found: found.clone(), revisits: None, waiting: false, digest: Digest::default() };
        self.filling.remembered = (self.kind == PrefixKind::Dependencies).then(with_others).map(Box::new);
        self
    }

    /// Whether the graph at hand, where no thread can run, was found before, if such graphs are remembered. (Where several threads search, which of them comes to one that ends with a waiting
    /// thread, and in how many ways, is not told apart: it counts for nothing, and they count it each time, as one thread does.)
    pub(in crate::explore) fn was_found(&mut self, is_complete: bool) -> bool {
        let Some(mut remembered) = self.filling.remembered.take_if(|r| is_complete || r.waiting) else {
            return false;
        };
        let sources = self.sources(&mut remembered.digest);
        // Numbers of locations, and so their order, are a thread's own.
        let orders = self.graph.places().filter(|(_, place)| !place.unordered && place.co.len() > 2);
        let name = orders.fold(sources, |name, (loc, place)| {
            name.wrapping_add(self.name_of_writes(loc, &place.co[1..], &mut remembered.digest))
        });
        let known = remembered.found.meet(name);
        self.statistics.forgetful |= known == Known::Unknown;
        if known == Known::Found && is_complete {
            self.statistics.twofold = true;
            self.stop |= remembered.revisits.is_none();
        }
        self.filling.remembered = Some(remembered);
        known == Known::Found
    }

    /// Whether a complete execution with the events, sources, last writes and flags of the graph at hand was shown before, if that is to be asked. Last writes are those of what
    /// somebody looks at.
    pub(in crate::explore) fn was_shown(&mut self, ending: Option<&Ending>) -> bool {
        if !self.world.options.first_of_sources {
            return false;
        }
        let looked_at = self.looked_at(ending);
        let mut flags = Vec::new();
        self.checker().flags(&mut flags);
        let Some(mut remembered) = self.filling.remembered.take() else { return false };
        let sources = self.sources(&mut remembered.digest);
        let seen = self.graph.places().filter(|&(loc, p)| p.co.len() > 2 && self.is_seen(loc, looked_at.as_deref()));
        let name = seen.fold(sources, |name, (loc, place)| {
            let last = place.co.len() - 1;
            name.wrapping_add(self.name_of_writes(loc, &place.co[last..], &mut remembered.digest))
        });
        // What is shown stands beside what is found.
        remembered.digest.0.clear();
        remembered.digest.add([name as u64, (name >> 64) as u64]);
        flags.iter().for_each(|&flag| remembered.digest.add([flag as u64]));
        let known = remembered.found.meet(remembered.digest.value());
        self.statistics.overfull |= known == Known::Unknown;
        self.filling.remembered = Some(remembered);
        known == Known::Found
    }

    /// Whether a revisit is made of which it is not seen whether another one makes the same. Where others search too the search ends.
    pub(in crate::explore) fn is_made_in_doubt(&mut self, event: &Event, r: EventId, keep: &Bits) -> bool {
        self.statistics.twofold = true;
        self.was_not_made(event, r, keep).unwrap_or_else(|| {
            self.stop = true;
            false
        })
    }

    /// Whether a revisit was not made before, if that is remembered; now it is.
    pub(in crate::explore) fn was_not_made(&mut self, event: &Event, r: EventId, keep: &Bits) -> Option<bool> {
        let mut remembered = self.filling.remembered.take_if(|r| r.revisits.is_some())?;
        let digest = &mut remembered.digest;
        digest.0.clear();
        if self.world.options.every_revisit {
            self.add_names(event, r, keep, digest);
        } else {
            self.fingerprint(event, r, keep).iter().for_each(|&word| digest.add([u64::from(word)]));
            let mut kept: Vec<EventId> = keep.iter().map(EventId).collect();
            kept.sort_unstable_by_key(|&e| self.graph.event(e).stamp);
            kept.iter().for_each(|e| digest.add([u64::from(e.0)]));
        }
        let value = digest.value();
        let is_new = remembered.revisits.as_mut().is_some_and(|revisits| revisits.insert(value));
        self.filling.remembered = Some(remembered);
        Some(is_new)
    }

    /// Adds what a revisit makes, however it was come to.
    fn add_names(&self, event: &Event, r: EventId, keep: &Bits, digest: &mut Digest) {
        let is_kept = |e: &EventId| keep.contains(e.0);
        let add = |e: &Event, digest: &mut Digest| {
            digest.add([u64::from(e.thread.0), e.key, e.value]);
            if e.loc != NO_LOC {
                digest.add([self.world.locs.get(e.loc).0]);
            }
            for set in [e.addr_deps, e.data_deps, e.ctrl_deps, e.reached, e.supposed] {
                let names = self.world.deps.get(set).iter().map(|e| self.words_of(EventId(e)));
                let mut names: Vec<[u64; 2]> = names.collect();
                names.sort_unstable();
                let picks = self.world.deps.picks(set).iter().map(|e| self.words_of(EventId(e)));
                let mut picks: Vec<[u64; 2]> = picks.collect();
                picks.sort_unstable();
                digest.add([names.len() as u64, picks.len() as u64]);
                names.into_iter().chain(picks).for_each(|name| digest.add(name));
            }
        };
        add(event, digest);
        digest.add(self.words_of(r));
        for lane in self.graph.lanes() {
            digest.add([lane.order.iter().filter(|e| is_kept(e)).count() as u64]);
            for e in lane.order.iter().filter(|e| is_kept(e)) {
                let source = self.graph.event(*e).rf;
                add(self.graph.event(*e), digest);
                if source != NO_EVENT && *e != r {
                    digest.add(self.words_of(source));
                }
            }
        }
        digest.add([self.behind(event, keep) as u64]);
        let mut orders: Vec<_> =
            self.graph.places().filter(|(_, place)| !place.unordered && place.co.len() > 2).collect();
        orders.sort_by_key(|&(loc, _)| self.world.locs.get(loc));
        for (loc, place) in orders {
            digest.add([self.world.locs.get(loc).0]);
            place.co[1..].iter().filter(|w| is_kept(w)).for_each(|&w| digest.add(self.words_of(w)));
        }
    }

    /// A name for every event with its value and its source. (Joins follow from the rest; where the first thread runs its end alone, there are none.)
    fn sources(&self, digest: &mut Digest) -> u128 {
        digest.0.clear();
        digest.add([self.world.chosen]);
        for (t, lane) in self.graph.lanes().iter().enumerate() {
            for event in lane.order.iter().map(|&e| self.graph.event(e)).filter(|event| event.kind != Kind::Join) {
                digest.add([event.key, event.value]);
                if event.loc != NO_LOC {
                    digest.add([self.world.locs.get(event.loc).0]);
                }
                if event.rf != NO_EVENT {
                    digest.add(self.words_of(event.rf));
                }
            }
            digest.add([t as u64, (lane.order.len() - lane.done) as u64]);
        }
        digest.value()
    }

    /// A name for writes to a location, in this order.
    fn name_of_writes(&self, loc: LocId, writes: &[EventId], digest: &mut Digest) -> u128 {
        digest.0.clear();
        let (address, size) = self.world.locs.get(loc);
        digest.add([address, u64::from(size)]);
        writes.iter().for_each(|&w| digest.add(self.words_of(w)));
        digest.value()
    }

    /// A name for a write of a location that is named besides.
    fn words_of(&self, e: EventId) -> [u64; 2] {
        let (thread, key) = self.name_of(e);
        // The key of an initial write is the number of its location.
        [u64::from(thread.0), if thread == INIT_THREAD { 0 } else { key }]
    }
}
