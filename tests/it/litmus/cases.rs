//! Litmus tests that were read wrongly once: `../shared/cases`, with the right answers. Where the folder is absent, nothing is checked,
//! and a line on stderr says so.

use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::Models;
use hmc::driver::{Settings, check};
use hmc::verdict::{FileResult, Sources, Verdict};
use std::path::{Path, PathBuf};

fn cases() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases");
    if !folder.is_dir() {
        eprintln!("{} is absent: not checked", folder.display());
        return None;
    }
    Some(folder)
}

fn result(file: &str, model: &str) -> Option<FileResult> {
    let models = Models::new(LoadRequest::named(model), Vec::new(), false);
    Some(check(&cases()?.join(file), model, &models, &Settings::default(), &Sources::default()))
}

/// The lines of a test's log begin with these, in this order.
#[track_caller]
fn logs(file: &str, model: &str, lines: &[&str]) {
    let Some(result) = result(file, model) else { return };
    let messages: Vec<&str> = result.messages.iter().map(|m| m.message.as_str()).collect();
    let log = result.log_text().unwrap_or_else(|| panic!("{file} has no log: {:?} {messages:?}", result.verdict));
    let mut rest = log.lines();
    for wanted in lines {
        assert!(rest.any(|line| line.starts_with(wanted)), "{file} lacks `{wanted}`:\n{log}");
    }
}

#[track_caller]
fn is_unsupported(file: &str, features: &[&str]) {
    let Some(result) = result(file, "sc") else { return };
    let messages: Vec<&str> = result.messages.iter().map(|m| m.message.as_str()).collect();
    assert_eq!(result.verdict, Verdict::Unsupported, "{file}: {messages:?}");
    for feature in features {
        assert!(messages.iter().any(|m| m.contains(feature)), "{file} does not name {feature}: {messages:?}");
    }
}

#[test]
fn features_are_named() {
    is_unsupported("litmus/mte.litmus", &["memory tags", "faults"]);
    is_unsupported("litmus/vmsa.litmus", &["page tables", "faults"]);
    is_unsupported("litmus/bpf.litmus", &["BPF"]);
    is_unsupported("litmus/c-int128.litmus", &["128 bits"]);
}

#[test]
fn registers_of_mips_have_dollars() {
    let states = ["States 4", "0:$3=0; 1:$3=0;", "0:$3=0; 1:$3=1;", "0:$3=1; 1:$3=0;", "0:$3=1; 1:$3=1;"];
    logs("litmus/mips-dollar.litmus", "mips", &states);
    logs("litmus/mips-dollar.litmus", "sc", &["States 3", "Observation SB Never 0 3"]);
}

#[test]
fn a_hash_has_the_order_of_letters() {
    logs("litmus/hash.litmus", "riscv", &["0:x5=0; 0:x10=0;", "Hash=c71d635a3470e43aadd7e75922b75ca0"]);
}

#[test]
fn a_label_is_a_state() {
    logs("litmus/label-state.litmus", "aarch64", &["0:X30=label:\"P0:L0\";", "Ok"]);
}

#[test]
fn instructions_are_known() {
    logs("litmus/a64-arith.litmus", "aarch64", &["0:X4=17;", "Ok"]);
    logs("litmus/ppc-rlwimi.litmus", "power", &["0:r3=16;", "Ok"]);
    logs("litmus/x86-misc.litmus", "x86tso-mixed", &["[x]=1;", "Ok"]);
}

#[test]
fn assembly_of_compilers_is_read() {
    logs("c/optimised/aarch64_stack.litmus", "aarch64", &["Ok", "Observation stack Sometimes 1 3"]);
    logs("c/optimised/ppc_here.litmus", "power", &["Ok", "Observation here Never 0"]);
    // They retry: how long that may go on is not the reader's matter.
    for file in ["aarch64_clrex", "riscv_numbered_label"] {
        let Some(folder) = cases() else { return };
        let text = std::fs::read_to_string(folder.join(format!("c/optimised/{file}.litmus"))).expect("a test");
        let test = hmc::litmus::parse(&text, file, &Default::default());
        assert!(test.is_ok(), "{file}: {:?}", test.err());
    }
}
