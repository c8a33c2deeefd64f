//! From relation expressions to automata over paths.
//!
//! What is no regular set of paths is approximated from the side that keeps proofs sound: from above where a violation has to be explained
//! ([`Side::Over`]), from below where it is the explanation ([`Side::Under`]). Such a part is a letter of its own, so that the same part
//! of another model is still recognised.

mod letters;
mod members;
mod pairs;

use super::alphabet::Alphabet;
use super::cube::{Atom, Cube, Formula};
use super::intern::Interner;
use super::nfa::Nfa;
use super::recursion::regular;
use crate::algebra::{ExprId, Node, Pool};
pub use letters::Lemma;
use letters::Made;
pub use members::conjunction;
use pairs::Pairs;
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
            Node::Base(base) if is_same_access(&pool.bases()[base.index()].name) => Nfa::test(self.event("M")),
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
}

/// Whether a relation holds the accesses themselves, of accesses that are of one location and one size.
fn is_same_access(name: &str) -> bool {
    matches!(name, "si" | "sm")
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
