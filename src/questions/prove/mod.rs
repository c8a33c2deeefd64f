//! Proofs that every violation of one model is a violation of another.

use super::paths::alphabet::{Alphabet, Impossible, Rewrite};
use super::paths::axiom::{self, Axiom, Axioms};
use super::paths::cube::{Cube, Formula};
use super::paths::inclusion::{Config, Outcome, Part, Question, Stop, Ways, expand, explains, search};
use super::paths::nfa::{Label, Nfa};
use super::paths::recursion::splice;
use super::paths::translate::{Side, Translator};

/// A proof: what was asked, and the invariant that answers it.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The names and facts.
    pub alphabet: Alphabet,
    /// The paths that are explained.
    pub left: Nfa,
    /// What explains them.
    pub right: Vec<Part>,
    /// Which paths were asked about.
    pub ways: Ways,
    /// The invariant.
    pub invariant: Vec<Config>,
}

/// Whether something follows.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It does: the proofs, and the axioms that carry them.
    Proved(Vec<Proof>, Vec<String>),
    /// No proof was found; a path that is not explained, if the search came to its end.
    Open(String),
}

impl Answer {
    /// Whether it is a proof.
    pub fn is_proved(&self) -> bool {
        matches!(self, Answer::Proved(..))
    }
}

/// The strong side of a question: a model of which every execution is asked about.
pub struct Strong {
    /// Violations of its axioms, by name, from below.
    pub parts: Vec<(String, Nfa)>,
    /// The axioms that give coherence, where it has that.
    pub coherent: Option<Vec<String>>,
}

/// More choices of what a letter lies within than this are not tried.
const MOST_CHOICES: usize = 12;
/// So often letters are replaced, one kind after the other.
const DEEPEST: usize = 6;
/// Letters of larger automata are not replaced.
const WIDEST: usize = 300;

/// Prepares the strong side: its violations, and whether it has coherence.
pub fn strong(translator: &mut Translator, axioms: &Axioms, proofs: &mut Vec<Proof>) -> Result<Strong, String> {
    let mut parts = Vec::new();
    for axiom in axioms.all.iter().filter(|axiom| axiom.outside.is_none()) {
        let found = axiom::violations(translator, &axioms.pool, axiom, Side::Under)?;
        parts.push((axiom.name.clone(), axiom::closed(&found, Side::Under)));
    }
    let mut own = Strong { parts, coherent: None };
    let mut used = Vec::new();
    for (_, shape) in axiom::coherence_shapes(translator)? {
        match follows(translator, &own, &shape) {
            Answer::Proved(more, axioms) => {
                proofs.extend(more);
                used.extend(axioms);
            }
            Answer::Open(_) => return Ok(own),
        }
    }
    used.sort();
    used.dedup();
    own.coherent = Some(used);
    Ok(own)
}

/// Whether an axiom holds in every execution of the strong side.
pub fn axiom_follows(
    translator: &mut Translator,
    strong: &Strong,
    axioms: &Axioms,
    axiom: &Axiom,
) -> Result<Answer, String> {
    if let Some(outside) = &axiom.outside {
        return Ok(Answer::Open(outside.clone()));
    }
    let found = axiom::violations(translator, &axioms.pool, axiom, Side::Over)?;
    Ok(follows(translator, strong, &axiom::closed(&found, Side::Over)))
}

/// Whether every closed path is a violation of the strong side.
pub fn follows(translator: &Translator, strong: &Strong, left: &Nfa) -> Answer {
    let mut alphabet = match strong.coherent {
        Some(_) => translator.alphabet.with_coherence(),
        None => translator.alphabet.clone(),
    };
    add_loops(&mut alphabet, left);
    let right = right_side(&alphabet, strong);
    let mut last = String::new();
    let mut work = vec![(left.clone(), 0)];
    let mut known = vec![left.clone()];
    let mut tried = 0;
    while let Some((left, depth)) = work.pop() {
        tried += 1;
        if tried > MOST_CHOICES {
            break;
        }
        match attempt(&alphabet, &left, &right) {
            Outcome::Included(proof) => {
                let used = used(&proof.right, strong);
                return Answer::Proved(vec![*proof], used);
            }
            Outcome::Open(path) => {
                if last.is_empty() {
                    last = walked(&alphabet, &path);
                }
                // A letter of the path is replaced by what it lies within.
                for next in replaced(&alphabet, &left, &path, depth) {
                    if !known.contains(&next) {
                        known.push(next.clone());
                        work.push((next, depth + 1));
                    }
                }
            }
            Outcome::GaveUp if last.is_empty() => last = "the search was given up: too many cases".to_owned(),
            Outcome::GaveUp => {}
        }
    }
    Answer::Open(last)
}

