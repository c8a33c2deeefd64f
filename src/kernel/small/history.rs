//! Taking deltas over and back, and telling what was done.

use super::code::{Hop, Input, SmallCode};
use super::{Act, Beyond, Fact, Frame, Record, Small, Stack};
use crate::kernel::row::{self, Row, bits};
use std::ops::Range;

impl<const N: usize> Small<N> {
    /// Takes over the delta at hand. On failure nothing has changed.
    #[inline(never)]
    pub(super) fn take_over(&mut self, code: &SmallCode) -> Result<(), Beyond> {
        let (row, fresh) = (self.delta.row, self.delta.fresh);
        let mut known = self.sets[0];
        if fresh {
            row::insert(&mut known, row);
        }
        let others = self.delta.others;
        if row::has(&others, row) {
            self.close_loops();
        }
        let is_known = row::is_none(&row::minus(&others, &known)) && row::has(&known, row);
        let (log, changes) = (self.log.len() as u32, self.changes.len() as u32);
        if !is_known || !fresh && !self.takes_edges(code) || !self.find_changes(code) {
            self.changes.truncate(changes as usize);
            return Err(Beyond::Kind);
        }
        self.delta.open = false;
        self.met |= self.delta.relations();
        let known = fresh.then(|| self.prepare(code));
        self.delta.sets = known.map_or(0, |known| self.known.all[known].sets);
        self.make_changes(code, changes as usize);
        self.enter(code);
        if self.violated.is_none() {
            self.violated = self.bring_up_to_date(code, known);
        }
        let delta = &self.delta;
        let words = self.stack.words.len() as u32;
        self.stack.words.extend(bits(delta.filled).map(|word| delta.words[word]));
        let (sets, filled) = (delta.sets, delta.filled);
        self.stack.records.push(Record { row: row as u16, fresh, sets, filled, words, log, changes });
        Ok(())
    }

    /// Whether edges between events that are there can be taken over: no path loses anything by them.
    fn takes_edges(&self, code: &SmallCode) -> bool {
        let gains = |hop: &Hop| self.delta.filled >> (2 * hop.relation) & 0b11 != 0;
        !code.paths.iter().any(|path| path.not.iter().any(gains))
    }

    /// Enters edges of the event to itself at both ends.
    fn close_loops(&mut self) {
        for word in bits(self.delta.filled) {
            if row::has(&self.delta.words[word], self.delta.row) {
                self.delta.add(word ^ 1, &row::one(self.delta.row));
            }
        }
    }

    /// Enters the sets and edges of the delta.
    fn enter(&mut self, code: &SmallCode) {
        let event = self.delta.row;
        if self.delta.fresh {
            self.rows[code.rows_of(event)].fill(row::none());
            if let Some(elders) = code.elders {
                self.rows[code.at(event, elders)] = self.sets[0];
            }
            enter_sets(&mut self.sets, &mut self.member_of[event], event, self.delta.sets);
        }
        for word in bits(self.delta.filled & code.entered) {
            if self.delta.fresh {
                self.enter_new(code, word);
                continue;
            }
            let others = self.delta.words[word];
            // Where the event's own edges are, and where those of the others.
            let (own, theirs) = (code.theirs[word ^ 1], code.theirs[word]);
            own.into_iter().for_each(|own| self.write(code.at(event, own), &others));
            if let Some(theirs) = theirs {
                row::ones(&others).for_each(|x| self.write(code.at(x, theirs), &row::one(event)));
            }
        }
    }

    /// Enters the edges of a word of a new event, which has some.
    #[inline]
    pub(super) fn enter_new(&mut self, code: &SmallCode, word: usize) {
        let Small { rows, delta, .. } = self;
        let (event, others) = (delta.row, delta.words[word]);
        if let Some(own) = code.theirs[word ^ 1] {
            row::join(&mut rows[code.at(event, own)], &others);
        }
        if let Some(theirs) = code.theirs[word] {
            row::ones(&others).for_each(|x| row::insert(&mut rows[code.at(x, theirs)], event));
        }
    }

    /// Takes back the newest record.
    #[inline]
    fn take_back(&mut self, code: &SmallCode, record: Record) {
        for _ in record.log as usize..self.log.len() {
            let Some((at, old)) = self.log.pop() else { break };
            self.rows[at as usize] = old;
        }
        for _ in record.changes as usize..self.changes.len() {
            let Some(change) = self.changes.pop() else { break };
            change.flip(&mut self.sets);
        }
        if self.stack.records.len() < self.finished {
            self.empty_rows(code, record);
        }
        if record.fresh {
            let event = record.row as usize;
            let Small { sets, rows, stack, .. } = self;
            row::remove(&mut sets[0], event);
            for (word, others) in bits(record.filled).zip(&stack.words[record.words as usize..]) {
                if let Some(theirs) = code.theirs[word] {
                    row::ones(others).for_each(|x| row::remove(&mut rows[code.at(x, theirs)], event));
                }
            }
        }
    }

    /// Takes back all records from one on, and forgets them.
    fn take_back_to(&mut self, code: &SmallCode, records: usize) {
        self.delta.open = false;
        while self.stack.records.len() > records {
            let Some(record) = self.stack.records.pop() else { break };
            self.take_back(code, record);
            self.stack.words.truncate(record.words as usize);
        }
        self.told = self.told.min(records);
    }

