//! Workers die, lines are torn, results come twice or from elsewhere.

use crate::cli::support::{ENDLESS, Files, command, interrupted, ran};
use crate::parts::jobs::{Parted, hmc, without_times};
use crate::support::clang_is_there;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const CHECK: [&str; 4] = ["--cat", "rc11", "--keep-going", "tests/c/bench/lamport.c"];

fn whole() -> serde_json::Value {
    let mut whole = vec!["--format", "json"];
    whole.extend(CHECK);
    without_times(&hmc(&whole).out)
}

#[test]
fn what_is_lost_is_open_and_what_comes_twice_counts_once() {
    if !clang_is_there() {
        return;
    }
    let expected = whole();
    let parted = Parted::split(&CHECK);
    parted.run(&["--slice-events", "200", "--threads", "2"]);
    let lines = parted.lines();
    assert!(lines.len() > 5, "{}", lines.len());
    let merged = |lines: &[String]| {
        parted.replace(lines);
        parted.merge(&["--format", "json"])
    };
    // Each line once, in another order.
    let mut turned = lines.clone();
    turned.reverse();
    assert_eq!(without_times(&merged(&turned).out), expected);
    // Twice.
    let twice: Vec<String> = lines.iter().chain(&lines).cloned().collect();
    let ran = merged(&twice);
    assert_eq!(without_times(&ran.out), expected);
    assert!(ran.err.contains("doubled"), "{}", ran.err);
    // Torn: as if it were not there.
    for lost in 0..lines.len() {
        let mut torn = lines.clone();
        let half = torn[lost].len() / 2;
        torn[lost].truncate(half);
        let ran = merged(&torn);
        assert_eq!(ran.code, 3, "{}", ran.err);
        let report = ran.json();
        assert_eq!(report["results"][0]["verdict"], "bounded");
        let open = parted.open();
        assert!(!open.is_empty() && open.len() <= lines.len());
        if lost % 4 == 0 {
            // With what is open searched again, in slices of another size, it is whole.
            parted.run(&["--slice-events", "333"]);
            assert_eq!(without_times(&parted.merge(&["--format", "json"]).out), expected);
        }
    }
}

/// Two attempts at one part with different rests: the one that is taken counts with its own rest only.
#[test]
fn of_two_attempts_one_counts() {
    if !clang_is_there() {
        return;
    }
    let expected = whole();
    let [coarse, fine] = ["150", "50"].map(|slice| {
        let parted = Parted::split(&CHECK);
        parted.run(&["--slice-events", slice]);
        parted.lines()
    });
    let parted = Parted::split(&CHECK);
    parted.run(&["--slice-events", "50"]);
    for lines in [[&coarse[..], &fine[..]].concat(), [&fine[..], &coarse[..]].concat()] {
        parted.replace(&lines);
        let ran = parted.merge(&["--format", "json"]);
        assert_eq!(without_times(&ran.out), expected, "{}", ran.err);
        assert!(ran.err.contains("left aside"), "{}", ran.err);
    }
}

#[test]
fn results_of_another_job_and_of_another_program_are_errors() {
    if !clang_is_there() {
        return;
    }
    let own = Parted::split(&CHECK);
    own.run(&["--slice-events", "500"]);
    let other = Parted::split(&["--cat", "sc", "--keep-going", "tests/c/bench/lamport.c"]);
    other.run(&["--slice-events", "500"]);
    let mut lines = own.lines();
    lines.extend(other.lines().into_iter().take(1));
    own.replace(&lines);
    let ran = own.merge(&[]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("hmc::job-foreign"), "{}", ran.err);
    // Parts of another job are refused by whoever is to search them.
    let fresh = Parted::split(&["--cat", "sc", "--keep-going", "tests/c/bench/lamport.c"]);
    let list = other.list(&Parted::split(&CHECK).open());
    let ran = other.run(&["--parts", list.to_str().expect("UTF-8")]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("hmc::job-foreign"), "{}", ran.err);
    // So is a job of another version.
    let file = fresh.path().join("job.json");
    let text = std::fs::read_to_string(&file).expect("a job");
    std::fs::write(&file, text.replacen("\"made_by\": \"hmc ", "\"made_by\": \"hmc 9", 1)).expect("written");
    let ran = fresh.merge(&[]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("hmc::job-version"), "{}", ran.err);
}

