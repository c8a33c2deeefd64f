//! Whether a thread that waits behind a read could have read the last write instead, in everything that comes of the others.
//!
//! A wait whose read passed over a later write is given up ([`crate::explore::waits::awaits`]) because whatever the other threads still do is explored with a newer value for it, too.
//! That is so where the model lets the thread have that value. C11 gives a plain read nothing that is written concurrently, so a thread that
//! spins with plain reads may have no execution but with its old value, and an assertion that fails in another thread fails in no other graph.
//!
//! Checks that prune let executions go on, or it is noticed that they do not. Of those that are decided at the end the plan says whether they do for an event that is in
//! given base sets ([`Checker::renews_last`]).

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::search::Search;
use crate::explore::waits::known::Like;
use crate::graph::base_relations::kinds::is_member;
use crate::graph::event::{Event, Kind};
use crate::ids::{TagSetId, ThreadId};
use crate::program::Half;
use smallvec::{SmallVec, smallvec};

impl<J: Checker> Search<'_, '_, J> {
    /// Whether a thread can always be given its last events anew, from the last read on, with the maximal choice.
    pub(in crate::explore) fn renews_last_read(&mut self, t: ThreadId) -> bool {
        let lane = self.graph.lane(t);
        let passed = &lane.order[..lane.done];
        let is_read = |e| self.graph.event(e).kind == Kind::Read;
        let from = passed.iter().rposition(|&e| is_read(e)).unwrap_or(0);
        let all: SmallVec<[_; 4]> =
            passed[from..].iter().flat_map(|&e| likes(self.graph.event(e), lane.tags)).collect();
        all.into_iter().all(|like| like.is_some_and(|like| self.renews(like)))
    }

    fn renews(&mut self, like: Like) -> bool {
        if let Some(&(_, renews)) = self.ends.renewals.0.iter().find(|(other, _)| *other == like) {
            return renews;
        }
        let program = self.world.program;
        let (kind, [hidden, is_fence], own, of_thread) = like;
        let is_in = |name: &str| is_member(program, kind, [hidden, is_fence], [own, of_thread], name);
        let renews = self.judges.checkers[0].renews_last(&is_in);
        self.ends.renewals.0.push((like, renews));
        renews
    }
}

/// As what an event may come again; a read may find another value. All parts of an access come again together, and are alike. `None`: not known, as of parts of updates.
fn likes(event: &Event, of_thread: TagSetId) -> SmallVec<[Option<Like>; 2]> {
    if !event.kind.in_model() {
        return smallvec![];
    }
    if event.access != 0 && event.half != Half::None {
        return smallvec![None];
    }
    let like = |(tags, half)| {
        let is_fused = matches!(half, Half::FusedRead | Half::FusedWrite);
        (!is_fused).then_some((event.kind, [event.hidden, event.is_fence], tags, of_thread))
    };
    let found =
        if event.kind == Kind::Read { (event.expected_tags, event.expected_half) } else { (event.tags, event.half) };
    let otherwise = event.otherwise.filter(|_| event.kind == Kind::Read).map(|other| (other.tags, other.half));
    std::iter::once(found).chain(otherwise).map(like).collect()
}
