//! Reads that take their value from a later write of their own thread: forbidden by every model with coherence.
//!
//! A thread that works on one location makes a read and a write for every step, and each write could revisit each of the reads
//! before it. Whether that can ever be consistent is asked of the model: a check that prunes and is violated by the two events alone is
//! violated by every graph that has them.

use super::search::Search;
use crate::graph::event::{Event, NO_EVENT};
use crate::ids::{EventId, LocId, TagSetId};
use crate::kernel::bits::Bits;
use crate::program::Half;
use rustc_hash::FxHashMap;

/// What is known, by all that a model can see of two such events: the tags and halves of the read and of the write, the tags of
/// the thread, the location and the value.
pub(super) type OwnReads = FxHashMap<([TagSetId; 3], [Half; 2], LocId, u64), bool>;

impl Search<'_, '_> {
    /// Whether `read` may read from `write`, which its own thread comes to only now. Always, if they are of different threads.
    pub(super) fn may_read_later(&mut self, read: EventId, write: &Event) -> bool {
        let mut event = self.graph.event(read).clone();
        if event.thread != write.thread
            || event.hidden
            || write.hidden
            || self.graph.lane(write.thread).spawn != NO_EVENT
        {
            return true;
        }
        event.read_value(write.value);
        let tags = [event.tags, write.tags, self.graph.lane(write.thread).tags];
        let key = (tags, [event.half, write.half], write.loc, write.value);
        if let Some(&known) = self.own_reads.get(&key) {
            return known;
        }
        let mut graph = self.graph.clone();
        graph.restrict(&Bits::from_iter([read.0]), NO_EVENT, &|_| true);
        let end = graph.lane(write.thread).order.len();
        let alone = Event { partner: NO_EVENT, ..write.clone() };
        let id = graph.add(alone, 1, end);
        graph.set_rf(read, id);
        let original = std::mem::replace(&mut self.graph, graph);
        self.enter_level();
        let possible = self.session().violated_partial().is_none();
        self.level -= 1;
        self.graph = original;
        self.own_reads.insert(key, possible);
        possible
    }
}
