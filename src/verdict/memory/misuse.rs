//! Locks, barriers and threads used as they must not be: initialised twice, unlocked by another thread, joined twice.
//!
//! The writes of a lock's word in coherence order are the history of the lock; before and after them come the operations of
//! the single-threaded parts of the program. A walk along that history finds the first operation that does not fit.
//!
//! A look at an object that comes to nothing (a lock that is not free, a semaphore that is 0) is an operation, too: it sees the object as the write
//! left it that it reads.
//!
//! An object whose kind has a static initialiser counts as initialised when it is in static memory, or when anything was assigned to it. The others
//! (semaphores, barriers, spin locks, and all of `<threads.h>`) are so only by a call.

use crate::explore::Execution;
use crate::graph::event::{Event, Kind};
use crate::ids::{EventId, SpanId, ThreadId};
use crate::program::operation::{Done, Operation, Primitive};
use crate::verdict::finding::Property;
use crate::verdict::picture::draw::{self, thread_name};
use crate::verdict::picture::names::Names;
use crate::verdict::picture::sources::Sources;
use crate::verdict::result::Finding;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What a lock is after an operation.
#[derive(Clone, PartialEq, Eq)]
enum State {
    /// As the program's start left it.
    Fresh,
    Ready,
    Held(ThreadId),
    /// By these threads together, as often as each has taken it.
    Shared(Vec<ThreadId>),
    Destroyed,
}

/// A step that does not fit.
struct Misuse {
    message: String,
    events: Vec<EventId>,
    span: SpanId,
    thread: ThreadId,
}

/// The operation that an event is marked with.
pub fn operation(execution: &Execution<'_, '_>, event: &Event) -> Option<Operation> {
    let frame = event.before.as_ref()?.frame();
    execution.world.program.operation_at(frame.func, frame.pc)
}

/// The first misuse of an execution.
pub fn find(execution: &Execution<'_, '_>, sources: &Sources) -> Option<Finding> {
    let marked = execution.world.program.functions.iter().any(|f| !f.operations.is_empty());
    let lock = if marked { locks(execution) } else { None };
    let (misuse, property) = match lock {
        Some(misuse) => (misuse, Property::Locks),
        None => (joined_twice(execution)?, Property::Threads),
    };
    let drawn = draw::draw(execution, sources);
    Some(Finding {
        kind: property.name().to_owned(),
        message: misuse.message,
        place: draw::place(execution.world.program, misuse.span),
        events: misuse.events.iter().filter_map(|e| drawn.rows.get(e).copied()).collect(),
        notes: vec![format!("in thread {}", thread_name(execution, u64::from(misuse.thread.0)))],
        orders: None,
        calls: None,
        execution: drawn.picture,
    })
}

fn locks(execution: &Execution<'_, '_>) -> Option<Misuse> {
    let (graph, world) = (execution.graph, execution.world);
    let mut states: FxHashMap<u64, State> = FxHashMap::default();
    // Made only when there is something to say: this runs on every execution.
    let name = |address: u64| Names::new(world, graph).location_or_address(address, 0);
    let thread = |t: ThreadId| thread_name(execution, u64::from(t.0));
    for done in &world.done {
        if let Some(message) = walk(&mut states, done, &name, &thread) {
            return Some(Misuse { message, events: Vec::new(), span: done.span, thread: done.thread });
        }
    }
    for (loc, place) in graph.places() {
        let address = world.locs.get(loc).0;
        let mut undefined = graph.contains(place.init) && graph.event(place.init).undefined;
        let look = |&read: &EventId| match operation(execution, graph.event(read)) {
            Some(operation @ Operation::Look(_)) => Some((read, operation)),
            _ => None,
        };
        let looks: SmallVec<[(EventId, Operation); 4]> = place.reads.iter().filter_map(look).collect();
        for &write in &place.co {
            let event = graph.event(write);
            match operation(execution, event).filter(|o| *o != Operation::Paste) {
                _ if write == place.init => {}
                // What assigns a value to it, as a static initialiser does, initialises it.
                None => undefined = false,
                Some(operation) => {
                    let done = done(operation, event, address, undefined);
                    if let Some(message) = walk(&mut states, &done, &name, &thread) {
                        return Some(Misuse { message, events: vec![write], span: event.span, thread: event.thread });
                    }
                }
            }
            for &(read, operation) in looks.iter().filter(|(read, _)| graph.event(*read).rf == write) {
                let event = graph.event(read);
                let done = done(operation, event, address, undefined);
                if let Some(message) = walk(&mut states, &done, &name, &thread) {
                    let events = if write == place.init { vec![read] } else { vec![write, read] };
                    return Some(Misuse { message, events, span: event.span, thread: event.thread });
                }
            }
        }
    }
    for done in execution.last.iter().flat_map(|last| &last.done) {
        if let Some(message) = walk(&mut states, done, &name, &thread) {
            return Some(Misuse { message, events: Vec::new(), span: done.span, thread: done.thread });
        }
    }
    None
}

