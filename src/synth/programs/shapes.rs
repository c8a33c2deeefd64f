//! Threads up to the names of addresses, each once, in ascending order.

use super::program::{Depends, Event, NO_ADDRESS, Program, Shape};
use super::vocabulary::{Dependency, Kind, Relaxation, Vocabulary};
use crate::synth::minimal::frame::{Frame, Layout};
use crate::synth::minimal::judge::Judge;

/// What threads are built from.
pub struct Shapes<'v> {
    vocabulary: &'v Vocabulary,
    judge: &'v Judge,
    relaxations: &'v [Relaxation],
    /// Threads are made without dependencies.
    bare: bool,
}

impl<'v> Shapes<'v> {
    /// Threads over a vocabulary, as far as the model sees the effect of every relaxation.
    pub fn new(vocabulary: &'v Vocabulary, judge: &'v Judge, relaxations: &'v [Relaxation], bare: bool) -> Shapes<'v> {
        Shapes { vocabulary, judge, relaxations, bare }
    }

    /// All threads of a length in which at most `lonely` addresses are not accessed enough (the other threads have to access these).
    pub fn of_length(&self, length: usize, lonely: usize) -> Vec<Shape> {
        let mut all = Vec::new();
        self.extend(length, lonely, &mut Vec::new(), &mut Vec::new(), &mut all);
        all.sort_unstable();
        all
    }

    /// `uses`: how often each address is accessed so far, by weight.
    fn extend(&self, length: usize, lonely: usize, events: &mut Vec<Event>, uses: &mut Vec<u32>, all: &mut Vec<Shape>) {
        let left = length - events.len();
        // Each event to come saves one address.
        if uses.iter().filter(|&&n| n == 1).count() > lonely + left {
            return;
        }
        if left == 0 {
            if open_bracket(self.vocabulary, events).is_some() {
                return;
            }
            match self.bare {
                true => all.push(Shape { events: events.clone(), depends: Vec::new() }),
                false => all.append(&mut self.depend(events)),
            }
            return;
        }
        for (number, token) in self.vocabulary.tokens.iter().enumerate().filter(|(_, token)| token.alone) {
            if token.kind == Kind::Fence {
                if self.may_stand(number as u8, events, left) {
                    events.push(Event { token: number as u8, paired: false, address: NO_ADDRESS });
                    self.extend(length, lonely, events, uses, all);
                    events.pop();
                }
                continue;
            }
            self.access(&[number as u8], length, lonely, events, uses, all);
        }
        if left > 1 {
            for pair in &self.vocabulary.pairs {
                let halves = [self.vocabulary.number(&pair.read), self.vocabulary.number(&pair.write)];
                self.access(&halves, length, lonely, events, uses, all);
            }
        }
    }

    /// Whether a fence may come next, with `left` events to come, itself included: a bracket in turn with its other half, another fence neither at an end nor beside another one.
    fn may_stand(&self, token: u8, events: &[Event], left: usize) -> bool {
        let open = open_bracket(self.vocabulary, events);
        if self.vocabulary.closes(token) {
            return open == Some(token);
        }
        if self.vocabulary.opens(token).is_some() {
            return open.is_none() && left > 1;
        }
        let beside = events.last().is_none_or(|last| self.vocabulary.separates(last.token));
        !beside && left > 1
    }

    /// Adds an access, or the two of a pair, at each address.
    fn access(
        &self,
        tokens: &[u8],
        length: usize,
        lonely: usize,
        events: &mut Vec<Event>,
        uses: &mut Vec<u32>,
        all: &mut Vec<Shape>,
    ) {
        let known = uses.len();
        for address in 0..=known {
            if address == known {
                uses.push(0);
            }
            let weight: u32 = tokens.iter().map(|&token| self.vocabulary.weight(token)).sum();
            uses[address] += weight;
            let paired = tokens.len() > 1;
            events.extend(tokens.iter().enumerate().map(|(i, &token)| Event {
                token,
                paired: paired && i == 0,
                address: address as u8,
            }));
            self.extend(length, lonely, events, uses, all);
            events.truncate(events.len() - tokens.len());
            uses[address] -= weight;
        }
        uses.truncate(known);
    }

    /// A thread with every choice of dependencies of which the model sees the effect.
    pub fn depend(&self, events: &[Event]) -> Vec<Shape> {
        let mut all = Vec::new();
        let choices = self.choices(events);
        let mut at = vec![0; choices.len()];
        loop {
            let mut depends: Vec<Depends> = choices.iter().zip(&at).filter_map(|(ways, &i)| ways[i]).collect();
            depends.sort_unstable();
            let shape = Shape { events: events.to_vec(), depends };
            if self.is_effective(&shape) {
                all.push(shape);
            }
            // The next choice, as a number is counted up.
            let Some(next) = (0..at.len()).find(|&i| at[i] + 1 < choices[i].len()) else { return all };
            at[next] += 1;
            at[..next].fill(0);
        }
    }

    /// The dependencies of which a thread has one or none: for each later access on each read addresses or data, and for each read a branch.
    pub fn choices(&self, events: &[Event]) -> Vec<Vec<Option<Depends>>> {
        let mut choices: Vec<Vec<Option<Depends>>> = Vec::new();
        let dependencies = &self.vocabulary.dependencies;
        for (from, source) in events.iter().enumerate() {
            if !self.vocabulary.token(source.token).kind.reads() || dependencies.is_empty() {
                continue;
            }
            let first = from + if source.paired { 2 } else { 1 };
            let depends = |to: usize, kind| Some(Depends { to: to as u8, from: from as u8, kind });
            if dependencies.contains(&Dependency::Ctrl) {
                let branches = (first..events.len()).map(|to| depends(to, Dependency::Ctrl));
                // The two halves of a pair are one instruction.
                let whole = branches.filter(|d| d.is_none_or(|d| !is_second_half(events, d.to as usize)));
                choices.push(std::iter::once(None).chain(whole).collect());
            }
            for (to, target) in events.iter().enumerate().skip(first) {
                let kind = self.vocabulary.token(target.token).kind;
                let mut ways = vec![None];
                if kind != Kind::Fence && !is_second_half(events, to) && dependencies.contains(&Dependency::Addr) {
                    ways.push(depends(to, Dependency::Addr));
                }
                if kind.writes() && dependencies.contains(&Dependency::Data) {
                    ways.push(depends(to, Dependency::Data));
                }
                if ways.len() > 1 {
                    choices.push(ways);
                }
            }
        }
        choices
    }

    /// Whether each relaxation that leaves the accesses of memory has an effect by itself. Where one has none, no test with this thread is minimal.
    fn is_effective(&self, shape: &Shape) -> bool {
        // A thread by itself is one group of each kind.
        let groups = vec![vec![0]; self.vocabulary.scopes.len()];
        let layout = Layout::new(&Program { threads: vec![shape.clone()], groups }, self.vocabulary);
        let whole = Frame::whole(&layout, self.vocabulary, self.judge);
        let applications = layout.applications(self.vocabulary, self.relaxations);
        let mut local = applications
            .iter()
            .filter(|a| a.relaxation != Relaxation::Remove || shape.events[a.event].address == NO_ADDRESS);
        local.all(|application| {
            let relaxed = Frame::relaxed(&layout, self.vocabulary, self.judge, application);
            let removed = (application.relaxation == Relaxation::Remove).then_some(application.event);
            !whole.is_same_to(&relaxed, self.judge, removed)
        })
    }
}

/// The token that closes the bracket that is open at the end of some events.
fn open_bracket(vocabulary: &Vocabulary, events: &[Event]) -> Option<u8> {
    events.iter().fold(None, |open, event| match vocabulary.opens(event.token) {
        Some(close) => Some(close),
        None if open == Some(event.token) => None,
        None => open,
    })
}

/// Whether an event is the write of a pair.
pub fn is_second_half(events: &[Event], at: usize) -> bool {
    at > 0 && events[at - 1].paired
}
