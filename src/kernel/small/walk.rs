//! What a delta adds to the checks.

use super::Small;
use super::code::{CheckCode, Hop, PathCode, SmallCode, Term};
use crate::algebra::Predicate;
use crate::kernel::row::{self, Row};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// What was found of a condition so far: events that the new one is related to, those that are related to it.
#[derive(Clone, Copy)]
pub(super) struct Found<const N: usize> {
    after: Row<N>,
    before: Row<N>,
}

/// New pairs of older events: each of `sources` is related to all of `targets` in some checks.
#[derive(Clone, Copy)]
pub(super) struct Pairs<const N: usize> {
    checks: u32,
    sources: Row<N>,
    targets: Row<N>,
}

/// The terms that an event is looked up in, by which words of its delta are filled and which sets it is in.
#[derive(Default)]
pub(super) struct Applicable {
    known: FxHashMap<(u64, u64), Range<usize>>,
    terms: Vec<Term>,
}

/// When more are known, all are forgotten.
const MOST_KNOWN: usize = 4096;

impl Applicable {
    #[inline]
    fn find(&mut self, code: &SmallCode, filled: u64, sets: u64) -> Range<usize> {
        if let Some(range) = self.known.get(&(filled, sets)) {
            return range.clone();
        }
        if self.known.len() >= MOST_KNOWN {
            *self = Applicable::default();
        }
        let start = self.terms.len();
        let applies = |term: &&Term| term.words & !filled | term.sets & !sets == 0;
        self.terms.extend(code.terms.iter().filter(applies));
        let range = start..self.terms.len();
        self.known.insert((filled, sets), range.clone());
        range
    }
}

impl<const N: usize> Found<N> {
    /// Nothing.
    pub const NONE: Self = Found { after: [0; N], before: [0; N] };
}

impl<const N: usize> Small<N> {
    /// Whether edges between events that are there can be taken over: no path loses anything by them.
    pub(super) fn takes_edges(&self, code: &SmallCode) -> bool {
        let gains = |hop: &Hop| self.delta.filled >> (2 * hop.relation) & 0b11 != 0;
        !code.paths.iter().any(|path| path.not.iter().any(gains))
    }

    /// Brings the successors of each cycle check up to date. Says which check is violated, if one is; then the others may be left out.
    pub(super) fn find_violated(&mut self, code: &SmallCode) -> Option<usize> {
        self.pairs.clear();
        let mut touched = match self.delta.fresh {
            true => self.add_event_paths(code),
            false => self.add_edge_paths(code),
        };
        let mut violated = None;
        while touched != 0 {
            let number = touched.trailing_zeros() as usize;
            touched &= touched - 1;
            let found = std::mem::replace(&mut self.found[number], Found::NONE);
            let check = &code.checks[number];
            if violated.is_none() && self.violates(code, check, 1 << number, found) {
                violated = Some(check.index);
            }
        }
        violated
    }

    /// Finds what the new event is on. Which checks that concerns.
    #[inline]
    fn add_event_paths(&mut self, code: &SmallCode) -> u32 {
        let mut touched = 0;
        for i in self.applicable.find(code, self.delta.filled, self.delta.sets) {
            let term = self.applicable.terms[i];
            let found = match term.plain {
                Some((word, mask)) => Found {
                    after: row::and(&self.delta.words[word as usize], &self.sets[mask as usize]),
                    ..Found::NONE
                },
                None => self.look_up(code, &term, &mut touched),
            };
            if !row::is_none(&row::or(&found.after, &found.before)) {
                touched |= term.checks;
                let mut checks = term.checks;
                while checks != 0 {
                    let all = &mut self.found[checks.trailing_zeros() as usize];
                    row::join(&mut all.after, &found.after);
                    row::join(&mut all.before, &found.before);
                    checks &= checks - 1;
                }
            }
        }
        touched
    }

