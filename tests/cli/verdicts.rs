//! Verdicts, counts and exit codes of whole runs.

use crate::support::{Files, clang, command, hmc, ran};
use std::time::{Duration, Instant};

#[track_caller]
fn result(arguments: &[&str], code: i32) -> serde_json::Value {
    let mut all = vec!["--format", "json"];
    all.extend(arguments);
    hmc(&all).expect(code).json()["results"][0].clone()
}

#[test]
fn the_examples_of_the_readme() {
    if !clang() {
        return;
    }
    let right = result(&["--cat", "rc11", "examples/message_passing.c"], 0);
    assert_eq!(right["verdict"], "holds");
    let wrong = result(&["--cat", "rc11", "examples/message_passing_broken.c"], 1);
    assert_eq!(wrong["verdict"], "violated");
    assert_eq!(wrong["violation"]["kind"], "race");
    assert_eq!(wrong["violation"]["place"]["line"], 12);
    let assertion = result(&["--cat", "rc11", "--no-race", "examples/message_passing_broken.c"], 1);
    assert_eq!(assertion["violation"]["kind"], "assertion");
    assert_eq!(assertion["violation"]["place"]["line"], 21);
}

#[test]
fn one_program_four_models() {
    if !clang() {
        return;
    }
    let ran =
        hmc(&["--cat", "sc,tso", "--keep-going", "--format", "json", "tests/c/wrong/shapes/sb.c"]).expect(1).json();
    let verdicts: Vec<&str> =
        ran["results"].as_array().expect("results").iter().filter_map(|r| r["verdict"].as_str()).collect();
    assert_eq!(verdicts, ["holds", "violated"]);
    assert_eq!(ran["results"][0]["executions"]["complete"], 3);
    let broken = "tests/c/wrong/shapes/mp_relaxed_store.c";
    for (model, code) in [("tso", 0), ("imm", 1), ("aarch64", 1)] {
        result(&["--cat", model, "--no-race", broken], code);
    }
}

/// A thread that reads twice gets stuck under this model before the other one has written anything. (Where nothing is to be explained, such a test
/// is searched, not explored.)
#[test]
fn a_model_under_which_nobody_sees_a_write_twice() {
    let files = Files::new();
    let once = "include \"cos.cat\"\nacyclic po-loc | rf | co | fr\nempty (rf^-1 ; rf) & po as once\n";
    let once = files.file("once.cat", once);
    let code = "C t\n{}\nP0(int *x) { int r0 = *x; int r1 = *x; if (r1) { *x = 3; } }\nP1(int *x) { *x = 1; }\n";
    let test = files.file("t.litmus", format!("{code}exists (0:r0=0 /\\ 0:r1=1)\n"));
    let explored = result(&["--cat", &once, "--explain", &test], 0);
    let enumerated = result(&["--cat", &once, "--engine", "enumerate", &test], 0);
    assert_eq!(explored["states"], enumerated["states"]);
    assert_eq!(explored["observation"], "Always");
    assert!(explored["notes"][0].as_str().expect("a note").contains("next event of a thread"), "{explored}");
}

#[test]
fn an_edited_model_changes_the_verdict() {
    let files = Files::new();
    let test = "examples/sb.litmus";
    let weak = files.file("mine.cat", "include \"cos.cat\"\nacyclic po-loc | rf | co | fr as coherence\n");
    assert_eq!(result(&["--cat", &weak, test], 0)["observation"], "Sometimes");
    let strong = files.file("mine.cat", "include \"cos.cat\"\nacyclic po | rf | co | fr as sequential\n");
    let result = result(&["--cat", &strong, test], 0);
    assert_eq!(result["observation"], "Never");
    assert_eq!(result["kind"], "Allowed");
    assert_eq!(result["executions"]["complete"], 3);
    assert_eq!(result["states"].as_array().map(Vec::len), Some(3));
    assert_eq!(result["model_sha256"].as_str().map(str::len), Some(64));
}

#[test]
fn strict_litmus_tests() {
    hmc(&["--cat", "tso", "--strict", "examples/sb.litmus"]).expect(0);
    hmc(&["--cat", "sc", "--strict", "examples/sb.litmus"]).expect(1);
    hmc(&["--cat", "sc", "examples/sb.litmus"]).expect(0);
}

#[test]
fn models_that_differ() {
    let ran = hmc(&["diff", "sc", "tso", "examples/sb.litmus"]).expect(1);
    assert!(ran.out.contains("only under tso") && ran.out.contains("1 of 1 files differ"), "{}", ran.out);
    hmc(&["diff", "sc", "sc", "examples/sb.litmus"]).expect(0);
    hmc(&["diff", "sc", "nosuchmodel", "examples/sb.litmus"]).expect(2);
}

#[test]
fn audit_finds_nothing() {
    let result = result(&["--cat", "tso", "--audit", "examples/sb.litmus"], 0);
    assert_eq!(result["executions"]["duplicate"], 0);
    assert_eq!(result["notes"].as_array().map(Vec::len), Some(0), "{result}");
}

#[test]
fn a_cut_loop_is_bounded() {
    if !clang() {
        return;
    }
    let files = Files::new();
    let program = files.file(
        "loop.c",
        "#include <stdatomic.h>\n#include <pthread.h>\natomic_int x;\nvoid *f(void *p) { for (int i = 0; i < 10; i++) x++; return 0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); }\n",
    );
    assert_eq!(result(&["--cat", "sc", &program], 0)["verdict"], "holds");
    assert_eq!(result(&["--cat", "sc", "--unroll", "3", &program], 3)["verdict"], "bounded");
}

/// A program with more executions than anybody can wait for.
const ENDLESS: &str = "#include <stdatomic.h>\n#include <pthread.h>\natomic_int x;\nvoid *f(void *p) { for (int i = 0; i < 40; i++) x++; return 0; }\nint main(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f, 0); for (int i = 0; i < 4; i++) pthread_join(t[i], 0); }\n";

#[test]
fn a_time_limit_is_kept_and_said() {
    if !clang() {
        return;
    }
    let files = Files::new();
    let program = files.file("endless.c", ENDLESS);
    let start = Instant::now();
    let result = result(&["--cat", "sc", "--timeout", "1", &program], 3);
    assert_eq!(result["verdict"], "bounded");
    assert!(result["notes"][0].as_str().is_some_and(|n| n.contains("time limit")), "{result}");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_run_and_says_what_is_known() {
    if !clang() {
        return;
    }
    let files = Files::new();
    let program = files.file("endless.c", ENDLESS);
    let child = command()
        .args(["--cat", "sc", &program])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("hmc can be started");
    // Long enough for clang to be done.
    std::thread::sleep(Duration::from_secs(4));
    let signalled = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(signalled.is_ok_and(|s| s.success()));
    let start = Instant::now();
    let ran = ran(child.wait_with_output().expect("it ends")).expect(3);
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    assert!(ran.out.contains("bounded") && ran.out.contains("interrupted"), "{}", ran.out);
}

#[test]
fn what_cannot_be_run_is_named_with_its_line() {
    if !clang() {
        return;
    }
    let files = Files::new();
    let program = files.file(
        "asm.c",
        "#include <pthread.h>\nint main(void) {\n  int r;\n  __asm__ volatile(\"cpuid\" : \"=a\"(r) : : \"ebx\", \"ecx\", \"edx\");\n  return r;\n}\n",
    );
    let ran = hmc(&["--cat", "sc", &program]).expect(4);
    assert!(ran.err.contains("asm.c:4"), "{}", ran.err);
}
