//! Hands a graph to the kernel: which base names each event belongs to, and which base edges it brings.
//!
//! An event brings edges between itself and the events that are there already; nothing between older events ever changes.
//! So one row and one column a base relation is all that is sent.

use super::event::{Event, INIT_THREAD, Kind, NO_EVENT, NO_LOC};
use super::{EventId, Graph};
use crate::algebra::Sort;
use crate::ids::{TagId, ThreadId};
use crate::kernel::bits::Bits;
use crate::kernel::plan::Plan;
use crate::kernel::session::Session;
use crate::program::deps::{DepId, DepTable};
use crate::program::thread::ordered_within;
use crate::program::{Half, InstructionOrder, Program};
use smallvec::{SmallVec, smallvec};

/// A base set that graphs give a meaning to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SetName {
    Memory,
    Read,
    Write,
    InitialWrite,
    Fence,
    Tag(TagId),
}

/// A base relation that graphs give a meaning to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RelName {
    Po,
    Loc,
    Int,
    Ext,
    Rf,
    RfLock,
    Co,
    Addr,
    Data,
    Ctrl,
    PickAddr,
    PickData,
    PickCtrl,
    Amo,
    Lxsx,
    SameInstance,
    SameAccess,
    ThreadSync,
}

/// The base names that every graph gives a meaning to, besides tags: sets, then relations.
pub const BASE_SETS: [&str; 6] = ["M", "R", "W", "IW", "F", "Exp"];
/// See [`BASE_SETS`].
pub const BASE_RELATIONS: [&str; 19] = [
    "po",
    "loc",
    "int",
    "ext",
    "rf",
    "rf-lock",
    "co",
    "addr",
    "data",
    "ctrl",
    "pick-addr",
    "pick-data",
    "pick-ctrl",
    "amo",
    "lxsx",
    "same-instance",
    "si",
    "sm",
    "thread-sync",
];

pub(super) fn set_name(program: &Program, name: &str) -> Option<SetName> {
    Some(match name {
        "M" | "Exp" => SetName::Memory,
        "R" => SetName::Read,
        "W" => SetName::Write,
        "IW" => SetName::InitialWrite,
        "F" => SetName::Fence,
        _ => SetName::Tag(TagId::at(program.tags.iter().position(|t| t == name)?)),
    })
}

pub(super) fn rel_name(name: &str) -> Option<RelName> {
    Some(match name {
        "po" => RelName::Po,
        "loc" => RelName::Loc,
        "int" => RelName::Int,
        "ext" => RelName::Ext,
        "rf" => RelName::Rf,
        "rf-lock" => RelName::RfLock,
        "co" => RelName::Co,
        "addr" => RelName::Addr,
        "data" => RelName::Data,
        "ctrl" => RelName::Ctrl,
        "pick-addr" => RelName::PickAddr,
        "pick-data" => RelName::PickData,
        "pick-ctrl" => RelName::PickCtrl,
        "amo" => RelName::Amo,
        "lxsx" => RelName::Lxsx,
        "same-instance" => RelName::SameInstance,
        "si" | "sm" => RelName::SameAccess,
        "thread-sync" => RelName::ThreadSync,
        _ => return None,
    })
}

/// The inputs of a plan, resolved for a program.
#[derive(Clone, Debug)]
pub struct Feed {
    sets: Vec<(usize, SetName)>,
    /// For each tag set, the inputs that its tags are.
    tags: Vec<Vec<usize>>,
    rels: Vec<(usize, RelName)>,
    order: InstructionOrder,
    row: Bits,
    column: Bits,
}

