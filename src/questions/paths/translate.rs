//! From relation expressions to automata over paths.
//!
//! What is no regular set of paths is approximated from the side that keeps proofs sound: from above where a violation has to be explained
//! ([`Side::Over`]), from below where it is the explanation ([`Side::Under`]). Such a part is a letter of its own, so that the same part
//! of another model is still recognised.

use super::alphabet::{Alphabet, Rewrite};
use super::cube::{Atom, Cube, Formula};
use super::intern::Interner;
use super::nfa::Nfa;
use super::recursion::regular;
use crate::algebra::{ExprId, Node, Pool, Sort};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Pairs of certain kinds, and relations with a flag.
type Split = (Vec<Pairs>, Vec<(ExprId, bool)>);

/// More alternatives than this are not multiplied out.
const ALTERNATIVES: usize = 64;
/// Larger automata are given up: their expression becomes a letter.
const STATES: usize = 4000;

/// From which side something is approximated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// At least the pairs of the expression.
    Over,
    /// At most these.
    Under,
}

/// Pairs by their ends and what is known of them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Pairs {
    source: Formula,
    pair: Cube,
    target: Formula,
}

/// A letter that is an intersection or a difference.
struct Made {
    atom: Atom,
    /// Pairs of these kinds,
    single: Vec<Pairs>,
    /// in all of these relations, from above and from below,
    within: Vec<(Nfa, Nfa)>,
    /// and not in this one.
    outside: Option<(Nfa, Nfa)>,
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

/// Translates expressions over one alphabet.
pub struct Translator {
    /// The letters.
    pub alphabet: Alphabet,
    /// Parts that are letters because they are no regular sets of paths.
    pub letters: BTreeSet<String>,
    interner: Interner,
    /// By number of expression: its letter.
    opaque: FxHashMap<u32, Atom>,
    /// By letter: whether what is known of it has been noted.
    noted: FxHashSet<(Atom, Side)>,
    /// What letters are made of.
    made: Vec<Made>,
    /// By number of expression: the set that it is.
    sets: FxHashMap<u32, Atom>,
    failure: Option<String>,
}

impl Translator {
    /// Nothing translated yet.
    pub fn new(alphabet: Alphabet) -> Translator {
        Translator {
            alphabet,
            letters: BTreeSet::new(),
            interner: Interner::default(),
            opaque: FxHashMap::default(),
            noted: FxHashSet::default(),
            made: Vec::new(),
            sets: FxHashMap::default(),
            failure: None,
        }
    }

    /// The automaton of a relation. Errors: more names than there are atoms.
    pub fn relation(&mut self, pool: &Pool, id: ExprId, side: Side) -> Result<Nfa, String> {
        let nfa = self.rel(pool, id, side);
        self.failure.take().map_or(Ok(nfa), Err)
    }

    /// The formula of a set.
    pub fn set(&mut self, pool: &Pool, id: ExprId) -> Result<Formula, String> {
        let formula = self.formula(pool, id);
        self.failure.take().map_or(Ok(formula), Err)
    }

    /// The number of an expression among all that were translated.
    pub fn number(&mut self, pool: &Pool, id: ExprId) -> u32 {
        self.interner.number(pool, id)
    }

    fn event(&mut self, name: &str) -> Formula {
        match self.alphabet.event(name) {
            Ok(atom) => Formula::Atom(atom),
            Err(message) => {
                self.failure = Some(message);
                Formula::no()
            }
        }
    }

    fn pair(&mut self, name: &str) -> Atom {
        self.alphabet.pair(name).unwrap_or_else(|message| {
            self.failure = Some(message);
            0
        })
    }

