//! Compilation mappings: a published bug, a fence left out, and the bundled mappings.

use super::support::load;
use hmc::cat;
use hmc::llvm::mapping::Mapping;
use hmc::questions::mapping::{Compiler, Question, Verdict};
use hmc::questions::refute::Subject;
use hmc::synth::Progress;
use hmc::synth::judge;
use hmc::synth::programs::vocabulary::Vocabulary;
use std::path::Path;

/// The answer about programs of some tokens (all: none named) up to a size.
fn answer([source, target]: [&str; 2], arch: &str, mapping: &Mapping, tokens: &[&str], size: usize) -> Verdict {
    let text = cat::library::embedded("c11.lattice").expect("a bundled lattice");
    let mut vocabulary = Vocabulary::parse(text).expect("a lattice");
    if !tokens.is_empty() {
        let tokens: Vec<String> = tokens.iter().map(|&token| token.to_owned()).collect();
        vocabulary.keep_only(&tokens).expect("tokens");
    }
    let compiler = Compiler::new(mapping, &vocabulary, arch).expect("a mapping of C11");
    let (above, below) = (load(source, "C"), load(target, arch));
    let judges = [judge(&above, &vocabulary), judge(&below, &compiler.target)].map(|judge| judge.expect("a judge"));
    let asked = Question {
        source: Subject { name: source, loaded: &above, judge: &judges[0] },
        vocabulary: &vocabulary,
        target: Subject { name: target, loaded: &below, judge: &judges[1] },
        compiler: &compiler,
    };
    asked.answer(size, 2, &Progress::default()).expect("an answer")
}

fn named(name: &str) -> Mapping {
    Mapping::named(name).expect("a bundled mapping")
}

/// Y. A. Manerkar, C. Trippel, D. Lustig, M. Pellauer, M. Martonosi, "Counterexamples and proof loophole for the C/C++ to POWER and ARMv7 trailing-sync compiler mappings", 2016.
#[test]
fn the_trailing_sync_mapping_is_wrong() {
    let tokens = ["Racq", "Rsc", "Wsc"];
    let found = answer(["c11", "power"], "PPC", &named("power-trailing"), &tokens, 5);
    let Verdict::Refuted { test, compiled } = found else { panic!("{found:?}") };
    assert_eq!(test.program, "Racq(x) Rsc(y) | Wsc(y) Rsc(x) | Wsc(x)");
    assert_eq!(compiled, "Rx F[ISYNC]<ctrl1 Ry F[SYNC] | F[LWSYNC] Wy F[SYNC] Rx F[SYNC] | F[LWSYNC] Wx F[SYNC]");
    // The other mapping is right, and RC11 does not forbid the outcome.
    for (source, mapping) in [("c11", "power"), ("rc11", "power-trailing")] {
        let found = answer([source, "power"], "PPC", &named(mapping), &tokens, 5);
        assert!(matches!(found, Verdict::Unknown { up_to: 5, .. }), "{source} {mapping}: {found:?}");
    }
}

#[test]
fn a_fence_that_is_left_out_is_missed() {
    let text = include_str!("../../../cat/x86.map").replace("W{} F{MFENCE}", "W{}");
    let mapping = Mapping::parse(&text).expect("a mapping");
    let found = answer(["rc11", "x86tso"], "X86", &mapping, &["R", "Rsc", "W", "Wsc"], 4);
    let Verdict::Refuted { test, compiled } = found else { panic!("{found:?}") };
    assert_eq!((test.size, compiled.as_str()), (4, "Wx Ry | Wy Rx"), "{}", test.program);
}

/// No program of three events refutes a bundled mapping, and none of four that are acquire, release and sequentially consistent accesses.
#[test]
fn bundled_mappings_are_not_refuted() {
    let pairs = [
        ("rc11", "C", "c11"),
        ("lkmm", "C", "kernel"),
        ("tso", "C", "tso"),
        ("x86tso", "X86", "x86"),
        ("power", "PPC", "power"),
        ("armv7", "ARM", "armv7"),
        ("aarch64", "AArch64", "aarch64"),
        ("aarch64", "AArch64", "aarch64-ldar"),
        ("aarch64", "AArch64", "aarch64-llsc"),
        ("riscv", "RISCV", "riscv"),
        ("mips", "MIPS", "mips"),
        ("imm", "C", "imm"),
    ];
    // The other one has a test of its own.
    let files = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("cat")).expect("the models");
    for file in files.flatten().map(|entry| entry.path()).filter(|file| file.extension().is_some_and(|e| e == "map")) {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        assert!(name == "power-trailing" || pairs.iter().any(|pair| pair.2 == name), "{name}.map is not checked");
    }
    for (target, arch, mapping) in pairs {
        let found = answer(["rc11", target], arch, &named(mapping), &[], 3);
        assert_eq!(found, Verdict::Unknown { up_to: 3, left_out: 0 }, "{mapping}");
        let accesses = ["Racq", "Rsc", "Wrel", "Wsc"];
        let found = answer(["rc11", target], arch, &named(mapping), &accesses, 4);
        assert_eq!(found, Verdict::Unknown { up_to: 4, left_out: 0 }, "{mapping}");
    }
}

/// IMM orders what is behind an exclusive read, which loops of exclusives do by their branch, and single instructions do not.
#[test]
fn imm_is_compiled_rightly_but_for_updates() {
    let accesses = ["R", "Racq", "W", "Wrel"];
    for (target, arch) in [("x86tso", "X86"), ("aarch64", "AArch64"), ("power", "PPC")] {
        let found = answer(["imm", target], arch, &Mapping::for_arch(Some(target)), &accesses, 4);
        assert_eq!(found, Verdict::Unknown { up_to: 4, left_out: 0 }, "{target}");
    }
    let updates = ["R", "W", "Wrel", "U"];
    let found = answer(["imm", "x86tso"], "X86", &named("x86"), &updates, 4);
    assert_eq!(found, Verdict::Unknown { up_to: 4, left_out: 0 });
    let found = answer(["imm", "aarch64"], "AArch64", &named("aarch64"), &updates, 4);
    let Verdict::Refuted { test, .. } = found else { panic!("{found:?}") };
    assert_eq!(test.program, "Rx Wrel(y) | Uy Wx");
}

#[test]
fn what_is_no_c11_cannot_be_compiled() {
    let text = cat::library::embedded("power.lattice").expect("a bundled lattice");
    let vocabulary = Vocabulary::parse(text).expect("a lattice");
    let refused = Compiler::new(&named("power"), &vocabulary, "PPC").err();
    assert_eq!(refused.as_deref(), Some("a mapping compiles C11; the tests are for PPC"));
}
