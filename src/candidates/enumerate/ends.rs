//! How runs on guessed values end: with which ends they are handed on, and what those that fail or wait have come to.

use crate::explore::engine::context::World;
use crate::explore::engine::failures::Failures;
use crate::explore::visitor::Problem;
use crate::graph::event::Kind;
use crate::graph::{Graph, Lane, Status};
use crate::ids::{SpanId, ThreadId};
use crate::program::deps::DepTable;
use crate::program::fault::Fault;
use crate::program::thread::Failure;
use crate::program::{Program, Start};

/// How runs may end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::candidates) enum Ends {
    /// No thread waits, or one has ended the program.
    Whole,
    /// The same, or a thread has failed.
    WholeOrFailed,
    /// Neither: a thread waits, and none has failed.
    Waiting,
    /// Anyhow.
    Any,
}

impl Ends {
    /// Whether a run with this end is handed on.
    pub fn include(self, world: &mut World<'_>, graph: &Graph) -> bool {
        match self {
            Ends::Any => true,
            Ends::Whole => is_whole(world, graph),
            Ends::WholeOrFailed => has_failed(graph) || is_whole(world, graph),
            Ends::Waiting => !has_failed(graph) && !is_whole(world, graph),
        }
    }

    /// Whether nothing comes of a run in which a thread waits.
    pub fn end_with_a_wait(self, world: &World<'_>) -> bool {
        self == Ends::Whole && !world.may_end_early
    }
}

impl From<Runs> for Ends {
    fn from(runs: Runs) -> Ends {
        match runs {
            Runs::Ended => Ends::Whole,
            Runs::Waiting => Ends::Waiting,
        }
    }
}

/// Whether all threads have come to their ends, or the first is the only one left and goes on alone, or one has ended the program.
fn is_whole(world: &mut World<'_>, graph: &Graph) -> bool {
    let over = |l: &Lane| matches!(l.status, Status::Absent | Status::Finished | Status::Exited | Status::Faulted(_));
    let lanes = graph.lanes();
    has_ended_early(graph)
        || lanes.iter().skip(1).all(over) && (lanes.first().is_none_or(over) || ends_alone(world, graph))
}

/// Whether a thread has ended the program, wherever others stand; none of them has stopped for another reason than to wait.
fn has_ended_early(graph: &Graph) -> bool {
    let has = |what: fn(&Status) -> bool| graph.lanes().iter().any(|lane| what(&lane.status));
    has(|status| *status == Status::Exited)
        && !has(|status| matches!(status, Status::Assumed | Status::Cut | Status::Faulted(_)))
}

/// Whether the first thread of a C program has joined all others, and creates no more.
pub(in crate::candidates) fn ends_alone(world: &mut World<'_>, graph: &Graph) -> bool {
    let Some(Lane { status: Status::Running, thread: Some(thread), done, .. }) = graph.lanes().first() else {
        return false;
    };
    let ends_with_events = world.program.persistence.is_explored;
    if ends_with_events || !matches!(world.program.start, Start::Main(_)) || !joined_all(graph) {
        return false;
    }
    let mut thread = thread.clone();
    world.interpret(ThreadId(0), &mut thread, *done as u32);
    !world.may_create(&thread)
}

fn joined_all(graph: &Graph) -> bool {
    (1..graph.lanes().len()).all(|t| {
        graph.lane(ThreadId::at(t)).status == Status::Absent
            || graph.ids().any(|e| graph.event(e).kind == Kind::Join && graph.event(e).value == t as u64)
    })
}

/// Whether a thread has ended in an error, or gone on behind one.
pub(in crate::candidates) fn has_failed(graph: &Graph) -> bool {
    graph.lanes().iter().any(|lane| matches!(lane.status, Status::Faulted(_)) || failed_assertion(lane).is_some())
}

fn failed_assertion(lane: &Lane) -> Option<&Failure> {
    lane.thread.as_ref()?.failed.as_deref()
}

/// What the first thread that has failed has come to, if threads end with their failures.
pub(in crate::candidates) fn failure(program: &Program, graph: &Graph, deps: &DepTable) -> Option<Problem> {
    let failures = Failures::of(graph);
    let mut lanes = graph.lanes().iter().enumerate().filter(|(t, _)| failures.let_come(graph, deps, ThreadId::at(*t)));
    lanes.find_map(|(t, lane)| {
        let (span, fault) = match (failed_assertion(lane), &lane.status) {
            (Some(failed), _) => (failed.span, Fault::Assertion(failed.message.clone())),
            (None, Status::Faulted(fault)) => {
                (lane.thread.as_ref().map_or(SpanId::default(), |thread| thread.place(program).span), fault.clone())
            }
            _ => return None,
        };
        Some(Problem::Fault(ThreadId::at(t), span, fault))
    })
}

/// The threads that wait, where some do and none has ended the program. (At a barrier a thread still runs.)
pub(in crate::candidates) fn waiting(graph: &Graph) -> Option<Problem> {
    let waits = |(t, lane): &(usize, &Lane)| match lane.status {
        Status::Waiting(_) => true,
        Status::Running => *t > 0,
        _ => false,
    };
    let waiting = graph.lanes().iter().enumerate().filter(waits);
    let threads: Vec<ThreadId> = waiting.map(|(t, _)| ThreadId::at(t)).collect();
    (!threads.is_empty() && !has_ended_early(graph)).then_some(Problem::Stuck(threads))
}

/// Which runs are explained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runs {
    /// Those in which all threads come to their ends, or one fails, or one ends the program.
    Ended,
    /// Those in which none of this is so, and one waits: until others write something else, if anybody does.
    Waiting,
}
