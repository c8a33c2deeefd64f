//! What a thread keeps outside of memory: the state of its processor. No event reads or writes it.

use super::context::Slot;
use crate::program::deps::{DepId, DepTable};
use crate::program::instr::WORDS;
use std::sync::Arc;

/// The words of a thread. Most threads have none, and are copied at each event: there is no memory for them before one is written.
#[derive(Clone, Debug, Default)]
pub(super) struct Words(Option<Arc<[Slot; WORDS]>>);

impl Words {
    pub(super) fn get(&self, word: u8) -> Slot {
        self.0.as_ref().map_or_else(Slot::default, |words| words[usize::from(word)])
    }

    pub(super) fn set(&mut self, word: u8, to: Slot) {
        Arc::make_mut(self.0.get_or_insert_default())[usize::from(word)] = to;
    }

    /// All values, or none where none was ever written.
    pub(super) fn values(&self) -> impl Iterator<Item = u64> + Clone {
        self.0.iter().flat_map(|words| words.iter().map(|word| word.value))
    }

    /// Whether each depends at least on what that of another thread depends on; on this event where that one depends on the other.
    pub(super) fn covers(&self, own: u32, other: &Words, others: u32, table: &DepTable) -> bool {
        let deps = |words: &Words, at: usize| words.0.as_ref().map_or(DepId::NONE, |words| words[at].deps);
        (0..WORDS).all(|at| table.covers(deps(self, at), own, deps(other, at), others))
    }
}
