//! Brings derived relations up to date, one after the other, and then the checks.
//!
//! An event's edges of a derived relation are found as those of a check are, by its place on the paths; then they are like edges that were given, and the
//! next relation is looked at. Where a new event is between two others, these become related, which is handed on as a gain.
//! A closure is closed whenever a product of sources and targets is added: everything before the sources comes to be related to everything
//! after the targets, and that is all.

use super::code::{Hop, SmallCode};
use super::{Found, Gain, Small};
use crate::kernel::row::{self, Row};

impl<const N: usize> Small<N> {
    /// Brings what follows from the delta up to date; `known`: the number of what is known of a new event. Says which check is violated, if one
    /// is; then others may be left out.
    pub(super) fn bring_up_to_date(&mut self, code: &SmallCode, known: Option<usize>) -> Option<usize> {
        self.pairs.clear();
        self.gains.clear();
        let mut all = std::mem::take(&mut self.known.all);
        let mut prepared = known.map(|known| &mut all[known]);
        if prepared.is_none() {
            self.edges_as_gains();
        }
        for (number, stage) in code.stages.iter().enumerate() {
            let touched = prepared.as_mut().map_or(0, |prepared| self.look(code, &mut prepared.looks[number]));
            if !self.gains.is_empty() && self.gains.iter().any(|gain| stage.along >> gain.relation & 1 == 1) {
                self.add_gains(code, stage.paths.clone());
            }
            if !self.joined.is_empty() {
                self.add_joined(code, stage.paths.clone());
            }
            if touched != 0 || !self.pairs.is_empty() {
                let found = std::mem::replace(&mut self.found[0], Found::NONE);
                self.derive(code, number, found);
            }
        }
        let touched = prepared.map_or(0, |prepared| self.look(code, &mut prepared.looks[code.stages.len()]));
        let violated = self.find_violated(code, touched);
        // Nothing is left there to be dropped, which would have to be found out.
        std::mem::forget(std::mem::replace(&mut self.known.all, all));
        violated
    }

    /// Takes the edges of an event that is there for gains of their relations.
    fn edges_as_gains(&mut self) {
        let (filled, event) = (self.delta.filled, self.delta.row);
        for word in row::bits(filled) {
            let (own, others) = (row::one(event), self.delta.words[word]);
            let (sources, targets) = if word % 2 == 0 { (others, own) } else { (own, others) };
            self.gains.push(Gain { relation: (word / 2) as u8, sources, targets });
        }
    }

    /// Enters what was found of a derived relation.
    fn derive(&mut self, code: &SmallCode, number: usize, found: Found<N>) {
        let Found { mut after, mut before } = found;
        let (event, fresh, closed) = (self.delta.row, self.delta.fresh, code.stages[number].closed);
        for i in 0..self.pairs.len() {
            let (mut sources, mut targets) = (self.pairs[i].sources, self.pairs[i].targets);
            if fresh {
                let (begins, ends) = (row::has(&sources, event), row::has(&targets, event));
                if begins {
                    row::join(&mut after, &targets);
                    row::remove(&mut sources, event);
                }
                if ends {
                    row::join(&mut before, &sources);
                    row::remove(&mut targets, event);
                }
            }
            self.gain(code, number, sources, targets, closed);
        }
        self.pairs.clear();
        if !fresh {
            return;
        }
        if closed {
            before = self.with_all(code, Hop { relation: number as u8, inverse: true }, &before);
            after = self.with_all(code, Hop { relation: number as u8, inverse: false }, &after);
            if row::meets(&before, &after) {
                row::insert(&mut before, event);
            }
        }
        if row::has(&before, event) || row::has(&after, event) {
            row::insert(&mut before, event);
            row::insert(&mut after, event);
        }
        self.delta.add(2 * number, &before);
        self.delta.add(2 * number + 1, &after);
        self.met |= self.delta.relations();
        for word in [2 * number, 2 * number + 1] {
            if self.delta.filled >> word & 1 == 1 {
                self.enter_new(code, word);
            }
        }
        if closed {
            row::remove(&mut before, event);
            row::remove(&mut after, event);
            self.gain(code, number, before, after, false);
        }
    }

    /// Some events with all that they lead to in one step.
    #[inline]
    fn with_all(&self, code: &SmallCode, hop: Hop, events: &Row<N>) -> Row<N> {
        if row::is_none(events) {
            return *events;
        }
        row::or(events, &self.step(code, hop, events, &self.sets[0]))
    }

    /// Relates some older events to others in a derived relation, and closes it.
    fn gain(&mut self, code: &SmallCode, number: usize, mut sources: Row<N>, mut targets: Row<N>, close: bool) {
        if row::is_none(&sources) || row::is_none(&targets) {
            return;
        }
        let relation = number as u8;
        if close {
            sources = self.with_all(code, Hop { relation, inverse: true }, &sources);
            targets = self.with_all(code, Hop { relation, inverse: false }, &targets);
        }
        let (mut new_sources, mut new_targets) = (row::none(), row::none());
        for y in row::ones(&targets) {
            let at = code.at(y, number);
            let more = row::minus(&sources, &self.rows[at]);
            if !row::is_none(&more) {
                self.write(at, &more);
                row::join(&mut new_sources, &more);
                row::insert(&mut new_targets, y);
            }
        }
        if row::is_none(&new_sources) {
            return;
        }
        if let Some(forward) = code.forward[number] {
            row::ones(&new_sources).for_each(|x| self.write(code.at(x, forward), &new_targets));
        }
        self.met |= 1 << (2 * number);
        self.gains.push(Gain { relation, sources: new_sources, targets: new_targets });
    }

    /// Adds to a row, to be undone.
    #[inline]
    pub(super) fn write(&mut self, at: usize, more: &Row<N>) {
        let old = self.rows[at];
        if !row::is_none(&row::minus(more, &old)) {
            self.log.push((at as u32, old));
            self.rows[at] = row::or(&old, more);
        }
    }
}
