//! Verdicts, counts and exit codes of whole runs.

use crate::cli::support::{ENDLESS, Files, clang, hmc};
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
    let once = "include \"cos.cat\"\nacyclic po-loc | rf | co | fr\nacyclic addr | data | ctrl | rf\nempty (rf^-1 ; rf) & po as once\n";
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

/// A test that goes round for ever.
const LOOP: &str =
    "X86 LOOP\n{ }\n P0 ;\n L0: ;\n MOV EAX,[x] ;\n ADD EAX,$1 ;\n MOV [x],EAX ;\n JMP L0 ;\nexists (x=5)\n";

#[test]
fn models_that_differ() {
    let ran = hmc(&["diff", "sc", "tso", "examples/sb.litmus"]).expect(1);
    assert!(ran.out.contains("only under tso") && ran.out.contains("1 of 1 file differs"), "{}", ran.out);
    hmc(&["diff", "sc", "sc", "examples/sb.litmus"]).expect(0);
    hmc(&["diff", "sc", "nosuchmodel", "examples/sb.litmus"]).expect(2);
}

/// Of a search that was cut, or that could not be made, two models do not say the same.
#[test]
fn what_was_not_seen_does_not_tell_models_apart() {
    let files = Files::new();
    let test = files.file("loop.litmus", LOOP);
    let ran = hmc(&["diff", "--unroll", "2", "sc", "tso", &test]).expect(3);
    assert!(
        ran.out.contains("not known: bounded under sc (1 exploration was cut at the bound of 2 rounds"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("0 of 1 file differ between sc and tso; of 1 it is not known"), "{}", ran.out);
    hmc(&["diff", "--unroll", "2", "sc", "tso", &test, "examples/sb.litmus"]).expect(1);
    hmc(&["diff", "--unroll", "2", "sc", "tso", &test, "nowhere.litmus"]).expect(2);
    if !clang() {
        return;
    }
    let endless = files.file("endless.c", ENDLESS);
    let ran = hmc(&["diff", "--timeout", "1", "tso", "tso", &endless]).expect(3);
    assert!(ran.out.contains("not known: bounded under tso (the time limit was reached"), "{}", ran.out);
    let program =
        "int main(void) { __asm__ volatile(\"cpuid\" : : : \"eax\", \"ebx\", \"ecx\", \"edx\"); return 0; }\n";
    let unsupported = files.file("asm.c", program);
    let ran = hmc(&["diff", "tso", "sc", &unsupported]).expect(4);
    assert!(ran.out.contains("not known: unsupported under tso"), "{}", ran.out);
}

/// A difference between programs is explained, too: the execution may be one that ends with a failed assertion.
#[test]
fn a_difference_of_a_program_is_explained() {
    if clang() {
        let ran = hmc(&["diff", "--explain", "tso", "sc", "tests/c/wrong/shapes/sb.c"]).expect(1);
        assert!(ran.out.contains("an execution that tso allows and sc forbids by sc"), "{}", ran.out);
    }
}

#[test]
fn a_litmus_test_that_was_cut_proves_nothing_but_what_was_seen() {
    let files = Files::new();
    let test = files.file("loop.litmus", LOOP);
    let cut = result(&["--cat", "sc", "--unroll", "2", &test], 3);
    assert_eq!((&cut["verdict"], &cut["partial"]), (&"bounded".into(), &true.into()), "{cut}");
    assert!(cut["observation"].is_null() && cut["condition"].is_null(), "{cut}");
    let seen = files.file("seen.litmus", LOOP.replace("x=5", "0:EAX=2"));
    let seen = result(&["--cat", "sc", "--unroll", "3", &seen], 3);
    assert!(seen["positive"] == 0 || seen["condition"] == "Ok", "{seen}");
}

/// 21! is more than 64 bits hold.
#[test]
fn more_executions_than_can_be_counted_are_not_a_number() {
    if !clang() {
        return;
    }
    let files = Files::new();
    let program = files.file(
        "many.c",
        "#include <stdatomic.h>\n#include <pthread.h>\natomic_int x;\nvoid *f(void *p) { x++; return 0; }\nint main(void) { pthread_t t[21]; for (int i = 0; i < 21; i++) pthread_create(&t[i], 0, f, 0); for (int i = 0; i < 21; i++) pthread_join(t[i], 0); }\n",
    );
    let many = &result(&["--cat", "sc", &program], 0)["executions"];
    assert!(many["complete"].is_null() && many["too_many"] == true && many["up_to_renaming"] == 1, "{many}");
    let ran = hmc(&["--cat", "sc", &program]).expect(0);
    assert!(ran.out.contains("more than 1.8e19 executions (1 up to renaming of threads)"), "{}", ran.out);
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

/// No exploration has begun there, and under c11 the proof that there are no cycles runs the same beforehand.
#[test]
fn a_time_limit_ends_a_program_that_allocates_for_ever_before_it_creates_a_thread() {
    if !clang() {
        return;
    }
    let files = Files::new();
    let program = files.file(
        "allocates.c",
        "#include <stdlib.h>\nint main(void) { for (int i = 0;; i++) { int *p = malloc(sizeof *p); *p = i; } }\n",
    );
    for model in ["sc", "c11"] {
        let start = Instant::now();
        let result = result(&["--cat", model, "--timeout", "1", &program], 3);
        assert_eq!(result["verdict"], "bounded");
        assert!(result["notes"][0].as_str().is_some_and(|n| n.contains("time limit")), "{result}");
        assert!(start.elapsed() < Duration::from_secs(20));
    }
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
    let program = files.file("again.c", "#include <stdlib.h>\nint main(void) { free(realloc(malloc(4), 8)); }\n");
    let ran = hmc(&["--cat", "sc", &program]).expect(4);
    assert_eq!(ran.err.matches("not supported").count(), 1, "{}", ran.err);
}

/// What fails only behind another failure is none by itself, whoever joins whom.
#[test]
fn an_assertion_that_can_fail_only_behind_another_one_is_not_named() {
    if !clang() {
        return;
    }
    let program = "tests/c/wrong/shapes/fails_behind_another_failure.c";
    let report = hmc(&["--cat", "sc", "--keep-going", program]).expect(1);
    assert!(report.out.contains("assertion `atomic_load(&x) < 0` failed"), "{}", report.out);
    assert!(!report.out.contains("assertion `seen == 2` failed"), "{}", report.out);
}

/// One of the executions reads through a null pointer, and is the one that the condition asks for: what is left says nothing of it.
#[test]
fn executions_that_cannot_be_run_decide_nothing() {
    let files = Files::new();
    let code = "AArch64 t\n{ uint64_t x; uint64_t y; 0:X0=z; 0:X1=x; 0:X2=y; 1:X0=z; 1:X1=y; 1:X2=x; }\nP0 | P1 ;\n\
                STR X0,[X1] | STR X0,[X1] ;\nLDR X3,[X2] | LDR X3,[X2] ;\nLDR W4,[X3] | LDR W4,[X3] ;\n";
    for condition in ["exists (0:X3=0 /\\ 1:X3=0)", "~exists (0:X3=0 /\\ 1:X3=0)", "forall (0:X3=z \\/ 1:X3=z)"] {
        let test = files.file("t.litmus", format!("{code}{condition}\n"));
        for more in [&[][..], &["--condition-only"]] {
            let ran = result(&[&["--cat", "tso", &test], more].concat(), 4);
            assert_eq!((&ran["verdict"], &ran["partial"]), (&"unsupported".into(), &true.into()), "{ran}");
            assert!(ran["condition"].is_null() && ran["observation"].is_null(), "{ran}");
        }
        let log = hmc(&["--cat", "tso", "--format", "herd", &test]).expect(4).out;
        assert!(!log.contains("Observation") && log.contains("unsupported"), "{log}");
    }
}

/// The program goes wrong in just those executions that the model has no answer for.
#[test]
fn nothing_is_said_of_executions_for_which_the_model_has_no_answer() {
    if !clang() {
        return;
    }
    let files = Files::new();
    let program = files.file(
        "p.c",
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x;\n\
         static void *t(void *a) { atomic_store(&x, 1); return a; }\n\
         int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); assert(!atomic_load(&x)); pthread_join(p, 0); }\n",
    );
    hmc(&["--cat", "sc", &program]).expect(1);
    for odd in ["assert empty (rf & ext) as odd", "let rec a = b and b = (rf & ext) \\ b\nacyclic a | po"] {
        let model = files.file("m.cat", format!("include \"sc.cat\"\n{odd}\n"));
        for more in [&[][..], &["--keep-going"], &["--engine", "enumerate"]] {
            let ran = result(&[&["--cat", &model, &program], more].concat(), 4);
            assert!(ran["violation"].is_null(), "{ran}");
            assert_eq!(ran["messages"][0]["code"], "hmc::model-evaluation", "{ran}");
        }
    }
}

