//! Checks proofs again, by other code than the search that found them.
//!
//! A proof is an invariant: a set of configurations, each a state of the left automaton with what is known of the first event and the event at
//! hand, and states of the right side. It is right if
//!
//! - every beginning of a path is covered by a configuration,
//! - every step from a configuration leads to one that is covered, whatever the events and the pair are,
//! - where a path may end, the right side explains it.
//!
//! A configuration is covered by another one of the same left state that knows no more and whose right states it has. Where only cases of it are
//! covered, it is taken apart by the atoms that the invariant tells apart.
//!
//! The checker walks the right automata as they are written, a state at a time, without numbers or tables. Trusted besides: the automata
//! (`paths::translate`, which random executions are held against), and the facts of the alphabet.

use super::paths::cube::{Atom, Cube, Formula};
use super::paths::inclusion::{Config, Part, Right, Ways};
use super::paths::nfa::Label;
use super::prove::Proof;
use std::collections::{BTreeMap, BTreeSet};

/// Deeper case distinctions are not made.
const DEEPEST: usize = 24;

/// What is wrong with a proof, if anything is.
pub fn check(proof: &Proof) -> Result<(), String> {
    let mut by_left: BTreeMap<(u32, bool), Vec<&Config>> = BTreeMap::new();
    for config in &proof.invariant {
        by_left.entry((config.left, config.fresh)).or_default().push(config);
    }
    let checker = Checker { proof, by_left };
    let begin: BTreeSet<Right> = checker.beginnings();
    for &left in &proof.left.start {
        let at = At { left, fresh: true, first: Cube::ANY, now: Cube::ANY, right: begin.clone() };
        checker.covered(&at, 0).map_err(|e| format!("a beginning is not covered: {e}"))?;
    }
    for config in &proof.invariant {
        let at = At {
            left: config.left,
            fresh: config.fresh,
            first: config.first,
            now: config.now,
            right: config.right.iter().copied().collect(),
        };
        checker.leaves(&at)?;
    }
    Ok(())
}

/// A configuration that has to be covered.
#[derive(Clone)]
struct At {
    left: u32,
    fresh: bool,
    first: Cube,
    now: Cube,
    right: BTreeSet<Right>,
}

/// A name of which it is not known whether it holds.
#[derive(Clone, Copy)]
enum Undecided {
    Pair(Atom),
    Event(Atom),
}

struct Checker<'p> {
    proof: &'p Proof,
    by_left: BTreeMap<(u32, bool), Vec<&'p Config>>,
}