    /// What the new event is on, at one place of a path.
    fn look_up(&mut self, code: &SmallCode, term: &Term, touched: &mut u32) -> Found<N> {
        let path = &code.paths[term.path as usize];
        let (at, length) = (term.at as usize, path.hops.len());
        let event = self.delta.row;
        let Found { mut after, mut before } = Found::NONE;
        if length == 0 {
            // The identity on a set, or a set that should be empty.
            row::insert(&mut after, event);
        } else if at == 0 {
            after = self.follow_first(code, path, 0);
            path.and.iter().for_each(|hop| after = row::and(&after, &self.delta.word(hop.leaving())));
            path.not.iter().for_each(|hop| after = row::minus(&after, &self.delta.word(hop.leaving())));
            if path.distinct {
                row::remove(&mut after, event);
            }
        } else if at == length {
            before = self.retrace_first(code, path, length);
            path.and.iter().for_each(|hop| before = row::and(&before, &self.delta.word(hop.entering())));
            path.not.iter().for_each(|hop| before = row::minus(&before, &self.delta.word(hop.entering())));
            if path.distinct {
                row::remove(&mut before, event);
            }
        } else {
            let sources = self.retrace_first(code, path, at);
            if !row::is_none(&sources) {
                let targets = self.follow_first(code, path, at);
                *touched |= self.add_pairs(code, path, &sources, &targets);
            }
        }
        Found { after, before }
    }

    /// Whether a check is violated by what was found, given that it was not before.
    #[inline]
    fn violates(&mut self, code: &SmallCode, check: &CheckCode, bit: u32, found: Found<N>) -> bool {
        let mut pairs = self.pairs.iter().filter(|pairs| pairs.checks & bit != 0);
        match check.predicate {
            Predicate::Acyclic => self.close(code.stride, check.row, bit, found),
            Predicate::Irreflexive => {
                row::has(&found.after, self.delta.row) || pairs.any(|pairs| row::meets(&pairs.sources, &pairs.targets))
            }
            Predicate::Empty => !row::is_none(&row::or(&found.after, &found.before)) || pairs.next().is_some(),
        }
    }

    /// Enters new successors in a cycle check. Whether there is a cycle.
    #[inline]
    fn close(&mut self, stride: usize, slot: usize, check: u32, found: Found<N>) -> bool {
        let event = self.delta.row;
        let Found { mut after, mut before } = found;
        if row::has(&before, event) {
            row::insert(&mut after, event);
            row::remove(&mut before, event);
        }
        row::join(&mut self.rows[event * stride + slot], &after);
        for x in row::ones(&before) {
            self.gain(x * stride + slot, &row::one(event));
        }
        for i in 0..self.pairs.len() {
            let Pairs { checks, sources, targets } = self.pairs[i];
            if checks & check != 0 {
                row::ones(&sources).for_each(|x| self.gain(x * stride + slot, &targets));
            }
        }
        let mut pairs = self.pairs.iter().filter(|pairs| pairs.checks & check != 0);
        row::has(&after, event)
            || !row::is_none(&before) && !row::is_none(&after) && self.reaches(stride, slot, &after, &before)
            || pairs.any(|pairs| self.reaches(stride, slot, &pairs.targets, &pairs.sources))
    }

    #[inline]
    fn gain(&mut self, at: usize, more: &Row<N>) {
        let old = self.rows[at];
        if !row::is_none(&row::minus(more, &old)) {
            self.log.push((at as u32, old));
            self.rows[at] = row::or(&old, more);
        }
    }

