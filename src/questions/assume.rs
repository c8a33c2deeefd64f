//! Facts about executions that the user gives: `expr <= expr`, or `expr = expr`, which is two of them.

use super::paths::alphabet::{Impossible, Rewrite};
use super::paths::axiom::is_present;
use super::paths::cube::{Cube, Formula};
use super::paths::inclusion::{Outcome, Part, Question, Ways, expand, search};
use super::paths::nfa::{Label, Nfa};
use super::paths::translate::{Side, Translator};
use super::prove::{self, Answer, Proof};
use crate::algebra::simplify::simplify;
use crate::algebra::{Check, ExprId, Pool, Predicate, Role, Sort};
use crate::cat::{self, LoadRequest};

/// Claims are not rewritten in more ways.
const MOST: usize = 12;

/// An inclusion of relations, read.
pub struct Assumption {
    /// As it was written.
    pub text: String,
    pool: Pool,
    left: ExprId,
    right: ExprId,
}

/// Reads inclusions. Names are base names, and those of `stdlib.cat` and `cos.cat`.
pub fn parse(text: &str, arch: Option<&str>) -> Result<Vec<Assumption>, String> {
    let (left, right, both) = match (text.split_once("<="), text.split_once('=')) {
        (Some((left, right)), _) => (left, right, false),
        (None, Some((left, right))) => (left, right.trim_start_matches('='), true),
        _ => return Err(format!("`{text}` is no inclusion: write `expr <= expr`, or `expr = expr`")),
    };
    let one = |left: &str, right: &str| -> Result<Assumption, String> {
        let model = format!(
            "\"assumption\"\ninclude \"cos.cat\"\nlet the-left = ({left})\nlet the-right = ({right})\nempty the-left\nempty the-right\n"
        );
        let mut request = LoadRequest::text("assumption", model);
        request.arch = arch.map(str::to_owned);
        let loaded = cat::load(&request, &cat::Vocabulary::new(arch)).map_err(|errors| {
            let all: Vec<String> = errors.diagnostics.iter().map(|d| d.message().to_owned()).collect();
            format!("`{text}`: {}", all.join("; "))
        })?;
        if loaded.dynamic {
            return Err(format!("`{text}` can only be evaluated on executions"));
        }
        let mut model = loaded.model.clone();
        let of = |name: &str| model.definitions.iter().rev().find(|(own, _)| own == name).map(|(_, expr)| *expr);
        let (Some(left), Some(right)) = (of("the-left"), of("the-right")) else {
            return Err(format!("`{text}` defines nothing"));
        };
        if [left, right].iter().any(|x| model.pool.sort(*x) != Sort::Rel) {
            return Err(format!("`{text}` compares sets: write `[S] <= [T]`"));
        }
        model.checks = [left, right]
            .map(|expr| Check {
                name: None,
                role: Role::Require,
                predicate: Predicate::Empty,
                negated: false,
                expr,
                place: (0, 0..0),
            })
            .to_vec();
        // Conditions are simplified as conditions; the relations have to stay what they are.
        model.checks.iter_mut().for_each(|check| check.predicate = Predicate::Irreflexive);
        let simplified = simplify(&model, &|base| is_present(&loaded, arch, base), &[]);
        let [left, right] = [0, 1].map(|i| simplified.conditions[i]);
        let whole = |pool: &mut Pool, on: crate::algebra::simplify::Condition| match on.predicate {
            Predicate::Acyclic => pool.plus(on.expr),
            _ => on.expr,
        };
        let mut pool = simplified.pool;
        let (left, right) = (whole(&mut pool, left), whole(&mut pool, right));
        Ok(Assumption { text: text.to_owned(), pool, left, right })
    };
    let mut all = vec![one(left, right)?];
    if both {
        all.push(one(right, left)?);
    }
    Ok(all)
}

