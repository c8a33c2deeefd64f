//! Malformed litmus tests: truncations and changes give a result or errors with places, never a panic or a hang. Seeds are the
//! texts below, one an architecture, and every test of the reference corpus when that is there.

use hmc::algebra::Model;
use hmc::cat::def::{self, MacroTable};
use hmc::cat::{LoadRequest, Vocabulary};
use hmc::explore::{self, Execution, Go, Problem, Visitor};
use hmc::litmus::{Options, Test, parse};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const SEEDS: [&str; 13] = [
    "AArch64 A\n{ uint64_t x; 0:X1=x; 0:X3=y; int t[2]={1,2}; }\n P0 | P1 ;\n L0: LDR W0,[X1,W2,SXTW] | NOP ;\n STXR W4,W0,[X3] | CAS W1,W2,[X3] ;\n CBNZ W4,L0 | B.EQ L1 ;\n | L1: ;\nlocations [x; t;]\nfilter (0:X0=1)\nexists (0:X0=1 /\\ t={1,2} \\/ not ([x]=y => true))",
    "AArch64 A2\n{ 0:X1=P1:K; int64_t t[2]={1,2}; 0:X2=t; 1:X3=label:\"P1:K\"; }\n P0 | P1 ;\n L: LDAXP X4,X5,[X2] | BL F ;\n STLXP W6,X5,X4,[X2] | BR X3 ;\n CASPAL X4,X5,X6,X7,[X2] | F: ADR X5,K ;\n CBNZ W6,.-8 | RET ;\n CMP X4,#1 | K: LDR X6,[X5] ;\n CSEL X8,X4,X5,HI | UBFX X7,X6,#4,#8 ;\nexists (0:X1=label:\"P1:K\" /\\ t={2,1} => 1:X5!=0)",
    "ARM B2\n{ 0:R4=P0:G; }\n P0 ;\n BLX R4 ;\n MOVEQ R1,#1 ;\n STREXHNE R1,R2,[R3] ;\n G: LDRSB R2,[R3] ;\n BX LR ;\nexists (0:R1=1)",
    "PPC C2\n{ 0:r2=x; 0:r6=P0:G; }\n P0 ;\n mtctr r6 ;\n bctrl ;\n K: bdnz K ;\n G: lhaux r3,r2,r4 ;\n rlwinm r5,r3,4,28,3 ;\n blr ;\nexists (0:r5=1)",
    "RISCV D2\n{ int64_t 0:x9=P0:G; }\n P0 ;\n jal F ;\n jalr x1,0(x9) ;\n F: bgtu x5,x6,G ;\n G: ret ;\nexists (0:x1=label:\"P0:G\")",
    "C H2\n{ mtx_t m; atomic_flag f; int t[2] = {1,2}; }\nP0(mtx_t *m, atomic_flag *f, int *t) {\n mtx_lock(m); r0 = mtx_trylock(m); t[1] = r0 ? *t : 0x10; mtx_unlock(m);\n s8 = atomic_flag_test_and_set(f); atomic_signal_fence(seq_cst); while (s8 < 3 || !r0) { s8 = s8 + 1; }\n}\nforall (t={1,1} /\\ 0:s8=3)",
    "ARM B\n{ %x=x; }\n P0 ;\n LDREX R0,[%x] ;\n STREXEQ R1,R0,[%x] ;\n DMB ST ;\nexists (0:R0=1)",
    "PPC C\n{ 0:r2=x; }\n P0 ;\n lwarx r1,r0,r2 ;\n stwcx. r1,r0,r2 ;\n bne L ;\n L: ;\n~exists (0:r1=1)",
    "RISCV D\n{ 0:x6=x; }\n P0 ;\n lr.w.aq x5,0(x6) ;\n sc.w.rl x7,x5,0(x6) ;\n amoadd.w x1,x2,(x6) ;\n fence rw,w ;\nforall (0:x5=0)",
    "X86 E\n{ x=1; }\n P0 | P1 ;\n MOV [x],$1 | MOV EAX,[x] ;\n lock xadd [x],EBX | XCHG [y],EAX ;\n JNE L | L: ;\nexists (1:EAX=1)",
    "X86_64 F\n{}\n P0 ;\n movl $1,(x) ;\n lock cmpxchgl %ebx,(x) ;\nexists (x=1)",
    "MIPS G\n{ 0:r2=x; }\n P0 ;\n ll r1,0(r2) ;\n sc r1,0(r2) ;\n sync ;\nexists (0:r1=1)",
    "C H\n{ int x = 1; atomic_t a = ATOMIC_INIT(2); }\nP0(int *x, atomic_t *a) {\n int r0 = READ_ONCE(*x); // c\n if (r0 == 1 && !*x) { atomic_add(1, a); } else while (r0) r0 = xchg(x, r0 - 1);\n spin_lock(x); r1 = atomic_compare_exchange_weak_explicit(x, a, 1, memory_order_acquire, relaxed);\n}\nexists (0:r0=1 /\\ a=3)",
];

fn options() -> Options {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("cat/lkmm.def")).unwrap_or_default();
    Options { macros: MacroTable::new(def::parse(&text).0).into() }
}

fn check(text: &str, options: &Options) -> Option<Test> {
    match parse(text, "t.litmus", options) {
        Ok(test) => Some(test),
        Err(errors) => {
            assert!(!errors.is_empty(), "an error without a message: {text}");
            for error in errors {
                assert!(error.span.start <= error.span.end && error.span.end <= text.len(), "{error:?} in {text}");
            }
            None
        }
    }
}

