//! The orders that an execution lacks: why a weak model allows it.
//!
//! An execution that no interleaving explains has a cycle of program order, reads-from, coherence and from-reads. Some of its program-order steps
//! must be steps that the model does not keep. Which, is found by trying: a full fence is put between the two events of a
//! step, and the plain evaluator is asked whether the model still accepts the execution. The smallest set of steps whose fences make it
//! reject the execution is what is missing. The same is asked for a race: the steps whose fences order the two accesses.
//!
//! Every answer is checked by evaluating the model; nothing is concluded from the shape of a model.

use super::recheck;
use crate::algebra::Model;
use crate::algebra::naive::judge;
use crate::explore::Execution;
use crate::graph::event::{Event, INIT_THREAD, Kind, NO_LOC};
use crate::graph::{Graph, view};
use crate::ids::{EventId, TagSetId};
use crate::relation::candidate::{Candidate, Relation};
use crate::verdict::picture::{Edge, Picture};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Sets of steps that are tried.
const TRIED: u32 = 256;
/// Larger graphs are not searched for cycles: the evaluator is cubic.
const LARGEST: usize = 400;

/// A step of program order: two events of one thread.
pub type Step = (EventId, EventId);

/// Why an execution is allowed, as rows of a picture.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Orders {
    /// A cycle that every interleaving would have to break (program order, `rf`, `co`, `fr`); empty for a race.
    pub cycle: Vec<Edge>,
    /// Steps of program order that the model does not keep: with a full fence in each of them it would reject the execution (for
    /// a race: order the two accesses). The smallest such set; empty when no fences do it.
    pub missing: Vec<(u32, u32)>,
}

impl Orders {
    /// Adds to a picture the edges that it does not have.
    pub fn draw(&self, picture: &mut Picture) {
        picture.edges.extend(self.cycle.iter().filter(|e| e.name.contains("fr")).cloned());
        let steps = self.missing.iter().map(|&(from, to)| Edge { from, to, name: NOT_KEPT.into() });
        picture.edges.extend(steps);
    }
}

/// The name of an edge of program order that the model does not keep.
pub const NOT_KEPT: &str = "not kept";

/// A shortest cycle of program order and communication, if there is one.
fn cycle(candidate: &Candidate) -> Option<Vec<(EventId, EventId, &'static str)>> {
    let mut names: FxHashMap<(u32, u32), &'static str> = FxHashMap::default();
    let mut edges = Relation::new();
    let (rf, co) = (candidate.relation("rf"), candidate.relation("co"));
    let mut add = |relation: &Relation, name: &'static str| {
        for &edge in relation.iter().filter(|(a, b)| a != b) {
            // Communication says more than program order where both are there.
            names.entry(edge).or_insert(name);
            edges.insert(edge);
        }
    };
    add(&rf, "rf");
    add(&co, "co");
    let mut fr = Relation::new();
    for &(write, read) in &rf {
        fr.extend(co.range((write, 0)..=(write, u32::MAX)).map(|&(_, later)| (read, later)));
    }
    add(&fr, "fr");
    add(&candidate.relation("po"), "po");
    let starts: std::collections::BTreeSet<u32> = edges.iter().map(|&(a, _)| a).collect();
    let path = starts.into_iter().filter_map(|start| shortest(&edges, start)).min_by_key(Vec::len)?;
    let steps = path.iter().zip(path.iter().cycle().skip(1));
    Some(steps.map(|(&a, &b)| (EventId(a), EventId(b), names.get(&(a, b)).copied().unwrap_or("po"))).collect())
}

/// The nodes of a shortest cycle through `start`.
fn shortest(edges: &Relation, start: u32) -> Option<Vec<u32>> {
    let mut before: FxHashMap<u32, u32> = FxHashMap::default();
    let mut open = VecDeque::from([start]);
    while let Some(a) = open.pop_front() {
        for &(_, b) in edges.range((a, 0)..=(a, u32::MAX)) {
            if b == start {
                let mut path = vec![a];
                while let Some(&previous) = path.last().filter(|&&e| e != start).and_then(|e| before.get(e)) {
                    path.push(previous);
                }
                path.reverse();
                return Some(path);
            }
            if b != start && !before.contains_key(&b) {
                before.insert(b, a);
                open.push_back(b);
            }
        }
    }
    None
}

/// The smallest set of steps that must be fenced so that `settled` holds of the execution; `None` when no set does it.
pub fn missing(
    execution: &Execution<'_, '_>,
    fence: TagSetId,
    steps: &[Step],
    settled: &mut dyn FnMut(&Candidate) -> bool,
) -> Option<Vec<Step>> {
    let sets = 1u32.checked_shl(steps.len() as u32).filter(|&n| n <= TRIED)?;
    let mut order: Vec<u32> = (1..sets).collect();
    order.sort_by_key(|set| set.count_ones());
    order.into_iter().find_map(|set| {
        let chosen: Vec<Step> = steps.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).map(|(_, &s)| s).collect();
        let graph = fenced(execution.graph, fence, &chosen);
        let candidate = view::candidate(&graph, &execution.world.deps, execution.world.program);
        settled(&candidate).then_some(chosen)
    })
}

