//! The test programs of GenMC, in a folder that `HMC_GENMC_TESTS` names (`tests` of its repository, or a part of it): verdicts, and
//! numbers of executions where the suite records them. `docs/peers.md` tells what is compared and why some numbers differ.
//!
//! `HMC_GENMC_TESTS=DIR cargo test --release --test it c::peers -- --nocapture` prints a line a run. Without the variable nothing is checked.
//! `HMC_GENMC_MODELS=rc11` and `HMC_GENMC_LIMIT=10` (seconds) make it shorter.
//!
//! `HMC_GENMC_LEVEL=-O2` has the programs optimised: right ones are to stay right, and none is to be unsupported. What is wrong with a wrong one may be
//! optimised away, and numbers of executions are others.

use crate::support::left_out::left_out;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const LIBRARY: &str = "HMC_GENMC_TESTS";
const LEVEL: &str = "HMC_GENMC_LEVEL";
const MODELS: &str = "sc,tso,rc11,imm";
/// Seconds after which a run is given up.
const LIMIT: &str = "60";

/// What a variable says, or else this.
fn asked(variable: &str, otherwise: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| otherwise.to_owned())
}

fn models() -> Vec<String> {
    asked("HMC_GENMC_MODELS", MODELS).split(',').map(str::to_owned).collect()
}

/// Folders of the suite about what hmc does not do: files and persistency, programs of the kernel (`--cat lkmm` has their words without a header).
const OTHERS: [&str; 5] = ["fs", "saver", "lkmm", "lapor", "relinche"];
/// Programs about which hmc means to say something else, and why.
const OTHERWISE: &str = include_str!("../../peers/otherwise.txt");

/// Whether this is known to differ for a program.
fn is_known(what: &str, name: &str) -> bool {
    let mut lines = OTHERWISE.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    lines.any(|line| line.len() == 3 && line[0] == what && line[1] == name)
}

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
        let is_other = folder.file_name().is_some_and(|name| OTHERS.iter().any(|other| name == *other));
        if is_other {
            continue;
        }
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

/// Verdict, complete and blocked executions, and what is said about the input.
fn run(file: &Path, model: &str, run: &Run, root: &Path) -> Option<(String, u64, u64, String)> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hmc"));
    command.args(["--cat", model, "--format", "json", "--threads", "1", "--equivalence", "rf+co"]);
    command.args(["--timeout", &asked("HMC_GENMC_LIMIT", LIMIT)]);
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
    // The arguments name folders from the root of the suite. Its own headers stand for the library's; ours has only the annotations.
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    command.current_dir(root.parent()?).arg(file).arg("--").args(&run.clang).arg("-I").arg(ours);
    command.args(std::env::var_os(LEVEL));
    let report: Value = serde_json::from_slice(&command.output().ok()?.stdout).ok()?;
    let result = &report["results"][0];
    let count = |name: &str| result["executions"][name].as_u64();
    let (complete, blocked) = (count("complete").unwrap_or(0), count("blocked").unwrap_or(0));
    let message = result["messages"][0]["message"].as_str().unwrap_or_default().replace('\n', " ");
    Some((result["verdict"].as_str()?.to_owned(), complete, blocked, message))
}

/// How the runs ended.
#[derive(Default, Debug)]
struct Tally {
    compared: usize,
    bounded: usize,
    not_run: usize,
}

#[test]
fn programs_of_genmc() {
    let Some(root) = std::env::var_os(LIBRARY).map(PathBuf::from).and_then(|root| root.canonicalize().ok()) else {
        return left_out(&format!("the suite of GenMC: {LIBRARY} names no folder with its tests"));
    };
    let mut differences = Vec::new();
    let mut tally = Tally::default();
    for (kind, wanted) in [("correct", "holds"), ("wrong", "violated")] {
        let mut folders = Vec::new();
        programs(&root.join(kind), &mut folders);
        for folder in folders {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            for (file, model) in variants(&folder).iter().flat_map(|file| models().into_iter().map(move |m| (file, m)))
            {
                let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                for args in runs(&folder, &model) {
                    let what = format!("{name}/{stem} {} | {model}", args.clang.join(" "));
                    let Some((verdict, complete, blocked, message)) = run(file, &model, &args, &root) else {
                        differences.push(format!("{what}: hmc gives no report"));
                        continue;
                    };
                    let recorded = args.executions.map_or(String::new(), |n| n.to_string());
                    println!("| {what} | {verdict} | {complete} | {recorded} | {blocked} | {message}");
                    match verdict.as_str() {
                        // What cannot be run is not what was asked for, unless it is known why.
                        "error" | "unsupported" if is_known("run", &name) => tally.not_run += 1,
                        "error" | "unsupported" => differences.push(format!("{what}: {verdict}: {message}")),
                        "bounded" => tally.bounded += 1,
                        _ => {
                            tally.compared += 1;
                            // Wrong programs are wrong under the model that the suite has in mind: a weak one.
                            let optimised = std::env::var_os(LEVEL).is_some();
                            let must = kind == "correct" || model == "rc11" && !optimised;
                            let counts =
                                !optimised && verdict == "holds" && args.executions.is_some_and(|n| n != complete);
                            if must && verdict != wanted {
                                if !is_known("verdict", &name) {
                                    differences.push(format!("{what}: {verdict}"));
                                }
                            } else if counts && kind == "correct" && !is_known("counts", &name) {
                                differences.push(format!("{what}: {complete} executions, recorded {recorded}"));
                            }
                        }
                    }
                }
            }
        }
    }
    println!("{tally:?}");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    // A suite of which nothing is compared, or that is not there, agrees with everything.
    assert!(tally.compared > 0 && tally.compared > tally.bounded + tally.not_run, "{tally:?}");
}
