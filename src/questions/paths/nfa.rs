//! Finite automata over paths: words in which tests of events alternate with steps from event to event.
//!
//! A *test* is a formula about the event at hand, a *step* what is known of the pair of events that it leads over. The relation of an automaton
//! has a pair of events if some accepted word can be walked from one to the other.

use super::cube::{Clauses, Cube, Formula};
use rustc_hash::{FxHashMap, FxHashSet};

/// The class of a state, and the classes that its edges lead to.
type Sides<'l> = (u32, Vec<(&'l Label, u32)>);

/// What a transition asks.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Label {
    /// The event at hand is like this.
    Test(Formula),
    /// The pair is like this.
    Step(Cube),
}

/// An automaton.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Nfa {
    /// By state: what leads where.
    pub edges: Vec<Vec<(Label, u32)>>,
    /// Where words begin.
    pub start: Vec<u32>,
    /// By state: whether words may end there.
    pub accept: Vec<bool>,
}

impl Nfa {
    /// No word.
    pub fn nothing() -> Nfa {
        Nfa::default()
    }

    /// The empty word: the identity.
    pub fn epsilon() -> Nfa {
        Nfa { edges: vec![Vec::new()], start: vec![0], accept: vec![true] }
    }

    /// One transition.
    pub fn one(label: Label) -> Nfa {
        Nfa { edges: vec![vec![(label, 1)], Vec::new()], start: vec![0], accept: vec![false, true] }.tidy()
    }

    /// The identity on some events.
    pub fn test(formula: Formula) -> Nfa {
        if formula == Formula::no() { Nfa::nothing() } else { Nfa::one(Label::Test(formula)) }
    }

