//! The end of `main`, when all other threads have ended: how it goes past its joins.

use crate::explore::engine::context::World;
use crate::graph::event::Kind;
use crate::graph::{Graph, Status};
use crate::ids::ThreadId;
use crate::program::thread::{Action, Completion, Context, Identity, Thread};
use crate::relation::bits::Bits;
use rustc_hash::FxHashMap;

/// The first thread of a C program when all others have ended: it goes past its joins, which order everything before it.
#[derive(Clone, Debug)]
pub struct Ending {
    /// The thread.
    pub thread: Thread,
    joined: Vec<u64>,
}

impl Ending {
    /// The thread as the graph has it, and the threads that it has joined.
    pub fn new(thread: Thread, joined: Vec<u64>) -> Ending {
        Ending { thread, joined }
    }

    /// Whether the thread has ended.
    pub fn is_over(&self) -> bool {
        self.thread.result.is_some()
    }

    /// Runs the joins; tells whether everybody was joined before anything else was to be decided.
    pub fn join_all(&mut self, world: &mut World<'_>, graph: &Graph) -> bool {
        let lanes = graph.lanes();
        let mut rest: Bits = (1..lanes.len() as u32).filter(|&t| lanes[t as usize].status != Status::Absent).collect();
        // Threads joined by others count as joined when those others are.
        let joins = lanes[1..].iter().filter(|l| l.waits > 0).flat_map(|l| &l.order).map(|&e| graph.event(e));
        let inner = joins.filter(|e| e.kind == Kind::Join).map(|e| e.value);
        self.joined.drain(..).chain(inner).filter_map(|t| u32::try_from(t).ok()).for_each(|t| rest.remove(t));
        loop {
            let mut cx = Context {
                program: world.program,
                deps: &mut world.deps,
                thread: ThreadId(0),
                events: 0,
                unroll: world.options.unroll,
                detect_idle: world.options.detect_idle,
                budget: world.options.max_local_steps,
                go_on: false,
                ways: None,
            };
            let action = world.threads.run(&mut self.thread, &mut cx);
            let (false, Action::Join { thread, .. }) = (rest.is_empty(), action) else { return rest.is_empty() };
            let Some(lane) = lanes.get(thread as usize).filter(|l| l.status == Status::Finished && thread != 0) else {
                return false;
            };
            let value = lane.thread.as_ref().and_then(|t| t.result).map_or(0, |r| r.value);
            if !rest.contains(thread as u32) {
                // Joined before: an error that only the graph can show.
                return false;
            }
            rest.remove(thread as u32);
            self.thread.finish(Completion::of(value, true));
        }
    }
}

/// What [`Ending::join_all`] found before. It depends on where the first thread stands and on what the others returned, so
/// exploration asks the same again and again.
#[derive(Default)]
pub struct Endings {
    known: FxHashMap<Identity, Known>,
}

/// One answer. The thread is kept so that its identity stays its own.
struct Known {
    thread: Thread,
    results: Vec<Option<u64>>,
    ending: Option<Ending>,
}

impl Endings {
    /// How many are kept.
    const MOST: usize = 256;

    /// What was found for such a graph, if that is known.
    pub fn get(&self, graph: &Graph, thread: &Thread) -> Option<&Option<Ending>> {
        let Known { results: known, ending, .. } = self.known.get(&thread.identity())?;
        (known.iter().copied().eq(results(graph)) && Self::is_plain(graph)).then_some(ending)
    }

    /// Notes what was found; nothing when other threads than the first join some.
    pub fn insert(&mut self, graph: &Graph, thread: Thread, ending: Option<Ending>) {
        if self.known.len() >= Self::MOST {
            self.known.clear();
        }
        if Self::is_plain(graph) {
            let known = Known { results: results(graph).collect(), ending, thread };
            self.known.insert(known.thread.identity(), known);
        }
    }

    fn is_plain(graph: &Graph) -> bool {
        graph.lanes()[1..].iter().all(|l| l.waits == 0)
    }
}

fn results(graph: &Graph) -> impl Iterator<Item = Option<u64>> {
    graph.lanes()[1..].iter().map(|lane| match lane.status {
        Status::Absent => None,
        _ => Some(lane.thread.as_ref().and_then(|t| t.result).map_or(0, |r| r.value)),
    })
}
