//! C programs with known verdicts and execution counts: everything in `tests/c` and `tests/ck`.
//!
//! A program says in its first lines what is expected of it (see `tests/c/README.md`). Without clang 15 or later, or without the
//! headers of Concurrency Kit for `tests/ck`, the tests print a notice and check nothing.

mod support;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::clang_is_there;
use support::cores::on_all_cores;

/// One expectation line.
struct Expectation {
    file: PathBuf,
    /// Options of hmc.
    options: Vec<String>,
    /// Flags of clang.
    flags: Vec<String>,
    /// One for all models of the run, or one each.
    verdicts: Vec<String>,
    /// What is found where the verdict is `violated`; its lines are then those that say `HERE` in a comment.
    kind: Option<String>,
    /// The beginning of a warning that is given.
    warning: Option<String>,
    executions: Option<u64>,
    up_to_renaming: Option<u64>,
    blocked: Option<u64>,
    /// How many notes there are about what may be missing or was left for the end, but for the one on models that allow values out of thin air.
    notes: Option<usize>,
}

impl Expectation {
    /// Reads `--cat sc --unroll 3 -- -DN=2 => holds executions=4`.
    fn parse(file: &Path, text: &str) -> Self {
        let Some((command, outcome)) = text.split_once("=>") else {
            panic!("{}: an expectation without =>: {text}", file.display());
        };
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let (options, flags) = command.split_once(" -- ").unwrap_or((command, ""));
        let mut outcome = outcome.split_whitespace();
        let Some(verdicts) = outcome.next() else {
            panic!("{}: an expectation without a verdict: {text}", file.display());
        };
        let mut expectation = Expectation {
            file: file.to_owned(),
            options: words(options),
            flags: words(flags),
            verdicts: verdicts.split(',').map(str::to_owned).collect(),
            kind: None,
            warning: None,
            executions: None,
            up_to_renaming: None,
            blocked: None,
            notes: None,
        };
        for word in outcome {
            match word.split_once('=').map(|(key, value)| (key, value, value.parse())) {
                Some(("executions", _, Ok(n))) => expectation.executions = Some(n),
                Some(("up-to-renaming", _, Ok(n))) => expectation.up_to_renaming = Some(n),
                Some(("blocked", _, Ok(n))) => expectation.blocked = Some(n),
                Some(("notes", _, Ok(n))) => expectation.notes = Some(n as usize),
                Some(("kind", kind, _)) => expectation.kind = Some(kind.to_owned()),
                Some(("warning", kind, _)) => expectation.warning = Some(kind.to_owned()),
                _ => panic!("{}: unknown word {word} in: {text}", file.display()),
            }
        }
        expectation
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hmc"));
        command.args(&self.options).args(["--format", "json", "--timeout", "300"]).arg(&self.file);
        if !self.flags.is_empty() {
            command.arg("--").args(&self.flags);
        }
        command
    }

    /// What differs from what is expected, if anything.
    fn check(&self) -> Option<String> {
        let what = format!("{} {} -- {}", self.file.display(), self.options.join(" "), self.flags.join(" "));
        let output = match self.command().output() {
            Ok(output) => output,
            Err(error) => return Some(format!("{what}: {error}")),
        };
        let Ok(report) = serde_json::from_slice::<Value>(&output.stdout) else {
            return Some(format!("{what}: no JSON: {}", String::from_utf8_lossy(&output.stderr)));
        };
        let results = report["results"].as_array().map(Vec::as_slice).unwrap_or_default();
        if results.is_empty() || self.verdicts.len() > 1 && self.verdicts.len() != results.len() {
            return Some(format!("{what}: {} results for {} verdicts", results.len(), self.verdicts.len()));
        }
        results.iter().enumerate().find_map(|(i, result)| {
            let expected = self.verdicts.get(i).or(self.verdicts.first())?;
            self.check_result(result, expected).map(|difference| format!("{what}: {difference}"))
        })
    }

    fn check_result(&self, result: &Value, expected: &str) -> Option<String> {
        let model = &result["model"];
        let verdict = result["verdict"].as_str().unwrap_or("none");
        if verdict != expected {
            return Some(format!("expected {expected} under {model}, found {verdict}: {result}"));
        }
        let count = |name: &str, expected: Option<u64>| match (expected, result["executions"][name].as_u64()) {
            (Some(expected), found) if found != Some(expected) => {
                Some(format!("expected {expected} {name} executions under {model}, found {found:?}"))
            }
            _ => None,
        };
        let finding = || match &self.kind {
            Some(kind) if verdict == "violated" => self.check_finding(&result["violation"], kind),
            _ => None,
        };
        let warning = || {
            let wanted = self.warning.as_ref()?;
            let warnings = result["warnings"].as_array().map(Vec::as_slice).unwrap_or_default();
            match warnings.iter().find(|w| w["kind"].as_str() == Some(wanted)) {
                Some(warning) => self.check_finding(warning, wanted),
                None => Some(format!("no warning `{wanted}` under {model}")),
            }
        };
        let counts = || {
            count("complete", self.executions)
                .or_else(|| count("up_to_renaming", self.up_to_renaming))
                .or_else(|| count("blocked", self.blocked))
        };
        let notes = || {
            let is_of_model = |note: &&Value| note.as_str().is_some_and(|note| note.contains("form a cycle"));
            let found =
                result["notes"].as_array().map_or(0, |all| all.iter().filter(|note| !is_of_model(note)).count());
            let wanted = self.notes.filter(|&n| n != found)?;
            Some(format!("expected {wanted} notes under {model}, found {found}: {}", result["notes"]))
        };
        counts().or_else(finding).or_else(warning).or_else(notes)
    }

    /// A finding is of its kind, and all lines that it names say `HERE`.
    fn check_finding(&self, finding: &Value, kind: &str) -> Option<String> {
        let message = &finding["message"];
        if finding["kind"].as_str() != Some(kind) {
            return Some(format!("expected a finding of kind {kind}, found {}: {message}", finding["kind"]));
        }
        let events = finding["events"].as_array().map(Vec::as_slice).unwrap_or_default();
        let of_events = events.iter().filter_map(|e| finding["execution"]["events"].get(e.as_u64()? as usize));
        let places: Vec<&Value> =
            std::iter::once(&finding["place"]).chain(of_events.map(|e| &e["place"])).filter(|p| !p.is_null()).collect();
        if places.is_empty() {
            return Some(format!("the finding has no place: {message}"));
        }
        places.iter().find_map(|place| {
            let line = place["line"].as_u64()? as usize;
            let text = std::fs::read_to_string(place["file"].as_str()?).unwrap_or_default();
            let line_text = text.lines().nth(line.saturating_sub(1)).unwrap_or("");
            (!line_text.contains("HERE")).then(|| format!("line {line} was not expected: {message}: {line_text}"))
        })
    }
}

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
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut expectations = Vec::new();
    for file in sources(&root) {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let before = expectations.len();
        let lines = text.lines().filter_map(|line| line.strip_prefix("// hmc: "));
        expectations.extend(lines.map(|line| Expectation::parse(&file, line)));
        assert!(expectations.len() > before, "{} says nothing about what is expected of it", file.display());
    }
    assert!(!expectations.is_empty(), "no programs in {folder}");

    let wrong: Vec<String> = on_all_cores(&expectations, Expectation::check).into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), expectations.len(), wrong.join("\n"));
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
