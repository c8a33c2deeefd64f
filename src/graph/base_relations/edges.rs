//! The edges that one event brings to each base relation: to and from the events that the kernel has.

use super::names::RelName;
use super::places;
use super::rows::Rows;
use crate::graph::event::{Event, INIT_THREAD, Kind, NO_EVENT, NO_LOC};
use crate::graph::pairs::{are_one_update, is_pair, is_part_of};
use crate::graph::sync::thread_sync;
use crate::graph::{EventId, Graph};
use crate::program::crash::Units;
use crate::program::deps::{DepId, DepTable};
use crate::program::thread::ordered_within;
use crate::program::{Half, InstructionOrder};
use crate::relation::bits::Bits;

/// The events that the kernel has, besides the one that is being sent.
#[derive(Clone, Copy)]
pub(in crate::graph) enum Among<'a> {
    All,
    These(&'a Bits),
}

impl Among<'_> {
    #[inline]
    pub(in crate::graph) fn has(self, e: EventId) -> bool {
        match self {
            Among::All => true,
            Among::These(there) => there.contains(e.0),
        }
    }

    /// The rows of `rows` that the kernel has, and `row` itself.
    fn limit(self, rows: &Bits, row: u32, out: &mut impl Rows) {
        out.add(rows);
        if let Among::These(there) = self {
            out.limit(there);
            if rows.contains(row) {
                out.insert(row);
            }
        }
    }
}

/// An event that is being sent, its row, and what there is around it.
#[derive(Clone, Copy)]
pub(in crate::graph) struct Around<'a> {
    pub event: &'a Event,
    pub row: u32,
    pub graph: &'a Graph,
    pub deps: &'a DepTable,
    pub order: InstructionOrder,
    pub units: Units,
    pub sent: Among<'a>,
}

/// The other ends of an event's edges in one relation: rows.
#[derive(Clone, Default, Debug)]
pub(in crate::graph) struct Ends<R> {
    pub targets: R,
    pub sources: R,
}

impl<R: Rows> Ends<R> {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty() && self.sources.is_empty()
    }

    /// No ends.
    pub fn clear(&mut self) {
        self.targets.clear();
        self.sources.clear();
    }
}

/// The sources of a dependency that a model sees: memory accesses.
#[inline]
pub(in crate::graph) fn dependency(around: Around<'_>, set: DepId, sources: &mut impl Rows) {
    if set != DepId::NONE {
        dependency_on_some(around, set, sources);
    }
}

fn dependency_on_some(around: Around<'_>, set: DepId, sources: &mut impl Rows) {
    let Around { event, graph, deps, sent, .. } = around;
    for e in deps.get(set).iter().map(EventId) {
        let source = graph.event(e);
        if sent.has(e) && matches!(source.kind, Kind::Read | Kind::Write) && !are_one_update(source, event) {
            sources.insert(graph.row(e));
        }
    }
}

/// Pick dependencies into and out of an event. An event that a revisit kept has none until the interpreter has reached it again:
/// what picked its value may have been deleted.
pub(in crate::graph) fn picks(around: Around<'_>, id: EventId, name: RelName, ends: &mut Ends<impl Rows>) {
    let Around { event, graph, deps, sent, .. } = around;
    let Ends { targets, sources } = ends;
    let lane = graph.lane(event.thread);
    let of = |e: EventId| {
        let event = graph.event(e);
        deps.picks(match name {
            RelName::PickAddr => event.addr_deps,
            RelName::PickData => event.data_deps,
            _ => event.ctrl_deps,
        })
    };
    let Some(at) = lane.order[..lane.done].iter().position(|&e| e == id) else { return };
    for e in of(id).iter().map(EventId) {
        if sent.has(e) && matches!(graph.event(e).kind, Kind::Read | Kind::Write) {
            sources.insert(graph.row(e));
        }
    }
    for &later in &lane.order[at + 1..lane.done] {
        if sent.has(later) && graph.event(later).kind.in_model() && of(later).contains(id.0) {
            targets.insert(graph.row(later));
        }
    }
}

