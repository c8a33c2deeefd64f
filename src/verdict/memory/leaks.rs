//! What is left behind when a program ends: memory that nobody can free any more, threads that nobody has joined. Warnings, not
//! errors: the program did what it was to do.
//!
//! Memory counts as lost when no word of a global object, or of memory that can be reached from one, points into it.

use crate::explore::Execution;
use crate::explore::engine::ending;
use crate::graph::event::Kind;
use crate::graph::memory::{Block, Memory};
use crate::graph::{Lane, Status};
use crate::ids::SpanId;
use crate::program::Start;
use crate::verdict::picture::draw::{self, thread_name};
use crate::verdict::result::Finding;

/// Blocks of more bytes than this are not searched for pointers.
const LARGEST: usize = 1 << 20;

/// The warnings of a complete execution.
pub fn find(execution: &Execution<'_, '_>) -> Vec<Finding> {
    if !matches!(execution.world.program.start, Start::Main(_)) {
        return Vec::new();
    }
    // A thread that ends the program does so in the middle of what the others do.
    let is_over = |lane: &Lane| matches!(lane.status, Status::Absent | Status::Finished);
    if !execution.graph.lanes().iter().skip(1).all(is_over) {
        return threads(execution);
    }
    memory(execution).into_iter().chain(threads(execution)).collect()
}

fn warning(execution: &Execution<'_, '_>, kind: &str, message: String, span: SpanId) -> Finding {
    Finding {
        kind: kind.to_owned(),
        message,
        place: draw::place(execution.world.program, span),
        events: Vec::new(),
        notes: Vec::new(),
        orders: None,
        calls: None,
        execution: Default::default(),
    }
}

fn memory(execution: &Execution<'_, '_>) -> Vec<Finding> {
    let (graph, world) = (execution.graph, execution.world);
    if world.memory.blocks().iter().all(|b| !b.heap)
        && !graph.ids().any(|e| matches!(graph.event(e).kind, Kind::Alloc(_)))
        && execution.last.is_none_or(|l| l.memory.blocks().iter().all(|b| !b.heap))
    {
        return Vec::new();
    }
    let own;
    let memory: &Memory = match execution.last {
        Some(last) => &last.memory,
        None => {
            let Some(thread) = graph.lanes().first().and_then(|l| l.thread.clone()) else { return Vec::new() };
            own = ending::last(world, graph, thread);
            &own.memory
        }
    };
    let span = |block: &Block| {
        let alloc = graph.ids().map(|e| graph.event(e));
        let mut alloc = alloc.filter(|e| matches!(e.kind, Kind::Alloc(_)) && e.value == block.address);
        alloc.next().map_or(block.made, |e| e.span)
    };
    lost(memory)
        .into_iter()
        .map(|block| {
            let message = format!("memory of {} bytes that is allocated here is never freed", block.bytes.len());
            warning(execution, "leak", message, span(block))
        })
        .collect()
}

/// Heap blocks that are not freed and that nothing points to.
fn lost(memory: &Memory) -> Vec<&Block> {
    let blocks = memory.blocks();
    let mut reached: Vec<bool> = blocks.iter().map(|b| !b.heap && !b.stack && !b.freed).collect();
    let mut open: Vec<usize> = (0..blocks.len()).filter(|&i| reached[i]).collect();
    while let Some(i) = open.pop() {
        let block = &blocks[i];
        for word in block.bytes[..block.bytes.len().min(LARGEST)].chunks_exact(8) {
            let value = word.try_into().map(u64::from_le_bytes).unwrap_or(0);
            let Some(target) = memory.index_at(value) else { continue };
            if !std::mem::replace(&mut reached[target], true) {
                open.push(target);
            }
        }
    }
    blocks.iter().zip(reached).filter(|(b, reached)| b.heap && !b.freed && !reached).map(|(b, _)| b).collect()
}

/// Threads that are neither joined nor detached.
fn threads(execution: &Execution<'_, '_>) -> Vec<Finding> {
    let (graph, program) = (execution.graph, execution.world.program);
    let by_another = || graph.lanes().iter().skip(1).any(|lane| lane.status == Status::Exited);
    if execution.all_joined || program.detaches || program.leaves || by_another() {
        return Vec::new();
    }
    let joined = |t: usize| graph.ids().any(|e| graph.event(e).kind == Kind::Join && graph.event(e).value == t as u64);
    let mut found = Vec::new();
    for (t, lane) in graph.lanes().iter().enumerate().skip(1) {
        if lane.status != Status::Absent && graph.contains(lane.spawn) && !joined(t) {
            let message = format!("thread {} is neither joined nor detached", thread_name(execution, t as u64));
            found.push(warning(execution, "never-joined", message, graph.event(lane.spawn).span));
        }
    }
    found
}