    fn formula(&mut self, pool: &Pool, id: ExprId) -> Formula {
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
    fn named_set(&mut self, pool: &Pool, id: ExprId) -> Formula {
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

    /// What is certain of the ends of a relation's pairs.
    fn ends(&mut self, pool: &Pool, id: ExprId) -> (Cube, Cube) {
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

    /// The relation as pairs of certain kinds, where no path is longer than a step.
    fn pairs(&mut self, pool: &Pool, id: ExprId) -> Option<Vec<Pairs>> {
        let any = || Pairs { source: Formula::yes(), pair: Cube::ANY, target: Formula::yes() };
        let named = |atom: Atom| Pairs { pair: Cube::literal(atom, true), ..any() };
        let found = match pool.node(id) {
            Node::Empty(_) => Vec::new(),
            Node::Full => vec![any()],
            Node::Id => vec![named(0)],
            Node::IdOn(set) => vec![Pairs { source: self.formula(pool, *set), ..named(0) }],
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

    fn meet(&self, a: &[Pairs], b: &[Pairs]) -> Option<Vec<Pairs>> {
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
    fn others(&self, pairs: &[Pairs]) -> Option<Vec<Pairs>> {
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
    fn of_pairs(&self, pairs: &[Pairs], side: Side) -> Nfa {
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

    fn rel(&mut self, pool: &Pool, id: ExprId, side: Side) -> Nfa {
        let many = |own: &mut Self, parts: &[ExprId], f: fn(Nfa, &Nfa) -> Nfa, from: Nfa| {
            parts.iter().fold(from, |all, &part| {
                let next = own.rel(pool, part, side);
                f(all, &next)
            })
        };
        let nfa = match pool.node(id) {
            Node::Empty(_) => Nfa::nothing(),
            Node::Id => Nfa::epsilon(),
            Node::IdOn(set) => Nfa::test(self.formula(pool, *set)),
            Node::Union(parts) => many(self, parts, Nfa::or, Nfa::nothing()),
            Node::Seq(parts) => many(self, parts, Nfa::then, Nfa::epsilon()),
            Node::Plus(inner) => self.rel(pool, *inner, side).plus(),
            Node::Star(inner) => self.rel(pool, *inner, side).star(),
            Node::Opt(inner) => self.rel(pool, *inner, side).opt(),
            Node::Inverse(inner) if self.pairs(pool, id).is_none() => {
                let forwards = self.rel(pool, *inner, side);
                forwards.reverse(&|cube| self.alphabet.inverse(cube))
            }
            Node::Fix(group, component) => {
                let known = regular(pool, *group, *component as usize, &mut |x| self.rel(pool, x, side));
                match known {
                    Some(nfa) => nfa,
                    None => self.letter(pool, id, side),
                }
            }
            _ => match self.pairs(pool, id) {
                Some(pairs) => self.of_pairs(&pairs, side),
                None => match self.between_sets(pool, id, side) {
                    Some(nfa) => nfa,
                    None => self.letter(pool, id, side),
                },
            },
        };
        if nfa.len() > STATES { self.letter(pool, id, side) } else { nfa }
    }

    /// One relation between certain events: what is left of it without a product of sets.
    fn between_sets(&mut self, pool: &Pool, id: ExprId, side: Side) -> Option<Nfa> {
        let (single, composed) = self.split(pool, id)?;
        let [(part, true)] = composed[..] else { return None };
        if single.iter().any(|p| p.pair != Cube::ANY) {
            return None;
        }
        let paths = self.rel(pool, part, side);
        let between = |p: &Pairs| Nfa::test(p.source.clone()).then(&paths).then(&Nfa::test(p.target.clone()));
        Some(single.iter().fold(Nfa::nothing(), |all, p| all.or(&between(p))))
    }

    /// A part that is no regular set of paths, as a letter; from below also with the paths that are certainly in it.
    fn letter(&mut self, pool: &Pool, id: ExprId, side: Side) -> Nfa {
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
    fn make(&mut self, pool: &Pool, id: ExprId, atom: Atom) {
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
    fn split(&mut self, pool: &Pool, id: ExprId) -> Option<Split> {
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
    fn facts_of_letter(&mut self, pool: &Pool, atom: Atom, single: &[Pairs], composed: &[(ExprId, bool)]) {
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
    fn certain(&mut self, pool: &Pool, single: &[Pairs], composed: &[(ExprId, bool)]) -> Nfa {
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

    /// The paths from an event to itself, or to any other, that violate `empty r`; and whether it is to itself.
    pub fn members(&mut self, pool: &Pool, id: ExprId, side: Side) -> Result<(Nfa, bool), String> {
        let found = self.members_of(pool, id, side);
        self.failure.take().map_or(Ok(found), Err)
    }

    fn members_of(&mut self, pool: &Pool, id: ExprId, side: Side) -> (Nfa, bool) {
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
}

/// `rf^-1 ; co` without what it relates to itself: from-reads.
fn is_from_read(pool: &Pool, a: ExprId, b: ExprId) -> bool {
    let is =
        |id: ExprId, name: &str| matches!(pool.node(id), Node::Base(base) if pool.bases()[base.index()].name == name);
    let Node::Seq(parts) = pool.node(a) else { return false };
    let [first, second] = parts[..] else { return false };
    let Node::Inverse(inner) = pool.node(first) else { return false };
    matches!(pool.node(b), Node::Id) && is(*inner, "rf") && is(second, "co")
}

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

/// An expression for people, as far as it is short.
pub fn text(pool: &Pool, id: ExprId) -> String {
    fn write(pool: &Pool, id: ExprId, depth: usize, out: &mut String) {
        if depth == 0 || out.len() > 120 {
            out.push('…');
            return;
        }
        let list = |parts: &[ExprId], between: &str, out: &mut String| {
            out.push('(');
            for (i, &part) in parts.iter().enumerate() {
                if i > 0 {
                    out.push_str(between);
                }
                write(pool, part, depth - 1, out);
            }
            out.push(')');
        };
        let around = |before: &str, x: ExprId, after: &str, out: &mut String| {
            out.push_str(before);
            write(pool, x, depth - 1, out);
            out.push_str(after);
        };
        match pool.node(id) {
            Node::Empty(_) => out.push('0'),
            Node::Universe | Node::Full => out.push('_'),
            Node::Id => out.push_str("id"),
            Node::Base(base) => out.push_str(&pool.bases()[base.index()].name),
            Node::Var(var) => out.push_str(&format!("x{}", var.index())),
            Node::Fix(..) => out.push_str("(let rec …)"),
            Node::Diff(a, b) if is_from_read(pool, *a, *b) => out.push_str("fr"),
            Node::Union(parts) => list(parts, " | ", out),
            Node::Inter(parts) => list(parts, " & ", out),
            Node::Seq(parts) => list(parts, " ; ", out),
            Node::Diff(a, b) => list(&[*a, *b], " \\ ", out),
            Node::Product(a, b) => list(&[*a, *b], " * ", out),
            Node::IdOn(set) => around("[", *set, "]", out),
            Node::Inverse(x) => around("", *x, "^-1", out),
            Node::Plus(x) => around("", *x, "+", out),
            Node::Star(x) => around("", *x, "*", out),
            Node::Opt(x) => around("", *x, "?", out),
            Node::Domain(x) => around("domain(", *x, ")", out),
            Node::Range(x) => around("range(", *x, ")", out),
            Node::DifferentValues(x) => around("different-values(", *x, ")", out),
        }
    }
    let mut out = String::new();
    write(pool, id, 6, &mut out);
    out
}