    /// Whether one of some events is among others, or leads to one of them.
    #[inline]
    fn reaches(&self, stride: usize, slot: usize, from: &Row<N>, to: &Row<N>) -> bool {
        let (mut seen, mut todo) = (*from, *from);
        if row::meets(from, to) {
            return true;
        }
        while let Some(x) = row::last(&todo) {
            row::remove(&mut todo, x);
            let more = row::minus(&self.rows[x * stride + slot], &seen);
            if row::meets(&more, to) {
                return true;
            }
            row::join(&mut seen, &more);
            row::join(&mut todo, &more);
        }
        false
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
    fn follow(&self, code: &SmallCode, path: &PathCode, at: usize, mut events: Row<N>) -> Row<N> {
        for (hop, &mask) in path.hops[at..].iter().zip(&path.masks[at + 1..]) {
            if row::is_none(&events) {
                break;
            }
            events = row::and(&self.step(code, *hop, &events), &self.sets[mask as usize]);
        }
        events
    }

    /// Where the path comes from to some events at its place `at`.
    fn retrace(&self, code: &SmallCode, path: &PathCode, at: usize, mut events: Row<N>) -> Row<N> {
        for (hop, &mask) in path.hops[..at].iter().zip(&path.masks[..at]).rev() {
            if row::is_none(&events) {
                break;
            }
            events = row::and(&self.step(code, hop.back(), &events), &self.sets[mask as usize]);
        }
        events
    }

    /// Where some events lead in one step.
    #[inline]
    fn step(&self, code: &SmallCode, hop: Hop, events: &Row<N>) -> Row<N> {
        let (stride, relation) = (code.stride, hop.relation as usize);
        let slot = if hop.inverse { Some(relation) } else { code.forward[relation] };
        match slot {
            Some(slot) => row::ones(events).fold(row::none(), |all, x| row::or(&all, &self.rows[x * stride + slot])),
            // Those of whose sources one is among the events.
            None => {
                let mut targets = row::none();
                let leads = |&y: &usize| row::meets(&self.rows[y * stride + relation], events);
                row::ones(&self.sets[0]).filter(leads).for_each(|y| row::insert(&mut targets, y));
                targets
            }
        }
    }

    /// Adds the pairs of a path that begin and end at some events. Which checks that concerns.
    fn add_pairs(&mut self, code: &SmallCode, path: &PathCode, sources: &Row<N>, targets: &Row<N>) -> u32 {
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
            let (mut rest, only) = (*targets, row::one(x));
            path.and.iter().for_each(|&hop| rest = row::and(&rest, &self.step(code, hop, &only)));
            path.not.iter().for_each(|&hop| rest = row::minus(&rest, &self.step(code, hop, &only)));
            if path.distinct {
                row::remove(&mut rest, x);
            }
            if !row::is_none(&rest) {
                self.pairs.push(Pairs { checks, sources: only, targets: rest });
                touched = checks;
            }
        }
        touched
    }

    /// The same for edges of an event that is there: each is looked at where it can stand on a path.
    fn add_edge_paths(&mut self, code: &SmallCode) -> u32 {
        let event = self.delta.row;
        let is_member = |small: &Self, mask: u8| row::has(&small.sets[mask as usize], event);
        let only = row::one(event);
        let mut touched = 0;
        for path in &code.paths {
            for (at, hop) in path.hops.iter().enumerate() {
                let (here, there) = (path.masks[at], path.masks[at + 1]);
                let leaving = row::and(&self.delta.word(hop.leaving()), &self.sets[there as usize]);
                if !row::is_none(&leaving) && is_member(self, here) {
                    let sources = self.retrace(code, path, at, only);
                    let targets = self.follow(code, path, at + 1, leaving);
                    touched |= self.add_pairs(code, path, &sources, &targets);
                }
                let entering = row::and(&self.delta.word(hop.entering()), &self.sets[here as usize]);
                if !row::is_none(&entering) && is_member(self, there) {
                    let sources = self.retrace(code, path, at, entering);
                    let targets = self.follow(code, path, at + 1, only);
                    touched |= self.add_pairs(code, path, &sources, &targets);
                }
            }
            // Pairs that were on the path already may come to be let through.
            let (first, last) = (path.masks[0], path.masks[path.hops.len()]);
            for hop in &path.and {
                let leaving = self.delta.word(hop.leaving());
                if !row::is_none(&leaving) && is_member(self, first) {
                    let targets = row::and(&self.follow(code, path, 0, only), &leaving);
                    touched |= self.add_pairs(code, path, &only, &targets);
                }
                let entering = self.delta.word(hop.entering());
                if !row::is_none(&entering) && is_member(self, last) {
                    let sources = row::and(&self.retrace(code, path, path.hops.len(), only), &entering);
                    touched |= self.add_pairs(code, path, &sources, &only);
                }
            }
        }
        touched
    }
}
