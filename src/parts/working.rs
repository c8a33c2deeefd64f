//! Searching parts, by several threads of a process.
//!
//! A thread takes a waiting part, the outermost first, searches it for a slice, writes its result, and puts the parts that are left with those that wait. While somebody has nothing to do, slices
//! are short. A thread runs the check up to the search that its part belongs to, and stays there as long as there are parts of that search.

use super::Error;
use super::job::{Job, Part};
use super::results::{Record, Writer};
use crate::clock::Instant;
use crate::explore::parallel::divide::{Dividable, Divider, Item, Seen, Slice, Worthless};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// While somebody has nothing to do, a slice ends after so many events.
const SHORT: u64 = 2_000;
/// What is left is tried with so many events, if slices are so many times longer.
const PROBE: u64 = 300;
const WORTH_A_PROBE: u64 = 10;
/// While more parts wait, the innermost is taken first, which leaves fewer.
const MANY: usize = 1 << 12;
/// How long a thread waits before it looks whether all is to end.
const MOMENT: Duration = Duration::from_millis(20);

/// How far parts are searched.
#[derive(Clone, Debug)]
pub struct Limits {
    /// A slice ends after so many events.
    pub events: u64,
    /// Or after so long.
    pub slice: Option<Duration>,
    /// When no more is begun, and slices end. What cannot be divided goes on.
    pub until: Option<Instant>,
    /// When everything ends.
    pub deadline: Option<Instant>,
    /// Set to end soon.
    pub interrupt: Arc<AtomicBool>,
    /// Whether parts that are left are searched, too.
    pub goes_on: bool,
    /// Whether everything ends at the first violation that anybody finds.
    pub any: bool,
    /// It ends when so many parts wait.
    pub enough: Option<usize>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            events: u64::MAX,
            slice: None,
            until: None,
            deadline: None,
            interrupt: Arc::default(),
            goes_on: true,
            any: false,
            enough: None,
        }
    }
}

impl Limits {
    /// Whether no more is to be begun.
    pub fn is_late(&self) -> bool {
        self.until.into_iter().chain(self.deadline).any(|end| Instant::now() >= end)
    }
}

/// What parts belong to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Group {
    check: usize,
    search: usize,
}

#[derive(Debug, Default)]
struct State {
    /// By group, depth, and number.
    waiting: BTreeMap<(Group, usize, u64), Part>,
    number: u64,
    running: usize,
    idle: usize,
    error: Option<Error>,
    /// Whether a visitor has seen enough.
    stopped: bool,
}

/// Parts that wait, and who works on them.
#[derive(Debug)]
pub struct Pool {
    job: Arc<Job>,
    limits: Limits,
    state: Mutex<State>,
    wake: Condvar,
    /// Somebody has nothing to do.
    wanted: AtomicBool,
    /// No more is begun, and slices end.
    halted: AtomicBool,
    /// Executions that were found.
    pub executions: AtomicU64,
    /// Results that were written.
    pub results: AtomicUsize,
}

impl Pool {
    /// Of parts of a job.
    pub fn new(job: &Arc<Job>, parts: Vec<Part>, limits: Limits) -> Pool {
        let pool = Pool {
            job: job.clone(),
            limits,
            state: Mutex::default(),
            wake: Condvar::new(),
            wanted: AtomicBool::new(false),
            halted: AtomicBool::new(false),
            executions: AtomicU64::new(0),
            results: AtomicUsize::new(0),
        };
        pool.put(&mut pool.lock(), parts);
        pool
    }

    /// How many parts wait or are worked on.
    pub fn open(&self) -> usize {
        let state = self.lock();
        state.waiting.len() + state.running
    }

    /// Whether a violation was found that ends the search.
    pub fn has_stopped(&self) -> bool {
        self.lock().stopped
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, state: &mut State, parts: Vec<Part>) {
        for part in parts {
            state.number += 1;
            let group = Group { check: part.check, search: part.search };
            let depth = if part.is_whole() { 0 } else { part.depth() };
            state.waiting.insert((group, depth, state.number), part);
        }
        self.settle(state);
    }

    fn settle(&self, state: &State) {
        self.wanted.store(state.idle > state.waiting.len(), Ordering::Relaxed);
        if self.limits.enough.is_some_and(|enough| state.waiting.len() >= enough) {
            self.halted.store(true, Ordering::Relaxed);
        }
    }

    /// Whether no more is to be begun.
    fn is_over(&self) -> bool {
        self.halted.load(Ordering::Relaxed) || self.limits.interrupt.load(Ordering::Relaxed) || self.limits.is_late()
    }

