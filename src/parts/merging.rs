//! What all parts saw: a check whose searches are answered by results.
//!
//! Each search is walked from its root: a result's pieces are taken in their order, and where a part was left, its own result stands in its place. A part without a result is open. What comes behind a
//! piece with which the visitor has seen enough is of no interest, done or not.

use super::Error;
use super::job::{Job, Part};
use super::results::Results;
use crate::explore::Go;
use crate::explore::parallel::divide::{Dividable, Divider, Item, ROOT, Seen};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Stands in for the searches of a check.
#[derive(Debug)]
pub struct Merging {
    job: Arc<Job>,
    check: usize,
    results: Arc<Results>,
    state: Mutex<Merged>,
}

/// What a merge came to.
#[derive(Clone, Default, Debug)]
pub struct Merged {
    /// Parts without a result, in depth-first order.
    pub open: Vec<Part>,
    /// How many parts have one that was taken.
    pub taken: usize,
    /// What each search that is done came to.
    pub outcomes: Vec<Seen>,
    /// Searches that are done as a whole, and why.
    pub whole: Vec<(usize, String)>,
    /// Whether executions were compared between parts by a sample.
    pub sampled: bool,
    /// Executions that were counted.
    pub executions: u64,
    /// What is wrong with the results.
    pub error: Option<Error>,
    searches: usize,
}

/// How the walk through a search ended.
enum Walked {
    /// Everything of interest was taken, but for open parts.
    All,
    /// A part turned out to be no part.
    Worthless(String),
}

impl Merging {
    /// For a check of a job.
    pub fn new(job: &Arc<Job>, check: usize, results: &Arc<Results>) -> Merging {
        Merging { job: job.clone(), check, results: results.clone(), state: Mutex::default() }
    }

    /// What it came to; asked when the check has ended.
    pub fn merged(&self) -> Merged {
        self.lock().clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Merged> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn walk(&self, number: usize, search: &mut dyn Dividable, merged: &mut Merged) -> Result<Walked, Error> {
        let mut named = HashSet::new();
        let mut executions = HashSet::new();
        let mut next = vec![Item::Left(ROOT.to_owned())];
        while let Some(item) = next.pop() {
            match item {
                Item::Seen(seen) => {
                    if take(search, &seen, self.check, number)? == Go::Stop {
                        break;
                    }
                }
                Item::Left(path) => {
                    let part = self.job.part(self.check, number, &path);
                    if !named.insert(part.part.clone()) {
                        return Err(Error::Doubled(part.part));
                    }
                    let Some(record) = self.results.get(&part)? else {
                        merged.open.push(part);
                        continue;
                    };
                    if let Some(why) = record.worthless {
                        return Ok(Walked::Worthless(why));
                    }
                    merged.taken += 1;
                    merged.sampled |= record.sampled > 0;
                    let names = record.names().ok_or_else(|| Error::Unfit {
                        part: part.part.clone(),
                        why: "its names of executions cannot be read".to_owned(),
                    })?;
                    if !names.into_iter().all(|name| executions.insert(name)) {
                        return Ok(Walked::Worthless("an execution can be reached in two ways".to_owned()));
                    }
                    next.extend(record.items.into_iter().rev());
                }
            }
        }
        Ok(Walked::All)
    }

    fn whole(&self, number: usize, why: String, search: &mut dyn Dividable, merged: &mut Merged) -> Result<(), Error> {
        merged.open.clear();
        search.forget();
        merged.whole.push((number, why));
        let part = self.job.whole(self.check, number);
        let Some(record) = self.results.get(&part)? else {
            merged.open.push(part);
            return Ok(());
        };
        merged.taken += 1;
        for item in &record.items {
            if let Item::Seen(seen) = item {
                take(search, seen, self.check, number)?;
            }
        }
        Ok(())
    }

    fn search(&self, search: &mut dyn Dividable, merged: &mut Merged) -> Result<(), Error> {
        let number = merged.searches;
        merged.searches += 1;
        if !merged.open.is_empty() || merged.error.is_some() {
            return Ok(());
        }
        match search.whole() {
            Some(why) => self.whole(number, why.to_owned(), search, merged)?,
            None => {
                let taken = merged.taken;
                if let Walked::Worthless(why) = self.walk(number, search, merged)? {
                    merged.taken = taken;
                    self.whole(number, why, search, merged)?;
                }
            }
        }
        let seen = search.taken();
        merged.executions += seen.as_ref().map_or(0, |seen| seen.statistics.in_all);
        if merged.open.is_empty() {
            merged.outcomes.extend(seen);
        }
        Ok(())
    }
}

fn take(search: &mut dyn Dividable, seen: &Seen, check: usize, number: usize) -> Result<Go, Error> {
    search.take(seen).map_err(|why| Error::Unfit { part: format!("in search {number} of check {check}"), why })
}

impl Divider for Merging {
    fn conduct(&self, search: &mut dyn Dividable) -> bool {
        if search.taken().is_none() {
            return false;
        }
        let mut merged = self.lock();
        if let Err(error) = self.search(search, &mut merged) {
            merged.error = Some(error);
        }
        if !merged.open.is_empty() || merged.error.is_some() {
            search.leave_open();
        }
        true
    }

    fn left(&self) -> Option<&'static str> {
        let merged = self.lock();
        let is_left = !merged.open.is_empty() || merged.error.is_some();
        is_left.then_some("parts of the search are left")
    }
}
