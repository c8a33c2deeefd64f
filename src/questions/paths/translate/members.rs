//! Sets by their members, and formulas.

use super::pairs::Pairs;
use super::{Side, Translator};
use crate::algebra::{ExprId, Node, Pool, Sort};
use crate::questions::paths::cube::{Cube, Formula};
use crate::questions::paths::nfa::Nfa;

/// What a formula certainly says, atom by atom.
pub fn conjunction(formula: &Formula) -> Cube {
    match formula {
        Formula::Atom(atom) => Cube::literal(*atom, true),
        Formula::Not(inner) => match &**inner {
            Formula::Atom(atom) => Cube::literal(*atom, false),
            Formula::Or(parts) => parts.iter().fold(Cube::ANY, |all, p| all.and(conjunction(&p.clone().negated()))),
            _ => Cube::ANY,
        },
        Formula::And(parts) => parts.iter().fold(Cube::ANY, |all, part| all.and(conjunction(part))),
        Formula::Or(_) => Cube::ANY,
    }
}

impl Translator {
    /// The paths from an event to itself, or to any other, that violate `empty r`; and whether it is to itself.
    pub fn members(&mut self, pool: &Pool, id: ExprId, side: Side) -> Result<(Nfa, bool), String> {
        let found = self.members_of(pool, id, side);
        self.failure.take().map_or(Ok(found), Err)
    }

    pub(super) fn members_of(&mut self, pool: &Pool, id: ExprId, side: Side) -> (Nfa, bool) {
        if pool.sort(id) == Sort::Set {
            return (Nfa::test(self.formula(pool, id)), false);
        }
        // Tests around an intersection.
        let (before, middle, after) = match pool.node(id) {
            Node::Seq(parts) => {
                let is_test = |x: &&ExprId| matches!(pool.node(**x), Node::IdOn(_));
                let at = parts.iter().position(|x| !is_test(&x)).unwrap_or(0);
                let rest = parts[at + 1..].iter().all(|x| is_test(&x));
                match rest {
                    true => (parts[..at].to_vec(), parts[at], parts[at + 1..].to_vec()),
                    false => (Vec::new(), id, Vec::new()),
                }
            }
            _ => (Vec::new(), id, Vec::new()),
        };
        if let (Node::Inter(_), None) = (pool.node(middle), self.pairs(pool, middle))
            && let Some((single, composed)) = self.split(pool, middle)
            && composed.len() <= if side == Side::Over { 2 } else { usize::MAX }
        {
            // A common pair of `a` and `b` is a way there and back.
            let ways: Vec<Nfa> = composed.iter().map(|(part, _)| self.rel(pool, *part, side)).collect();
            let is_any = single == [Pairs { source: Formula::yes(), pair: Cube::ANY, target: Formula::yes() }];
            let mut tests = |parts: &[ExprId]| {
                parts.iter().fold(Nfa::epsilon(), |all, &x| {
                    let next = self.rel(pool, x, side);
                    all.then(&next)
                })
            };
            let (before, after) = (tests(&before), tests(&after));
            let back = |nfa: &Nfa| nfa.reverse(&|cube| self.alphabet.inverse(cube));
            let there = |way: &Nfa| before.clone().then(way).then(&after);
            match (ways.as_slice(), is_any) {
                ([one], false) => return (there(one).then(&back(&self.of_pairs(&single, side))), true),
                ([one, other], true) => return (there(one).then(&back(other)), true),
                _ => {}
            }
        }
        if let Node::Union(parts) = pool.node(middle)
            && before.is_empty()
            && after.is_empty()
        {
            let all: Vec<(Nfa, bool)> = parts.iter().map(|&part| self.members_of(pool, part, side)).collect();
            if all.iter().all(|(_, closed)| *closed) {
                return (all.iter().fold(Nfa::nothing(), |sum, (nfa, _)| sum.or(nfa)), true);
            }
        }
        (self.rel(pool, id, side), false)
    }

    pub(super) fn formula(&mut self, pool: &Pool, id: ExprId) -> Formula {
        match pool.node(id) {
            Node::Universe => Formula::yes(),
            Node::Empty(_) => Formula::no(),
            Node::Base(base) => self.event(&pool.bases()[base.index()].name.clone()),
            Node::Union(parts) => Formula::some(parts.iter().map(|&x| self.formula(pool, x)).collect::<Vec<_>>()),
            Node::Inter(parts) => Formula::all(parts.iter().map(|&x| self.formula(pool, x)).collect::<Vec<_>>()),
            Node::Diff(a, b) => {
                let (a, b) = (self.formula(pool, *a), self.formula(pool, *b));
                Formula::all([a, b.negated()])
            }
            _ => self.named_set(pool, id),
        }
    }

    /// A set that is a letter: the ends of a relation, or what a recursive group makes.
    pub(super) fn named_set(&mut self, pool: &Pool, id: ExprId) -> Formula {
        let number = self.interner.number(pool, id);
        if let Some(&atom) = self.sets.get(&number) {
            return Formula::Atom(atom);
        }
        let name = format!("set({number})");
        let Formula::Atom(atom) = self.event(&name) else { return Formula::no() };
        self.sets.insert(number, atom);
        let (relation, is_source) = match pool.node(id) {
            Node::Domain(r) => (*r, true),
            Node::Range(r) => (*r, false),
            _ => return Formula::Atom(atom),
        };
        for pairs in self.pairs(pool, relation).unwrap_or_default() {
            if pairs.source == Formula::yes() && pairs.target == Formula::yes() {
                let is = Cube::literal(atom, true);
                let (source, target) = if is_source { (is, Cube::ANY) } else { (Cube::ANY, is) };
                self.alphabet.ends_fact(pairs.pair, source, target);
            }
        }
        // What is known of every pair's end is known of the set.
        let (source, target) = self.ends(pool, relation);
        for (known, holds) in (if is_source { source } else { target }).literals() {
            match holds {
                true => self.alphabet.events.add(&[atom], &[known]),
                false => self.alphabet.events.add(&[atom, known], &[]),
            }
        }
        Formula::Atom(atom)
    }
}
