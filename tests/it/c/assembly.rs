//! Assembly files: own small ones for each processor, a fault of a compiler, what is refused; and random programs as compiled, instruction by instruction, against their sources.
//!
//! `HMC_RANDOM=FROM,CASES cargo test --test it c::assembly::random` runs others.

use crate::support::clang_is_there;
use crate::support::random::Rng;
use hmc::assembly::Target;
use hmc::cat::LoadRequest;
use hmc::driver::assembly::{Code, outcomes};
use hmc::driver::inputs::models::Models;
use hmc::driver::inputs::usual::of_arch;
use hmc::driver::questions::started::started;
use hmc::driver::{self, Settings};
use hmc::llvm::{self, TempFile};
use hmc::verdict::outcomes::Observe;
use hmc::verdict::{FileResult, Sources, Verdict};
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compiled/assembly").join(name)
}

fn hmc(arguments: &[&str], file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hmc")).args(arguments).arg(file).output().expect("hmc runs")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn own_files_of_each_processor_are_right_and_wrong() {
    for target in Target::ALL {
        for (kind, condition) in [("right", "Ok"), ("wrong", "No")] {
            let name = format!("{}_{kind}.s", target.name());
            let output = hmc(&[], &file(&name));
            let said = said(&output);
            assert!(output.status.success() && said.lines().any(|line| line == condition), "{name}: {said}");
            assert!(said.contains(&format!("hmc: model {} for", of_arch(target.arch()))), "{name}: {said}");
        }
    }
}

/// LLVM 68428: an exchange whose old value goes to the zero register is ordered by no barrier for loads.
#[test]
fn an_exchange_without_a_result_is_no_read_to_a_barrier() {
    if !clang_is_there() {
        return;
    }
    for (kind, answer, code) in [("right", "holds", 0), ("wrong", "violated", 1)] {
        let assembly = file(&format!("exchange_unused_{kind}.s"));
        let assembly = assembly.to_str().expect("a path");
        let output = hmc(&["compiled", "--json", "--cat", "rc11", "--assembly", assembly], &file("exchange_unused.c"));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", said(&output)));
        assert_eq!((&report[0]["answer"], output.status.code()), (&answer.into(), Some(code)), "{report:#}");
        let new = report[0]["levels"][0]["new_outcomes"].as_array().map_or(0, Vec::len);
        assert_eq!(new, usize::from(kind == "wrong"), "{report:#}");
        if kind == "wrong" {
            let text = report[0]["levels"][0]["execution"].to_string();
            assert!(text.contains("NoRet"), "{text}");
        }
    }
}

/// Programs with a `main` of their own, arguments, and initial values that `main` writes; load buffering is said apart.
#[test]
fn threads_get_their_arguments_and_load_buffering_is_said_apart() {
    if !clang_is_there() {
        return;
    }
    let text = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int place[2];\nint seen[2];\natomic_int *first;\n\
        static void *run(void *a) {\n    int me = *(int *)a;\n    seen[me] = atomic_load_explicit(first + 1 - me, memory_order_relaxed);\n\
        \n    atomic_store_explicit(&place[me], 1, memory_order_relaxed);\n    return 0;\n}\n\
        static int names[2] = {0, 1};\nint main(void) {\n    pthread_t t[2];\n    first = place;\n\
        for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, &names[i]);\n\
        for (int i = 0; i < 2; i++) pthread_join(t[i], 0);\n    return 0;\n}\n";
    let source = TempFile::new("given.c", text).expect("written");
    let arguments = ["compiled", "--json", "--cat", "rc11", "--target", "aarch64,x86_64"];
    let output = hmc(&arguments, source.path());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", said(&output)));
    assert_eq!(report[0]["answer"], "holds", "{report:#}");
    let levels = report[0]["levels"].as_array().expect("levels");
    let buffering = |level: &Value| level["load_buffering"].as_array().map_or(0, Vec::len);
    assert_eq!(levels.iter().map(buffering).collect::<Vec<_>>(), [1, 0], "{report:#}");
    assert!(levels[0]["outcomes"].to_string().contains("first=&place; "), "{report:#}");
}

