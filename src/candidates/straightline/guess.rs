//! Random descents, for an estimate of how many executions there will be ([`crate::explore::progress::descents`]).

use crate::candidates::straightline::assign::Assigner;
use crate::candidates::straightline::sets::each_set;
use crate::candidates::straightline::share::Level;
use crate::explore::options::Options;
use crate::explore::progress::descents::Dice;
use crate::program::{Entry, Program};

/// The descent that is made.
pub(super) struct Descent<'a> {
    dice: Dice<'a>,
    /// Of the numbers of alternatives so far.
    product: f64,
    /// Whether it has come to an execution.
    pub arrived: bool,
}

impl Descent<'_> {
    fn roll(&mut self, alternatives: usize) -> usize {
        self.product *= alternatives as f64;
        (self.dice)(alternatives)
    }
}

impl<'v> Assigner<'v> {
    /// Takes one alternative of each choice: the product of their numbers, 0 where that is no execution.
    pub fn descend(mut self, program: &Program, entries: &[Entry], options: &Options, dice: Dice<'v>) -> f64 {
        let mut descent = Descent { dice, product: 1.0, arrived: false };
        for (n, read) in self.at.chosen.iter_mut().zip(self.guessed) {
            *n = descent.roll(read.values.len());
        }
        self.descent = Some(descent);
        self.is_last = true;
        let ended = each_set(program, entries, options, &mut self);
        self.descent.filter(|descent| descent.arrived && ended.is_ok()).map_or(0.0, |descent| descent.product)
    }

    /// The first alternative to be taken of a choice of a thread: of the first, unless it is for the dice to say.
    pub(super) fn first_of(&mut self, alternatives: usize) -> usize {
        self.descent.as_mut().map_or(0, |descent| descent.roll(alternatives))
    }

    /// Where a choice with so many alternatives begins, if it is for the dice to say.
    pub(super) fn rolled(&mut self, alternatives: usize) -> Option<Level> {
        self.descent.as_mut().map(|descent| Level { taken: descent.roll(alternatives), left: 0 })
    }
}
