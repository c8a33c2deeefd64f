//! What is looked up for an event, by which words of inputs are filled and which sets it is in: the same for many events, so it is
//! worked out once. Which words of derived relations are filled is known only when these have been brought up to date, and many relations that paths lead along
//! have no edges in any execution of a program, or none yet; there mostly are few cases, each of which is worked out when it comes up.
//!
//! At first that is a list of terms. What is used again and again is turned into automata.

use super::Small;
use super::automaton::{Automaton, automata};
use super::code::{SmallCode, Term};
use crate::kernel::row::{self, Row};
use rustc_hash::FxHashMap;

/// When more are known, all are forgotten.
const MOST_KNOWN: usize = 1024;

/// The same for the cases of a relation.
const MOST_CASES: usize = 16;

/// So many are found again without being looked for: a power of two.
const RECENT: usize = 16;

/// Pairs that can be read off a delta: the events of a word that are in a set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Direct {
    pub word: u8,
    pub mask: u8,
    /// Whether they lead from the new event.
    pub leaves: bool,
    pub checks: u32,
}

/// Those of the same checks that lead the same way: words and sets.
struct Together {
    leaves: bool,
    checks: u32,
    ends: Vec<(u8, u8)>,
}

/// What may be looked up for a derived relation, or for the checks.
#[derive(Default)]
pub(super) struct Looks {
    terms: Vec<Term>,
    /// The words of derived relations that decide which of these are looked up, and the relations of which it counts whether they have had edges.
    deciding: u64,
    walked: u64,
    cases: Vec<Case>,
}

/// What is looked up when certain words are filled and certain relations have had edges ([`Small::met`]).
struct Case {
    /// Those of the words that decide, and those of the relations that count.
    filled: u64,
    met: u64,
    uses: u32,
    direct: Vec<Together>,
    automata: Vec<Automaton>,
    /// What is looked up by itself: all at first, later the paths on which the event is in the middle.
    terms: Vec<Term>,
}

/// What is known of some events.
pub(super) struct Prepared {
    /// All sets that they are in.
    pub sets: u64,
    /// By derived relation, the checks last.
    pub looks: Vec<Looks>,
}

/// See the module.
#[derive(Default)]
pub(super) struct Known {
    numbers: FxHashMap<Key, usize>,
    pub all: Vec<Prepared>,
    /// What was found last of some keys, by a hash of them: mostly it is one of a few.
    recent: [Option<(Key, usize)>; RECENT],
}

/// The words of an event that are filled, and its input sets.
type Key = (u64, u64);

impl Known {
    /// The number of what is known of events with these inputs; `all_sets` says which sets they are in.
    #[inline]
    pub fn find(&mut self, code: &SmallCode, filled: u64, sets: u64, all_sets: impl FnOnce() -> u64) -> usize {
        let key = (filled, sets);
        let hash = (filled ^ sets.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let place = (hash >> (64 - RECENT.ilog2())) as usize;
        match self.recent[place] {
            Some((known, number)) if known == key => number,
            _ => {
                let number = self.look_for(code, key, all_sets);
                self.recent[place] = Some((key, number));
                number
            }
        }
    }

    fn look_for(&mut self, code: &SmallCode, key: Key, all_sets: impl FnOnce() -> u64) -> usize {
        if let Some(&number) = self.numbers.get(&key) {
            return number;
        }
        if self.all.len() >= MOST_KNOWN {
            *self = Known::default();
        }
        self.numbers.insert(key, self.all.len());
        self.all.push(Prepared::new(code, key.0, all_sets()));
        self.all.len() - 1
    }
}

impl Prepared {
    fn new(code: &SmallCode, filled: u64, sets: u64) -> Prepared {
        let mut looks = Vec::new();
        looks.resize_with(code.stages.len() + 1, Looks::default);
        for term in &code.terms {
            if term.words & code.given & !filled | term.sets & !sets == 0 {
                let looks = &mut looks[term.stage as usize];
                looks.terms.push(*term);
                looks.deciding |= term.words & !code.given;
                looks.walked |= term.walked;
            }
        }
        Prepared { sets, looks }
    }
}

impl Looks {
    /// What is looked up when these words are filled and these relations have had edges.
    #[inline]
    fn case(&mut self, code: &SmallCode, filled: u64, met: u64) -> &Case {
        let (filled, met) = (filled & self.deciding, met & self.walked);
        let known = self.cases.iter().position(|case| (case.filled, case.met) == (filled, met));
        let number = known.unwrap_or_else(|| self.add_case(filled, met));
        let case = &mut self.cases[number];
        if case.uses <= code.often {
            if case.uses == code.often {
                case.join_terms(code);
            }
            case.uses += 1;
        }
        case
    }