/// Locks are not ordered by a model that does not speak of them: what happens in two critical sections may be interleaved, and then the lock goes from
/// thread to thread against the order of what is read.
#[test]
fn locks_under_a_model_without_locks() {
    let files = Files::new();
    let test = |name: &str, more: &str| {
        let text = format!(
            "C {name}\n{{}}\nP0(int *x, int *y, spinlock_t *s) {{ spin_lock(s); *x = 1; r0 = *y; spin_unlock(s); }}\n\
             P1(int *x, int *y, spinlock_t *s) {{ {more} spin_lock(s); r1 = *x; *y = 1; spin_unlock(s); }}\n\
             exists (0:r0=1 /\\ 1:r1=1)\n"
        );
        files.file(&format!("{name}.litmus"), text)
    };
    for test in [test("straight", ""), test("branching", "r9 = 1; while (r9) r9 = 0;")] {
        for model in ["sc", "tso", "ra"] {
            for more in [&[][..], &["--audit"], &["--engine", "enumerate"], &["--equivalence", "rf"]] {
                let ran = result(&[&["--cat", model, "--macros", "cat/lkmm.def", &test], more].concat(), 0);
                assert_eq!((&ran["positive"], &ran["negative"]), (&2.into(), &6.into()), "{model} {more:?} {ran}");
            }
        }
    }
}

