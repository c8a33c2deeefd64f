//! What pieces of a search note for all of it. Only together does it say whether the search has to begin anew: a read that one left out races with a write of another, accesses are to be cut.

use crate::explore::sizes::{Found, Met};
use crate::explore::statistics::Statistics;
use crate::explore::waits::left_out::{LeftOut, Told};
use serde::{Deserialize, Serialize};

/// What was noted.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Notes {
    left_out: Told,
    sizes: Found,
}

impl Notes {
    /// Whether nothing was.
    pub fn is_empty(&self) -> bool {
        self.left_out.is_empty() && self.sizes == Found::default()
    }

    /// What was noted where nobody else notes anything, which is forgotten there.
    pub(crate) fn drain(left_out: &LeftOut, met: Option<&Met>) -> Notes {
        Notes { left_out: left_out.told(true), sizes: met.map(Met::drain).unwrap_or_default() }
    }
}

/// All that was noted.
#[derive(Default)]
pub(crate) struct All {
    left_out: LeftOut,
    sizes: Found,
}

impl All {
    /// Adds what a piece has noted.
    pub fn add(&mut self, notes: &Notes) {
        self.left_out.add(&notes.left_out);
        self.sizes.add(notes.sizes.clone());
    }

    /// The same as data.
    pub fn notes(&self) -> Notes {
        Notes { left_out: self.left_out.told(false), sizes: self.sizes.clone() }
    }

    /// Tells whoever does the search.
    pub fn tell(self, statistics: &mut Statistics, met: Option<&Met>) {
        statistics.recurs |= self.left_out.meets();
        if let Some(met) = met {
            met.note(self.sizes);
        }
    }
}