    /// Ends everything when it is time to: what is not divided looks at no clock.
    pub fn keep_time(&self) {
        if self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.limits.interrupt.store(true, Ordering::Relaxed);
        }
    }

    /// Waits for a part of a group, or of any; `None`: there will be none, or there are others only.
    fn next(&self, group: Option<Group>) -> Option<Part> {
        let mut state = self.lock();
        state.idle += 1;
        let found = loop {
            if self.is_over() {
                break None;
            }
            let own = |key: &&(Group, usize, u64)| group.is_none_or(|group| key.0 == group);
            let key = match state.waiting.len() > MANY {
                true => state.waiting.keys().rev().find(own),
                false => state.waiting.keys().find(own),
            };
            if let Some(key) = key.copied() {
                break state.waiting.remove(&key);
            }
            if !state.waiting.is_empty() || state.running == 0 {
                break None;
            }
            self.settle(&state);
            // Nobody tells that the time is over.
            state = self.wake.wait_timeout(state, MOMENT).unwrap_or_else(PoisonError::into_inner).0;
        };
        state.idle -= 1;
        state.running += usize::from(found.is_some());
        self.settle(&state);
        found
    }

    fn fail(&self, error: Error) {
        self.lock().error.get_or_insert(error);
        self.halted.store(true, Ordering::Relaxed);
    }

    /// Notes what became of a part.
    fn ended(&self, record: Option<&Record>, part: &Part, is_written: bool) {
        let mut state = self.lock();
        state.running -= 1;
        if let Some(record) = record.filter(|_| is_written) {
            self.results.fetch_add(1, Ordering::Relaxed);
            for item in &record.items {
                if let Item::Seen(seen) = item {
                    self.executions.fetch_add(seen.statistics.in_all, Ordering::Relaxed);
                    state.stopped |= seen.stops;
                }
            }
            // What waits may be of no interest any more: that is found out by who merges.
            if state.stopped || record.worthless.is_some() {
                self.halted.store(true, Ordering::Relaxed);
            }
            if self.limits.goes_on {
                let left = record.left().map(|path| self.job.part(part.check, part.search, path)).collect();
                self.put(&mut state, left);
            }
        }
        self.settle(&state);
        drop(state);
        self.wake.notify_all();
    }

    /// Searches until nothing is left or it is over. `check` runs a check of the job with somebody who stands in for its searches.
    pub fn work(
        self: &Arc<Pool>,
        threads: usize,
        outcomes: &BTreeMap<usize, Arc<Vec<Seen>>>,
        check: &(dyn Fn(usize, Arc<dyn Divider>) + Sync),
    ) -> Result<(), Error> {
        let work = || {
            let mut writer = Some(Writer::new(&self.job));
            while let Some(part) = self.next(None) {
                let group = Group { check: part.check, search: part.search };
                let name = part.part.clone();
                let working = Arc::new(Working {
                    pool: self.clone(),
                    group,
                    outcomes: outcomes.get(&group.check).cloned().unwrap_or_default(),
                    searches: AtomicUsize::new(0),
                    own: Mutex::new((writer.take(), Some(part))),
                });
                check(group.check, working.clone());
                let mut own = working.own.lock().unwrap_or_else(PoisonError::into_inner);
                writer = own.0.take();
                if own.1.take().is_some() {
                    self.lock().running -= 1;
                    self.fail(Error::Unreached(name));
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // Without a thread the others do it.
                let _ = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
            }
            let first = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
            first.map(|_| ()).map_err(|e| Error::file("a thread", &e))
        })?;
        self.lock().error.clone().map_or(Ok(()), Err)
    }
}

/// Room for the recursion that parsers bound.
const STACK_BYTES: usize = 64 << 20;

/// Stands in for the searches of a check, to search parts of one of them.
#[derive(Debug)]
struct Working {
    pool: Arc<Pool>,
    group: Group,
    outcomes: Arc<Vec<Seen>>,
    searches: AtomicUsize,
    /// Who writes results, and the first part.
    own: Mutex<(Option<Writer>, Option<Part>)>,
}

impl Working {
    fn search(&self, search: &mut dyn Dividable) -> Result<(), Error> {
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        let (writer, first) = &mut *own;
        let mut next = first.take();
        while let Some(part) = next.take().or_else(|| self.pool.next(Some(self.group))) {
            let begun = Instant::now();
            let record = self.record(search, &part, begun);
            let writer = writer.get_or_insert_with(|| Writer::new(&self.pool.job));
            let written = record.as_ref().map_or(Ok(()), |record| writer.write(record));
            self.pool.ended(record.as_ref(), &part, written.is_ok());
            written?;
        }
        Ok(())
    }

    /// Searches a part. `None`: it was interrupted, and cannot be gone on with.
    fn record(&self, search: &mut dyn Dividable, part: &Part, begun: Instant) -> Option<Record> {
        let (pool, limits) = (&self.pool, &self.pool.limits);
        let spent = || begun.elapsed().as_secs_f64();
        let outcome = match part.is_whole() {
            true => search.search_whole(&limits.interrupt).map(|seen| Record::whole(part, seen, spent())),
            false => {
                let end = limits.slice.map(|slice| begun + slice);
                let ends = |events: u64| {
                    pool.is_over()
                        || events >= SHORT && pool.wanted.load(Ordering::Relaxed)
                        || end.is_some_and(|end| Instant::now() >= end)
                };
                let hurries = || limits.interrupt.load(Ordering::Relaxed);
                let probe = if limits.events / WORTH_A_PROBE >= PROBE { PROBE } else { 0 };
                let slice = Slice { events: limits.events, ends: &ends, probe, hurries: &hurries };
                search.search(&part.path, &slice).map(|searched| Record::of(part, searched, spent()))
            }
        };
        match outcome {
            Ok(record) => Some(record),
            Err(Worthless::Interrupted) => None,
            Err(why) => Some(Record::worthless(part, why.to_string(), spent())),
        }
    }
}

impl Divider for Working {
    fn conduct(&self, search: &mut dyn Dividable) -> bool {
        if search.taken().is_none() {
            return false;
        }
        let number = self.searches.fetch_add(1, Ordering::Relaxed);
        if number < self.group.search {
            let outcome = self.outcomes.get(number).ok_or_else(|| "the search before it is not done".to_owned());
            if outcome.and_then(|seen| search.take(seen)).is_ok() {
                return true;
            }
            // Then the search is not come to, and that is told.
        } else if number == self.group.search
            && let Err(error) = self.search(search)
        {
            self.pool.fail(error);
        }
        search.leave_open();
        true
    }

    fn left(&self) -> Option<&'static str> {
        Some("parts of the search are left")
    }
}