#[test]
fn a_test_that_never_ends_is_said_to_be_looked_at_in_part() {
    let files = Files::new();
    let text = "X86 L\n{ }\n P0 ;\n L: MOV EAX,[y] ;\n CMP EAX,$1 ;\n JNE L ;\nforall (0:EAX=1)\n";
    let ran = hmc(&["--cat", "tso", &files.file("l.litmus", text)]).expect(0);
    assert!(ran.err.contains("no execution is complete"), "{}", ran.err);
}

#[test]
fn properties_that_are_not_there() {
    if !clang() {
        return;
    }
    let program = "tests/c/correct/shapes/sb.c";
    hmc(&["--cat", "c11", "--properties", "race", "--no-race", program]).expect(2);
    let ran = hmc(&["--cat", "sc", "--properties", "race", program]).expect(0);
    assert!(ran.out.contains("the model says nothing of races"), "{}", ran.out);
    assert!(!hmc(&["--cat", "c11", "--properties", "race", program]).expect(0).out.contains("nothing of races"));
}

/// That sizes differ shows only while the test runs: the address of the read is read.
#[test]
fn accesses_of_different_sizes_are_answered_by_both_engines() {
    let files = Files::new();
    let code = "AArch64 m\n{ uint64_t x; uint64_t y; uint64_t z; 0:X0=z; 0:X1=y; 1:X1=y; 1:X4=z; }\nP0 | P1 ;\nSTR X0,[X1] | LDR X2,[X1] ;\n\
                | CBZ X2,L0 ;\n | LDR W3,[X2] ;\n | L0: STR X1,[X4] ;\nexists (1:X3=0)\n";
    let test = files.file("m.litmus", code);
    for engine in ["explore", "enumerate"] {
        let ran = result(&["--cat", "aarch64", "--engine", engine, &test], 0);
        assert_eq!((&ran["positive"], &ran["negative"]), (&2.into(), &0.into()), "{ran}");
    }
}

