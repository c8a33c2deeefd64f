//! Batches of litmus tests: conditions only, expectations, going on after an interruption.

use crate::cli::support::{Files, clang, hmc};

const SB: &str =
    "X86 SB\n{ }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n";

fn tests() -> (Files, String, String) {
    let files = Files::new();
    let sb = files.file("sb.litmus", SB);
    let all = files.file("all.litmus", SB.replace("X86 SB", "X86 ALL").replace("exists", "forall"));
    (files, sb, all)
}

#[test]
fn a_witness_ends_the_search() {
    let (_files, sb, all) = tests();
    let ran = hmc(&["--cat", "tso", "--condition-only", &sb]).expect(0);
    assert!(ran.out.contains("States 1\n0:EAX=0; 1:EAX=0;\nOk\n"), "{}", ran.out);
    assert!(ran.out.contains("Decided SB by one execution") && !ran.out.contains("Observation"), "{}", ran.out);
    let ran = hmc(&["--cat", "sc", "--condition-only", &sb]).expect(0);
    assert!(ran.out.contains("States 0\nNo\n"), "{}", ran.out);
    assert!(ran.out.contains("Decided SB without looking at every execution"), "{}", ran.out);
    let json = hmc(&["--cat", "tso", "--condition-only", "--format", "json", &all]).expect(0).json();
    let result = &json["results"][0];
    assert_eq!((&result["condition"], &result["partial"]), (&"No".into(), &true.into()));
    assert!(result["observation"].is_null());
    hmc(&["--cat", "tso", "--condition-only", "--strict", &all]).expect(1);
}

#[test]
fn results_are_compared_with_a_table() {
    let (files, sb, _) = tests();
    let table = |verdict: &str| format!("test\tverdict\tobservation\nsb.litmus\t{verdict}\tSometimes\n");
    let right = files.file("right.tsv", table("Ok"));
    let ran = hmc(&["--cat", "tso", "--strict", "--expect", &right, &sb]).expect(0);
    assert!(ran.err.is_empty(), "{}", ran.err);
    let wrong = files.file("wrong.tsv", table("No"));
    let ran = hmc(&["--cat", "tso", "--strict", "--expect", &wrong, &sb]).expect(1);
    assert!(ran.err.contains("condition: expected No, got Ok") && ran.err.contains("1 different"), "{}", ran.err);
    let bad = files.file("bad.tsv", "nothing of the kind\n");
    let ran = hmc(&["--cat", "tso", "--expect", &bad, &sb]).expect(2);
    assert!(ran.err.contains("hmc::recorded-results"), "{}", ran.err);
}

#[test]
fn a_log_is_compared_with_a_log_and_gone_on_from() {
    let (files, sb, all) = tests();
    let log = files.file("run.log", &hmc(&["--cat", "tso", &sb]).expect(0).out);
    let ran = hmc(&["--cat", "sc", "--expect", &log, &sb, &all]).expect(0);
    assert!(ran.err.contains("state missing: 0:EAX=0; 1:EAX=0;") && ran.err.contains("1 different"), "{}", ran.err);
    let ran = hmc(&["--cat", "tso", "--resume", &log, &sb, &all]).expect(0);
    assert!(!ran.out.contains("Test SB") && ran.out.contains("Test ALL"), "{}", ran.out);
    assert!(ran.err.contains("1 answered by the earlier run"), "{}", ran.err);
    let report = files.file("run.json", &hmc(&["--cat", "tso", "--format", "json", &sb]).expect(0).out);
    let json = hmc(&["--cat", "tso", "--format", "json", "--resume", &report, &sb, &all]).expect(0).json();
    assert_eq!(json["results"].as_array().map(Vec::len), Some(2));
}

/// An answer is taken over for the same test under the same model, and held to what is expected now.
#[test]
fn what_has_changed_since_is_run_again() {
    let (files, sb, _) = tests();
    let model = files.file("m.cat", "include \"tso.cat\"\n");
    let run = |more: &[&str]| hmc(&[&["--cat", &model, "--format", "json", &sb], more].concat());
    let report = files.file("run.json", run(&[]).expect(0).out);
    let resumed = |more: &[&str]| run(&[&["--resume", &report], more].concat());
    let of =
        |ran: &str| serde_json::from_str::<serde_json::Value>(ran).expect("JSON")["results"][0]["observation"].clone();
    assert_eq!(of(&resumed(&[]).expect(0).out), "Sometimes");
    assert_eq!(of(&resumed(&["--skip-check", "tso"]).expect(0).out), "Sometimes");
    let never = files.file("never.tsv", "test\tobservation\nsb.litmus\tNever\n");
    resumed(&["--strict", "--expect", &never]).expect(1);
    files.file("m.cat", "include \"sc.cat\"\n");
    assert_eq!(of(&resumed(&[]).expect(0).out), "Never");
    resumed(&["--strict"]).expect(1);
    files.file("m.cat", "include \"tso.cat\"\n");
    files.file("sb.litmus", SB.replace("MOV [y],$1", "MOV [y],$2").replace("exists", "~exists"));
    assert_eq!(of(&resumed(&[]).expect(0).out), "Sometimes");
    resumed(&["--strict"]).expect(1);
}

