//! JUnit XML: one test case a file and model; the form that build servers read.

use super::style::Style;
use super::xml::escape;
use super::{Report, columns, human, unexpected};
use crate::verdict::{FileResult, Verdict};

/// The document.
pub fn report(report: &Report) -> String {
    let count = |wanted: &dyn Fn(Verdict) -> bool| report.results.iter().filter(|r| wanted(r.verdict)).count();
    let failures = count(&|v| v == Verdict::Violated);
    let errors = count(&|v| v == Verdict::Error);
    let skipped = count(&|v| matches!(v, Verdict::Bounded | Verdict::Unsupported));
    let time: f64 = report.results.iter().map(|r| r.seconds).sum();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out += &format!(
        "<testsuite name=\"hmc\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"{time:.3}\">\n",
        report.results.len()
    );
    for result in &report.results {
        out += &case(result);
    }
    out + "</testsuite>\n"
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
                let table = columns::table(&finding.execution, &finding.events, Style::default());
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
    use super::super::{Report, sample};

    #[test]
    fn counts_and_escapes() {
        let text = super::report(&Report::new(vec![sample::violated(), sample::litmus(), sample::missing()]));
        assert!(text.contains("tests=\"3\" failures=\"1\" errors=\"1\" skipped=\"0\""), "{text}");
        assert!(text.contains("&lt;seen&gt; &amp; wrong") && !text.contains("<seen>"), "{text}");
    }
}
