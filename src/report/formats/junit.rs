//! JUnit XML: one test case a file and model; the form that build servers read.

use super::xml::escape;
use crate::report::drawn::columns;
use crate::report::style::Style;
use crate::report::{human, unexpected};
use crate::verdict::{FileResult, Verdict};

/// The cases of a run.
#[derive(Default)]
pub struct Suite {
    cases: String,
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
    seconds: f64,
}

impl Suite {
    /// One more result.
    pub fn add(&mut self, result: &FileResult) {
        self.tests += 1;
        self.seconds += result.seconds;
        match result.verdict {
            Verdict::Holds => {}
            Verdict::Violated => self.failures += 1,
            Verdict::Error => self.errors += 1,
            Verdict::Bounded | Verdict::Unsupported => self.skipped += 1,
        }
        self.cases += &case(result);
    }

    /// The document.
    pub fn document(&self) -> String {
        let Suite { cases, tests, failures, errors, skipped, seconds } = self;
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <testsuite name=\"hmc\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"{seconds:.3}\">\n\
             {cases}</testsuite>\n"
        )
    }
}

fn case(result: &FileResult) -> String {
    let head = format!(
        "  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3}\"",
        escape(&result.model),
        escape(&result.file),
        result.seconds
    );
    let body = match result.verdict {
        Verdict::Holds => return format!("{head}/>\n"),
        Verdict::Violated => match &result.violation {
            Some(finding) => {
                let table = columns::table(
                    &finding.execution,
                    columns::Shown { keep: &finding.events, past: None },
                    Style::default(),
                );
                let place = finding.place.as_ref().map(|p| format!("{}:{}\n", p.file, p.line)).unwrap_or_default();
                let notes: String = finding.notes.iter().map(|note| format!("{note}\n")).collect();
                let orders = finding.orders.as_ref().map(|o| human::lacking(o, finding, Style::default()));
                let text = format!("{place}{notes}{table}{}", orders.unwrap_or_default());
                element("failure", &finding.kind, &finding.message, &text)
            }
            None => element("failure", "litmus", &unexpected(result), &result.states.join("\n")),
        },
        Verdict::Error => {
            let first = result.messages.first();
            let all: Vec<String> = result.messages.iter().map(|m| m.message.clone()).collect();
            let (code, message) = first.map_or(("error", "error"), |m| (m.code.as_str(), m.message.as_str()));
            element("error", code, message, &all.join("\n"))
        }
        Verdict::Bounded | Verdict::Unsupported => {
            let why = result.messages.iter().map(|m| m.message.clone()).chain(result.notes.iter().cloned());
            let why: Vec<String> = why.collect();
            format!("    <skipped message=\"{}: {}\"/>\n", result.verdict.word(), escape(&why.join("; ")))
        }
    };
    format!("{head}>\n{body}  </testcase>\n")
}

fn element(name: &str, kind: &str, message: &str, text: &str) -> String {
    format!("    <{name} type=\"{}\" message=\"{}\">{}</{name}>\n", escape(kind), escape(message), escape(text))
}

#[cfg(test)]
mod tests {
    use super::Suite;
    use crate::report::sample;

    #[test]
    fn counts_and_escapes() {
        let mut suite = Suite::default();
        [sample::violated(), sample::litmus(), sample::missing()].iter().for_each(|result| suite.add(result));
        let text = suite.document();
        assert!(text.contains("tests=\"3\" failures=\"1\" errors=\"1\" skipped=\"0\""), "{text}");
        assert!(text.contains("&lt;seen&gt; &amp; wrong") && !text.contains("<seen>"), "{text}");
    }
}
