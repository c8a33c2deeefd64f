//! The prefix of an event: everything that it depends on.
//!
//! Dependencies are address, data and control dependencies (through registers, as the interpreter tracks them), the source
//! of a read (but of the word of a lock whose sections have a witness order), the read half of a read-modify-write's write, the creation of the event's thread, for a join every event
//! of the thread that ended, and for leaving a barrier every arrival of the round; creation, joins and barriers, which every model
//! takes for order, depend on everything earlier in their thread. In *program-order* mode everything earlier in the thread counts too: that is the same thing
//! for models in which po ∪ rf is acyclic, and leaves no holes.

use super::event::{Event, INIT_THREAD, Kind, NO_EVENT};
use super::{EventId, Graph};
use crate::ids::ThreadId;
use crate::program::deps::{DepId, DepTable};
use crate::relation::bits::Bits;
use smallvec::{SmallVec, smallvec};

/// What counts as a dependency.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrefixKind {
    /// Reads-from and program order.
    ProgramOrder,
    /// Reads-from and syntactic dependencies.
    Dependencies,
}

/// What counts besides dependencies through registers and reads-from.
#[derive(Clone, Copy)]
struct Counts {
    /// Everything earlier in the thread.
    program_order: bool,
    /// What the write of an exchange owes to its read ([`Graph::is_exchange`]), and what threads supposed to get where they are.
    weak: bool,
}

impl From<PrefixKind> for Counts {
    fn from(kind: PrefixKind) -> Counts {
        Counts { program_order: kind == PrefixKind::ProgramOrder, weak: true }
    }
}

/// Everything that `event` (which need not be in the graph yet) depends on, without itself and without initial writes.
///
/// O(events + dependencies).
pub fn prefix(
    graph: &Graph,
    deps: &DepTable,
    kind: PrefixKind,
    event: &Event,
    out: &mut Bits,
    work: &mut Vec<EventId>,
) {
    out.clear();
    match kind {
        PrefixKind::ProgramOrder => before(graph, event, out),
        PrefixKind::Dependencies => all(graph, deps, kind.into(), event, out, work),
    }
}

/// The dependencies of an event without what the writes of exchanges owe to their reads, and without what threads supposed. Revisits never keep so little.
pub fn least_prefix(graph: &Graph, deps: &DepTable, event: &Event, out: &mut Bits, work: &mut Vec<EventId>) {
    out.clear();
    all(graph, deps, Counts { program_order: false, weak: false }, event, out, work);
}

fn all(graph: &Graph, deps: &DepTable, counts: Counts, event: &Event, out: &mut Bits, work: &mut Vec<EventId>) {
    work.clear();
    direct(graph, deps, counts, event, None, out, work);
    while let Some(id) = work.pop() {
        direct(graph, deps, counts, graph.event(id), Some(id), out, work);
    }
}

/// Adds an event of the graph, and everything that it depends on, to a prefix.
pub fn extend(graph: &Graph, deps: &DepTable, kind: PrefixKind, id: EventId, out: &mut Bits, work: &mut Vec<EventId>) {
    work.clear();
    reach(graph, id, out, work);
    while let Some(id) = work.pop() {
        direct(graph, deps, kind.into(), graph.event(id), Some(id), out, work);
    }
}

/// How many first events of each thread belong to a prefix, and which of these are still to be looked into.
struct Past<'g> {
    graph: &'g Graph,
    taken: SmallVec<[usize; 8]>,
    work: SmallVec<[(ThreadId, usize, usize); 8]>,
}

