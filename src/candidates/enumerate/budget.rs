//! How much an enumeration may do, how far it has come, and when it is foreseeable that it comes to no end.

use crate::candidates::enumerate::ends::Ends;
use crate::explore::engine::context::World;
use crate::explore::options::Options;
use crate::graph::{Graph, Status};
use crate::ids::ThreadId;
use crate::program::fault::Fault;
use crate::program::{Program, Start};
use rustc_hash::FxHashSet;

/// How much more may be done, how far it has come, whether a thread was cut, and the size of the largest graph.
pub(crate) struct Budget<'o> {
    /// What there was at first.
    pub(in crate::candidates) limit: u64,
    pub(in crate::candidates) left: u64,
    /// What was left when the guesses that are being made were begun.
    begun: u64,
    /// Which part of these guesses is done.
    pub(in crate::candidates) done: f64,
    /// Whether a graph counts as many as it has events, and an event that the model is asked about as [`ASKED`], or each as one.
    weighs: bool,
    /// How often something was taken.
    taken: u32,
    pub(in crate::candidates) cut: bool,
    /// Events of the largest guess, and of the largest run that values were collected from.
    pub(in crate::candidates) largest: usize,
    pub(in crate::candidates) longest: usize,
    /// Values are being collected, of incomplete runs as well.
    collects: bool,
    /// Threads go both ways from conditions for that; and the writes that they have come to, by thread and key.
    pub(in crate::candidates) both_ways: bool,
    pub(in crate::candidates) written: FxHashSet<(ThreadId, u64)>,
    pub(in crate::candidates) options: &'o Options,
}

/// What asking the model about an event costs, in copies of an event.
pub(in crate::candidates) const ASKED: usize = 8;

/// What running a thread to its next event costs.
pub(in crate::candidates) const RUN: usize = 4;

/// How often something is taken between two looks at the clock: each may be a copy of a large graph.
const LOOK_UP: u32 = 16;

/// What part of the limit is for the values that threads write which go both ways from conditions.
const PART: u64 = 4;

/// When this part of the limit is spent, and what is done of the guesses says that all of them take more than so many times the limit, the rest is
/// not spent.
pub(in crate::candidates) const SOON: u64 = 16;
const HOPELESS: f64 = 64.0;

/// Guesses that begin with some: as an interval of all guesses, where those that go on with one value take as much as those with another.
#[derive(Clone, Copy)]
pub(crate) struct Stretch {
    pub(in crate::candidates) from: f64,
    length: f64,
}

impl Stretch {
    pub(in crate::candidates) const ALL: Stretch = Stretch { from: 0.0, length: 1.0 };
    /// No guess is left.
    pub(in crate::candidates) const NONE: Stretch = Stretch { from: 1.0, length: 0.0 };

    /// The guesses that go on with one of so many values.
    pub(in crate::candidates) fn with(self, i: usize, of: usize) -> Stretch {
        let length = self.length / of as f64;
        Stretch { from: self.from + i as f64 * length, length }
    }
}

impl<'o> Budget<'o> {
    pub(in crate::candidates) fn new(left: u64, weighs: bool, options: &'o Options) -> Self {
        let (limit, begun) = (left, left);
        Budget {
            limit,
            left,
            begun,
            done: 0.0,
            weighs,
            taken: 0,
            cut: false,
            largest: 0,
            longest: 0,
            collects: false,
            both_ways: false,
            written: FxHashSet::default(),
            options,
        }
    }

    /// All guesses are made, with values collected only or for good.
    pub(in crate::candidates) fn begin(&mut self, collects: bool) {
        (self.collects, self.begun, self.done) = (collects, self.left, 0.0);
    }

    /// Whether it is foreseeable that the limit will be reached.
    pub(in crate::candidates) fn is_hopeless(&self) -> bool {
        let spent = self.begun - self.left;
        self.weighs && spent >= self.limit / SOON && spent as f64 > self.done * HOPELESS * self.limit as f64
    }

    /// Takes what something costs; `false` when nothing is left, or no time.
    pub(in crate::candidates) fn take(&mut self, weight: usize) -> bool {
        self.left = self.left.saturating_sub(if self.weighs { weight.max(1) as u64 } else { 1 });
        self.taken = self.taken.wrapping_add(1);
        if self.taken.is_multiple_of(LOOK_UP) && (self.options.should_stop() || self.is_hopeless()) {
            self.left = 0;
        }
        self.left > 0
    }

    /// Whether threads may be run both ways from conditions. Where a limit is on the number of graphs, those of C programs are not: it would be spent on that.
    pub(in crate::candidates) fn may_go_both_ways(&self, program: &Program) -> bool {
        self.left > 0 && (self.weighs || matches!(program.start, Start::Together(_)))
    }

