//! The test programs of GenMC, in a folder that `HMC_GENMC_TESTS` names (`tests` of its repository, or a part of it): verdicts, and
//! numbers of executions where the suite records them. `docs/peers.md` tells what is compared and why some numbers differ.
//!
//! `HMC_GENMC_TESTS=DIR cargo test --release --test peers -- --nocapture` prints a line a run. Without the variable nothing is checked.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const LIBRARY: &str = "HMC_GENMC_TESTS";
const MODELS: [&str; 4] = ["sc", "tso", "rc11", "imm"];
/// Seconds after which a run is given up.
const LIMIT: &str = "60";

/// Programs whose numbers of executions differ, and why.
const COUNTED_OTHERWISE: &[(&str, &str)] = &[
    ("linuxrwlocks", "a try that is given back is an execution of its own"),
    ("mpmc-queue", "a failed try that goes on with what it read is an execution of its own"),
    ("ms-queue", "a failed try that goes on with what it read is an execution of its own"),
];
/// Programs whose verdicts differ, and why.
const JUDGED_OTHERWISE: &[(&str, &str)] = &[
    (
        "treiber-stack",
        "a thread looks up its own identifier, which pthread_create may store after the thread has begun",
    ),
    ("ms-queue", "as treiber-stack"),
    ("mixed-size-load", "both accesses are made before there is a second thread, on plain memory"),
    ("alloc-invalid-align", "C lets aligned_alloc return null there"),
];

/// One line of an `args` file, with what the suite expects.
struct Run {
    flags: Vec<String>,
    clang: Vec<String>,
    executions: Option<u64>,
}

fn lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().filter(|l| !l.trim().is_empty()).map(str::to_owned).collect()
}

/// The runs of a program under a model. Arguments that only another model has are used as well; its numbers are not.
fn runs(folder: &Path, model: &str) -> Vec<Run> {
    let file = |kind: &str, model: &str| folder.join(format!("{kind}.{model}.mo.in"));
    let sources = [model, "sc", "rc11", "imm"];
    let args = sources.iter().map(|m| lines(&file("args", m))).find(|l| !l.is_empty()).unwrap_or(vec!["|".into()]);
    let expected = lines(&file("expected", model));
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let runs = args.iter().enumerate().map(|(i, line)| {
        let (flags, clang) = line.split_once('|').unwrap_or(("", line));
        Run {
            flags: words(flags),
            clang: words(clang),
            executions: expected.get(i).and_then(|n| n.trim().parse().ok()),
        }
    });
    runs.collect()
}

/// Folders below `root` that have a folder `variants`.
fn programs(root: &Path, out: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|e| e.path()).filter(|p| p.is_dir()).collect();
    folders.sort();
    for folder in folders {
        if folder.join("variants").is_dir() {
            out.push(folder);
        } else {
            programs(&folder, out);
        }
    }
}

fn variants(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.join("variants")).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> =
        entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "c")).collect();
    files.sort();
    files
}

/// Verdict and complete and blocked executions.
fn run(file: &Path, model: &str, run: &Run, root: &Path) -> Option<(String, u64, u64)> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hmc"));
    command.args(["--cat", model, "--format", "json", "--threads", "1", "--timeout", LIMIT, "--equivalence", "rf+co"]);
    // The suite looks for threads that wait for ever only in one of its folders.
    if !file.components().any(|c| c.as_os_str() == "liveness") {
        command.args(["--properties", "assertion,memory,threads,locks,race"]);
    }
    for flag in &run.flags {
        match flag.trim_start_matches('-').split_once('=') {
            Some(("unroll", rounds)) => drop(command.args(["--unroll", rounds])),
            _ if flag.ends_with("disable-race-detection") => drop(command.arg("--no-race")),
            // How the other tool searches.
            _ => {}
        }
    }
    command.arg(file).arg("--").args(&run.clang).arg("-I").arg(root.join("../include"));
    let report: Value = serde_json::from_slice(&command.output().ok()?.stdout).ok()?;
    let result = &report["results"][0];
    let count = |name: &str| result["executions"][name].as_u64();
    Some((result["verdict"].as_str()?.to_owned(), count("complete").unwrap_or(0), count("blocked").unwrap_or(0)))
}

#[test]
fn programs_of_genmc() {
    let Some(root) = std::env::var_os(LIBRARY).map(PathBuf::from) else {
        println!("skipped: {LIBRARY} names no folder with the tests of GenMC");
        return;
    };
    let known = |list: &[(&str, &str)], name: &str| list.iter().any(|(n, _)| *n == name);
    let mut differences = Vec::new();
    for (kind, wanted) in [("correct", "holds"), ("wrong", "violated")] {
        let mut folders = Vec::new();
        programs(&root.join(kind), &mut folders);
        for folder in folders {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            for file in variants(&folder) {
                let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                for model in MODELS {
                    for args in runs(&folder, model) {
                        let what = format!("{name}/{stem} {} | {model}", args.clang.join(" "));
                        let Some((verdict, complete, blocked)) = run(&file, model, &args, &root) else {
                            println!("| {what} | not run |");
                            continue;
                        };
                        let recorded = args.executions.map_or(String::new(), |n| n.to_string());
                        println!("| {what} | {verdict} | {complete} | {recorded} | {blocked} |");
                        // Wrong programs are wrong under the model that the suite has in mind: a weak one.
                        let must = kind == "correct" || model == "rc11";
                        if must && ["holds", "violated"].contains(&&*verdict) && verdict != wanted {
                            if !known(JUDGED_OTHERWISE, &name) {
                                differences.push(format!("{what}: {verdict}"));
                            }
                        } else if verdict == "holds"
                            && args.executions.is_some_and(|n| n != complete)
                            && !known(COUNTED_OTHERWISE, &name)
                        {
                            differences.push(format!("{what}: {complete} executions, recorded {recorded}"));
                        }
                    }
                }
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
