//! Inputs of `../shared/cases` about misuse of memory and locks, and about what the front end knows: each with the answer that is right.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program: where it is, the model, flags of clang, the verdict, the kind of the finding.
type Case = (&'static str, &'static str, &'static [&'static str], &'static str, Option<&'static str>);

const CASES: [Case; 10] = [
    ("malloc_unordered.c", "rc11", &[], "violated", Some("memory")),
    ("malloc_unordered.c", "c11", &[], "violated", Some("memory")),
    ("malloc_unordered.c", "sc", &[], "holds", None),
    ("own_memcpy.c", "sc", &[], "holds", None),
    ("own_memcpy.c", "rc11", &["-fno-builtin"], "holds", None),
    ("own_memcpy.c", "rc11", &["-ffreestanding"], "holds", None),
    ("weak_undefined.c", "sc", &[], "holds", None),
    ("weak_undefined.c", "rc11", &["-O1"], "holds", None),
    ("flush_unseen.c", "tso", &[], "bounded", None),
    ("flush_unseen.c", "rc11", &[], "bounded", None),
];

fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/c");
    if !folder.is_dir() {
        eprintln!("notice: ../shared/cases is not there; its programs are not checked");
        return None;
    }
    Some(folder)
}

fn run(file: &Path, options: &[&str], flags: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hmc"));
    command.args(options).args(["--format", "json", "--timeout", "120"]).arg(file).arg("--").args(flags);
    let output = command.output().expect("hmc can be started");
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{}: {e}: {}", file.display(), String::from_utf8_lossy(&output.stderr)));
    report["results"][0].clone()
}

#[track_caller]
fn expect(file: &Path, result: &Value, verdict: &str, kind: Option<&str>) {
    assert_eq!(result["verdict"], *verdict, "{}: {result}", file.display());
    if let Some(kind) = kind {
        assert_eq!(result["violation"]["kind"], *kind, "{}", file.display());
    }
}

#[test]
fn each_program_has_the_right_answer() {
    let Some(folder) = folder() else { return };
    for (name, model, flags, verdict, kind) in CASES {
        let file = folder.join(name);
        expect(&file, &run(&file, &["--cat", model], flags), verdict, kind);
    }
}

#[test]
fn misused_locks_are_that_whatever_else_is_asked() {
    let Some(folder) = folder() else { return };
    let entries = std::fs::read_dir(folder.join("locks")).expect("the folder can be read");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    assert!(files.len() >= 9, "{files:?}");
    for file in files {
        for options in [&["--cat", "sc"][..], &["--cat", "rc11", "--properties", "locks"]] {
            expect(&file, &run(&file, options, &[]), "violated", Some("locks"));
        }
    }
}

#[test]
fn what_no_model_sees_is_said() {
    let Some(folder) = folder() else { return };
    let file = folder.join("flush_unseen.c");
    let notes = run(&file, &["--cat", "tso"], &[])["notes"].to_string();
    assert!(notes.contains("cache flushes") && notes.contains("non-temporal"), "{notes}");
}
