//! How runs end that do not end by themselves: closed pipes, full disks, a compiler that hangs, pipes for files, Ctrl-C.
#![cfg(unix)]

use crate::cli::support::{ENDLESS, Files, Ran, clang, command, hmc, interrupted, ran};
use std::fs::{File, OpenOptions, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use std::time::{Duration, Instant};

const SB: &str = "examples/sb.litmus";

/// Every subcommand that prints, with its exit code.
const PRINTING: &[(&[&str], i32)] = &[
    (&["--cat", "tso", SB], 0),
    (&["--cat", "tso", "--format", "json", SB], 0),
    (&["explain", "C301"], 0),
    (&["explain", "hmc::internal"], 0),
    (&["list-models"], 0),
    (&["model", "info", "tso"], 0),
    (&["model", "check", "sc"], 0),
    (&["diff", "sc", "tso", SB], 1),
    (&["run-table", "--cat", "sc,tso", SB], 0),
    (&["robust", "--cat", "tso", SB], 1),
    (&["--help"], 0),
    (&["--version"], 0),
];

/// A pipe that nobody reads.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    writer.into()
}

#[test]
fn a_closed_pipe_ends_a_run_quietly() {
    for (arguments, code) in PRINTING {
        let output = command().args(*arguments).stdout(closed()).stderr(Stdio::piped()).output();
        let ran = ran(output.expect("it ends")).expect(*code);
        assert_eq!(ran.err, "", "{arguments:?}");
    }
    // Messages and the summary go to standard error.
    for arguments in [&["--cat", "tso", SB, SB][..], &["--cat", "tso", "nowhere.litmus"], &["explain", "nonsense"]] {
        let ended = command().args(arguments).stdout(closed()).stderr(closed()).status().expect("it ends");
        assert!(ended.code().is_some_and(|code| code < 3), "{arguments:?}: {ended}");
    }
}

#[test]
fn what_cannot_be_printed_is_an_error() {
    let Ok(_) = File::open("/dev/full") else { return };
    for (arguments, _) in PRINTING {
        let full = OpenOptions::new().write(true).open("/dev/full").expect("it can be written to");
        let output = command().args(*arguments).stdout(full).stderr(Stdio::piped()).output();
        let ran = ran(output.expect("it ends")).expect(2);
        assert_eq!(ran.err.matches("standard output cannot be written").count(), 1, "{arguments:?}: {}", ran.err);
    }
}

/// A run with this script for clang.
fn with_compiler(script: &str, arguments: &[&str]) -> (Ran, Duration) {
    let files = Files::new();
    let program = files.file("p.c", "int main(void) { return 0; }\n");
    let compiler = files.file("compiler", format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(&compiler, Permissions::from_mode(0o755)).expect("permissions");
    let start = Instant::now();
    let output = command().args(arguments).arg(&program).env("HMC_CLANG", &compiler).output();
    (ran(output.expect("hmc can be started")), start.elapsed())
}

#[test]
fn a_compiler_that_hangs_is_ended() {
    let hanging = "exec sleep 100";
    for (arguments, listed) in [
        (&["--timeout", "1", "--cat", "sc"][..], "bounded"),
        (&["diff", "--timeout", "1", "sc", "tso"], "of 1 it is not known"),
        (&["robust", "--timeout", "1", "--cat", "tso"], ""),
    ] {
        let (ran, time) = with_compiler(hanging, arguments);
        let ran = ran.expect(3);
        assert!(time < Duration::from_secs(30), "{time:?}");
        assert!(ran.err.contains("hmc::clang-ended") && ran.err.contains("time limit"), "{}", ran.err);
        assert!(ran.out.contains(listed), "{}", ran.out);
    }
    // It has not stopped when its output is at its end, and what it started keeps the output open.
    let (ran, time) = with_compiler("exec >&- 2>&-; exec sleep 100", &["--timeout", "1", "--cat", "sc"]);
    ran.expect(3);
    assert!(time < Duration::from_secs(30), "{time:?}");
}

#[test]
fn an_interrupt_ends_the_compiler() {
    let files = Files::new();
    let program = files.file("p.c", "int main(void) { return 0; }\n");
    let compiler = files.file("compiler", "#!/bin/sh\nexec sleep 100\n");
    std::fs::set_permissions(&compiler, Permissions::from_mode(0o755)).expect("permissions");
    let mut run = command();
    run.args(["--cat", "sc", &program]).env("HMC_CLANG", &compiler);
    let ran = interrupted(run, Duration::from_secs(1)).expect(3);
    assert!(ran.err.contains("the run was interrupted, and clang was ended"), "{}", ran.err);
}

#[test]
fn a_compiler_that_says_nothing_is_told_by_how_it_ended() {
    let said = |script: &str| with_compiler(script, &["--cat", "sc"]).0.expect(2).err;
    assert!(said("exit 7").contains("does not say why (exit status: 7)"), "{}", said("exit 7"));
    assert!(said("kill -SEGV $$").contains("signal: 11"), "{}", said("kill -SEGV $$"));
    assert!(said("echo too much >&2; kill -SEGV $$").contains("signal: 11"));
}

#[test]
fn a_pipe_is_no_test() {
    let files = Files::new();
    for name in ["f.litmus", "f.c"] {
        let pipe = files.path(name).display().to_string();
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.is_ok_and(|s| s.success()));
        for arguments in [&["--cat", "tso"][..], &["robust", "--cat", "tso"]] {
            let ran = hmc(&[arguments, &[&pipe]].concat()).expect(2);
            assert!(ran.err.contains("hmc::not-a-file"), "{}", ran.err);
        }
    }
}

#[test]
fn an_interrupt_ends_the_run_and_says_what_is_known() {
    if !clang() {
        return;
    }
    let files = Files::new();
    let program = files.file("endless.c", ENDLESS);
    let run = |arguments: &[&str]| {
        let mut run = command();
        run.args(arguments).args(["--threads", "1", &program, SB]);
        // Long enough for clang to be done.
        interrupted(run, Duration::from_secs(4)).expect(3)
    };
    let ran = run(&["--cat", "sc"]);
    assert!(ran.out.contains("bounded") && ran.out.contains("interrupted"), "{}", ran.out);
    assert!(ran.err.contains("hmc: interrupted; 1 of 2 were checked"), "{}", ran.err);
    let ran = run(&["run-table", "--cat", "sc"]);
    assert!(ran.out.contains("bounded") && ran.err.contains("1 of 2 were checked"), "{}\n{}", ran.out, ran.err);
    let ran = run(&["diff", "sc", "tso"]);
    assert_eq!(ran.out.matches("not known: the run was interrupted").count(), 2, "{}", ran.out);
    assert!(ran.out.contains("0 of 2 files differ between sc and tso; of 2 it is not known"), "{}", ran.out);
}
