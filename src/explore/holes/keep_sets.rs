//! What revisits keep besides what the write depends on: what it needs.
//!
//! An event can need another that no dependency leads to (a flag set in a branch decides about a later one; an update has to read what another update wrote). When what
//! a revisit keeps cannot be completed, the holes belong to what the write needs: they are kept as they are, with all that they depend on.
//!
//! Not all of them need be. A read in a hole that could read the write itself, if it were not kept, is not revisited by it later: the write is there. So revisits that leave such reads open are made as well, where
//! the holes can be filled so that they read the write, and a smaller revisit does not lead to that.

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::frames::Revisit;
use crate::explore::engine::search::{LARGE, Search};
use crate::explore::holes::known::Question;
use crate::explore::revisit::condition;
use crate::graph::event::{Event, Kind, NO_EVENT};
use crate::graph::prefix::{PrefixKind, extend};
use crate::ids::EventId;
use crate::relation::bits::Bits;
use smallvec::SmallVec;

/// Of so many reads that may be left open all combinations are looked at; of more, one at a time and all.
const FEW: usize = 3;

/// Reads that are left open so that they can read the write that revisits another one.
pub(in crate::explore) type Open = SmallVec<[EventId; FEW]>;

/// What a revisit may keep.
pub(in crate::explore) struct Keep {
    pub(in crate::explore) events: Bits,
    pub(in crate::explore) open: Open,
    /// Whether a revisit that keeps this may be made from the graph at hand, where that is known.
    pub(in crate::explore) is_made: Option<bool>,
    /// Whether it is thought of wherever it may be made: what is in holes there plays no part.
    is_everywhere: bool,
}

/// What revisits may keep that keep ever more.
pub(in crate::explore) struct Growing {
    pub(in crate::explore) all: Vec<Bits>,
    /// What the last one takes for needed.
    pub(in crate::explore) needed: Bits,
    /// Whether something in a hole depends on the read that is revisited: it cannot be kept.
    needs_read: bool,
}

impl Growing {
    /// The revisits that keep this, up to the last that is looked at, and leave no read open.
    pub(in crate::explore) fn keeps(self) -> impl Iterator<Item = Keep> {
        let needs_read = self.needs_read;
        let keep =
            move |(i, events)| Keep { events, open: Open::new(), is_made: None, is_everywhere: i == 0 || !needs_read };
        self.all.into_iter().enumerate().map(keep)
    }
}

/// Whether what a revisit makes comes of a smaller one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::explore) enum Comes {
    Certainly,
    /// It is not seen to.
    Perhaps,
    No,
}

impl<J: Checker> Search<'_, '_, J> {
    /// What revisits of `r` by `event` that are made from here keep: the least that leaves holes which can be filled, or none; and more, where
    /// the holes cannot be filled then as they are filled now ([`crate::explore::holes::forced_choices`]).
    pub(in crate::explore) fn maximal_revisit(&mut self, event: &Event, prefix: &Bits, r: EventId) -> Vec<Revisit> {
        let least = condition::kept(&self.graph, prefix, r);
        if self.sections.are_witnessed() {
            let made = self.is_to_be_made(event, r, &least).then_some(Revisit { read: r, keep: least });
            return made.into_iter().collect();
        }
        if self.kind == PrefixKind::ProgramOrder {
            let made = self.is_maximal(&least, event, r).then_some(Revisit { read: r, keep: least });
            return made.into_iter().collect();
        }
        if self.world.options.every_revisit && self.filling.lookahead.is_none() {
            return self.every_revisit(event, prefix, r);
        }
        if self.reads_from_deleted(&least, r) {
            return self.revisit_without_lent(event, r, &least).into_iter().collect();
        }
        let mut grown = self.growing(event, prefix, r, &Open::new());
        let order = &self.graph.lane(self.graph.event(r).thread).order;
        let is_hole = order.iter().rev().take_while(|&&e| e != r).any(|e| grown.needed.contains(e.0));
        if grown.needs_read || is_hole {
            self.notice_circle(event, r, &grown.all, !grown.needs_read);
        }
        let (least, largest) = (grown.all[0].len(), grown.all.len() - 1);
        let last = self.last_made(event, r, &grown.all);
        grown.all.truncate(last.map_or(grown.all.len(), |last| last + 1));
        let needed = grown.needed.clone();
        // Below the last one it is not known of others.
        let is_made = |i| if last.is_none() { Some(false) } else { (last == Some(i)).then_some(true) };
        let chain: Vec<Keep> =
            grown.keeps().enumerate().map(|(i, keep)| Keep { is_made: is_made(i), ..keep }).collect();
        let mut made = last.map_or_else(Vec::new, |_| self.made(event, prefix, r, &chain));
        // Where the least leads to all that is in holes as it is now, it is taken to lead to that as well. Where the largest is made from another graph, that is not asked here: what is in
        // holes may have been added last for one that leaves reads open, though not for the largest.
        if last != Some(largest) || made.iter().any(|(keep, _)| keep.len() > least) {
            let mut all = self.sparing(event, prefix, &needed, r);
            if !all.is_empty() {
                all.extend(chain);
                all.sort_by_key(|keep| keep.events.len());
                made = self.made(event, prefix, r, &all);
            }
        }
        // A trial that was interrupted gives no reason to doubt.
        made.retain(|(keep, comes)| *comes == Comes::No || !self.stop && self.is_made_in_doubt(event, r, keep));
        made.into_iter().map(|(keep, _)| Revisit { read: r, keep }).collect()
    }

