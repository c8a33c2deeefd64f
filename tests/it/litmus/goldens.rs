//! The project's own litmus tests: `tests/litmus/<folder>/*.litmus`, with the log that each must give beside it (`.expected`, without
//! times). `BLESS=1 cargo test --test it litmus::goldens` rewrites the logs.
//!
//! The conditions say what the architecture's manual (for C, the standard and the kernel's documentation) says, so every test must be
//! answered `Ok` (`Undef` when it is about a race), whatever its golden. Tests of one thread compute and compare; those of several
//! threads tell apart what fences, dependencies and exclusive pairs order.

use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::Models;
use hmc::driver::{Settings, check};
use hmc::litmus::c;
use hmc::litmus::foreign::FEATURES;
use hmc::litmus::processors::{aarch64, arm, mips, ppc, riscv, x86, x86_64};
use hmc::verdict::Sources;
use std::path::{Path, PathBuf};

/// A folder, the model for it, and the instructions that its tests must contain.
const FOLDERS: [(&str, &str, &[&str]); 11] = [
    ("aarch64", "aarch64", aarch64::MNEMONICS),
    ("arm", "armv7", arm::MNEMONICS),
    ("c11", "rc11", c::ATOMICS),
    ("conditions", "x86tso", &[]),
    ("imm", "imm", &[]),
    ("lkmm", "lkmm", &[]),
    ("mips", "mips", mips::MNEMONICS),
    ("ppc", "power", ppc::MNEMONICS),
    ("riscv", "riscv", riscv::MNEMONICS),
    ("x86", "x86tso", x86::MNEMONICS),
    ("x86_64", "x86tso-mixed", x86_64::MNEMONICS),
];

fn tests(folder: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/litmus").join(folder);
    let entries = std::fs::read_dir(directory).expect("a folder of tests").flatten().map(|e| e.path());
    let mut all: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "litmus")).collect();
    all.sort();
    all
}

fn log(file: &Path, model: &str, models: &Models) -> String {
    let result = check(file, model, models, &Settings::default(), &Sources::default());
    let messages: Vec<&str> = result.messages.iter().map(|m| m.message.as_str()).collect();
    let log = result.log_text().unwrap_or_else(|| format!("{:?}: {}\n", result.verdict, messages.join("; ")));
    log.lines().filter(|line| !line.starts_with("Time ")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn logs_are_the_golden_ones() {
    let mut wrong = Vec::new();
    for (folder, model, _) in FOLDERS {
        let models = Models::new(LoadRequest::named(model), Vec::new(), false);
        for file in tests(folder) {
            let name = format!("{folder}/{}", file.file_stem().unwrap_or_default().display());
            let log = log(&file, model, &models);
            let right = if name.starts_with("c11/race") { "Undef" } else { "Ok" };
            if !log.lines().any(|line| line == right) {
                wrong.push(format!("{name} is not answered Ok:\n{log}"));
            }
            let golden = file.with_extension("expected");
            if std::env::var_os("BLESS").is_some() {
                std::fs::write(&golden, &log).expect("a golden file");
            } else if std::fs::read_to_string(&golden).unwrap_or_default() != log {
                wrong.push(format!("{name} differs from its golden file:\n{log}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The kernel's primitives are those of the macro file.
#[test]
fn every_primitive_is_in_some_test() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("cat/lkmm.def");
    let macros = std::fs::read_to_string(file).expect("the macro file");
    let heads = macros.lines().filter(|line| !line.starts_with("//")).filter_map(|line| line.split_once('('));
    let text: String = tests("lkmm").iter().map(|f| std::fs::read_to_string(f).unwrap_or_default()).collect();
    let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    let missing: Vec<&str> = heads.map(|(name, _)| name).filter(|name| !words.contains(name)).collect();
    assert!(missing.is_empty(), "no test of the kernel has {missing:?}");
}

#[test]
fn every_instruction_is_in_some_test() {
    for (folder, _, instructions) in FOLDERS {
        let text: String = tests(folder).iter().map(|f| std::fs::read_to_string(f).unwrap_or_default()).collect();
        let text = text.to_ascii_lowercase();
        // An order in the name makes no other instruction.
        let bare =
            |word: &'_ str| [".aqrl", ".aq", ".rl"].iter().find_map(|o| word.strip_suffix(o)).unwrap_or(word).len();
        let words = text.split(|c: char| c.is_whitespace() || "|;:()".contains(c));
        let words: Vec<&str> = words.map(|word| &word[..bare(word)]).collect();
        let missing: Vec<&&str> =
            instructions.iter().filter(|i| !words.contains(&i.to_ascii_lowercase().as_str())).collect();
        assert!(missing.is_empty(), "no test in {folder} has {missing:?}");
    }
}

/// The page on litmus tests lists the instructions of the tables, and the features that are not supported. `BLESS=1` writes the lists.
#[test]
fn the_page_has_what_the_tables_have() {
    const ARCHITECTURES: [(&str, &[&str], bool); 7] = [
        ("AArch64", aarch64::MNEMONICS, true),
        ("ARM", arm::MNEMONICS, true),
        ("MIPS", mips::MNEMONICS, false),
        ("PPC", ppc::MNEMONICS, false),
        ("RISCV", riscv::MNEMONICS, false),
        ("X86", x86::MNEMONICS, false),
        ("X86_64", x86_64::MNEMONICS, false),
    ];
    let list = |(name, instructions, upper): (&str, &[&str], bool)| {
        let mut all: Vec<&str> = instructions.to_vec();
        all.sort_unstable();
        let all = all.join(" ");
        format!("- {name}: `{}`\n", if upper { all.to_uppercase() } else { all })
    };
    let instructions: String = ARCHITECTURES.into_iter().map(list).collect();
    let features: String = FEATURES.iter().map(|feature| format!("- {feature}\n")).collect();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/litmus.md");
    let mut page = std::fs::read_to_string(&file).expect("the page");
    for (heading, lines) in [("## Not supported\n", features), ("## All instructions\n", instructions)] {
        let start = page.find(heading).expect("the heading") + heading.len();
        let end = page[start..].find("\n## ").map_or(page.len(), |at| start + at + 1);
        let first = page[start..end].find("\n- ").map_or(end, |at| start + at + 1);
        let last = page[first..end].find("\n\n").map_or(end, |at| first + at + 1);
        if std::env::var_os("BLESS").is_some() {
            page.replace_range(first..last, &lines);
            std::fs::write(&file, &page).expect("the page");
        } else {
            assert_eq!(&page[first..last], lines, "{heading}");
        }
    }
}
