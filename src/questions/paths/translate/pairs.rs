//! Pairs by their ends: unions, intersections, complements.

use super::members::conjunction;
use super::{ALTERNATIVES, Side, Translator, is_from_read, is_same_access};
use crate::algebra::{ExprId, Node, Pool};
use crate::questions::paths::cube::{Atom, Cube, Formula};
use crate::questions::paths::nfa::Nfa;

/// Pairs by their ends and what is known of them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Pairs {
    pub(super) source: Formula,
    pub(super) pair: Cube,
    pub(super) target: Formula,
}

impl Translator {
    /// The relation as pairs of certain kinds, where no path is longer than a step.
    pub(super) fn pairs(&mut self, pool: &Pool, id: ExprId) -> Option<Vec<Pairs>> {
        let any = || Pairs { source: Formula::yes(), pair: Cube::ANY, target: Formula::yes() };
        let named = |atom: Atom| Pairs { pair: Cube::literal(atom, true), ..any() };
        let found = match pool.node(id) {
            Node::Empty(_) => Vec::new(),
            Node::Full => vec![any()],
            Node::Id => vec![named(0)],
            Node::IdOn(set) => vec![Pairs { source: self.formula(pool, *set), ..named(0) }],
            Node::Base(base) if is_same_access(&pool.bases()[base.index()].name) => {
                vec![Pairs { source: self.event("M"), ..named(0) }]
            }
            Node::Base(base) => vec![named(self.pair(&pool.bases()[base.index()].name.clone()))],
            Node::Product(a, b) => {
                vec![Pairs { source: self.formula(pool, *a), target: self.formula(pool, *b), ..any() }]
            }
            Node::Inverse(inner) => {
                let turn = |p: Pairs, own: &Self| Pairs {
                    source: p.target,
                    pair: own.alphabet.inverse(p.pair),
                    target: p.source,
                };
                self.pairs(pool, *inner)?.into_iter().map(|p| turn(p, self)).collect()
            }
            Node::Union(parts) => {
                let mut all = Vec::new();
                for &part in parts {
                    all.append(&mut self.pairs(pool, part)?);
                }
                all
            }
            Node::Opt(inner) => {
                let mut all = self.pairs(pool, *inner)?;
                all.push(named(0));
                all
            }
            Node::Inter(parts) => {
                let mut all = vec![any()];
                for &part in parts {
                    let own = self.pairs(pool, part)?;
                    all = self.meet(&all, &own)?;
                }
                all
            }
            Node::Diff(a, b) if is_from_read(pool, *a, *b) => vec![named(self.pair("fr"))],
            Node::Diff(a, b) => {
                let (a, b) = (self.pairs(pool, *a)?, self.pairs(pool, *b)?);
                let others = self.others(&b)?;
                self.meet(&a, &others)?
            }
            Node::Seq(parts) => {
                let is_test = |x: &ExprId| matches!(pool.node(*x), Node::IdOn(_) | Node::Id);
                let at = parts.iter().position(|x| !is_test(x))?;
                if !parts[at + 1..].iter().all(is_test) {
                    return None;
                }
                let mut tests = |parts: &[ExprId]| {
                    let sets = parts.iter().map(|x| match pool.node(*x) {
                        Node::IdOn(set) => self.formula(pool, *set),
                        _ => Formula::yes(),
                    });
                    Formula::all(sets.collect::<Vec<_>>())
                };
                let (source, target) = (tests(&parts[..at]), tests(&parts[at + 1..]));
                let inner = self.pairs(pool, parts[at])?;
                let ends = [Pairs { source, pair: Cube::ANY, target }];
                self.meet(&inner, &ends)?
            }
            _ => return None,
        };
        (found.len() <= ALTERNATIVES).then_some(found)
    }

    pub(super) fn meet(&self, a: &[Pairs], b: &[Pairs]) -> Option<Vec<Pairs>> {
        let mut all = Vec::new();
        for x in a {
            for y in b {
                let both = Pairs {
                    source: Formula::all([x.source.clone(), y.source.clone()]),
                    pair: x.pair.and(y.pair),
                    target: Formula::all([x.target.clone(), y.target.clone()]),
                };
                let possible = [&both.source, &both.target].iter().all(|f| **f != Formula::no());
                if possible && self.alphabet.pairs.close(both.pair).is_some() {
                    all.push(both);
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        (all.len() <= ALTERNATIVES).then_some(all)
    }

    /// All pairs but these.
    pub(super) fn others(&self, pairs: &[Pairs]) -> Option<Vec<Pairs>> {
        let any = || Pairs { source: Formula::yes(), pair: Cube::ANY, target: Formula::yes() };
        let mut all = vec![any()];
        for p in pairs {
            let mut out = Vec::new();
            if p.source != Formula::yes() {
                out.push(Pairs { source: p.source.clone().negated(), ..any() });
            }
            if p.target != Formula::yes() {
                out.push(Pairs { target: p.target.clone().negated(), ..any() });
            }
            out.extend(p.pair.literals().map(|(atom, holds)| Pairs { pair: Cube::literal(atom, !holds), ..any() }));
            all = self.meet(&all, &out)?;
        }
        Some(all)
    }

    /// The automaton of some pairs. A pair of an event with itself is a test.
    pub(super) fn of_pairs(&self, pairs: &[Pairs], side: Side) -> Nfa {
        let mut all = Nfa::nothing();
        for p in pairs {
            let (first, last) = (Nfa::test(p.source.clone()), Nfa::test(p.target.clone()));
            let middle = if p.pair.of(0) == Some(true) {
                let same = self.alphabet.pairs.close(Cube::literal(0, true)).unwrap_or_default();
                let is_all = same.implies(p.pair);
                if is_all || side == Side::Over { Nfa::epsilon() } else { Nfa::nothing() }
            } else {
                Nfa::step(p.pair)
            };
            all = all.or(&first.then(&middle).then(&last));
        }
        all
    }

    /// What is certain of the ends of a relation's pairs.
    pub(super) fn ends(&mut self, pool: &Pool, id: ExprId) -> (Cube, Cube) {
        match pool.node(id) {
            Node::Base(_) | Node::Inverse(_) => {
                let pairs = self.pairs(pool, id).unwrap_or_default();
                pairs.first().map_or((Cube::ANY, Cube::ANY), |p| self.alphabet.ends_of(p.pair))
            }
            Node::IdOn(set) => {
                let known = conjunction(&self.formula(pool, *set));
                (known, known)
            }
            Node::Seq(parts) => {
                let (first, last) = (parts[0], parts[parts.len() - 1]);
                (self.ends(pool, first).0, self.ends(pool, last).1)
            }
            Node::Union(parts) => {
                let all: Vec<(Cube, Cube)> = parts.iter().map(|&x| self.ends(pool, x)).collect();
                let common = |a: Cube, b: Cube| Cube { holds: a.holds & b.holds, lacks: a.lacks & b.lacks };
                all.into_iter().reduce(|a, b| (common(a.0, b.0), common(a.1, b.1))).unwrap_or_default()
            }
            Node::Inter(parts) => {
                let all: Vec<(Cube, Cube)> = parts.iter().map(|&x| self.ends(pool, x)).collect();
                all.into_iter().fold((Cube::ANY, Cube::ANY), |a, b| (a.0.and(b.0), a.1.and(b.1)))
            }
            Node::Plus(inner) | Node::Diff(inner, _) | Node::DifferentValues(inner) => self.ends(pool, *inner),
            Node::Product(a, b) => (conjunction(&self.formula(pool, *a)), conjunction(&self.formula(pool, *b))),
            _ => (Cube::ANY, Cube::ANY),
        }
    }
}
