//! Paths that begin at a new event, or end at it, as one automaton.
//!
//! Many paths of a model begin alike or end alike. A set of words has a smallest deterministic automaton without cycles, in which each common beginning and
//! each common end is there once; here the letters are steps along a relation into a set, and a state holds the events that were reached. So a step that several paths
//! share is made once, for all events from which it is made.

use super::Small;
use super::code::{Hop, MOST_STATES, PathCode, SmallCode, Term, Way};
use super::prepared::Direct;
use crate::kernel::row::{self, Row};

/// A step, and the set that it leads into.
type Letter = (Hop, u8);

/// Where a path begins: in a word of the delta and a set.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Start {
    word: u8,
    mask: u8,
    to: u8,
}

/// A step from all events of some states, by bit: how it is made, and the set that it leads into.
struct Move {
    from: u32,
    way: Way,
    mask: u8,
    to: u8,
}

/// Where a path ends: the checks that it is of, by bit, and a path whose conditions on the ends it has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct End {
    filter: Option<u16>,
    checks: u32,
}

/// See the module.
pub(super) struct Automaton {
    /// Whether the paths begin at the event.
    leaves: bool,
    starts: Vec<Start>,
    /// A state is reached before it is left.
    moves: Vec<Move>,
    ends: Vec<(u8, End)>,
}

/// A path that the event is at one end of, as it is walked from there.
struct Walk {
    word: u8,
    mask: u8,
    rest: Vec<Letter>,
    end: End,
}

impl Walk {
    fn new(code: &SmallCode, term: &Term, leaves: bool) -> Walk {
        let path = &code.paths[term.path as usize];
        let mut letters: Vec<Letter> = match leaves {
            true => path.hops.iter().copied().zip(path.masks[1..].iter().copied()).collect(),
            false => path.hops.iter().map(|hop| hop.back()).zip(path.masks.iter().copied()).rev().collect(),
        };
        let (first, mask) = letters.remove(0);
        let has_same_filter = |other: &PathCode| {
            (&other.and, &other.not, other.distinct, other.same) == (&path.and, &path.not, path.distinct, path.same)
        };
        let filter = code.paths.iter().position(has_same_filter).filter(|_| path.is_filtered());
        let end = End { filter: filter.map(|number| number as u16), checks: term.checks };
        let word = first.leaving() as u8;
        Walk { word, mask, rest: letters, end }
    }
}

/// What the paths of a state can be from there on: that they end, and steps with the states that they lead to.
type Future = (Vec<End>, Vec<(Letter, u8)>);

/// The states so far; each leads to earlier ones.
#[derive(Default)]
struct Builder(Vec<Future>);

impl Builder {
    /// The state from which these paths go on.
    fn state(&mut self, walks: &[(&[Letter], End)]) -> u8 {
        let mut ends: Vec<End> = Vec::new();
        let mut letters: Vec<Letter> = Vec::new();
        for (rest, end) in walks {
            match (rest.first(), ends.iter_mut().find(|known| known.filter == end.filter)) {
                (Some(letter), _) => letters.push(*letter),
                (None, Some(known)) => known.checks |= end.checks,
                (None, None) => ends.push(*end),
            }
        }
        ends.sort_unstable();
        letters.sort_unstable_by_key(|(hop, mask)| (hop.relation, hop.inverse, *mask));
        letters.dedup();
        let step = |letter: Letter| {
            let after: Vec<_> = walks
                .iter()
                .filter(|(rest, _)| rest.first() == Some(&letter))
                .map(|(rest, end)| (&rest[1..], *end))
                .collect();
            (letter, self.state(&after))
        };
        let future = (ends, letters.into_iter().map(step).collect());
        let known = self.0.iter().position(|other| *other == future);
        known.unwrap_or_else(|| {
            self.0.push(future);
            self.0.len() - 1
        }) as u8
    }
}