impl Feed {
    /// Resolves a plan's inputs.
    pub fn new(plan: &Plan, program: &Program) -> Feed {
        let mut feed = Feed {
            sets: Vec::new(),
            tags: vec![Vec::new(); program.tag_sets.len()],
            rels: Vec::new(),
            order: program.order,
            row: Bits::new(),
            column: Bits::new(),
        };
        for (i, input) in plan.inputs().iter().enumerate() {
            match input.sort {
                Sort::Rel => feed.rels.extend(rel_name(&input.name).map(|n| (i, n))),
                Sort::Set => match set_name(program, &input.name) {
                    Some(SetName::Tag(tag)) => {
                        let carrying =
                            feed.tags.iter_mut().zip(&program.tag_sets).filter(|(_, set)| set.contains(&tag));
                        carrying.for_each(|(inputs, _)| inputs.push(i));
                    }
                    name => feed.sets.extend(name.map(|n| (i, n))),
                },
            }
        }
        feed
    }

    /// Sends one event of a graph of which everything else was sent.
    pub fn send(&mut self, session: &mut Session, graph: &Graph, deps: &DepTable, id: EventId) {
        self.send_among(session, graph, deps, id, Among::All);
    }

    /// Sends one event of a graph of which the events of `there` were sent.
    pub fn send_to(&mut self, session: &mut Session, graph: &Graph, deps: &DepTable, id: EventId, there: &Bits) {
        self.send_among(session, graph, deps, id, Among::These(there));
    }

    /// Sends the pick dependencies of an event that was sent before the interpreter reached it again.
    pub fn send_picks(&mut self, session: &mut Session, graph: &Graph, deps: &DepTable, id: EventId) {
        let (mut targets, mut sources) = (std::mem::take(&mut self.row), std::mem::take(&mut self.column));
        for &(input, name) in &self.rels {
            if matches!(name, RelName::PickAddr | RelName::PickData | RelName::PickCtrl) {
                targets.clear();
                sources.clear();
                picks(graph, deps, id, name, Among::All, &mut targets, &mut sources);
                if !sources.is_empty() {
                    session.add_column(input, sources.words(), graph.row(id));
                }
            }
        }
        (self.row, self.column) = (targets, sources);
    }

    /// Sends all events of a graph, in the order in which they were added.
    pub fn send_all(&mut self, session: &mut Session, graph: &Graph, deps: &DepTable) {
        let mut ids: Vec<EventId> = graph.ids().collect();
        ids.sort_unstable_by_key(|&e| graph.event(e).stamp);
        let mut there = Bits::new();
        for id in ids {
            self.send_among(session, graph, deps, id, Among::These(&there));
            there.insert(id.0);
        }
    }

    /// Sends one event: its memberships, and its edges to and from events that were sent.
    fn send_among(&mut self, session: &mut Session, graph: &Graph, deps: &DepTable, id: EventId, sent: Among<'_>) {
        let event = graph.event(id);
        if !event.kind.in_model() {
            return;
        }
        let row = graph.row(id);
        if row == id.0 {
            session.add_event(row);
        }
        session.set_value(row, event.value);
        for &(input, name) in &self.sets {
            if is_member(event, name) {
                session.add_to_set(input, row);
            }
        }
        self.tags[event.tags.index()].iter().for_each(|&input| session.add_to_set(input, row));
        if event.thread != INIT_THREAD {
            let of_thread = graph.lane(event.thread).tags;
            self.tags[of_thread.index()].iter().for_each(|&input| session.add_to_set(input, row));
        }
        let (mut targets, mut sources) = (std::mem::take(&mut self.row), std::mem::take(&mut self.column));
        for &(input, name) in &self.rels {
            targets.clear();
            sources.clear();
            edges(graph, deps, self.order, id, name, sent, &mut targets, &mut sources);
            if !targets.is_empty() {
                session.add_row(input, row, targets.words());
            }
            if !sources.is_empty() {
                session.add_column(input, sources.words(), row);
            }
        }
        (self.row, self.column) = (targets, sources);
    }
}

/// The events that the kernel has, besides the one that is being sent.
#[derive(Clone, Copy)]
enum Among<'a> {
    All,
    These(&'a Bits),
}