/// Looks for a proof: small right sides first, and no turning; most proofs need no more.
fn attempt(alphabet: &Alphabet, left: &Nfa, right: &[Part]) -> Outcome<Box<Proof>> {
    let mut last = Outcome::GaveUp;
    for (parts, ways) in attempts(right) {
        match search(&Question { alphabet, left, right: &parts, ways }) {
            Outcome::Included(invariant) => {
                let (right, invariant) = fewest(alphabet, left, parts, ways, invariant);
                let proof = Proof { alphabet: alphabet.clone(), left: left.clone(), right, ways, invariant };
                return Outcome::Included(Box::new(proof));
            }
            Outcome::Open(path) => {
                // What nothing explains is not looked at in other ways.
                let is_explained = explains(&Question { alphabet, left, right, ways: Ways::Turned }, &path);
                last = Outcome::Open(path);
                if !is_explained {
                    break;
                }
            }
            Outcome::GaveUp => {}
        }
    }
    last
}

/// A left side in which a letter of a path that is not explained is replaced by what it lies within: a way for each rule.
pub fn replaced(alphabet: &Alphabet, left: &Nfa, path: &[Stop], depth: usize) -> Vec<Nfa> {
    if depth == DEEPEST || left.len() > WIDEST {
        return Vec::new();
    }
    let steps: Vec<Cube> = path.iter().filter_map(|stop| stop.step).collect();
    let rules = alphabet.rewrites.iter().filter(|rule| steps.iter().any(|step| step.implies(rule.pair)));
    rules.map(|rule| rewritten(left, rule)).filter(|next| next != left).collect()
}

/// Right sides in the order in which they are tried: more and more axioms, then turned.
fn attempts(right: &[Part]) -> Vec<(Vec<Part>, Ways)> {
    let facts = || right.iter().filter(|part| part.fact);
    let mut axioms: Vec<&Part> = right.iter().filter(|part| !part.fact).collect();
    axioms.sort_by_key(|part| part.paths.len());
    let of = |count: usize| axioms[..count].iter().copied().chain(facts()).cloned().collect::<Vec<Part>>();
    let straight = (1..=axioms.len()).map(|count| (of(count), Ways::Closed));
    let turned = (1..=axioms.len()).map(|count| (of(count), Ways::Turned));
    straight.chain(turned).collect()
}

/// What explains a violation: the axioms of the strong side, and what no execution has.
fn right_side(alphabet: &Alphabet, strong: &Strong) -> Vec<Part> {
    let mut right: Vec<Part> = Vec::new();
    for (name, nfa) in &strong.parts {
        right.push(Part { name: name.clone(), paths: expand(alphabet, nfa), fact: false });
    }
    if strong.coherent.is_some() {
        let of = |name: &str| (0..).find(|atom| alphabet.pair_name(*atom) == name).unwrap_or(0);
        let step = |names: &[&str]| {
            Nfa::step(names.iter().fold(Cube::ANY, |all, name| all.and(Cube::literal(of(name), true))))
        };
        let paths = step(&["po", "loc"]).or(&step(&["rf"])).or(&step(&["co"])).or(&step(&["fr"])).plus();
        right.push(Part { name: "coherence".to_owned(), paths, fact: false });
    }
    for Impossible { name, path, closed } in &alphabet.impossible {
        let whole = match closed {
            true => expand(alphabet, path),
            false => expand(alphabet, path).then(&Nfa::step(Cube::ANY).star()),
        };
        right.push(Part { name: name.clone(), paths: whole, fact: true });
    }
    right.retain(|part| !part.paths.is_empty());
    right
}

/// Adds what is true of there and back again, where the left side goes back.
fn add_loops(alphabet: &mut Alphabet, left: &Nfa) {
    let steps: u128 = left.edges.iter().flatten().fold(0, |all, (label, _)| match label {
        Label::Step(cube) => all | cube.holds,
        Label::Test(_) => all,
    });
    for (name, both) in [("amo", true), ("lxsx", true), ("rf", false)] {
        let Some(atom) = alphabet.known_pair(name) else { continue };
        let there = Cube::literal(atom, true);
        let back = alphabet.inverse(there);
        if steps & back.holds == 0 {
            continue;
        }
        let (there, back) = (Nfa::step(there), Nfa::step(back));
        if let ("amo", Some(same)) = (name, alphabet.known_pair("same-instance")) {
            // An instruction with an atomic update writes once.
            let write = alphabet.event("W").map_or(Formula::no(), Formula::Atom);
            alphabet.loops.push(back.clone().then(&Nfa::step(Cube::literal(same, true))).then(&Nfa::test(write)));
        }
        if both {
            alphabet.loops.push(back.clone().then(&there));
        }
        alphabet.loops.push(there.then(&back));
    }
}

