//! Where paths lead: for a new event at one of their places, and along edges between older events.

use super::code::{Hop, PathCode, Plain, SmallCode, Term, Way};
use super::{Gain, Pairs, Small};
use crate::kernel::row::{self, Row};
use std::ops::Range;

impl<const N: usize> Small<N> {
    /// Looks up what the new event is on, at one place of a path. Pairs of older events are put aside. Which checks that concerns.
    #[inline]
    pub(super) fn look_up(&mut self, code: &SmallCode, term: &Term) -> u32 {
        let (delta, sets) = (&self.delta, &self.sets);
        let read_off = |word: u8, mask: u8| row::and(&delta.word(word as usize), &sets[mask as usize]);
        match term.plain {
            Plain::Source(word, mask) => self.note_found(term.checks, true, &read_off(word, mask)),
            Plain::Target(word, mask) => self.note_found(term.checks, false, &read_off(word, mask)),
            Plain::No => self.look_along(code, term),
        }
    }

    fn look_along(&mut self, code: &SmallCode, term: &Term) -> u32 {
        let path = &code.paths[term.path as usize];
        let (at, length) = (term.at as usize, path.hops.len());
        if length == 0 {
            // The identity on a set, or a set that should be empty.
            self.note_found(term.checks, true, &row::one(self.delta.row))
        } else if at == 0 {
            let after = self.filtered(path, true, self.follow_first(code, path, 0));
            self.note_found(term.checks, true, &after)
        } else if at == length {
            let before = self.filtered(path, false, self.retrace_first(code, path, length));
            self.note_found(term.checks, false, &before)
        } else {
            let sources = self.retrace_first(code, path, at);
            if row::is_none(&sources) {
                return 0;
            }
            let targets = self.follow_first(code, path, at);
            self.add_pairs(code, path, &sources, &targets)
        }
    }

    /// Which of the events at the other end of a path that the new event is at one end of meet its conditions.
    pub(super) fn filtered(&self, path: &PathCode, leaves: bool, mut others: Row<N>) -> Row<N> {
        let word = |hop: &Hop| self.delta.word(if leaves { hop.leaving() } else { hop.entering() });
        path.and.iter().for_each(|hop| others = row::and(&others, &word(hop)));
        path.not.iter().for_each(|hop| others = row::minus(&others, &word(hop)));
        path.of_ends(self.delta.row, others)
    }

    /// Where the path leads from its place `at`, where the new event is.
    #[inline]
    fn follow_first(&self, code: &SmallCode, path: &PathCode, at: usize) -> Row<N> {
        let next = row::and(&self.delta.word(path.hops[at].leaving()), &self.sets[path.masks[at + 1] as usize]);
        self.follow(code, path, at + 1, next)
    }

    /// Where the path comes from to its place `at`, where the new event is.
    #[inline]
    fn retrace_first(&self, code: &SmallCode, path: &PathCode, at: usize) -> Row<N> {
        let word = self.delta.word(path.hops[at - 1].entering());
        let next = row::and(&word, &self.sets[path.masks[at - 1] as usize]);
        self.retrace(code, path, at - 1, next)
    }

    /// Where the path leads from some events at its place `at`.
    pub(super) fn follow(&self, code: &SmallCode, path: &PathCode, at: usize, mut events: Row<N>) -> Row<N> {
        for (hop, &mask) in path.hops[at..].iter().zip(&path.masks[at + 1..]) {
            if row::is_none(&events) {
                break;
            }
            events = self.step(code, *hop, &events, &self.sets[mask as usize]);
        }
        events
    }

    /// Where the path comes from to some events at its place `at`.
    pub(super) fn retrace(&self, code: &SmallCode, path: &PathCode, at: usize, mut events: Row<N>) -> Row<N> {
        for (hop, &mask) in path.hops[..at].iter().zip(&path.masks[..at]).rev() {
            if row::is_none(&events) {
                break;
            }
            events = self.step(code, hop.back(), &events, &self.sets[mask as usize]);
        }
        events
    }

    /// Which members of a set some events lead to in one step.
    #[inline]
    pub(super) fn step(&self, code: &SmallCode, hop: Hop, events: &Row<N>, within: &Row<N>) -> Row<N> {
        self.step_by(code, code.way(hop), events, within)
    }

    /// The same, in this way.
    #[inline]
    pub(super) fn step_by(&self, code: &SmallCode, way: Way, events: &Row<N>, within: &Row<N>) -> Row<N> {
        match way {
            Way::Row(slot) => {
                let all = row::ones(events).fold(row::none(), |all, x| row::or(&all, &self.rows[code.at(x, slot)]));
                row::and(&all, within)
            }
            Way::Closure(slot) => row::and(&self.step_closed(code, slot, events), within),
            Way::Back(other) => self.step_back(code, other, events, within),
        }
    }

