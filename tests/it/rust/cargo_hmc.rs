//! `cargo hmc` on packages that are written here: result lines, exit codes, JSON, and what is said of packages that cannot be checked.

use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const LIBRARY: &str = r#"
use std::sync::atomic::{AtomicU32, Ordering};

pub fn add(counter: &AtomicU32) {
    counter.fetch_add(1, Ordering::Relaxed);
}

pub fn add_in_steps(counter: &AtomicU32) {
    let seen = counter.load(Ordering::Relaxed);
    counter.store(seen + 1, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    fn by_two(add: fn(&'static AtomicU32), counter: &'static AtomicU32) -> u32 {
        let other = std::thread::spawn(move || add(counter));
        add(counter);
        other.join().unwrap();
        counter.load(Ordering::Relaxed)
    }

    #[test]
    fn counts() {
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        assert_eq!(by_two(add, &COUNTER), 2);
    }

    #[test]
    fn loses_one() {
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        assert_eq!(by_two(add_in_steps, &COUNTER), 2);
    }

    #[test]
    fn is_checked() -> Result<(), String> {
        if cfg!(hmc) { Ok(()) } else { Err("cfg(hmc) is not set".into()) }
    }

    #[test]
    #[ignore]
    fn is_left_out() {
        panic!();
    }
}
"#;

/// A package with this library; nothing where cargo is missing.
fn package(library: &str) -> Option<TempDir> {
    package_of(&[("src/lib.rs", library)], "")
}

/// A package of these files, with more in its manifest; nothing where cargo is missing.
fn package_of(files: &[(&str, &str)], manifest: &str) -> Option<TempDir> {
    if !Command::new("cargo").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("notice: no cargo is installed; `cargo hmc` is not checked");
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let begin = "[package]\nname = \"fresh\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n";
    let manifest = format!("{begin}{manifest}");
    for (name, text) in files.iter().chain(&[("Cargo.toml", manifest.as_str())]) {
        let file = folder.path().join(name);
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        std::fs::write(file, text).expect("written");
    }
    Some(folder)
}

/// Exit code, standard output, standard error.
fn cargo_hmc(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-hmc"));
    // What this test itself is built with is not for the package.
    for variable in ["CARGO_TARGET_DIR", "RUSTFLAGS", "CARGO_PROFILE_DEV_DEBUG", "CARGO_INCREMENTAL"] {
        command.env_remove(variable);
    }
    let output = command.current_dir(folder).arg("hmc").args(args).output().expect("it can be started");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

#[test]
fn each_test_has_a_line() {
    let Some(folder) = package(LIBRARY) else { return };
    let (code, out, err) = cargo_hmc(folder.path(), &[]);
    assert_eq!(code, 1, "{out}\n{err}");
    for line in [
        "running 3 tests",
        "test tests::counts ... ok",
        "test tests::is_checked ... ok",
        "test tests::is_left_out ... ignored",
        "test tests::loses_one ... FAILED (assertion)",
    ] {
        assert!(out.lines().any(|said| said == line), "{line}\n{out}\n{err}");
    }
    let flat = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("src/lib.rs:34:") && flat.contains("left: 1, right: 2"), "{out}");
    assert!(flat.contains("test result: FAILED. 2 passed; 1 failed; 0 bounded; 0 unsupported; 1 ignored"), "{out}");
    // Only what is asked for.
    let (code, out, err) = cargo_hmc(folder.path(), &["--cat", "sc,rc11", "--", "counts"]);
    assert!(code == 0 && out.contains("test tests::counts under sc ... ok"), "{code}\n{out}\n{err}");
    assert!(!out.contains("loses_one"), "{out}");
    let (code, out, err) = cargo_hmc(folder.path(), &["--format", "json", "--", "loses"]);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}\n{out}\n{err}"));
    let result = &report["results"][0];
    assert_eq!(code, 1);
    assert_eq!((result["file"].as_str(), result["verdict"].as_str()), (Some("tests::loses_one"), Some("violated")));
}

#[test]
fn a_package_that_does_not_build_is_an_error() {
    let Some(folder) = package("pub fn f() -> u8 { \"\" }\n") else { return };
    let (code, out, err) = cargo_hmc(folder.path(), &[]);
    assert!(
        code == 2 && err.contains("the package does not build") && err.contains("mismatched types"),
        "{out}\n{err}"
    );
    let (code, _, err) = cargo_hmc(folder.path(), &["--bin", "nothing"]);
    assert!(code == 2 && err.contains("there is no bin `nothing`") && err.contains("the package has none"), "{err}");
}

#[test]
fn what_cannot_be_run_is_unsupported() {
    let text = "#[test]\nfn reads() {\n    assert!(std::fs::read(\"/etc/hostname\").is_ok());\n}\n\
        #[test]\n#[should_panic]\nfn unwinds() {\n    panic!();\n}\n";
    let Some(folder) = package(text) else { return };
    let (code, out, err) = cargo_hmc(folder.path(), &[]);
    assert_eq!(code, 4, "{out}\n{err}");
    assert!(out.contains("test reads ... unsupported") && out.contains("`open64`"), "{out}");
    assert!(out.contains("test unwinds ... ignored, #[should_panic] needs unwinding"), "{out}");
}

#[test]
fn targets_and_features_are_chosen() {
    let files = [
        ("src/main.rs", "fn main() {\n    assert!(cfg!(feature = \"good\"), \"it is bad\");\n}\n"),
        ("examples/shown.rs", "fn main() {}\n"),
        ("tests/outside.rs", "#[test]\nfn adds() {\n    assert_eq!(1 + 1, 2);\n}\n"),
    ];
    let Some(folder) = package_of(&files, "[features]\ngood = []\n") else { return };
    let manifest = folder.path().join("Cargo.toml").display().to_string();
    let cases: [(&[&str], i32, &str); 4] = [
        (&["--bin", "fresh", "-p", "fresh"], 1, "test fresh::main ... FAILED (assertion)"),
        (&["--bin", "fresh", "-F", "good"], 0, "test fresh::main ... ok"),
        (&["--example", "shown"], 0, "test shown::main ... ok"),
        (&["--test", "outside"], 0, "test outside::adds ... ok"),
    ];
    for (args, expected, line) in cases {
        let mut all = vec!["--manifest-path", &manifest];
        all.extend(args);
        let (code, out, err) = cargo_hmc(Path::new("/"), &all);
        assert!(code == expected && out.lines().any(|said| said == line), "{line}: {code}\n{out}\n{err}");
    }
}

#[test]
fn assumptions_and_choices_are_those_of_the_small_crate() {
    let library = "#[test]\nfn assumed() {\n    let chosen = hmc::nondet();\n    hmc::assume(chosen);\n    assert!(chosen);\n}\n\
        #[test]\nfn chosen() {\n    assert!(hmc::nondet());\n}\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("rust");
    let dependency = format!("[dependencies]\nhmc = {{ package = \"hmc-nondet\", path = {path:?} }}\n");
    let Some(folder) = package_of(&[("src/lib.rs", library)], &dependency) else { return };
    let (code, out, err) = cargo_hmc(folder.path(), &[]);
    for line in ["test assumed ... ok", "test chosen ... FAILED (assertion)"] {
        assert!(code == 1 && out.lines().any(|said| said == line), "{line}: {code}\n{out}\n{err}");
    }
}
