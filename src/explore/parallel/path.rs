//! Where a part of a search begins, and whether it is worth dividing.

/// A part is divided when it has done so many times what the way to it has cost.
const TIMES_THE_WAY: u64 = 2;

/// And, since it was deepest, one event (or turn of a search ahead) for so many choices there. On the way down there are one or two events a choice.
const CHOICES_AN_EVENT: u64 = 4;

/// Or so many turns of searches ahead were made for each choice on the way there. Long programs with one execution make about one; a walk makes few again.
const AHEAD_A_CHOICE: u64 = 2;

/// How far down a search has been.
#[derive(Default)]
pub(in crate::explore) struct Depth {
    /// What the way to the part has cost: choices, and turns of searches ahead.
    pub(super) way: u64,
    /// The longest path of choices that was followed.
    pub(super) deepest: usize,
    /// What had been done by then.
    pub(super) done: u64,
}

impl Depth {
    /// Of a part to which so many choices lead, and whose way has cost so much.
    pub(super) fn of(choices: usize, way: u64) -> Depth {
        Depth { way, deepest: choices, done: 0 }
    }

    /// Notes where the search is, and what it has done: events added, and turns of searches ahead. Whether that is enough to be worth dividing.
    pub(super) fn is_worth_it(&mut self, choices: usize, events: u64, ahead: u64) -> bool {
        let done = events + ahead;
        if choices > self.deepest {
            (self.deepest, self.done) = (choices, done);
        }
        let deepest = self.deepest as u64;
        let is_down = (done - self.done) * CHOICES_AN_EVENT >= deepest;
        done >= self.way * TIMES_THE_WAY && (is_down || ahead >= deepest * AHEAD_A_CHOICE)
    }
}

/// What a choice took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::explore) enum Turn {
    /// The source at this place of coherence.
    Source(usize),
    /// This position in coherence.
    Position(usize),
    /// This one of the values.
    Value(usize),
    /// This one of the reads that can be revisited.
    Revisit(usize),
}

/// What is left of a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rest {
    /// As the choice counts its alternatives.
    pub(super) next: usize,
    /// How many reads are left to be revisited, when it has come to that.
    pub(super) revisits: Option<usize>,
}

/// Where a part of the search begins; by default, at the beginning of it all.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Path {
    pub(super) turns: Vec<Turn>,
    /// From this turn on, what is left of the choices belongs to the part too.
    pub(super) own: usize,
    pub(super) rest: Option<Rest>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_given_away_on_the_way_down_nor_soon_after() {
        let mut depth = Depth::default();
        assert!((1..=100).all(|n| !depth.is_worth_it(n, 10 * n as u64, n as u64)));
        assert!(!depth.is_worth_it(99, 1024, 100));
        assert!(depth.is_worth_it(50, 1025, 100));
        assert!(!depth.is_worth_it(101, 2000, 100));
    }

    #[test]
    fn something_is_given_away_on_the_way_down_where_searches_ahead_take_longer() {
        let mut depth = Depth::default();
        assert!(!depth.is_worth_it(100, 100, 100 * AHEAD_A_CHOICE - 1));
        assert!(depth.is_worth_it(100, 100, 100 * AHEAD_A_CHOICE));
    }

    #[test]
    fn a_part_is_not_divided_before_it_was_worth_the_walk() {
        let mut depth = Depth::of(100, 100);
        assert!(!depth.is_worth_it(100, 100 * TIMES_THE_WAY - 1, 0));
        assert!(depth.is_worth_it(100, 100 * TIMES_THE_WAY, 0));
    }
}
