//! Files of the Linux kernel as they stand (`--linux`), with the harnesses of `tests/kernel`: verdicts and numbers of executions, and variants that are broken
//! on purpose, each found by the harness of the file that is not.
//!
//! They need a tree: `HMC_LINUX=DIR`, or Debian's package `linux-source-6.12`, of which the folders that are needed are unpacked. Without one they are
//! left out. Runs whose line says `slow` are made with `HMC_LINUX_ALL=1` only.
//!
//! `cargo test --release --test it c::linux_files -- --nocapture` prints the time of each run; `HMC_LINUX_ONLY=TEXT` makes those whose file has TEXT in its name.
//!
//! The first lines of a harness say what is expected:
//!
//! ```text
//! // hmc: --cat lkmm => holds executions=24          as for `hmc test`; `slow` in front of `=>` leaves it out
//! // broken: lib/llist.c: OLD -> NEW => race         the same with a copy of that file in which OLD, which it has, is replaced
//! // broken: lib/llist.c @ANCHOR: OLD -> NEW => …    the first OLD behind the line that has ANCHOR
//! ```
//!
//! A line `broken` may expect `holds`: that the change is none to the model is looked at as well. Behind ` -- ` stand flags for clang, in a line `broken` other
//! options of the run.

use crate::support::left_out::left_out;
use crate::support::linux_tree;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Seconds after which a run is given up.
const LIMIT: &str = "600";

/// A file of the tree that is changed.
struct Change {
    file: String,
    anchor: Option<String>,
    old: String,
    new: String,
}

/// One run of a harness.
struct Run {
    harness: PathBuf,
    line: String,
    arguments: Vec<String>,
    /// For clang.
    flags: Vec<String>,
    change: Option<Change>,
    /// Verdict, kind of the finding, number of executions.
    expected: Vec<String>,
    slow: bool,
}

/// The runs that the first lines of a harness ask for.
fn runs(harness: &Path) -> Vec<Run> {
    let text = std::fs::read_to_string(harness).expect("a harness");
    let run = |line: &str| {
        let (kind, rest) = line.strip_prefix("// ")?.split_once(": ")?;
        let (asked, expected) = rest.rsplit_once("=>").unwrap_or_else(|| panic!("{}: {line}", harness.display()));
        let (asked, flags) = asked.split_once(" -- ").unwrap_or((asked, ""));
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let (change, mut arguments) = match kind {
            "hmc" => (None, words(asked)),
            "broken" => {
                let (file, change) = asked.split_once(": ").expect("a file");
                let (file, anchor) = match file.split_once(" @") {
                    Some((file, anchor)) => (file, Some(anchor.to_owned())),
                    None => (file, None),
                };
                let (old, new) = change.split_once(" -> ").expect("what is replaced, and by what");
                let (old, new) = (old.trim().to_owned(), new.trim().to_owned());
                (Some(Change { file: file.to_owned(), anchor, old, new }), words(flags))
            }
            _ => return None,
        };
        let slow = arguments.iter().any(|word| word == "slow");
        arguments.retain(|word| word != "slow");
        let flags = if change.is_none() { words(flags) } else { Vec::new() };
        let (harness, line, expected) = (harness.to_owned(), line.to_owned(), words(expected));
        Some(Run { harness, line, arguments, flags, change, expected, slow })
    };
    text.lines().take_while(|line| line.starts_with("//")).filter_map(run).collect()
}

impl Change {
    /// Puts a changed copy into a folder that stands in front of the tree.
    fn apply(&self, tree: &Path, front: &Path) -> Result<(), String> {
        let absent = |what: &str| format!("`{what}` is not in {} of the tree", self.file);
        let text = std::fs::read_to_string(tree.join(&self.file)).map_err(|e| format!("{}: {e}", self.file))?;
        let from = self.anchor.as_ref().map_or(Ok(0), |anchor| text.find(anchor).ok_or_else(|| absent(anchor)))?;
        let at = from + text[from..].find(&self.old).ok_or_else(|| absent(&self.old))?;
        let changed = format!("{}{}{}", &text[..at], self.new, &text[at + self.old.len()..]);
        let copy = front.join(&self.file);
        let folder = copy.parent().expect("a folder");
        std::fs::create_dir_all(folder).expect("a folder");
        // A file finds the headers beside it before any others: those beside the changed one stand in front as well.
        let beside = tree.join(&self.file);
        for entry in std::fs::read_dir(beside.parent().expect("a folder")).map_err(|e| format!("{}: {e}", self.file))? {
            let file = entry.expect("a file").path();
            let name = file.file_name().expect("a name");
            if file != beside {
                std::os::unix::fs::symlink(&file, folder.join(name)).expect("a link");
            }
        }
        std::fs::write(copy, changed).expect("a copy");
        Ok(())
    }
}