impl Among<'_> {
    #[inline]
    fn has(self, e: EventId) -> bool {
        match self {
            Among::All => true,
            Among::These(there) => there.contains(e.0),
        }
    }

    /// The rows of `rows` that the kernel has, and `row` itself.
    fn limit(self, rows: &Bits, row: u32, out: &mut Bits) {
        out.union_with(rows);
        if let Among::These(there) = self {
            out.intersect_with(there);
            if rows.contains(row) {
                out.insert(row);
            }
        }
    }
}

fn is_member(event: &Event, name: SetName) -> bool {
    match name {
        SetName::Memory => matches!(event.kind, Kind::Init | Kind::Read | Kind::Write) && !event.hidden,
        SetName::Read => event.kind == Kind::Read && !event.hidden,
        SetName::Write => event.kind.writes() && !event.hidden,
        SetName::InitialWrite => event.kind == Kind::Init,
        SetName::Fence => event.kind == Kind::Fence && event.is_fence,
        SetName::Tag(_) => false,
    }
}

/// The sources of a dependency that a model sees: memory accesses.
fn dependency(graph: &Graph, deps: &DepTable, set: DepId, sent: Among<'_>, sources: &mut Bits) {
    for e in deps.get(set).iter().map(EventId) {
        if sent.has(e) && matches!(graph.event(e).kind, Kind::Read | Kind::Write) {
            sources.insert(graph.row(e));
        }
    }
}

