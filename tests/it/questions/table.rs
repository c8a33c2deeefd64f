//! The bundled models among each other, as `docs/models.md` says it. `HMC_WRITE_PAGES=1` writes that part anew.

use super::support::compared_in;
use crate::support::left_out::left_out;
use hmc::questions::compare::{Comparison, Relation, Verdict};
use std::fmt::Write;
use std::path::Path;

/// Where the part of the page begins.
const MARK: &str = "\n## Which model is weaker than which\n";

/// Models, whose executions are asked about, what tests are made of (all tokens: none named), and their largest size.
type Pair = (&'static str, &'static str, &'static str, &'static str, &'static [&'static str], usize);

const PAIRS: [Pair; 29] = [
    ("sc", "tso", "X86", "x86", &[], 4),
    ("sc", "pso", "X86", "x86", &[], 4),
    ("sc", "ra", "X86", "x86", &[], 4),
    ("sc", "x86tso", "X86", "x86", &[], 4),
    ("tso", "pso", "X86", "x86", &[], 4),
    ("tso", "ra", "X86", "x86", &[], 4),
    ("tso", "x86tso", "X86", "x86", &[], 4),
    ("pso", "ra", "X86", "x86", &[], 4),
    ("pso", "x86tso", "X86", "x86", &[], 4),
    ("ra", "x86tso", "X86", "x86", &[], 4),
    ("sc", "tso", "C", "c11", ACCESSES, 4),
    ("sc", "pso", "C", "c11", ACCESSES, 4),
    ("sc", "ra", "C", "c11", ACCESSES, 4),
    ("sc", "rc11", "C", "c11", ACCESSES, 4),
    ("sc", "rc20", "C", "c11", ACCESSES, 4),
    ("sc", "imm", "C", "c11", ACCESSES, 4),
    ("tso", "pso", "C", "c11", ACCESSES, 4),
    ("pso", "ra", "C", "c11", ACCESSES, 4),
    ("ra", "rc11", "C", "c11", ACCESSES, 4),
    ("ra", "imm", "C", "c11", ACCESSES, 4),
    ("rc11", "rc20", "C", "c11", ACCESSES, 4),
    ("imm", "rc11", "C", "c11", ACCESSES, 4),
    ("sc", "aarch64", "AArch64", "aarch64", ARM, 4),
    ("tso", "aarch64", "AArch64", "aarch64", ARM, 4),
    ("pso", "aarch64", "AArch64", "aarch64", ARM, 4),
    ("ra", "aarch64", "AArch64", "aarch64", ARM, 4),
    ("sc", "armv7", "ARM", "armv7", &[], 4),
    ("sc", "power", "PPC", "power", &[], 4),
    ("sc", "riscv", "RISCV", "riscv", &[], 4),
];

/// What tests in C are made of: updates and fences would take minutes.
const ACCESSES: &[&str] = &["R", "Racq", "Rsc", "W", "Wrel", "Wsc"];

fn cell(known: &Verdict) -> String {
    match known {
        Verdict::Proved { by } => format!("proved ({})", by.join(", ")),
        Verdict::Refuted { test } => format!("refuted: {} (`{}`)", test.name, test.program.replace('|', "\\|")),
        Verdict::Unknown { up_to: Some(size), .. } => format!("unknown; no test of up to {size} events"),
        Verdict::Unknown { up_to: None, .. } => "unknown".to_owned(),
    }
}

fn word(found: &Comparison) -> &'static str {
    match found.relation {
        Relation::Equivalent => "equivalent",
        Relation::Stronger => "stronger",
        Relation::Weaker => "weaker",
        Relation::Incomparable => "incomparable",
        Relation::Unknown => "not known",
    }
}

/// Two models, an architecture, a lattice, tokens of it, a size, and an answer.
type Asked = (&'static str, &'static str, &'static str, &'static str, &'static [&'static str], usize, Relation);

