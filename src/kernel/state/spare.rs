//! Storage of sessions that have ended, kept for the next session of the plan: in a batch of small tests, making it and clearing it
//! would cost as much as using it. What sessions were asked is kept as well.

use super::State;
use crate::kernel::session::answers::Answers;
use crate::kernel::small::{AnySmall, Rooms};
use std::sync::{Mutex, PoisonError};

/// So many are kept: about as many as workers that use one plan at once.
const KEPT: usize = 16;
/// Storage that has grown beyond rows of so many words is not kept.
const WORDS: usize = 2;

/// What a session holds its execution in.
pub(in crate::kernel) struct Storage {
    pub state: State,
    /// With what it has found out about the plan.
    pub small: Option<AnySmall>,
    pub rooms: Rooms,
}

/// See the module.
#[derive(Default)]
pub(in crate::kernel) struct Spare {
    storage: Mutex<Vec<Storage>>,
    pub answers: Answers,
}

/// A copy of a plan has storage of its own.
impl Clone for Spare {
    fn clone(&self) -> Spare {
        Spare::default()
    }
}

impl Spare {
    /// Storage, to be reset before it is used.
    pub(in crate::kernel) fn take(&self) -> Option<Storage> {
        // A thread that panicked here left the list as it was.
        self.storage.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Gives storage back.
    pub(in crate::kernel) fn give(&self, storage: Storage) {
        if storage.state.shape.words <= WORDS {
            let mut kept = self.storage.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() < KEPT {
                kept.push(storage);
            }
        }
    }
}
