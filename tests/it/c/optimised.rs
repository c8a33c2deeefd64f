//! Every program of `tests/c`, compiled with `-O1` or `-O2`: the verdict is the one that its first line expects at `-O0`.
//!
//! `HMC_TEST_ALL_LEVELS=1` compiles each with both; otherwise they take turns.
//! Programs that differ are listed in `tests/c/optimised.tsv`, each with its reason. Some differ with some compilers only, so a program in the list may also
//! have its usual verdict. Execution counts are not compared: an optimiser leaves out accesses. Only the first run of a program is made, under its
//! first model.

use crate::support::clang_is_there;
use crate::support::cores::on_all_cores;
use crate::support::left_out::left_out;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const LEVELS: [&str; 2] = ["-O1", "-O2"];
/// Set to compile every program at each level.
const ALL_LEVELS: &str = "HMC_TEST_ALL_LEVELS";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The first run that a program expects: options, flags, and the verdict under the first model.
fn first_run(file: &Path) -> Option<(Vec<String>, Vec<String>, String)> {
    let text = std::fs::read_to_string(file).ok()?;
    let (command, outcome) = text.lines().find_map(|line| line.strip_prefix("// hmc: "))?.split_once("=>")?;
    let (options, flags) = command.split_once(" -- ").unwrap_or((command, ""));
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let mut options = words(options);
    let model = options.iter().position(|option| option == "--cat")? + 1;
    let first = options.get(model)?.split(',').next()?.to_owned();
    options[model] = first;
    let verdict = outcome.split_whitespace().next()?.split(',').next()?.to_owned();
    Some((options, words(flags), verdict))
}

fn programs(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            programs(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "c" || extension == "cpp") {
            all.push(path);
        }
    }
}

/// What is listed: verdicts by program and level.
fn listed() -> BTreeMap<(String, String), String> {
    let text = std::fs::read_to_string(root().join("tests/c/optimised.tsv")).expect("the list");
    let rows = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [program, level, verdict, reason] = cells[..] else { panic!("four columns: {line}") };
        assert!(!reason.is_empty(), "a reason: {line}");
        ((program.to_owned(), level.to_owned()), verdict.to_owned())
    };
    rows.map(row).collect()
}

#[test]
fn optimised_programs_have_the_verdicts_of_their_sources() {
    if !clang_is_there() {
        eprintln!("skipped: no clang from version 15 on is installed");
        return;
    }
    let mut files = Vec::new();
    programs(&root().join("tests/c"), &mut files);
    files.sort();
    let listed = listed();
    let all = std::env::var_os(ALL_LEVELS).is_some();
    if !all {
        left_out(&format!("programs at -O1 and -O2, each at the other level, too ({ALL_LEVELS}=1)"));
    }
    let levels = |i: usize| LEVELS.into_iter().enumerate().filter(move |(n, _)| all || n % 2 == i % 2);
    let of = |(i, file)| levels(i).map(move |(_, level)| (file, level));
    let runs: Vec<(&PathBuf, &str)> = files.iter().enumerate().flat_map(of).collect();
    let seen = on_all_cores(&runs, |(file, level)| {
        let (options, flags, expected) = first_run(file)?;
        let name = file.strip_prefix(root().join("tests/c")).unwrap_or(file).display().to_string();
        let mut command = Command::new(env!("CARGO_BIN_EXE_hmc"));
        command
            .args(&options)
            .args(["--format", "json", "--timeout", "60"])
            .arg(file)
            .arg("--")
            .args(&flags)
            .arg(level);
        let output = command.output().expect("hmc runs");
        let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
        let found = report["results"][0]["verdict"].as_str().unwrap_or("none").to_owned();
        let excused = listed.get(&(name.clone(), (*level).to_owned())) == Some(&found);
        let wrong = found != expected && !excused;
        Some(wrong.then(|| format!("{name}\t{level}\t{found} (expected {expected})")))
    });
    let compared = seen.iter().flatten().count();
    let wrong: Vec<String> = seen.into_iter().flatten().flatten().collect();
    assert!(compared > 300, "{compared} runs");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn listed_programs_are_there() {
    for (program, level) in listed().into_keys() {
        assert!(root().join("tests/c").join(&program).is_file(), "{program}");
        assert!(LEVELS.contains(&level.as_str()), "{level}");
    }
}