/// Published models: ours or another one of them, whose executions are asked about, what tests are made of and how large they get, and what is to be found.
const PUBLISHED: [Asked; 10] = [
    ("sc", "sc.cat", "X86", "x86", &[], 4, Relation::Unknown),
    ("x86tso", "x86tso.cat", "X86", "x86", &[], 4, Relation::Equivalent),
    ("rc11", "rc11.cat", "C", "c11", &[], 3, Relation::Unknown),
    ("riscv", "riscv.cat", "RISCV", "riscv", &[], 3, Relation::Unknown),
    ("power", "ppc.cat", "PPC", "power", &[], 3, Relation::Equivalent),
    ("armv7", "arm.cat", "ARM", "armv7", &[], 3, Relation::Equivalent),
    ("aarch64", "aarch64.cat", "AArch64", "aarch64", ARM, 3, Relation::Unknown),
    (ARM_LB, ARM_MA, "AArch64", "aarch64", ARM, 3, Relation::Unknown),
    (ARM_MA, ARM_MB, "AArch64", "aarch64", ARM, 3, Relation::Unknown),
    (ARM_MB, ARM_MC, "AArch64", "aarch64", ARM, 3, Relation::Unknown),
];

const ARM_LB: &str = "aarch64/ArmARM-L.b/aarch64.cat";
const ARM_MA: &str = "aarch64/ArmARM-M.a/aarch64.cat";
const ARM_MB: &str = "aarch64/ArmARM-M.b/aarch64.cat";
const ARM_MC: &str = "aarch64/ArmARM-M.c/aarch64.cat";

/// Programs for Arm's models, each of whose executions is judged by the reference evaluator.
const ARM: &[&str] = &["R", "LDAR", "W", "STLR", "DMB.SY"];

#[test]
fn published_models_are_compared() {
    let herd = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/models/herd");
    if !herd.is_dir() {
        left_out("Questions (there is no ../shared/models/herd): published models against ours");
        return;
    }
    for (a, b, arch, lattice, tokens, size, wanted) in PUBLISHED {
        let path = |name: &str| match name.ends_with(".cat") {
            true => herd.join(name).display().to_string(),
            // A file of that name stands in the folder, too.
            false => format!("{}/cat/{name}.cat", env!("CARGO_MANIFEST_DIR")),
        };
        let found = compared_in(&herd, &path(a), &path(b), arch, lattice, tokens, size);
        assert_eq!(found.relation, wanted, "{a} {b}: {found:?}");
        // What is not known was searched to the end.
        for direction in &found.directions {
            if let Verdict::Unknown { up_to, .. } = &direction.known {
                assert_eq!(*up_to, Some(size), "{a} {b}");
            }
        }
    }
}

/// What tells C++20's model from that of the paper on which RC11 rests: a release sequence goes on with writes of its own thread in one of them.
#[test]
fn release_sequences_tell_rc11_from_rc20() {
    let tokens = ["R", "Racq", "W", "Wrel"];
    let found = compared_in(Path::new("."), "rc11", "rc20", "C", "c11", &tokens, 5);
    assert_eq!(found.relation, Relation::Stronger, "{found:?}");
    let Verdict::Refuted { test } = &found.directions[1].known else { panic!("{found:?}") };
    assert_eq!(test.size, 5, "{}", test.program);
}

fn page() -> String {
    let mut out = format!(
        "{MARK}\n`hmc model compare A B` ([questions.md](questions.md)), of executions of one architecture. Tests in C are made of reads and writes only. A test regenerates this table.\n\n\
         | A | B | architecture | A is | what A allows, B allows | what B allows, A allows |\n|---|---|---|---|---|---|\n"
    );
    for (a, b, arch, lattice, tokens, size) in PAIRS {
        let found = compared_in(Path::new("."), a, b, arch, lattice, tokens, size);
        let [there, back] = [0, 1].map(|i| cell(&found.directions[i].known));
        // Writing to a string cannot fail.
        let _ = writeln!(out, "| {a} | {b} | {arch} | {} | {there} | {back} |", word(&found));
    }
    out
}

#[test]
fn the_page_says_which_model_is_weaker() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/models.md");
    let text = std::fs::read_to_string(&file).expect("the page");
    let at = text.find(MARK).unwrap_or(text.len());
    let own = page();
    if std::env::var_os("HMC_WRITE_PAGES").is_some() {
        std::fs::write(&file, text[..at].to_owned() + &own).expect("the page");
        return;
    }
    assert!(text[at..] == own, "docs/models.md is out of date: run this test with HMC_WRITE_PAGES=1\n{own}");
}
