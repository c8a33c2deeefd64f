//! What an item of a schedule waits for: it is skipped while none of the slots that it reads has changed.

use super::code::{Chain, Instr, Item, Mention, Operand, Place, Step, Test, UNIVERSE};

/// Words of a set of slots.
const WORDS: usize = 4;

/// A set of slots, of which several may share a bit: what is said to have changed may not have, never the other way round.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::kernel) struct Wake([u64; WORDS]);

impl Wake {
    /// Every slot.
    pub(in crate::kernel) const ALL: Wake = Wake([!0; WORDS]);

    /// Adds a slot.
    #[inline]
    pub(in crate::kernel) fn insert(&mut self, place: Place) {
        let bit = Self::bit(place);
        self.0[bit / 64 % WORDS] |= 1 << (bit % 64);
    }

    /// Whether a slot may be among them.
    #[inline]
    pub(in crate::kernel) fn has(&self, place: Place) -> bool {
        let bit = Self::bit(place);
        self.0[bit / 64 % WORDS] >> (bit % 64) & 1 == 1
    }

    #[inline]
    fn bit(place: Place) -> usize {
        match place {
            Place::Set(slot) => 2 * slot.0 as usize,
            Place::Rel(slot) => 2 * slot.0 as usize + 1,
        }
    }

    /// Whether there may be a common slot.
    #[inline]
    pub(in crate::kernel) fn meets(&self, other: &Wake) -> bool {
        (0..WORDS).fold(0, |all, k| all | self.0[k] & other.0[k]) != 0
    }

    /// What [`Chain::sources`] says. A new path from an older event enters a new event by one of the steps, or has a new edge or
    /// member between older events: `State::entered` holds the slots of either.
    pub(in crate::kernel) fn of_sources(chain: &Chain) -> Option<Wake> {
        let mut wake = Wake::default();
        let mut has_edge = false;
        for step in &chain.steps {
            match *step {
                Step::Rel { slot, opt } => {
                    has_edge |= !opt;
                    wake.insert(Place::Rel(slot));
                }
                Step::Mask(set) => wake.insert(Place::Set(set)),
                Step::Jump(_) => return None,
            }
        }
        // What is subtracted takes away from older events only where it has gained something itself.
        chain.and.iter().chain(&chain.not).for_each(|&slot| wake.insert(Place::Rel(slot)));
        (has_edge && !chain.differ).then_some(wake)
    }

    /// The slots that make an item worth running.
    pub(in crate::kernel) fn of(item: &Item) -> Wake {
        let mut wake = Wake::default();
        item.clone().visit(&mut |mention| match mention {
            Mention::Set(slot, _) => wake.insert(Place::Set(*slot)),
            Mention::Rel(slot, _) => wake.insert(Place::Rel(*slot)),
        });
        if sees_new_events(item) {
            wake.insert(Place::Set(UNIVERSE));
        }
        if is_constant(item) { Wake::ALL } else { wake }
    }
}

/// Whether an event that is in none of the slots can matter to an item.
fn sees_new_events(item: &Item) -> bool {
    match item {
        Item::Do(Instr::Rows { chains, .. }) => chains.iter().any(has_identity),
        Item::Do(Instr::Inter { of, .. }) => of.is_empty(),
        Item::Do(Instr::Group(_)) => true,
        Item::Do(_) => false,
        Item::Check(check) => check.tests.iter().any(|Test { of, .. }| match of {
            Operand::Set(_) => false,
            Operand::Rows(chains) => chains.iter().any(has_identity),
        }),
        Item::Section(section) => section.body.iter().any(sees_new_events),
    }
}

/// Whether a chain relates an event of which nothing is known. Any other begins or goes on with an edge or a membership of the event.
fn has_identity(chain: &Chain) -> bool {
    !chain.steps.iter().any(|step| matches!(step, Step::Rel { opt: false, .. } | Step::Mask(_)))
}

/// Whether an item has a check that looks at nothing.
fn is_constant(item: &Item) -> bool {
    match item {
        Item::Do(_) => false,
        Item::Check(check) => check.tests.is_empty(),
        Item::Section(section) => section.body.iter().any(is_constant),
    }
}
