//! The bundled models among each other, as `docs/models.md` says it. `HMC_WRITE_PAGES=1` writes that part anew.

use super::support::compared;
use hmc::questions::compare::{Comparison, Relation, Verdict};
use std::fmt::Write;
use std::path::Path;

/// Where the part of the page begins.
const MARK: &str = "\n## Which model is weaker than which\n";

/// Models, whose executions are asked about, what tests are made of, and their largest size.
const PAIRS: [(&str, &str, &str, &str, usize); 17] = [
    ("sc", "tso", "X86", "x86", 4),
    ("sc", "pso", "X86", "x86", 4),
    ("sc", "ra", "X86", "x86", 4),
    ("sc", "x86tso", "X86", "x86", 4),
    ("tso", "pso", "X86", "x86", 4),
    ("tso", "ra", "X86", "x86", 4),
    ("tso", "x86tso", "X86", "x86", 4),
    ("pso", "ra", "X86", "x86", 4),
    ("pso", "x86tso", "X86", "x86", 4),
    ("ra", "x86tso", "X86", "x86", 4),
    ("sc", "ra", "C", "c11", 3),
    ("sc", "rc11", "C", "c11", 3),
    ("rc11", "rc20", "C", "c11", 3),
    ("imm", "rc11", "C", "c11", 3),
    ("sc", "armv7", "ARM", "armv7", 3),
    ("sc", "power", "PPC", "power", 3),
    ("sc", "riscv", "RISCV", "riscv", 3),
];

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

fn page() -> String {
    let mut out = format!(
        "{MARK}\n`hmc model compare A B` ([questions.md](questions.md)), of executions of one architecture. A test regenerates this table.\n\n\
         | A | B | architecture | A is | what A allows, B allows | what B allows, A allows |\n|---|---|---|---|---|---|\n"
    );
    for (a, b, arch, lattice, size) in PAIRS {
        let found = compared(a, b, arch, lattice, size);
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
