//! Expressions outside the fragment become letters; what is certain of them.

use super::members::conjunction;
use super::pairs::Pairs;
use super::{Side, Split, Translator, text};
use crate::algebra::{ExprId, Node, Pool};
use crate::questions::paths::alphabet::Rewrite;
use crate::questions::paths::cube::{Atom, Cube, Formula};
use crate::questions::paths::nfa::Nfa;

/// A letter that is an intersection or a difference.
pub(super) struct Made {
    pub(super) atom: Atom,
    /// Pairs of these kinds,
    pub(super) single: Vec<Pairs>,
    /// in all of these relations, from above and from below,
    pub(super) within: Vec<(Nfa, Nfa)>,
    /// and not in this one.
    pub(super) outside: Option<(Nfa, Nfa)>,
}

/// A question about letters: the first lies within the second if each of these inclusions holds.
pub struct Lemma {
    /// The letter that is included.
    pub part: Atom,
    /// The letter that it lies within.
    pub whole: Atom,
    /// For each, some of these pairs: the paths of the first are paths of the second.
    pub needs: Vec<Vec<(Nfa, Nfa)>>,
}

impl Translator {
    /// A part that is no regular set of paths, as a letter; from below also with the paths that are certainly in it.
    pub(super) fn letter(&mut self, pool: &Pool, id: ExprId, side: Side) -> Nfa {
        let number = self.interner.number(pool, id);
        let atom = match self.opaque.get(&number) {
            Some(&atom) => atom,
            None => {
                let text = text(pool, id);
                let atom = self.pair(&format!("part {number}: {text}"));
                self.letters.insert(text);
                self.opaque.insert(number, atom);
                let (source, target) = self.ends(pool, id);
                self.alphabet.ends_fact(Cube::literal(atom, true), source, target);
                self.make(pool, id, atom);
                atom
            }
        };
        let own = Nfa::step(Cube::literal(atom, true));
        let Some((single, composed)) = self.split(pool, id) else { return own };
        if self.noted.insert((atom, side)) && side == Side::Over {
            self.facts_of_letter(pool, atom, &single, &composed);
        }
        match side {
            Side::Over => own,
            Side::Under => own.or(&self.certain(pool, &single, &composed)),
        }
    }

    /// Keeps what a letter is made of.
    pub(super) fn make(&mut self, pool: &Pool, id: ExprId, atom: Atom) {
        let (parts, removed) = match pool.node(id) {
            Node::Inter(parts) => (parts.to_vec(), None),
            Node::Diff(a, b) => match pool.node(*a) {
                Node::Inter(parts) => (parts.to_vec(), Some(*b)),
                _ => (vec![*a], Some(*b)),
            },
            _ => return,
        };
        let both = |own: &mut Self, x: ExprId| (own.rel(pool, x, Side::Over), own.rel(pool, x, Side::Under));
        let mut made = Made {
            atom,
            single: vec![Pairs { source: Formula::yes(), pair: Cube::ANY, target: Formula::yes() }],
            within: Vec::new(),
            outside: removed.map(|removed| both(self, removed)),
        };
        for part in parts {
            let own = self.pairs(pool, part);
            match own.and_then(|own| self.meet(&made.single, &own)) {
                Some(met) => made.single = met,
                None => made.within.push(both(self, part)),
            }
        }
        self.made.push(made);
    }

    /// What there is to ask about two letters of which one may lie within the other.
    pub fn lemmas(&self) -> Vec<Lemma> {
        let mut all = Vec::new();
        for part in &self.made {
            for whole in self.made.iter().filter(|whole| whole.atom != part.atom) {
                // The kinds of pairs are compared as they are; what is left needs a proof.
                let is_kind = part.single == whole.single
                    || whole
                        .single
                        .iter()
                        .all(|p| p.pair == Cube::ANY && p.source == Formula::yes() && p.target == Formula::yes());
                if !is_kind || part.within.is_empty() && !whole.within.is_empty() {
                    continue;
                }
                let mut needs: Vec<Vec<(Nfa, Nfa)>> = Vec::new();
                for (_, lower) in &whole.within {
                    needs.push(part.within.iter().map(|(upper, _)| (upper.clone(), lower.clone())).collect());
                }
                match (&part.outside, &whole.outside) {
                    (_, None) => {}
                    (Some((_, lower)), Some((upper, _))) => needs.push(vec![(upper.clone(), lower.clone())]),
                    (None, Some(_)) => continue,
                }
                all.push(Lemma { part: part.atom, whole: whole.atom, needs });
            }
        }
        all
    }

