//! Visitors that stand between exploration and observation.
//!
//! - [`first_of_sources`]: executions that differ in coherence only, as one. [`folded`], [`sections`]: those that differ in the order of critical sections only.
//! - [`bounded`]: those that are within a bound on interleavings.

pub mod bounded;
pub mod first_of_sources;
pub mod folded;
mod sections;

use crate::cat::reference;
use crate::cat::source::Span;
use crate::driver::inputs::models::Usable;
use crate::explore::parallel::parts::{Split, field};
use crate::explore::visitor::pass_on;
use crate::explore::{Execution, Go, Problem, Visitor};
use crate::graph::view;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts complete executions where a progress display can see it.
pub struct Counted<'a, V> {
    /// Who is to see the executions.
    pub inner: V,
    /// The count.
    pub seen: &'a AtomicU64,
    /// Executions seen here, and those of them that are not counted yet.
    own: (u64, u64),
}

/// The more executions were seen, the more of them may be counted late: one of so many.
const LATE: u64 = 64;

impl<'a, V> Counted<'a, V> {
    /// One that has seen nothing.
    pub fn new(inner: V, seen: &'a AtomicU64) -> Self {
        Counted { inner, seen, own: (0, 0) }
    }

    /// Threads that count each execution at once wait for each other.
    fn count(&mut self) {
        let (seen, late) = &mut self.own;
        (*seen, *late) = (*seen + 1, *late + 1);
        if *late * LATE >= *seen {
            self.seen.fetch_add(std::mem::take(late), Ordering::Relaxed);
        }
    }
}

impl<V: Visitor> Visitor for Counted<'_, V> {
    pass_on!(inner: unfinished endless wants_blocked blocked problem rules_out);

    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        self.count();
        self.inner.complete(execution)
    }
}

/// Judges each execution with the reference evaluator: for models of which a part depends on the execution in ways that the
/// algebra cannot express, so that exploration knows only some of their checks.
///
/// Does nothing for other models.
pub struct Judged<'a, V> {
    /// Who is to see the executions that are accepted.
    pub inner: V,
    /// The model.
    pub usable: &'a Usable,
    /// Executions that were rejected: up to renaming, and in all.
    pub rejected: (u64, u64),
    /// What went wrong in the evaluation, the first time that something did.
    pub error: Option<reference::value::Error>,
}

impl<'a, V> Judged<'a, V> {
    /// One that has judged nothing.
    pub fn new(inner: V, usable: &'a Usable) -> Self {
        Judged { inner, usable, rejected: (0, 0), error: None }
    }

    /// Where the flags of an execution stand that the model accepts.
    fn accepts(&mut self, execution: &Execution<'_, '_>) -> Option<BTreeSet<(u32, usize)>> {
        let candidate = view::candidate(execution.graph, &execution.world.deps, execution.world.program);
        match reference::accepts(&self.usable.loaded, &candidate) {
            Ok(flags) => flags,
            Err(error) => {
                self.error.get_or_insert(error);
                None
            }
        }
    }
}

impl<V: Visitor> Visitor for Judged<'_, V> {
    pass_on!(inner: wants_blocked rules_out);

    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        if !self.usable.loaded.dynamic {
            return self.inner.complete(execution);
        }
        let Some(raised) = self.accepts(execution) else {
            self.rejected.0 += 1;
            self.rejected.1 = self.rejected.1.saturating_add(execution.stands_for);
            return Go::On;
        };
        let checks = self.usable.model.checks.iter().enumerate();
        let here = checks.filter(|(_, c)| raised.contains(&(c.place.0, c.place.1.start))).map(|(i, _)| i);
        let flags: BTreeSet<usize> = here.chain(execution.flags.iter().copied()).collect();
        let flags: Vec<usize> = flags.into_iter().collect();
        self.inner.complete(&Execution { flags: &flags, ..*execution })
    }

    fn unfinished(&mut self, execution: &Execution<'_, '_>) -> Go {
        if self.usable.loaded.dynamic && self.accepts(execution).is_none() {
            return Go::On;
        }
        self.inner.unfinished(execution)
    }

    fn endless(&mut self, execution: &Execution<'_, '_>) -> Go {
        if self.usable.loaded.dynamic && self.accepts(execution).is_none() {
            return Go::On;
        }
        self.inner.endless(execution)
    }

    fn blocked(&mut self, execution: &Execution<'_, '_>) {
        if !self.usable.loaded.dynamic || self.accepts(execution).is_some() {
            self.inner.blocked(execution);
        }
    }

    fn problem(&mut self, execution: &Execution<'_, '_>, problem: &Problem) -> Go {
        if self.usable.loaded.dynamic && self.accepts(execution).is_none() {
            return Go::On;
        }
        self.inner.problem(execution, problem)
    }
}

