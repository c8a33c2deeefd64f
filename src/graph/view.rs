//! A graph as plain data, computed from scratch and without any of the incremental machinery in [`super::base_relations`].
//!
//! The reference evaluator, the reports and the tests read this. It is deliberately naive: every base name is defined by a
//! loop over all pairs of events, straight from its meaning (`CAT.md` §6 in the reference, summarised in `docs/cat.md`).

use super::base_relations::edges::is_part_of_partner;
use super::event::{Event, INIT_THREAD, Kind, NO_EVENT, NO_LOC};
use super::pairs::{are_one_update, is_pair, is_part_of};
use super::{EventId, Graph};
use crate::algebra::places::{PARTS, PARTS_IN_MEMORY};
use crate::patience;
use crate::program::crash::{Unit, Units};
use crate::program::deps::{DepId, DepTable};
use crate::program::{Half, InstructionOrder, Program};
use crate::relation::candidate::{Candidate, EventSet, Relation};

/// The candidate that a model is evaluated on.
///
/// O(events²) for most base names.
pub fn candidate(graph: &Graph, deps: &DepTable, program: &Program) -> Candidate {
    let ids: Vec<EventId> = graph.ids().filter(|&e| graph.event(e).kind.in_model()).collect();
    let mut result = Candidate::default();
    for &id in &ids {
        let (event, row) = (graph.event(id), graph.row(id));
        result.universe.insert(row);
        result.values.insert(row, event.value);
        if event.loc != NO_LOC {
            result.locations.insert(row, event.loc.0);
        }
        let mut put = |name: &str| {
            result.sets.entry(name.to_owned()).or_insert_with(EventSet::new).insert(row);
        };
        if !event.hidden && event.kind != Kind::Fence {
            put("M");
            put("Exp");
            put(if event.kind == Kind::Read { "R" } else { "W" });
        }
        match event.kind {
            Kind::Init => put("IW"),
            Kind::Fence if event.is_fence => put("F"),
            _ => {}
        }
        program.tags_of(event.tags).for_each(&mut put);
        if event.thread != INIT_THREAD {
            program.tags_of(graph.lane(event.thread).tags).for_each(&mut put);
        }
    }
    for &a in &ids {
        // Somebody who waits for an explanation may be late.
        if patience::is_over() {
            break;
        }
        for &b in &ids {
            let mut put = |name: &str| {
                let rel = result.relations.entry(name.to_owned()).or_insert_with(Relation::new);
                rel.insert((graph.row(a), graph.row(b)));
            };
            pair(graph, deps, program.order, a, b, &mut put);
            places(graph, program.persistence.units, a, b, &mut put);
        }
    }
    result
}

/// Position in program order.
fn position(graph: &Graph, id: EventId) -> usize {
    if graph.event(id).thread == INIT_THREAD {
        return 0;
    }
    graph.lane(graph.event(id).thread).order.iter().position(|&e| e == id).unwrap_or(usize::MAX)
}

fn pair(graph: &Graph, deps: &DepTable, order: InstructionOrder, a: EventId, b: EventId, put: &mut dyn FnMut(&str)) {
    let (x, y) = (graph.event(a), graph.event(b));
    let one_row = graph.row(a) == graph.row(b);
    let same_thread = x.thread == y.thread && x.thread != INIT_THREAD;
    let same_instruction = same_thread && x.group == y.group;
    if same_thread {
        put("int");
        if same_instruction {
            put("same-instance");
        }
        let in_order = position(graph, a) < position(graph, b);
        let related = !same_instruction || order == InstructionOrder::DataFlow && feeds(graph, deps, a, b);
        if in_order && related && !one_row {
            put("po");
        }
    }
    if x.thread != y.thread {
        put("ext");
    }
    if x.loc != NO_LOC && x.loc == y.loc {
        put("loc");
    }
    let one_access = a == b || order == InstructionOrder::None && is_pair(x, y) || is_part_of(x, y);
    if one_access && x.kind != Kind::Fence {
        put(PARTS);
        if !x.hidden {
            for name in ["si", "sm", PARTS_IN_MEMORY] {
                put(name);
            }
        }
    }
    if y.kind == Kind::Read && y.rf == a {
        put(if y.hidden { "rf-lock" } else { "rf" });
    }
    if x.kind.writes() && y.kind.writes() && x.loc == y.loc && graph.co_index(a) < graph.co_index(b) {
        put("co");
    }
    if matches!(x.kind, Kind::Read | Kind::Write) && !(one_row && a != b) && !are_one_update(x, y) {
        let has = |set: DepId| deps.get(set).contains(a.0);
        if has(y.addr_deps) {
            put("addr");
        }
        if has(y.data_deps) {
            put(if y.kind == Kind::Read { "casdep" } else { "data" });
        }
        if has(y.ctrl_deps) {
            put("ctrl");
        }
        let sets = [("pick-addr", y.addr_deps), ("pick-data", y.data_deps), ("pick-ctrl", y.ctrl_deps)];
        sets.iter().filter(|(_, set)| deps.picks(*set).contains(a.0)).for_each(|(name, _)| put(name));
    }
    if y.partner == a && !y.hidden {
        match y.half {
            Half::AmoWrite => put("amo"),
            Half::ExWrite => put("lxsx"),
            _ => {}
        }
    }
    if ordered_by_threads(graph, x, position(graph, a), y, position(graph, b), 0) {
        put("thread-sync");
    }
}