    /// An intersection or difference as pairs of certain kinds and relations that are more than that, all of which it lies within; with a flag
    /// whether it is all that they have in common.
    pub(super) fn split(&mut self, pool: &Pool, id: ExprId) -> Option<Split> {
        let (parts, removed) = match pool.node(id) {
            Node::Inter(parts) => (parts.to_vec(), None),
            Node::Diff(a, b) => match pool.node(*a) {
                Node::Inter(parts) => (parts.to_vec(), Some(*b)),
                _ => (vec![*a], Some(*b)),
            },
            Node::DifferentValues(a) => return Some((Vec::new(), vec![(*a, false)])),
            _ => return None,
        };
        let mut single = vec![Pairs { source: Formula::yes(), pair: Cube::ANY, target: Formula::yes() }];
        let mut composed = Vec::new();
        let mut exact = true;
        if let Some(removed) = removed {
            let others = self.pairs(pool, removed).and_then(|pairs| self.others(&pairs));
            match others.and_then(|others| self.meet(&single, &others)) {
                Some(met) => single = met,
                None => exact = false,
            }
        }
        for part in parts {
            let own = self.pairs(pool, part);
            match own.and_then(|own| self.meet(&single, &own)) {
                Some(met) => single = met,
                None => composed.push(part),
            }
        }
        Some((single, composed.into_iter().map(|part| (part, exact)).collect()))
    }

    /// What a letter lies within.
    pub(super) fn facts_of_letter(&mut self, pool: &Pool, atom: Atom, single: &[Pairs], composed: &[(ExprId, bool)]) {
        let own = Cube::literal(atom, true);
        if let [only] = single {
            for (literal, holds) in only.pair.literals() {
                match holds {
                    true => self.alphabet.pair_fact(&[atom], &[literal]),
                    false => self.alphabet.pair_fact(&[atom, literal], &[]),
                }
            }
            self.alphabet.ends_fact(own, conjunction(&only.source), conjunction(&only.target));
        }
        for &(part, _) in composed {
            let paths = self.rel(pool, part, Side::Over);
            let between = |p: &Pairs| Nfa::test(p.source.clone()).then(&paths).then(&Nfa::test(p.target.clone()));
            let whole = match single {
                [] => paths,
                _ => single.iter().fold(Nfa::nothing(), |all, p| all.or(&between(p))),
            };
            self.alphabet.rewrites.push(Rewrite {
                source: Formula::yes(),
                pair: own,
                target: Formula::yes(),
                becomes: whole,
                text: text(pool, part),
            });
        }
    }

    /// The paths that are certainly in an intersection.
    pub(super) fn certain(&mut self, pool: &Pool, single: &[Pairs], composed: &[(ExprId, bool)]) -> Nfa {
        if composed.is_empty() || composed.iter().any(|(_, exact)| !exact) {
            return Nfa::nothing();
        }
        let mut paths: Option<Nfa> = None;
        for &(part, _) in composed {
            let own = self.rel(pool, part, Side::Under);
            paths = Some(match paths {
                Some(known) => known.intersect(&own, &self.alphabet.pairs),
                None => own,
            });
        }
        let paths = paths.unwrap_or_default();
        let mut all = Nfa::nothing();
        for p in single {
            let mut own = paths.clone();
            for literal in p.pair.literals() {
                own = match self.alphabet.within.get(&literal) {
                    Some(within) => own.intersect(within, &self.alphabet.pairs),
                    None => own.intersect(&Nfa::step(Cube::literal(literal.0, literal.1)), &self.alphabet.pairs),
                };
            }
            all = all.or(&Nfa::test(p.source.clone()).then(&own).then(&Nfa::test(p.target.clone())));
        }
        all
    }
}