impl<V: Split> Split for Counted<'_, V> {
    fn fork(&self) -> Self {
        Counted::new(self.inner.fork(), self.seen)
    }

    fn join(&mut self, later: Self) -> Go {
        self.inner.join(later.inner)
    }

    fn recorded(&self) -> Option<Value> {
        self.inner.recorded()
    }

    fn restored(&self, record: &Value) -> Result<Self, String> {
        Ok(Counted::new(self.inner.restored(record)?, self.seen))
    }
}

impl<V: Split> Split for Judged<'_, V> {
    fn fork(&self) -> Self {
        Judged::new(self.inner.fork(), self.usable)
    }

    fn join(&mut self, later: Self) -> Go {
        self.rejected.0 += later.rejected.0;
        self.rejected.1 = self.rejected.1.saturating_add(later.rejected.1);
        self.error = self.error.take().or(later.error);
        self.inner.join(later.inner)
    }

    /// What it judges itself is left out where it judges nothing.
    fn recorded(&self) -> Option<Value> {
        let inner = self.inner.recorded()?;
        if !self.usable.loaded.dynamic {
            return Some(inner);
        }
        let error = self.error.as_ref().map(|e| (&e.message, e.span.file, e.span.start, e.span.end));
        Some(json!({ "inner": inner, "rejected": self.rejected, "error": error }))
    }

    fn restored(&self, record: &Value) -> Result<Self, String> {
        if !self.usable.loaded.dynamic {
            return Ok(Judged::new(self.inner.restored(record)?, self.usable));
        }
        let error: Option<(String, u32, u32, u32)> = field(record, "error")?;
        let error = error
            .map(|(message, file, start, end)| reference::value::Error { message, span: Span { file, start, end } });
        let inner = self.inner.restored(&record["inner"])?;
        Ok(Judged { inner, usable: self.usable, rejected: field(record, "rejected")?, error })
    }
}

/// Tells what made a search end, and may end it where an exploration is cut.
pub struct Watched<V> {
    /// Who is to see the executions.
    pub inner: V,
    /// Whether the search is to end at the first cut.
    until_cut: bool,
    /// Whether there was one.
    pub cut: bool,
    /// Whether the visitor has seen enough.
    pub enough: bool,
}

impl<V> Watched<V> {
    /// One that has seen nothing.
    pub fn new(inner: V, until_cut: bool) -> Self {
        Watched { inner, until_cut, cut: false, enough: false }
    }

    fn noted(&mut self, go: Go) -> Go {
        self.enough |= go == Go::Stop;
        go
    }
}

impl<V: Visitor> Visitor for Watched<V> {
    pass_on!(inner: wants_blocked blocked rules_out);

    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        let go = self.inner.complete(execution);
        self.noted(go)
    }

    fn unfinished(&mut self, execution: &Execution<'_, '_>) -> Go {
        let go = self.inner.unfinished(execution);
        self.noted(go)
    }

    fn endless(&mut self, execution: &Execution<'_, '_>) -> Go {
        let go = self.inner.endless(execution);
        self.noted(go)
    }

    fn problem(&mut self, execution: &Execution<'_, '_>, problem: &Problem) -> Go {
        let go = self.inner.problem(execution, problem);
        self.noted(go)
    }

    fn cut(&mut self) -> Go {
        self.cut = true;
        if self.until_cut { Go::Stop } else { Go::On }
    }
}

impl<V: Split> Split for Watched<V> {
    fn fork(&self) -> Self {
        Watched::new(self.inner.fork(), self.until_cut)
    }

    fn join(&mut self, later: Self) -> Go {
        self.cut |= later.cut;
        self.enough |= later.enough;
        let go = self.inner.join(later.inner);
        let go = self.noted(go);
        if self.until_cut && self.cut { Go::Stop } else { go }
    }

    fn recorded(&self) -> Option<Value> {
        Some(json!({ "inner": self.inner.recorded()?, "cut": self.cut, "enough": self.enough }))
    }

    fn restored(&self, record: &Value) -> Result<Self, String> {
        let (cut, enough) = (field(record, "cut")?, field(record, "enough")?);
        Ok(Watched { inner: self.inner.restored(&record["inner"])?, until_cut: self.until_cut, cut, enough })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::Nobody;

    #[test]
    fn few_executions_are_counted_at_once_and_many_a_little_late() {
        let seen = AtomicU64::new(0);
        let mut counted = Counted::new(Nobody, &seen);
        for n in 1..=10_000 {
            counted.count();
            let shown = seen.load(Ordering::Relaxed);
            assert!(shown <= n && n - shown <= n / LATE, "{shown} of {n}");
        }
    }
}
