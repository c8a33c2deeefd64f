//! Events that a revisit kept, when their thread reaches them again: whether they are still the same, and what picks them now.

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::frames::Undo;
use crate::explore::engine::search::Search;
use crate::graph::event::NO_LOC;
use crate::ids::{EventId, ThreadId};
use crate::program::deps::DepId;
use crate::program::thread::{Action, Thread};

impl<J: Checker> Search<'_, '_, J> {
    /// What an event at which a thread stands depends on: its address, its value, itself.
    fn dependencies(&mut self, t: ThreadId, thread: &Thread, action: &Action) -> [DepId; 3] {
        let (addr, data) = match action {
            Action::Fence { addr_deps, .. } => (*addr_deps, DepId::NONE),
            Action::Read { addr_deps, data_deps, .. } | Action::Write { addr_deps, data_deps, .. } => {
                (*addr_deps, *data_deps)
            }
            _ => (DepId::NONE, DepId::NONE),
        };
        [addr, data, thread.ctrl()].map(|set| self.events_of(t, set))
    }

    /// An event that a revisit kept is reached again. `false` when it would be another one now, or what picks it now makes the graph
    /// inconsistent.
    pub(in crate::explore) fn replay(&mut self, t: ThreadId, kept: EventId, thread: Thread, action: &Action) -> bool {
        let sets = self.dependencies(t, &thread, action);
        let reached = self.events_of(t, thread.reached());
        let supposed = self.supposed_by(t, &thread);
        if self.has_become_another(t, kept, sets, action)
            || !self.world.deps.same_members(reached, self.graph.event(kept).reached)
            || !self.world.deps.same_members(supposed, self.graph.event(kept).supposed)
        {
            return false;
        }
        self.graph.event_mut(kept).before = Some(thread.snapshot().clone());
        self.graph.lane_mut(t).done += 1;
        self.complete_instruction(t, kept);
        !(self.graph.event(kept).kind.in_model() && self.pick_again(kept, sets)) || self.picks_agree(kept)
    }

    /// Whether an event that a revisit kept has become another one: it accesses another place, writes another value, or depends on
    /// other events than before. A choice among values, or an assignment under a condition, can do that though no dependency leads there.
    fn has_become_another(&self, t: ThreadId, kept: EventId, sets: [DepId; 3], action: &Action) -> bool {
        let kept = self.graph.event(kept);
        let is_at = |addr: u64, size: u8| {
            kept.loc != NO_LOC && self.world.locs.get(kept.loc) == (self.world.translate(t, addr), size)
        };
        let moved = match action {
            Action::Read { addr, size, otherwise, .. } => !is_at(*addr, *size) || *otherwise != kept.otherwise,
            Action::Write { addr, size, value, .. } => !is_at(*addr, *size) || *value != kept.value,
            Action::Fence { addr: Some(addr), .. } if self.world.program.persistence.fences_name_places => {
                kept.value != self.world.translate(t, *addr)
            }
            Action::Fence { addr, .. } => {
                let object = |addr: u64| self.world.locs.get(kept.loc).0 == self.world.translate(t, addr);
                addr.is_some_and(|addr| kept.loc == NO_LOC || !object(addr))
            }
            _ => return false,
        };
        let [addr, data, ctrl] = sets;
        let same = |a, b| self.world.deps.same_members(a, b);
        moved || !same(addr, kept.addr_deps) || !same(data, kept.data_deps) || !same(ctrl, kept.ctrl_deps)
    }

    /// Gives an event that a revisit kept what picks its address, its value and itself now; whether anything does.
    fn pick_again(&mut self, kept: EventId, now: [DepId; 3]) -> bool {
        if !self.world.deps.has_picks() {
            return false;
        }
        let event = self.graph.event_mut(kept);
        let then = [event.addr_deps, event.data_deps, event.ctrl_deps];
        if now != then {
            [event.addr_deps, event.data_deps, event.ctrl_deps] = now;
            self.trail.push(Undo::Picks(kept, then));
        }
        now.iter().any(|&set| !self.world.deps.picks(set).is_empty())
    }

    /// Tells the checker the pick dependencies of a kept event that was reached again, and asks whether the graph is still consistent.
    pub(in crate::explore) fn picks_agree(&mut self, id: EventId) -> bool {
        self.judges.checkers[self.level].add_picks(&self.graph, &self.world.deps, id);
        self.checker().is_consistent()
    }
}
