//! The JSON report: [`Report`] as it is. `docs/cli.md` describes the fields.

use super::Report;

/// One object, indented, with a line end.
pub fn report(report: &Report) -> String {
    // Plain data with string keys: serialisation cannot fail.
    let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::super::{Report, SCHEMA, sample};

    #[test]
    fn has_the_fields_of_the_contract() {
        let text = super::report(&Report::new(vec![sample::violated(), sample::litmus()]));
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
        let again: Report = serde_json::from_str(&super::report(&report)).expect("JSON");
        assert_eq!(again, report);
    }
}
