//! What of a program's code executions reach: each thread of an execution that is shown is run once more on what it read there, and its instructions are noted.
//!
//! Exploration itself also runs threads on values that come to nothing, so what it runs is no measure.
//!
//! What `main` does before the first event is run by itself, once for each of its choices there.

use crate::explore::engine::ending;
use crate::explore::options::Options;
use crate::explore::visitor::Execution;
use crate::graph::event::{Event, Kind, NO_EVENT};
use crate::graph::{Lane, Status};
use crate::ids::{EventId, ThreadId};
use crate::program::deps::{DepId, DepTable};
use crate::program::reached::Reached;
use crate::program::thread::{Action, Completion, Context, Thread};
use crate::program::{Program, Start};
use crate::sequential::{Choices, Solo};
use rustc_hash::FxHashMap;

/// So many instructions of a thread between two events are followed.
const MOST_STEPS: u64 = 1 << 20;
/// How many runs from an event to the next are remembered.
const KEPT: usize = 1 << 16;

/// What executions have reached.
#[derive(Clone, Default, Debug)]
pub struct Coverage {
    reached: Option<Reached>,
    /// Runs that were noted, by where they began and what the event there gave; each thread is kept, so that no other gets its place.
    known: FxHashMap<(usize, u64), Thread>,
}

impl Coverage {
    /// So much was reached.
    pub fn of(reached: Option<Reached>) -> Coverage {
        Coverage { reached, ..Coverage::default() }
    }

    /// What was reached of the code, if any execution was looked at.
    pub fn reached(&self) -> Option<&Reached> {
        self.reached.as_ref()
    }

    /// Adds what was reached elsewhere.
    pub fn add(&mut self, other: &Coverage) {
        match (&mut self.reached, &other.reached) {
            (Some(all), Some(more)) => all.add(more),
            (all @ None, Some(more)) => *all = Some(more.clone()),
            (_, None) => {}
        }
    }

    /// Notes what an execution reaches.
    pub fn see(&mut self, execution: &Execution<'_, '_>) {
        let (program, options) = (execution.world.program, execution.world.options);
        let mut reached = self.reached.take().unwrap_or_else(|| beginning(program, options));
        let mut deps = None;
        for t in (0..execution.graph.lanes().len()).map(ThreadId::at) {
            self.follow(execution, t, &mut deps, &mut reached);
        }
        self.reached = Some(reached);
    }

    /// Notes what a thread runs.
    fn follow(
        &mut self,
        execution: &Execution<'_, '_>,
        t: ThreadId,
        deps: &mut Option<DepTable>,
        reached: &mut Reached,
    ) {
        let (graph, world) = (execution.graph, execution.world);
        let lane = graph.lane(t);
        let mut replay = Replay { execution, deps, reached };
        if lane.spawn != NO_EVENT
            && let Some(thread) = replay.start(t)
            && self.is_new(&thread, u64::from(t.0))
        {
            replay.run(t, thread, 0);
        }
        for (at, &e) in lane.order[..lane.done].iter().enumerate() {
            let event = graph.event(e);
            let Some(mut thread) = event.before.clone().map(Thread::from) else { continue };
            let value = replay.value(event);
            let is_last = t.0 == 0 && at + 1 == lane.done;
            if !self.is_new(&thread, value) && !is_last {
                continue;
            }
            thread.finish(replay.completion(event, e, value));
            let (thread, action) = replay.run(t, thread, at as u32 + 1);
            if is_last && matches!(world.program.start, Start::Main(_)) {
                replay.end(thread, action);
            }
        }
    }

    fn is_new(&mut self, thread: &Thread, value: u64) -> bool {
        if self.known.len() >= KEPT {
            self.known.clear();
        }
        let at = std::ptr::from_ref(&**thread) as usize;
        self.known.insert((at, value), thread.clone()).is_none()
    }
}

