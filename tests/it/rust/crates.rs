//! `cargo hmc` on clients of crates from the registry, as they are. Where the registry cannot be reached, they are left out.

use crate::support::left_out::left_out;
use std::path::Path;
use std::process::Command;

/// What holds, and what is found. `crossbeam-channel` and `parking_lot` take longer than a test may (`docs/rust.md`).
const EXPECTED: [(&str, &str); 10] = [
    ("arc_swap", "ok"),
    ("concurrent_queue", "bounded"),
    ("crossbeam_array_queue", "ok"),
    ("crossbeam_array_queue_is_not_empty", "FAILED (assertion)"),
    ("crossbeam_cache_padded", "ok"),
    ("crossbeam_seg_queue", "ok"),
    ("flume", "ok"),
    ("once_cell", "ok"),
    ("rtrb", "ok"),
    ("spin", "ok"),
];

/// What this test itself is built with is not for the package.
const CHANGED: [&str; 4] = ["CARGO_TARGET_DIR", "RUSTFLAGS", "CARGO_PROFILE_DEV_DEBUG", "CARGO_INCREMENTAL"];

fn is_known(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn clients_of_crates_are_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rust/crates");
    for file in ["Cargo.toml", "lib.rs"] {
        std::fs::copy(source.join(file), folder.path().join(file)).expect("copied");
    }
    let fetched = || Command::new("cargo").arg("fetch").current_dir(folder.path()).output();
    if !is_known("cargo") || !fetched().is_ok_and(|output| output.status.success()) {
        return left_out("clients of crates: no cargo is installed, or the registry cannot be reached");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-hmc"));
    for variable in CHANGED {
        command.env_remove(variable);
    }
    let filters = EXPECTED.map(|(name, _)| name);
    let output =
        command.current_dir(folder.path()).args(["hmc", "--"]).args(filters).output().expect("it can be started");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    for (name, verdict) in EXPECTED {
        let line = format!("test {name} ... {verdict}");
        assert!(out.lines().any(|said| said == line), "{line}\n{out}\n{err}");
    }
    assert_eq!(output.status.code(), Some(1), "{out}\n{err}");
    // Its queue is a queue, and no stack.
    for (specification, verdict) in [("queue", "ok"), ("stack", "FAILED (linearizability)")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-hmc"));
        for variable in CHANGED {
            command.env_remove(variable);
        }
        let specification = format!("{specification}:enqueue,dequeue");
        let args = ["hmc", "--linearizable", &specification, "--", "calls_of_a_queue"];
        let output = command.current_dir(folder.path()).args(args).output().expect("it can be started");
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let line = format!("test calls_of_a_queue ... {verdict}");
        assert!(out.lines().any(|said| said == line), "{line}\n{out}\n{err}");
        assert!(verdict == "ok" || out.contains("no order of these 4 calls explains their results"), "{out}");
    }
}
