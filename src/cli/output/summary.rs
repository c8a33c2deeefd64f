//! What is said after a batch: what differs from the expectations first, then what was not compared, counts and the slowest tests.

use crate::driver::FileKind;
use crate::verdict::expected::Expectations;
use crate::verdict::{FileResult, Verdict};
use std::path::Path;

/// Slowest tests named.
const SLOWEST: usize = 3;
/// Tests named that were not compared.
const NAMED: usize = 20;

/// Adds up results as they come.
pub struct Summary<'a> {
    expected: &'a [Expectations],
    /// Which files of expectations say something about a test that was run.
    matched: Vec<bool>,
    differing: String,
    not_compared: Vec<String>,
    counts: Counts,
    slowest: Vec<(f64, String)>,
    programs: Programs,
}

/// Programs of which nothing is expected, by their verdicts.
#[derive(Default)]
struct Programs {
    runs: usize,
    by_verdict: [usize; 5],
}

impl Programs {
    /// The verdicts, the worst last.
    const VERDICTS: [(Verdict, &str); 5] = [
        (Verdict::Holds, "hold"),
        (Verdict::Bounded, "bounded"),
        (Verdict::Unsupported, "unsupported"),
        (Verdict::Violated, "violated"),
        (Verdict::Error, "in error"),
    ];

    fn add(&mut self, result: &FileResult) {
        self.runs += 1;
        let at = Self::VERDICTS.iter().position(|(verdict, _)| *verdict == result.verdict).unwrap_or_default();
        self.by_verdict[at] += 1;
    }

    /// A line, when there were several.
    fn text(&self, seconds: f64) -> String {
        if self.runs < 2 {
            return String::new();
        }
        let counts = Self::VERDICTS.iter().zip(self.by_verdict).filter(|(_, n)| *n > 0);
        let counts: Vec<String> = counts.map(|((_, word), n)| format!("{n} {word}")).collect();
        format!("hmc: {} runs of programs: {}; {seconds:.2} s\n", self.runs, counts.join(", "))
    }
}

#[derive(Default)]
struct Counts {
    tests: usize,
    /// Those that could be read.
    readable: usize,
    expected: usize,
    different: usize,
    not_compared: usize,
    bounded: usize,
    unsupported: usize,
    errors: usize,
    skipped: usize,
}

impl<'a> Summary<'a> {
    /// Nothing has come yet.
    pub fn new(expected: &'a [Expectations]) -> Summary<'a> {
        let matched = vec![false; expected.len()];
        let (differing, not_compared, slowest, programs) = Default::default();
        Summary { expected, matched, differing, not_compared, counts: Counts::default(), slowest, programs }
    }

    /// One more result. Programs count where something is expected.
    pub fn add(&mut self, result: &FileResult) {
        for (expected, matched) in self.expected.iter().zip(&mut self.matched) {
            *matched |= result.verdict != Verdict::Error && expected.find(result).is_some();
        }
        let counts = &mut self.counts;
        counts.readable += usize::from(result.verdict != Verdict::Error);
        if self.expected.is_empty() && FileKind::of(Path::new(&result.file)) == Some(FileKind::Code) {
            self.programs.add(result);
            return;
        }
        counts.tests += 1;
        if let Some(comparison) = &result.expected {
            let is_same = comparison.differences.is_empty();
            *if is_same { &mut counts.expected } else { &mut counts.different } += 1;
            if !is_same {
                self.differing +=
                    &format!("{} under {} differs from {}\n", result.file, result.model, comparison.source);
            }
            comparison.differences.iter().for_each(|difference| self.differing += &format!("    {difference}\n"));
        }
        if let Some(why) = &result.not_compared {
            counts.not_compared += 1;
            if counts.not_compared <= NAMED {
                self.not_compared.push(format!("    {} under {}: {why}\n", result.file, result.model));
            }
        }
        if result.skipped {
            counts.skipped += 1;
            return;
        }
        match result.verdict {
            Verdict::Bounded => counts.bounded += 1,
            Verdict::Unsupported => counts.unsupported += 1,
            Verdict::Error => counts.errors += 1,
            Verdict::Holds | Verdict::Violated => {}
        }
        self.slowest.push((result.seconds, result.file.clone()));
        self.slowest.sort_by(|a, b| b.0.total_cmp(&a.0));
        self.slowest.truncate(SLOWEST);
    }

    /// Whether something was to be compared and was not.
    pub fn left_out(&self) -> bool {
        self.counts.not_compared > 0
    }

    /// Which files of expectations say nothing about any of the tests that were run.
    pub fn unmatched(&self) -> String {
        let idle =
            self.expected.iter().zip(&self.matched).filter(|(_, matched)| self.counts.readable > 0 && !**matched);
        idle.map(|(e, _)| format!("hmc: {} expects nothing of any of these tests\n", e.source())).collect()
    }

    /// The text; empty when fewer than two tests were run and all is as expected.
    pub fn text(&self, seconds: f64) -> String {
        let counts = &self.counts;
        if counts.tests < 2 && counts.different == 0 && counts.not_compared == 0 {
            return self.programs.text(seconds);
        }
        let mut out = self.programs.text(seconds) + &self.differing;
        if counts.not_compared > 0 {
            out += "not compared with recorded results:\n";
            out += &self.not_compared.concat();
        }
        let more = counts.not_compared.saturating_sub(NAMED);
        if more > 0 {
            out += &format!("    {more} more; the JSON report names all\n");
        }
        let parts = [
            (counts.expected, "as expected"),
            (counts.different, "different"),
            (counts.not_compared, "not compared"),
            (counts.bounded, "bounded"),
            (counts.unsupported, "unsupported"),
            (counts.errors, "in error"),
            (counts.skipped, "answered by the earlier run"),
        ];
        let parts: Vec<String> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
        out += &format!("hmc: {} test{}", counts.tests, if counts.tests == 1 { "" } else { "s" });
        if !parts.is_empty() {
            out += &format!(": {}", parts.join(", "));
        }
        out += &format!("; {seconds:.2} s");
        let named: Vec<String> = self.slowest.iter().map(|(seconds, file)| format!("{file} {seconds:.2} s")).collect();
        if !named.is_empty() {
            out += &format!("; slowest: {}", named.join(", "));
        }
        out.push('\n');
        out
    }
}
