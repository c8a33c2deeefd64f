//! What is run for a delta: the paths of derived relations and of checks, and which of them an event can be on.

use crate::algebra::Predicate;
use std::ops::Range;

/// Relations, at most: a delta has two words for each, and a word says which of them have a bit.
pub(super) const MOST_RELATIONS: usize = 32;
/// Sets, at most.
pub(super) const MOST_SETS: usize = 64;
/// Conditions of pruning checks, at most.
pub(super) const MOST_CHECKS: usize = 32;

/// Where an input goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::kernel) enum Input {
    Unused,
    Set(u8),
    Relation(u8),
}

/// How a derived set follows from the sets that an event is in, and from its edges when it is added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rule {
    Any(u64),
    All(u64),
    Minus(u8, u8),
    /// Members of a set that have, in a word of their delta, a member of another one.
    Joined {
        of: u8,
        word: u8,
        with: u8,
    },
}

impl Rule {
    /// Whether an event is a member that is in these sets so far. `joined`: whether a word of its delta has a member of a set.
    #[inline]
    pub fn holds(self, sets: u64, joined: impl FnOnce(u8, u8) -> bool) -> bool {
        match self {
            Rule::Any(of) => sets & of != 0,
            Rule::All(of) => sets & of == of,
            Rule::Minus(from, not) => sets >> from & 1 == 1 && sets >> not & 1 == 0,
            Rule::Joined { of, word, with } => sets >> of & 1 == 1 && joined(word, with),
        }
    }
}

/// One step of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hop {
    pub relation: u8,
    pub inverse: bool,
}

impl Hop {
    /// The word of a delta that says where an event's edges along the step lead.
    pub fn leaving(self) -> usize {
        2 * self.relation as usize + usize::from(!self.inverse)
    }

    /// The word that says where those that end at it come from.
    pub fn entering(self) -> usize {
        2 * self.relation as usize + usize::from(self.inverse)
    }

    /// The bit of the even one of the two words of its relation.
    fn relation_bit(self) -> u64 {
        1 << (2 * self.relation)
    }

    /// The same step the other way round.
    pub fn back(self) -> Hop {
        Hop { inverse: !self.inverse, ..self }
    }
}

/// How a step is made from some events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// By this one of their rows.
    Row(usize),
    /// The same, along a closure.
    Closure(usize),
    /// By this row of the events at the other ends.
    Back(Option<usize>),
}

/// A path, of a derived relation, or of one check or several.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct PathCode {
    /// The checks, by bit.
    pub checks: u32,
    pub hops: Vec<Hop>,
    /// The set that each event is in.
    pub masks: Vec<u8>,
    pub and: Vec<Hop>,
    pub not: Vec<Hop>,
    pub distinct: bool,
    pub same: bool,
    /// The relations that it leads along or that its ends must be related by, by bit.
    pub along: u32,
}

impl PathCode {
    /// Whether it is the same path, of whatever check.
    pub fn is_same(&self, other: &PathCode) -> bool {
        let checks = self.checks;
        *self == PathCode { checks, ..other.clone() }
    }

    pub fn is_filtered(&self) -> bool {
        self.distinct || self.same || !self.and.is_empty() || !self.not.is_empty()
    }
}

/// Where the pairs that an event is on can be read off its delta.
#[derive(Clone, Copy, Debug)]
pub(super) enum Plain {
    /// It is their source: the word, and the set at the other end.
    Source(u8, u8),
    /// It is their target.
    Target(u8, u8),
    /// They have to be looked for.
    No,
}

/// What an event that is at some place of a path has to have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    /// Words of its delta that are not empty.
    pub words: u64,
    /// Sets that it is in.
    pub sets: u64,
    /// Relations along which steps are made from other events on the path, by the bit of their even words.
    pub walked: u64,
    pub path: u16,
    pub at: u8,
    /// Which derived relation the path is of, or their number for checks.
    pub stage: u8,
    /// Where what is found is noted: the checks of the path, by bit, or the first place for a derived relation.
    pub checks: u32,
    pub plain: Plain,
}

/// A derived relation: its number among the relations is its own among the derived ones.
#[derive(Clone, Debug)]
pub(super) struct StageCode {
    pub closed: bool,
    pub paths: Range<usize>,
    /// The relations of its paths, by bit.
    pub along: u32,
}

