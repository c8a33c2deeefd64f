//! Executions within a bound on interleavings: others are not shown, and those that are get counted by how many preemptions or rounds they have.
//!
//! What is wrong with a thread on the way is shown wherever it is met: it is wrong with the program.

use crate::explore::bounds::Bound;
use crate::explore::bounds::measured::measured;
use crate::explore::parallel::parts::{Split, field};
use crate::explore::visitor::pass_on;
use crate::explore::{Execution, Go, Visitor};
use crate::verdict::bounded::Bounded;
use serde_json::{Value, json};

/// Shows the complete executions within a bound.
pub(in crate::driver) struct Within<V> {
    /// Who is to see them.
    pub inner: V,
    bound: Bound,
    /// How many have 0, 1, … of what is bounded.
    exactly: Vec<u64>,
    /// How many are beyond.
    beyond: u64,
}

impl<V> Within<V> {
    /// One that has seen nothing.
    pub fn new(inner: V, bound: Bound) -> Self {
        Within { inner, bound, exactly: vec![0; bound.most as usize + 1], beyond: 0 }
    }

    /// What was counted. `left_out`: so many graphs were left because nothing within the bound is reached from them.
    pub fn counted(&self, left_out: u64) -> Bounded {
        Bounded::of(self.bound, &self.exactly, self.beyond + left_out > 0)
    }
}

impl<V: Visitor> Visitor for Within<V> {
    pass_on!(inner: problem unfinished endless wants_blocked blocked cut);

    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        let Some(count) = measured(self.bound, execution) else {
            self.beyond += 1;
            return Go::On;
        };
        self.exactly[count as usize] += 1;
        self.inner.complete(execution)
    }
}

impl<V: Split> Split for Within<V> {
    fn fork(&self) -> Self {
        Within::new(self.inner.fork(), self.bound)
    }

    fn join(&mut self, later: Self) -> Go {
        self.exactly.iter_mut().zip(&later.exactly).for_each(|(sum, n)| *sum += n);
        self.beyond += later.beyond;
        self.inner.join(later.inner)
    }

    fn recorded(&self) -> Option<Value> {
        Some(json!({ "inner": self.inner.recorded()?, "exactly": self.exactly, "beyond": self.beyond }))
    }

    fn restored(&self, record: &Value) -> Result<Self, String> {
        let (exactly, beyond) = (field(record, "exactly")?, field(record, "beyond")?);
        Ok(Within { inner: self.inner.restored(&record["inner"])?, bound: self.bound, exactly, beyond })
    }
}
