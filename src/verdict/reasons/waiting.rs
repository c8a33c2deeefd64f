//! For whom threads wait that wait for ever: the holder of a lock, the thread that is to end, those that have not come to a barrier, the last
//! write of what a loop reads; for nobody, where they go round a loop that nothing ends.

use crate::explore::Execution;
use crate::graph::Status;
use crate::graph::event::{Event, Kind};
use crate::ids::{EventId, SpanId, ThreadId};
use crate::program::flow::successors;
use crate::program::operation::{Operation, Primitive};
use crate::program::thread::WaitsFor;
use crate::program::{Function, Instr, Pc};
use crate::verdict::memory::misuse;
use crate::verdict::picture::Origin;
use crate::verdict::picture::draw::{self, call_places, thread_name};
use crate::verdict::picture::names::Names;
use rustc_hash::FxHashMap;

/// A loop that a thread goes round for ever whatever others do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Round {
    /// No way leads out of it.
    NoWayOut,
    /// It reads nothing in it.
    ReadsNothing,
}

impl Round {
    /// What is said of the loop.
    pub fn words(self) -> &'static str {
        match self {
            Round::NoWayOut => "that has no way out and changes nothing",
            Round::ReadsNothing => "in which it reads and changes nothing",
        }
    }
}

/// The loop that a thread goes round whatever others do, if that is what it does.
pub fn round(execution: &Execution<'_, '_>, thread: ThreadId) -> Option<Round> {
    let program = execution.world.program;
    let lane = execution.graph.lanes().get(thread.index())?;
    let (runner, reads) = match (execution.last.filter(|_| thread.0 == 0), &lane.status) {
        (Some(last), _) => (&last.thread, None),
        (None, Status::Waiting(reads)) => (lane.thread.as_ref()?, Some(reads)),
        _ => return None,
    };
    let (function, head) = (program.functions.get(runner.frame().func.index())?, runner.frame().pc);
    if *function.head_at.get(head as usize)? == 0 || matches!(function.code[head as usize], Instr::StopUnless { .. }) {
        return None;
    }
    if !leads_on(function, head) {
        return Some(Round::NoWayOut);
    }
    // A thread that is alone has no reads in the graph.
    (!execution.graph.is_empty() && reads.is_some_and(Vec::is_empty)).then_some(Round::ReadsNothing)
}

/// Whether a way leads out of the loop with this head, or to something that another thread could see: nested loops may have one head.
fn leads_on(function: &Function, head: Pc) -> bool {
    let depth = |pc: Pc| function.depth_at.get(pc as usize).copied().unwrap_or(0);
    let is_head = |pc: Pc| function.head_at.get(pc as usize).is_some_and(|&at| at != 0);
    let leaves = |pc: Pc| depth(pc) < depth(head) || pc != head && is_head(pc) && depth(pc) <= depth(head);
    let acts = |instr: &Instr| {
        !matches!(
            instr,
            Instr::Set { .. }
                | Instr::Bin { .. }
                | Instr::Un { .. }
                | Instr::Select { .. }
                | Instr::Load(_)
                | Instr::Fence { .. }
                | Instr::LocalLoad { .. }
                | Instr::Jump(_)
                | Instr::Branch { .. }
        )
    };
    let (mut seen, mut work) = (vec![false; function.code.len()], vec![head]);
    while let Some(pc) = work.pop() {
        if leaves(pc) || acts(&function.code[pc as usize]) {
            return true;
        }
        if !std::mem::replace(&mut seen[pc as usize], true) {
            work.extend(successors(&function.code, pc));
        }
    }
    false
}

/// One sentence: where a thread waits, and for what. `rows`: the rows of events.
pub fn sentence(execution: &Execution<'_, '_>, thread: ThreadId, rows: &FxHashMap<EventId, u32>) -> String {
    let name = thread_name(execution, u64::from(thread.0));
    let at = call_places(execution, thread).first().map(|p| format!(" at {}:{}", p.file, p.line)).unwrap_or_default();
    if let Some(round) = round(execution, thread) {
        return format!("{name} goes round a loop{at} {}", round.words());
    }
    match reason(execution, thread, rows) {
        Some(reason) => format!("{name} waits{at} {reason}"),
        None => format!("{name} waits{at}"),
    }
}

fn reason(execution: &Execution<'_, '_>, thread: ThreadId, rows: &FxHashMap<EventId, u32>) -> Option<String> {
    let lane = execution.graph.lanes().get(thread.index())?;
    match &lane.status {
        Status::Waiting(reads) => {
            let mut reasons: Vec<String> =
                reads.iter().filter_map(|&r| for_value(execution, thread, r, rows)).collect();
            reasons.dedup();
            (!reasons.is_empty()).then(|| reasons.join("; "))
        }
        Status::Running => for_others(execution, thread),
        _ => None,
    }
}

/// Threads of which each waits for the next, and the last for the first, if there are such.
pub fn circle(execution: &Execution<'_, '_>, threads: &[ThreadId]) -> Option<Vec<ThreadId>> {
    threads.iter().find_map(|&start| {
        let mut circle = vec![start];
        loop {
            let next = on(execution, *circle.last()?)?;
            if next == start {
                return Some(circle);
            }
            if circle.contains(&next) {
                return None;
            }
            circle.push(next);
        }
    })
}