#[test]
fn what_a_model_asserts_and_does_not_hold_is_an_error() {
    let files = Files::new();
    let model = files.file("m.cat", "M\nassert ~empty rf as reads\nassert empty rf as norf\n");
    for more in [&[][..], &["--condition-only"]] {
        let ran = result(&[&["--cat", &model, "examples/sb.litmus"], more].concat(), 4);
        assert!(ran["condition"].is_null() && ran["flags"] == serde_json::json!([]), "{ran}");
        let messages: Vec<&str> =
            ran["messages"].as_array().expect("messages").iter().filter_map(|m| m["message"].as_str()).collect();
        assert_eq!(messages, ["the model's assertion `norf` fails in an execution"]);
    }
}

/// The reference tool does not come to an end: `b` and `a` take turns. Unless other checks reject the execution.
#[test]
fn a_recursion_that_never_settles_has_no_answer() {
    let files = Files::new();
    let recursion = "let rec b = a and a = rf \\ a";
    for checks in ["empty b", "~empty b", "flag ~empty b as some", "flag empty b as none", "acyclic po"] {
        let model = files.file("m.cat", format!("M\n{recursion}\n{checks}\n"));
        for more in [&[][..], &["--condition-only"], &["--engine", "enumerate"]] {
            let ran = result(&[&["--cat", &model, "examples/sb.litmus"], more].concat(), 4);
            assert!(ran["condition"].is_null() && ran["flags"] == serde_json::json!([]), "{ran}");
            let message = &ran["messages"][0];
            assert_eq!(message["message"], "the recursive definition `b` never settles in an execution");
            assert_eq!((&message["place"]["line"], &message["place"]["column"]), (&2.into(), &9.into()), "{ran}");
        }
        if clang() {
            let ran = result(&["--cat", &model, "tests/c/correct/counting/readers.c", "--", "-DN=2"], 4);
            assert_eq!(
                (&ran["verdict"], &ran["messages"][0]["code"]),
                (&"unsupported".into(), &"hmc::model-evaluation".into())
            );
        }
    }
    let model = files.file("m.cat", format!("M\n{recursion}\nempty rf\n"));
    assert_eq!(result(&["--cat", &model, "examples/sb.litmus"], 0)["observation"], "Never");
}

#[test]
fn a_model_that_cannot_be_evaluated_has_no_answer() {
    let files = Files::new();
    let text = "M\nlet rec f s = match s with {} -> {} || e ++ es -> e | f es end\nempty f W as nope\n";
    let ran = result(&["--cat", &files.file("m.cat", text), "examples/sb.litmus"], 4);
    assert!(ran["condition"].is_null() && ran["observation"].is_null(), "{ran}");
    assert_eq!(ran["messages"][0]["code"], "hmc::model-evaluation");
}

/// What goes round in dependencies and reads-from is not looked at in C programs: one note says so, where the model is not seen to forbid it.
#[test]
fn values_out_of_thin_air_are_spoken_of_where_the_model_allows_them() {
    if !clang() {
        return;
    }
    let files = Files::new();
    let thread = |name: &str, from: &str, to: &str| {
        format!(
            "static void *{name}(void *p) {{ if (atomic_load_explicit(&{from}, memory_order_relaxed)) atomic_store_explicit(&{to}, 1, memory_order_relaxed); return p; }}\n"
        )
    };
    let (first, second) = (thread("f", "x", "y"), thread("g", "y", "x"));
    let main = "int main(void) { pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0); pthread_join(s, 0); pthread_join(t, 0); }\n";
    let head = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\n";
    let program = files.file("branches.c", format!("{head}{first}{second}{main}"));
    for (model, notes) in [("c11", 1), ("rc11", 0), ("imm", 0), ("aarch64", 0), ("sc", 0)] {
        let result = result(&["--cat", model, &program], 0);
        let all = result["notes"].as_array().cloned().unwrap_or_default();
        let said = all.iter().filter(|note| note.to_string().contains("form a cycle")).count();
        assert_eq!((said, all.len()), (notes, notes), "{model}: {result}");
    }
}
