//! What is certain of the final values of registers while a graph still grows, so that a search for one outcome can leave
//! subtrees in which that outcome is impossible (`docs/reductions.md`, *Searching for one outcome*).
//!
//! Only threads of straight code are looked at: loads, stores, fences, copies and arithmetic, without branches, choices and
//! read-modify-writes. There the last instruction that sets a register sets it in every execution, and its value is a function of
//! the reads that it depends on. It is certain once the thread has passed that instruction and these reads are *settled*:
//!
//! - nobody can write any more, so there are no further revisits; or
//! - revisits keep program order, and the read passed over a later write when it was added, so that no revisit changes or
//!   deletes it. (A revisit that keeps dependencies may keep such a read and delete the write that it passed over.)

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::search::Search;
use crate::graph::event::Kind;
use crate::graph::prefix::PrefixKind;
use crate::graph::{Graph, Lane, Status};
use crate::ids::{EventId, ThreadId};
use crate::program::instr::{Pc, Reg};

/// Where a thread stands, when it is in its outermost frame.
fn place(lane: &Lane) -> Option<Pc> {
    let thread = lane.thread.as_ref()?;
    (thread.frames().count() == 1).then(|| thread.next())
}

impl<J: Checker> Search<'_, '_, J> {
    /// Whether the visitor is interested in nothing that can still come of the graph.
    pub(in crate::explore) fn is_ruled_out(&self) -> bool {
        if !self.world.options.prune
            || self.world.options.equivalence.leaves_orders_open()
            || self.filling.lookahead.is_some()
        {
            return false;
        }
        let no_more_writes = self.nobody_writes_any_more();
        let value = |t: u32, register: Reg| {
            let straight = self.ends.straight.get(t as usize)?.as_ref()?;
            let lane = self.graph.lanes().get(t as usize)?;
            let passed = straight.set.get(&register).is_none_or(|&last| place(lane).is_some_and(|at| at > last));
            if lane.done < lane.order.len() || !passed {
                return None;
            }
            let (slot, last) = lane.thread.as_ref()?.register(self.world.program, register)?;
            let settled = |n| no_more_writes || self.is_settled(self.called(ThreadId(t), n));
            self.world.deps.get(slot.deps).iter().chain(last).all(settled).then_some(slot.value)
        };
        self.visitor.rules_out(&value)
    }

    /// Whether every thread has passed its last store.
    fn nobody_writes_any_more(&self) -> bool {
        let passed = |(t, lane): (usize, &Lane)| match self.ends.straight.get(t) {
            Some(Some(straight)) => straight.store.is_none_or(|last| place(lane).is_some_and(|at| at > last)),
            _ => lane.status == Status::Finished && lane.done == lane.order.len(),
        };
        self.graph.lanes().iter().enumerate().all(passed)
    }

    fn is_settled(&self, e: EventId) -> bool {
        let is_read = |graph: &Graph| graph.contains(e) && graph.event(e).kind == Kind::Read;
        self.kind == PrefixKind::ProgramOrder && is_read(&self.graph) && self.never_changes(e)
    }
}