    #[cold]
    fn add_case(&mut self, filled: u64, met: u64) -> usize {
        if self.cases.len() >= MOST_CASES {
            self.cases.clear();
        }
        let is_met = |term: &&Term| term.words & self.deciding & !filled | term.walked & !met == 0;
        let terms = self.terms.iter().filter(is_met).copied().collect();
        self.cases.push(Case { filled, met, uses: 0, direct: Vec::new(), automata: Vec::new(), terms });
        self.cases.len() - 1
    }
}

impl Case {
    /// Turns terms into automata.
    #[cold]
    fn join_terms(&mut self, code: &SmallCode) {
        let length = |term: &Term| code.paths[term.path as usize].hops.len();
        let (ends, rest): (Vec<Term>, _) =
            self.terms.iter().partition(|term| length(term) > 0 && [0, length(term)].contains(&(term.at as usize)));
        self.terms = rest;
        let (first, last): (Vec<Term>, Vec<Term>) = ends.into_iter().partition(|term| term.at == 0);
        for (terms, leaves) in [(first, true), (last, false)] {
            let (direct, automata) = automata(code, &terms, leaves);
            for Direct { word, mask, leaves, checks } in direct {
                let goes_along = |known: &&mut Together| (known.leaves, known.checks) == (leaves, checks);
                match self.direct.iter_mut().find(goes_along) {
                    Some(known) => known.ends.push((word, mask)),
                    None => self.direct.push(Together { leaves, checks, ends: vec![(word, mask)] }),
                }
            }
            self.automata.extend(automata);
        }
    }
}

impl<const N: usize> Small<N> {
    /// The number of what is known of the new event, by its input sets and edges.
    #[inline]
    pub(super) fn prepare(&mut self, code: &SmallCode) -> usize {
        let filled = self.delta.filled & code.given;
        if code.sets_follow {
            let own = self.delta.sets | 1;
            return self.known.find(code, filled, own, || {
                code.rules.iter().fold(own, |sets, rule| sets | u64::from(rule.1.holds(sets, |_, _| false)) << rule.0)
            });
        }
        let sets = self.all_sets(code);
        self.known.find(code, filled, sets, || sets)
    }

    /// Which sets the new event is in.
    pub(super) fn all_sets(&self, code: &SmallCode) -> u64 {
        code.rules.iter().fold(self.delta.sets | 1, |sets, (set, rule)| {
            let there = |word: u8| row::and(&self.delta.word(word as usize), &self.sets[0]);
            let has = |word: u8, with: u8| row::meets(&there(word), &self.sets[with as usize]);
            sets | u64::from(rule.holds(sets, has)) << set
        })
    }

    /// Looks up what the new event is on. Which checks that concerns.
    #[inline]
    pub(super) fn look(&mut self, code: &SmallCode, looks: &mut Looks) -> u32 {
        if looks.terms.is_empty() { 0 } else { self.look_at(code, looks) }
    }

    fn look_at(&mut self, code: &SmallCode, looks: &mut Looks) -> u32 {
        let (case, mut touched) = (looks.case(code, self.delta.filled, self.met), 0);
        for Together { leaves, checks, ends } in &case.direct {
            let mut found = row::none();
            for &(word, mask) in ends {
                row::join(&mut found, &row::and(&self.delta.words[word as usize], &self.sets[mask as usize]));
            }
            touched |= self.note_found(*checks, *leaves, &found);
        }
        for automaton in &case.automata {
            touched |= self.run(code, automaton);
        }
        for term in &case.terms {
            touched |= self.look_up(code, term);
        }
        touched
    }

    /// Notes events that the new one is related to, or that are related to it. Which checks that concerns.
    #[inline]
    pub(super) fn note_found(&mut self, checks: u32, leaves: bool, events: &Row<N>) -> u32 {
        if row::is_none(events) {
            return 0;
        }
        for check in row::bits(u64::from(checks)) {
            let found = &mut self.found[check];
            row::join(if leaves { &mut found.after } else { &mut found.before }, events);
        }
        checks
    }
}