/// Pick dependencies into and out of an event. An event that a revisit kept has none until the interpreter has reached it again:
/// what picked its value may have been deleted.
fn picks(
    graph: &Graph,
    deps: &DepTable,
    id: EventId,
    name: RelName,
    sent: Among<'_>,
    targets: &mut Bits,
    sources: &mut Bits,
) {
    let lane = graph.lane(graph.event(id).thread);
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

#[allow(clippy::too_many_arguments)]
fn edges(
    graph: &Graph,
    deps: &DepTable,
    order: InstructionOrder,
    id: EventId,
    name: RelName,
    sent: Among<'_>,
    targets: &mut Bits,
    sources: &mut Bits,
) {
    let event = graph.event(id);
    let row = graph.row(id);
    let fused_half = event.half == Half::FusedWrite && event.partner != NO_EVENT;
    let in_model = |e: EventId| sent.has(e) && graph.event(e).kind.in_model();
    match name {
        RelName::Po => {
            if event.thread != INIT_THREAD && !fused_half {
                program_order(graph, deps, order, id, sent, targets, sources);
            }
        }
        RelName::Int => {
            if event.thread != INIT_THREAD && !fused_half {
                sent.limit(&graph.lane(event.thread).rows, row, targets);
                sources.union_with(targets);
            }
        }
        RelName::Ext => {
            if !fused_half {
                sent.limit(graph.rows(), row, targets);
                targets.subtract(match event.thread {
                    INIT_THREAD => graph.init_rows(),
                    thread => &graph.lane(thread).rows,
                });
                sources.union_with(targets);
            }
        }
        RelName::Loc => {
            if let (true, Some(place)) = (event.loc != NO_LOC && !fused_half, graph.place(event.loc)) {
                sent.limit(&place.rows, row, targets);
                sources.union_with(targets);
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
        RelName::Addr => dependency(graph, deps, event.addr_deps, sent, sources),
        RelName::Data => dependency(graph, deps, event.data_deps, sent, sources),
        RelName::Ctrl => dependency(graph, deps, event.ctrl_deps, sent, sources),
        RelName::PickAddr | RelName::PickData | RelName::PickCtrl => {
            if event.thread != INIT_THREAD && deps.has_picks() {
                picks(graph, deps, id, name, sent, targets, sources);
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
                sources.union_with(targets);
            }
        }
        RelName::SameAccess => {
            if event.kind != Kind::Fence && !event.hidden {
                targets.insert(row);
            }
        }
        RelName::ThreadSync => thread_sync(graph, id, sent, targets, sources),
    }
    if fused_half && matches!(name, RelName::Data | RelName::Addr | RelName::Ctrl) {
        // The two halves are one event; what the write takes from its own read is no dependency between events.
        sources.remove(row);
    }
}

/// Edges of program order. An event at the end of its thread is behind everything there but, perhaps, what belongs to the same
/// instruction.
fn program_order(
    graph: &Graph,
    deps: &DepTable,
    order: InstructionOrder,
    id: EventId,
    sent: Among<'_>,
    targets: &mut Bits,
    sources: &mut Bits,
) {
    let (event, row) = (graph.event(id), graph.row(id));
    let lane = graph.lane(event.thread);
    let related = |first, second| ordered_within(order, depends_within(graph, deps, first, second));
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

/// Whether, within one instruction instance, `second` depends on `first` (so that C orders them).
fn depends_within(graph: &Graph, deps: &DepTable, first: EventId, second: EventId) -> bool {
    let event = graph.event(second);
    if event.partner == first {
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

/// Everything that thread creation and joining put before an event: `(thread, how many of its events)`, transitively.
fn synced_before(graph: &Graph, thread: ThreadId, upto: usize, out: &mut SmallVec<[(ThreadId, usize); 8]>) {
    let mut work: SmallVec<[(ThreadId, usize); 4]> = smallvec![(thread, upto)];
    while let Some((t, upto)) = work.pop() {
        let lane = graph.lane(t);
        let passed = if lane.waits == 0 { &[] } else { &lane.order[..upto] };
        for &e in passed {
            let event = graph.event(e);
            if event.kind == Kind::Depart {
                for arrival in graph.arrivals(event.value, event.size) {
                    let other = graph.event(arrival).thread;
                    if other != t {
                        let at = graph.lane(other).order.iter().position(|&x| x == arrival).unwrap_or(0);
                        out.push((other, at));
                        work.push((other, at));
                    }
                }
            }
            if event.kind == Kind::Join {
                let child = ThreadId(event.value as u32);
                let all = graph.lane(child).order.len();
                out.push((child, all));
                work.push((child, all));
            }
        }
        if lane.spawn != NO_EVENT && graph.contains(lane.spawn) {
            let parent = graph.event(lane.spawn).thread;
            let above = graph.lane(parent);
            if above.rows.is_empty() && above.waits == 0 && above.spawn == NO_EVENT {
                continue;
            }
            let at = graph.lane(parent).order.iter().position(|&e| e == lane.spawn).unwrap_or(0);
            out.push((parent, at));
            work.push((parent, at));
        }
    }
}

fn thread_sync(graph: &Graph, id: EventId, sent: Among<'_>, targets: &mut Bits, sources: &mut Bits) {
    let event = graph.event(id);
    if event.thread == INIT_THREAD {
        return;
    }
    let at = |e: EventId| graph.lane(graph.event(e).thread).order.iter().rposition(|&x| x == e).unwrap_or(0);
    let mut before = SmallVec::new();
    synced_before(graph, event.thread, at(id), &mut before);
    for (thread, upto) in before {
        if graph.lane(thread).rows.is_empty() {
            continue;
        }
        for &e in &graph.lane(thread).order[..upto] {
            if sent.has(e) && graph.event(e).kind.in_model() {
                sources.insert(graph.row(e));
            }
        }
    }
    let lane = graph.lane(event.thread);
    if lane.done < lane.order.len() {
        // A hole is being filled: events of other threads may already be ordered behind it.
        for other in graph.ids() {
            let e = graph.event(other);
            if !sent.has(other) || !e.kind.in_model() || e.thread == INIT_THREAD || e.thread == event.thread {
                continue;
            }
            let mut before = SmallVec::new();
            synced_before(graph, e.thread, at(other), &mut before);
            if before.iter().any(|&(t, upto)| t == event.thread && at(id) < upto) {
                targets.insert(graph.row(other));
            }
        }
    }
}