    /// The same where the rows that say it are not kept: by those of the other ends.
    fn step_back(&self, code: &SmallCode, other: Option<usize>, events: &Row<N>, within: &Row<N>) -> Row<N> {
        debug_assert!(other.is_some(), "rows are kept of what is walked along");
        let mut found = row::none();
        if let Some(slot) = other {
            let leads = |&y: &usize| row::meets(&self.rows[code.at(y, slot)], events);
            row::ones(&row::and(within, &self.sets[0])).filter(leads).for_each(|y| row::insert(&mut found, y));
        }
        found
    }

    /// Where some events lead along a closure, in either direction: what one of them leads to leads to nothing else.
    #[inline]
    pub(super) fn step_closed(&self, code: &SmallCode, slot: usize, events: &Row<N>) -> Row<N> {
        let (mut all, mut todo) = (row::none(), *events);
        while let Some(x) = row::last(&todo) {
            row::remove(&mut todo, x);
            let more = self.rows[code.at(x, slot)];
            todo = row::minus(&todo, &more);
            row::join(&mut all, &more);
        }
        all
    }

    /// Adds the pairs of a path that begin and end at some events. Which checks that concerns.
    pub(super) fn add_pairs(&mut self, code: &SmallCode, path: &PathCode, sources: &Row<N>, targets: &Row<N>) -> u32 {
        let checks = path.checks;
        if row::is_none(sources) || row::is_none(targets) {
            return 0;
        }
        if !path.is_filtered() {
            self.pairs.push(Pairs { checks, sources: *sources, targets: *targets });
            return checks;
        }
        let mut touched = 0;
        for x in row::ones(sources) {
            let rest = self.let_through(code, path, x, *targets);
            if !row::is_none(&rest) {
                self.pairs.push(Pairs { checks, sources: row::one(x), targets: rest });
                touched = checks;
            }
        }
        touched
    }

    /// Which of some events at the end of a path it may lead to from an event at its beginning.
    pub(super) fn let_through(&self, code: &SmallCode, path: &PathCode, from: usize, to: Row<N>) -> Row<N> {
        let (mut rest, only) = (path.of_ends(from, to), row::one(from));
        for &hop in &path.and {
            if row::is_none(&rest) {
                return rest;
            }
            rest = self.step(code, hop, &only, &rest);
        }
        for &hop in &path.not {
            if row::is_none(&rest) {
                return rest;
            }
            rest = row::minus(&rest, &self.step(code, hop, &only, &rest));
        }
        rest
    }

    /// Adds what paths gain by edges between events that are there: each edge is looked at where it can stand on a path. Which checks that
    /// concerns.
    pub(super) fn add_gains(&mut self, code: &SmallCode, paths: Range<usize>) -> u32 {
        let mut touched = 0;
        for i in 0..self.gains.len() {
            let Gain { relation, sources, targets } = self.gains[i];
            let concerned = |path: &&PathCode| path.along >> relation & 1 == 1;
            let along = |hop: &Hop| match hop.inverse {
                true => (targets, sources),
                false => (sources, targets),
            };
            for path in code.paths[paths.clone()].iter().filter(concerned) {
                let length = path.hops.len();
                for (at, hop) in path.hops.iter().enumerate().filter(|(_, hop)| hop.relation == relation) {
                    let (from, to) = along(hop);
                    let from = row::and(&from, &self.sets[path.masks[at] as usize]);
                    let to = row::and(&to, &self.sets[path.masks[at + 1] as usize]);
                    if !row::is_none(&from) && !row::is_none(&to) {
                        let (from, to) = (self.retrace(code, path, at, from), self.follow(code, path, at + 1, to));
                        touched |= self.add_pairs(code, path, &from, &to);
                    }
                }
                // Pairs that were on the path already may come to be let through.
                for hop in path.and.iter().filter(|hop| hop.relation == relation) {
                    let (from, to) = along(hop);
                    let from = row::and(&from, &self.sets[path.masks[0] as usize]);
                    let to = row::and(&to, &self.sets[path.masks[length] as usize]);
                    for x in row::ones(&from) {
                        let to = row::and(&self.follow(code, path, 0, row::one(x)), &to);
                        touched |= self.add_pairs(code, path, &row::one(x), &to);
                    }
                }
            }
        }
        touched
    }
}

impl PathCode {
    /// Which of some events at one end of the path can be there when `event` is at the other.
    #[inline]
    fn of_ends<const N: usize>(&self, event: usize, mut others: Row<N>) -> Row<N> {
        if self.distinct {
            row::remove(&mut others, event);
        }
        if self.same {
            others = row::and(&others, &row::one(event));
        }
        others
    }
}
