//! Malformed litmus tests: truncations and single-byte changes give a result or errors with places, never a panic or a hang.

use hmc::cat::def::{self, MacroTable};
use hmc::litmus::{Options, parse};
use std::path::Path;

const SEEDS: [&str; 8] = [
    "AArch64 A\n{ uint64_t x; 0:X1=x; 0:X3=y; int t[2]={1,2}; }\n P0 | P1 ;\n L0: LDR W0,[X1,W2,SXTW] | NOP ;\n STXR W4,W0,[X3] | CAS W1,W2,[X3] ;\n CBNZ W4,L0 | B.EQ L1 ;\n | L1: ;\nlocations [x; t;]\nfilter (0:X0=1)\nexists (0:X0=1 /\\ t={1,2} \\/ not ([x]=y => true))",
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
    Options { macros: MacroTable::new(def::parse(&text).0) }
}

fn check(text: &str, options: &Options) {
    if let Err(errors) = parse(text, "t.litmus", options) {
        assert!(!errors.is_empty(), "an error without a message: {text}");
        for error in errors {
            assert!(error.span.start <= error.span.end && error.span.end <= text.len(), "{error:?} in {text}");
        }
    }
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