/// Proves of letters that one lies within another, as far as that is seen, and adds the facts.
pub fn prove_lemmas(translator: &mut Translator, proofs: &mut Vec<Proof>) {
    for lemma in translator.lemmas() {
        let alphabet = translator.alphabet.clone();
        let mut found = Vec::new();
        let all = lemma.needs.iter().all(|some| {
            some.iter().any(|(left, right)| {
                let mut right = vec![Part { name: "part".to_owned(), paths: expand(&alphabet, right), fact: false }];
                right.extend(impossible_somewhere(&alphabet));
                let question = Question { alphabet: &alphabet, left, right: &right, ways: Ways::Straight };
                match search(&question) {
                    Outcome::Included(invariant) => {
                        let (alphabet, left) = (alphabet.clone(), left.clone());
                        found.push(Proof { alphabet, left, right, ways: Ways::Straight, invariant });
                        true
                    }
                    _ => false,
                }
            })
        });
        if all {
            translator.alphabet.pair_fact(&[lemma.part], &[lemma.whole]);
            proofs.append(&mut found);
        }
    }
}

/// Paths with a part that no execution has.
pub fn impossible_somewhere(alphabet: &Alphabet) -> Vec<Part> {
    let anything = Nfa::step(Cube::ANY).star();
    let everywhere = alphabet.impossible.iter().filter(|impossible| !impossible.closed);
    let part = |known: &Impossible| Part {
        name: known.name.clone(),
        paths: anything.clone().then(&expand(alphabet, &known.path)).then(&anything),
        fact: true,
    };
    everywhere.map(part).collect()
}

/// The same proof with fewer axioms.
fn fewest(
    alphabet: &Alphabet,
    left: &Nfa,
    mut right: Vec<Part>,
    ways: Ways,
    mut invariant: Vec<Config>,
) -> (Vec<Part>, Vec<Config>) {
    let mut at = 0;
    while at < right.len() {
        if right[at].fact {
            at += 1;
            continue;
        }
        let mut fewer = right.clone();
        fewer.remove(at);
        match search(&Question { alphabet, left, right: &fewer, ways }) {
            Outcome::Included(found) => (right, invariant) = (fewer, found),
            _ => at += 1,
        }
    }
    (right, invariant)
}

fn used(right: &[Part], strong: &Strong) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for part in right.iter().filter(|part| !part.fact) {
        match (&strong.coherent, part.name.as_str()) {
            (Some(axioms), "coherence") => all.extend(axioms.iter().cloned()),
            _ => all.push(part.name.clone()),
        }
    }
    all.sort();
    all.dedup();
    all
}

/// An automaton in which a letter is replaced by what it lies within, wherever the rule applies.
fn rewritten(nfa: &Nfa, rule: &Rewrite) -> Nfa {
    let mut result = Nfa { edges: vec![Vec::new(); nfa.len()], start: nfa.start.clone(), accept: nfa.accept.clone() };
    for from in 0..nfa.len() {
        for (label, to) in &nfa.edges[from] {
            match label {
                Label::Step(cube) if cube.implies(rule.pair) => {
                    let test = |formula: &Formula| Nfa::test(formula.clone());
                    let ruled = test(&rule.source).then(&rule.becomes).then(&test(&rule.target));
                    splice(&mut result, from, *to as usize, &ruled);
                    // Where the rule does not apply.
                    let others = [
                        test(&rule.source.clone().negated()).then(&Nfa::step(*cube)),
                        Nfa::step(*cube).then(&test(&rule.target.clone().negated())),
                    ];
                    for other in others.iter().filter(|other| !other.is_empty()) {
                        splice(&mut result, from, *to as usize, other);
                    }
                }
                _ => result.edges[from].push((label.clone(), *to)),
            }
        }
    }
    result.tidy()
}

/// A path for people.
pub fn walked(alphabet: &Alphabet, path: &[Stop]) -> String {
    let names = |cube: Cube, name: &dyn Fn(u8) -> String, all: bool| {
        let mut own: Vec<String> = cube.literals().filter(|(_, holds)| *holds).map(|(atom, _)| name(atom)).collect();
        if !all {
            own.truncate(3);
        }
        own.join("&")
    };
    let mut out = String::new();
    for stop in path {
        out += &format!("[{}]", names(stop.event, &|atom| alphabet.event_name(atom).to_owned(), false));
        if let Some(step) = stop.step {
            out += &format!(" {} ", names(step, &|atom| alphabet.pair_name(atom).to_owned(), true));
        }
    }
    out
}
