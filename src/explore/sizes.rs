//! Accesses of different sizes that met: where they have to be cut, so that exploration can begin anew with all of them made of parts.

use crate::program::cuts::Cut;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Where accesses have to be cut.
#[derive(Default, Debug)]
pub struct Met(Mutex<Found>);

/// What was found.
#[derive(Clone, Default, Debug)]
pub struct Found {
    /// Where to cut.
    pub cuts: BTreeSet<Cut>,
    /// Whether threads access the same memory in different sizes, not only one of them.
    pub shared: bool,
}

impl Met {
    /// Notes more.
    pub fn note(&self, new: Found) {
        let mut found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        found.cuts.extend(new.cuts);
        found.shared |= new.shared;
    }

    /// What was found so far.
    pub fn found(&self) -> Found {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
