//! Exploration of one program by several threads.
//!
//! The search is cut into *parts*, each a piece of the depth-first order without gaps. A worker that has nothing to do says so; another
//! one then gives away all that is left of its lowest choices, which is everything behind what it still has itself. What is given is the
//! path of choices that leads there (`share`): the taker walks it again, in tables of its own, so that nothing but a few numbers goes
//! from thread to thread.
//!
//! Parts stand in a list in depth-first order, and what neighbours saw is joined as soon as both have ended. So the counts,
//! the executions, and the first violation are those of one thread, however many there are and whatever the timing: when a
//! visitor wants to stop, everything behind its part is dropped, and everything before goes on.
//!
//! The order in which threads of a program run depends on their numbers, which all workers therefore share. A number is the same in
//! every order of exploration when only the first thread creates threads and its n-th creation is always the same; where that
//! turns out not to be so, everything is explored again by one thread.
//!
//! Limits: the list has at most two parts a worker, besides those that wait to be taken, one a worker; each holds what a
//! visitor keeps. Several starts (a `nondet` before the first thread is created) are explored one after the other.

use super::estimate::Descents;
use super::judge::{Judge, Kernel};
use super::search::Search;
use super::share::{Path, Share};
use super::symmetry::Kin;
use super::world::{Numbers, World};
use super::{Go, Nobody, Options, Statistics, Visitor, Watch, each_start, prefix_kind};
use crate::graph::memory::Memory;
use crate::graph::prefix::PrefixKind;
use crate::kernel::plan::Plan;
use crate::program::{Entry, Program};
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Room for the stack of a worker.
const STACK_BYTES: usize = 64 << 20;

/// When an exploration has run for so long, it is asked how many executions there will be; again when it has run for twice as long,
/// and so on.
const FIRST_GUESS: Duration = Duration::from_millis(400);

/// This part of the time goes into that question.
const GUESSING: u32 = 10;

/// A visitor of which there can be several, each for a part of the search.
pub trait Split: Visitor + Send + Sized {
    /// One like this that has seen nothing.
    fn fork(&self) -> Self;
    /// Adds what another has seen in what comes right behind what this one has seen. Whether the search is to end there.
    fn join(&mut self, later: Self) -> Go;
}

impl Split for Nobody {
    fn fork(&self) -> Self {
        Nobody
    }

    fn join(&mut self, _: Self) -> Go {
        Go::On
    }
}

/// Threads that nobody uses.
#[derive(Default, Debug)]
pub struct Spare(AtomicUsize);

impl Spare {
    /// So many.
    pub fn new(threads: usize) -> Spare {
        Spare(AtomicUsize::new(threads))
    }

    /// One more.
    pub fn put(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn take(&self) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_ok()
    }
}

/// How a search begins.
pub(super) enum Beginning<'a> {
    /// Threads that run from the start.
    Together(&'a [Entry], Kin),
    /// `main` has run alone so far.
    Main(Box<super::solo::Solo>, super::solo::End, Kin),
}

impl Beginning<'_> {
    /// Tables for a search that begins so.
    pub(super) fn world<'p>(&self, program: &'p Program, options: &'p Options, watch: &Watch) -> World<'p> {
        let mut world = match self {
            Beginning::Together(entries, _) => World::new(program, options, Memory::of(program), entries.len() as u32),
            Beginning::Main(first, ..) => {
                let mut world = World::new(program, options, first.memory.clone(), 1);
                (world.done, world.undefined) = (first.done.clone(), first.undefined);
                world
            }
        };
        world.covered.clone_from(&watch.0);
        world
    }

    /// Puts the first events into a search.
    pub(super) fn start<J: Judge>(&self, search: &mut Search<'_, '_, J>) {
        match self {
            Beginning::Together(entries, kin) => {
                search.start_together(entries);
                search.rename(kin);
            }
            Beginning::Main(first, end, kin) => {
                search.start_main((**first).clone(), end.clone());
                search.rename(kin);
            }
        }
    }
}

/// Explores a program with as many threads as are to be had (`options.spare`), besides this one.
pub fn explore_shared<V: Split>(program: &Program, plan: &Arc<Plan>, options: &Options, visitor: &mut V) -> Statistics {
    let mut statistics = Statistics::default();
    let watch = Watch::new(program, plan, options);
    each_start(program, options, |beginning| {
        let pool = Pool {
            program,
            watch: &watch,
            plan,
            options,
            kind: prefix_kind(plan, options),
            beginning: &beginning,
            numbers: Numbers::default(),
            wanted: AtomicUsize::new(0),
            portion: AtomicUsize::new(1),
            broken: AtomicBool::new(false),
            state: Mutex::new(State::new(visitor.fork())),
            wake: Condvar::new(),
        };
        pool.run();
        let (counted, seen) = match pool.into_result() {
            Some(result) => result,
            None => alone(program, plan, options, &beginning, &watch, visitor.fork()),
        };
        statistics.add(&counted);
        statistics.stopped |= visitor.join(seen) == Go::Stop;
        statistics.stopped
    });
    watch.look(program, plan, &mut statistics);
    statistics
}

