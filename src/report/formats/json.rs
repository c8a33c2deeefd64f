//! The JSON report: `docs/cli.md` describes the fields. It is written result by result.

use crate::report::{SCHEMA, Tool};
use crate::verdict::FileResult;
use serde::Serialize;
use std::io::{Result, Write};

/// What stands before the results.
pub fn begin(out: &mut dyn Write) -> Result<()> {
    write!(out, "{{\n  \"schema\": \"{SCHEMA}\",\n  \"tool\": ")?;
    pretty(&Tool::this(), "  ", out)?;
    out.write_all(b",\n  \"results\": [")
}

/// One result.
pub fn element(result: &FileResult, is_first: bool, out: &mut dyn Write) -> Result<()> {
    out.write_all(if is_first { b"\n    " } else { b",\n    " })?;
    pretty(result, "    ", out)
}

/// What stands behind the results; `is_empty`: there is none.
pub fn end(is_empty: bool, out: &mut dyn Write) -> Result<()> {
    out.write_all(if is_empty { b"]\n}\n" } else { b"\n  ]\n}\n" })
}

/// A value over several lines, all but the first behind `margin`.
fn pretty(value: &impl Serialize, margin: &str, out: &mut dyn Write) -> Result<()> {
    // Plain data with string keys: only writing can fail.
    serde_json::to_writer_pretty(Indented { out, margin }, value).map_err(std::io::Error::from)
}

/// Puts a margin behind each line end. JSON has none within a text.
struct Indented<'a> {
    out: &'a mut dyn Write,
    margin: &'a str,
}

impl Write for Indented<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.out.write_all(line)?;
            if line.ends_with(b"\n") {
                self.out.write_all(self.margin.as_bytes())?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use crate::report::style::Style;
    use crate::report::{Format, SCHEMA, Tool, sample, stream};
    use crate::verdict::{FileResult, Sources};
    use serde::{Deserialize, Serialize};

    /// A whole run.
    #[derive(PartialEq, Debug, Serialize, Deserialize)]
    struct Report {
        schema: String,
        tool: Tool,
        results: Vec<FileResult>,
    }

    impl Report {
        fn new(results: Vec<FileResult>) -> Report {
            Report { schema: SCHEMA.into(), tool: Tool::this(), results }
        }
    }

    fn report(results: &[FileResult]) -> String {
        stream::whole(Format::Json, results, &Sources::default(), Style::default())
    }

    /// Written piece by piece, a report is the one that is written at once.
    #[test]
    fn pieces_make_the_whole() {
        for results in [vec![], vec![sample::litmus()], vec![sample::violated(), sample::litmus(), sample::missing()]] {
            let whole = serde_json::to_string_pretty(&Report::new(results.clone())).expect("JSON") + "\n";
            assert_eq!(report(&results), whole);
        }
    }

    #[test]
    fn has_the_fields_of_the_contract() {
        let text = report(&[sample::violated(), sample::litmus()]);
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(value["schema"], SCHEMA);
        let result = &value["results"][0];
        for field in [
            "file",
            "model",
            "model_sha256",
            "arch",
            "verdict",
            "kind",
            "observation",
            "positive",
            "negative",
            "states",
            "flags",
            "executions",
            "violation",
            "seconds",
            "events_max",
        ] {
            assert!(result.get(field).is_some(), "{field} is missing");
        }
        assert_eq!(result["verdict"], "violated");
        assert_eq!(result["violation"]["kind"], "assertion");
        assert!(result["executions"].get("duplicate").is_none());
        assert_eq!(value["results"][1]["kind"], "Allowed");
        assert!(value["results"][1]["violation"].is_null());
    }

    #[test]
    fn can_be_read_back() {
        let mut report = Report::new(vec![sample::violated()]);
        report.results[0].messages.clear();
        let again: Report = serde_json::from_str(&self::report(&report.results)).expect("JSON");
        assert_eq!(again, report);
    }
}