/// A sequence of numbers that is the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// One of eight kinds of damage.
fn damaged(text: &str, kind: usize, numbers: &mut Numbers) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    match kind % 8 {
        0 => bytes.truncate(numbers.below(bytes.len())),
        1 | 2 => {
            const REPLACEMENTS: &[u8] = b"(){}[];,|:=~*&%#\"\\/0129azAZ_.-\n \0\x7f";
            let at = numbers.below(bytes.len());
            bytes[at] = REPLACEMENTS[numbers.below(REPLACEMENTS.len())];
        }
        3 => {
            let at = numbers.below(bytes.len());
            bytes.remove(at);
        }
        4 => {
            let (from, to) = (numbers.below(bytes.len()), numbers.below(bytes.len()));
            let piece = bytes[from..(from + 12).min(bytes.len())].to_vec();
            bytes.splice(to..to, piece);
        }
        5 => {
            lines.remove(numbers.below(lines.len()));
            bytes = lines.concat().into_bytes();
        }
        6 => {
            let (a, b) = (numbers.below(lines.len()), numbers.below(lines.len()));
            lines.swap(a, b);
            bytes = lines.concat().into_bytes();
        }
        _ => {
            // A number becomes another one, large or of a thread, register or cell that is not there.
            let digits: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i].is_ascii_digit()).collect();
            if let Some(&at) = digits.get(numbers.below(digits.len())) {
                const NUMBERS: [&str; 5] = ["9", "77", "-1", "0x7fffffffffffffff", "18446744073709551616"];
                bytes.splice(at..=at, NUMBERS[numbers.below(NUMBERS.len())].bytes());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Sees some executions and ends.
struct Few(u32);

impl Visitor for Few {
    fn complete(&mut self, _: &Execution<'_, '_>) -> Go {
        self.0 += 1;
        if self.0 < 100 { Go::On } else { Go::Stop }
    }
    fn problem(&mut self, _: &Execution<'_, '_>, _: &Problem) -> Go {
        Go::On
    }
}

fn explore_some(test: &Test, model: &Model) {
    let options = explore::Options {
        unroll: Some(2),
        deadline: Some(Instant::now() + Duration::from_secs(2)),
        max_events: 500,
        max_local_steps: 10_000,
        ..explore::Options::default()
    };
    explore::explore(&test.program, &explore::plan(model, &test.program), &options, &mut Few(0));
}

fn corpus() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let folders = std::fs::read_dir(root).into_iter().flatten().flatten();
    let files = folders.flat_map(|folder| std::fs::read_dir(folder.path()).into_iter().flatten().flatten());
    let mut all: Vec<PathBuf> =
        files.map(|f| f.path()).filter(|p| p.extension().is_some_and(|e| e == "litmus")).collect();
    all.sort();
    all
}

/// Every test of the corpus in 24 damaged forms; some of those that can still be read are explored.
#[test]
fn damaged_tests_of_the_corpus() {
    let files = corpus();
    if files.is_empty() {
        crate::support::left_out::left_out("the reference corpus is not there");
        return;
    }
    let options = options();
    let loaded = hmc::cat::load(&LoadRequest::named("sc"), &Vocabulary::new(None)).expect("a bundled model");
    let (next, read, explored) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let text = String::from_utf8_lossy(&std::fs::read(file).unwrap_or_default()).into_owned();
            let mut numbers = Numbers(text.len() as u64);
            for kind in 0..24 {
                let damaged = damaged(&text, kind, &mut numbers);
                let run = || {
                    let Some(test) = check(&damaged, &options) else { return };
                    if read.fetch_add(1, Ordering::Relaxed) % 16 == 0 {
                        explore_some(&test, &loaded.model);
                        explored.fetch_add(1, Ordering::Relaxed);
                    }
                };
                let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
                assert!(result.is_ok(), "{}, damage {kind}:\n{damaged}", file.display());
            }
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        threads.into_iter().for_each(|thread| thread.join().expect("no damage does harm"));
    });
    let (damaged, read, explored) = (files.len() * 24, read.into_inner(), explored.into_inner());
    println!("{damaged} damaged tests: {read} could be read, {explored} of these were explored");
}

#[test]
fn truncations() {
    let options = options();
    for seed in SEEDS {
        for end in (0..seed.len()).filter(|&i| seed.is_char_boundary(i)) {
            check(&seed[..end], &options);
        }
    }
}

#[test]
fn single_byte_changes() {
    let options = options();
    let mut state = 1u64;
    for seed in SEEDS {
        for _ in 0..1500 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let mut bytes = seed.as_bytes().to_vec();
            let at = (state >> 33) as usize % bytes.len();
            let replacements = b"(){}[];,|:=~*&%#\"\\/0129azAZ_.-\n \0\x7f";
            bytes[at] = replacements[(state >> 20) as usize % replacements.len()];
            check(&String::from_utf8_lossy(&bytes), &options);
        }
    }
}

#[test]
fn deep_nesting_is_an_error() {
    let options = options();
    for middle in ["(".repeat(10_000), "~".repeat(10_000), "[".repeat(10_000), "0:r0=1 => ".repeat(10_000)] {
        check(&format!("X86 t\n{{ }}\n P0 ;\n NOP ;\nexists ({middle}"), &options);
    }
    for body in ["{".repeat(10_000), "*".repeat(10_000), "if (1) ".repeat(10_000), "r = r + ".repeat(10_000)] {
        check(&format!("C t\n{{ }}\nP0() {{ {body} }}\nexists (x=1)"), &options);
    }
    check(&format!("X86 t\n{} x=1", "{".repeat(10_000)), &options);
}
