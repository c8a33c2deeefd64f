//! What is known of an event, or of a pair of events: which names it certainly has, and which it certainly lacks.
//!
//! Names are *atoms*, a bit each. A [`Clause`] is a fact about all events (or pairs) of all executions; what follows from some knowledge by
//! unit propagation is found by [`Clauses::close`]. A contradiction that is not found costs a proof, never its soundness.

/// A name by number.
pub type Atom = u8;

/// The largest number of atoms of one kind.
pub const ATOMS: usize = 128;

/// A conjunction of literals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub struct Cube {
    /// Atoms that hold.
    pub holds: u128,
    /// Atoms that do not.
    pub lacks: u128,
}

impl Cube {
    /// Nothing is known.
    pub const ANY: Cube = Cube { holds: 0, lacks: 0 };

    /// One literal.
    pub fn literal(atom: Atom, holds: bool) -> Cube {
        let bit = 1u128 << atom;
        if holds { Cube { holds: bit, lacks: 0 } } else { Cube { holds: 0, lacks: bit } }
    }

    /// Both.
    pub fn and(self, other: Cube) -> Cube {
        Cube { holds: self.holds | other.holds, lacks: self.lacks | other.lacks }
    }

    /// Whether some atom holds and does not.
    pub fn clashes(self) -> bool {
        self.holds & self.lacks != 0
    }

    /// Whether everything that the other says is known.
    pub fn implies(self, other: Cube) -> bool {
        other.holds & !self.holds == 0 && other.lacks & !self.lacks == 0
    }

    /// What is known of an atom.
    pub fn of(self, atom: Atom) -> Option<bool> {
        let bit = 1u128 << atom;
        if self.holds & bit != 0 {
            Some(true)
        } else if self.lacks & bit != 0 {
            Some(false)
        } else {
            None
        }
    }

    /// The literals one by one.
    pub fn literals(self) -> impl Iterator<Item = (Atom, bool)> {
        (0..ATOMS as u8).filter_map(move |atom| self.of(atom).map(|holds| (atom, holds)))
    }
}

/// A fact: some atom of the first kind holds, or some of the second kind does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clause {
    /// One of these holds,
    pub some: u128,
    /// or one of these does not.
    pub or_not: u128,
}

/// Facts about all events, or all pairs.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Clauses(pub Vec<Clause>);

impl Clauses {
    /// Where the first atoms hold, one of the second does.
    pub fn add(&mut self, given: &[Atom], some: &[Atom]) {
        let bits = |atoms: &[Atom]| atoms.iter().fold(0u128, |all, atom| all | 1 << atom);
        self.0.push(Clause { some: bits(some), or_not: bits(given) });
    }

    /// The names of which one certainly holds, though not known which; of few, since each is a case to be looked at.
    pub fn alternatives(&self, cube: Cube) -> u128 {
        let is_open = |clause: &&Clause| {
            clause.some & cube.holds == 0 && clause.or_not & !cube.holds == 0 && clause.some.count_ones() <= 3
        };
        self.0.iter().filter(is_open).fold(0, |all, clause| all | clause.some & !cube.lacks)
    }

    /// What follows from some knowledge; nothing where it is contradictory.
    pub fn close(&self, mut cube: Cube) -> Option<Cube> {
        loop {
            if cube.clashes() {
                return None;
            }
            let before = cube;
            for clause in &self.0 {
                if clause.some & cube.holds != 0 || clause.or_not & cube.lacks != 0 {
                    continue;
                }
                let (some, or_not) = (clause.some & !cube.lacks, clause.or_not & !cube.holds);
                match (some.count_ones(), or_not.count_ones()) {
                    (0, 0) => return None,
                    (1, 0) => cube.holds |= some,
                    (0, 1) => cube.lacks |= or_not,
                    _ => {}
                }
            }
            if cube == before {
                return Some(cube);
            }
        }
    }
}

/// A Boolean combination of atoms.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Formula {
    /// Whether an atom holds.
    Atom(Atom),
    /// Not.
    Not(Box<Formula>),
    /// All of them; true of none.
    And(Vec<Formula>),
    /// Some of them; false of none.
    Or(Vec<Formula>),
}

