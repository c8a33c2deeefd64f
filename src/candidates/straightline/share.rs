//! Giving part of the search to another thread, and taking it up.
//!
//! The search goes through sets of events (each combination of guesses, each run of the threads), and in each through choices. What is left behind a
//! place in it is said by the number of the set, and by what is left of each choice on the way. The taker runs the threads up to that
//! set and makes the same choices again, in tables of its own.

use crate::candidates::straightline::assign::Assigner;
use crate::explore::parallel::parts::Share;

/// A part is divided when so many times as many steps have been made in it as the way there took.
const STEPS_A_STEP: u64 = 4;

/// Steps before another thread is called: what takes less is done sooner alone.
const FIRST_CALL: u32 = 512;

/// So many steps take as long as a turn of ordinary exploration, by which the size of parts is judged.
const STEPS_A_TURN: u64 = 16;

/// Which set of events.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Set {
    /// Which of its values each guessed read has.
    pub chosen: Vec<usize>,
    /// How many runs of the threads come before, with the same guesses.
    pub run: usize,
}

/// Where a choice stands. Alternatives are tried from the last to the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Level {
    /// The alternative that is being tried.
    pub taken: usize,
    /// How many are left, which come before it in number.
    pub left: usize,
}

/// Where a part of the search begins; by default, at the beginning of it all.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Way {
    pub(super) set: Set,
    /// What is left of choices in that set: of the last, what is left is where the part begins. None: the whole set.
    pub(super) levels: Vec<Level>,
    /// What comes after that set belongs to another part.
    pub(super) is_last: bool,
}

impl<'v> Assigner<'v> {
    /// Is to search a part.
    pub fn begin(&mut self, way: Way, share: Share<'v, Way>) {
        // An empty list of values is the first of each.
        self.at.chosen.iter_mut().zip(&way.set.chosen).for_each(|(n, &first)| *n = first);
        self.runs_before = way.set.run;
        self.is_last = way.is_last;
        self.way_steps = (way.set.run + way.levels.len()) as u64;
        self.way = way.levels;
        self.share = Some(share);
    }

    /// The part has ended.
    pub fn learn(&self) {
        if let Some(share) = &self.share {
            share.learn(self.statistics.events / STEPS_A_TURN);
        }
    }

    /// Gives away what is left of the lowest choices when somebody asks for work.
    pub(super) fn share_out(&mut self) {
        let Some(share) = &self.share else { return };
        if share.slice.is_some() {
            return;
        }
        if self.steps.is_multiple_of(FIRST_CALL)
            && let Some(help) = share.help
        {
            help();
        }
        if !share.is_asked() || !self.way.is_empty() || self.statistics.events < self.way_steps * STEPS_A_STEP {
            return;
        }
        let (give, portion) = (share.give, share.portion());
        if let Some(way) = self.lowest_rests(portion) {
            give(way);
        }
    }

    /// Gives all away that is left when the slice of the part has ended.
    pub(super) fn end_slice(&mut self) {
        let Some(share) = &self.share else { return };
        let (Some(slice), give) = (share.slice, share.give) else { return };
        if self.way.is_empty() && slice.is_over(self.statistics.events, self.steps) {
            while let Some(way) = self.lowest_rests(1) {
                give(way);
            }
        }
    }

    /// The way to what is left of so many of the lowest choices that have something left, but not of more than half of them; this is not
    /// searched here any more.
    fn lowest_rests(&mut self, portion: usize) -> Option<Way> {
        let open: Vec<usize> = (0..self.levels.len()).filter(|&i| self.levels[i].left > 0).collect();
        let all = open.len() + usize::from(!self.is_last);
        let taken = portion.min(all.div_ceil(2));
        // The sets that are left come before all choices.
        let of_choices = taken - usize::from(!self.is_last).min(taken);
        let levels = match of_choices.checked_sub(1).and_then(|last| open.get(last)) {
            Some(&last) => self.levels[..=last].to_vec(),
            None if taken == 0 => return None,
            None => Vec::new(),
        };
        let set = Set { run: self.at.run + usize::from(levels.is_empty()), chosen: self.at.chosen.clone() };
        self.levels[..levels.len()].iter_mut().for_each(|level| level.left = 0);
        let is_last = std::mem::replace(&mut self.is_last, true);
        Some(Way { set, levels, is_last })
    }
}
