//! Visitors that stand between exploration and observation.

use crate::explore::{Execution, Go, Problem, Visitor};
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts complete executions where a progress display can see it.
pub struct Counted<'a> {
    /// Who is to see the executions.
    pub inner: &'a mut dyn Visitor,
    /// The count.
    pub seen: &'a AtomicU64,
}

impl Visitor for Counted<'_> {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        self.seen.fetch_add(1, Ordering::Relaxed);
        self.inner.complete(execution)
    }

    fn problem(&mut self, execution: &Execution<'_, '_>, problem: &Problem) -> Go {
        self.inner.problem(execution, problem)
    }
}
