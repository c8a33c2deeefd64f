//! What becomes of the instruction at which a thread stands: the label of its event, or an error.

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::frames::Undo;
use crate::explore::engine::search::Search;
use crate::graph::event::{Event, Kind, NO_EVENT};
use crate::graph::memory;
use crate::graph::prefix::{PrefixKind, extend, prefix};
use crate::ids::{EventId, FuncId, LocId, ThreadId};
use crate::program::Half;
use crate::program::fault::{BadAccess, Fault};
use crate::program::thread::Action;
use crate::relation::bits::Bits;

/// What an event's label brings besides the event.
pub(in crate::explore) enum Extra {
    Nothing,
    /// The alternatives of a choice.
    Values(Box<[u64]>),
    /// What a new thread runs, and its argument.
    Birth(FuncId, u64),
}

/// Which threads meet in a round is known only where all that come to a barrier do.
fn too_many_at_a_barrier() -> Fault {
    Fault::Unsupported("more threads come to a barrier than it counts, and nothing says which of them meet".to_owned())
}

impl<J: Checker> Search<'_, '_, J> {
    /// Gives an event its label.
    pub(in crate::explore) fn label(&mut self, t: ThreadId, event: &mut Event, action: Action) -> Result<Extra, Fault> {
        let mut extra = Extra::Nothing;
        match action {
            Action::Read { addr, size, tags, half, otherwise, hidden, addr_deps, data_deps } => {
                event.kind = Kind::Read;
                (event.expected_tags, event.expected_half, event.otherwise) = (tags, half, otherwise);
                (event.hidden, event.addr_deps, event.data_deps) = (hidden, addr_deps, data_deps);
                event.loc = self.access(t, event, addr, size, false)?;
            }
            Action::Write { addr, size, value, tags, half, hidden, addr_deps, data_deps } => {
                event.kind = Kind::Write;
                (event.tags, event.half, event.hidden) = (tags, half, hidden);
                (event.value, event.addr_deps, event.data_deps) = (value, addr_deps, data_deps);
                event.loc = self.access(t, event, addr, size, true)?;
                event.partner = self.partner(t, event);
            }
            Action::Fence { tags, addr, is_fence, addr_deps } => {
                event.kind = Kind::Fence;
                (event.tags, event.is_fence, event.addr_deps) = (tags, is_fence, addr_deps);
                if let Some(addr) = addr.filter(|_| self.world.program.persistence.fences_name_places) {
                    event.value = self.world.translate(t, addr);
                } else if let Some(addr) = addr {
                    // The size plays no part: a fence names the object, and objects of its kind are accessed whole.
                    let size = self.world.program.object_at(addr).map_or(4, |o| o.bytes.len().clamp(1, 8) as u8);
                    event.loc = self.access(t, event, addr, size, false)?;
                }
            }
            Action::Choose { values: all } => {
                event.kind = Kind::Choose;
                extra = Extra::Values(all);
            }
            Action::Spawn { function, arg } => {
                event.kind = Kind::Spawn;
                event.data_deps = arg.deps;
                let order = self.graph.lane(t).order.iter();
                let before = order.filter(|&&e| self.graph.event(e).kind == Kind::Spawn).count();
                event.value = u64::from(self.world.child(t, event.key, before).0);
                extra = Extra::Birth(function, arg.value);
            }
            Action::Join { thread, deps } => {
                if !self.world.is_thread(&self.graph, thread) {
                    return Err(Fault::BadJoin(thread));
                }
                event.kind = Kind::Join;
                event.value = thread;
                event.data_deps = deps;
            }
            Action::Arrive { barrier, deps } => {
                event.kind = Kind::Arrive;
                event.data_deps = deps;
                event.value = barrier;
                event.size = self.graph.next_round(t, barrier);
                if self.graph.is_round_over(barrier, event.size) {
                    return Err(too_many_at_a_barrier());
                }
            }
            Action::Depart { barrier, count, deps } => {
                event.kind = Kind::Depart;
                event.data_deps = deps;
                event.value = barrier;
                event.size = self.graph.round(self.graph.lane(t), barrier);
                if self.graph.arrivals(barrier, event.size).count() as u64 > count {
                    return Err(too_many_at_a_barrier());
                }
            }
            Action::Mark { mark, value } => {
                event.kind = Kind::Mark;
                (event.value, event.size) = (value, mark.code());
            }
            Action::Alloc { size, region, deps } => {
                memory::check_size(size)?;
                event.kind = Kind::Alloc(region);
                event.size = size;
                event.data_deps = deps;
                event.value = memory::allocation_address(t, event.key);
            }
            Action::Free { addr, stack, deps } => {
                event.kind = Kind::Free;
                event.value = addr;
                event.data_deps = deps;
                if addr != 0 && !stack {
                    let bad = |b| Fault::Memory(b, addr, 0, true);
                    if !self.world.is_heap(&self.graph, addr) {
                        return Err(bad(BadAccess::NotAllocated));
                    }
                    if self.freed(event, addr) {
                        return Err(bad(BadAccess::DoubleFree));
                    }
                }
            }
            _ => return Err(Fault::Unsupported("an action without an event".into())),
        }
        Ok(extra)
    }

