//! Slices of any size, in any order, give the report of one run.

use crate::cli::support::without_times as timeless;
use crate::parts::jobs::{Parted, hmc, program, without_times};
use crate::support::clang_is_there;
use crate::support::named::{named, programs};
use std::path::{Path, PathBuf};

/// Set to compare every program of `tests/c`, not a sample, and in slices of all sizes.
const ALL: &str = "HMC_TEST_ALL_PARTS";
/// Of the runs that programs of `tests/c` name, one of so many is compared.
const SAMPLE: usize = 240;
const SLICES: [u64; 4] = [1, 7, 100, 10_000];
/// So many events are added at most, those included that each slice adds again to come to where it begins.
const MOST_ADDED: u64 = 4_000_000;
/// Slices of programs that are followed to a bound have so many events at least.
const LEAST_OF_BOUNDED: u64 = 100;

/// Compares a check in parts with one that is not divided. `None`: it cannot be divided, which is said.
pub fn same(check: &[&str], slices: &[u64]) -> Option<usize> {
    let mut whole = vec!["--format", "json", "--stats", "--threads", "1"];
    whole.extend(check);
    let whole = hmc(&whole);
    if whole.code == 2 || whole.code == 4 && whole.out.is_empty() {
        return None;
    }
    let expected = without_times(&whole.out);
    let results = expected["results"].as_array().expect("results");
    let events: u64 = results.iter().map(events).sum();
    let largest = results.iter().filter_map(|result| result["events_max"].as_u64()).max().unwrap_or(0);
    let mut split = vec!["--stats"];
    split.extend(check);
    let mut parts = 0;
    // Searches that were given up before one with fewer rounds are in no figure, and long.
    let is_bounded = results.iter().any(|result| result["verdict"] == "bounded");
    let least = if is_bounded { LEAST_OF_BOUNDED } else { 1 };
    let is_short = |slice: u64| slice >= least && events / slice * largest <= MOST_ADDED;
    for &events_of_slice in slices.iter().filter(|&&slice| is_short(slice)) {
        let parted = match Parted::try_split(&split) {
            Ok(parted) => parted,
            Err(ran) => {
                assert!(ran.err.contains("hmc::job-undivided"), "{check:?}: {}", ran.err);
                return None;
            }
        };
        let slice = events_of_slice.to_string();
        let ran = parted.run(&["--slice-events", &slice, "--threads", "2", "--format", "json"]);
        assert_eq!(without_times(&ran.out), expected, "{check:?} in slices of {slice}: {}", ran.err);
        assert_eq!(ran.code, whole.code, "{check:?} in slices of {slice}");
        parts += parted.lines().len();
    }
    Some(parts)
}

fn all() -> bool {
    std::env::var_os(ALL).is_some()
}

fn events(result: &serde_json::Value) -> u64 {
    result["explored"]["events"].as_u64().unwrap_or(0)
}

#[test]
fn programs_that_name_runs() {
    if !clang_is_there() {
        println!("no clang from 15 on: C programs not compared in parts");
        return;
    }
    let all = all();
    let runs = named();
    let step = if all { 1 } else { SAMPLE };
    let (mut compared, mut parts) = (0, 0);
    for run in runs.iter().step_by(step) {
        let run: Vec<&str> = run.iter().map(String::as_str).collect();
        if let Some(n) = same(&run, &SLICES) {
            (compared, parts) = (compared + 1, parts + n);
        }
    }
    println!("{compared} of {} runs compared, in {parts} parts", runs.len());
    assert!(compared * 2 > runs.len() / step, "{compared} of {} runs compared", runs.len() / step);
}

#[test]
fn models_of_either_kind_of_prefix_with_symmetry_and_without() {
    if !clang_is_there() {
        return;
    }
    let fib = program("bench/fib.c");
    for model in ["sc", "tso", "rc11", "c11", "imm", "aarch64", "power", "lkmm"] {
        for symmetry in ["auto", "off"] {
            let check = ["--cat", model, "--symmetry", symmetry, "--keep-going", &fib, "--", "-DN=2"];
            let slices = if all() { &[1, 7, 100][..] } else { &[7] };
            let parts = same(&check, slices).expect("can be divided");
            assert!(parts > 3, "{model}");
        }
    }
}

