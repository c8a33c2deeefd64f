//! What is missing where a recovery goes wrong: a write that survived, one before it that did not, and a force between the two that forbids that.
//!
//! The force is added to the execution behind the call that made the lost write, and the model is asked again.

use super::recovery::Recovery;
use crate::explore::Execution;
use crate::explore::checker::consistency::{Checker, Kernel};
use crate::graph::Graph;
use crate::graph::event::{Event, Kind, NO_LOC};
use crate::ids::{EventId, FuncId, TagSetId, ThreadId};
use crate::program::Pc;

/// See the module.
pub struct Missing {
    /// A write that survived.
    pub kept: Option<EventId>,
    /// A write that did not.
    pub lost: Option<EventId>,
    /// Whether the one that did not comes before the other one in the run.
    pub is_ordered: bool,
    /// What would have forbidden that.
    pub force: Option<Force>,
}

/// A force behind a call of the user, or a store.
#[derive(Clone, PartialEq, Debug)]
pub struct Force {
    /// How users call it.
    pub name: String,
    /// The tags of its events, in order.
    pub tags: Vec<TagSetId>,
    /// The function in which the call or the store stands.
    pub function: FuncId,
    /// Where in it.
    pub pc: Pc,
    /// What it is about.
    pub address: u64,
}

/// What is missing in an execution with the reads of its recovery.
pub fn find(
    execution: &Execution<'_, '_>,
    thread: ThreadId,
    recovery: &Recovery,
    is_library: &dyn Fn(FuncId, Pc) -> bool,
) -> Option<Missing> {
    let graph = execution.graph;
    let reads = &graph.lane(thread).order;
    let is_write = |&e: &EventId| graph.event(e).kind == Kind::Write;
    let kept: Vec<EventId> = reads.iter().map(|&read| graph.event(read).rf).filter(is_write).collect();
    let lost: Vec<EventId> = reads.iter().flat_map(|&read| behind(graph, graph.event(read).rf)).collect();
    // What was read last is what the recovery speaks of; what was written last is what should have been there.
    let pairs = lost.iter().flat_map(|&lost| kept.iter().rev().map(move |&kept| (lost, kept)));
    let ordered: Vec<(EventId, EventId)> = pairs.filter(|&(lost, kept)| leads(graph, lost, kept)).collect();
    for &(lost, kept) in &ordered {
        if let Some(force) = force_behind(execution, lost, recovery, is_library) {
            return Some(Missing { kept: Some(kept), lost: Some(lost), is_ordered: true, force: Some(force) });
        }
    }
    match ordered.first() {
        Some(&(lost, kept)) => Some(Missing { kept: Some(kept), lost: Some(lost), is_ordered: true, force: None }),
        None if kept.is_empty() && lost.is_empty() => None,
        None => {
            let kept = kept.iter().copied().max_by_key(|&e| graph.event(e).stamp);
            Some(Missing { kept, lost: lost.first().copied(), is_ordered: false, force: None })
        }
    }
}

/// The writes behind one in coherence, the last first.
fn behind(graph: &Graph, write: EventId) -> Vec<EventId> {
    let all = graph.place(graph.event(write).loc).map_or(&[][..], |place| &place.co);
    all.iter().rev().copied().take_while(|&other| other != write).collect()
}

/// Whether program order and reads-from lead from one event to another.
fn leads(graph: &Graph, from: EventId, to: EventId) -> bool {
    let (mut seen, mut work) = (vec![to], vec![to]);
    while let Some(at) = work.pop() {
        let event = graph.event(at);
        let before = graph.lanes().get(event.thread.index()).into_iter().flat_map(|lane| {
            lane.order
                .iter()
                .copied()
                .take_while(move |&e| e != at)
                .chain(graph.contains(lane.spawn).then_some(lane.spawn))
        });
        let joined = (event.kind == Kind::Join).then(|| graph.lanes().get(event.value as usize)).flatten();
        let source = (event.kind == Kind::Read && graph.contains(event.rf)).then_some(event.rf);
        for other in before.chain(source).chain(joined.and_then(|lane| lane.order.last().copied())) {
            if other == from {
                return true;
            }
            if graph.event(other).kind != Kind::Init && !seen.contains(&other) {
                seen.push(other);
                work.push(other);
            }
        }
    }
    false
}

/// A force behind the call that made a write, with which the model forbids the execution.
fn force_behind(
    execution: &Execution<'_, '_>,
    lost: EventId,
    recovery: &Recovery,
    is_library: &dyn Fn(FuncId, Pc) -> bool,
) -> Option<Force> {
    let program = recovery.program();
    let graph = execution.graph;
    let write = graph.event(lost);
    let lane = graph.lane(write.thread);
    let at = lane.order.iter().position(|&e| e == lost)?;
    let call = call_of(graph.event(lost), is_library);
    let after = at + lane.order[at..].iter().take_while(|&&e| call_of(graph.event(e), is_library) == call).count();
    let &(function, pc) = call.first()?;
    program.persistence.forces.iter().find_map(|(tags, name)| {
        let mut graph = graph.clone();
        let address = graph.address(write);
        for (n, &tags) in tags.iter().enumerate() {
            let number = u64::MAX - n as u64;
            let force = Event {
                kind: Kind::Fence,
                thread: write.thread,
                key: number,
                group: number,
                tags,
                value: address,
                loc: NO_LOC,
                ..Event::init(write.loc, None)
            };
            graph.add(force, 0, after + n);
        }
        let mut checker = Kernel::new(recovery.plan(), program);
        checker.load(&graph, &execution.world.deps);
        let forbids = !checker.is_consistent_when_complete();
        forbids.then(|| Force { name: name.clone(), tags: tags.clone(), function, pc, address })
    })
}

/// The call of the user that an event belongs to: where the frames outside of libraries stand.
pub(super) fn call_of(event: &Event, is_library: &dyn Fn(FuncId, Pc) -> bool) -> Vec<(FuncId, Pc)> {
    let frames = event.before.iter().flat_map(|before| before.frames()).map(|frame| (frame.func, frame.pc));
    frames.skip_while(|&(function, pc)| is_library(function, pc)).collect()
}