#[test]
fn a_log_answers_for_one_model_and_is_held_to_what_is_expected() {
    let (files, sb, _) = tests();
    let log = files.file("run.log", hmc(&["--cat", "sc", &sb]).expect(0).out);
    hmc(&["--cat", "sc", "--resume", &log, &sb]).expect(0);
    hmc(&["--cat", "sc", "--strict", "--resume", &log, &sb]).expect(1);
    let sometimes = files.file("sometimes.tsv", "test\tobservation\nsb.litmus\tSometimes\n");
    let ran = hmc(&["--cat", "sc", "--strict", "--resume", &log, "--expect", &sometimes, &sb]).expect(1);
    assert!(ran.err.contains("expected Sometimes, got Never"), "{}", ran.err);
    let ran = hmc(&["--cat", "sc,tso", "--resume", &log, &sb]).expect(2);
    assert!(ran.err.contains("a log does not say under which model"), "{}", ran.err);
}

/// One execution that satisfies the condition is enough to contradict it.
#[test]
fn a_witness_contradicts_a_test_that_says_never() {
    let files = Files::new();
    let sb = files.file("sb.litmus", SB.replace("X86 SB\n", "X86 SB\n(* Result: Never *)\n"));
    for more in [&[][..], &["--condition-only"]] {
        hmc(&[&["--cat", "tso", "--strict", &sb], more].concat()).expect(1);
        hmc(&[&["--cat", "sc", "--strict", &sb], more].concat()).expect(0);
    }
}

/// A format that is named is written as soon as there is a result, like the usual one: an interrupted run can be gone on from.
#[test]
fn logs_that_are_asked_for_are_those_that_come_anyway() {
    let (_files, sb, all) = tests();
    let out = |more: &[&str]| hmc(&[&["--cat", "tso", &sb, &all], more].concat()).expect(0).out;
    let without_times = |text: String| text.lines().filter(|l| !l.starts_with("Time ")).collect::<Vec<_>>().join("\n");
    assert_eq!(without_times(out(&["--format", "herd"])), without_times(out(&[])));
    let both = out(&["--format", "human", "--format", "herd"]);
    assert!(both.contains("sb.litmus under tso") && both.contains("Test SB"), "{both}");
}

/// `hmc … --resume run.log tests/ >> run.log` works from the first run on.
#[test]
fn a_log_that_is_empty_or_missing_or_cut_is_gone_on_from() {
    let (files, sb, _) = tests();
    let resumed = |log: &str| hmc(&["--cat", "tso", "--resume", log, &sb]).expect(0);
    assert!(resumed(&files.file("empty.log", "")).out.contains("Test SB"));
    let missing = files.path("missing.log").display().to_string();
    let whole = resumed(&missing).out;
    assert!(whole.contains("Test SB"));
    for (name, text) in [("states", "Ok\n"), ("observation", "Observation"), ("hash", "Hash=")] {
        let at = whole.find(text).map(|at| at + text.len()).expect("a log");
        let cut = files.file(&format!("{name}.log"), &whole[..at]);
        assert!(resumed(&cut).out.contains("Test SB"), "{}", &whole[..at]);
        let appended = files.file("appended.log", format!("{}\n{whole}", &whole[..at]));
        assert!(!resumed(&appended).out.contains("Test SB"), "{appended}");
    }
    assert!(!resumed(&files.file("whole.log", &whole)).out.contains("Test SB"));
    let bad = files.file("bad.log", "nothing of the kind\n");
    hmc(&["--cat", "tso", "--resume", &bad, &sb]).expect(2);
}

#[test]
fn expectations_of_other_tests_are_said_to_be_that() {
    let (files, sb, _) = tests();
    let other = files.file("other.tsv", "test\tverdict\nother.litmus\tOk\n");
    let ran = hmc(&["--cat", "tso", "--expect", &other, &sb]).expect(0);
    assert!(ran.err.contains("other.tsv expects nothing of any of these tests"), "{}", ran.err);
}

