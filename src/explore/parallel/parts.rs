//! Pieces of a depth-first search that several threads work on.
//!
//! Parts stand in a list in depth-first order, and what neighbours saw is joined as soon as both have ended. So the counts,
//! the executions, and the first violation are those of one thread, however many there are and whatever the timing: when a
//! visitor wants to stop, everything behind its part is dropped, and everything before goes on.
//!
//! How a search says where a part begins (`P`), how it gives one away and takes one up, is its own business; the default is the beginning of it all.
//!
//! Limits: the list has at most two parts a worker, besides those that wait to be taken, one a worker; each holds what a
//! visitor keeps.

use crate::explore::parallel::divide::Slice;
use crate::explore::parallel::spare::Help;
use crate::explore::statistics::Statistics;
use crate::explore::visitor::{Go, Nobody};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A part with fewer turns was not worth the walk.
const FEW_TURNS: u64 = 4;

/// Of how many choices what is left may be given away together.
const MOST_CHOICES: usize = 64;

/// What there can be several of, each for a part of the search.
pub trait Split: Send + Sized {
    /// One like this that has seen nothing.
    fn fork(&self) -> Self;
    /// Adds what another has seen in what comes right behind what this one has seen. Whether the search is to end there.
    fn join(&mut self, later: Self) -> Go;

    /// What it has seen, as data. `None`: it cannot be told, and the search is not to be divided between processes.
    fn recorded(&self) -> Option<Value> {
        None
    }

    /// One like this that has seen what was recorded.
    fn restored(&self, _: &Value) -> Result<Self, String> {
        Err("what was seen cannot be told".to_owned())
    }
}

/// Reads a field of what was recorded.
pub(crate) fn field<T: serde::de::DeserializeOwned>(record: &Value, name: &str) -> Result<T, String> {
    let value = record.get(name).cloned().unwrap_or(Value::Null);
    serde_json::from_value(value).map_err(|e| format!("`{name}`: {e}"))
}

impl Split for Nobody {
    fn fork(&self) -> Self {
        Nobody
    }

    fn join(&mut self, _: Self) -> Go {
        Go::On
    }

    fn recorded(&self) -> Option<Value> {
        Some(Value::Null)
    }

    fn restored(&self, _: &Value) -> Result<Self, String> {
        Ok(Nobody)
    }
}

/// How the search of a part takes part in the search of the whole.
pub(crate) struct Share<'a, P> {
    /// How many parts are asked for.
    wanted: &'a AtomicUsize,
    /// Everything is given up.
    broken: &'a AtomicBool,
    /// This part is given up.
    dropped: &'a AtomicBool,
    portion: &'a AtomicUsize,
    /// Gives a part away.
    pub give: &'a dyn Fn(P),
    pub help: Help<'a>,
    /// When the search of the part is to end, if not before all of it is seen.
    pub slice: Option<&'a Slice<'a>>,
}

/// What a search of a single part shares with others: nothing but that it ends.
#[derive(Default)]
pub(crate) struct Single {
    wanted: AtomicUsize,
    broken: AtomicBool,
    dropped: AtomicBool,
    portion: AtomicUsize,
}

impl Single {
    /// Has what a slice leaves given to somebody.
    pub fn share<'a, P>(&'a self, slice: &'a Slice<'a>, give: &'a dyn Fn(P)) -> Share<'a, P> {
        let Single { wanted, broken, dropped, portion } = self;
        Share { wanted, broken, dropped, portion, give, help: None, slice: Some(slice) }
    }

    /// Whether the part could not be found again.
    pub fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }
}

impl<P> Share<'_, P> {
    /// Whether somebody asks for a part.
    pub fn is_asked(&self) -> bool {
        self.wanted.load(Ordering::Relaxed) > 0
    }

    /// Of how many choices what is left is to be given away together.
    pub fn portion(&self) -> usize {
        self.portion.load(Ordering::Relaxed)
    }

    /// Learns from the size of a part how large parts should be.
    pub fn learn(&self, turns: u64) {
        let portion = self.portion();
        let next = if turns < FEW_TURNS { (2 * portion).min(MOST_CHOICES) } else { (portion / 2).max(1) };
        self.portion.store(next, Ordering::Relaxed);
    }

    /// A part could not be found again: all that is seen is worth nothing.
    pub fn give_up(&self) {
        self.broken.store(true, Ordering::Relaxed);
    }

    /// Whether what is searched for is of no interest any more.
    pub fn is_dropped(&self) -> bool {
        self.dropped.load(Ordering::Relaxed) || self.broken.load(Ordering::Relaxed)
    }
}

/// A piece of the search, in the list of all.
struct Part<V, P> {
    id: u64,
    /// What comes before wants to stop.
    dropped: Arc<AtomicBool>,
    stage: Stage<V, P>,
}

enum Stage<V, P> {
    Waiting(P),
    Running,
    Ended(Statistics, Box<V>, Go),
}

struct State<V, P> {
    /// One that has seen nothing.
    pristine: V,
    /// In depth-first order.
    parts: Vec<Part<V, P>>,
    next: u64,
    running: usize,
    idle: usize,
}

impl<V: Split, P> State<V, P> {
    fn part(&mut self, path: P) -> Part<V, P> {
        self.next += 1;
        Part { id: self.next, dropped: Arc::default(), stage: Stage::Waiting(path) }
    }

    fn place(&self, id: u64) -> Option<usize> {
        self.parts.iter().position(|part| part.id == id)
    }

    fn waiting(&self) -> usize {
        self.parts.iter().filter(|part| matches!(part.stage, Stage::Waiting(_))).count()
    }

