//! The same fault in five spellings: the reports of the race, of what no interleaving explains, of the fix, and of what was not looked for.

use super::support::{clang, command, ran, without_times};
use crate::support::left_out::left_out;
use crate::support::rustc_is_there;
use std::path::Path;
use std::process::Command;

/// The program; the model under which races are not looked for.
const SPELLINGS: [(&str, &str); 5] =
    [("plain.c", "tso"), ("wrapped.c", "tso"), ("threads.cpp", "tso"), ("threads.rs", "tso"), ("kernel.c", "sc")];

/// Four findings of one line would say as much: a report fits a screen.
const LINES: usize = 60;

#[test]
fn one_fault_in_five_spellings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, other) in SPELLINGS {
        if !clang() || name.ends_with(".rs") && !is_known_rustc() {
            continue;
        }
        let mut text = String::new();
        for arguments in [&[name][..], &["--no-race", name], &["repair", name], &["--cat", other, name]] {
            let mut command = command();
            command.current_dir(root.join("tests/cli/findings")).env("COLUMNS", "100").args(arguments);
            let ran = ran(command.output().expect("hmc can be started"));
            // A slow machine says how far it is.
            let err: String =
                ran.err.lines().filter(|line| !line.contains(" so far")).map(|l| l.to_owned() + "\n").collect();
            let report = without_times(&(ran.out + &err));
            assert!(report.lines().count() < LINES, "{name}: {report}");
            assert!(report.lines().all(|line| line.chars().count() <= 100), "{name}: {report}");
            text += &format!("$ hmc {}\n{report}exit code {}\n\n", arguments.join(" "), ran.code);
        }
        let golden =
            root.join("tests/cli/golden/findings").join(name).with_extension(format!("{}.txt", extension(name)));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&golden, &text).expect("a golden file");
        }
        assert_eq!(text, std::fs::read_to_string(&golden).unwrap_or_default(), "{}", golden.display());
    }
}

/// Numbers of events in a report of Rust are those of one version's standard library.
fn is_known_rustc() -> bool {
    const KNOWN: &str = "rustc 1.95.";
    let version = Command::new("rustc").arg("--version").output().map(|output| output.stdout).unwrap_or_default();
    let is_known = String::from_utf8_lossy(&version).starts_with(KNOWN);
    if rustc_is_there() && !is_known {
        left_out("the report of a Rust program: it is recorded of rustc 1.95");
    }
    is_known
}

fn extension(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or_default()
}
