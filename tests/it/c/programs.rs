//! C programs with known verdicts and execution counts: everything in `tests/c` and `tests/ck`.
//!
//! A program says in its first lines what is expected of it (see `tests/c/README.md`), and `hmc test` compares; that this tells what differs is tested in
//! `tests/cli/expectations.rs`. Without clang 15 or later, or without the
//! headers of Concurrency Kit for `tests/ck`, the tests print a notice and check nothing.

use crate::support::clang_is_there;
use std::path::{Path, PathBuf};
use std::process::Command;

/// All C and C++ files below a folder, sorted.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "c" || extension == "cpp") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn check_folder(folder: &str) {
    if !clang_is_there() {
        eprintln!("notice: no clang from version 15 on is installed; {folder} is not checked");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = sources(&root.join(folder));
    assert!(!files.is_empty(), "no programs in {folder}");
    let said = |file: &PathBuf| std::fs::read_to_string(file).unwrap_or_default().matches("// hmc: ").count();
    let expected: usize = files.iter().map(said).sum();
    // A file that is named and says nothing of what is expected is an error.
    let output = Command::new(env!("CARGO_BIN_EXE_hmc"))
        .current_dir(root)
        .args(["test", "--quiet"])
        .args(&files)
        .output()
        .expect("hmc can be started");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && out.contains(&format!("{expected} passed; 0 failed")), "{out}\n{err}");
}

#[test]
fn correct_programs() {
    check_folder("tests/c/correct");
}

#[test]
fn wrong_programs() {
    check_folder("tests/c/wrong");
}

#[test]
fn pairs_of_wrong_and_corrected_programs() {
    check_folder("tests/c/pairs");
}

#[test]
fn portability_bugs() {
    check_folder("tests/c/portability");
}

#[test]
fn benchmark_programs() {
    check_folder("tests/c/bench");
}

#[test]
fn clients_of_concurrency_kit() {
    if !Path::new("/usr/include/ck_ring.h").exists() {
        eprintln!("notice: libck-dev is not installed; tests/ck is not checked");
        return;
    }
    check_folder("tests/ck");
}
