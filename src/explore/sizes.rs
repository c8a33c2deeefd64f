//! Accesses of different sizes that met: where they have to be cut, so that exploration can begin anew with all of them made of parts.

use crate::program::cuts::Cut;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Where accesses have to be cut.
#[derive(Default, Debug)]
pub struct Met(Mutex<Found>);

/// What was found.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Found {
    /// Where to cut.
    pub cuts: BTreeSet<Cut>,
    /// Whether threads access the same memory in different sizes, not only one of them.
    pub shared: bool,
}

impl Found {
    /// Adds what was found elsewhere.
    pub(crate) fn add(&mut self, other: Found) {
        self.cuts.extend(other.cuts);
        self.shared |= other.shared;
    }
}

impl Met {
    /// Notes more.
    pub fn note(&self, new: Found) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).add(new);
    }

    /// What was found, which is forgotten.
    pub(crate) fn drain(&self) -> Found {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What was found so far.
    pub fn found(&self) -> Found {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