#[derive(Clone, Debug)]
pub(super) struct CheckCode {
    /// Index in the model.
    pub index: usize,
    pub predicate: Predicate,
    /// For a cycle check, which of an event's rows holds its successors; the next one holds its predecessors when it was added. Of the rows that belong
    /// to no event, the first holds the events that were given a successor when they were no longer new, the second those that have a
    /// row of predecessors.
    pub row: usize,
}

/// A check that is looked at on complete executions.
#[derive(Clone, Debug)]
pub(in crate::kernel) struct LastCode {
    /// Index in the model.
    pub index: usize,
    /// Whether it speaks up when all of its tests hold, or when one does not.
    pub fires_when: bool,
    pub(super) tests: Vec<(Predicate, Vec<PathCode>)>,
}

/// What is asked of complete executions.
#[derive(Clone, Debug)]
pub(in crate::kernel) struct AtEnd {
    /// Required checks.
    pub last: Vec<LastCode>,
    pub flags: Vec<LastCode>,
}

impl AtEnd {
    fn paths(&self) -> impl Iterator<Item = &PathCode> {
        self.last.iter().chain(&self.flags).flat_map(|check| &check.tests).flat_map(|test| &test.1)
    }
}

/// The checks of a plan as unions of paths.
#[derive(Clone, Debug)]
pub(in crate::kernel) struct SmallCode {
    pub(super) inputs: Vec<Input>,
    /// By number of the derived set.
    pub(super) rules: Vec<(u8, Rule)>,
    /// Whether they follow from the sets alone.
    pub(super) sets_follow: bool,
    /// Words that change the sets of another event when they are filled, and those that change its own if it is not new.
    pub(super) late: [u64; 2],
    /// Sets that an event may come to be in, or not be in any more, by edges of another one.
    pub(super) changing: u64,
    /// Sets that decide whether an event is in another set because of its edges.
    pub(super) deciding: u64,
    /// Sets that events on the paths of derived relations and pruning checks are in.
    pub(super) on_paths: u64,
    /// Words of inputs.
    pub(super) given: u64,
    /// The input that each relation is.
    pub(super) input_of: Vec<Option<usize>>,
    /// For each relation, which of an event's rows holds its targets, where these are kept. The first relations are derived ones.
    pub(super) forward: Vec<Option<usize>>,
    /// The same for its sources. For a derived relation that is the row of its number.
    pub(super) backward: Vec<Option<usize>>,
    /// Number of rows an event.
    pub(super) stride: usize,
    /// Which of an event's rows holds the events that were there before it, if there are cycle checks.
    pub(super) elders: Option<usize>,
    /// For each word of a delta, which rows of the events that it mentions hold the same edges: none for relations that no pruning check
    /// needs.
    pub(super) theirs: Vec<Option<usize>>,
    /// The rows of older events in which new ones are entered, without an entry in the log.
    pub(super) columns: Vec<usize>,
    /// The words that are entered in some row, the event's own or those of others.
    pub(super) entered: u64,
    /// Those relations that checks of complete executions need nevertheless, by bit. Their rows are filled for these checks only.
    pub(super) finishing: u32,
    /// In the order in which they are brought up to date.
    pub(super) stages: Vec<StageCode>,
    pub(super) checks: Vec<CheckCode>,
    /// Those of the derived relations, then those of the checks.
    pub(super) paths: Vec<PathCode>,
    /// By stage.
    pub(super) terms: Vec<Term>,
    /// After how many uses terms become automata.
    pub(super) often: u32,
    /// Nothing: the code for any execution is shown an execution that is complete.
    pub(in crate::kernel) at_end: Option<AtEnd>,
}

impl SmallCode {
    /// How many relations follow from others.
    pub(in crate::kernel) fn derived_relations(&self) -> usize {
        self.stages.len()
    }

    /// Terms become automata before they are first looked up.
    pub(in crate::kernel) fn join_at_once(&mut self) {
        self.often = 0;
    }

    /// Where an event's row is among all rows.
    #[inline]
    pub(super) fn at(&self, event: usize, row: usize) -> usize {
        (event + 1) * self.stride + row
    }

    /// Where all of its rows are.
    #[inline]
    pub(super) fn rows_of(&self, event: usize) -> Range<usize> {
        self.at(event, 0)..self.at(event + 1, 0)
    }

