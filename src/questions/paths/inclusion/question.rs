//! What is asked, and what an answer is made of.

use crate::questions::paths::alphabet::Alphabet;
use crate::questions::paths::cube::Cube;
use crate::questions::paths::nfa::Nfa;

/// A right automaton: violations of an axiom, or what is impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub name: String,
    /// Its paths.
    pub paths: Nfa,
    /// Whether it is a fact, not an axiom.
    pub fact: bool,
}

/// What is asked.
#[derive(Debug)]
pub struct Question<'a> {
    /// The names and facts.
    pub alphabet: &'a Alphabet,
    /// The paths that have to be explained.
    pub left: &'a Nfa,
    /// What explains them.
    pub right: &'a [Part],
    /// Which paths are asked about.
    pub ways: Ways,
}

/// Which paths are asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ways {
    /// From any event to any other.
    Straight,
    /// Back to the first event; the right side begins there, too.
    Closed,
    /// Back to the first event; the right side may begin anywhere on the way.
    Turned,
}

/// A stop of a path: what is known of an event, and of the pair that leads on from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stop {
    /// The event.
    pub event: Cube,
    /// The step to the next one; none at the end.
    pub step: Option<Cube>,
}
