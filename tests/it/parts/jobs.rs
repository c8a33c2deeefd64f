//! Jobs for the tests: split, run, merged.

use crate::cli::support::{Ran, command, ran};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A check that is made in parts.
pub struct Parted {
    directory: tempfile::TempDir,
}

/// Runs hmc.
pub fn hmc<S: AsRef<std::ffi::OsStr>>(arguments: &[S]) -> Ran {
    ran(command().args(arguments).output().expect("hmc can be started"))
}

/// A report without what is another each time: times, and what is said of parts.
pub fn without_times(text: &str) -> Value {
    let mut report: Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}:\n{text}"));
    for result in report["results"].as_array_mut().expect("results") {
        result["seconds"] = Value::Null;
        let is_violated = !result["violation"].is_null();
        if let Some(explored) = result.get_mut("explored") {
            explored["model_seconds"] = Value::Null;
            // Where the search ended before its end, some revisits were looked up and not tried.
            if is_violated {
                explored["revisits_tried"] = Value::Null;
            }
        }
        let notes = result["notes"].as_array_mut().expect("notes");
        notes
            .retain(|note| !note.as_str().is_some_and(|note| note.starts_with("of the executions of different parts")));
    }
    report
}

impl Parted {
    /// Splits a check.
    pub fn split(check: &[&str]) -> Parted {
        Parted::try_split(check).unwrap_or_else(|ran| panic!("{check:?}: {}\n{}", ran.code, ran.err))
    }

    /// The same, if it can be split.
    pub fn try_split(check: &[&str]) -> Result<Parted, Ran> {
        let parted = Parted { directory: tempfile::tempdir().expect("a directory") };
        let directory = parted.path();
        let mut arguments = vec!["split", "-q", "-o", directory.to_str().expect("UTF-8")];
        arguments.extend(check);
        let ran = hmc(&arguments);
        if ran.code == 0 { Ok(parted) } else { Err(ran) }
    }

    /// Where the job is.
    pub fn path(&self) -> PathBuf {
        self.directory.path().join("job")
    }

    /// Runs `hmc run` on it.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        let path = self.path();
        let mut all = vec!["run", "--job", path.to_str().expect("UTF-8")];
        all.extend(arguments);
        hmc(&all)
    }

    /// Runs `hmc merge` on it.
    pub fn merge(&self, arguments: &[&str]) -> Ran {
        let path = self.path();
        let mut all = vec!["merge", path.to_str().expect("UTF-8")];
        all.extend(arguments);
        hmc(&all)
    }

    /// The parts that are open, a line each.
    pub fn open(&self) -> Vec<String> {
        let list = self.directory.path().join("open.jsonl");
        self.merge(&["-q", "--pending", list.to_str().expect("UTF-8")]);
        let text = std::fs::read_to_string(&list).expect("a list");
        text.lines().map(str::to_owned).collect()
    }

    /// Writes a list of parts.
    pub fn list(&self, parts: &[String]) -> PathBuf {
        let list = self.directory.path().join("list.jsonl");
        std::fs::write(&list, parts.iter().map(|part| format!("{part}\n")).collect::<String>()).expect("written");
        list
    }

    /// Searches one part by a process of its own.
    pub fn search(&self, part: &str, events: u64) -> Ran {
        let list = self.list(&[part.to_owned()]);
        self.run(&["--parts", list.to_str().expect("UTF-8"), "--slice-events", &events.to_string(), "--threads", "1"])
    }

    /// The files with results.
    pub fn results(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.path().join("results"));
        let mut files: Vec<PathBuf> = entries.into_iter().flatten().map(|e| e.expect("an entry").path()).collect();
        files.sort();
        files
    }

    /// All lines of results.
    pub fn lines(&self) -> Vec<String> {
        let text = |file: &PathBuf| std::fs::read_to_string(file).expect("results");
        self.results().iter().flat_map(|file| text(file).lines().map(str::to_owned).collect::<Vec<_>>()).collect()
    }

    /// Replaces all results by these lines.
    pub fn replace(&self, lines: &[String]) {
        let folder = self.path().join("results");
        std::fs::remove_dir_all(&folder).expect("removed");
        std::fs::create_dir(&folder).expect("made");
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(folder.join("all.jsonl"), text).expect("written");
    }
}

/// The file of a program of `tests/c`.
pub fn program(name: &str) -> String {
    Path::new("tests/c").join(name).display().to_string()
}
