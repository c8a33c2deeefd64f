//! What is remembered of questions about a few events, by all that a model can see of them.

use crate::ids::{LocId, TagSetId};
use crate::kernel::plan::Plan;
use crate::program::Half;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// What is known of two events, by all that a model can see of them: whether they are possible.
#[derive(Default)]
pub(in crate::explore) struct Alone {
    /// Knows what other explorations have found out, where the checkers are sessions of a plan.
    pub(in crate::explore) plan: Option<Arc<Plan>>,
    pub(super) pairs: FxHashMap<PairKey, bool>,
    /// Of a read that reads a write which its own thread has overwritten.
    pub(super) overwritten: FxHashMap<ThreeKey, bool>,
    /// Of excerpts.
    pub(in crate::explore) excerpts: FxHashMap<ExcerptKey, bool>,
    /// Of accesses of which a thread knows newer writes: whether they are certainly over.
    pub(super) synchronised: FxHashMap<SynchronisedKey, bool>,
    /// Of reads and writes that nothing orders: whether they raise a flag.
    pub(in crate::explore) races: FxHashMap<RaceKey, bool>,
    /// Of reads that read from their future.
    pub(in crate::explore) circles: FxHashMap<CircleKey, bool>,
}

/// Whether the first is a read, tags (of the thread as well), halves, and what only models of values see.
pub(super) type PairKey = (bool, [TagSetId; 3], [Half; 2], Option<(LocId, [u64; 2])>);

/// Whether the older write is initial, whether it is of the same thread; tags, halves.
pub(super) type ThreeKey = (bool, bool, [TagSetId; 5], [Half; 3]);

/// Events of an excerpt at most, but for the initial write.
pub(super) const MOST_OF_EXCERPT: usize = 5;

/// See [`Search::likeness`].
#[derive(Clone, Copy, PartialEq)]
pub(in crate::explore) struct Likeness {
    pub(super) labels: (TagSetId, Half),
    pub(super) hidden: bool,
    /// The tags of its thread; none of an initial write.
    pub(super) of_thread: Option<TagSetId>,
    /// Whether it comes before the newer write, if they are of one thread.
    pub(super) before: Option<bool>,
    /// The tags and the half of the read then.
    pub(super) read: (TagSetId, Half),
}

/// All that a model can see of an excerpt.
pub(in crate::explore) type ExcerptKey = [u64; 2 * MOST_OF_EXCERPT];

/// All that a model can see of an access, and of what its thread knows from others.
pub(super) type SynchronisedKey = SmallVec<[u64; 14]>;

/// The first access of a thread, two fences, the other access.
pub(super) const MOST_OF_CIRCLE: usize = 4;

/// What a model can see of the part of a thread: of each event its labels, the events of the part that it depends on, and whether the last is the other half
/// of the first.
pub(super) type SideKey = [u64; 2 * MOST_OF_CIRCLE];
/// The two parts, and whether both pairs are of one location.
pub(in crate::explore) type CircleKey = (SideKey, SideKey, bool);

/// Tags, halves and the tags of the threads of a read and a write, and whether the second thread has created the first one behind the write.
pub(in crate::explore) type RaceKey = ([(TagSetId, Half, TagSetId); 2], bool);
