//! Configurations: elements of the invariant that is the proof.

use crate::questions::paths::cube::Cube;

/// A state of the right side: the state that it began in and the one that it is in, counted through all parts, and whether it has passed its end
/// and begun anew.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Right(pub(super) u64);

impl Right {
    /// A state.
    pub fn new(origin: u32, at: u32, wrapped: bool) -> Right {
        Right(u64::from(origin) << 32 | u64::from(at) << 1 | u64::from(wrapped))
    }

    /// The state that it began in.
    pub fn origin(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The state that it is in.
    pub fn at(self) -> u32 {
        (self.0 as u32) >> 1
    }

    /// Whether it has passed its end.
    pub fn wrapped(self) -> bool {
        self.0 & 1 == 1
    }
}

/// An element of the invariant that is the proof.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Config {
    /// The state of the left automaton.
    pub left: u32,
    /// Whether no step has been made.
    pub fresh: bool,
    /// What is known of the first event.
    pub first: Cube,
    /// What is known of the event at hand.
    pub now: Cube,
    /// Where the right side may be, sorted.
    pub right: Vec<Right>,
}

/// Whether the second configuration is explained where the first one is: it knows at least as much, and the right side is at least as far.
pub(super) fn covers(one: &Config, other: &Config) -> bool {
    other.first.implies(one.first) && other.now.implies(one.now) && is_subset(&one.right, &other.right)
}

pub(super) fn is_subset(a: &[Right], b: &[Right]) -> bool {
    let mut b = b.iter();
    a.len() <= b.len() && a.iter().all(|x| b.find(|y| *y >= x) == Some(x))
}
