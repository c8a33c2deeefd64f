//! Whether two models say the same of a file. Where a search was cut that is known only if what was seen suffices.

use super::result::{FileResult, Verdict};

/// What is known of two results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// They are the same.
    Same,
    /// They are not.
    Different,
    /// A search did not see everything, and what it saw does not tell them apart.
    NotKnown,
}

/// Compares what two models say of one file.
pub fn compare(a: &FileResult, b: &FileResult) -> Answer {
    let same = a.verdict == b.verdict
        && a.observation == b.observation
        && a.states == b.states
        && a.executions == b.executions
        && a.flags == b.flags;
    match (a.saw_everything(), b.saw_everything()) {
        (true, true) if same => Answer::Same,
        (true, true) => Answer::Different,
        (true, false) if exceeds(b, a) => Answer::Different,
        (false, true) if exceeds(a, b) => Answer::Different,
        _ => Answer::NotKnown,
    }
}

/// Whether some of what was seen under one model is not among all that there is under another.
fn exceeds(seen: &FileResult, all: &FileResult) -> bool {
    let more = |seen: Option<u64>, all: Option<u64>| seen > Some(0) && all == Some(0);
    seen.states.iter().any(|state| !all.states.contains(state))
        || seen.flags.iter().any(|flag| all.flags.iter().all(|other| other.name != flag.name))
        || seen.violation.is_some() && all.violation.is_none()
        || more(seen.positive, all.positive)
        || more(seen.negative, all.negative)
}

impl FileResult {
    /// Whether the result is about all executions.
    pub fn saw_everything(&self) -> bool {
        matches!(self.verdict, Verdict::Holds | Verdict::Violated) && !self.open && self.messages.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(verdict: Verdict, states: &[&str]) -> FileResult {
        let states = states.iter().map(|s| (*s).to_owned()).collect();
        FileResult { verdict, states, open: verdict == Verdict::Bounded, ..FileResult::new("x", "m") }
    }

    #[test]
    fn a_cut_search_tells_models_apart_by_what_it_saw_only() {
        let (whole, cut) = (result(Verdict::Holds, &["x=1;"]), result(Verdict::Bounded, &["x=1;"]));
        assert_eq!(compare(&whole, &whole), Answer::Same);
        assert_eq!(compare(&whole, &result(Verdict::Holds, &[])), Answer::Different);
        assert_eq!(compare(&whole, &cut), Answer::NotKnown);
        assert_eq!(compare(&cut, &cut), Answer::NotKnown);
        let more = result(Verdict::Bounded, &["x=1;", "x=2;"]);
        assert_eq!(compare(&whole, &more), Answer::Different);
        assert_eq!(compare(&more, &whole), Answer::Different);
        assert_eq!(compare(&more, &cut), Answer::NotKnown);
        assert_eq!(compare(&whole, &result(Verdict::Unsupported, &[])), Answer::NotKnown);
    }
}
