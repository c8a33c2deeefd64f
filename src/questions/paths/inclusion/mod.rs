//! Whether every path of one automaton is explained by another: inclusion, on the fly.
//!
//! A configuration is a state of the left automaton, what is known of the event at hand, and the set of states that the right automata may be in.
//! Sets are not determinised beforehand; a configuration with more knowledge and more states than another one is left out (antichains).
//!
//! Paths may lead from an event to itself ([`Ways`]). Then what is known of the first event is kept. The right side may begin anywhere on such a
//! cycle: a right state is a pair of where it began and where it is, and whether it has passed the end.
//!
//! What is not known of an event or a pair counts as against the right side. Where that is why the search fails, the cases are looked at one by one.

mod cases;
mod config;
mod question;
mod run;
mod table;
mod walk;

use super::alphabet::Alphabet;
use super::cube::Cube;
use super::nfa::{Label, Nfa};
use super::recursion::splice;
use cases::{Cases, explain};
pub use config::{Config, Right};
pub use question::{Part, Question, Stop, Ways};
use run::{Ended, Run};
use rustc_hash::FxHashMap;
use walk::Walk;

/// What came of a search.
#[derive(Clone, Debug)]
pub enum Outcome<T = Vec<Config>> {
    /// All paths are explained: the invariant.
    Included(T),
    /// A path that is not, as far as it was looked at: the steps with what is known of them.
    Open(Vec<Stop>),
    /// Too much was to be looked at.
    GaveUp,
}

/// How often cases are added.
const MOST_ROUNDS: usize = 40;

/// Turns the automaton of a right side into one that also has the paths that certainly lie within its steps.
pub fn expand(alphabet: &Alphabet, nfa: &Nfa) -> Nfa {
    let mut known: FxHashMap<Cube, Nfa> = FxHashMap::default();
    let mut result = Nfa { edges: vec![Vec::new(); nfa.len()], start: nfa.start.clone(), accept: nfa.accept.clone() };
    for from in 0..nfa.len() {
        for (label, to) in &nfa.edges[from] {
            match label {
                Label::Test(_) => result.edges[from].push((label.clone(), *to)),
                Label::Step(cube) => {
                    let paths = known.entry(*cube).or_insert_with(|| alphabet.paths_within(*cube));
                    splice(&mut result, from, *to as usize, paths);
                }
            }
        }
        for path in &alphabet.loops {
            splice(&mut result, from, from, path);
        }
    }
    result.tidy()
}

/// Looks for a proof.
pub fn search(question: &Question<'_>) -> Outcome {
    let mut cases = Cases::default();
    let walk = Walk::new(question.right);
    for _ in 0..MOST_ROUNDS {
        let mut run = Run::new(question, &walk, cases.clone());
        match run.search() {
            Ended::Included => {
                let configs = run.configs.into_iter().filter(|found| found.kept).map(|found| found.config);
                return Outcome::Included(configs.collect());
            }
            Ended::Open(at, missing) => {
                let path = run.path(at);
                match explain(question, &walk, &cases, missing, &path) {
                    Some(more) => cases = cases.and(more),
                    None => return Outcome::Open(path),
                }
            }
            Ended::GaveUp => return Outcome::GaveUp,
        }
    }
    Outcome::GaveUp
}

/// Whether the right side explains a path that another question left open.
pub fn explains(question: &Question<'_>, path: &[Stop]) -> bool {
    explain(question, &Walk::new(question.right), &Cases::default(), Cases::default(), path).is_some()
}
