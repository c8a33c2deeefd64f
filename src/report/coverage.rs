//! Which lines and assertions of a program executions reach, for people.

use crate::verdict::coverage::{Coverage, FileCoverage};

/// What is reached, and what is not.
pub fn text(coverage: &Coverage) -> String {
    let lines: usize = coverage.files.iter().map(|file| file.lines).sum();
    let never_run: usize = coverage.files.iter().map(|file| file.never_run.len()).sum();
    let reached = coverage.assertions.iter().filter(|assertion| assertion.reached).count();
    let mut out = format!(
        "  coverage: executions run {} of {lines} lines and reach {reached} of {} assertions\n",
        lines - never_run,
        coverage.assertions.len()
    );
    for assertion in coverage.assertions.iter().filter(|assertion| !assertion.reached) {
        out += &format!("    assertion never reached: {}:{}\n", assertion.place.file, assertion.place.line);
    }
    for file in coverage.files.iter().filter(|file| !file.never_run.is_empty()) {
        out += &format!("    lines never run: {}:{}\n", file.file, ranges(file));
    }
    out
}

/// Line numbers, consecutive ones together.
fn ranges(file: &FileCoverage) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &line in &file.never_run {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => ranges.push((line, line)),
        }
    }
    let range = |&(first, last): &(u32, u32)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    ranges.iter().map(range).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Place;
    use crate::verdict::coverage::AssertionCoverage;

    #[test]
    fn what_is_never_reached_is_listed() {
        let file = FileCoverage { file: "x.c".into(), lines: 9, never_run: vec![3, 4, 5, 8] };
        let place = |line| Place { file: "x.c".into(), line, column: 3 };
        let assertion = |line, reached| AssertionCoverage { place: place(line), reached };
        let coverage = Coverage { files: vec![file], assertions: vec![assertion(2, true), assertion(8, false)] };
        let expected = "  coverage: executions run 5 of 9 lines and reach 1 of 2 assertions\n    assertion never reached: x.c:8\n    lines never run: x.c:3-5, 8\n";
        assert_eq!(text(&coverage), expected);
    }
}