    /// Records the end of a part, and joins what can be joined.
    fn ended(&mut self, id: u64, statistics: Statistics, visitor: V, go: Go) {
        let Some(at) = self.place(id) else { return };
        self.parts[at].stage = Stage::Ended(statistics, Box::new(visitor), go);
        if go == Go::Stop {
            self.drop_behind(at);
        }
        self.join(at);
        if let Some(before) = at.checked_sub(1) {
            self.join(before);
        }
    }

    /// Joins a part with the one behind it when both have ended.
    fn join(&mut self, at: usize) {
        let both = self.parts.get(at..at + 2).unwrap_or_default();
        if both.is_empty() || !both.iter().all(|part| matches!(part.stage, Stage::Ended(..))) {
            return;
        }
        let later = self.parts.remove(at + 1).stage;
        let mut stops = false;
        if let (Stage::Ended(statistics, visitor, go), Stage::Ended(more, seen, then)) =
            (&mut self.parts[at].stage, later)
        {
            statistics.add(&more);
            *go = if visitor.join(*seen) == Go::Stop || then == Go::Stop { Go::Stop } else { Go::On };
            stops = *go == Go::Stop;
        }
        if stops {
            self.drop_behind(at);
        }
    }

    /// Gives up everything behind a part.
    fn drop_behind(&mut self, at: usize) {
        for part in self.parts.drain(at + 1..) {
            part.dropped.store(true, Ordering::Relaxed);
        }
    }
}

/// The parts of a search.
pub(crate) struct Parts<V, P> {
    /// How many parts more could be worked on.
    wanted: AtomicUsize,
    /// Of how many choices what is left is given away together.
    portion: AtomicUsize,
    /// The result depends on the timing, or a path could not be walked again: all of it is worth nothing.
    broken: AtomicBool,
    state: Mutex<State<V, P>>,
    wake: Condvar,
}

/// A worker is at work. Also when it ends in a panic, the others have to hear that it has ended.
struct Working<'a, V: Split, P>(&'a Parts<V, P>);

impl<V: Split, P> Drop for Working<'_, V, P> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.broken.store(true, Ordering::Relaxed);
        }
        let mut state = self.0.lock();
        state.running -= 1;
        self.0.want(&state);
        drop(state);
        self.0.wake.notify_all();
    }
}

impl<V: Split, P: Default> Parts<V, P> {
    /// One part, which is all of the search, to be seen by a visitor that has seen nothing.
    pub fn new(pristine: V) -> Self {
        let mut state = State { pristine, parts: Vec::new(), next: 0, running: 0, idle: 0 };
        let first = state.part(P::default());
        state.parts.push(first);
        Parts {
            wanted: AtomicUsize::new(0),
            portion: AtomicUsize::new(1),
            broken: AtomicBool::new(false),
            state: Mutex::new(state),
            wake: Condvar::new(),
        }
    }

    /// What all parts saw, if it is worth something.
    pub fn into_result(self) -> Option<(Statistics, V)> {
        if self.broken.load(Ordering::Relaxed) {
            return None;
        }
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        match state.parts.into_iter().next()?.stage {
            Stage::Ended(statistics, visitor, _) => Some((statistics, *visitor)),
            Stage::Waiting(_) | Stage::Running => None,
        }
    }
}

impl<V: Split, P> Parts<V, P> {
    /// The result depends on the timing: all that is seen is worth nothing.
    pub fn give_up(&self) {
        self.broken.store(true, Ordering::Relaxed);
    }

    /// Works on parts until there are none left. `search` searches one; it tells whether the visitor wants to stop.
    pub fn work(&self, help: Option<&dyn Fn()>, mut search: impl FnMut(P, &mut V, Share<'_, P>) -> (Statistics, Go)) {
        while let Some((id, path, dropped, mut visitor)) = self.next() {
            let working = Working(self);
            let give = |path: P| self.give(id, path);
            let share = Share {
                wanted: &self.wanted,
                broken: &self.broken,
                dropped: &dropped,
                portion: &self.portion,
                give: &give,
                help,
                slice: None,
            };
            let (statistics, go) = search(path, &mut visitor, share);
            self.lock().ended(id, statistics, visitor, go);
            drop(working);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<V, P>> {
        // Nothing that is done under the lock is left half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first part that nobody works on; waits for one, until there will be none.
    fn next(&self) -> Option<(u64, P, Arc<AtomicBool>, V)> {
        let mut state = self.lock();
        state.idle += 1;
        let found = loop {
            let waiting =
                state.parts.iter_mut().find_map(|part| match std::mem::replace(&mut part.stage, Stage::Running) {
                    Stage::Waiting(path) => Some((part.id, path, part.dropped.clone())),
                    other => {
                        part.stage = other;
                        None
                    }
                });
            if waiting.is_some() || state.running == 0 {
                break waiting;
            }
            self.want(&state);
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        };
        state.idle -= 1;
        state.running += usize::from(found.is_some());
        self.want(&state);
        let (id, path, dropped) = found?;
        let visitor = state.pristine.fork();
        Some((id, path, dropped, visitor))
    }

    fn want(&self, state: &State<V, P>) {
        self.wanted.store(state.idle.saturating_sub(state.waiting()), Ordering::Relaxed);
    }

    /// Puts a part right behind the one that it was taken from.
    fn give(&self, from: u64, path: P) {
        let mut state = self.lock();
        let part = state.part(path);
        // A part that was dropped meanwhile has nothing to give.
        if let Some(at) = state.place(from) {
            state.parts.insert(at + 1, part);
        }
        self.want(&state);
        drop(state);
        self.wake.notify_one();
    }
}
