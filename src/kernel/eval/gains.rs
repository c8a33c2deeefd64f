//! What rows of older events can have gained since the last evaluation.
//!
//! Mostly an execution grows by one event, at the end of its thread. All edges that a slot gained then begin or end at it, and a chain of
//! such slots gained, in the rows of older events, only what leads to that event and on from it: pairs of all that leads to it, up to some step of the
//! chain, and all that it leads to from there. Mostly there are few, and they are found from the new event, not row by row: the cost of an event is that
//! of a column, not that of a matrix.

use super::Eval;
use crate::kernel::plan::code::{Chain, Place, RelSlot, Step, UNIVERSE};
use crate::kernel::row::{self, Row};
use crate::kernel::state::State;

/// More new events than these are not looked at one by one.
const FEW: u32 = 4;

/// The pairs in a buffer of [`Eval::gained`]: all sources of one, which are not new, are related to all its targets, as far as what the chain is
/// filtered by lets them through. Some may have been related before.
pub(in crate::kernel) fn pairs<const N: usize>(buffer: &[u64]) -> impl Iterator<Item = (&Row<N>, &Row<N>)> {
    buffer.as_chunks::<N>().0.chunks_exact(2).map(|pair| (&pair[0], &pair[1]))
}

impl<const N: usize> Eval<'_, N> {
    /// Whether a chain may have lost an edge between events that were there before.
    pub(in crate::kernel) fn may_lose(&self, chain: &Chain) -> bool {
        let shrunk = |place| self.state.any_shrunk && self.state.has_shrunk(place);
        chain.steps.iter().any(|step| match *step {
            Step::Rel { slot, .. } => shrunk(Place::Rel(slot)),
            Step::Mask(set) | Step::Jump(set) => shrunk(Place::Set(set)),
        }) || chain.and.iter().any(|&slot| shrunk(Place::Rel(slot)))
            || chain.not.iter().any(|&slot| self.state.is_loose(slot))
            || chain.differ && self.revalued_old(self.state.dirty(Place::Set(UNIVERSE)))
    }

    /// What a chain gained in rows of older events, if every slot of it gained only edges that begin or end at new events, it
    /// lost nothing, and it does not look at values: else `false`. ([`pairs`]; what is in the buffer is overwritten.)
    ///
    /// What was gained passes through a new event, for the first time at one of the steps. O(steps² · rows · words) at worst; mostly
    /// nothing leads to the new event there, and that costs nothing.
    pub(in crate::kernel) fn gained(&self, chain: &Chain, out: &mut Vec<u64>) -> bool {
        out.clear();
        let state = &*self.state;
        let fresh = *state.dirty::<N>(Place::Set(UNIVERSE));
        let grew_back = |slot: &RelSlot| state.any_shrunk && state.has_shrunk(Place::Rel(*slot));
        let is_loose = |step: &Step| match *step {
            Step::Rel { slot, .. } => state.is_loose(slot),
            Step::Mask(set) => !row::is_none(&row::minus(state.dirty::<N>(Place::Set(set)), &fresh)),
            Step::Jump(_) => true,
        };
        let is_known = !(chain.differ
            || chain.steps.iter().any(is_loose)
            || chain.and.iter().any(|&slot| state.is_loose(slot))
            || chain.not.iter().any(grew_back)
            || self.may_lose(chain));
        let older = row::minus(state.set::<N>(UNIVERSE), &fresh);
        if !is_known || row::is_none(&older) {
            return is_known;
        }
        let count = fresh.iter().map(|word| word.count_ones()).sum::<u32>();
        if count > FEW {
            return false;
        }
        for (i, step) in chain.steps.iter().enumerate() {
            let Step::Rel { slot, .. } = *step else { continue };
            if !state.entered.has(Place::Rel(slot)) {
                continue;
            }
            // What a row of an older event gained ends at a new one.
            let grown = row::and(state.dirty(Place::Rel(slot)), &older);
            if row::is_none(&grown) {
                continue;
            }
            for e in row::ones(&fresh) {
                let targets = self.walk_on(&chain.steps[i + 1..], &row::one(e));
                if row::is_none(&targets) {
                    continue;
                }
                let entering = if count == 1 { grown } else { state.sources(slot, e, &grown) };
                let sources = self.walk_back(&chain.steps[..i], entering, &older);
                if !row::is_none(&sources) {
                    out.extend_from_slice(&sources);
                    out.extend_from_slice(&targets);
                }
            }
        }
        true
    }

    /// The older events from which some steps lead to others through older events only.
    fn walk_back(&self, steps: &[Step], mut to: Row<N>, older: &Row<N>) -> Row<N> {
        for step in steps.iter().rev() {
            if row::is_none(&to) {
                return to;
            }
            to = match *step {
                Step::Rel { slot, opt } => {
                    let before = self.state.reaching(slot, &to, older);
                    if opt { row::or(&before, &to) } else { before }
                }
                Step::Mask(set) => row::and(&to, self.state.set(set)),
                Step::Jump(_) => *older,
            };
        }
        to
    }
}

/// Those of some events, word `k` of a row, that a chain's filters let through from `x`.
#[inline]
pub(in crate::kernel) fn let_through<const N: usize>(
    state: &State,
    chain: &Chain,
    x: usize,
    k: usize,
    mut targets: u64,
) -> u64 {
    chain.and.iter().for_each(|&slot| targets &= state.rel::<N>(slot)[x][k]);
    chain.not.iter().for_each(|&slot| targets &= !state.rel::<N>(slot)[x][k]);
    targets
}