    /// Whether guesses that end in an error are explained, too, as they are under a model. Threads then go on behind an assertion that fails, as in exploration.
    pub(in crate::candidates) fn explains_errors(&self) -> bool {
        self.weighs
    }

    /// Has values collected with threads going both ways from conditions, and a part of the limit. `None`: that was not enough.
    pub(in crate::candidates) fn lent<R>(&mut self, collect: impl FnOnce(&mut Self) -> R) -> Option<R> {
        let all = self.left;
        let part = all.min(self.limit / PART);
        (self.left, self.both_ways) = (part, true);
        let result = collect(self);
        let is_enough = self.left > 0;
        self.both_ways = false;
        self.left = all - (part - self.left);
        is_enough.then_some(result)
    }

    /// Whether a graph is not too large.
    pub(in crate::candidates) fn has_room(&mut self, graph: &Graph) -> bool {
        let largest = if self.collects { &mut self.longest } else { &mut self.largest };
        *largest = (*largest).max(graph.len());
        graph.len() <= self.options.max_events
    }

    /// A thread waits, or has failed: the run will not be complete, unless another one ends the program. Whether that ends it; while values are collected the other threads go on,
    /// because what they write may be what the thread waits for.
    pub(in crate::candidates) fn gives_up(
        &self,
        world: &World<'_>,
        graph: &mut Graph,
        t: ThreadId,
        why: Status,
        ends: Ends,
    ) -> bool {
        graph.lane_mut(t).status = why;
        !self.collects && ends.end_with_a_wait(world)
    }

    /// A thread has ended in an error: whether that ends the run.
    pub(in crate::candidates) fn ends_in_error(&mut self, graph: &mut Graph, t: ThreadId, fault: Fault) -> bool {
        if self.collects {
            graph.lane_mut(t).status = Status::Assumed;
            return false;
        }
        if self.explains_errors() {
            graph.lane_mut(t).status = Status::Faulted(fault);
            return false;
        }
        self.cut = true;
        true
    }

    /// What has been covered, and whether what may be read is not all known.
    pub(in crate::candidates) fn covered(&self, is_open: bool) -> Coverage {
        match (self.left, self.cut || is_open) {
            (0, _) => Coverage::Limit,
            (_, true) => Coverage::Cut,
            _ => Coverage::All,
        }
    }

    /// Nothing more is wanted.
    pub(in crate::candidates) fn end(&mut self) {
        self.left = 0;
    }
}

/// What an enumeration covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// Every candidate.
    All,
    /// Not those in which a thread was cut by a bound.
    Cut,
    /// The limit on the number of graphs, or on time, was reached.
    Limit,
}

impl Coverage {
    pub(crate) fn and(self, other: Coverage) -> Coverage {
        match (self, other) {
            (Coverage::Limit, _) | (_, Coverage::Limit) => Coverage::Limit,
            (Coverage::Cut, _) | (_, Coverage::Cut) => Coverage::Cut,
            _ => Coverage::All,
        }
    }
}

/// Explains a graph whose reads have values and no sources.
pub(in crate::candidates) type Explain<'e> = &'e mut dyn FnMut(&World<'_>, Graph, &mut Budget<'_>);

#[cfg(test)]
mod tests {
    use super::*;

    /// How much is left of a limit that is taken one by one, when so much of the guesses is done all the while.
    fn left(limit: u64, weighs: bool, done: f64) -> u64 {
        let options = Options::default();
        let mut budget = Budget::new(limit, weighs, &options);
        budget.begin(false);
        budget.done = done;
        let taken = (0..limit).take_while(|_| budget.take(1)).count();
        limit - taken as u64
    }

    #[test]
    fn a_limit_that_is_far_from_enough_is_not_spent() {
        let limit = 1 << 14;
        assert!(left(limit, true, 0.0) > limit / 2);
        assert!(left(limit, true, 0.5 / (HOPELESS * SOON as f64)) > limit / 2);
        assert_eq!(left(limit, true, 1.0 / HOPELESS), 1);
        // A limit on the number of graphs is one that somebody asked for.
        assert_eq!(left(limit, false, 0.0), 1);
    }

    #[test]
    fn guesses_are_parts_of_those_before() {
        let second = Stretch::ALL.with(1, 4);
        let last = second.with(2, 3);
        assert_eq!((second.from, second.length), (0.25, 0.25));
        assert!((last.from + last.length - 0.5).abs() < 1e-12);
    }
}
