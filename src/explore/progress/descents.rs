//! How many executions there will be: an estimate from random descents. Exploration begins with it, and goes on with what it learns ([`crate::explore::progress::online`]).
//!
//! D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975: a descent that takes one of the
//! k alternatives of each choice at random, and ends at a leaf, says that there are as many leaves as the product of all k. The mean over
//! descents is right on average; the spread says how far to trust it. Descents that end in a contradiction, or with a waiting thread,
//! count as none.
//!
//! Limits: trees with a few large branches, or with many dead ends, need many descents; then the spread is large, and the mean mostly too small.

use crate::clock::Instant;
use crate::explore::checker::consistency::Kernel;
use crate::explore::each_start;
use crate::explore::engine::frames::{Choice, Step};
use crate::explore::engine::search::Search;
use crate::explore::options::{Options, prefix_kind};
use crate::explore::parallel::path::Turn;
use crate::explore::parallel::team::Beginning;
use crate::explore::progress::forecast::Estimate;
use crate::explore::visitor::Nobody;
use crate::graph::Status;
use crate::graph::event::NO_EVENT;
use crate::kernel::plan::Plan;
use crate::program::Program;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::Duration;

/// An estimate from so many descents; for a program that can begin in several ways, of the first. `None`: there were none.
pub fn estimate(program: &Program, plan: &Arc<Plan>, options: &Options, probes: u32) -> Option<Estimate> {
    let mut result = None;
    each_start(program, options, |beginning| {
        let mut descents = Descents::default();
        (0..probes).for_each(|_| descents.add(|dice| descend(program, plan, options, &beginning, dice)));
        result = descents.estimate();
        true
    });
    result
}

/// Says, for a choice of so many alternatives, which one is taken.
pub(crate) type Dice<'a> = &'a mut dyn FnMut(usize) -> usize;

/// Random descents so far.
#[derive(Default)]
pub(in crate::explore) struct Descents {
    seed: u64,
    number: u32,
    sum: f64,
    squares: f64,
}

impl Descents {
    /// Adds a descent: how many leaves it speaks for.
    fn add(&mut self, descend: impl FnOnce(Dice<'_>) -> f64) {
        let leaves = descend(&mut |n| self.below(n));
        self.number += 1;
        self.sum += leaves;
        self.squares += leaves * leaves;
    }

    /// A number below `n`, by a fixed sequence.
    fn below(&mut self, n: usize) -> usize {
        // Splitmix64.
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % (n as u64).max(1)) as usize
    }

    fn estimate(&self) -> Option<Estimate> {
        let n = f64::from(self.number);
        let mean = self.sum / n;
        let variance = (self.squares / n - mean * mean).max(0.0);
        let spread = (variance / (n - 1.0).max(1.0)).sqrt();
        (self.number > 0).then_some(Estimate { executions: mean, spread })
    }
}

/// Asks now and then, while a search runs, how many executions there will be.
pub(crate) struct Guessing<'a> {
    options: &'a Options,
    start: Instant,
    descents: RefCell<Descents>,
    due: Cell<Duration>,
}

impl<'a> Guessing<'a> {
    /// The search begins.
    pub fn new(options: &'a Options) -> Self {
        let first = options.forecast.as_ref().map(|forecast| forecast.first).unwrap_or_default();
        Guessing { options, start: Instant::now(), descents: RefCell::default(), due: Cell::new(first) }
    }

    /// Makes descents for a time, and tells, if that is due and somebody wants to know.
    pub fn guess(&self, descend: impl Fn(Dice<'_>) -> f64) {
        let (Some(forecast), due) = (&self.options.forecast, self.due.get()) else { return };
        if self.start.elapsed() < due {
            return;
        }
        let (begun, mut descents) = (Instant::now(), self.descents.borrow_mut());
        while begun.elapsed() < due / forecast.share && !self.options.should_stop() {
            descents.add(&descend);
        }
        if let Some(estimate) = descents.estimate() {
            forecast.set(estimate);
        }
        self.due.set(due * 2);
    }
}

/// A descent in the exploration of a program.
pub(in crate::explore) fn descend(
    program: &Program,
    plan: &Arc<Plan>,
    options: &Options,
    beginning: &Beginning<'_>,
    dice: Dice<'_>,
) -> f64 {
    let mut nobody = Nobody;
    let world = beginning.world(program, options);
    let checker = Kernel::new(plan, program);
    let mut search = Search::new(world, checker, prefix_kind(plan, options), &mut nobody).under(Some(plan));
    beginning.start(&mut search);
    search.descend(dice)
}

impl Search<'_, '_> {
    /// Goes down to a leaf: the product of the numbers of alternatives, 0 where the leaf is no complete execution.
    fn descend(mut self, dice: Dice<'_>) -> f64 {
        let mut product = 1.0;
        let mut at_choice = false;
        loop {
            if !at_choice {
                match self.advance() {
                    Step::Choice => {}
                    Step::Dead => return 0.0,
                    Step::End => return if self.everybody_ended() { product } else { 0.0 },
                }
            }
            let Some((alternatives, reads, least)) = self.alternatives() else { return 0.0 };
            if alternatives + reads == 0 {
                return 0.0;
            }
            product *= (alternatives + reads) as f64;
            let taken = dice(alternatives + reads);
            let turn = match self.frames.last().map(|frame| &frame.choice) {
                Some(Choice::Source { .. }) => Turn::Source(taken),
                Some(Choice::Value { .. }) => Turn::Value(taken),
                _ if taken >= alternatives => Turn::Revisit(taken - alternatives),
                _ => Turn::Position(taken + least),
            };
            if !self.retake(turn, true) || self.must_stop() {
                return 0.0;
            }
            at_choice = matches!(turn, Turn::Revisit(_));
        }
    }

    /// How many alternatives the choice that was just opened has, how many reads can be revisited besides, and the least of the
    /// alternatives.
    fn alternatives(&mut self) -> Option<(usize, usize, usize)> {
        let (positions, least, write) = match &self.frames.last()?.choice {
            Choice::Source { next, .. } => return Some((*next, 0, 0)),
            Choice::Value { values, .. } => return Some((values.len(), 0, 0)),
            Choice::Position { event, next, least, reader, .. } => {
                (next.saturating_sub(*least), *least, (*reader == NO_EVENT).then(|| event.clone()))
            }
            Choice::Revisit { .. } => return None,
        };
        let reads = write.map_or(0, |write| self.revisitable(&write).len());
        Some((positions, reads, least))
    }

    fn everybody_ended(&self) -> bool {
        let mut lanes = self.graph.lanes().iter();
        self.is_last() || lanes.all(|lane| matches!(lane.status, Status::Absent | Status::Finished | Status::Exited))
    }
}