    /// Of revisits, the smaller ones first, those that are made, because they do not come of smaller ones, or are not seen to.
    pub(in crate::explore) fn made(
        &mut self,
        event: &Event,
        prefix: &Bits,
        r: EventId,
        all: &[Keep],
    ) -> Vec<(Bits, Comes)> {
        let may_be_made = |search: &mut Self, keep: &Keep| {
            keep.is_made.unwrap_or_else(|| search.is_possible_and_maximal(event, r, &keep.events))
        };
        // Behind the last that may be made nothing need be known, which mostly spares all questions about what fills holes.
        let last = all.iter().rposition(|keep| may_be_made(self, keep));
        let (mut made, mut smaller) = (Vec::new(), Vec::<&Keep>::new());
        for (i, keep) in all.iter().enumerate().take(last.map_or(0, |last| last + 1)) {
            let is_new = |search: &mut Self, smaller: &[&Keep]| {
                let comes = search.comes_of(event, r, smaller, keep);
                (comes != Comes::Certainly).then_some(comes)
            };
            let is_superfluous =
                !keep.open.is_empty() && (!self.may_read_as_well(event, r, keep) || is_new(self, &smaller).is_none());
            if is_superfluous {
                continue;
            }
            let is_made_here = Some(i) == last || may_be_made(self, keep);
            if is_made_here && let Some(comes) = is_new(self, &smaller) {
                made.push((keep.events.clone(), comes));
            }
            // What is made nowhere leads to nothing.
            if is_made_here || keep.is_everywhere || self.is_made_elsewhere(event, prefix, r, &keep.events) {
                smaller.push(keep);
            }
        }
        made
    }

    /// What revisits keep that take ever more of what is in holes for needed, but for what is left open and what depends on that or on `r`.
    pub(in crate::explore) fn growing(&mut self, event: &Event, prefix: &Bits, r: EventId, open: &Open) -> Growing {
        let mut grown = Growing { all: Vec::new(), needed: prefix.clone(), needs_read: false };
        let mut with = Bits::new();
        loop {
            let keep = condition::kept(&self.graph, &grown.needed, r);
            let holes = condition::holes(&self.graph, &keep, event.thread);
            grown.all.push(keep);
            let before = grown.needed.len();
            for hole in holes {
                with.clone_from(&grown.needed);
                extend(&self.graph, &self.world.deps, self.kind, hole, &mut with, &mut self.scratch.work);
                grown.needs_read |= with.contains(r.0);
                if !with.contains(r.0) && !open.iter().any(|e| with.contains(e.0)) {
                    std::mem::swap(&mut grown.needed, &mut with);
                }
            }
            if grown.needed.len() == before {
                return grown;
            }
        }
    }

    /// What revisits keep that leave reads of holes open which might read the write, though all holes together are taken for needed.
    pub(in crate::explore) fn sparing(&mut self, event: &Event, prefix: &Bits, needed: &Bits, r: EventId) -> Vec<Keep> {
        let stamp = self.graph.event(r).stamp;
        let may_read = |&e: &EventId| {
            let read = self.graph.event(e);
            read.kind == Kind::Read && read.loc == event.loc && e != r && read.stamp > stamp && !prefix.contains(e.0)
        };
        let mut reads: Open = needed.iter().map(EventId).filter(may_read).collect();
        reads.retain(|read| self.may_read_later(*read, event));
        self.statistics.unproved |= !reads.is_empty();
        let count = reads.len();
        let ways: Vec<Open> = match count {
            0..=FEW => {
                let way = |bits: usize| (0..count).filter(|i| bits >> i & 1 == 1).map(|i| reads[i]).collect();
                (1..1 << count).map(way).collect()
            }
            _ => reads.iter().map(|&read| Open::from_slice(&[read])).chain([reads.clone()]).collect(),
        };
        let mut all: Vec<Keep> = Vec::new();
        for open in ways {
            let keeps = self.growing(event, prefix, r, &open).all;
            // The first leaves all holes open.
            let keep = |events| Keep { events, open: open.clone(), is_made: None, is_everywhere: false };
            all.extend(keeps.into_iter().skip(1).map(keep));
        }
        all
    }

