//! Rust programs with known verdicts: everything in `tests/rust`, each right as it stands and wrong with `--cfg=wrong`.
//!
//! A program says in its first lines what is expected of it (see `tests/c/README.md`), and `hmc test` compares. Only rc11 is asked, unless the variable `HMC_TEST_ALL_MODELS` is set.
//! Without rustc a notice is printed and nothing checked.

use crate::support::left_out::left_out;
use crate::support::rustc_is_there;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn hmc(args: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    Command::new(env!("CARGO_BIN_EXE_hmc")).current_dir(root).args(args).output().expect("hmc can be started")
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rust");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    found.sort();
    found
}

/// A copy of a program, of which only rc11 is asked.
fn under_rc11(file: &Path, folder: &Path) -> PathBuf {
    let text = std::fs::read_to_string(file).expect("text");
    let models = ["--cat rc11,sc,aarch64 ", "--cat rc11,aarch64 "];
    let text = models.iter().fold(text, |text, models| text.replace(models, "--cat rc11 "));
    let copy = folder.join(file.file_name().expect("a name"));
    std::fs::write(&copy, text).expect("written");
    copy
}

#[test]
fn programs_and_their_broken_twins() {
    if !rustc_is_there() {
        return;
    }
    let files = programs();
    let said = |file: &PathBuf| std::fs::read_to_string(file).expect("text").matches("// hmc: ").count();
    assert!(files.iter().all(|file| said(file) >= 2), "each program has a broken twin");
    let expected: usize = files.iter().map(said).sum();
    // What is asked of every program under three models takes minutes.
    let folder = tempfile::tempdir().expect("a folder");
    let files: Vec<PathBuf> = match std::env::var_os("HMC_TEST_ALL_MODELS") {
        Some(_) => files,
        None => {
            left_out("Rust programs under sc and aarch64 (HMC_TEST_ALL_MODELS=1 asks them, too)");
            files.iter().map(|file| under_rc11(file, folder.path())).collect()
        }
    };
    let mut args = vec!["test", "--quiet"];
    args.extend(files.iter().map(|file| file.to_str().expect("a name")));
    let output = hmc(&args);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && out.contains(&format!("{expected} passed; 0 failed")), "{out}\n{err}");
}

/// What hmc says of a program, written into a file of its own.
fn said_of(name: &str, text: &str) -> (i32, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(name);
    std::fs::write(&file, text).expect("written");
    let output = hmc(&["--cat", "rc11", file.to_str().expect("a name")]);
    let said = [&output.stdout[..], &output.stderr[..]].map(String::from_utf8_lossy).concat();
    (output.status.code().unwrap_or(-1), said)
}

#[test]
fn panics_are_findings_with_message_and_place() {
    if !rustc_is_there() {
        return;
    }
    let cases = [
        (
            "fn main() {\n    let three = std::hint::black_box(3);\n    assert_eq!(three, 4);\n}\n",
            ":3:",
            "left: 3, right: 4",
        ),
        (
            "fn main() {\n    let none: Option<u8> = std::hint::black_box(None);\n    none.unwrap();\n}\n",
            ":3:",
            "on a `None` value",
        ),
        (
            "fn main() {\n    let at = std::hint::black_box(7);\n    let _ = std::hint::black_box([1u8, 2][at]);\n}\n",
            ":3:",
            "len is 2 but the index is 7",
        ),
        ("fn main() {\n    if std::hint::black_box(true) {\n        panic!(\"no way\");\n    }\n}\n", ":3:", "no way"),
    ];
    for (text, place, message) in cases {
        let (code, said) = said_of("panics.rs", text);
        let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(code == 1 && said.contains(&format!("panics.rs{place}")) && flat.contains(message), "{code}\n{said}");
    }
}

#[test]
fn a_program_that_does_not_compile_is_an_error() {
    if !rustc_is_there() {
        return;
    }
    let (code, said) = said_of("broken.rs", "fn main() { let x: u8 = \"\"; }\n");
    assert!(code == 2 && said.contains("hmc::rustc-rejects") && said.contains("mismatched types"), "{code}\n{said}");
}

#[test]
fn files_are_unsupported_by_name() {
    if !rustc_is_there() {
        return;
    }
    let (code, said) = said_of("reads.rs", "fn main() {\n    let _ = std::fs::File::open(\"/etc/hostname\");\n}\n");
    assert!(code == 4 && said.contains("`open64`"), "{code}\n{said}");
}
