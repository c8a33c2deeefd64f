//! What is looked at case by case.

use super::question::{Question, Stop};
use super::run::{Ended, Run};
use super::walk::Walk;
use crate::questions::paths::cube::{Atom, Cube, Formula};
use crate::questions::paths::nfa::Nfa;
use rustc_hash::FxHashSet;

/// What is looked at case by case.
#[derive(Clone, Default, Debug)]
pub(super) struct Cases {
    pub(super) formulas: FxHashSet<Formula>,
    pub(super) atoms: FxHashSet<Atom>,
}

impl Cases {
    pub(super) fn len(&self) -> usize {
        self.formulas.len() + self.atoms.len()
    }

    pub(super) fn and(mut self, more: Cases) -> Cases {
        self.formulas.extend(more.formulas);
        self.atoms.extend(more.atoms);
        self
    }

    pub(super) fn without(&self, other: &Cases) -> Cases {
        let mut own = self.clone();
        own.formulas.retain(|formula| !other.formulas.contains(formula));
        own.atoms.retain(|atom| !other.atoms.contains(atom));
        own
    }

    /// One by one, in a fixed order.
    pub(super) fn each(&self) -> Vec<Cases> {
        let mut formulas: Vec<&Formula> = self.formulas.iter().collect();
        let mut atoms: Vec<Atom> = self.atoms.iter().copied().collect();
        formulas.sort_unstable();
        atoms.sort_unstable();
        let formula = |f: &Formula| Cases { formulas: FxHashSet::from_iter([f.clone()]), ..Cases::default() };
        let atom = |a: Atom| Cases { atoms: FxHashSet::from_iter([a]), ..Cases::default() };
        formulas.into_iter().map(formula).chain(atoms.into_iter().map(atom)).collect()
    }
}

/// The cases that explain one path, as few as are found; none where it is not explained however many are told apart.
pub(super) fn explain(
    question: &Question<'_>,
    walk: &Walk,
    known: &Cases,
    missing: Cases,
    path: &[Stop],
) -> Option<Cases> {
    let left = along(path);
    let question = Question { left: &left, ..*question };
    let mut all = missing;
    loop {
        match Run::new(&question, walk, known.clone().and(all.clone())).search() {
            Ended::Included => break,
            Ended::Open(_, more) => {
                let before = all.len();
                all = all.and(more);
                if all.len() == before {
                    return None;
                }
            }
            Ended::GaveUp => return None,
        }
    }
    // What is not needed for this path is left out.
    for fewer in all.each() {
        let without = all.without(&fewer);
        if matches!(Run::new(&question, walk, known.clone().and(without.clone())).search(), Ended::Included) {
            all = without;
        }
    }
    Some(all)
}

/// The automaton of one path.
fn along(path: &[Stop]) -> Nfa {
    let test = |cube: Cube| {
        let literal = |(atom, holds)| if holds { Formula::Atom(atom) } else { Formula::Atom(atom).negated() };
        Nfa::test(Formula::all(cube.literals().map(literal)))
    };
    path.iter().fold(Nfa::epsilon(), |all, stop| {
        let on = all.then(&test(stop.event));
        stop.step.map_or(on.clone(), |step| on.then(&Nfa::step(step)))
    })
}
