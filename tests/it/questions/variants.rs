//! Published models of C11, and the published model of sequential consistency: the tests that tell them apart.

use crate::support::left_out::left_out;
use std::path::{Path, PathBuf};
use std::process::Command;

/// C11 forbids it, RC11 does not.
const RWC: &str = r#"C RWC

{}

P0(atomic_int *x, atomic_int *y) {
  int r0 = atomic_load_explicit(x, memory_order_acquire);
  int r1 = atomic_load_explicit(y, memory_order_seq_cst);
}

P1(atomic_int *x, atomic_int *y) {
  atomic_store_explicit(y, 1, memory_order_seq_cst);
  int r0 = atomic_load_explicit(x, memory_order_seq_cst);
}

P2(atomic_int *x) {
  atomic_store_explicit(x, 1, memory_order_seq_cst);
}

exists (0:r0=1 /\ 0:r1=0 /\ 1:r0=0)
"#;

/// A read of a value before that of the last write, which is of another order: simplified C11 and RC11 forbid it.
const BETWEEN: &str = r#"C between

{}

P0(atomic_int *x, atomic_int *y) {
  atomic_store_explicit(x, 1, memory_order_seq_cst);
  int r0 = atomic_load_explicit(y, memory_order_seq_cst);
}

P1(atomic_int *y) {
  atomic_store_explicit(y, 1, memory_order_relaxed);
}

P2(atomic_int *x, atomic_int *y) {
  atomic_store_explicit(y, 2, memory_order_seq_cst);
  int r0 = atomic_load_explicit(x, memory_order_seq_cst);
}

exists (0:r0=1 /\ 2:r0=0 /\ y=2)
"#;

/// The published model orders an exchange's read before its write by nothing; whoever writes in between is read.
const EXCHANGE: &str =
    "X86 exchange\n{ x=0; }\n P0 | P1 ;\n MOV EAX,$1 | MOV [x],$2 ;\n XCHG [x],EAX | ;\nexists (0:EAX=2 /\\ x=2)\n";

fn herd() -> Option<PathBuf> {
    let herd = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/models/herd");
    if !herd.is_dir() {
        left_out("Questions (there is no ../shared/models/herd): what tells published models of C11 apart");
        return None;
    }
    Some(herd)
}

/// Whether a model allows the outcome of a test. Published models are named by their file.
fn allows(herd: &Path, model: &str, test: &str) -> bool {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("test.litmus");
    std::fs::write(&file, test).expect("a test");
    let model = if model.ends_with(".cat") { herd.join(model).display().to_string() } else { model.to_owned() };
    let mut command = Command::new(env!("CARGO_BIN_EXE_hmc"));
    let done = command.args(["--cat", &model, "-I"]).arg(herd).arg(&file).output().expect("hmc runs");
    let log = String::from_utf8_lossy(&done.stdout).into_owned();
    let observed = log.lines().find(|line| line.starts_with("Observation")).unwrap_or_else(|| panic!("{model}: {log}"));
    !observed.contains("Never")
}

#[test]
fn variants_of_c11_are_told_apart() {
    let Some(herd) = herd() else { return };
    let models = [
        ("c11_orig.cat", false, true),
        ("c11_partialSC.cat", false, true),
        ("c11", false, true),
        ("c11_simp.cat", false, false),
        ("rc11.cat", true, false),
        ("rc11", true, false),
    ];
    for (model, rwc, between) in models {
        assert_eq!(allows(&herd, model, RWC), rwc, "{model}");
        assert_eq!(allows(&herd, model, BETWEEN), between, "{model}");
    }
}

#[test]
fn an_exchange_tells_published_sequential_consistency_from_ours() {
    let Some(herd) = herd() else { return };
    assert!(allows(&herd, "sc.cat", EXCHANGE));
    assert!(!allows(&herd, "sc", EXCHANGE) && !allows(&herd, "x86tso.cat", EXCHANGE));
}