    /// How many rows there are for so many events, with those that belong to none.
    #[inline]
    pub(super) fn rows_up_to(&self, events: usize) -> usize {
        self.at(events, 0)
    }

    /// Which of an event's rows holds its sources in a relation that only checks of complete executions need.
    #[inline]
    pub(super) fn finished_in(&self, relation: usize) -> Option<usize> {
        self.backward[relation].filter(|_| self.finishing >> relation & 1 == 1)
    }

    /// How a step is made.
    #[inline]
    pub(super) fn way(&self, hop: Hop) -> Way {
        let relation = hop.relation as usize;
        let (own, others) = if hop.inverse { (&self.backward, &self.forward) } else { (&self.forward, &self.backward) };
        match own[relation] {
            None => Way::Back(others[relation]),
            Some(slot) if self.stages.get(relation).is_some_and(|stage| stage.closed) => Way::Closure(slot),
            Some(slot) => Way::Row(slot),
        }
    }

    /// The paths of checks.
    pub(super) fn check_paths(&self) -> Range<usize> {
        self.stages.last().map_or(0, |stage| stage.paths.end)..self.paths.len()
    }

    /// An input set, by bit.
    #[inline]
    pub(in crate::kernel) fn set_of(&self, input: usize) -> u64 {
        match self.inputs[input] {
            Input::Set(set) => 1 << set,
            _ => 0,
        }
    }

    /// Decides which relations are kept up to date in the rows of older events.
    fn find_theirs(&mut self) {
        // Derived relations are brought up to date by their own rows.
        let derived = (1 << self.stages.len()) - 1;
        let needed = self.paths.iter().fold(derived, |all, path| all | path.mentions());
        let finishing = self.at_end.iter().flat_map(AtEnd::paths);
        self.finishing = finishing.fold(0, |all, path| all | path.mentions()) & !needed;
        let rows = |word: usize| if word.is_multiple_of(2) { &self.forward } else { &self.backward }[word / 2];
        self.theirs =
            (0..2 * self.forward.len()).map(|word| rows(word).filter(|_| needed >> (word / 2) & 1 == 1)).collect();
        self.columns = self.theirs.iter().copied().flatten().collect();
        self.columns.sort_unstable();
        self.columns.dedup();
        let is_entered = |word: &usize| self.theirs[*word].is_some() || self.theirs[word ^ 1].is_some();
        self.entered = (0..self.theirs.len()).filter(is_entered).fold(0, |all, word| all | 1 << word);
    }

    /// The relations along which steps are made from events that are there, by bit: to their sources, to their targets. What a new event is
    /// related to is read off the delta.
    fn walked(&self) -> [u32; 2] {
        let mut walked = [0, 0];
        let mut walk = |hop: Hop| walked[usize::from(!hop.inverse)] |= 1 << hop.relation;
        for path in &self.paths {
            for (at, &hop) in path.hops.iter().enumerate() {
                if at > 0 || !path.and.is_empty() {
                    walk(hop);
                }
                if at + 1 < path.hops.len() {
                    walk(hop.back());
                }
            }
            path.and.iter().chain(&path.not).for_each(|&hop| walk(hop));
            // An event that comes to be in a set may be anywhere on the path.
            let changes = |mask: Option<&u8>| mask.is_some_and(|mask| self.changing >> mask & 1 == 1);
            path.hops.first().filter(|_| changes(path.masks.first())).into_iter().for_each(|hop| walk(*hop));
            path.hops.last().filter(|_| changes(path.masks.last())).into_iter().for_each(|hop| walk(hop.back()));
        }
        // On complete executions paths are followed from all events.
        for path in self.at_end.iter().flat_map(AtEnd::paths) {
            path.hops.iter().chain(&path.and).chain(&path.not).for_each(|&hop| walk(hop));
        }
        walked
    }