#[test]
fn reports_for_programs_say_what_differs() {
    let (files, sb, _) = tests();
    let table = files.file("table.tsv", "test\tobservation\nsb.litmus\tNever\n");
    for form in ["junit", "sarif"] {
        let ran = hmc(&["--cat", "tso", "--strict", "--expect", &table, "--format", form, &sb]).expect(1);
        assert!(ran.out.contains("observation: expected Never, got Sometimes"), "{}", ran.out);
        let ran = hmc(&["--cat", "sc", "--strict", "--format", form, &sb]).expect(1);
        assert!(ran.out.contains("the condition does not hold"), "{}", ran.out);
    }
}

#[test]
fn a_test_may_say_what_it_expects() {
    let (files, ..) = tests();
    let said = |word: &str| files.file("said.litmus", SB.replace("{ }", &format!("(*\n * Result: {word}\n *)\n{{ }}")));
    hmc(&["--cat", "sc", "--strict", &said("Never")]).expect(0);
    let ran = hmc(&["--cat", "tso", "--strict", &said("Never")]).expect(1);
    assert!(ran.err.contains("differs from the test itself"), "{}", ran.err);
    hmc(&["--cat", "tso", "--strict", &said("Maybe")]).expect(0);
}

#[test]
fn a_search_that_ends_early_has_no_log() {
    let files = Files::new();
    let writer = "MOV [x],$1 | ".repeat(7);
    let large = format!(
        "X86 L\n{{ }}\n P0 | P1 | P2 | P3 | P4 | P5 | P6 | P7 ;\n {writer} MOV EAX,[x] ;\n {writer} MOV EBX,[x] ;\nexists (7:EAX=2)\n"
    );
    let large = files.file("large.litmus", &large);
    let ran = hmc(&["--cat", "sc", "--timeout", "0.05", &large]).expect(3);
    assert!(!ran.out.contains("Test L") && ran.out.contains("bounded"), "{}", ran.out);
}

#[test]
fn the_other_engine_says_the_same() {
    let (files, sb, all) = tests();
    for (model, test) in [("sc", &sb), ("tso", &sb), ("sc", &all), ("tso", &all)] {
        let untimed =
            |text: &str| text.lines().filter(|l| !l.starts_with("Time ")).map(|l| format!("{l}\n")).collect::<String>();
        let explored = hmc(&["--cat", model, test]).expect(0).out;
        let enumerated = hmc(&["--cat", model, "--engine", "enumerate", test]).expect(0).out;
        assert_eq!(untimed(&explored), untimed(&enumerated));
    }
    if !clang() {
        return;
    }
    let program = files.file("p.c", "int main(void) { return 0; }");
    let ran = hmc(&["--cat", "sc", "--engine", "enumerate", &program]).expect(0);
    assert!(ran.out.contains("enumeration finds the same: 1 execution"), "{}", ran.out);
    // Who asks for all is told that not all were seen.
    let readers = "tests/c/correct/counting/readers.c";
    let ran = hmc(&["--cat", "sc", "--engine", "enumerate", "--timeout", "1", readers, "--", "-DN=15"]).expect(3);
    assert!(ran.out.contains("enumeration came to no end"), "{}", ran.out);
}

#[test]
fn tests_against_models_in_one_table() {
    let (files, sb, all) = tests();
    let ran = hmc(&["run-table", "--cat", "sc,tso", "--format", "csv", &sb, &all]).expect(0);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "test,sc,sc positive,sc negative,tso,tso positive,tso negative");
    assert!(lines[1].ends_with("sb.litmus,Never,0,3,Sometimes,1,3"), "{}", ran.out);
    let page = files.path("table.html").display().to_string();
    hmc(&["run-table", "--cat", "sc,tso", "--format", "html", "-o", &page, &sb]).expect(0);
    assert!(std::fs::read_to_string(page).is_ok_and(|p| p.contains("class=\"Sometimes\"")));
    // One model is a table, too, and the exit code is that of the worst verdict, whatever is shown.
    let ran = hmc(&["run-table", "--cat", "tso", &sb]).expect(0);
    assert!(ran.out.contains("sb.litmus  Sometimes 4"), "{}", ran.out);
    let loops = "X86 L\n{ }\n P0 ;\n L0: ;\n MOV EAX,[x] ;\n ADD EAX,$1 ;\n MOV [x],EAX ;\n JMP L0 ;\nexists (x=5)\n";
    let loops = files.file("loop.litmus", loops);
    hmc(&["run-table", "--cat", "sc,sc", "--differing", "--unroll", "2", &loops]).expect(3);
    let ran = hmc(&["run-table", "--cat", "sc,sc", "--differing", &sb]).expect(0);
    assert!(!ran.out.contains("sb.litmus"), "{}", ran.out);
    let missing = files.path("missing.litmus").display().to_string();
    let ran = hmc(&["run-table", "--cat", "sc,tso", &sb, &missing]).expect(2);
    assert_eq!(ran.err.matches("there is no file").count(), 1, "{}", ran.err);
}

