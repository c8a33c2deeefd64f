//! Results are held to what was recorded of them, and to what a test says of itself.

use super::inputs::settings::Settings;
use crate::litmus::Test;
use crate::verdict::expected::{self, Comparison};
use crate::verdict::{FileResult, Verdict};

/// Compares the result of a litmus test with what was expected of it: by a file, else by the test's own word.
pub(super) fn comparison(test: &Test, settings: &Settings, result: &FileResult) -> Option<Comparison> {
    let own = || {
        let expected = expected::own_words(test.result.as_deref()?)?;
        Some(Comparison { source: "the test itself".to_owned(), differences: expected.differences(result) })
    };
    recorded(settings, result).or_else(own)
}

/// Compares a result with the first record of it.
fn recorded(settings: &Settings, result: &FileResult) -> Option<Comparison> {
    let compared = |source: &str, differences| Comparison { source: source.to_owned(), differences };
    settings.expected.iter().find_map(|e| Some(compared(e.source(), e.find(result)?.differences(result))))
}

/// Whether a result is not what was expected; where nothing was, that the condition of the test holds and no flag is raised.
pub(super) fn is_unexpected(result: &FileResult) -> bool {
    match &result.expected {
        Some(comparison) => !comparison.differences.is_empty(),
        None => result.condition.as_deref() != Some("Ok") || !result.flags.is_empty(),
    }
}

/// Holds a program, and a test without an answer, to what was recorded; says why where nothing was.
pub(super) fn hold(result: &mut FileResult, settings: &Settings) {
    if settings.expected.is_empty() {
        return;
    }
    if settings.expected.iter().all(|e| e.find(result).is_none()) {
        let why = settings.expected.iter().find_map(|e| e.why_not(result));
        result.not_compared = Some(why.unwrap_or_else(|| "nothing is recorded of it".to_owned()));
        return;
    }
    if result.expected.is_none() {
        result.expected = recorded(settings, result);
        let differs = result.expected.as_ref().is_some_and(|compared| !compared.differences.is_empty());
        if settings.strict && differs && result.verdict == Verdict::Holds {
            result.verdict = Verdict::Violated;
        }
    }
}
