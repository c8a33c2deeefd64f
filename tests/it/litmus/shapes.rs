//! The standard litmus shapes under the bundled models, against the verdicts of the literature.
//!
//! The tests are in `tests/shapes/*.litmus`, what is expected in `tests/shapes/expected.tsv`: one line a test and model, with
//! `allowed` or `forbidden` (the final condition can be met, or not) or `racy` or `clean` (a data race is flagged, or not).

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a line of the table expects.
struct Row {
    test: String,
    expected: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shapes")
}

/// The table, by model.
fn table() -> BTreeMap<String, Vec<Row>> {
    let text = std::fs::read_to_string(folder().join("expected.tsv")).expect("expected.tsv");
    let mut models: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let mut columns = line.split('\t').map(str::to_owned);
        let (Some(test), Some(model), Some(expected)) = (columns.next(), columns.next(), columns.next()) else {
            panic!("bad line in expected.tsv: {line}");
        };
        models.entry(model).or_default().push(Row { test, expected });
    }
    models
}

/// Runs one model on many tests; the results by name of the test.
fn run(model: &str, tests: &[&str]) -> BTreeMap<String, Value> {
    let files = tests.iter().map(|test| folder().join(format!("{test}.litmus")));
    let output = Command::new(env!("CARGO_BIN_EXE_hmc"))
        .args(["--cat", model, "--format", "json"])
        .args(files)
        .output()
        .expect("hmc runs");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{model}: no JSON ({error}): {}", String::from_utf8_lossy(&output.stderr));
    });
    let results = report["results"].as_array().cloned().unwrap_or_default();
    let name = |result: &Value| Path::new(result["file"].as_str()?).file_stem()?.to_str().map(str::to_owned);
    results.into_iter().filter_map(|result| Some((name(&result)?, result))).collect()
}

/// What the report says, in the words of the table.
fn found(result: &Value, expected: &str) -> String {
    if expected == "racy" || expected == "clean" {
        let flags = result["flags"].as_array().cloned().unwrap_or_default();
        let race = flags.iter().any(|flag| flag["name"] == "data-race");
        return if race { "racy" } else { "clean" }.to_owned();
    }
    match result["observation"].as_str() {
        Some("Never") => "forbidden".to_owned(),
        Some("Sometimes" | "Always") => "allowed".to_owned(),
        _ => format!("no observation: {result}"),
    }
}

#[test]
fn every_shape_has_the_verdict_of_the_literature() {
    let mut wrong = Vec::new();
    let mut checked = 0;
    for (model, rows) in table() {
        let mut tests: Vec<&str> = rows.iter().map(|row| row.test.as_str()).collect();
        tests.dedup();
        let results = run(&model, &tests);
        for row in &rows {
            checked += 1;
            let found = results.get(&row.test).map_or("no result".to_owned(), |result| found(result, &row.expected));
            if found != row.expected {
                wrong.push(format!("{} under {model}: expected {}, found {found}", row.test, row.expected));
            }
        }
    }
    assert!(checked > 500, "the table has only {checked} lines");
    assert!(wrong.is_empty(), "{} of {checked} differ:\n{}", wrong.len(), wrong.join("\n"));
}
