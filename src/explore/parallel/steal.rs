//! Giving part of a search away, and taking it up: paths of choices.
//!
//! A path says which alternative each choice on the way took, and what of the last one is left. The search is a function of its
//! beginning and of these choices, so that walking a path again leads to the same graph.
//!
//! Whether what is left of a choice is worth a walk is not known before it has been tried: alternatives may all be inconsistent. So a part
//! that turns out to be next to nothing makes the next ones larger, of several of the lowest choices; and a part is divided only when more
//! has been done in it than the walk there has cost, and a good deal of the walk to its deepest graph since it was there. So a program with one long
//! execution is left to one worker, which has nothing but alternatives that fail at once to give away, at the price of a graph as long for the taker.

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::context::World;
use crate::explore::engine::frames::{Choice, Frame, Step};
use crate::explore::engine::search::Search;
use crate::explore::parallel::parts::Share;
use crate::explore::parallel::path::{Depth, Path, Rest, Turn};
use crate::explore::statistics::Statistics;
use crate::explore::visitor::Go;
use smallvec::SmallVec;

/// Turns between two looks at whether there are threads to spare, and turns before the first.
const STEPS: u32 = 256;

const FIRST_LOOK: u32 = 16;

/// Turns between two looks at what is left, if somebody wants to know.
const LOOKS: u32 = 32;

impl<'a, 'p, J: Checker> Search<'a, 'p, J> {
    /// Runs the part of the search to which a path leads. Gives back the tables, and whether the visitor wanted to stop.
    pub(in crate::explore) fn run_part(mut self, path: &Path, share: Share<'a, Path>) -> (Statistics, World<'p>, Go) {
        self.sharing.share = Some(share);
        let arrived = path.rest.is_none_or(|rest| self.walk(path, rest));
        self.sharing.depth = Depth::of(path.turns.len(), path.turns.len() as u64 + self.filling.ahead);
        self.filling.ahead = 0;
        if !arrived {
            self.learn(0);
            self.statistics.stopped = self.must_stop();
            self.statistics.ambiguous = self.ambiguous;
            return (self.statistics, self.world, Go::On);
        }
        self.run()
    }

    /// A part has ended after so many turns.
    pub(in crate::explore) fn learn(&self, turns: u32) {
        if let Some(share) = &self.sharing.share {
            share.learn(u64::from(turns));
        }
    }

    /// Looks about now and then, and gives away what is left of the lowest choices when somebody asks for work.
    pub(in crate::explore) fn share_out(&mut self) {
        self.sharing.turns = self.sharing.turns.wrapping_add(1);
        if self.sharing.turns % LOOKS == FIRST_LOOK
            && let Some(lookout) = &mut self.sharing.lookout
        {
            lookout.look(self.frames.iter().map(Frame::progress), self.statistics.complete);
        }
        let Some(share) = &self.sharing.share else { return };
        if let Some(slice) = share.slice {
            let give = share.give;
            if slice.is_over(self.statistics.events, self.sharing.turns) {
                while let Some(path) = self.lowest_rests(1) {
                    give(path);
                }
            }
            return;
        }
        let (give, help, portion) = (share.give, share.help, share.portion());
        let is_worth_it = self.sharing.depth.is_worth_it(self.frames.len(), self.statistics.events, self.filling.ahead);
        if self.sharing.turns % STEPS == FIRST_LOOK
            && let Some(help) = help
        {
            help();
        }
        if is_worth_it
            && share.is_asked()
            && let Some(path) = self.lowest_rests(portion)
        {
            give(path);
        }
    }

    /// The path to what is left of the lowest choices that have alternatives left, so many of them, but not more than half of all; these are not taken here
    /// any more.
    fn lowest_rests(&mut self, portion: usize) -> Option<Path> {
        let is_open = |frame: &Frame| !frame.given && frame.choice.has_more();
        let open: SmallVec<[usize; 64]> = (0..self.frames.len()).filter(|&i| is_open(&self.frames[i])).collect();
        let at = *open.get(portion.min(open.len().div_ceil(2)).checked_sub(1)?)?;
        let turns = |from: usize, to: usize| (from..to).filter_map(|i| self.turn(i));
        let own = turns(0, open[0]).count();
        let turns = turns(0, at).collect();
        self.frames[..=at].iter_mut().for_each(|frame| frame.given = true);
        let rest = match &self.frames[at].choice {
            Choice::Source { next, .. } | Choice::Value { next, .. } => Rest { next: *next, revisits: None },
            Choice::Position { next, revisits, .. } => Rest { next: *next, revisits: revisits.as_ref().map(Vec::len) },
            Choice::Revisit { .. } => return None,
        };
        Some(Path { turns, own, rest: Some(rest) })
    }

    /// Walks a path and takes the first alternative of what is left at its end. `false`: there is none, or the search has to end.
    fn walk(&mut self, path: &Path, rest: Rest) -> bool {
        let before = self.statistics;
        self.sharing.is_walking = true;
        let arrived = self.turns_of(path) && self.stands_at_choice(path.turns.last());
        self.sharing.is_walking = false;
        self.statistics = before;
        if !arrived || !self.leave(rest) {
            // The same choices lead to the same graphs; if they ever did not, the parts would not make a whole.
            if !self.must_stop()
                && let Some(share) = &self.sharing.share
            {
                share.give_up();
            }
            return false;
        }
        self.next()
    }

    fn turns_of(&mut self, path: &Path) -> bool {
        path.turns.iter().enumerate().all(|(i, &turn)| {
            let last = i.checked_sub(1).map(|i| &path.turns[i]);
            self.stands_at_choice(last) && self.retake(turn, i < path.own)
        })
    }

    /// Runs on to the next choice; after a revisit the search is at one already.
    fn stands_at_choice(&mut self, last: Option<&Turn>) -> bool {
        matches!(last, Some(Turn::Revisit(_))) || matches!(self.advance(), Step::Choice)
    }

    /// Takes a turn at the choice that was just opened; whether those that come after it are taken elsewhere.
    pub(in crate::explore) fn retake(&mut self, wanted: Turn, given: bool) -> bool {
        let Some(mut frame) = self.frames.pop() else { return false };
        frame.given = given;
        match (wanted, &mut frame.choice) {
            (Turn::Source(n), Choice::Source { next, .. }) | (Turn::Position(n), Choice::Position { next, .. }) => {
                *next = n + 1;
            }
            (Turn::Value(n), Choice::Value { next, .. }) => *next = n,
            (Turn::Revisit(n), Choice::Position { event, next, least, revisits, .. }) => {
                let event = (**event).clone();
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
        self.take(frame) && self.frames.len().checked_sub(1).and_then(|at| self.turn(at)) == Some(wanted)
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
                        let (event, before) = (event.clone(), self.statistics);
                        let mut candidates = self.revisitable(&event);
                        // They were counted when this was given away.
                        self.statistics = before;
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

    /// What the choice of a frame has taken.
    fn turn(&self, at: usize) -> Option<Turn> {
        let revisits = || matches!(self.frames.get(at + 1).map(|above| &above.choice), Some(Choice::Revisit { .. }));
        match &self.frames.get(at)?.choice {
            Choice::Source { next, .. } => Some(Turn::Source(*next)),
            Choice::Value { next, .. } => Some(Turn::Value(next.saturating_sub(1))),
            Choice::Position { revisits: Some(left), .. } if revisits() => Some(Turn::Revisit(left.len())),
            Choice::Position { next, .. } => Some(Turn::Position(*next)),
            Choice::Revisit { .. } => None,
        }
    }
}
