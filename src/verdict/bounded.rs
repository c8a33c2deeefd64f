//! What is said of executions within a bound on interleavings.

use crate::explore::bounds::{Bound, Measure};
use serde::{Deserialize, Serialize};

/// Executions within a bound.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bounded {
    /// What is bounded: `context` (preemptions) or `round`.
    pub measure: String,
    /// How many executions have at most 0, 1, … of these, up to the bound.
    pub at_most: Vec<u64>,
    /// Whether there are executions beyond the bound, or the search may have left some out.
    pub left_out: bool,
}

impl Bounded {
    /// `exactly`: how many executions have 0, 1, … of what is bounded.
    pub fn of(bound: Bound, exactly: &[u64], left_out: bool) -> Bounded {
        let mut sum = 0;
        let at_most = exactly.iter().map(|n| {
            sum += n;
            sum
        });
        let measure = match bound.measure {
            Measure::Preemptions => "context",
            Measure::Rounds => "round",
        };
        Bounded { measure: measure.to_owned(), at_most: at_most.collect(), left_out }
    }

    /// All executions within the bound.
    pub fn executions(&self) -> u64 {
        self.at_most.last().copied().unwrap_or(0)
    }

    /// As a user is told.
    pub fn sentence(&self) -> String {
        let most = self.at_most.len().saturating_sub(1);
        let what = match (self.measure.as_str(), most) {
            ("context", 1) => "preemption",
            ("context", _) => "preemptions",
            (_, 1) => "further round",
            _ => "further rounds",
        };
        let list = |numbers: Vec<String>| numbers.join(", ");
        let bounds = list((0..=most).map(|n| n.to_string()).collect());
        let counts = list(self.at_most.iter().map(u64::to_string).collect());
        let rest = match self.left_out {
            true => "others were left out",
            false => "no execution has more: without `--bound` the search sees the same",
        };
        let s = if self.executions() == 1 { "" } else { "s" };
        format!("with at most {bounds} {what}: {counts} execution{s}; {rest}")
    }
}
