//! The calls of an execution that a specification speaks of, and what orders them.
//!
//! A call comes before another if its end is ordered before the begin of the other: by program order, by the creation and joining of threads, by barriers, and by the model's own
//! happens-before where it has one that program order is a part of. Without one, communication orders nothing here: more orders of calls are tried, so less is wrong.

use super::happens::Happens;
use crate::algebra::Model;
use crate::explore::Execution;
use crate::graph::event::Kind;
use crate::ids::{EventId, ThreadId};
use crate::linearizability::history::{Argument, Call, History, MOST_CALLS};
use crate::program::{Mark, Told};

/// A point of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Point {
    /// Before all threads are created: the place among what is told there.
    First(usize),
    /// At an event: the thread and the place there.
    At(ThreadId, usize),
    /// When all threads have ended: the place among what is told there.
    Last(usize),
}

/// A call of an execution.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The call.
    pub call: Call,
    /// Its thread.
    pub thread: ThreadId,
    /// The event that it begins with, unless one thread was alone.
    pub event: Option<EventId>,
    begin: Point,
    end: Option<Point>,
}

/// The calls of one object, and the history that they are.
#[derive(Clone, Debug, Default)]
pub struct Placement {
    /// The calls.
    pub calls: Vec<Placed>,
    /// What is known of them.
    pub history: History,
}

/// The histories of an execution, one an object. `None`: an object has too many calls.
pub fn of(execution: &Execution<'_, '_>, model: &Model) -> Option<Vec<Placement>> {
    let calls = calls(execution);
    let mut objects: Vec<Option<u64>> = calls.iter().map(|placed| placed.call.object).collect();
    objects.sort_unstable();
    objects.dedup();
    let mut order = Order { execution, model, happens: None };
    objects
        .into_iter()
        .map(|object| {
            let calls: Vec<Placed> = calls.iter().filter(|placed| placed.call.object == object).cloned().collect();
            (calls.len() <= MOST_CALLS).then(|| Placement { history: order.history(&calls), calls })
        })
        .collect()
}

/// All calls, by thread and in program order there.
fn calls(execution: &Execution<'_, '_>) -> Vec<Placed> {
    let graph = execution.graph;
    let mut calls = Vec::new();
    for (number, lane) in graph.lanes().iter().enumerate() {
        let thread = ThreadId(number as u32);
        let mut reader = Reader { thread, depth: 0, open: None, calls: &mut calls };
        let is_main = number == 0;
        for (at, marked) in execution.world.marks.iter().enumerate().filter(|_| is_main) {
            reader.read(marked.mark, marked.value, Point::First(at), None);
        }
        for (at, &id) in lane.order.iter().enumerate() {
            let event = graph.event(id);
            match event.kind {
                Kind::Mark => reader.read(Mark::of(event.size), event.value, Point::At(thread, at), Some(id)),
                Kind::Write => reader.stores(execution.world.locs.get(event.loc).0, event.value),
                _ => {}
            }
        }
        for (at, marked) in execution.last.iter().flat_map(|last| &last.marks).enumerate().filter(|_| is_main) {
            reader.read(marked.mark, marked.value, Point::Last(at), None);
        }
        reader.end();
    }
    calls
}

/// Puts calls together of what is told of them.
struct Reader<'a> {
    thread: ThreadId,
    depth: u32,
    open: Option<Placed>,
    calls: &'a mut Vec<Placed>,
}

impl Reader<'_> {
    fn read(&mut self, mark: Mark, value: u64, point: Point, event: Option<EventId>) {
        if mark.told == Told::Call {
            self.depth += 1;
            if self.depth == 1 {
                let call =
                    Call { operation: mark.operation as usize, arguments: Vec::new(), object: None, result: None };
                self.open = Some(Placed { call, thread: self.thread, event, begin: point, end: None });
            }
            return;
        }
        let outermost = self.depth == 1;
        if mark.told == Told::Return {
            self.depth = self.depth.saturating_sub(1);
        }
        let Some(placed) = self.open.as_mut().filter(|_| outermost) else { return };
        let call = &mut placed.call;
        match mark.told {
            Told::Call => {}
            Told::Number => call.arguments.push(Argument::Number(value)),
            Told::Address if call.object.is_none() && call.arguments.is_empty() => call.object = Some(value),
            Told::Address => call.arguments.push(Argument::Address(value, None)),
            Told::Result => call.result.get_or_insert_default().push(value),
            Told::Return => {
                call.result.get_or_insert_default();
                placed.end = Some(point);
                self.calls.extend(self.open.take());
            }
        }
    }

    /// A write of the thread.
    fn stores(&mut self, address: u64, value: u64) {
        for argument in self.open.iter_mut().flat_map(|placed| &mut placed.call.arguments) {
            if let Argument::Address(at, stored) = argument
                && *at == address
            {
                *stored = Some(value);
            }
        }
    }

    /// A call that has not returned has no result, whatever was told.
    fn end(&mut self) {
        if let Some(mut placed) = self.open.take() {
            placed.call.result = None;
            self.calls.push(placed);
        }
    }
}

/// What is ordered in an execution.
struct Order<'a, 'w, 'p> {
    execution: &'a Execution<'w, 'p>,
    model: &'a Model,
    /// Between threads; worked out when it is asked for.
    happens: Option<Happens>,
}

impl Order<'_, '_, '_> {
    fn history(&mut self, calls: &[Placed]) -> History {
        let mut history =
            History { calls: calls.iter().map(|placed| placed.call.clone()).collect(), ..History::default() };
        for last in calls {
            let (mut before, mut sees) = (0, 0);
            for (at, first) in calls.iter().enumerate() {
                let ends_before = first.end.is_some_and(|end| self.precedes(end, last.begin));
                before |= u64::from(ends_before) << at;
                let is_seen = ends_before || last.end.is_some_and(|end| self.precedes(first.begin, end));
                sees |= u64::from(is_seen) << at;
            }
            history.before.push(before);
            history.sees.push(sees);
        }
        history
    }

    fn precedes(&mut self, first: Point, last: Point) -> bool {
        match (first, last) {
            (Point::At(a, i), Point::At(b, j)) if a == b => i < j,
            (Point::At(a, i), Point::At(b, j)) => {
                let (first, last) = (self.event(a, i), self.event(b, j));
                self.happens.get_or_insert_with(|| Happens::of(self.execution, self.model)).precedes(first, last)
            }
            (Point::First(i), Point::First(j)) | (Point::Last(i), Point::Last(j)) => i < j,
            (Point::First(_), _) | (_, Point::Last(_)) => true,
            (Point::Last(_), _) | (_, Point::First(_)) => false,
        }
    }

    fn event(&self, thread: ThreadId, at: usize) -> EventId {
        self.execution.graph.lane(thread).order[at]
    }
}