fn done(operation: Operation, event: &Event, address: u64, undefined: bool) -> Done {
    Done { operation, thread: event.thread, address, value: event.value, undefined, span: event.span }
}

/// Goes over one operation; says what is wrong with it.
fn walk(
    states: &mut FxHashMap<u64, State>,
    done: &Done,
    name: &dyn Fn(u64) -> String,
    thread: &dyn Fn(ThreadId) -> String,
) -> Option<String> {
    let what = |p: Primitive| format!("{} {}", p.name(), name(done.address));
    let never = |p: Primitive| format!("{} is used before it is initialised", what(p));
    let destroyed = |p: Primitive| format!("{} is used after it was destroyed", what(p));
    let several = |ids: &[ThreadId]| ids.iter().map(|&t| thread(t)).collect::<Vec<_>>().join(", ");
    let by = done.thread;
    let before = states.remove(&done.address).unwrap_or(State::Fresh);
    let is_none = |p: Primitive| done.undefined || !p.begins_as_zero();
    let (after, message) = match (done.operation, before) {
        (Operation::Copy | Operation::Paste, before) => (before, None),
        (Operation::Look(p), before) => {
            let message = match &before {
                State::Fresh if is_none(p) => Some(never(p)),
                State::Destroyed => Some(destroyed(p)),
                _ => None,
            };
            (before, message)
        }
        (Operation::Initialise(p), before) => {
            let message = match before {
                State::Fresh | State::Destroyed => None,
                State::Ready => Some(format!("{} is initialised twice", what(p))),
                State::Held(t) => Some(format!("{} is initialised while {} holds it", what(p), thread(t))),
                State::Shared(ids) => Some(format!("{} is initialised while {} holds it", what(p), several(&ids))),
            };
            (State::Ready, message)
        }
        (Operation::Destroy(p), before) => {
            let message = match before {
                State::Fresh if is_none(p) => Some(never(p)),
                State::Fresh | State::Ready => None,
                State::Destroyed => Some(format!("{} is destroyed twice", what(p))),
                State::Held(t) => Some(format!("{} is destroyed while {} holds it", what(p), thread(t))),
                State::Shared(ids) => Some(format!("{} is destroyed while {} holds it", what(p), several(&ids))),
            };
            (State::Destroyed, message)
        }
        (Operation::Acquire(p) | Operation::Share(p), before) => {
            let message = match &before {
                State::Fresh if is_none(p) => Some(never(p)),
                State::Destroyed => Some(destroyed(p)),
                _ => None,
            };
            let after = match (done.operation, before) {
                (Operation::Share(_), State::Shared(mut ids)) => {
                    ids.push(by);
                    State::Shared(ids)
                }
                (Operation::Share(_), _) => State::Shared(vec![by]),
                _ => State::Held(by),
            };
            (after, message)
        }
        (Operation::Use(p), State::Fresh) if is_none(p) => (State::Ready, Some(never(p))),
        (Operation::Use(_), State::Fresh) => (State::Ready, None),
        (Operation::Use(p), State::Destroyed) => (State::Ready, Some(destroyed(p))),
        (Operation::Use(_), before) => (before, None),
        (Operation::Release(_), State::Held(t)) if t == by => (State::Ready, None),
        (Operation::Release(p), State::Held(t)) => {
            let (by, holder) = (thread(by), thread(t));
            (State::Ready, Some(format!("{} is unlocked by {by}, but {holder} has locked it", what(p))))
        }
        (Operation::Release(p), State::Shared(mut ids)) => {
            let own = ids.iter().position(|&t| t == by);
            let message = own.is_none().then(|| {
                format!("{} is unlocked by {}, but {} has locked it for reading", what(p), thread(by), several(&ids))
            });
            ids.remove(own.unwrap_or(0));
            (if ids.is_empty() { State::Ready } else { State::Shared(ids) }, message)
        }
        (Operation::Release(p), State::Fresh) if is_none(p) => (State::Ready, Some(never(p))),
        (Operation::Release(p), State::Fresh | State::Ready) => {
            (State::Ready, Some(format!("unlock of {}, which is not locked", what(p))))
        }
        (Operation::Release(p), State::Destroyed) => (State::Ready, Some(destroyed(p))),
    };
    states.insert(done.address, after);
    message
}

fn joined_twice(execution: &Execution<'_, '_>) -> Option<Misuse> {
    let graph = execution.graph;
    let joins: Vec<EventId> = graph.ids().filter(|&e| graph.event(e).kind == Kind::Join).collect();
    joins.iter().enumerate().find_map(|(i, &second)| {
        let event = graph.event(second);
        let &first = joins[..i].iter().find(|&&e| graph.event(e).value == event.value)?;
        Some(Misuse {
            message: format!("thread {} is joined twice", thread_name(execution, event.value)),
            events: vec![first, second],
            span: event.span,
            thread: event.thread,
        })
    })
}
