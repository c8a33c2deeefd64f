//! What rows of older events can have gained since the last evaluation.
//!
//! Mostly an execution grows by one event, at the end of its thread. All edges that a slot gained then begin or end at it, and a chain of
//! such slots gained, in the rows of older events, only what leads to that event and on from it. In wide rows only these words need
//! to be looked at: the cost of an event is that of one column, not that of a matrix.

use super::code::{Chain, Place, RelSlot, Step, UNIVERSE};
use super::eval::Eval;
use super::row::{self, Row};
use smallvec::SmallVec;

/// From this width on it pays to find out.
const NARROW: usize = 4;

/// What a chain may have gained in rows of events that are not new.
pub(super) struct Gains<const N: usize> {
    /// The targets of what was gained in rows of older events.
    pub columns: Row<N>,
    /// The words of a row in which they are.
    pub words: SmallVec<[usize; 8]>,
    /// The events from which the last relation of the chain leads to something that was gained.
    last: Row<N>,
}

impl<const N: usize> Eval<'_, N> {
    /// Whether an event was added since the last evaluation.
    pub(super) fn is_fresh(&self, x: usize) -> bool {
        row::has(self.state.dirty::<N>(Place::Set(UNIVERSE)), x)
    }

    /// Whether a chain may have lost an edge between events that were there before.
    pub(super) fn may_lose(&self, chain: &Chain) -> bool {
        let shrunk = |place| self.state.any_shrunk && self.state.has_shrunk(place);
        chain.steps.iter().any(|step| match *step {
            Step::Rel { slot, .. } => shrunk(Place::Rel(slot)),
            Step::Mask(set) | Step::Jump(set) => shrunk(Place::Set(set)),
        }) || chain.and.iter().any(|&slot| shrunk(Place::Rel(slot)))
            || chain.not.iter().any(|&slot| self.state.is_loose(slot))
            || chain.differ && self.revalued_old(self.state.dirty(Place::Set(UNIVERSE)))
    }

    /// What a chain gained in rows of older events, if every slot of it gained only edges that begin or end at new events, it
    /// lost nothing, and it does not look at values.
    pub(super) fn gains(&self, chain: &Chain) -> Option<Gains<N>> {
        let state = &*self.state;
        let fresh = *state.dirty::<N>(Place::Set(UNIVERSE));
        let loose = |slot: &RelSlot| state.is_loose(*slot);
        let grew_back = |slot: &RelSlot| state.any_shrunk && state.has_shrunk(Place::Rel(*slot));
        if chain.differ || self.may_lose(chain) || chain.and.iter().any(loose) || chain.not.iter().any(grew_back) {
            return None;
        }
        // The events that a new one leads to, so far.
        let mut beyond = row::none::<N>();
        let mut last = fresh;
        // Whether an older event leads to a new one, so far.
        let mut enters = false;
        for step in &chain.steps {
            match *step {
                Step::Rel { slot, .. } if state.is_loose(slot) => return None,
                Step::Rel { slot, opt } => {
                    let before = beyond;
                    last = if enters { row::or(&fresh, &before) } else { before };
                    let rows = state.rel::<N>(slot);
                    beyond = row::ones(&last).fold(row::none(), |all, y| row::or(&all, &rows[y]));
                    row::join(&mut last, state.dirty(Place::Rel(slot)));
                    if opt {
                        row::join(&mut beyond, &before);
                    }
                    enters = enters && opt || state.entered.has(Place::Rel(slot));
                }
                Step::Mask(set) => {
                    if !row::is_none(&row::minus(state.dirty::<N>(Place::Set(set)), &fresh)) {
                        return None;
                    }
                    beyond = row::and(&beyond, state.set(set));
                }
                Step::Jump(_) => return None,
            }
        }
        let columns = if enters { row::or(&beyond, &fresh) } else { beyond };
        let words = (0..N).filter(|&k| columns[k] != 0).collect();
        Some(Gains { columns, words, last })
    }

    /// The same, if rows are wide and that is only a small part of them.
    pub(super) fn narrow_gains(&self, chain: &Chain) -> Option<Gains<N>> {
        if N < NARROW {
            return None;
        }
        self.gains(chain).filter(|gains| gains.words.len() <= N / 4)
    }

    /// Word `k` of what a chain gained in the row of an event that is not new; what it had before may be among it.
    pub(super) fn chain_word(&self, chain: &Chain, x: usize, k: usize, gains: &Gains<N>) -> u64 {
        let state = &*self.state;
        let mut wanted = gains.columns[k];
        chain.and.iter().for_each(|&slot| wanted &= state.rel::<N>(slot)[x][k]);
        chain.not.iter().for_each(|&slot| wanted &= !state.rel::<N>(slot)[x][k]);
        let last = chain.steps.iter().rposition(|step| matches!(step, Step::Rel { .. }));
        let (before, after) = chain.steps.split_at(last.unwrap_or(chain.steps.len()));
        for step in after {
            if let Step::Mask(set) = *step {
                wanted &= state.set::<N>(set)[k];
            }
        }
        if wanted == 0 {
            return 0;
        }
        let mut found = 0;
        let mut add = |word: u64| {
            found |= word & wanted;
            found == wanted
        };
        // Without a relation it is the identity, of which an older event gained nothing.
        if let (Some(at), Some(&Step::Rel { slot, opt })) = (self.walk(before, x), after.first()) {
            let rows = state.rel::<N>(slot);
            match at {
                None => {
                    add(rows[x][k] | if opt && x / 64 == k { 1 << (x % 64) } else { 0 });
                }
                Some(at) => {
                    let _ = opt && add(at[k]) || row::ones(&row::and(&at, &gains.last)).any(|y| add(rows[y][k]));
                }
            }
        }
        found
    }
}
