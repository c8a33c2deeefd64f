//! An estimate of the number of executions that gets better while an exploration runs.

use std::sync::{Mutex, PoisonError};

/// An estimate.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Estimate {
    /// Complete executions.
    pub executions: f64,
    /// The standard error of that.
    pub spread: f64,
}

/// An estimate that gets better while an exploration runs, for whoever wants to show it.
#[derive(Default, Debug)]
pub struct Forecast(Mutex<Option<Estimate>>);

impl Forecast {
    /// What is known now.
    pub fn get(&self) -> Option<Estimate> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(in crate::explore) fn set(&self, estimate: Estimate) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(estimate);
    }
}