    /// One step.
    pub fn step(cube: Cube) -> Nfa {
        Nfa::one(Label::Step(cube))
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    fn add(&mut self, other: &Nfa) -> u32 {
        let offset = self.len() as u32;
        let moved = |edges: &Vec<(Label, u32)>| edges.iter().map(|(l, to)| (l.clone(), to + offset)).collect();
        self.edges.extend(other.edges.iter().map(moved));
        self.accept.extend(&other.accept);
        offset
    }

    /// Either.
    pub fn or(mut self, other: &Nfa) -> Nfa {
        let offset = self.add(other);
        self.start.extend(other.start.iter().map(|s| s + offset));
        self.tidy()
    }

    /// One after the other.
    pub fn then(mut self, other: &Nfa) -> Nfa {
        let ends: Vec<usize> = (0..self.len()).filter(|&i| self.accept[i]).collect();
        self.accept.fill(false);
        let offset = self.add(other);
        for end in ends {
            for s in &other.start {
                self.edges[end].push((Label::Test(Formula::yes()), s + offset));
            }
        }
        self.tidy()
    }

    /// Once or more often.
    pub fn plus(mut self) -> Nfa {
        for end in (0..self.len()).filter(|&i| self.accept[i]).collect::<Vec<_>>() {
            for s in self.start.clone() {
                self.edges[end].push((Label::Test(Formula::yes()), s));
            }
        }
        self.tidy()
    }

    /// Once or not.
    pub fn opt(self) -> Nfa {
        Nfa::epsilon().or(&self)
    }

    /// Any number of times.
    pub fn star(self) -> Nfa {
        self.plus().opt()
    }

    /// The words backwards, each step turned by `inverse`.
    pub fn reverse(&self, inverse: &dyn Fn(Cube) -> Cube) -> Nfa {
        let mut edges = vec![Vec::new(); self.len()];
        for (from, own) in self.edges.iter().enumerate() {
            for (label, to) in own {
                let label = match label {
                    Label::Step(cube) => Label::Step(inverse(*cube)),
                    test => test.clone(),
                };
                edges[*to as usize].push((label, from as u32));
            }
        }
        let start = (0..self.len() as u32).filter(|&s| self.accept[s as usize]).collect();
        let mut accept = vec![false; self.len()];
        self.start.iter().for_each(|&s| accept[s as usize] = true);
        Nfa { edges, start, accept }.tidy()
    }

    /// The words of both, step by step: tests are those of both, a step is like both say.
    pub fn intersect(&self, other: &Nfa, clauses: &Clauses) -> Nfa {
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut result = Nfa::default();
        let mut work = Vec::new();
        let mut number = |pair: (u32, u32), result: &mut Nfa, work: &mut Vec<(u32, u32)>| {
            *numbers.entry(pair).or_insert_with(|| {
                result.edges.push(Vec::new());
                result.accept.push(self.accept[pair.0 as usize] && other.accept[pair.1 as usize]);
                work.push(pair);
                result.edges.len() as u32 - 1
            })
        };
        for &a in &self.start {
            for &b in &other.start {
                let s = number((a, b), &mut result, &mut work);
                result.start.push(s);
            }
        }
        while let Some((a, b)) = work.pop() {
            let from = number((a, b), &mut result, &mut work) as usize;
            let mut own = Vec::new();
            for (label, to) in &self.edges[a as usize] {
                match label {
                    Label::Test(_) => own.push((label.clone(), (*to, b))),
                    Label::Step(x) => {
                        for (other_label, other_to) in &other.edges[b as usize] {
                            if let Label::Step(y) = other_label
                                && clauses.close(x.and(*y)).is_some()
                            {
                                own.push((Label::Step(x.and(*y)), (*to, *other_to)));
                            }
                        }
                    }
                }
            }
            for (label, to) in &other.edges[b as usize] {
                if let Label::Test(_) = label {
                    own.push((label.clone(), (a, *to)));
                }
            }
            for (label, pair) in own {
                let to = number(pair, &mut result, &mut work);
                result.edges[from].push((label, to));
            }
        }
        result.tidy()
    }

    /// The same words with fewer states: no tests that are always true, no state that leads nowhere, no two alike.
    pub fn tidy(self) -> Nfa {
        let mut nfa = self.without_free_moves();
        nfa.trim();
        loop {
            let before = nfa.len();
            nfa.merge_alike(true);
            nfa.merge_alike(false);
            if nfa.len() == before {
                return nfa;
            }
        }
    }

    fn without_free_moves(self) -> Nfa {
        let is_free = |label: &Label| matches!(label, Label::Test(Formula::And(parts)) if parts.is_empty());
        if !self.edges.iter().flatten().any(|(label, _)| is_free(label)) {
            return self;
        }
        let mut edges = Vec::with_capacity(self.len());
        let mut accept = Vec::with_capacity(self.len());
        for s in 0..self.len() {
            let mut seen = FxHashSet::from_iter([s as u32]);
            let mut work = vec![s as u32];
            let mut own = Vec::new();
            let mut ends = false;
            while let Some(at) = work.pop() {
                ends |= self.accept[at as usize];
                for (label, to) in &self.edges[at as usize] {
                    if !is_free(label) {
                        own.push((label.clone(), *to));
                    } else if seen.insert(*to) {
                        work.push(*to);
                    }
                }
            }
            edges.push(own);
            accept.push(ends);
        }
        Nfa { edges, start: self.start, accept }
    }

    fn trim(&mut self) {
        let forward = reach(&self.start, &|s| self.edges[s as usize].iter().map(|(_, to)| *to).collect());
        let mut back = vec![Vec::new(); self.len()];
        for (from, own) in self.edges.iter().enumerate() {
            own.iter().for_each(|(_, to)| back[*to as usize].push(from as u32));
        }
        let ends: Vec<u32> = (0..self.len() as u32).filter(|&s| self.accept[s as usize]).collect();
        let backward = reach(&ends, &|s| back[s as usize].clone());
        let class: Vec<Option<u32>> = {
            let mut next = 0;
            let mut name = |kept: bool| {
                kept.then(|| {
                    next += 1;
                    next - 1
                })
            };
            (0..self.len() as u32).map(|s| name(forward.contains(&s) && backward.contains(&s))).collect()
        };
        self.rename(&class);
    }

    /// Gives states the numbers of their classes; those without one go.
    fn rename(&mut self, class: &[Option<u32>]) {
        let count = class.iter().flatten().max().map_or(0, |m| *m as usize + 1);
        let mut edges = vec![Vec::new(); count];
        let mut accept = vec![false; count];
        for (s, class_of) in class.iter().enumerate() {
            let Some(c) = class_of else { continue };
            accept[*c as usize] |= self.accept[s];
            let own = std::mem::take(&mut self.edges[s]);
            edges[*c as usize].extend(own.into_iter().filter_map(|(l, to)| Some((l, class[to as usize]?))));
        }
        for own in &mut edges {
            own.sort_unstable();
            own.dedup();
        }
        let mut start: Vec<u32> = self.start.iter().filter_map(|&s| class[s as usize]).collect();
        start.sort_unstable();
        start.dedup();
        *self = Nfa { edges, start, accept };
    }

    /// Merges states from which the same words lead to an end, or to which the same words lead from the start, as far as refinement tells.
    fn merge_alike(&mut self, forwards: bool) {
        let n = self.len();
        let mut sides: Vec<Vec<(Label, u32)>> = vec![Vec::new(); n];
        for (from, own) in self.edges.iter().enumerate() {
            for (label, to) in own {
                match forwards {
                    true => sides[from].push((label.clone(), *to)),
                    false => sides[*to as usize].push((label.clone(), from as u32)),
                }
            }
        }
        let starts: FxHashSet<u32> = self.start.iter().copied().collect();
        let mut class: Vec<u32> =
            (0..n).map(|s| u32::from(if forwards { self.accept[s] } else { starts.contains(&(s as u32)) })).collect();
        let mut count = class.iter().collect::<FxHashSet<_>>().len();
        loop {
            let mut known: FxHashMap<Sides<'_>, u32> = FxHashMap::default();
            let mut next = Vec::with_capacity(n);
            for s in 0..n {
                let mut own: Vec<(&Label, u32)> = sides[s].iter().map(|(l, to)| (l, class[*to as usize])).collect();
                own.sort_unstable();
                own.dedup();
                let fresh = known.len() as u32;
                next.push(*known.entry((class[s], own)).or_insert(fresh));
            }
            let found = known.len();
            class = next;
            if found == count {
                break;
            }
            count = found;
        }
        if count < n {
            let class: Vec<Option<u32>> = class.into_iter().map(Some).collect();
            self.rename(&class);
        }
    }
}

fn reach(from: &[u32], next: &dyn Fn(u32) -> Vec<u32>) -> FxHashSet<u32> {
    let mut seen: FxHashSet<u32> = from.iter().copied().collect();
    let mut work = from.to_vec();
    while let Some(s) = work.pop() {
        for to in next(s) {
            if seen.insert(to) {
                work.push(to);
            }
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letter(atom: u8) -> Nfa {
        Nfa::step(Cube::literal(atom, true))
    }

    #[test]
    fn tidying_keeps_words_and_drops_states() {
        let twice = letter(0).then(&letter(1)).or(&letter(0).then(&letter(1)));
        assert_eq!(twice.len(), 3);
        assert!(letter(0).star().star().len() <= letter(0).star().len() + 1);
        assert!(letter(0).then(&Nfa::nothing()).is_empty());
    }

    #[test]
    fn an_intersection_has_the_words_of_both() {
        let clauses = Clauses::default();
        let both = letter(0).plus().intersect(&letter(1).then(&letter(1)), &clauses);
        assert_eq!(both.len(), 3);
        assert!(both.edges[both.start[0] as usize].iter().all(|(l, _)| *l == Label::Step(Cube { holds: 3, lacks: 0 })));
    }
}