fn alone<V: Split>(
    program: &Program,
    plan: &Arc<Plan>,
    options: &Options,
    beginning: &Beginning<'_>,
    watch: &Watch,
    mut visitor: V,
) -> (Statistics, V) {
    let world = beginning.world(program, options, watch);
    let judge = Kernel::new(plan, program, options);
    let mut search = Search::new(world, judge, prefix_kind(plan, options), &mut visitor);
    beginning.start(&mut search);
    let statistics = search.run().0;
    (statistics, visitor)
}

/// A piece of the search, in the list of all.
struct Part<V> {
    id: u64,
    /// What comes before wants to stop.
    dropped: Arc<AtomicBool>,
    stage: Stage<V>,
}

enum Stage<V> {
    Waiting(Path),
    Running,
    Ended(Statistics, Box<V>, Go),
}

struct State<V> {
    /// One that has seen nothing.
    pristine: V,
    /// In depth-first order.
    parts: Vec<Part<V>>,
    next: u64,
    running: usize,
    idle: usize,
}

impl<V: Split> State<V> {
    fn new(pristine: V) -> Self {
        let mut state = State { pristine, parts: Vec::new(), next: 0, running: 0, idle: 0 };
        let first = state.part(Path::default());
        state.parts.push(first);
        state
    }

    fn part(&mut self, path: Path) -> Part<V> {
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

/// A worker is at work. Also when it ends in a panic, the others have to hear that it has ended.
struct Working<'a, 'e, V: Split>(&'a Pool<'e, V>);

impl<V: Split> Drop for Working<'_, '_, V> {
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

struct Pool<'e, V> {
    program: &'e Program,
    plan: &'e Arc<Plan>,
    options: &'e Options,
    kind: PrefixKind,
    beginning: &'e Beginning<'e>,
    watch: &'e Watch,
    numbers: Numbers,
    /// How many parts more could be worked on.
    wanted: AtomicUsize,
    /// Of how many choices what is left is given away together.
    portion: AtomicUsize,
    /// The result depends on the timing, or a path could not be walked again: all of it is worth nothing.
    broken: AtomicBool,
    state: Mutex<State<V>>,
    wake: Condvar,
}

impl<V: Split> Pool<'_, V> {
    fn lock(&self) -> MutexGuard<'_, State<V>> {
        // Nothing that is done under the lock is left half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works until nothing is left; gets help when there are threads to spare.
    fn run(&self) {
        let start = Instant::now();
        let guess = RefCell::new((Descents::default(), FIRST_GUESS));
        std::thread::scope(|scope| {
            let help = || {
                if let Some(forecast) = &self.options.forecast {
                    let (descents, due) = &mut *guess.borrow_mut();
                    if start.elapsed() >= *due {
                        let what = (self.program, self.plan, self.options);
                        descents.add_for(*due / GUESSING, what, self.beginning, forecast);
                        *due *= 2;
                    }
                }
                if self.options.spare.take() {
                    let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
                    let helper = || {
                        self.work(None);
                        self.options.spare.put();
                    };
                    if builder.spawn_scoped(scope, helper).is_err() {
                        self.options.spare.put();
                    }
                }
            };
            self.work(Some(&help));
        });
    }

    fn work(&self, help: Option<&dyn Fn()>) {
        let mut world = self.beginning.world(self.program, self.options, self.watch);
        world.share_numbers(&self.numbers);
        let mut tables = Some(world);
        while let Some((id, path, dropped, mut visitor)) = self.next_part() {
            let Some(world) = tables.take() else { return };
            let working = Working(self);
            let give = |path: Path| self.give(id, path);
            let share = Share {
                wanted: &self.wanted,
                broken: &self.broken,
                dropped: &dropped,
                portion: &self.portion,
                way: path.len(),
                give: &give,
                help,
            };
            let judge = Kernel::new(self.plan, self.program, self.options);
            let mut search = Search::new(world, judge, self.kind, &mut visitor);
            self.beginning.start(&mut search);
            search.share = Some(share);
            let (statistics, world, go) = search.run_part(&path);
            tables = Some(world);
            if self.numbers.depend_on_timing() {
                self.broken.store(true, Ordering::Relaxed);
            }
            self.lock().ended(id, statistics, visitor, go);
            drop(working);
        }
    }

    /// The first part that nobody works on; waits for one, until there will be none.
    fn next_part(&self) -> Option<(u64, Path, Arc<AtomicBool>, V)> {
        let mut state = self.lock();
        state.idle += 1;
        let found = loop {
            let waiting = state.parts.iter_mut().find_map(|part| match &mut part.stage {
                Stage::Waiting(path) => {
                    let path = std::mem::take(path);
                    part.stage = Stage::Running;
                    Some((part.id, path, part.dropped.clone()))
                }
                _ => None,
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

    fn want(&self, state: &State<V>) {
        self.wanted.store(state.idle.saturating_sub(state.waiting()), Ordering::Relaxed);
    }

    /// Puts a part right behind the one that it was taken from.
    fn give(&self, from: u64, path: Path) {
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

    /// What all parts saw, if it is worth something.
    fn into_result(self) -> Option<(Statistics, V)> {
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