#[test]
fn what_cannot_be_run_is_said_with_its_place() {
    let head = "\t.text\n\t.globl P0\nP0:\n";
    let x86 = |code: &str| format!("{head}{code}\n\tret\n\t.bss\n\t.globl x\nx:\t.zero 4\n# litmus: target x86_64\n");
    let cases = [
        (x86("\tcall printf@PLT"), "litmus::unsupported-instruction", ":4:"),
        (x86("\tmovl $1, y(%rip)"), "litmus::unsupported-instruction", ":4:"),
        (x86("\tfrob %eax, %ebx"), "litmus::unknown-instruction", ":4:"),
        (x86("\tmovl %eax, x+8(%rip)"), "litmus::unsupported-instruction", ":4:"),
        (x86("\tcall P0"), "litmus::assembly-call", ":3:"),
        (x86("\tandq $-64, %rsp"), "litmus::assembly-stack", ":3:"),
        ("\t.text\n\t.globl f\nf:\tret\n\tmovl %eax, %ebx\n".to_owned(), "litmus::assembly-threads", ""),
        ("\t.text\n".to_owned(), "litmus::assembly", ""),
        (x86("# litmus: threads g(x"), "litmus::assembly-threads", ":4:"),
        (format!("{}\n\t.data\np:\t.ascii \"no\"\n", x86("\tmovl p(%rip), %eax")), "litmus::assembly-data", ":12:"),
        (
            "\t.text\n\t.globl P0\nP0:\n\tadrp x0, .LANCHOR0\n\tret\n\t.bss\n\t.set .LANCHOR0,. + 0\nx:\t.zero 4\ny:\t.zero 4\n".to_owned(),
            "litmus::unsupported-instruction",
            ":4:",
        ),
    ];
    for (text, code, place) in cases {
        let file = TempFile::new("refused.s", &text).expect("written");
        let output = hmc(&[], file.path());
        let said = said(&output);
        assert!(matches!(output.status.code(), Some(2 | 4)), "{text}{said}");
        assert!(said.contains(code) && said.contains(place), "{text}{said}");
    }
}

/// A program of two threads with everything that a thread may do with memory of its own; accesses to shared memory are atomic, one a statement.
fn program(rng: &mut Rng) -> String {
    let mut text = String::from(
        "#include <stdatomic.h>\n_Atomic long x; atomic_int y, t[3]; atomic_uchar c;\nlong r0[4], r1[4];\n\
         struct pair { char tag; int number; long wide; };\n\
         static int mixed(int a, unsigned char b, long d) { return b > 3 ? a - b : (int)(d >> 1) + a; }\n\
         static void put(atomic_int *p, int v) { if (v & 1) atomic_store_explicit(p, v, memory_order_relaxed); }\n",
    );
    for thread in 0..2 {
        let _ = writeln!(text, "void P{thread}(void) {{\n    int a = {}, v[3] = {{1, 2, 3}};", rng.below(5));
        let _ = writeln!(
            text,
            "    long d = {}; unsigned u = {}; struct pair s = {{1, 2, 3}};",
            rng.below(9),
            rng.below(7)
        );
        for _ in 0..2 + rng.below(3) {
            let (n, m) = (rng.below(4), rng.below(3));
            let line = match rng.below(16) {
                0 => format!("atomic_store_explicit(&x, d + {n}, memory_order_relaxed);"),
                1 => format!("atomic_store_explicit(&t[(a + {n}) & 1], a, memory_order_release);"),
                2 => "a = atomic_load_explicit(&y, memory_order_acquire);".to_owned(),
                3 => "d = atomic_load_explicit(&x, memory_order_relaxed) * 3 - d;".to_owned(),
                4 => "a += atomic_load_explicit(&c, memory_order_relaxed);".to_owned(),
                5 => "atomic_store_explicit(&c, (unsigned char)(u * 77), memory_order_seq_cst);".to_owned(),
                6 => format!("put(&y, a + {n});"),
                7 => format!("if (a > {n}) d = a; else {{ u -= 5; v[{m}] = (int)u; }}"),
                8 => format!("for (int i = 0; i < 3; i++) {{ d += v[i]; v[i] ^= {n}; }}"),
                9 => format!("{{ int *p = a & 1 ? &v[{m}] : &a; *p = *p + {n}; }}"),
                10 => format!("a = mixed(a, (unsigned char)(d + {n}), -d);"),
                11 => format!("s.number += a; s.tag = (char)(d * {n}); s.wide -= s.tag; d = s.wide + s.number;"),
                12 => format!("u = (u << {n}) | (u >> 3); a = (int)(u / 4) + (short)a;"),
                13 => "atomic_thread_fence(memory_order_seq_cst);".to_owned(),
                14 => format!("d = (unsigned char)~a + ((long)(int)u & -{}L);", n + 1),
                _ => format!("a = u > {n}u && d < 4 || a == {m} ? (int)(d >> 5) : a - 1;"),
            };
            let _ = writeln!(text, "    {line}");
        }
        let _ = writeln!(
            text,
            "    r{thread}[0] = a; r{thread}[1] = d; r{thread}[2] = u; r{thread}[3] = v[0] + v[1] * 5 + v[2] * 7;\n}}"
        );
    }
    text
}