/// Whether a model rejects an execution.
pub fn rejects(model: &Model, candidate: &Candidate) -> bool {
    !judge(model, candidate).violated.is_empty()
}

/// The graph with a fence in front of the second event of each step.
fn fenced(graph: &Graph, tags: TagSetId, steps: &[Step]) -> Graph {
    let mut graph = graph.clone();
    for (i, &(_, before)) in steps.iter().enumerate() {
        let thread = graph.event(before).thread;
        if thread == INIT_THREAD {
            continue;
        }
        let Some(at) = graph.lane(thread).order.iter().position(|&e| e == before) else { continue };
        // Not between the halves of a read-modify-write.
        let at = at - usize::from(at > 0 && graph.event(before).partner == graph.lane(thread).order[at - 1]);
        let mut event = Event::init(NO_LOC, Some(0));
        (event.kind, event.thread, event.tags, event.is_fence) = (Kind::Fence, thread, tags, true);
        // No other event has this identity.
        (event.key, event.group) = (u64::MAX - i as u64, u64::MAX - i as u64);
        graph.add(event, 0, at);
    }
    graph
}

/// Why the model allows an execution that no interleaving explains.
pub fn explain(execution: &Execution<'_, '_>, model: &Model, rows: &FxHashMap<EventId, u32>) -> Option<Orders> {
    let (graph, world) = (execution.graph, execution.world);
    if graph.len() > LARGEST {
        return None;
    }
    let candidate = view::candidate(graph, &world.deps, world.program);
    let cycle = cycle(&candidate)?;
    let edges: Vec<(u32, u32, &str)> = cycle.iter().map(|&(a, b, name)| (a.0, b.0, name)).collect();
    if !recheck::communication(&candidate, &edges) {
        return None;
    }
    let steps: Vec<Step> = cycle.iter().filter(|(_, _, name)| *name == "po").map(|&(a, b, _)| (a, b)).collect();
    let missing = missing(execution, world.program.full_fence, &steps, &mut |c| rejects(model, c)).unwrap_or_default();
    let row = |e: EventId| rows.get(&e).copied();
    let edges: Option<Vec<Edge>> = merged(&cycle, &row);
    Some(Orders { cycle: edges?, missing: missing.iter().filter_map(|&(a, b)| Some((row(a)?, row(b)?))).collect() })
}

/// Edges between rows; initial writes have none, and what goes over them becomes one edge.
fn merged(cycle: &[(EventId, EventId, &'static str)], row: &dyn Fn(EventId) -> Option<u32>) -> Option<Vec<Edge>> {
    let start = cycle.iter().position(|&(a, ..)| row(a).is_some())?;
    let mut edges: Vec<Edge> = Vec::new();
    let mut open: Option<(u32, String)> = None;
    for &(a, b, name) in cycle.iter().cycle().skip(start).take(cycle.len()) {
        let (from, name) = match open.take() {
            Some((from, before)) => (from, format!("{before};{name}")),
            None => (row(a)?, name.to_owned()),
        };
        match row(b) {
            Some(to) => edges.push(Edge { from, to, name }),
            None => open = Some((from, name)),
        }
    }
    Some(edges)
}

/// Why two accesses race: the steps around a reads-from edge between their threads that a fence would have to order.
pub fn explain_race(
    execution: &Execution<'_, '_>,
    rows: &FxHashMap<EventId, u32>,
    pair: [EventId; 2],
    races: &mut dyn FnMut(&Candidate) -> bool,
) -> Option<Orders> {
    let graph = execution.graph;
    let position = |e: EventId| graph.lane(graph.event(e).thread).order.iter().position(|&o| o == e);
    for [first, second] in [pair, [pair[1], pair[0]]] {
        let (a, b) = (graph.event(first).thread, graph.event(second).thread);
        let before_b = &graph.lane(b).order[..position(second)?];
        let reads = before_b.iter().copied().filter(|&r| {
            let event = graph.event(r);
            let other = event.kind == Kind::Read && graph.contains(event.rf) && graph.event(event.rf).thread == a;
            other && position(event.rf).is_some_and(|at| position(first).is_some_and(|p| p < at))
        });
        for read in reads {
            let steps = [(first, graph.event(read).rf), (read, second)];
            let found = missing(execution, execution.world.program.full_fence, &steps, &mut |c| !races(c));
            if let Some(found) = found {
                let row = |e: EventId| rows.get(&e).copied();
                let missing = found.iter().filter_map(|&(a, b)| Some((row(a)?, row(b)?))).collect();
                return Some(Orders { cycle: Vec::new(), missing });
            }
        }
    }
    None
}