    /// Opens a frame. Everything that was added has been taken over.
    #[inline]
    pub fn push(&mut self) {
        self.stack.frames.push(Frame { records: self.stack.records.len(), violated: self.violated });
    }

    /// Undoes everything since the matching [`Self::push`].
    #[inline]
    pub fn pop(&mut self, code: &SmallCode) {
        if let Some(frame) = self.stack.frames.pop() {
            self.take_back_to(code, frame.records);
            self.violated = frame.violated;
        }
    }

    /// How many additions there have been: of events, or of edges of events that were there.
    pub fn additions(&self) -> usize {
        self.stack.records.len()
    }

    /// How many of the first additions are as they were told of.
    pub fn told(&self) -> usize {
        self.told
    }

    /// Tells of some additions, which follow those that were told of.
    pub fn tell(&mut self, code: &SmallCode, additions: Range<usize>, each: &mut dyn FnMut(u32, Fact<'_>)) {
        self.told = additions.end;
        for record in &self.stack.records[additions] {
            let row = u32::from(record.row);
            let words = &self.stack.words[record.words as usize..];
            facts(code, record.fresh, record.sets, record.filled, words, &mut |fact| each(row, fact));
        }
    }

    /// What was done since the last reset and not undone, with the delta at hand at the end. A frame was opened whenever something had
    /// been set aside.
    pub fn history(&self, code: &SmallCode) -> Vec<Act> {
        let stack = &self.stack;
        let mut acts = told(code, stack, 0..stack.records.len(), &stack.frames, 0);
        if self.delta.open {
            let words: Vec<Row<N>> = bits(self.delta.filled).map(|word| self.delta.words[word]).collect();
            let (row, fresh) = (self.delta.row as u16, self.delta.fresh);
            acts.push(act(code, row, fresh, self.delta.sets, self.delta.filled, &words));
        }
        // From the last: what was done since something was set aside comes after it.
        let mut ends = (self.aside.records.len(), self.aside.frames.len());
        for lot in self.lots.iter().rev() {
            let frame = acts.iter().enumerate().filter(|(_, act)| matches!(act, Act::Push)).nth(lot.kept);
            let since = acts.split_off(frame.map_or(acts.len(), |(at, _)| at));
            let frames = &self.aside.frames[lot.frames..ends.1];
            let base = frames.first().map_or(0, |frame| frame.records);
            acts.extend(told(code, &self.aside, lot.records..ends.0, frames, base));
            acts.push(Act::SetAside(lot.kept));
            acts.extend(since);
            ends = (lot.records, lot.frames);
        }
        acts
    }
}

/// Enters a new event in its sets, of which the first is that of all events. It may have been in others when it was there before.
#[inline]
pub(super) fn enter_sets<const N: usize>(sets: &mut [Row<N>; 64], member_of: &mut u64, event: usize, new: u64) {
    let was = std::mem::replace(member_of, new);
    bits((was ^ new) & !1).for_each(|set| row::flip(&mut sets[set], event));
    row::insert(&mut sets[0], event);
}

/// Some records of a stack, with the frames that were opened between them. `base`: the number of the first, as the frames count.
fn told<const N: usize>(
    code: &SmallCode,
    stack: &Stack<N>,
    records: Range<usize>,
    frames: &[Frame],
    base: usize,
) -> Vec<Act> {
    let mut acts = Vec::new();
    let mut frames = frames.iter().peekable();
    for (i, record) in stack.records[records].iter().enumerate() {
        while frames.next_if(|frame| frame.records <= base + i).is_some() {
            acts.push(Act::Push);
        }
        let words = &stack.words[record.words as usize..];
        acts.push(act(code, record.row, record.fresh, record.sets, record.filled, words));
    }
    acts.extend(frames.map(|_| Act::Push));
    acts
}

fn act<const N: usize>(code: &SmallCode, row: u16, fresh: bool, sets: u64, filled: u64, words: &[Row<N>]) -> Act {
    let (mut members, mut to, mut from) = (Vec::new(), Vec::new(), Vec::new());
    facts(code, fresh, sets, filled, words, &mut |fact| match fact {
        Fact::New => {}
        Fact::Member(input) => members.push(input),
        Fact::To(input, targets) => to.push((input, targets.into())),
        Fact::From(input, sources) => from.push((input, sources.into())),
    });
    Act::Add { row: u32::from(row), fresh, sets: members, to, from }
}

/// Tells what a record adds.
fn facts<const N: usize>(
    code: &SmallCode,
    fresh: bool,
    sets: u64,
    filled: u64,
    words: &[Row<N>],
    each: &mut dyn FnMut(Fact<'_>),
) {
    if fresh {
        each(Fact::New);
        let is_member = |input: &Input| matches!(input, Input::Set(set) if sets >> set & 1 == 1);
        let members = code.inputs.iter().enumerate().filter(|(_, input)| is_member(input));
        members.for_each(|(input, _)| each(Fact::Member(input)));
    }
    for (word, others) in bits(filled).zip(words) {
        let Some(input) = code.input_of[word / 2] else { continue };
        each(if word % 2 == 0 { Fact::From(input, others) } else { Fact::To(input, others) });
    }
}
