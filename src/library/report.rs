//! What came of a check.

use crate::report::formats::json;
use crate::report::human;
use crate::report::style::Style;
use crate::verdict::{FileResult, Message, Sources, Verdict};
use std::fmt;

/// What came of a check: plain data, which shows itself as text.
#[derive(Debug)]
pub struct Report {
    pub(super) result: FileResult,
    pub(super) sources: Sources,
}

impl Report {
    /// In one word.
    pub fn verdict(&self) -> Verdict {
        self.result.verdict
    }

    /// All of it. It can be serialised (`serde`).
    pub fn result(&self) -> &FileResult {
        &self.result
    }

    /// The report in JSON, as `--format json` writes it (`docs/reports.md`).
    pub fn json(&self) -> String {
        let mut text = Vec::new();
        let written = json::begin(&mut text)
            .and_then(|()| json::element(&self.result, true, &mut text))
            .and_then(|()| json::end(false, &mut text));
        // Writing to memory does not fail, and the report is text.
        written.map(|()| String::from_utf8_lossy(&text).into_owned()).unwrap_or_default()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&human::result(&self.result, &self.sources, Style::default()))
    }
}

/// Why something cannot be used: every problem, with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Problems(pub Vec<Message>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&human::messages(&self.0, Style::default()))
    }
}

impl std::error::Error for Problems {}

#[cfg(test)]
mod tests {
    use crate::{Checker, Model, Program, Verdict};

    const SB: &str = "X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n";

    #[test]
    fn a_report_has_the_answer_as_data_text_and_json() {
        let test = Program::litmus("SB", SB);
        let of = |model: &str| Checker::new().check(&test, &Model::named(model).expect("a bundled model"));
        let (weak, strong) = (of("x86tso"), of("sc"));
        assert_eq!([&weak, &strong].map(|r| r.result().observation.as_deref()), [Some("Sometimes"), Some("Never")]);
        assert_eq!([&weak, &strong].map(|r| r.result().states.len()), [4, 3]);
        assert!(weak.to_string().contains("holds (Sometimes: 1 positive, 3 negative)"), "{weak}");
        let json: serde_json::Value = serde_json::from_str(&weak.json()).expect("a report");
        assert_eq!(json["results"][0]["observation"], "Sometimes");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let problems = Model::text("mine", "acyclic po |").expect_err("no model");
        assert!(problems.to_string().contains("mine"), "{problems}");
        let model = Model::named("sc").expect("a bundled model");
        let report = Checker::new().check(&Program::file("no/such/file.c"), &model);
        assert_eq!(report.verdict(), Verdict::Error);
        assert!(report.to_string().contains("there is no file `no/such/file.c`"), "{report}");
        let report = Checker::new().check(&Program::litmus("x", "no test"), &model);
        assert_eq!(report.verdict(), Verdict::Error);
    }
}
