//! What an exploration counts.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What was counted.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Statistics {
    /// Distinct consistent complete executions, up to renaming where threads are interchangeable.
    pub complete: u64,
    /// How many there are, not up to renaming.
    pub in_all: u64,
    /// How many complete consistent graphs there are, not up to renaming. What the end of a C program does with one may be several executions, or an error.
    pub graphs: u64,
    /// How many threads are interchangeable with others, and were treated so.
    pub renamed: usize,
    /// Explorations that ended with a waiting thread or a failed assumption.
    pub blocked: u64,
    /// Those of them in which an assumption failed.
    pub assumed: u64,
    /// Those of the others in which a thread waits for a lock, or for something else that a library waits for.
    pub locked: u64,
    /// Explorations in which a thread was cut by a bound.
    pub cut: u64,
    /// Graphs that were left because no execution within the bound is reached from them.
    #[serde(default)]
    pub out_of_bounds: u64,
    /// Events added, all executions together.
    pub events: u64,
    /// The largest graph.
    pub events_max: usize,
    /// Revisits made.
    pub revisits: u64,
    /// Reads that a write might have revisited: it does not depend on them. Of a search that was stopped some count that were only looked up.
    pub revisitable: u64,
    /// Events that the model rejected.
    pub rejected: u64,
    /// What the model took, if that was to be measured ([`Options::timed`](super::Options::timed)).
    pub in_model: Duration,
    /// Whether there may be executions in which a write takes part in deciding that it happens, through no dependency that the model
    /// sees; these are not found.
    pub circular: bool,
    /// Whether the code leaves room for such executions with writes that exploration never came to (`may_have_circles`). Mostly there
    /// are none.
    pub suspected: bool,
    /// Whether a revisit was judged by a rule of which it is tested, not proved, that it loses nothing: it kept what was in holes, though a read there might read the write (`needs`); it was
    /// not made, or without what was lent (`loan`); or not, because of the order in which what it deletes was added (`ages`).
    pub unproved: bool,
    /// Whether the model rejected an execution only because the next event of a thread was added to it, by a check that is not certain to let
    /// executions go on: others may be lost. [`Plans::get_certain`](super::Plans::get_certain) has none of these checks.
    pub stuck: bool,
    /// Whether a thread came to read a location that none was to read ([`Equivalence::WhereRead`](super::Equivalence::WhereRead)). Then the search was stopped, and what it found is worth nothing.
    pub misjudged: bool,
    /// Whether a location where rounds that try again are left out got a value that it had before, or a read that was left out with one might race ([`Options::without_retries`](super::Options::without_retries)). Then the same holds.
    pub recurs: bool,
    /// The address of a location whose coherence does not follow from reads-from, where it was to ([`Equivalence::ReadsFromBut`](super::Equivalence::ReadsFromBut)). Then the same holds.
    pub ambiguous: Option<u64>,
    /// Whether accesses of different sizes met ([`Options::met`](super::Options::met)). Then the same holds.
    pub mixed: bool,
    /// Whether an execution was found again, or a revisit was met of which it is not seen whether others make the same. Executions are remembered, so each counts once; a search beside
    /// others is stopped there, and what it found is worth nothing.
    pub twofold: bool,
    /// Whether more executions were found than are remembered: if it is `twofold`, some may count twice.
    pub forgetful: bool,
    /// Whether more executions were found than are remembered where each was to be shown once ([`Options::first_of_sources`](super::Options::first_of_sources)): some may count twice.
    pub overfull: bool,
    /// Whether the search was stopped before its end (deadline, interrupt, or by the visitor).
    pub stopped: bool,
}

impl Statistics {
    /// Whether what is known of the program's locations turned out to be wrong, so that the search ended and has to begin anew.
    pub fn is_worthless(&self) -> bool {
        self.misjudged || self.recurs || self.mixed || self.ambiguous.is_some()
    }

    /// Adds the counts of another part of the same exploration.
    pub fn add(&mut self, other: &Statistics) {
        self.complete += other.complete;
        self.in_all = self.in_all.saturating_add(other.in_all);
        self.graphs = self.graphs.saturating_add(other.graphs);
        self.renamed = self.renamed.max(other.renamed);
        self.blocked += other.blocked;
        self.assumed += other.assumed;
        self.locked += other.locked;
        self.cut += other.cut;
        self.out_of_bounds += other.out_of_bounds;
        self.events += other.events;
        self.events_max = self.events_max.max(other.events_max);
        self.revisits += other.revisits;
        self.revisitable += other.revisitable;
        self.rejected += other.rejected;
        self.in_model += other.in_model;
        self.circular |= other.circular;
        self.suspected |= other.suspected;
        self.unproved |= other.unproved;
        self.stuck |= other.stuck;
        self.misjudged |= other.misjudged;
        self.recurs |= other.recurs;
        self.mixed |= other.mixed;
        self.ambiguous = self.ambiguous.or(other.ambiguous);
        self.twofold |= other.twofold;
        self.forgetful |= other.forgetful;
        self.overfull |= other.overfull;
        self.stopped |= other.stopped;
    }
}
