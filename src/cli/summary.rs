//! What is said after a batch of litmus tests: what differs from the expectations first, then counts and the slowest tests.

use crate::driver::FileKind;
use crate::verdict::expected::Expectations;
use crate::verdict::{FileResult, Verdict};
use std::path::Path;

/// Slowest tests named.
const SLOWEST: usize = 3;

/// Which files of expectations say nothing about any of the tests that were run.
pub fn unmatched(expected: &[Expectations], results: &[FileResult]) -> String {
    let run: Vec<&FileResult> = results.iter().filter(|r| r.verdict != Verdict::Error).collect();
    let idle = expected.iter().filter(|e| !run.is_empty() && run.iter().all(|r| e.find(r).is_none()));
    idle.map(|e| format!("hmc: {} expects nothing of any of these tests\n", e.source())).collect()
}

/// The text; empty when fewer than two litmus tests were run and nothing was expected.
pub fn text(results: &[FileResult], seconds: f64) -> String {
    let litmus = |r: &&FileResult| FileKind::of(Path::new(&r.file)) == Some(FileKind::Litmus);
    let (skipped, run): (Vec<&FileResult>, Vec<&FileResult>) = results.iter().filter(litmus).partition(|r| r.skipped);
    let compared: Vec<_> = run.iter().chain(&skipped).filter_map(|r| Some((*r, r.expected.as_ref()?))).collect();
    if run.len() + skipped.len() < 2 && compared.iter().all(|(_, c)| c.differences.is_empty()) {
        return String::new();
    }
    let mut out = String::new();
    let differing = compared.iter().filter(|(_, c)| !c.differences.is_empty());
    for (result, comparison) in differing.clone() {
        out += &format!("{} under {} differs from {}\n", result.file, result.model, comparison.source);
        for difference in &comparison.differences {
            out += &format!("    {difference}\n");
        }
    }
    let count = |verdict: Verdict| run.iter().filter(|r| r.verdict == verdict).count();
    let mut parts = Vec::new();
    let mut part = |n: usize, what: &str| {
        if n > 0 {
            parts.push(format!("{n} {what}"));
        }
    };
    let wrong = differing.count();
    part(compared.len() - wrong, "as expected");
    part(wrong, "different");
    part(count(Verdict::Bounded), "bounded");
    part(count(Verdict::Unsupported), "unsupported");
    part(count(Verdict::Error), "in error");
    part(skipped.len(), "answered by the earlier run");
    let tests = run.len() + skipped.len();
    out += &format!("hmc: {tests} test{}", if tests == 1 { "" } else { "s" });
    if !parts.is_empty() {
        out += &format!(": {}", parts.join(", "));
    }
    out += &format!("; {seconds:.2} s");
    let mut slowest = run.clone();
    slowest.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    let named: Vec<String> = slowest.iter().take(SLOWEST).map(|r| format!("{} {:.2} s", r.file, r.seconds)).collect();
    if !named.is_empty() {
        out += &format!("; slowest: {}", named.join(", "));
    }
    out.push('\n');
    out
}