/// How many bytes of results a job has on disk.
#[cfg(unix)]
fn written(job: &std::path::Path) -> u64 {
    let results = std::fs::read_dir(job.join("results")).into_iter().flatten();
    results.map(|entry| entry.and_then(|entry| entry.metadata()).map_or(0, |data| data.len())).sum()
}

/// Workers are killed at any time; what they have not written is searched again.
#[cfg(unix)]
#[test]
fn workers_are_killed() {
    if !clang_is_there() {
        return;
    }
    let check = ["--cat", "rc11", "tests/c/bench/fib.c", "--", "-DN=5"];
    let mut whole = vec!["--format", "json"];
    whole.extend(check);
    let expected = without_times(&hmc(&whole).out);
    let parted = Parted::split(&check);
    let mut kills = 0;
    for round in 0..40u64 {
        let path = parted.path();
        let mut child = command()
            .args(["run", "--slice-events", "2000", "--threads", "2", "--format", "json", "--job"])
            .arg(&path)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("hmc can be started");
        // Whatever the machine's speed: the first kill comes right after the first results, the others a little later.
        let before = written(&path);
        while written(&path) == before && child.try_wait().expect("asked").is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(7 * round));
        if child.try_wait().expect("asked").is_some() {
            break;
        }
        child.kill().expect("killed");
        child.wait().expect("waited for");
        kills += 1;
    }
    assert!(kills > 0);
    let ran = parted.run(&["--format", "json"]);
    assert_eq!(without_times(&ran.out), expected);
}

/// A run with a checkpoint that is interrupted ten times gives the report of one that is not.
#[cfg(unix)]
#[test]
fn a_run_that_is_interrupted_goes_on() {
    if !clang_is_there() {
        return;
    }
    let check = ["--cat", "rc11", "tests/c/bench/fib.c"];
    let size = ["--", "-DN=5"];
    let mut whole = vec!["--format", "json"];
    whole.extend(check);
    whole.extend(size);
    let expected = without_times(&hmc(&whole).out);
    let files = tempfile::tempdir().expect("a directory");
    let directory = files.path().join("kept");
    let begin = || {
        let mut command = command();
        command.args(check).args(["--threads", "2", "--format", "json", "--checkpoint"]).arg(&directory).args(size);
        command
    };
    let mut ends = Vec::new();
    for (round, signal) in ["-INT", "-TERM", "-USR1"].iter().cycle().take(10).enumerate() {
        let child = begin().stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("hmc can be started");
        std::thread::sleep(Duration::from_millis(150 + 20 * round as u64));
        let sent = Command::new("kill").args([*signal, &child.id().to_string()]).stderr(Stdio::null()).status();
        assert!(sent.is_ok());
        let ran = ran(child.wait_with_output().expect("it ends"));
        ends.push(ran.code);
    }
    // Ended before the handler stood, or with what is left told.
    assert!(ends.iter().all(|code| [0, 3, -1].contains(code)), "{ends:?}");
    let ran = hmc(&["run", "--job", directory.to_str().expect("UTF-8"), "--format", "json"]);
    assert_eq!(without_times(&ran.out), expected, "{ends:?}: {}", ran.err);
}

/// What is left is written within a second, of a program that nobody can wait for.
#[cfg(unix)]
#[test]
fn what_is_left_is_written_soon() {
    if !clang_is_there() {
        return;
    }
    let files = Files::new();
    let program = files.file("endless.c", ENDLESS);
    let folder = tempfile::tempdir().expect("a directory");
    let directory = folder.path().join("kept");
    let mut command = command();
    command.args(["--cat", "rc11", "--checkpoint"]).arg(&directory).arg(&program);
    let begun = Instant::now();
    let ran = interrupted(command, Duration::from_secs(3));
    assert!(begun.elapsed() < Duration::from_secs(3 + 4), "{:?}", begun.elapsed());
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(ran.out.contains("hmc run --job"), "{}", ran.out);
    // By the time limit, too.
    let ran = hmc(&["run", "--timeout", "1", "--job", directory.to_str().expect("UTF-8")]);
    assert_eq!(ran.code, 3);
}
