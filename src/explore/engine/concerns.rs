//! What a search consists of besides its graph and its frames: each part is what one concern knows.

use crate::analysis::interchangeable::Kin;
use crate::explore::checker::consistency::Checker;
use crate::explore::checker::known::Alone;
use crate::explore::engine::ending;
use crate::explore::holes::known::{Answers, Goal, Remembered, Script, Target};
use crate::explore::parallel::parts::Share;
use crate::explore::parallel::path::{Depth, Path};
use crate::explore::progress::online::Lookout;
use crate::explore::reduction::straight::Straight;
use crate::explore::waits::known::{Noted, Renewals, Retagged};
use crate::ids::EventId;
use crate::relation::bits::Bits;

/// What says whether graphs are consistent.
pub struct Judges<J> {
    /// What is known of two events of a thread by themselves.
    pub(in crate::explore) alone: Alone,
    /// The checkers of the graphs of nested revisits, the outermost first.
    pub(in crate::explore) checkers: Vec<J>,
    /// Checks what holds in any growth, where [`Self::checkers`] do not.
    pub(in crate::explore) general: Option<J>,
    /// Judges whether some coherence order makes a graph consistent, where some are of no interest.
    pub(in crate::explore) of_any_order: Option<J>,
}

impl<J: Checker> Judges<J> {
    pub(super) fn new(checker: J) -> Judges<J> {
        Judges {
            of_any_order: checker.of_any_order(),
            alone: Alone::default(),
            general: checker.of_any_growth(),
            checkers: vec![checker],
        }
    }
}

/// Searches ahead, which fill holes.
#[derive(Default)]
pub struct Filling {
    /// Looking only for a way to fill holes: nothing is shown, and only events added since this stamp are revisited.
    pub(in crate::explore) lookahead: Option<u32>,
    /// The write to which its thread must come besides, for the holes to count as filled.
    pub(in crate::explore) goal: Option<Box<Goal>>,
    /// Choices that must be made while filling holes; else none.
    pub(in crate::explore) script: Script,
    /// The graph to which a trial is to come; else none.
    pub(in crate::explore) target: Option<Box<Target>>,
    /// What was found, if it is to be known.
    pub(in crate::explore) remembered: Option<Box<Remembered>>,
    /// What was found out of what revisits keep.
    pub(in crate::explore) answers: Answers,
    /// Counts the turns of searches ahead.
    pub(in crate::explore) ahead: u64,
}

/// Ends of executions, and of rounds, that are not explored event by event.
#[derive(Default)]
pub struct Ends {
    /// The first thread of a C program, past its joins, when it is the only one left.
    pub(in crate::explore) ending: Option<ending::Ending>,
    /// Answers of [`super::search::Search::can_end_alone`].
    pub(in crate::explore) endings: ending::Endings,
    /// Whether every execution under the model has an interleaving that explains what is read; asked where interleavings are bounded.
    pub(in crate::explore) in_order: bool,
    /// The code of each thread, when outcomes are to be ruled out early.
    pub(in crate::explore) straight: Vec<Option<Straight>>,
    pub(in crate::explore) renewals: Renewals,
    pub(in crate::explore) retagged: Retagged,
    pub(in crate::explore) noted: Noted,
}

/// Threads that may change places.
pub struct Interchangeable {
    /// Threads that are explored once up to renaming.
    pub(in crate::explore) kin: Kin,
    /// For how many executions the one that is being shown stands.
    pub(in crate::explore) stands_for: u64,
}

impl Default for Interchangeable {
    fn default() -> Interchangeable {
        Interchangeable { kin: Kin::default(), stands_for: 1 }
    }
}

/// How a search works together with others, and is watched.
#[derive(Default)]
pub struct Sharing<'a> {
    pub(in crate::explore) share: Option<Share<'a, Path>>,
    /// Looks how much is left, for somebody who wants to know.
    pub(in crate::explore) lookout: Option<Lookout<'a>>,
    /// On the way to where a part begins: what is wrong with a thread there was shown by others.
    pub(in crate::explore) is_walking: bool,
    /// How far down the search has been.
    pub(in crate::explore) depth: Depth,
    /// Counts the turns of [`super::search::Search::run`].
    pub(in crate::explore) turns: u32,
}

/// Room that is used again.
#[derive(Default)]
pub struct Scratch {
    pub(in crate::explore) steps: u32,
    pub(in crate::explore) prefix: Bits,
    pub(in crate::explore) work: Vec<EventId>,
}