const MAIN: &str = "#include <pthread.h>\nint main(void) {\n    pthread_t t[2];\n    pthread_create(&t[0], 0, (void *(*)(void *))P0, 0);\n\
    pthread_create(&t[1], 0, (void *(*)(void *))P1, 0);\n    pthread_join(t[0], 0);\n    pthread_join(t[1], 0);\n    return 0;\n}\n";

/// Under sequential consistency a program does as compiled without optimisation what its source does, and no more with it.
#[test]
fn random_programs_do_as_compiled_what_they_say() {
    if !clang_is_there() {
        return;
    }
    let asked = std::env::var("HMC_RANDOM").unwrap_or_default();
    let numbers: Vec<u64> = asked.split(',').filter_map(|n| n.parse().ok()).collect();
    let (from, cases) = (numbers.first().copied().unwrap_or(1), numbers.get(1).copied().unwrap_or(8));
    let model = ("sc".to_owned(), Models::new(LoadRequest::named("sc"), Vec::new(), false));
    let settings = Settings { observe: Observe::All, ..Settings::default() };
    let mut wrong = Vec::new();
    for seed in from..from + cases {
        let text = program(&mut Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1));
        let source = TempFile::new("random.c", &(text.clone() + MAIN)).expect("written");
        let threads = TempFile::new("threads.c", &text).expect("written");
        let sources = Sources::default();
        let expected = driver::check(source.path(), &model.0, &model.1, &settings, &sources);
        assert_eq!(expected.verdict, Verdict::Holds, "seed {seed}\n{text}\n{:?}", expected.messages);
        let started = started(source.path(), &model.1, &settings, &sources);
        let started = started.unwrap_or_else(|(messages, _)| panic!("seed {seed}\n{text}\n{messages:?}"));
        for (target, level) in Target::ALL.into_iter().flat_map(|target| [(target, "-O0"), (target, "-O2")]) {
            let assembly =
                llvm::assembly::of(threads.path(), target.name(), None, &[level.to_owned(), "-w".to_owned()]);
            let assembly = assembly.unwrap_or_else(|error| panic!("{}", error.message));
            let code = Code { name: "random.s", text: &assembly, target };
            let found: FileResult = outcomes(&code, &started, ("sc", &model.1), &settings, &sources);
            let name = format!("seed {seed}, {} {level}", target.name());
            let more = found.states.iter().any(|state| !expected.states.contains(state));
            let fewer = level == "-O0" && found.states.len() != expected.states.len();
            if found.verdict != Verdict::Holds || more || fewer {
                let told: Vec<&String> = found.messages.iter().map(|message| &message.message).collect();
                let (states, expected) = (&found.states, &expected.states);
                wrong.push(format!(
                    "{name}\n{text}\n{assembly}\n{told:?}\nfound {states:?}\nexpected {expected:?}\n{name}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n=====\n"));
}
