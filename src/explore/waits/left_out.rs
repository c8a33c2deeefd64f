//! Reads of rounds that are left out, and the writes with which they might race.
//!
//! A read of a failed round is in no execution that is shown. It may race with a write that comes only when its thread has gone on. So it is remembered where such reads were, and which writes would race with them;
//! and which writes there were, in whatever execution, by all who explore the program. Where both come together, exploration begins anew, with all rounds.

use crate::ids::TagSetId;
use crate::program::Half;
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// What a write is to a model, besides what its thread is.
pub(in crate::explore) type Kind = (TagSetId, Half);

/// What was left out of the exploration of one program.
#[derive(Debug, Default)]
pub struct LeftOut(Mutex<Bytes>);

/// Bytes of memory, each with a kind of writes.
#[derive(Debug, Default)]
struct Bytes {
    /// Where reads were left out that race with writes of the kind.
    reads: FxHashSet<(u64, Kind)>,
    /// Where there are writes of the kind.
    writes: FxHashSet<(u64, Kind)>,
}

impl LeftOut {
    /// A read is left out that would race with writes of a kind. Whether there were any.
    pub(in crate::explore) fn leave_out(&self, mut bytes: Range<u64>, kind: Kind) -> bool {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.reads.extend(bytes.clone().map(|byte| (byte, kind)));
        bytes.any(|byte| all.writes.contains(&(byte, kind)))
    }

    /// There is a write of a kind. Whether a read that would race with it was left out.
    pub(in crate::explore) fn write(&self, mut bytes: Range<u64>, kind: Kind) -> bool {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.writes.extend(bytes.clone().map(|byte| (byte, kind)));
        bytes.any(|byte| all.reads.contains(&(byte, kind)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_meets_in_one_byte_is_noticed_whatever_comes_first() {
        let [plain, atomic] = [1, 2].map(|tags| (TagSetId(tags), Half::None));
        let all = LeftOut::default();
        assert!(!all.leave_out(8..12, plain) && !all.write(8..12, atomic) && !all.write(12..16, plain));
        assert!(all.write(11..13, plain));
        assert!(all.leave_out(15..20, plain) && !all.leave_out(16..20, plain));
    }
}