/// Relations by where events are.
fn places(graph: &Graph, units: Units, a: EventId, b: EventId, put: &mut dyn FnMut(&str)) {
    let (x, y) = (graph.event(a), graph.event(b));
    let (at, to) = (graph.address(x), graph.address(y));
    if at == 0 || to == 0 {
        return;
    }
    for (name, unit) in [("same-line", Unit::Line), ("same-block", Unit::Block), ("same-inode", Unit::Inode)] {
        if units.of(unit, at).is_some() && units.of(unit, at) == units.of(unit, to) {
            put(name);
        }
    }
    let size = units.size(Unit::Inode);
    if size == 0 {
        return;
    }
    if y.kind.writes() && at / size == to / size && at % size < y.value {
        put("below");
    }
    if x.kind.writes() && x.value != 0 && x.value / size == to / size {
        put("points-to");
    }
}

/// Whether, in one instruction instance, `a` feeds `b` through data flow or is the read half of its write.
pub(crate) fn feeds(graph: &Graph, deps: &DepTable, a: EventId, b: EventId) -> bool {
    feeds_besides(graph, deps, a, b, &mut Vec::new())
}

/// The same, by another way than through these.
fn feeds_besides(graph: &Graph, deps: &DepTable, a: EventId, b: EventId, seen: &mut Vec<EventId>) -> bool {
    if seen.contains(&b) {
        return false;
    }
    seen.push(b);
    let y = graph.event(b);
    if y.partner == a || is_part_of_partner(graph, a, y) {
        return true;
    }
    let mut sources: Vec<EventId> = [y.addr_deps, y.data_deps, y.ctrl_deps]
        .iter()
        .flat_map(|&set| deps.get(set).iter().map(EventId).collect::<Vec<_>>())
        .collect();
    sources.push(y.partner);
    sources.into_iter().any(|s| {
        s == a
            || graph.contains(s)
                && graph.event(s).group == y.group
                && graph.event(s).thread == y.thread
                && feeds_besides(graph, deps, a, s, seen)
    })
}

/// Whether thread creation or joining puts `x` before `y`.
fn ordered_by_threads(graph: &Graph, x: &Event, at_x: usize, y: &Event, at_y: usize, depth: usize) -> bool {
    if x.thread == INIT_THREAD || y.thread == INIT_THREAD || depth > 2 * graph.len() {
        return false;
    }
    let lane = graph.lane(y.thread);
    if lane.spawn != NO_EVENT && graph.contains(lane.spawn) {
        let (spawn, at) = (graph.event(lane.spawn), position(graph, lane.spawn));
        if x.thread == spawn.thread && at_x < at || ordered_by_threads(graph, x, at_x, spawn, at, depth + 1) {
            return true;
        }
    }
    lane.order[..at_y.min(lane.order.len())].iter().any(|&j| {
        let join = graph.event(j);
        if join.kind == Kind::Depart {
            return graph.arrivals(join.value, join.size).any(|arrival| {
                let (other, at) = (graph.event(arrival), position(graph, arrival));
                other.thread != y.thread
                    && (x.thread == other.thread && at_x < at
                        || ordered_by_threads(graph, x, at_x, other, at, depth + 1))
            });
        }
        if join.kind != Kind::Join {
            return false;
        }
        let child = graph.lane(crate::ids::ThreadId(join.value as u32));
        x.thread.0 as u64 == join.value
            || child
                .order
                .last()
                .is_some_and(|&l| ordered_by_threads(graph, x, at_x, graph.event(l), child.order.len(), depth + 1))
    })
}