/// What is drawn of an error does not depend on what was explored before.
#[test]
fn threads_that_are_not_created_yet_are_not_drawn() {
    if clang_is_there() {
        let check = ["--cat", "sc,rc11", "tests/c/pairs/sizes/word_that_is_an_address.c", "--", "-DWRONG"];
        assert!(same(&check, &[1]).is_some_and(|parts| parts > 1));
    }
}

/// Where accesses of different sizes meet, a check has a search more for each time that more of them have to be cut.
#[test]
fn accesses_of_different_sizes() {
    if !clang_is_there() {
        return;
    }
    let mut files = Vec::new();
    programs(Path::new("tests/c/pairs/sizes"), &mut files);
    assert!(files.len() > 4);
    let mut divided = 0;
    for (n, file) in files.iter().enumerate() {
        let file = file.display().to_string();
        let model = ["rc11", "aarch64"][n % 2];
        let wrong = (&["--keep-going"][..], &["--", "-DWRONG"][..]);
        for (more, clang) in [(&[][..], &[][..]), wrong].into_iter().skip(if all() { 0 } else { n / 2 % 2 }) {
            let check = [&["--cat", model][..], more, &[&file], clang].concat();
            let parts = same(&check, &[30]).expect("can be divided");
            divided += usize::from(parts > 1);
        }
    }
    // Some have two executions only.
    assert!(divided > files.len() / 2, "{divided}");
    same(&["--cat", "rc11", "--cut", "bytes", &files[0].display().to_string()], &[30]).expect("can be divided");
}

#[test]
fn litmus_tests_of_all_engines() {
    let tests = ["tests/litmus/c11", "tests/litmus/aarch64"].map(Path::new);
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in tests {
        let entries = std::fs::read_dir(folder).into_iter().flatten().map(|e| e.expect("an entry").path());
        files.extend(entries.filter(|path| path.extension().is_some_and(|e| e == "litmus")));
    }
    files.sort();
    assert!(files.len() > 10);
    let mut parts = 0;
    for file in files.iter().step_by(files.len() / 10) {
        let file = file.display().to_string();
        for more in [&[][..], &["--condition-only"], &["--explain"]] {
            let mut check = more.to_vec();
            check.push(&file);
            parts += same(&check, &[1, 7]).unwrap_or(0);
        }
    }
    assert!(parts > 100, "{parts}");
}

/// Parts by processes of their own, in an order that has nothing to do with theirs.
#[test]
fn processes_of_their_own_in_random_order() {
    if !clang_is_there() {
        return;
    }
    let check = ["--cat", "rc11", "--keep-going", "--coverage", "tests/c/bench/lamport.c"];
    let mut whole = vec!["--format", "json"];
    whole.extend(check);
    let expected = without_times(&hmc(&whole).out);
    let parted = Parted::split(&check);
    let mut seed = 88_172_645_463_325_252u64;
    let mut done = 0;
    loop {
        let open = parted.open();
        if open.is_empty() {
            break;
        }
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        let part = &open[seed as usize % open.len()];
        assert_eq!(parted.search(part, 100).code, 0);
        done += 1;
        assert!(done < 500, "it comes to an end");
    }
    assert!(done > 5, "{done}");
    let merged = parted.merge(&["--format", "json"]);
    assert_eq!(without_times(&merged.out), expected);
}

/// SARIF, JUnit, text: all are made of the same results.
#[test]
fn all_forms_are_those_of_one_run() {
    if !clang_is_there() {
        return;
    }
    let check = ["--cat", "rc11", "tests/c/bench/stack_unsafe.c"];
    let parted = Parted::split(&check);
    let ran = parted.run(&["--slice-events", "50"]);
    for form in ["sarif", "junit", "github", "human"] {
        let mut whole = vec!["--format", form];
        whole.extend(check);
        let whole = hmc(&whole);
        let merged = parted.merge(&["--format", form]);
        assert_eq!(timeless(&merged.out), timeless(&whole.out), "{form}: {}", ran.err);
        assert_eq!(merged.code, whole.code);
    }
}