impl Formula {
    /// Always true.
    pub fn yes() -> Formula {
        Formula::And(Vec::new())
    }

    /// Never true.
    pub fn no() -> Formula {
        Formula::Or(Vec::new())
    }

    /// The opposite.
    pub fn negated(self) -> Formula {
        match self {
            Formula::Not(inner) => *inner,
            Formula::And(parts) if parts.is_empty() => Formula::no(),
            Formula::Or(parts) if parts.is_empty() => Formula::yes(),
            other => Formula::Not(Box::new(other)),
        }
    }

    /// All of some formulas, flat, in order, without repetition.
    pub fn all(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Formula::And(inner) => flat.extend(inner),
                Formula::Or(inner) if inner.is_empty() => return Formula::no(),
                other => flat.push(other),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        if flat.len() == 1 { flat.remove(0) } else { Formula::And(flat) }
    }

    /// Some of some formulas.
    pub fn some(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Formula::Or(inner) => flat.extend(inner),
                Formula::And(inner) if inner.is_empty() => return Formula::yes(),
                other => flat.push(other),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        if flat.len() == 1 { flat.remove(0) } else { Formula::Or(flat) }
    }

    /// The truth of the formula, as far as it is known.
    pub fn of(&self, cube: Cube) -> Option<bool> {
        match self {
            Formula::Atom(atom) => cube.of(*atom),
            Formula::Not(inner) => inner.of(cube).map(|value| !value),
            Formula::And(parts) => {
                let mut known = Some(true);
                for part in parts {
                    match part.of(cube) {
                        Some(false) => return Some(false),
                        None => known = None,
                        Some(true) => {}
                    }
                }
                known
            }
            Formula::Or(parts) => {
                let mut known = Some(false);
                for part in parts {
                    match part.of(cube) {
                        Some(true) => return Some(true),
                        None => known = None,
                        Some(false) => {}
                    }
                }
                known
            }
        }
    }

    /// An atom that decides more of the formula.
    fn open(&self, cube: Cube) -> Option<Atom> {
        match self {
            Formula::Atom(atom) => cube.of(*atom).is_none().then_some(*atom),
            Formula::Not(inner) => inner.open(cube),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().filter(|part| part.of(cube).is_none()).find_map(|part| part.open(cube))
            }
        }
    }

    /// Cases that together are all of some knowledge, in each of which the truth of the formula is known.
    pub fn cases(&self, cube: Cube, clauses: &Clauses) -> Vec<(Cube, bool)> {
        let mut done = Vec::new();
        let mut work = vec![cube];
        while let Some(cube) = work.pop() {
            match self.of(cube) {
                Some(value) => done.push((cube, value)),
                None => {
                    let Some(atom) = self.open(cube) else { continue };
                    for holds in [false, true] {
                        work.extend(clauses.close(cube.and(Cube::literal(atom, holds))));
                    }
                }
            }
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_propagate_and_contradict() {
        let mut clauses = Clauses::default();
        clauses.add(&[0], &[1, 2]);
        clauses.add(&[1, 3], &[]);
        let known = Cube::literal(0, true).and(Cube::literal(3, true));
        let closed = clauses.close(known).expect("possible");
        assert_eq!((closed.of(1), closed.of(2)), (Some(false), Some(true)));
        assert_eq!(clauses.close(known.and(Cube::literal(2, false))), None);
    }

    #[test]
    fn cases_are_disjoint_and_decide() {
        let formula = Formula::some([Formula::Atom(0), Formula::all([Formula::Atom(1), Formula::Atom(2).negated()])]);
        let cases = formula.cases(Cube::ANY, &Clauses::default());
        for bits in 0u128..8 {
            let point = Cube { holds: bits, lacks: !bits & 7 };
            let own: Vec<_> = cases.iter().filter(|(cube, _)| point.implies(*cube)).collect();
            assert_eq!(own.len(), 1, "{bits}");
            assert_eq!(Some(own[0].1), formula.of(point), "{bits}");
        }
    }
}
