//! How runs on guessed values end: with which ends they are handed on, and what those that fail or wait have come to.

use crate::explore::Problem;
use crate::graph::{Graph, Lane, Status};
use crate::ids::{SpanId, ThreadId};
use crate::program::Program;
use crate::program::fault::Fault;
use crate::program::thread::Failure;

/// How runs may end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// No thread waits.
    Whole,
    /// The same, or a thread has failed.
    WholeOrFailed,
    /// Anyhow.
    Any,
}

/// Whether a thread has ended in an error, or gone on behind one.
pub(super) fn has_failed(graph: &Graph) -> bool {
    graph.lanes().iter().any(|lane| matches!(lane.status, Status::Faulted(_)) || failed_assertion(lane).is_some())
}

fn failed_assertion(lane: &Lane) -> Option<&Failure> {
    lane.thread.as_ref()?.failed.as_deref()
}

/// What the first thread that has failed has come to.
pub(super) fn failure(program: &Program, graph: &Graph) -> Option<Problem> {
    graph.lanes().iter().enumerate().find_map(|(t, lane)| {
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

/// The threads that wait, where some do.
pub(super) fn waiting(graph: &Graph) -> Option<Problem> {
    let lanes = graph.lanes().iter().enumerate();
    let waiting = lanes.filter(|(_, lane)| matches!(lane.status, Status::Waiting(_)));
    let threads: Vec<ThreadId> = waiting.map(|(t, _)| ThreadId::at(t)).collect();
    (!threads.is_empty()).then_some(Problem::Stuck(threads))
}
