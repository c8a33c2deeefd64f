//! Giving part of a search away, and taking it up: paths of choices.
//!
//! A path says which alternative each choice on the way took, and what of the last one is left. The search is a function of its
//! beginning and of these choices, so that walking a path again leads to the same graph.

use super::judge::Judge;
use super::search::{Choice, Search};
use super::step::Step;
use super::world::World;
use super::{Go, Statistics};
use crate::graph::event::NO_EVENT;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Turns between two looks at whether there are threads to spare, and turns before the first.
const STEPS: u32 = 256;

const FIRST_LOOK: u32 = 16;

/// What a choice took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
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
struct Rest {
    /// As the choice counts its alternatives.
    next: usize,
    /// How many reads are left to be revisited, when it has come to that.
    revisits: Option<usize>,
}

/// Where a part of the search begins; by default, at the beginning of it all.
#[derive(Default, Debug)]
pub struct Path {
    turns: Vec<Turn>,
    rest: Option<Rest>,
}

/// How a search takes part in an exploration by several threads.
pub(super) struct Share<'a> {
    /// How many parts are asked for.
    pub wanted: &'a AtomicUsize,
    /// Everything is given up.
    pub broken: &'a AtomicBool,
    /// This part is given up.
    pub dropped: &'a AtomicBool,
    /// Gives a part away.
    pub give: &'a dyn Fn(Path),
    /// Looks for another thread.
    pub help: Option<&'a dyn Fn()>,
}

impl Share<'_> {
    /// Whether what is searched for is of no interest any more.
    pub fn is_dropped(&self) -> bool {
        self.dropped.load(Ordering::Relaxed) || self.broken.load(Ordering::Relaxed)
    }
}

impl<'p, J: Judge> Search<'_, 'p, J> {
    /// Runs the part of the search to which a path leads. Gives back the tables, and whether the visitor wanted to stop.
    pub(super) fn run_part(mut self, path: &Path) -> (Statistics, World<'p>, Go) {
        if let Some(rest) = path.rest
            && !self.walk(path, rest)
        {
            self.statistics.stopped = self.must_stop();
            return (self.statistics, self.world, Go::On);
        }
        self.run()
    }

    /// Gives away what is left of the lowest choice when somebody asks for work.
    pub(super) fn share_out(&mut self) {
        let Some(share) = &self.share else { return };
        let (wanted, give, help) = (share.wanted, share.give, share.help);
        self.turns = self.turns.wrapping_add(1);
        if self.turns % STEPS == FIRST_LOOK
            && let Some(help) = help
        {
            help();
        }
        if wanted.load(Ordering::Relaxed) > 0
            && let Some(path) = self.lowest_rest()
        {
            give(path);
        }
    }

    /// The path to what is left of the lowest choice that has alternatives left, which is not taken here any more.
    fn lowest_rest(&mut self) -> Option<Path> {
        let left = |choice: &Choice| match choice {
            Choice::Source { next, .. } => *next > 0,
            Choice::Value { next, values, .. } => *next < values.len(),
            Choice::Position { next, least, reader, revisits, .. } => {
                *next > *least || *reader == NO_EVENT && revisits.as_ref().is_none_or(|r| !r.is_empty())
            }
            Choice::Revisit { .. } => false,
        };
        let at = self.frames.iter().position(|frame| !frame.given && left(&frame.choice))?;
        let turns = self.frames[..at].iter().filter_map(|frame| turn(&frame.choice)).collect();
        let frame = &mut self.frames[at];
        frame.given = true;
        let rest = match &frame.choice {
            Choice::Source { next, .. } | Choice::Value { next, .. } => Rest { next: *next, revisits: None },
            Choice::Position { next, revisits, .. } => Rest { next: *next, revisits: revisits.as_ref().map(Vec::len) },
            Choice::Revisit { .. } => return None,
        };
        Some(Path { turns, rest: Some(rest) })
    }

    /// Walks a path and takes the first alternative of what is left at its end. `false`: there is none, or the search has to end.
    fn walk(&mut self, path: &Path, rest: Rest) -> bool {
        let before = self.statistics;
        let arrived = self.turns_of(path) && self.stands_at_choice(path.turns.last());
        self.statistics = before;
        if !arrived || !self.leave(rest) {
            // The same choices lead to the same graphs; if they ever did not, the parts would not make a whole.
            if !self.must_stop()
                && let Some(share) = &self.share
            {
                share.broken.store(true, Ordering::Relaxed);
            }
            return false;
        }
        self.next()
    }

    fn turns_of(&mut self, path: &Path) -> bool {
        path.turns.iter().enumerate().all(|(i, &turn)| {
            let last = i.checked_sub(1).map(|i| &path.turns[i]);
            self.stands_at_choice(last) && self.retake(turn)
        })
    }

    /// Runs on to the next choice; after a revisit the search is at one already.
    fn stands_at_choice(&mut self, last: Option<&Turn>) -> bool {
        matches!(last, Some(Turn::Revisit(_))) || matches!(self.advance(), Step::Choice)
    }

    /// Takes a turn at the choice that was just opened; the others are not taken here.
    pub(super) fn retake(&mut self, wanted: Turn) -> bool {
        let Some(mut frame) = self.frames.pop() else { return false };
        frame.given = true;
        match (wanted, &mut frame.choice) {
            (Turn::Source(n), Choice::Source { next, .. }) | (Turn::Position(n), Choice::Position { next, .. }) => {
                *next = n + 1;
            }
            (Turn::Value(n), Choice::Value { next, .. }) => *next = n,
            (Turn::Revisit(n), Choice::Position { event, next, least, revisits, .. }) => {
                let event = event.clone();
                let mut candidates = self.revisitable(&event);
                candidates.truncate(n + 1);
                if candidates.len() != n + 1 {
                    return false;
                }
                let Some(revisit) = candidates.pop() else { return false };
                (*next, *revisits) = (*least, Some(candidates));
                self.frames.push(frame);
                self.revisit(event, revisit.read, &revisit.keep);
                return true;
            }
            _ => return false,
        }
        self.take(frame) && self.frames.last().and_then(|frame| turn(&frame.choice)) == Some(wanted)
    }

    /// Leaves of the choice that was just opened what was given away.
    fn leave(&mut self, rest: Rest) -> bool {
        let Some(mut frame) = self.frames.pop() else { return false };
        let fits = match &mut frame.choice {
            Choice::Source { next, .. } | Choice::Value { next, .. } => {
                *next = rest.next;
                rest.revisits.is_none()
            }
            Choice::Position { event, next, revisits, .. } => {
                *next = rest.next;
                match rest.revisits {
                    None => true,
                    Some(n) => {
                        let event = event.clone();
                        let mut candidates = self.revisitable(&event);
                        let enough = candidates.len() >= n;
                        candidates.truncate(n);
                        *revisits = Some(candidates);
                        enough
                    }
                }
            }
            Choice::Revisit { .. } => false,
        };
        self.frames.push(frame);
        fits
    }
}

/// What a choice has taken.
fn turn(choice: &Choice) -> Option<Turn> {
    match choice {
        Choice::Source { next, .. } => Some(Turn::Source(*next)),
        Choice::Value { next, .. } => Some(Turn::Value(next.saturating_sub(1))),
        Choice::Position { revisits: Some(revisits), .. } => Some(Turn::Revisit(revisits.len())),
        Choice::Position { next, .. } => Some(Turn::Position(*next)),
        Choice::Revisit { .. } => None,
    }
}
