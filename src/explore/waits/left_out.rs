//! Reads of rounds that are left out, and the writes with which they might race.
//!
//! A read of a failed round is in no execution that is shown. It may race with a write that comes only when its thread has gone on. So it is remembered where such reads were, and which writes would race with them;
//! and which writes there were, in whatever execution, by all who explore the program. Where both come together, exploration begins anew, with all rounds.

use crate::ids::TagSetId;
use crate::program::Half;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// What a write is to a model, besides what its thread is.
pub(crate) type Kind = (TagSetId, Half);

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

/// Bytes of memory that follow each other, with a kind of writes: from, to, tags, half.
type Run = (u64, u64, TagSetId, Half);

/// The same as data.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Told {
    reads: Vec<Run>,
    writes: Vec<Run>,
}

impl Told {
    /// Whether nothing was left out, and there were no writes.
    pub(crate) fn is_empty(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty()
    }
}

fn runs(bytes: &FxHashSet<(u64, Kind)>) -> Vec<Run> {
    let mut sorted: Vec<(TagSetId, Half, u64)> = bytes.iter().map(|&(byte, (tags, half))| (tags, half, byte)).collect();
    sorted.sort_unstable();
    let mut runs: Vec<Run> = Vec::new();
    for (tags, half, byte) in sorted {
        match runs.last_mut() {
            Some((_, to, of, with)) if (*to, *of, *with) == (byte, tags, half) => *to += 1,
            _ => runs.push((byte, byte + 1, tags, half)),
        }
    }
    runs
}

fn bytes(runs: &[Run]) -> impl Iterator<Item = (u64, Kind)> {
    runs.iter().flat_map(|&(from, to, tags, half)| (from..to).map(move |byte| (byte, (tags, half))))
}

impl LeftOut {
    /// What was left out, as data; with `forget`, it begins anew.
    pub(crate) fn told(&self, forget: bool) -> Told {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let told = Told { reads: runs(&all.reads), writes: runs(&all.writes) };
        if forget {
            *all = Bytes::default();
        }
        told
    }

    /// Adds what another has left out.
    pub(crate) fn add(&self, told: &Told) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.reads.extend(bytes(&told.reads));
        all.writes.extend(bytes(&told.writes));
    }

    /// Whether a read was left out that would race with a write.
    pub(crate) fn meets(&self) -> bool {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.reads.iter().any(|read| all.writes.contains(read))
    }

    /// A read is left out that would race with writes of a kind. Whether there were any.
    pub(crate) fn leave_out(&self, mut bytes: Range<u64>, kind: Kind) -> bool {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.reads.extend(bytes.clone().map(|byte| (byte, kind)));
        bytes.any(|byte| all.writes.contains(&(byte, kind)))
    }

    /// There is a write of a kind. Whether a read that would race with it was left out.
    pub(crate) fn write(&self, mut bytes: Range<u64>, kind: Kind) -> bool {
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

    #[test]
    fn what_meets_between_two_who_explore_is_noticed_when_both_have_told() {
        let [plain, atomic] = [(1, Half::None), (1, Half::AmoWrite)].map(|(tags, half)| (TagSetId(tags), half));
        let [first, second, all] = [(); 3].map(|()| LeftOut::default());
        assert!(!first.leave_out(8..12, plain) && !first.write(8..12, atomic) && !first.write(20..24, plain));
        assert!(!second.write(11..13, plain) && !second.meets());
        let [first, second] = [first, second].map(|one| {
            let told = one.told(true);
            assert_eq!(one.told(false), Told::default());
            let text = serde_json::to_string(&told).expect("as text");
            assert_eq!(serde_json::from_str::<Told>(&text).expect("read"), told);
            told
        });
        assert_eq!(first.reads, [(8, 12, plain.0, plain.1)]);
        all.add(&first);
        assert!(!all.meets());
        all.add(&second);
        assert!(all.meets());
        assert_eq!(all.told(false).reads, first.reads);
    }
}
