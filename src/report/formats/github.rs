//! Annotations of GitHub Actions: a line a finding, which the code host shows beside the source line.

use crate::report::unexpected;
use crate::verdict::{FileResult, Finding, Message, Place, Verdict};

/// The annotations of a result.
pub fn annotations(result: &FileResult) -> String {
    let mut out = String::new();
    for finding in result.violation.iter().chain(&result.more_violations) {
        out += &of_finding(result, finding, "error");
    }
    for warning in &result.warnings {
        out += &of_finding(result, warning, "warning");
    }
    for message in &result.messages {
        let level = if result.verdict == Verdict::Error { "error" } else { "warning" };
        out += &of_message(result, message, level);
    }
    let here = Place { file: result.file.clone(), line: 1, column: 0 };
    if result.verdict == Verdict::Violated && result.violation.is_none() {
        out += &line("error", &here, "hmc: litmus", &format!("{} (model {})", unexpected(result), result.model));
    }
    if result.verdict == Verdict::Bounded {
        let why = result.notes.first().map_or("the search was cut", String::as_str);
        out += &line("warning", &here, "hmc: bounded", &format!("{why} (model {})", result.model));
    }
    out
}

fn of_finding(result: &FileResult, finding: &Finding, level: &str) -> String {
    let here = Place { file: result.file.clone(), line: 1, column: 0 };
    let place = finding.place.as_ref().unwrap_or(&here);
    let notes = finding.notes.iter().map(|note| format!("\n{note}")).collect::<String>();
    let text = format!("{} (model {}){notes}", finding.message, result.model);
    line(level, place, &format!("hmc: {}", finding.kind), &text)
}

fn of_message(result: &FileResult, message: &Message, level: &str) -> String {
    let here = Place { file: result.file.clone(), line: 1, column: 0 };
    let help = message.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    let place = message.place.as_ref().unwrap_or(&here);
    line(level, place, &format!("hmc: {}", message.code), &format!("{}{help}", message.message))
}

fn line(level: &str, place: &Place, title: &str, text: &str) -> String {
    let column = if place.column > 0 { format!(",col={}", place.column) } else { String::new() };
    let line = place.line.max(1);
    format!("::{level} file={},line={line}{column},title={}::{}\n", property(&place.file), property(title), data(text))
}

/// What stands behind `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// What stands between commas.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use crate::report::formats::github::*;
    use crate::report::sample;

    #[test]
    fn a_finding_is_a_line() {
        let text = annotations(&sample::violated());
        assert!(text.starts_with("::error file=mp.c,line=9,col=5,title=hmc%3A assertion::"), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
        assert_eq!(annotations(&sample::litmus()), "");
        assert!(annotations(&sample::missing()).starts_with("::error file="));
    }

    #[test]
    fn nothing_ends_a_line_early() {
        assert_eq!(data("50%\nmore"), "50%25%0Amore");
        assert_eq!(property("a:b,c"), "a%3Ab%2Cc");
    }
}
