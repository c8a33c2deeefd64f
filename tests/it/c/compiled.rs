//! Optimised programs against their sources: faults of compilers are found with the pass that makes them, right programs stay right, and outcomes are listed.

use crate::support::clang_is_there;
use crate::support::random::Rng;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn hmc(arguments: &[&str], file: &Path, clang: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hmc"));
    command.args(arguments).arg(file).arg("--").args(clang);
    command.output().expect("hmc runs")
}

fn program(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compiled").join(name)
}

/// A JSON report and the exit code of `hmc compiled`.
fn compiled(model: &str, file: &Path, clang: &[&str]) -> (Value, Option<i32>) {
    let output = hmc(&["compiled", "--json", "--cat", model, "--timeout", "60"], file, clang);
    let text = String::from_utf8_lossy(&output.stdout);
    let report: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    (report[0].clone(), output.status.code())
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Faults that clang 15 and newer have, each with an outcome that the source has not, and passes that may be to blame.
const FAULTS: [(&str, &str, &str, &str, &[&str]); 5] = [
    ("static_becomes_local.c", "rc11", "-O1", "saw[0]=0; saw[1]=1;", &["globalopt", "global"]),
    ("call_hands_over.c", "rc11", "-O2", "first=0; second=0;", &["earlycse", "gvn", "dse", "licm"]),
    ("store_leaves_loop.c", "rc11", "-O2", "seen=0;", &["licm"]),
    ("both_ways_store.c", "lkmm", "-O1", "r0=1; r1=1; x=1; y=1;", &["simplifycfg", "simplify"]),
    ("comparison_replaces_pointer.c", "lkmm", "-O2", "out=0;", &["ipsccp", "gvn", "cse", "combine"]),
];

#[test]
fn faults_are_found_with_their_pass() {
    if !clang_is_there() {
        return;
    }
    for (name, model, level, outcome, passes) in FAULTS {
        let (report, code) = compiled(model, &program(name), &[level]);
        assert_eq!((&report["answer"], code), (&Value::from("violated"), Some(1)), "{name}: {report:#}");
        let level = &report["levels"][0];
        let new = texts(&level["new_outcomes"]);
        assert!(new.iter().any(|new| new.contains(outcome)), "{name}: {new:?}");
        assert!(!texts(&report["outcomes"]).iter().any(|known| known.contains(outcome)), "{name}");
        let pass = level["blame"]["pass"].as_str().unwrap_or_default().to_lowercase();
        assert!(passes.iter().any(|known| pass.contains(known)), "{name}: {pass}");
        assert!(level["blame"]["changes"].as_str().is_some_and(|changes| changes.contains("\n-")), "{name}: {level:#}");
        assert!(level["execution"]["events"].as_array().is_some_and(|events| !events.is_empty()), "{name}");
    }
}

/// A fault that newer compilers do not have: what clang 15 makes of the program, as LLVM IR of our own.
#[test]
fn an_addition_of_nothing_is_no_load() {
    if !clang_is_there() {
        return;
    }
    let outcomes = |name: &str| {
        let arguments = ["--cat", "rc11", "--observe", "r0,r1", "--format", "json"];
        let output = Command::new(env!("CARGO_BIN_EXE_hmc")).args(arguments).arg(program(name)).output().expect("runs");
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        texts(&report["results"][0]["states"]).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let (source, optimised) = (outcomes("added_nothing.c"), outcomes("added_nothing_clang15.ll"));
    let new: Vec<&String> = optimised.iter().filter(|outcome| !source.contains(outcome)).collect();
    assert_eq!(source.len(), 3, "{source:?}");
    assert_eq!(new, ["r0=0; r1=0;"], "{optimised:?}");
}

#[test]
fn right_programs_hold_at_every_level() {
    if !clang_is_there() {
        return;
    }
    let (report, code) = compiled("rc11", &program("message_passing.c"), &["-O1", "-O2", "-O3", "-Os"]);
    assert_eq!((&report["answer"], code), (&Value::from("holds"), Some(0)), "{report:#}");
    let outcomes = texts(&report["outcomes"]);
    assert_eq!(outcomes.len(), 2, "{outcomes:?}");
    assert!(outcomes.iter().any(|outcome| outcome.contains("by T2=1,2;")), "{outcomes:?}");
    let names: Vec<_> = report["levels"].as_array().into_iter().flatten().map(|level| level["name"].clone()).collect();
    assert_eq!(names, ["-O1", "-O2", "-O3", "-Os"]);
}

#[test]
fn a_source_with_a_race_allows_anything() {
    if !clang_is_there() {
        return;
    }
    let (report, code) = compiled("rc11", &program("race.c"), &["-O2"]);
    assert_eq!((&report["answer"], code), (&Value::from("undefined"), Some(4)), "{report:#}");
    assert_eq!(report["undefined"]["kind"], "race");
}

/// What clang loads before it knows whether it is wanted is no race.
#[test]
fn reads_that_only_the_optimiser_makes_do_not_race() {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/c/optimised/speculated_load.c");
    if !clang_is_there() || !case.exists() {
        return;
    }
    for level in ["-O0", "-O1", "-O2"] {
        let output = hmc(&["--cat", "rc11"], &case, &[level]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{level}: {text}");
        assert_eq!(text.contains("only two writes count as a race"), level != "-O0", "{level}: {text}");
    }
}

#[test]
fn a_finding_in_an_optimised_program_is_looked_for_in_its_source() {
    if !clang_is_there() {
        return;
    }
    let peterson = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/correct/mutex/peterson.c");
    let output = hmc(&["--cat", "sc"], &peterson, &["-O1"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("(-O0) the program holds: the compiler makes the difference"), "{text}");
    assert!(!text.contains("sequential consistency allows this execution, too"), "{text}");
    let output = hmc(&["--cat", "rc11"], &program("race.c"), &["-O1"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("(-O0) the program is violated, too"), "{text}");
}

#[test]
fn variables_are_observed_by_name() {
    if !clang_is_there() {
        return;
    }
    let file = program("static_becomes_local.c");
    let output = hmc(&["--cat", "rc11", "--observe", "saw,last"], &file, &[]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("2 outcomes:\n    last=0; saw[0]=0; saw[1]=0;\n    last=1; saw[0]=1; saw[1]=1;\n"), "{text}");
    let output = hmc(&["--cat", "rc11", "--observe", "nobody"], &file, &[]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(
        text.contains("hmc::no-variable") && text.contains("global variables of the program: saw, last, here"),
        "{text}"
    );
    let output = hmc(&["diff", "sc", "x86tso", "--observe", "saw"], &file, &[]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("0 of 1 file differ "), "{output:?}");
}

#[test]
fn last_writes_to_observed_variables_are_told_apart() {
    if !clang_is_there() {
        return;
    }
    let file = program("observed_and_not_read.c");
    for options in [&["--observe", "last"][..], &["--observe", "last", "--equivalence", "rf"]] {
        for model in ["sc", "rc11", "imm"] {
            let output = hmc(&[&["--cat", model], options].concat(), &file, &[]);
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(text.contains("2 outcomes:\n    last=1;\n    last=2;\n"), "{model} {options:?}: {text}");
        }
    }
}

#[test]
fn what_is_not_compiled_is_said() {
    let test = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let litmus = std::fs::read_dir(test).expect("examples").filter_map(|entry| Some(entry.ok()?.path()));
    let litmus =
        litmus.into_iter().find(|path| path.extension().is_some_and(|e| e == "litmus")).expect("a litmus test");
    let output = hmc(&["compiled", "--cat", "sc"], &litmus, &["-O1"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && text.contains("hmc::not-compiled"), "{text}");
}

/// A random program without races: plain data behind a lock or a flag, relaxed and stronger atomics, helpers, loops and branches. What its threads see is shown.
fn random(rng: &mut Rng) -> String {
    let mut text = String::from(
        "#include <hmc.h>\n#include <pthread.h>\n#include <stdatomic.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\natomic_int a, b;\nint shared, seen[2];\n\
         static int twice(int n) { return 2 * n; }\n__attribute__((noinline)) static void bump(int by) { shared += by; }\n",
    );
    let orders = ["relaxed", "acquire", "seq_cst"];
    for thread in 0..2 {
        text += &format!("static void *t{thread}(void *arg) {{\n    int r = 0;\n");
        for _ in 0..2 + rng.below(3) {
            let variable = ["a", "b"][rng.below(2) as usize];
            let order = orders[rng.below(3) as usize];
            let n = 1 + rng.below(3);
            text += &match rng.below(7) {
                0 => format!("    r = r * 4 + atomic_load_explicit(&{variable}, memory_order_{order});\n"),
                1 => format!("    atomic_store(&{variable}, {n});\n"),
                2 => format!("    atomic_store_explicit(&{variable}, twice({n}), memory_order_relaxed);\n"),
                3 => format!(
                    "    r += atomic_fetch_add_explicit(&{variable}, {n}, memory_order_{});\n",
                    ["relaxed", "acq_rel"][rng.below(2) as usize]
                ),
                4 => format!(
                    "    pthread_mutex_lock(&m);\n    bump({n});\n    r += shared;\n    pthread_mutex_unlock(&m);\n"
                ),
                5 => format!(
                    "    if (r > {n}) atomic_store_explicit(&{variable}, r, memory_order_release);\n    else seen[{thread}] = r;\n"
                ),
                _ => format!("    for (int i = 0; i < {n}; i++) r += i;\n    seen[{thread}] = r;\n"),
            };
        }
        text += &format!("    seen[{thread}] += r;\n    hmc_observe(r);\n    return 0;\n}}\n");
    }
    text + "int main(void) {\n    pthread_t t, u;\n    pthread_create(&t, 0, t0, 0);\n    pthread_create(&u, 0, t1, 0);\n    pthread_join(t, 0);\n    pthread_join(u, 0);\n    return 0;\n}\n"
}

/// `HMC_RANDOM=N` checks N programs.
#[test]
fn random_programs_without_races_hold() {
    if !clang_is_there() {
        return;
    }
    let count = std::env::var("HMC_RANDOM").ok().and_then(|n| n.parse::<u64>().ok()).unwrap_or(12);
    let folder = tempfile::tempdir().expect("a folder");
    for seed in 0..count {
        let file = folder.path().join(format!("r{seed}.c"));
        let text = random(&mut Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1));
        std::fs::write(&file, &text).expect("written");
        let (report, _) = compiled("rc11", &file, &["-O1", "-O2"]);
        assert_eq!(report["answer"], "holds", "seed {seed}\n{text}\n{report:#}");
        assert!(!texts(&report["outcomes"]).is_empty(), "seed {seed}");
    }
}