    /// Of revisits that keep ever more, the last that is made. Whether one is possible is not asked: it is made, and that tells. But where
    /// one was passed over that may be maximal, it is.
    fn last_made(&mut self, event: &Event, r: EventId, chain: &[Bits]) -> Option<usize> {
        let mut passed_over = false;
        (0..chain.len()).rev().find(|&i| {
            let keep = &chain[i];
            if self.is_from_the_future(event, r, keep) {
                passed_over = true;
                return false;
            }
            if passed_over { self.is_possible_and_maximal(event, r, keep) } else { self.is_maximal(keep, event, r) }
        })
    }

    /// Whether a revisit that keeps this is possible, and may be made from this graph.
    fn is_possible_and_maximal(&mut self, event: &Event, r: EventId, keep: &Bits) -> bool {
        if self.graph.len() > LARGE && self.must_stop() {
            return false;
        }
        let doubts = self.doubts(keep, event, r);
        !doubts.is_empty() && self.is_possible(event, r, keep) && self.are_unfounded(doubts, event, r)
    }

    /// What is asked about a revisit and reads that are left open.
    fn key(&self, event: &Event, r: EventId, keep: &Keep) -> Vec<u32> {
        let mut key = self.fingerprint(event, r, &keep.events).into_vec();
        for &read in &keep.open {
            let (thread, name) = self.name_of(read);
            key.extend([NO_EVENT.0, thread.0, name as u32, (name >> 32) as u32]);
        }
        key
    }

    /// Whether the holes that a revisit leaves can be filled so that reads which are left open read the write.
    fn may_read_as_well(&mut self, event: &Event, r: EventId, keep: &Keep) -> bool {
        let key = self.key(event, r, keep);
        self.answer(key.into(), Question::Filled, |search| search.can_be_filled_as_now(event, r, &keep.events, keep).0)
    }

    /// Whether what a revisit makes comes of a smaller one, if anything comes of it. Where that is not seen, it is made, and what comes of it
    /// counts once all the same.
    fn comes_of(&mut self, event: &Event, r: EventId, smaller: &[&Keep], full: &Keep) -> Comes {
        let mut comes = Comes::No;
        for less in smaller {
            let is_part = less.events.iter().all(|e| full.events.contains(e));
            if !is_part || !self.is_possible(event, r, &less.events) {
                continue;
            }
            let mut key = self.key(event, r, full);
            key.push(NO_EVENT.0);
            key.extend(less.events.iter());
            let mut strays = true;
            let is_filled = self.answer(key.clone().into(), Question::Filled, |search| {
                let (is_filled, does_stray) = search.can_be_filled_as_now(event, r, &less.events, full);
                strays = does_stray;
                is_filled
            });
            let is_seen = |search: &mut Self| {
                !strays || !search.is_filled(event, r, &full.events) || search.comes_to(event, r, &less.events, full)
            };
            // While holes are filled, what is not seen is taken for what comes of less.
            if is_filled && (self.filling.lookahead.is_some() || self.answer(key.into(), Question::Reached, is_seen)) {
                return Comes::Certainly;
            }
            if is_filled {
                comes = Comes::Perhaps;
            }
        }
        comes
    }

    /// Whether the holes that a revisit leaves can be filled as they are filled now, as far as another one keeps what is in them, and with the write where that leaves
    /// reads open; and whether a read in them has another source yet.
    fn can_be_filled_as_now(&mut self, event: &Event, r: EventId, keep: &Bits, full: &Keep) -> (bool, bool) {
        let script = self.script(keep, event, full);
        let outer = std::mem::replace(&mut self.filling.script, script);
        let mut strays = false;
        let possible = self.try_revisit(event, r, keep, |search| {
            let is_filled = search.next() && search.fill();
            strays = is_filled && search.strays_from_script();
            is_filled
        });
        self.filling.script = outer;
        (possible, strays)
    }
}