impl Checker<'_> {
    /// The part that a state of the right side is in, and its number there.
    fn place(&self, state: u32) -> (&Part, usize, u32) {
        let mut offset = 0;
        for part in &self.proof.right {
            let next = offset + part.paths.len() as u32;
            if state < next {
                return (part, (state - offset) as usize, offset);
            }
            offset = next;
        }
        unreachable!("a state beyond the last part")
    }

    fn beginnings(&self) -> BTreeSet<Right> {
        let mut all = BTreeSet::new();
        let mut offset = 0;
        for part in &self.proof.right {
            for state in 0..part.paths.len() as u32 {
                if self.proof.ways == Ways::Turned || part.paths.start.contains(&state) {
                    all.insert(Right::new(offset + state, offset + state, false));
                }
            }
            offset += part.paths.len() as u32;
        }
        all
    }

    /// All states that the right side reaches at an event of which this is known: tests count that certainly hold.
    fn at_event(&self, right: &BTreeSet<Right>, now: Cube) -> BTreeSet<Right> {
        let mut all = right.clone();
        let mut fresh: Vec<Right> = right.iter().copied().collect();
        while let Some(state) = fresh.pop() {
            let (part, own, offset) = self.place(state.at());
            let mut next = Vec::new();
            for (label, to) in &part.paths.edges[own] {
                if let Label::Test(formula) = label
                    && formula.of(now) == Some(true)
                {
                    next.push(Right::new(state.origin(), to + offset, state.wrapped()));
                }
            }
            if self.proof.ways == Ways::Turned && !state.wrapped() && part.paths.accept[own] {
                next.extend(part.paths.start.iter().map(|to| Right::new(state.origin(), to + offset, true)));
            }
            fresh.extend(next.into_iter().filter(|state| all.insert(*state)));
        }
        all
    }

    /// Whether the right side explains a path that ends here.
    fn explains(&self, right: &BTreeSet<Right>) -> bool {
        right.iter().any(|state| match self.proof.ways {
            Ways::Turned => state.wrapped() && state.origin() == state.at(),
            Ways::Straight | Ways::Closed => {
                let (part, own, _) = self.place(state.at());
                part.paths.accept[own]
            }
        })
    }

    fn covered(&self, at: &At, depth: usize) -> Result<(), String> {
        let events = &self.proof.alphabet.events;
        let (Some(first), Some(now)) = (events.close(at.first), events.close(at.now)) else { return Ok(()) };
        let right = self.at_event(&at.right, now);
        let known = self.by_left.get(&(at.left, at.fresh)).map_or(&[][..], Vec::as_slice);
        let covers = |config: &&&Config| {
            first.implies(config.first) && now.implies(config.now) && config.right.iter().all(|r| right.contains(r))
        };
        if known.iter().any(|config| covers(&config)) {
            return Ok(());
        }
        if depth == DEEPEST {
            return Err(format!("state {} after {DEEPEST} cases", at.left));
        }
        // Something that some configuration knows and this one does not.
        for config in known {
            for (is_first, asked, has) in [(false, config.now, now), (true, config.first, first)] {
                if is_first && at.fresh || events.close(asked.and(has)).is_none() {
                    continue;
                }
                let Some((atom, _)) = asked.literals().find(|(atom, _)| has.of(*atom).is_none()) else { continue };
                for holds in [false, true] {
                    let literal = Cube::literal(atom, holds);
                    let mut case = At { first, now, right: right.clone(), ..at.clone() };
                    match is_first {
                        true => case.first = case.first.and(literal),
                        false => case.now = case.now.and(literal),
                    }
                    if at.fresh {
                        case.first = case.now;
                    }
                    self.covered(&case, depth + 1)?;
                }
                return Ok(());
            }
        }
        Err(format!("state {}", at.left))
    }

    /// Everything that may happen next.
    fn leaves(&self, at: &At) -> Result<(), String> {
        let left = &self.proof.left;
        let alphabet = &self.proof.alphabet;
        if left.accept[at.left as usize] {
            self.ends(at)?;
        }
        for (label, to) in &left.edges[at.left as usize] {
            match label {
                Label::Test(formula) => {
                    for now in self.where_true(formula, at.now) {
                        let first = if at.fresh { now } else { at.first };
                        self.covered(&At { left: *to, first, now, ..at.clone() }, 0)?;
                    }
                }
                Label::Step(cube) => {
                    let Some(pair) = alphabet.pairs.close(*cube) else { continue };
                    self.step(at, *to, pair, 0)?;
                }
            }
        }
        Ok(())
    }

    /// Cases that together are all in which a formula holds, by trying the atoms in it one after the other.
    fn where_true(&self, formula: &Formula, now: Cube) -> Vec<Cube> {
        let Some(now) = self.proof.alphabet.events.close(now) else { return Vec::new() };
        match formula.of(now) {
            Some(true) => vec![now],
            Some(false) => Vec::new(),
            None => {
                let Some(atom) = atoms(formula).into_iter().find(|atom| now.of(*atom).is_none()) else {
                    return Vec::new();
                };
                let cases = [false, true].map(|holds| now.and(Cube::literal(atom, holds)));
                cases.into_iter().flat_map(|case| self.where_true(formula, case)).collect()
            }
        }
    }

    fn step(&self, at: &At, to: u32, pair: Cube, depth: usize) -> Result<(), String> {
        let alphabet = &self.proof.alphabet;
        let (source, target) = alphabet.ends_of(pair);
        let same = alphabet.pairs.close(Cube::literal(0, true)).unwrap_or_default();
        if pair.implies(same) {
            let Some(now) = alphabet.events.close(at.now.and(source).and(target)) else { return Ok(()) };
            let first = if at.fresh { now } else { at.first };
            return self.covered(&At { left: to, first, now, ..at.clone() }, 0);
        }
        let Some(now) = alphabet.events.close(at.now.and(source)) else { return Ok(()) };
        let Some(next) = alphabet.events.close(target) else { return Ok(()) };
        let result = self.step_in(at, to, pair, now, next);
        if result.is_ok() || depth == DEEPEST {
            return result;
        }
        // More of the pair, or of the event that is left.
        match self.undecided(&self.at_event(&at.right, now), pair, now) {
            Some(Undecided::Pair(atom)) => [false, true]
                .into_iter()
                .filter_map(|holds| alphabet.pairs.close(pair.and(Cube::literal(atom, holds))))
                .try_for_each(|case| self.step(at, to, case, depth + 1)),
            Some(Undecided::Event(atom)) => [false, true].into_iter().try_for_each(|holds| {
                let now = now.and(Cube::literal(atom, holds));
                let first = if at.fresh { now } else { at.first };
                self.step(&At { now, first, ..at.clone() }, to, pair, depth + 1)
            }),
            None => result,
        }
    }

    /// What may decide whether the right side can follow a step. Names that the pair is likely to have come first: what shares one with it is asked of
    /// it. All others are asked in the end, since the search may have told apart what one of the first has decided already.
    fn undecided(&self, right: &BTreeSet<Right>, pair: Cube, now: Cube) -> Option<Undecided> {
        let mut last = None;
        for state in right {
            let (part, own, _) = self.place(state.at());
            for (label, _) in &part.paths.edges[own] {
                match label {
                    Label::Step(asked) if pair.holds & asked.lacks == 0 && pair.lacks & asked.holds == 0 => {
                        let mut open = asked.literals().map(|(atom, _)| atom).filter(|atom| pair.of(*atom).is_none());
                        let Some(atom) = open.next().map(Undecided::Pair) else { continue };
                        if asked.holds & pair.holds != 0 || asked.holds == 0 {
                            return Some(atom);
                        }
                        last = last.or(Some(atom));
                    }
                    Label::Test(formula) if formula.of(now).is_none() => {
                        let open = atoms(formula).into_iter().find(|atom| now.of(*atom).is_none());
                        if let Some(atom) = open {
                            return Some(Undecided::Event(atom));
                        }
                    }
                    _ => {}
                }
            }
        }
        last
    }

    fn step_in(&self, at: &At, to: u32, pair: Cube, now: Cube, next: Cube) -> Result<(), String> {
        let mut moved = BTreeSet::new();
        for state in self.at_event(&at.right, now) {
            let (part, own, offset) = self.place(state.at());
            for (label, to) in &part.paths.edges[own] {
                if let Label::Step(asked) = label
                    && pair.implies(*asked)
                {
                    moved.insert(Right::new(state.origin(), to + offset, state.wrapped()));
                }
            }
        }
        let first = if at.fresh { now } else { at.first };
        self.covered(&At { left: to, fresh: false, first, now: next, right: moved }, 0)
    }

    /// Whether a path may end here: as the case may be, by the atoms of the tests that are open.
    fn ends(&self, at: &At) -> Result<(), String> {
        let events = &self.proof.alphabet.events;
        let now = match self.proof.ways {
            Ways::Straight => events.close(at.now),
            Ways::Closed | Ways::Turned => events.close(at.now.and(at.first)),
        };
        now.map_or(Ok(()), |now| self.ends_in(&at.right, now, 0))
    }

    fn ends_in(&self, right: &BTreeSet<Right>, now: Cube, depth: usize) -> Result<(), String> {
        let right = self.at_event(right, now);
        if self.explains(&right) {
            return Ok(());
        }
        if depth < DEEPEST {
            let mut open = BTreeSet::new();
            for state in &right {
                let (part, own, _) = self.place(state.at());
                for (label, _) in &part.paths.edges[own] {
                    if let Label::Test(formula) = label
                        && formula.of(now).is_none()
                    {
                        open.extend(atoms(formula).into_iter().filter(|atom| now.of(*atom).is_none()));
                    }
                }
            }
            if let Some(&atom) = open.first() {
                let cases = [false, true].map(|holds| now.and(Cube::literal(atom, holds)));
                let mut possible = cases.into_iter().filter_map(|case| self.proof.alphabet.events.close(case));
                return possible.try_for_each(|case| self.ends_in(&right, case, depth + 1));
            }
        }
        Err("a path ends that nothing explains".to_owned())
    }
}

fn atoms(formula: &Formula) -> BTreeSet<Atom> {
    match formula {
        Formula::Atom(atom) => [*atom].into(),
        Formula::Not(inner) => atoms(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().flat_map(atoms).collect(),
    }
}
