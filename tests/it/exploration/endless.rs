//! Programs whose executions do not end, or of which none is complete: their verdicts, whatever is asked for, and what is said about them.
//!
//! The inputs of the shared material are read where they are; without it those tests say so and check nothing.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(name);
    if !path.exists() {
        eprintln!("notice: {} is not there; what is said of it is not checked", path.display());
        return None;
    }
    Some(path)
}

/// The result of a run, and its exit code.
fn run(file: &Path, options: &[&str]) -> (Value, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_hmc"))
        .args(options)
        .args(["--format", "json", "--timeout", "120"])
        .arg(file)
        .output()
        .expect("hmc can be started");
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)));
    (report["results"][0].clone(), output.status.code().unwrap_or(-1))
}

fn written(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join(name);
    std::fs::write(&path, text).expect("a file");
    (directory, path)
}

#[track_caller]
fn expect(result: &Value, verdict: &str, kind: Option<&str>) {
    assert_eq!(result["verdict"], verdict, "{result:#}");
    if let Some(kind) = kind {
        assert_eq!(result["violation"]["kind"], kind, "{result:#}");
    }
}

fn notes(result: &Value) -> String {
    result["notes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
}

#[test]
fn endless_interchangeable_threads() {
    let Some(file) = shared("cases/c/symmetric_endless.c") else { return };
    for model in ["sc", "rc11", "imm", "aarch64"] {
        for options in [&[][..], &["--symmetry", "off"], &["--equivalence", "rf", "--unroll", "2"]] {
            let (result, code) = run(&file, &[&["--cat", model], options].concat());
            expect(&result, "violated", Some("assertion"));
            assert_eq!(code, 1);
        }
    }
}

#[test]
fn a_lock_by_exchange_that_is_never_given_back() {
    let Some(file) = shared("cases/c/tas_never_released.c") else { return };
    for model in ["sc", "tso", "rc11", "imm", "lkmm", "aarch64"] {
        expect(&run(&file, &["--cat", model]).0, "violated", Some("liveness"));
    }
    expect(&run(&file, &["--cat", "rc11", "--properties", "liveness"]).0, "violated", Some("liveness"));
}

#[test]
fn a_race_beside_a_thread_that_never_ends() {
    let Some(file) = shared("cases/c/race_beside_endless.c") else { return };
    for options in [&[][..], &["--unroll", "3"], &["--properties", "race"], &["--symmetry", "off"]] {
        expect(&run(&file, &[&["--cat", "rc11"], options].concat()).0, "violated", Some("race"));
    }
}

#[test]
fn a_model_that_rejects_all() {
    let (Some(file), Some(model)) = (shared("cases/c/vacuous.c"), shared("models/dartagnan/c11-orig.cat")) else {
        return;
    };
    // Thread creation is an access to this model, so it accepts executions, and the assertion at their end fails.
    expect(&run(&file, &["--cat", &model.display().to_string()]).0, "violated", Some("assertion"));
    let (_directory, model) = written("none.cat", "\"none\"\nempty _ as none\n");
    let (result, code) = run(&file, &["--cat", &model.display().to_string()]);
    expect(&result, "bounded", None);
    assert_eq!(code, 3);
    assert!(notes(&result).contains("the model rejects each"), "{result:#}");
}

const HEADER: &str =
    "#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\nvoid __VERIFIER_assume(int);\n";

#[test]
fn assumptions_that_fail_in_each_execution() {
    let text = format!(
        "{HEADER}static atomic_int x;\nstatic void *f(void *p) {{\n  __VERIFIER_assume(x == 2);\n  assert(0);\n  return 0;\n}}\n\
         int main(void) {{\n  pthread_t t;\n  pthread_create(&t, 0, f, 0);\n  x = 1;\n  pthread_join(t, 0);\n  return 0;\n}}\n"
    );
    let (_directory, file) = written("assumed.c", &text);
    for model in ["sc", "rc11", "lkmm"] {
        let (result, code) = run(&file, &["--cat", model, "--coverage"]);
        expect(&result, "bounded", None);
        assert_eq!(code, 3);
        assert!(notes(&result).contains("an assumption of the program fails in each"), "{result:#}");
        assert_eq!(result["coverage"]["assertions"][0]["reached"], false, "{result:#}");
        assert_eq!(result["coverage"]["assertions"][0]["place"]["line"], 8, "{result:#}");
        assert_eq!(result["coverage"]["files"][0]["never_run"], serde_json::json!([8, 16]), "{result:#}");
    }
}

#[test]
fn errors_that_are_not_looked_for_are_named() {
    let text = format!(
        "{HEADER}static atomic_int x;\nstatic void *f(void *p) {{\n  if (x == 1)\n    assert(x == 2);\n  return 0;\n}}\n\
         int main(void) {{\n  pthread_t t;\n  pthread_create(&t, 0, f, 0);\n  x = 1;\n  pthread_join(t, 0);\n  return 0;\n}}\n"
    );
    let (_directory, file) = written("filtered.c", &text);
    expect(&run(&file, &["--cat", "rc11"]).0, "violated", Some("assertion"));
    let (result, code) = run(&file, &["--cat", "rc11", "--properties", "race"]);
    expect(&result, "bounded", None);
    assert_eq!(code, 3);
    let said = notes(&result);
    assert!(said.contains("filtered.c:8: assertion `x == 2` failed"), "{said}");
    assert!(said.contains("--properties assertion"), "{said}");
}

#[test]
fn what_executions_reach_is_told() {
    let text = format!(
        "{HEADER}static atomic_int x;\nstatic void *f(void *p) {{\n  if (x == 1)\n    x = 3;\n  if (x == 7) {{\n    x = 4;\n    assert(x == 4);\n  }}\n\
         \x20 return 0;\n}}\nint main(void) {{\n  pthread_t t;\n  int a = 1;\n  pthread_create(&t, 0, f, 0);\n  x = 1;\n  pthread_join(t, 0);\n  a = x;\n\
         \x20 if (a == 9)\n    a = 2;\n  assert(a > 0);\n  return 0;\n}}\n"
    );
    let (_directory, file) = written("covered.c", &text);
    for options in [&[][..], &["--threads", "1"], &["--engine", "enumerate"]] {
        for model in ["sc", "rc11"] {
            let (result, _) = run(&file, &[&["--cat", model, "--coverage"], options].concat());
            expect(&result, "holds", None);
            let coverage = &result["coverage"];
            assert_eq!(coverage["files"][0]["never_run"], serde_json::json!([10, 11, 23]), "{coverage:#}");
            let reached: Vec<&Value> =
                coverage["assertions"].as_array().into_iter().flatten().map(|a| &a["reached"]).collect();
            assert_eq!(reached, [false, true], "{coverage:#}");
        }
    }
}

/// What a run says to people.
fn text(file: &Path, options: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_hmc"))
        .env("COLUMNS", "1000")
        .args(options)
        .arg(file)
        .output()
        .expect("hmc can be started");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn words_match_the_cause_of_a_wait() {
    let program = |body: &str| {
        let text = format!(
            "{HEADER}static atomic_int x;\nstatic void *f(void *p) {{\n  {body}\n  return 0;\n}}\nint main(void) {{\n  pthread_t t;\n\
             \x20 pthread_create(&t, 0, f, 0);\n  x = 1;\n  pthread_join(t, 0);\n  return 0;\n}}\n"
        );
        written("waits.c", &text)
    };
    let no_way_out = "thread T1 never ends: it goes round a loop that has no way out and changes nothing";
    for (body, message) in [
        ("for (;;) ;", no_way_out),
        ("if (x) for (;;) ;", no_way_out),
        ("for (;;) (void)x;", no_way_out),
        ("while (x != 2) ;", "thread T1 waits for ever: what it reads can no longer change"),
        ("while (atomic_exchange(&x, 1)) ;", "thread T1 waits for ever: what it reads can no longer change"),
        ("for (;;) { while (x != 2) ; x = 3; }", "thread T1 waits for ever: what it reads can no longer change"),
        (
            "int go = x; while (go) ;",
            "thread T1 never ends: it goes round a loop in which it reads and changes nothing",
        ),
    ] {
        let (_directory, file) = program(body);
        for model in ["sc", "rc11", "lkmm"] {
            let (result, _) = run(&file, &["--cat", model]);
            expect(&result, "violated", Some("liveness"));
            assert_eq!(result["violation"]["message"], message, "{body} under {model}: {result:#}");
        }
    }
    let (_directory, file) = written("main.c", "int main(void) {\n  for (;;)\n    ;\n}\n");
    let (result, _) = run(&file, &["--cat", "sc"]);
    let message = "thread main never ends: it goes round a loop that has no way out and changes nothing";
    assert_eq!(result["violation"]["message"], message, "{result:#}");
}

#[test]
fn flags_that_are_remarks_are_called_so() {
    let text_of = "#include <pthread.h>\nstatic int x;\nstatic void *f(void *p) { x = 1; WRITE_ONCE(x, 2); return 0; }\n\
                   int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }\n";
    let (_directory, file) = written("mixed.c", text_of);
    expect(&run(&file, &["--cat", "lkmm"]).0, "holds", None);
    let said = text(&file, &["--cat", "lkmm"]);
    assert!(said.contains("flag mixed-accesses in 1 execution: W x = 1 by T1"), "{said}");
    assert!(said.contains(": a remark of the model, which makes no violation"), "{said}");
}