/// Makes automata of the paths that an event is at one end of, which these terms say. What can be read off the delta is told apart.
pub(super) fn automata(code: &SmallCode, terms: &[Term], leaves: bool) -> (Vec<Direct>, Vec<Automaton>) {
    let (mut direct, mut walks) = (Vec::<Direct>::new(), Vec::new());
    for walk in terms.iter().map(|term| Walk::new(code, term, leaves)) {
        if walk.rest.is_empty() && walk.end.filter.is_none() {
            let Walk { word, mask, end: End { checks, .. }, .. } = walk;
            let found = Direct { word, mask, leaves, checks };
            if !direct.contains(&found) {
                direct.push(found);
            }
        } else {
            walks.push(walk);
        }
    }
    // What leads into a set leads to some event.
    let all: Vec<Direct> = direct.iter().copied().filter(|known| known.mask == 0).collect();
    direct.retain(|one| one.mask == 0 || !all.iter().any(|known| Direct { mask: one.mask, ..*known } == *one));
    let mut automata = Vec::new();
    build(code, &walks, leaves, &mut automata);
    (direct, automata)
}

fn build(code: &SmallCode, walks: &[Walk], leaves: bool, automata: &mut Vec<Automaton>) {
    if walks.is_empty() {
        return;
    }
    let mut builder = Builder::default();
    let mut starts: Vec<Start> = Vec::new();
    for Walk { word, mask, .. } in walks {
        if starts.iter().any(|known| (known.word, known.mask) == (*word, *mask)) {
            continue;
        }
        let begins = |walk: &&Walk| (walk.word, walk.mask) == (*word, *mask);
        let rests: Vec<_> = walks.iter().filter(begins).map(|walk| (&walk.rest[..], walk.end)).collect();
        starts.push(Start { word: *word, mask: *mask, to: builder.state(&rests) });
    }
    if builder.0.len() > MOST_STATES {
        let (some, others) = walks.split_at(walks.len() / 2);
        if !some.is_empty() {
            build(code, some, leaves, automata);
            return build(code, others, leaves, automata);
        }
    }
    let (mut moves, mut ends) = (Vec::<Move>::new(), Vec::new());
    for (state, (of, letters)) in builder.0.iter().enumerate() {
        ends.extend(of.iter().map(|end| (state as u8, *end)));
        for &((hop, mask), to) in letters {
            let way = code.way(hop);
            match moves.iter_mut().find(|known| (known.way, known.mask, known.to) == (way, mask, to)) {
                Some(known) => known.from |= 1 << state,
                None => moves.push(Move { from: 1 << state, way, mask, to }),
            }
        }
    }
    moves.sort_by_key(|step| std::cmp::Reverse(step.to));
    automata.push(Automaton { leaves, starts, moves, ends });
}

impl<const N: usize> Small<N> {
    /// Finds where the paths of an automaton lead. Which checks that concerns.
    pub(super) fn run(&mut self, code: &SmallCode, automaton: &Automaton) -> u32 {
        // The states that hold an event, by bit; what others hold is from another run.
        let mut reached = 0;
        for start in &automaton.starts {
            let begin = row::and(&self.delta.words[start.word as usize], &self.sets[start.mask as usize]);
            self.reach(&mut reached, start.to, &begin);
        }
        if reached == 0 {
            return 0;
        }
        for &Move { from, way, mask, to } in &automaton.moves {
            let from = from & reached;
            if from != 0 {
                let events =
                    row::bits(u64::from(from)).fold(row::none(), |all, state| row::or(&all, &self.states[state]));
                let next = self.step_by(code, way, &events, &self.sets[mask as usize]);
                self.reach(&mut reached, to, &next);
            }
        }
        let mut touched = 0;
        for &(state, End { filter, checks }) in &automaton.ends {
            if reached >> state & 1 == 0 {
                continue;
            }
            let mut found = self.states[state as usize];
            if let Some(path) = filter {
                found = self.filtered(&code.paths[path as usize], automaton.leaves, found);
            }
            touched |= self.note_found(checks, automaton.leaves, &found);
        }
        touched
    }

    /// Adds events to those of a state.
    #[inline]
    fn reach(&mut self, reached: &mut u32, state: u8, events: &Row<N>) {
        if !row::is_none(events) {
            let there = &mut self.states[state as usize];
            *there = if *reached >> state & 1 == 1 { row::or(there, events) } else { *events };
            *reached |= 1 << state;
        }
    }
}