/// Makes a run; what differs from what is expected.
fn made(run: &Run, tree: &Path) -> Result<(), String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hmc"));
    command.args(["--format", "json", "--timeout", LIMIT, "--threads", "1"]).arg("--linux").arg(tree);
    let front = tempfile::tempdir().expect("a folder");
    if let Some(change) = &run.change {
        change.apply(tree, front.path())?;
        for include in [front.path().to_owned(), front.path().join("include")] {
            command.arg("-I").arg(include);
        }
    }
    command.args(&run.arguments).arg(&run.harness).arg("--").args(&run.flags);
    let output = command.output().expect("hmc");
    let text = String::from_utf8_lossy(&output.stdout);
    let report: Value =
        serde_json::from_str(&text).map_err(|e| format!("{e}: {text}{}", String::from_utf8_lossy(&output.stderr)))?;
    let results = report["results"].as_array().ok_or("a report without results")?;
    for result in results {
        let kind = result["violation"]["kind"].as_str().unwrap_or_default();
        let found = [
            result["verdict"].as_str().unwrap_or_default().to_owned(),
            kind.to_owned(),
            format!("executions={}", result["executions"]["complete"]),
        ];
        if let Some(missing) = run.expected.iter().find(|expected| !found.contains(expected)) {
            let messages = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{missing} expected, found {}\n{messages}", found.join(" ")));
        }
    }
    if results.is_empty() { Err("no test was run".into()) } else { Ok(()) }
}

#[test]
fn files_of_the_kernel_are_judged_as_recorded() {
    let Some(tree) = linux_tree::tree() else { return };
    let all = std::env::var_os("HMC_LINUX_ALL").is_some();
    let only = std::env::var("HMC_LINUX_ONLY").unwrap_or_default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel");
    let mut harnesses: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("harnesses").map(|entry| entry.expect("a harness").path()).collect();
    harnesses.sort();
    assert!(harnesses.iter().all(|harness| !runs(harness).is_empty()), "each harness says what is expected");
    let runs: Vec<Run> = harnesses.iter().flat_map(|harness| runs(harness)).collect();
    let slow = runs.iter().filter(|run| run.slow && !all).count();
    if slow > 0 {
        left_out(&format!("{slow} runs of kernel files that take longer: HMC_LINUX_ALL=1 makes them"));
    }
    let wanted = |run: &&Run| (all || !run.slow) && run.harness.display().to_string().contains(&only);
    let runs: Vec<&Run> = runs.iter().filter(wanted).collect();
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(run) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let begin = Instant::now();
                    let result = made(run, &tree);
                    let name = run.harness.file_name().expect("a name").to_string_lossy();
                    println!("{:6.2} s  {name}: {}", begin.elapsed().as_secs_f64(), run.line);
                    if let Err(what) = result {
                        wrong.lock().expect("no panic").push(format!("{name}: {}\n  {what}", run.line));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{} of {} runs differ:\n{}", wrong.len(), runs.len(), wrong.join("\n"));
}

/// A run of hmc on a text as a test of kernel files: exit code, and what it prints.
fn printed(tree: &Path, text: &str, more: &[&str]) -> (i32, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("test.c");
    std::fs::write(&file, text).expect("a test");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hmc"));
    let output = command.args(["--threads", "1", "--linux"]).arg(tree).arg(&file).args(more).output().expect("hmc");
    let printed = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.code().unwrap_or(-1), printed)
}

#[test]
fn a_function_that_is_missing_is_named_with_the_file_that_defines_it() {
    let Some(tree) = linux_tree::tree() else { return };
    let text = "#include <linux/completion.h>\n#include <hmc/linux.h>\nstatic DECLARE_COMPLETION(done);\nHMC_TEST(one) { complete(&done); }\n";
    let (code, printed) = printed(&tree, text, &[]);
    assert_eq!(code, 4, "{printed}");
    for part in ["test.c:4:", "hmc::unsupported", "`complete`", "kernel/sched/completion.c:", "--link"] {
        assert!(printed.contains(part), "`{part}` is missing in\n{printed}");
    }
}

#[test]
fn a_file_of_the_tree_is_linked() {
    let Some(tree) = linux_tree::tree() else { return };
    let text = "#include <linux/bitmap.h>\n#include <hmc/linux.h>\n\
                HMC_TEST(one) { unsigned long bits[2] = { 0, 4 }; BUG_ON(find_first_bit(bits, 128) != 66); }\n";
    let (code, unlinked) = printed(&tree, text, &[]);
    assert!(code == 4 && unlinked.contains("lib/find_bit.c:"), "{unlinked}");
    let (code, linked) = printed(&tree, text, &["--link", "lib/find_bit.c"]);
    assert!(code == 0 && linked.contains("holds, 1 execution"), "{linked}");
}

#[test]
fn a_race_is_shown_at_the_lines_of_the_file_and_by_the_functions_of_the_test() {
    let Some(tree) = linux_tree::tree() else { return };
    let text = "#include \"lib/errseq.c\"\n#include <hmc/linux.h>\nstatic int x;\n\
                static void writer(void) { x = 1; }\nstatic void reader(void) { READ_ONCE(x); }\n\
                HMC_TEST(one) { hmc_cpu(0, writer); hmc_cpu(1, reader); hmc_join(); }\n";
    let (code, printed) = printed(&tree, text, &[]);
    assert_eq!(code, 1, "{printed}");
    for part in ["T1 writer", "T2 reader", "W x = 1", "test.c:4:", "test.c::one under lkmm: violated"] {
        assert!(printed.contains(part), "`{part}` is missing in\n{printed}");
    }
    assert!(!printed.contains("hmc_begin"), "{printed}");
}
