//! Lets threads go past events: what an instruction gives its thread, and what the thread calls the event in its dependencies.

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::search::Search;
use crate::graph::event::{Event, Kind, NO_EVENT};
use crate::graph::prefix::PrefixKind;
use crate::ids::{EventId, ThreadId};
use crate::program::Half;
use crate::program::deps::DepId;
use crate::program::thread::{Action, Completion, Exclusive, Thread};

impl<J: Checker> Search<'_, '_, J> {
    /// What a thread calls one of its events in the dependencies of its registers. Where nothing is put before an event of a thread
    /// later on, that is its place in the thread: so a thread that reads the same values is in the same state, whatever else there is, and what
    /// it did from there is known. Else it is the event's number.
    fn name(&self, t: ThreadId, e: EventId) -> u32 {
        match self.kind {
            PrefixKind::ProgramOrder => {
                self.graph.lane(t).order.iter().rposition(|&x| x == e).map_or(e.0, |at| at as u32)
            }
            PrefixKind::Dependencies => e.0,
        }
    }

    /// The event that a thread calls so.
    pub(in crate::explore) fn called(&self, t: ThreadId, name: u32) -> EventId {
        match self.kind {
            PrefixKind::ProgramOrder => self.graph.lane(t).order.get(name as usize).copied().unwrap_or(NO_EVENT),
            PrefixKind::Dependencies => EventId(name),
        }
    }

    /// The events behind a thread's dependencies.
    pub(in crate::explore) fn events_of(&mut self, t: ThreadId, set: DepId) -> DepId {
        match self.kind {
            PrefixKind::ProgramOrder => {
                let order = &self.graph.lane(t).order;
                self.world.deps.renamed(set, |n| order.get(n as usize).map_or(n, |e| e.0))
            }
            PrefixKind::Dependencies => set,
        }
    }

    /// What a thread supposed to get where it is, as far as these are reads of read-modify-writes: of a lock, mostly. Another such read of the same write would
    /// have to be there before, so what the holes of a revisit could be filled with tells too little. Nothing where program order counts anyway.
    pub(in crate::explore) fn supposed_by(&mut self, t: ThreadId, thread: &Thread) -> DepId {
        let set = thread.supposed();
        if set == DepId::NONE || self.kind == PrefixKind::ProgramOrder {
            return DepId::NONE;
        }
        let set = self.events_of(t, set);
        let is_update = |e: &u32| {
            let half = self.graph.contains(EventId(*e)).then(|| self.graph.event(EventId(*e)).expected_half);
            half.is_some_and(|half| matches!(half, Half::AmoRead | Half::FusedRead | Half::ExRead))
        };
        let updates: Vec<u32> = self.world.deps.get(set).iter().filter(is_update).collect();
        updates.into_iter().fold(DepId::NONE, |all, e| {
            let one = self.world.deps.singleton(e);
            self.world.deps.union(all, one)
        })
    }

    /// Notes in a choice its values in the order in which they are maximal: the first value with which exploration can always go on. The store
    /// of an exclusive pair cannot where another one has succeeded, or its own thread has written in between, whatever the model says; failing
    /// always can. So values that make the thread write the second half of something come last. How many come before these is noted, too.
    pub(in crate::explore) fn order_values(&mut self, choice: &mut Event, values: &[u64]) {
        let t = choice.thread;
        let lane = self.graph.lane(t);
        let is_half_done = self.graph.is_half_done(lane, lane.done);
        let thread = choice.before.clone().filter(|at| is_half_done || at.exclusive.is_some()).map(Thread::from);
        let writes = |&value: &u64| thread.as_ref().is_some_and(|from| self.writes_second_half(t, from.clone(), value));
        let (last, mut first): (Vec<u64>, Vec<u64>) = values.iter().copied().partition(writes);
        choice.size = first.len() as u64;
        first.extend(last);
        choice.passed_over = Some(first.into());
    }

    /// Whether a thread that stands at a choice comes to the write of a read-modify-write next when it takes this value.
    fn writes_second_half(&mut self, t: ThreadId, mut thread: Thread, value: u64) -> bool {
        thread.finish(Completion::of(value, true));
        let done = self.graph.lane(t).done as u32;
        let halves = [Half::ExWrite, Half::AmoWrite, Half::FusedWrite];
        matches!(self.world.interpret(t, &mut thread, done + 1), Action::Write { half, .. } if halves.contains(&half))
    }

    /// Lets the interpreter go past an event.
    pub(crate) fn complete_instruction(&mut self, t: ThreadId, id: EventId) {
        let name = self.name(t, id);
        let event = self.graph.event(id);
        let (kind, half, partner) = (event.kind, event.half, event.partner);
        let value = match kind {
            Kind::Join => {
                let child = self.graph.lane(ThreadId(event.value as u32));
                child.thread.as_ref().and_then(|t| t.result).map_or(0, |r| r.value)
            }
            _ => event.value,
        };
        let silent = partner != NO_EVENT && self.graph.event(partner).value == value;
        let mut completion = Completion {
            value,
            event: name,
            depends: matches!(kind, Kind::Read | Kind::Alloc(_) | Kind::Spawn),
            lasting: matches!(kind, Kind::Join | Kind::Depart),
            effect: match kind {
                Kind::Read | Kind::Fence | Kind::Init => false,
                Kind::Write => !silent,
                // Whether a compare-and-swap that is cut will succeed.
                Kind::Choose if event.access != 0 => false,
                _ => true,
            },
            exclusive: match (kind, half) {
                (Kind::Read, Half::ExRead) => Exclusive::Load,
                (Kind::Write, Half::ExWrite) => Exclusive::Store,
                _ => Exclusive::Keep,
            },
        };
        if !completion.depends && !completion.lasting && completion.exclusive == Exclusive::Keep {
            // So that what the thread did behind it is found again whatever the event is called.
            completion.event = 0;
        }
        if let Some(thread) = &mut self.graph.lane_mut(t).thread {
            if !self.world.guesses.is_empty()
                && kind == Kind::Read
                && let Some(&guess) = self.world.guesses.get(&(t, thread.frame().pc))
            {
                completion.value = guess;
            }
            thread.finish(completion);
        }
    }
}