/// The one thread that another one waits for, if that is known.
fn on(execution: &Execution<'_, '_>, thread: ThreadId) -> Option<ThreadId> {
    let graph = execution.graph;
    let lane = graph.lanes().get(thread.index())?;
    match &lane.status {
        Status::Waiting(reads) => {
            let sources = reads.iter().map(|&r| graph.event(r).rf).filter(|&w| graph.contains(w));
            let mut holders = sources.map(|w| graph.event(w)).filter(|e| taken(execution, e).is_some());
            holders.next().map(|e| e.thread)
        }
        _ => match lane.thread.as_ref()?.waits_for(execution.world.program)? {
            WaitsFor::End(number) => Some(ThreadId::at(number as usize)),
            WaitsFor::Arrivals { .. } => None,
        },
    }
}

/// The kind of lock that a write takes.
fn taken(execution: &Execution<'_, '_>, write: &Event) -> Option<Primitive> {
    match misuse::operation(execution, write)? {
        Operation::Acquire(primitive) | Operation::Share(primitive) => Some(primitive),
        _ => None,
    }
}

/// Whether a write is one of a semaphore.
fn is_semaphore(execution: &Execution<'_, '_>, write: &Event, address: u64) -> bool {
    let semaphore = |operation| {
        matches!(operation, Operation::Initialise(Primitive::Semaphore) | Operation::Use(Primitive::Semaphore))
    };
    match write.kind {
        Kind::Init => {
            let last = execution.world.done.iter().rev().find(|done| done.address == address);
            last.is_some_and(|done| semaphore(done.operation))
        }
        _ => misuse::operation(execution, write).is_some_and(semaphore),
    }
}

/// A read that would have to give something else.
fn for_value(
    execution: &Execution<'_, '_>,
    thread: ThreadId,
    read: EventId,
    rows: &FxHashMap<EventId, u32>,
) -> Option<String> {
    let (graph, world) = (execution.graph, execution.world);
    let event = graph.event(read);
    if !graph.contains(event.rf) {
        return None;
    }
    let names = Names::new(world, graph);
    let (address, size) = world.locs.get(event.loc);
    let source = graph.event(event.rf);
    let place = |span: SpanId| draw::place(world.program, span).map(|p| format!(" at {}:{}", p.file, p.line));
    let whose = |t: ThreadId| if t == thread { "it".to_owned() } else { thread_name(execution, u64::from(t.0)) };
    if let Some(primitive) = taken(execution, source) {
        let (lock, at) = (names.location_or_address(address, 0), place(source.span).unwrap_or_default());
        let itself = if source.thread == thread { " itself" } else { "" };
        let holder = whose(source.thread);
        return Some(format!("for {} {lock}, which {holder}{itself} has locked{at}", primitive.name()));
    }
    if is_semaphore(execution, source, address) {
        let semaphore = names.location_or_address(address, 0);
        let last = place(source.span).filter(|_| source.kind != Kind::Init);
        let last = last.map(|at| format!("; {} came to it last{at}", whose(source.thread))).unwrap_or_default();
        return Some(format!("for semaphore {semaphore}, which is 0 and is not posted any more{last}"));
    }
    if let Some(Operation::Use(primitive)) = misuse::operation(execution, source)
        && primitive.is_condition()
    {
        let (condition, at) = (names.location_or_address(address, 0), place(source.span).unwrap_or_default());
        let last = whose(source.thread);
        return Some(format!(
            "for condition variable {condition}, which is not signalled any more; {last} came to it last{at}"
        ));
    }
    let origin = rows.get(&event.rf).map_or(Origin::Initial, |&row| Origin::Event(row));
    let value = format!("{} = {}", names.location_or_address(address, size), names.value(event.value, size));
    Some(match origin {
        Origin::Initial => format!("for another value than {value}, the initial one; nobody writes it any more"),
        Origin::Event(row) => {
            let (writer, at) = (whose(source.thread), place(source.span).unwrap_or_default());
            format!("for another value than {value}, which {writer} has written last (e{row}{at})")
        }
    })
}

/// A thread that does not end, or a barrier to which others have not come.
fn for_others(execution: &Execution<'_, '_>, thread: ThreadId) -> Option<String> {
    let (graph, world) = (execution.graph, execution.world);
    let lane = graph.lanes().get(thread.index())?;
    match lane.thread.as_ref()?.waits_for(world.program)? {
        WaitsFor::End(number) => Some(format!("for {} to end", thread_name(execution, number))),
        WaitsFor::Arrivals { barrier, count } => {
            let round = graph.event(*lane.order.last()?).size;
            let arrivals = graph.ids().map(|e| graph.event(e)).filter(|e| e.kind == Kind::Arrive);
            let arrived = arrivals.filter(|e| e.value == barrier && e.size == round).count();
            let name = Names::new(world, graph).location_or_address(barrier, 0);
            let have = if arrived == 1 { "has" } else { "have" };
            Some(format!("at barrier {name}, to which {arrived} of {count} threads {have} come"))
        }
    }
}