#[test]
fn writers_that_nobody_reads_are_not_told_apart() {
    let root = env!("CARGO_MANIFEST_DIR");
    let large = format!("{root}/tests/litmus/large/nwrites-loc-12.litmus");
    let ran = hmc(&["--cat", "tso", &large]).expect(0);
    assert!(ran.out.contains("Positive: 1 Negative: 11"), "{}", ran.out);
    let files = Files::new();
    let five = "X86 five\n{ }\n P0 | P1 | P2 | P3 | P4 ;\n MOV [x],$1 | MOV [x],$2 | MOV [x],$3 | MOV [x],$4 | MOV [x],$5 ;\nexists (x=5)";
    let five = files.file("five.litmus", five);
    let count = |arguments: &[&str]| hmc(&[&["--cat", "tso", &five], arguments].concat()).expect(0).out;
    assert!(count(&[]).contains("Positive: 1 Negative: 4"));
    assert!(count(&["--equivalence", "rf+co"]).contains("Positive: 24 Negative: 96"));
    if clang() {
        let writers = format!("{root}/tests/c/bench/nwrites_loc.c");
        // The races that the last two report are among plain accesses, of which there are none.
        for model in ["rc11", "lkmm", "c11"] {
            let ran = hmc(&["--cat", model, &writers, "--", "-DN=15"]).expect(0);
            assert!(ran.out.contains("1 execution, 0 blocked"), "{model}: {}", ran.out);
            assert!(ran.out.contains("--equivalence rf+co"), "{model}: {}", ran.out);
        }
        let plain = std::fs::read_to_string(&writers).unwrap_or_default().replace("atomic_int x", "int x");
        let plain =
            plain.replace("atomic_store_explicit(&x, (int)(long)arg, memory_order_relaxed)", "x = (int)(long)arg");
        let plain = files.file("plain.c", &plain);
        let ran = hmc(&["--cat", "lkmm", "--keep-going", &plain, "--", "-DN=5"]).expect(1);
        assert!(ran.out.contains("race") && !ran.out.contains("--equivalence rf+co"), "{}", ran.out);
    }
}

/// Two threads that write `x`, which no thread reads, and increment `y`.
const UNREAD: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
static void *one(void *seen) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
#ifdef POINTER
    atomic_load_explicit((atomic_int *)seen, memory_order_relaxed);
#endif
    return 0;
}
static void *two(void *arg) {
    atomic_store_explicit(&x, 2, memory_order_relaxed);
    atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, &x);
    pthread_create(&b, 0, two, 0);
    atomic_store_explicit(&x, 3, memory_order_relaxed);
#ifdef EARLY
    atomic_load_explicit(&x, memory_order_relaxed);
#endif
    pthread_join(a, 0);
    pthread_join(b, 0);
#ifdef LAST
    assert(atomic_load(&x) != LAST);
#endif
    return 0;
}
";

#[test]
fn coherence_is_told_apart_where_somebody_looks_at_it() {
    if !clang() {
        return;
    }
    let files = Files::new();
    let program = files.file("unread.c", UNREAD);
    for model in ["rc11", "imm", "aarch64", "lkmm", "power"] {
        let ran = |how: &str, define: &str, code: i32| {
            let arguments =
                ["--cat", model, "--keep-going", "--format", "json", "--equivalence", how, &program, "--", define];
            let result = hmc(&arguments).expect(code).json()["results"][0].take();
            (result["executions"]["complete"].as_u64(), result["notes"].to_string().contains("which no thread reads"))
        };
        // Two orders of the increments; three writes of x in any order, in the order of the end, or in none.
        assert_eq!(ran("rf+co", "-DNOTHING", 0), (Some(12), false), "{model}");
        assert_eq!(ran("auto", "-DNOTHING", 0), (Some(2), true), "{model}");
        assert_eq!(ran("auto", "-DLAST=0", 0), (Some(6), true), "{model}: the last write counts");
        assert_eq!(ran("auto", "-DLAST=2", 1), (Some(4), true), "{model}: it decides whether the assertion fails");
        for reads in ["-DPOINTER", "-DEARLY"] {
            let all = ran("rf+co", reads, 0);
            assert_eq!(ran("auto", reads, 0), all, "{model}: {reads} tells orders apart");
        }
    }
}