    /// The location of an access, which becomes part of the graph.
    fn access(&mut self, t: ThreadId, event: &Event, addr: u64, size: u8, write: bool) -> Result<LocId, Fault> {
        let address = self.world.translate(t, addr);
        if let Some((before, whole)) = self.world.misaligned(&self.graph, t, address, size) {
            return Err(Fault::Memory(BadAccess::Misaligned, addr.wrapping_sub(before.into()), whole, write));
        }
        let found = self.world.resolve(&self.graph, address, size, write);
        if found == Err(BadAccess::MixedSize) && self.world.note_sizes(&self.graph, t, address, size) {
            (self.statistics.mixed, self.stop) = (true, true);
        }
        let (loc, contents) = found.map_err(|bad| Fault::Memory(bad, addr, size, write))?;
        if self.freed(event, address) {
            let bad = if self.world.is_stack(&self.graph, address) { BadAccess::Returned } else { BadAccess::Freed };
            return Err(Fault::Memory(bad, addr, size, write));
        }
        if self.graph.place(loc).is_none() {
            self.trail.push(Undo::Init(loc));
            self.add_init(loc, contents);
        }
        Ok(loc)
    }

    /// Whether the object at an address was freed by something that certainly happened before.
    fn freed(&self, event: &Event, address: u64) -> bool {
        let is_free = |e: EventId| self.graph.event(e).kind == Kind::Free;
        if !self.graph.has_frees() {
            return false;
        }
        let start = self.world.object_start(&self.graph, address);
        if !self.graph.ids().any(|e| is_free(e) && Some(self.graph.event(e).value) == start) {
            return false;
        }
        let mut before = Bits::new();
        prefix(&self.graph, &self.world.deps, PrefixKind::ProgramOrder, event, &mut before, &mut Vec::new());
        let frees = before.iter().map(EventId).filter(|&e| is_free(e) && Some(self.graph.event(e).value) == start);
        frees.into_iter().any(|free| !self.comes_around_to(free, event))
    }

    /// Whether something comes not only before an event, or what is to be one, but behind it as well, by a cycle of program order and reads-from. Then that does not order the two.
    fn comes_around_to(&self, other: EventId, event: &Event) -> bool {
        let lane = self.graph.lane(event.thread);
        let (passed, later) = lane.order.split_at(lane.done);
        let Some(next) = later.first().filter(|_| !passed.contains(&other)) else { return false };
        let mut before = Bits::new();
        extend(&self.graph, &self.world.deps, PrefixKind::ProgramOrder, other, &mut before, &mut Vec::new());
        before.contains(next.0)
    }

    /// The read half that a write half belongs to.
    fn partner(&self, t: ThreadId, event: &Event) -> EventId {
        let lane = self.graph.lane(t);
        let before = lane.order[..lane.done].iter().rev().map(|&e| (e, self.graph.event(e)));
        let mut same_instruction = before.take_while(|(_, e)| e.group == event.group);
        let read = match event.half {
            Half::ExWrite => match same_instruction.find(|(_, e)| e.half == Half::ExWrite) {
                // The second write of a pair: the first has used up the exclusive read.
                Some((_, first)) => Some(first.partner),
                None => lane.thread.as_ref().and_then(|thread| thread.exclusive).map(|n| self.called(t, n)),
            },
            Half::AmoWrite | Half::FusedWrite => {
                same_instruction.find(|(_, e)| matches!(e.half, Half::AmoRead | Half::FusedRead)).map(|(id, _)| id)
            }
            _ => None,
        };
        match read.filter(|&e| e != NO_EVENT && self.graph.contains(e)) {
            Some(read) => self.graph.twin(read, event.loc),
            None => NO_EVENT,
        }
    }
}