    /// Decides which sets can change, which rows an event has, and makes the terms.
    pub(super) fn lay_out(&mut self) {
        for &(set, rule) in &self.rules {
            let changes = match rule {
                Rule::Any(of) | Rule::All(of) => self.changing & of != 0,
                Rule::Minus(from, not) => self.changing & (1 << from | 1 << not) != 0,
                Rule::Joined { of, with, .. } => {
                    self.deciding |= 1 << of | 1 << with;
                    true
                }
            };
            self.changing |= u64::from(changes) << set;
        }
        self.on_paths = self.paths.iter().flat_map(|path| &path.masks).fold(0, |all, mask| all | 1 << mask);
        let mut leaving = 0;
        for (relation, stage) in self.stages.iter().enumerate() {
            let paths = &self.paths[stage.paths.clone()];
            leaving |= u32::from(paths.iter().any(|path| path.leaves_often(leaving))) << relation;
            if stage.closed && leaving >> relation & 1 == 1 {
                self.forward[relation] = Some(0);
            }
        }
        for path in &self.paths {
            for at in 0..=path.hops.len() {
                let walked = path.walked_often(at, leaving).filter(|&relation| relation >= self.stages.len());
                walked.for_each(|relation| self.forward[relation] = Some(0));
            }
        }
        let [sources, targets] = self.walked();
        for (relation, row) in self.backward.iter_mut().enumerate() {
            let (back, forth) = (sources >> relation & 1 == 1, targets >> relation & 1 == 1);
            if relation < self.stages.len() || back || forth && self.forward[relation].is_none() {
                *row = Some(0);
            }
        }
        for row in self.backward.iter_mut().chain(&mut self.forward).flatten() {
            *row = self.stride;
            self.stride += 1;
        }
        for check in &mut self.checks {
            if check.predicate == Predicate::Acyclic {
                check.row = self.stride;
                self.stride += 2;
            }
        }
        if self.checks.iter().any(|check| check.predicate == Predicate::Acyclic) {
            self.elders = Some(self.stride);
            self.stride += 1;
        }
        self.find_theirs();
        for (number, path) in self.paths.iter().enumerate() {
            let stage = self.stages.iter().take_while(|stage| stage.paths.end <= number).count();
            self.terms.extend((0..=path.hops.len()).map(|at| path.term(number, stage, at)));
        }
    }
}

impl PathCode {
    /// The relations that it mentions, by bit.
    fn mentions(&self) -> u32 {
        self.not.iter().fold(self.along, |all, hop| all | 1 << hop.relation)
    }

    /// Whether new events are often at the beginning of the path. `leaving`: the derived relations of which new events are often sources.
    fn leaves_often(&self, leaving: u32) -> bool {
        self.hops.first().is_none_or(|hop| hop.inverse || leaving >> hop.relation & 1 == 1)
    }

    /// The relations of which the targets of older events are looked up for a new event at a place of the path, often: when the
    /// edges by which it gets there are edges that end at it. New events have few others.
    fn walked_often(&self, at: usize, leaving: u32) -> impl Iterator<Item = usize> {
        let (before, after) = self.hops.split_at(at);
        let often = |hop: &Hop, target: bool| hop.inverse != target || leaving >> hop.relation & 1 == 1;
        let is_met =
            before.last().is_none_or(|hop| often(hop, true)) && after.first().is_none_or(|hop| often(hop, false));
        let before = before.iter().rev().skip(1).filter(|hop| hop.inverse);
        let after = after.iter().skip(1).filter(|hop| !hop.inverse);
        before.chain(after).filter(move |_| is_met).map(|hop| hop.relation as usize)
    }

    fn term(&self, path: usize, stage: usize, at: usize) -> Term {
        let (before, after) = self.hops.split_at(at);
        let mut words = 0;
        before.last().iter().for_each(|hop| words |= 1 << hop.entering());
        after.first().iter().for_each(|hop| words |= 1 << hop.leaving());
        for hop in &self.and {
            match (before.is_empty(), after.is_empty()) {
                (true, false) => words |= 1 << hop.leaving(),
                (false, true) => words |= 1 << hop.entering(),
                _ => {}
            }
        }
        let walked =
            before.iter().rev().skip(1).chain(after.iter().skip(1)).fold(0, |all, hop| all | hop.relation_bit());
        let plain = match (at, &self.hops[..]) {
            _ if self.is_filtered() => Plain::No,
            (0, [hop]) => Plain::Source(hop.leaving() as u8, self.masks[1]),
            (1, [hop]) => Plain::Target(hop.entering() as u8, self.masks[0]),
            _ => Plain::No,
        };
        let (path, at, stage) = (path as u16, at as u8, stage as u8);
        Term { words, sets: 1 << self.masks[at as usize], walked, path, at, stage, checks: self.checks.max(1), plain }
    }
}

/// Where there would be more states, there are several automata.
pub(super) const MOST_STATES: usize = 24;
