//! SARIF 2.1.0: findings as results with a thread flow that steps through the execution; the form that code hosts and
//! editors read.

use crate::report::{Tool, unexpected};
use crate::verdict::{FileResult, Finding, Message, Place, Property, Verdict};
use serde_json::{Value, json};

/// What a run found.
#[derive(Default)]
pub struct Collected {
    results: Vec<Value>,
    failed: bool,
}

impl Collected {
    /// One more result.
    pub fn add(&mut self, result: &FileResult) {
        self.failed |= result.verdict == Verdict::Error;
        self.results.extend(results(result));
    }

    /// The document.
    pub fn document(&self) -> String {
        let tool = Tool::this();
        let document = json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": { "name": tool.name, "version": tool.version, "rules": rules() } },
                "columnKind": "utf16CodeUnits",
                "invocations": [{ "executionSuccessful": !self.failed }],
                "results": self.results,
            }],
        });
        // Plain data with string keys: serialisation cannot fail.
        serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
    }
}

fn rules() -> Vec<Value> {
    let rule = |id: &str, text: &str| json!({ "id": id, "shortDescription": { "text": text } });
    let properties = Property::ALL.iter().map(|p| rule(p.name(), p.title()));
    let others = [
        rule("leak", "memory that is never freed"),
        rule("never-joined", "a thread that is neither joined nor detached"),
        rule("undefined", "undefined behaviour, as the model defines it"),
        rule("bounded", "the search was cut, nothing was found"),
        rule("unsupported", "the program does something that cannot be run"),
        rule("litmus", "the result of a litmus test is not the expected one"),
        rule("input", "something is wrong with the input"),
    ];
    properties.chain(others).collect()
}

fn results(result: &FileResult) -> Vec<Value> {
    let found = result.violation.iter().chain(&result.more_violations).map(|f| finding(result, f, "error"));
    let warnings = result.warnings.iter().map(|f| finding(result, f, "warning"));
    let mut all: Vec<Value> = found.chain(warnings).collect();
    let here = Place { file: result.file.clone(), line: 1, column: 0 };
    let rule = match result.verdict {
        Verdict::Error => "input",
        Verdict::Unsupported => "unsupported",
        _ => "",
    };
    if !rule.is_empty() {
        all.extend(result.messages.iter().map(|m| message(m, rule, &here)));
    }
    let extra = match result.verdict {
        Verdict::Bounded => {
            let why = result.messages.iter().map(|m| &m.message).chain(&result.notes);
            Some(("bounded", "note", why.cloned().collect::<Vec<_>>().join("; ")))
        }
        Verdict::Violated if all.is_empty() => {
            Some(("litmus", "error", format!("{}: {}", result.name, unexpected(result))))
        }
        _ => None,
    };
    if let Some((rule, level, text)) = extra {
        all.push(json!({
            "ruleId": rule,
            "level": level,
            "message": { "text": format!("{text} (model {})", result.model) },
            "locations": [location(&here)],
        }));
    }
    all
}

fn message(message: &Message, rule: &str, here: &Place) -> Value {
    json!({
        "ruleId": rule,
        "level": if rule == "input" { "error" } else { "warning" },
        "message": { "text": format!("{} [{}]", message.message, message.code) },
        "locations": [location(message.place.as_ref().unwrap_or(here))],
    })
}

fn location(place: &Place) -> Value {
    let mut region = json!({ "startLine": place.line.max(1) });
    if place.column > 0 {
        region["startColumn"] = json!(place.column);
    }
    json!({ "physicalLocation": { "artifactLocation": { "uri": uri(&place.file) }, "region": region } })
}

/// A path as a relative URI reference.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(byte as char),
            other => out += &format!("%{other:02X}"),
        }
    }
    if out.starts_with('/') { format!("file://{out}") } else { out }
}

fn finding(result: &FileResult, finding: &Finding, level: &str) -> Value {
    let here = Place { file: result.file.clone(), line: 1, column: 0 };
    let picture = &finding.execution;
    let steps: Vec<Value> = picture
        .events
        .iter()
        .enumerate()
        .map(|(i, event)| {
            let thread = picture.threads.get(event.thread as usize).map_or("", |t| &t.name);
            let mut at = location(event.place.as_ref().unwrap_or(&here));
            at["message"] = json!({ "text": format!("e{i}, {thread}: {}", event.label()) });
            json!({ "executionOrder": i + 1, "location": at })
        })
        .collect();
    let notes: String = finding.notes.iter().map(|note| format!("\n{note}")).collect();
    let mut value = json!({
        "ruleId": finding.kind,
        "level": level,
        "message": { "text": format!("{} (model {}){notes}", finding.message, result.model) },
        "locations": [location(finding.place.as_ref().unwrap_or(&here))],
    });
    if !steps.is_empty() {
        value["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    // What it is about, then the lines that the model does not keep in order.
    let missing = finding.orders.iter().flat_map(|o| &o.missing).flat_map(|&(a, b)| [a, b]);
    let mut about: Vec<u32> = finding.events.clone();
    about.extend(missing.filter(|e| !finding.events.contains(e)));
    about.dedup();
    let related: Vec<Value> = about
        .into_iter()
        .filter_map(|e| Some((e, picture.events.get(e as usize)?)))
        .filter_map(|(e, event)| {
            let mut at = location(event.place.as_ref()?);
            let earlier = finding.orders.iter().flat_map(|o| &o.missing).find(|(_, second)| *second == e);
            let how = earlier.map(|(first, _)| format!(", may come before e{first}")).unwrap_or_default();
            at["message"] = json!({ "text": format!("e{e}: {}{how}", event.label()) });
            Some(at)
        })
        .collect();
    if !related.is_empty() {
        value["relatedLocations"] = json!(related);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::Collected;
    use crate::report::sample;

    #[test]
    fn every_result_has_a_rule_and_a_place() {
        let mut collected = Collected::default();
        [sample::violated(), sample::litmus(), sample::missing()].iter().for_each(|result| collected.add(result));
        let text = collected.document();
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let run = &value["runs"][0];
        let rules: Vec<&str> =
            run["tool"]["driver"]["rules"].as_array().expect("rules").iter().filter_map(|r| r["id"].as_str()).collect();
        let results = run["results"].as_array().expect("results");
        assert_eq!(results.len(), 2);
        for result in results {
            assert!(rules.contains(&result["ruleId"].as_str().expect("a rule")));
            assert!(result["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64() >= Some(1));
            assert!(result["message"]["text"].is_string());
        }
        assert_eq!(results[0]["codeFlows"][0]["threadFlows"][0]["locations"].as_array().map(Vec::len), Some(4));
    }

    #[test]
    fn paths_become_uris() {
        assert_eq!(super::uri("a b/ü.c"), "a%20b/%C3%BC.c");
        assert_eq!(super::uri("/tmp/x.c"), "file:///tmp/x.c");
    }
}
