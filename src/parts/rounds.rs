//! A job from where it stands to its end: what is open is found out, and worked on, until nothing is.

use super::Error;
use super::job::{Job, Part};
use super::merging::{Merged, Merging};
use super::results::Results;
use super::working::{Limits, Pool};
use crate::clock::Instant;
use crate::explore::parallel::divide::{Dividable, Divider, Seen};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Runs a check of a job with somebody who stands in for its searches.
pub type Run<'a> = &'a (dyn Fn(usize, Arc<dyn Divider>) + Sync);

/// How often it is told how far a job is.
const TOLD: Duration = Duration::from_millis(500);

/// How far a job is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Executions that were found in this run.
    pub executions: u64,
    /// Parts that wait or are worked on.
    pub open: usize,
    /// Results that were written in this run.
    pub results: usize,
    /// Since when.
    pub begun: Instant,
}

/// What is known of each check, by its number; the checks that are asked for.
pub fn survey(job: &Arc<Job>, checks: impl IntoIterator<Item = usize>, run: Run<'_>) -> Result<Surveyed, Error> {
    let results = Arc::new(Results::read(job)?);
    let mut merged = BTreeMap::new();
    for check in checks {
        let merging = Arc::new(Merging::new(job, check, &results));
        run(check, merging.clone());
        let found = merging.merged();
        if let Some(error) = found.error {
            return Err(error);
        }
        merged.insert(check, found);
    }
    Ok(Surveyed { results, merged })
}

/// What is known of a job.
pub struct Surveyed {
    /// Its results.
    pub results: Arc<Results>,
    /// By check.
    pub merged: BTreeMap<usize, Merged>,
}

impl Surveyed {
    /// The parts that are open.
    pub fn open(&self) -> Vec<Part> {
        self.merged.values().flat_map(|merged| merged.open.iter().cloned()).collect()
    }

    /// What the searches came to that are done.
    fn outcomes(&self) -> BTreeMap<usize, Arc<Vec<Seen>>> {
        self.merged.iter().map(|(&check, merged)| (check, Arc::new(merged.outcomes.clone()))).collect()
    }

    /// Results that no part of interest names: of the other attempt at a part, or behind a first violation.
    pub fn left_aside(&self) -> usize {
        self.results.len().saturating_sub(self.merged.values().map(|merged| merged.taken).sum())
    }
}

/// Works on a job until nothing is open, or the limits say that it is over.
pub fn go_on(
    job: &Arc<Job>,
    limits: &Limits,
    threads: usize,
    run: Run<'_>,
    tell: &(dyn Fn(Progress) + Sync),
) -> Result<Surveyed, Error> {
    loop {
        let surveyed = survey(job, 0..job.checks.len(), run)?;
        let open = surveyed.open();
        let is_over = limits.interrupt.load(Ordering::Relaxed)
            || limits.is_late()
            || limits.enough.is_some_and(|enough| open.len() >= enough);
        if open.is_empty() || is_over {
            return Ok(surveyed);
        }
        let pool = Arc::new(Pool::new(job, open, limits.clone()));
        worked(&pool, threads, &surveyed.outcomes(), run, tell)?;
        if limits.any && pool.has_stopped() {
            return survey(job, 0..job.checks.len(), run);
        }
    }
}

/// Works on some parts of a job.
pub fn work_on(
    job: &Arc<Job>,
    parts: Vec<Part>,
    limits: &Limits,
    threads: usize,
    run: Run<'_>,
    tell: &(dyn Fn(Progress) + Sync),
) -> Result<usize, Error> {
    let later: BTreeSet<usize> = parts.iter().filter(|part| part.search > 0).map(|part| part.check).collect();
    // Only a search that comes after others needs what they came to.
    let outcomes = match later.is_empty() {
        true => BTreeMap::new(),
        false => survey(job, later, run)?.outcomes(),
    };
    let pool = Arc::new(Pool::new(job, parts, limits.clone()));
    worked(&pool, threads, &outcomes, run, tell)?;
    Ok(pool.results.load(Ordering::Relaxed))
}

fn worked(
    pool: &Arc<Pool>,
    threads: usize,
    outcomes: &BTreeMap<usize, Arc<Vec<Seen>>>,
    run: Run<'_>,
    tell: &(dyn Fn(Progress) + Sync),
) -> Result<(), Error> {
    let begun = Instant::now();
    let (end, ended) = std::sync::mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while ended.recv_timeout(TOLD) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                let executions = pool.executions.load(Ordering::Relaxed);
                let results = pool.results.load(Ordering::Relaxed);
                tell(Progress { executions, open: pool.open(), results, begun });
                pool.keep_time();
            }
        });
        let worked = pool.work(threads, outcomes, run);
        drop(end);
        worked
    })
}

/// Runs a check for what it reads only; notes which of its searches are not divided.
#[derive(Debug, Default)]
pub struct Noting(Mutex<Noted>);

/// What is known of a check before anything is searched.
#[derive(Clone, Debug, Default)]
pub struct Noted {
    /// Whether there is a search that can be left to others.
    pub has_search: bool,
    /// Why the first search is not divided, if it is not.
    pub whole: Option<&'static str>,
}

impl Noting {
    /// What is known.
    pub fn noted(&self) -> Noted {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Divider for Noting {
    fn conduct(&self, search: &mut dyn Dividable) -> bool {
        if search.taken().is_none() {
            return false;
        }
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !noted.has_search {
            noted.whole = search.whole();
        }
        noted.has_search = true;
        search.leave_open();
        true
    }

    fn left(&self) -> Option<&'static str> {
        Some("parts of the search are left")
    }
}
