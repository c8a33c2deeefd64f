//! What the executions of a test add up to: states, verdict, observation, counts, flags (`LITMUS.md` §5).

use super::Test;
use super::syntax::Quantifier;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// An end of executions: one value for each of [`super::Context::watches`].
pub type End = Box<[u64]>;

/// The executions with one end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// How many executions.
    pub count: u64,
    /// Names of the flags that the model raised in any of them.
    pub flags: Vec<String>,
    /// Whether any of them has undefined behaviour by the model.
    pub undefined: bool,
}

/// The test's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The condition holds.
    Ok,
    /// It does not.
    No,
    /// An execution is undefined.
    Undef,
}

/// How often the proposition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Observation {
    Never,
    Sometimes,
    Always,
}

/// All that is to be said about a test that was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// `Allowed`, `Forbidden` or `Required`.
    pub kind: &'static str,
    /// The answer.
    pub verdict: Verdict,
    /// Whether a loop was cut, so that outcomes may be missing.
    pub cut: bool,
    /// Whether the search ended before all executions were seen; what is said here is then of those that were.
    pub partial: bool,
    /// Executions that satisfy the proposition.
    pub holding: u64,
    /// Executions that falsify it.
    pub failing: u64,
    /// How often it holds.
    pub observation: Observation,
    /// Flags raised, sorted.
    pub flags: Vec<String>,
}

impl Summary {
    /// Executions for and against the condition: when it says that none exists, those that satisfy the proposition are
    /// against it.
    pub fn witnesses(&self, quantifier: Quantifier) -> (u64, u64) {
        match quantifier {
            Quantifier::NotExists => (self.failing, self.holding),
            Quantifier::Exists | Quantifier::Forall => (self.holding, self.failing),
        }
    }
}

/// The word for what a quantifier says about its proposition.
pub fn kind(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::Exists => "Allowed",
        Quantifier::NotExists => "Forbidden",
        Quantifier::Forall => "Required",
    }
}

/// The states of a test, sorted, as lines. There may be very many, so each end goes as its line comes.
pub fn states(test: &Test, found: Vec<(End, Found)>) -> Vec<String> {
    let (context, items) = (&test.context, &test.items);
    let seen = found.into_iter().filter(|(end, group)| group.count > 0 && test.accepts(end));
    let mut ends: Vec<End> = seen.map(|(end, _)| end).collect();
    // Mostly they are in order already.
    ends.sort_by(|a, b| context.compare_states(items, a, b));
    ends.dedup_by(|a, b| context.compare_states(items, a, b) == Ordering::Equal);
    let line = |end: End| {
        let mut line = context.state_line(items, &end);
        line.shrink_to_fit();
        line
    };
    ends.into_iter().map(line).collect()
}

/// Adds up the executions of a test. Those that the filter rejects are left out.
pub fn summarise(test: &Test, found: &[(End, Found)], cut: bool) -> Summary {
    let mut flags: BTreeSet<String> = BTreeSet::new();
    let (mut holding, mut failing, mut undefined) = (0, 0, false);
    for (end, group) in found.iter().filter(|(end, group)| group.count > 0 && test.accepts(end)) {
        flags.extend(group.flags.iter().cloned());
        undefined |= group.undefined;
        if test.satisfies(end) {
            holding += group.count;
        } else {
            failing += group.count;
        }
    }
    if undefined {
        flags.insert("*undef*".to_owned());
    }
    let holds = match test.quantifier {
        Quantifier::Exists => holding > 0,
        Quantifier::NotExists => holding == 0,
        Quantifier::Forall => failing == 0,
    };
    Summary {
        kind: kind(test.quantifier),
        verdict: match (undefined, holds) {
            (true, _) => Verdict::Undef,
            (false, true) => Verdict::Ok,
            (false, false) => Verdict::No,
        },
        cut,
        partial: false,
        holding,
        failing,
        observation: match (holding, failing) {
            (0, _) => Observation::Never,
            (_, 0) => Observation::Always,
            _ => Observation::Sometimes,
        },
        flags: flags.into_iter().collect(),
    }
}