impl Past<'_> {
    fn take(&mut self, thread: ThreadId, first: usize) {
        let taken = &mut self.taken[thread.index()];
        if first <= *taken {
            return;
        }
        self.work.push((thread, *taken, first));
        let is_new = std::mem::replace(taken, first) == 0;
        let spawn = self.graph.lane(thread).spawn;
        if is_new && spawn != NO_EVENT {
            self.take_event(spawn);
        }
    }

    fn take_event(&mut self, id: EventId) {
        let thread = self.graph.event(id).thread;
        let order = &self.graph.lane(thread).order;
        if order.get(self.taken[thread.index()].wrapping_sub(1)) == Some(&id) {
            return;
        }
        if let Some(at) = order.iter().position(|&e| e == id) {
            self.take(thread, at + 1);
        }
    }

    /// Takes what an event depends on, but for program order and what is earlier in its thread anyhow.
    fn take_direct(&mut self, event: &Event, out: &Bits) {
        match event.kind {
            Kind::Read => {
                let is_known = event.rf == NO_EVENT || out.contains(event.rf.0) || self.graph.is_witnessed(event.loc);
                if !is_known && self.graph.event(event.rf).thread != INIT_THREAD {
                    self.take_event(event.rf);
                }
            }
            Kind::Join => {
                if let Some(child) = self.graph.lanes().get(event.value as usize) {
                    self.take(ThreadId(event.value as u32), child.order.len());
                }
            }
            Kind::Depart => {
                let arrivals: SmallVec<[EventId; 8]> = self.graph.arrivals(event.value, event.size).collect();
                arrivals.into_iter().for_each(|e| self.take_event(e));
            }
            _ => {}
        }
    }
}

/// The prefix where program order counts: of each thread the first so many events.
pub(super) fn before(graph: &Graph, event: &Event, out: &mut Bits) {
    if event.thread == INIT_THREAD {
        return;
    }
    let taken = smallvec![0; graph.lanes().len()];
    let mut past = Past { graph, taken, work: SmallVec::new() };
    past.take(event.thread, graph.lane(event.thread).done);
    let spawn = graph.lane(event.thread).spawn;
    if spawn != NO_EVENT {
        past.take_event(spawn);
    }
    past.take_direct(event, out);
    while let Some((thread, from, to)) = past.work.pop() {
        for &id in &graph.lane(thread).order[from..to] {
            out.insert(id.0);
            past.take_direct(graph.event(id), out);
        }
    }
}

fn reach(graph: &Graph, id: EventId, out: &mut Bits, work: &mut Vec<EventId>) {
    if id != NO_EVENT && graph.event(id).thread != INIT_THREAD && !out.contains(id.0) {
        out.insert(id.0);
        work.push(id);
    }
}

fn direct(
    graph: &Graph,
    deps: &DepTable,
    counts: Counts,
    event: &Event,
    id: Option<EventId>,
    out: &mut Bits,
    work: &mut Vec<EventId>,
) {
    if event.thread == INIT_THREAD {
        return;
    }
    let supposed = if counts.weak { event.supposed } else { DepId::NONE };
    for set in [event.addr_deps, event.data_deps, event.ctrl_deps, event.reached, supposed] {
        for e in deps.get(set).iter() {
            reach(graph, EventId(e), out, work);
        }
    }
    if !graph.is_witnessed(event.loc) {
        reach(graph, event.rf, out, work);
    }
    if counts.weak || !graph.is_exchange(event) {
        reach(graph, event.partner, out, work);
    }
    let lane = graph.lane(event.thread);
    reach(graph, lane.spawn, out, work);
    if event.kind == Kind::Join
        && let Some(child) = graph.lanes().get(event.value as usize)
    {
        for &e in &child.order {
            reach(graph, e, out, work);
        }
    }
    if event.kind == Kind::Depart {
        for e in graph.arrivals(event.value, event.size) {
            reach(graph, e, out, work);
        }
    }
    if counts.program_order || event.kind.synchronises() {
        let before = match id {
            Some(id) => lane.order.iter().position(|&e| e == id).unwrap_or(lane.done),
            None => lane.done,
        };
        if let Some(&previous) = lane.order[..before].last() {
            reach(graph, previous, out, work);
        }
    }
}