/// The part of coherence that every order has.
pub(in crate::graph) fn initial_first(around: Around<'_>, id: EventId, ends: &mut Ends<impl Rows>) {
    let Around { event, graph, sent, .. } = around;
    let Some(place) = graph.place(event.loc).filter(|_| event.kind.writes()) else { return };
    if place.init == id {
        place.co[1..].iter().filter(|&&w| sent.has(w)).for_each(|&w| ends.targets.insert(graph.row(w)));
    } else if sent.has(place.init) {
        ends.sources.insert(graph.row(place.init));
    }
}

/// Adds the edges of one relation between an event and the events that were sent.
#[inline]
pub(in crate::graph) fn edges(around: Around<'_>, id: EventId, name: RelName, ends: &mut Ends<impl Rows>) {
    let Around { event, row, graph, deps, sent, .. } = around;
    let Ends { targets, sources } = &mut *ends;
    let fused_half = event.half == Half::FusedWrite && event.partner != NO_EVENT;
    let in_model = |e: EventId| sent.has(e) && graph.event(e).kind.in_model();
    match name {
        RelName::Po => {
            if event.thread != INIT_THREAD && !fused_half {
                program_order(around, id, ends);
            }
        }
        RelName::Int => {
            if event.thread != INIT_THREAD && !fused_half {
                sent.limit(&graph.lane(event.thread).rows, row, targets);
                sources.unite(targets);
            }
        }
        RelName::Ext => {
            if !fused_half {
                sent.limit(graph.rows(), row, targets);
                targets.subtract(match event.thread {
                    INIT_THREAD => graph.init_rows(),
                    thread => &graph.lane(thread).rows,
                });
                sources.unite(targets);
            }
        }
        RelName::Loc => {
            if let (true, Some(place)) = (event.loc != NO_LOC && !fused_half, graph.place(event.loc)) {
                sent.limit(&place.rows, row, targets);
                sources.unite(targets);
            }
        }
        RelName::Rf | RelName::RfLock => {
            let wanted = name == RelName::RfLock;
            if event.kind == Kind::Read && event.hidden == wanted && event.rf != NO_EVENT && sent.has(event.rf) {
                sources.insert(graph.row(event.rf));
            }
            if event.kind.writes()
                && let Some(place) = graph.place(event.loc)
            {
                for &read in &place.reads {
                    let e = graph.event(read);
                    if e.rf == id && e.hidden == wanted && sent.has(read) {
                        targets.insert(graph.row(read));
                    }
                }
            }
        }
        RelName::Co => {
            if event.kind.writes()
                && let Some(place) = graph.place(event.loc)
            {
                if place.co.last() == Some(&id) {
                    // The common case.
                    sent.limit(&place.writes, row, sources);
                    sources.remove(row);
                    return;
                }
                let mut before = true;
                for &other in &place.co {
                    if other == id {
                        before = false;
                    } else if sent.has(other) {
                        if before { &mut *sources } else { &mut *targets }.insert(graph.row(other));
                    }
                }
            }
        }
        RelName::Addr => dependency(around, event.addr_deps, sources),
        RelName::Data | RelName::Compared => {
            if (event.kind == Kind::Read) == (name == RelName::Compared) {
                dependency(around, event.data_deps, sources);
            }
        }
        RelName::Ctrl => dependency(around, event.ctrl_deps, sources),
        RelName::PickAddr | RelName::PickData | RelName::PickCtrl => {
            if event.thread != INIT_THREAD && deps.has_picks() {
                picks(around, id, name, ends);
            }
        }
        RelName::Amo | RelName::Lxsx => {
            let half = if name == RelName::Amo { Half::AmoWrite } else { Half::ExWrite };
            if event.half == half && !event.hidden && event.partner != NO_EVENT && sent.has(event.partner) {
                sources.insert(graph.row(event.partner));
            }
        }
        RelName::SameInstance => {
            if event.thread != INIT_THREAD {
                for &other in &graph.lane(event.thread).order {
                    if (other == id || in_model(other)) && graph.event(other).group == event.group {
                        targets.insert(graph.row(other));
                    }
                }
                sources.unite(targets);
            }
        }
        RelName::SameAccess | RelName::Parts => {
            if event.kind != Kind::Fence && (!event.hidden || name == RelName::Parts) {
                targets.insert(row);
                let may_be_pair = around.order == InstructionOrder::None && event.is_half();
                if may_be_pair || event.access != 0 {
                    let order = &graph.lane(event.thread).order;
                    let is_twin = |other: &Event| may_be_pair && is_pair(event, other) || is_part_of(event, other);
                    let twins = order.iter().filter(|&&e| in_model(e) && is_twin(graph.event(e)));
                    twins.for_each(|&e| targets.insert(graph.row(e)));
                    sources.unite(targets);
                }
            }
        }
        RelName::ThreadSync => thread_sync(graph, id, sent, ends),
        RelName::Place(name) => places::edges(around, id, name, ends),
    }
    if fused_half && matches!(name, RelName::Data | RelName::Addr | RelName::Ctrl) {
        // The two halves are one event; what the write takes from its own read is no dependency between events.
        ends.sources.remove(row);
    }
}