/// What `main` reaches by itself.
fn beginning(program: &Program, options: &Options) -> Reached {
    let mut reached = Reached::none_of(program);
    if let Start::Main(main) = program.start {
        let mut choices = Choices::default();
        loop {
            let mut first = Solo::start(program, main);
            first.reached = Some(reached);
            first.run(program, &options.limits(), &mut DepTable::default(), &mut choices);
            reached = first.reached.unwrap_or_else(|| Reached::none_of(program));
            if !choices.advance() {
                break;
            }
        }
    }
    reached
}

/// An execution whose threads are run once more.
struct Replay<'r, 'w, 'p> {
    execution: &'r Execution<'w, 'p>,
    /// Those of the execution, once they are needed.
    deps: &'r mut Option<DepTable>,
    reached: &'r mut Reached,
}

impl Replay<'_, '_, '_> {
    /// A thread as another one has created it.
    fn start(&mut self, t: ThreadId) -> Option<Thread> {
        let event = self.execution.graph.event(self.execution.graph.lane(t).spawn);
        let mut creator = Thread::from(event.before.clone()?);
        let program = self.execution.world.program;
        let mut cx = context(self.execution, self.deps, event.thread, 0);
        let Action::Spawn { function, arg } = creator.run(&mut cx) else { return None };
        let takes_argument = program.functions.get(function.index())?.params > 0;
        let argument = takes_argument.then_some(arg);
        Some(Thread::start(program, function, argument.as_slice(), DepId::NONE))
    }

    /// Runs a thread to its next event.
    fn run(&mut self, t: ThreadId, mut thread: Thread, events: u32) -> (Thread, Action) {
        let mut cx = context(self.execution, self.deps, t, events);
        let action = self.reached.run(&mut thread, &mut cx);
        (thread, action)
    }

    /// Goes on with the first thread where it is the only one left.
    fn end(&mut self, mut thread: Thread, mut action: Action) {
        let (graph, world) = (self.execution.graph, self.execution.world);
        for _ in graph.lanes() {
            let Action::Join { thread: child, .. } = action else { break };
            let Some(Lane { status: Status::Finished, thread: Some(ended), .. }) = graph.lanes().get(child as usize)
            else {
                return;
            };
            thread.finish(Completion::of(ended.result.map_or(0, |slot| slot.value), true));
            (thread, action) = self.run(ThreadId(0), thread, 0);
        }
        if self.execution.last.is_none() {
            return;
        }
        let mut choices = Choices::default();
        loop {
            let mut alone = ending::last(world, graph, thread.clone());
            alone.reached = Some(std::mem::take(self.reached));
            let deps = self.deps.get_or_insert_with(|| world.deps.clone());
            alone.run(world.program, &world.options.limits(), deps, &mut choices);
            *self.reached = alone.reached.unwrap_or_default();
            if !choices.advance() {
                return;
            }
        }
    }

    /// What the instruction of an event gives its thread.
    fn value(&self, event: &Event) -> u64 {
        match event.kind {
            Kind::Join => {
                let child = self.execution.graph.lanes().get(event.value as usize);
                let result = child.and_then(|lane| lane.thread.as_ref()).and_then(|thread| thread.result);
                result.map_or(0, |slot| slot.value)
            }
            _ => event.value,
        }
    }

    fn completion(&self, event: &Event, id: EventId, value: u64) -> Completion {
        let graph = self.execution.graph;
        let changes_nothing = graph.contains(event.partner) && graph.event(event.partner).value == value;
        let has_effect = match event.kind {
            Kind::Read | Kind::Fence | Kind::Init => false,
            Kind::Write => !changes_nothing,
            _ => true,
        };
        Completion { event: id.0, ..Completion::of(value, has_effect) }
    }
}

/// What a thread is run in.
fn context<'a>(
    execution: &Execution<'_, 'a>,
    deps: &'a mut Option<DepTable>,
    thread: ThreadId,
    events: u32,
) -> Context<'a> {
    let world = execution.world;
    Context {
        program: world.program,
        deps: deps.get_or_insert_with(|| world.deps.clone()),
        thread,
        events,
        unroll: world.options.unroll,
        detect_idle: world.options.detect_idle,
        budget: MOST_STEPS,
        go_on: true,
        ways: None,
    }
}
