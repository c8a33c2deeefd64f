//! An estimate of the number of executions that gets better while an exploration runs.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// An estimate.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Estimate {
    /// Complete executions.
    pub executions: f64,
    /// The standard error of that.
    pub spread: f64,
}

/// An estimate that gets better while an exploration runs, for whoever wants to show it.
#[derive(Debug)]
pub struct Forecast {
    known: Mutex<Option<Estimate>>,
    /// When a search has run for so long, it is asked how many executions there will be; again when it has run for twice as long, and so on.
    pub(in crate::explore) first: Duration,
    /// One part of so many of the time goes into that question.
    pub(in crate::explore) share: u32,
}

impl Default for Forecast {
    /// For somebody who watches.
    fn default() -> Self {
        Forecast { known: Mutex::default(), first: Duration::from_millis(10), share: 10 }
    }
}

impl Forecast {
    /// For the report of a search that is ended early: it takes little time, and none of a short search.
    pub fn late() -> Forecast {
        Forecast { first: Duration::from_millis(500), share: 40, ..Forecast::default() }
    }

    /// What is known now.
    pub fn get(&self) -> Option<Estimate> {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(in crate::explore) fn set(&self, estimate: Estimate) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some(estimate);
    }
}