/// Leaves of an event's edges only those between events of one location, of one thread, or of different threads.
pub(in crate::graph) fn confine(around: Around<'_>, within: RelName, ends: &mut Ends<impl Rows>) {
    let Around { event, graph, .. } = around;
    let own = match event.thread {
        INIT_THREAD => graph.init_rows(),
        thread => &graph.lane(thread).rows,
    };
    let place = graph.place(event.loc).filter(|_| event.loc != NO_LOC);
    for rows in [&mut ends.targets, &mut ends.sources].into_iter().filter(|rows| !rows.is_empty()) {
        match (within, place) {
            (RelName::Ext, _) => rows.subtract(own),
            (RelName::Int, _) if event.thread != INIT_THREAD => rows.limit(own),
            (RelName::Loc, Some(place)) => rows.limit(&place.rows),
            _ => rows.clear(),
        }
    }
}

/// Edges of program order. An event at the end of its thread is behind everything there but, perhaps, what belongs to the same
/// instruction.
fn program_order(around: Around<'_>, id: EventId, ends: &mut Ends<impl Rows>) {
    let Around { event, row, graph, sent, .. } = around;
    let Ends { targets, sources } = ends;
    let lane = graph.lane(event.thread);
    let related = |first, second| is_ordered_within(around, first, second);
    if let Some((&last, before)) = lane.order.split_last()
        && last == id
    {
        sent.limit(&lane.rows, row, sources);
        sources.remove(row);
        let same_instruction = || before.iter().rev().take_while(|&&other| graph.event(other).group == event.group);
        same_instruction().for_each(|&other| sources.remove(graph.row(other)));
        for &other in same_instruction() {
            let seen = sent.has(other) && graph.event(other).kind.in_model() && graph.row(other) != row;
            if seen && related(other, id) {
                sources.insert(graph.row(other));
            }
        }
        return;
    }
    let mut before = true;
    for &other in &lane.order {
        let e = graph.event(other);
        if other == id {
            before = false;
        } else if sent.has(other) && e.kind.in_model() && graph.row(other) != row {
            let (first, second) = if before { (other, id) } else { (id, other) };
            if e.group != event.group || related(first, second) {
                if before { &mut *sources } else { &mut *targets }.insert(graph.row(other));
            }
        }
    }
}

/// Whether program order relates two events of one instruction instance.
pub(in crate::graph) fn is_ordered_within(around: Around<'_>, first: EventId, second: EventId) -> bool {
    ordered_within(around.order, depends_within(around.graph, around.deps, first, second))
}

/// Whether an event is another part of the read half of a write.
pub(in crate::graph) fn is_part_of_partner(graph: &Graph, first: EventId, write: &Event) -> bool {
    write.access != 0 && graph.contains(write.partner) && is_part_of(graph.event(first), graph.event(write.partner))
}

/// Whether, within one instruction instance, `second` depends on `first` (so that C orders them).
fn depends_within(graph: &Graph, deps: &DepTable, first: EventId, second: EventId) -> bool {
    let event = graph.event(second);
    if event.partner == first || is_part_of_partner(graph, first, event) {
        return true;
    }
    let direct = [event.addr_deps, event.data_deps, event.ctrl_deps];
    direct.iter().any(|&set| {
        deps.get(set).iter().map(EventId).any(|e| {
            e == first
                || (graph.contains(e)
                    && graph.event(e).group == event.group
                    && graph.event(e).thread == event.thread
                    && e != second
                    && depends_within(graph, deps, first, e))
        })
    }) || event.partner != NO_EVENT && depends_within(graph, deps, first, event.partner)
}