impl Assumption {
    /// Adds the fact to what is known of executions. Errors: a form that no rule fits.
    pub fn add(&self, translator: &mut Translator) -> Result<(), String> {
        let left = translator.relation(&self.pool, self.left, Side::Under)?;
        let right = translator.relation(&self.pool, self.right, Side::Over)?;
        let alphabet = &mut translator.alphabet;
        if right.is_empty() {
            alphabet.impossible.push(Impossible {
                name: format!("assumption {}", self.text),
                path: left,
                closed: false,
            });
            return Ok(());
        }
        if right == Nfa::epsilon() {
            alphabet.loops.push(left);
            return Ok(());
        }
        let mut used = false;
        // What lies within one letter explains that letter.
        if let Some(cube) = only_letter(&right)
            && let Some(literal) = only_literal(cube)
        {
            let known = alphabet.within.entry(literal).or_insert_with(|| Nfa::step(cube)).clone();
            alphabet.within.insert(literal, known.or(&left));
            used = true;
        }
        // One letter, between tests, is what it lies within.
        if let Some((source, pair, target)) = between_tests(&left) {
            alphabet.rewrites.push(Rewrite { source, pair, target, becomes: right, text: self.text.clone() });
            used = true;
        }
        match used {
            true => Ok(()),
            false => Err(format!("`{}` cannot be used: one of its sides has to be one letter, `id` or `0`", self.text)),
        }
    }
}

/// What is claimed of all executions of an architecture: with assumptions, does the inclusion hold?
pub fn claim(claimed: &Assumption, arch: Option<&str>, assumptions: &[Assumption]) -> Result<Answer, String> {
    let mut translator = Translator::new(super::paths::alphabet::Alphabet::new(arch)?);
    // The letters of the claim, before facts are added.
    translator.relation(&claimed.pool, claimed.left, Side::Over)?;
    translator.relation(&claimed.pool, claimed.right, Side::Under)?;
    for assumption in assumptions {
        assumption.add(&mut translator)?;
    }
    let left = translator.relation(&claimed.pool, claimed.left, Side::Over)?;
    let right = translator.relation(&claimed.pool, claimed.right, Side::Under)?;
    let alphabet = translator.alphabet.clone();
    let mut parts = vec![Part { name: claimed.text.clone(), paths: expand(&alphabet, &right), fact: false }];
    parts.extend(prove::impossible_somewhere(&alphabet));
    let mut last = String::new();
    let mut work = vec![(left.clone(), 0)];
    let mut known = vec![left];
    while let Some((left, depth)) = work.pop() {
        match search(&Question { alphabet: &alphabet, left: &left, right: &parts, ways: Ways::Straight }) {
            Outcome::Included(invariant) => {
                let proof = Proof { alphabet, left, right: parts, ways: Ways::Straight, invariant };
                super::certificate::check(&proof).map_err(|e| format!("the checker refuses a proof: {e}"))?;
                return Ok(Answer::Proved(vec![proof], Vec::new()));
            }
            Outcome::Open(path) => {
                if last.is_empty() {
                    last = prove::walked(&alphabet, &path);
                }
                for next in prove::replaced(&alphabet, &left, &path, depth) {
                    if known.len() < MOST && !known.contains(&next) {
                        known.push(next.clone());
                        work.push((next, depth + 1));
                    }
                }
            }
            Outcome::GaveUp => last = "the search was given up: too many cases".to_owned(),
        }
    }
    Ok(Answer::Open(last))
}

/// The letter of an automaton that is one step.
fn only_letter(nfa: &Nfa) -> Option<Cube> {
    match between_tests(nfa) {
        Some((source, cube, target)) if source == Formula::yes() && target == Formula::yes() => Some(cube),
        _ => None,
    }
}

fn only_literal(cube: Cube) -> Option<(u8, bool)> {
    let mut all = cube.literals();
    let first = all.next()?;
    all.next().is_none().then_some(first)
}

/// The tests and the step of an automaton that is one path with one step.
fn between_tests(nfa: &Nfa) -> Option<(Formula, Cube, Formula)> {
    let [start] = nfa.start[..] else { return None };
    let (mut at, mut source, mut target, mut step) = (start as usize, Vec::new(), Vec::new(), None);
    for _ in 0..nfa.len() {
        if nfa.accept[at] {
            let done = nfa.edges[at].is_empty();
            return step.filter(|_| done).map(|cube| (Formula::all(source), cube, Formula::all(target)));
        }
        let [(label, to)] = &nfa.edges[at][..] else { return None };
        match label {
            Label::Test(formula) if step.is_none() => source.push(formula.clone()),
            Label::Test(formula) => target.push(formula.clone()),
            Label::Step(_) if step.is_some() => return None,
            Label::Step(cube) => step = Some(*cube),
        }
        at = *to as usize;
    }
    None
}
