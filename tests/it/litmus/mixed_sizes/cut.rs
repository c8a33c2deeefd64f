//! Where every access is cut into bytes (`--cut bytes`), states, verdicts and counts are the same. `HMC_EVERY=1` takes all tests and programs of the repository.

use super::models;
use crate::cli::support::command;
use crate::support::clang_is_there;
use crate::support::cores::on_all_cores;
use crate::support::named::named;
use hmc::driver::inputs::usual;
use hmc::driver::{Settings, check};
use hmc::explore::Equivalence;
use hmc::verdict::{FileResult, Sources, Verdict};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// One of so many, or of what `HMC_EVERY` says.
fn every(usually: usize) -> usize {
    std::env::var("HMC_EVERY").ok().and_then(|n| n.parse().ok()).unwrap_or(usually)
}

/// Each under its usual model.
#[test]
fn litmus_tests_have_the_same_states_and_counts() {
    let mut files = Vec::new();
    tests_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/litmus"), &mut files);
    // Of large ones there is no end.
    files.retain(|file| !file.components().any(|part| part.as_os_str() == "large"));
    files.sort();
    let files: Vec<PathBuf> = files.into_iter().step_by(every(17)).collect();
    let compared = on_all_cores(&files, |file| {
        let name = usual::model(file).model;
        let loaded = models(name);
        let [whole, cut] = [false, true].map(|cut_bytes| {
            let equivalence = Some(Equivalence::ReadsFromAndCoherence);
            let timeout = Some(Duration::from_secs(5));
            let settings = Settings { cut_bytes, timeout, equivalence, ..Settings::default() };
            check(file, name, &loaded, &settings, &Sources::default())
        });
        if [&whole, &cut].iter().any(|result| result.states.is_empty() || result.verdict == Verdict::Bounded) {
            return None;
        }
        let told = |result: &FileResult| (result.states.clone(), result.positive, result.negative);
        Some((told(&whole) != told(&cut)).then(|| file.display().to_string()))
    });
    let differ: Vec<&String> = compared.iter().flatten().flatten().collect();
    let compared = compared.iter().flatten().count();
    println!("{compared} tests");
    assert!(differ.is_empty(), "{differ:?}");
    assert!(compared * 2 > files.len(), "{compared} of {} tests", files.len());
}

fn tests_below(folder: &Path, all: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            tests_below(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "litmus") {
            all.push(path);
        }
    }
}

/// What tells runs apart for other reasons: locations that nobody reads are not seen to be so in parts, and loops around a compare-and-swap in parts do something.
const PLAINLY: [&str; 4] = ["--equivalence", "rf+co", "--retries", "all"];

/// The verdict of a run, and how many executions have it: where one is wrong, the search ends at some.
fn verdict(run: &[String], more: &[&str]) -> Option<(Value, Option<Value>)> {
    let output = command()
        .args(["--format", "json", "--timeout", "10", "--threads", "1"])
        .args(PLAINLY)
        .args(more)
        .args(run)
        .output();
    let report: Value = serde_json::from_slice(&output.expect("hmc can be started").stdout).ok()?;
    let results = report["results"].as_array().expect("results");
    let is_open = |result: &Value| {
        let may_miss = result["notes"].to_string().contains("if there are any, they are missing");
        may_miss || result["verdict"] == "bounded" || result["verdict"] == "unsupported"
    };
    if results.iter().any(is_open) {
        return None;
    }
    let verdicts = results.iter().map(|result| (&result["verdict"], &result["violation"]["kind"], &result["states"]));
    let counts = results.iter().map(|result| &result["executions"]["complete"]);
    let is_right = results.iter().all(|result| result["verdict"] == "holds");
    Some((json!(verdicts.collect::<Vec<_>>()), is_right.then(|| json!(counts.collect::<Vec<_>>()))))
}

/// A file that is empty: `names` of ext4 relates what forces it to its entry in the directory by the whole address there.
const TOLD_BY_AN_ADDRESS: &str = "tests/c/crash/create_empty.c";

/// What programs of `tests/c` name, ten seconds each.
#[test]
fn programs_have_the_same_verdicts_and_counts() {
    if !clang_is_there() {
        return;
    }
    let is_comparable = |run: &Vec<String>| run.iter().all(|argument| argument != TOLD_BY_AN_ADDRESS);
    let runs: Vec<Vec<String>> = named().into_iter().filter(is_comparable).step_by(every(120)).collect();
    let compared = on_all_cores(&runs, |run| {
        let (whole, cut) = (verdict(run, &[])?, verdict(run, &["--cut", "bytes"])?);
        Some((whole != cut).then(|| format!("{}: {whole:?}, cut: {cut:?}", run.join(" "))))
    });
    let differ: Vec<&String> = compared.iter().flatten().flatten().collect();
    let (compared, all) = (compared.iter().flatten().count(), runs.len());
    println!("{compared} of {all} runs");
    assert!(differ.is_empty(), "{differ:#?}");
    assert!(compared * 2 > all, "{compared} of {all} runs");
}
