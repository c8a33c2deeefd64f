//! What is expected of litmus tests and programs: results recorded earlier, by hmc or by another tool, and what a test says of itself.
//!
//! [`read`] knows the forms of the files. Here a result is compared with what was recorded for it. Whatever a record does not
//! say is not compared, and what a search that ended early cannot know is not compared either.

pub mod comparison;
mod read;

use super::result::{FileResult, Verdict};
pub use comparison::Comparison;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub use read::{Problem, read};

/// What was recorded of one test; `None` where nothing was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// Of a program: `holds` or `violated`.
    pub verdict: Option<String>,
    /// `Ok`, `No`, `Undef`.
    pub condition: Option<String>,
    /// `Allowed`, `Forbidden`, `Required`.
    pub kind: Option<String>,
    /// `Never`, `Sometimes`, `Always`.
    pub observation: Option<String>,
    /// Executions that satisfy the proposition, and that falsify it.
    pub counts: Option<(u64, u64)>,
    /// Flags, as a log prints them.
    pub flags: Option<BTreeSet<String>>,
    /// Flags that must be among those raised.
    pub some_flags: BTreeSet<String>,
    /// States, each in a normal form.
    pub states: Option<BTreeSet<String>>,
    /// The states come from runs on hardware: all must be allowed, and there may be others.
    pub observed_on_hardware: bool,
    /// All executions were ruled out by a lock that is never free.
    pub deadlock: bool,
}

/// A record and what it is about.
#[derive(Clone, Debug, Default)]
struct Record {
    file: Option<PathBuf>,
    name: Option<String>,
    hash: Option<String>,
    model: Option<String>,
    expected: Expected,
    /// It is a block of a log that was not written to its end.
    is_cut: bool,
    /// The result itself, when the file has it in full.
    result: Option<Box<FileResult>>,
}

impl Record {
    /// Whether the test need not be run again: a result has to be of this test under this model, as they are now, and of as many executions as are asked for.
    fn is_answer(&self, key: &Key<'_>, condition_only: bool) -> bool {
        let is_same = |r: &FileResult| {
            (r.hash.as_deref(), r.kind.as_deref()) == (key.hash, key.kind) && r.model_sha256 == key.model_sha256
        };
        let is_final = |r: &FileResult| {
            !matches!(r.verdict, Verdict::Error | Verdict::Bounded) && (condition_only || !r.partial) && is_same(r)
        };
        !self.is_cut && self.result.as_deref().is_none_or(is_final)
    }
}

/// The records of one file.
#[derive(Clone, Debug, Default)]
pub struct Expectations {
    source: String,
    records: Vec<Record>,
    by_name: FxHashMap<String, Vec<usize>>,
}

impl Expectations {
    fn new(source: String, records: Vec<Record>) -> Expectations {
        let mut by_name: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (i, record) in records.iter().enumerate() {
            let base = record.file.as_deref().map(base);
            for key in base.into_iter().chain(record.name.clone()).collect::<BTreeSet<_>>() {
                by_name.entry(key).or_default().push(i);
            }
        }
        Expectations { source, records, by_name }
    }

    /// Where the records come from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Number of records.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The record for a test.
    fn record(&self, key: &Key<'_>) -> Option<&Record> {
        self.records_of(key).into_iter().next()
    }

    /// The records for a test: by its file, then by its name.
    fn records_of(&self, key: &Key<'_>) -> Vec<&Record> {
        let path = Path::new(key.file);
        let at = |name: &str| self.by_name.get(name).map_or(&[][..], Vec::as_slice).iter().map(|&i| &self.records[i]);
        let of_model = |r: &&Record| r.model.as_deref().is_none_or(|m| m == key.model);
        let by_file = at(&base(path)).filter(|r| r.file.as_deref().is_some_and(|f| same_file(f, path)));
        let agree = |a: &Option<String>, b: Option<&str>| a.as_deref().zip(b).is_none_or(|(a, b)| a == b);
        let same = |r: &&Record| agree(&r.hash, key.hash) && agree(&r.expected.kind, key.kind);
        let by_name = at(key.name).filter(|r| r.file.is_none()).filter(same);
        by_file.chain(by_name).filter(of_model).collect()
    }

    /// What is expected of a result. A record that has nothing to hold it to is none.
    pub fn find(&self, result: &FileResult) -> Option<&Expected> {
        let key = Key::of(result);
        let of_kind = Key { kind: result.kind.as_deref(), ..key };
        self.record(&of_kind).or_else(|| self.record(&key)).map(|r| &r.expected).filter(|e| !e.says_nothing())
    }

    /// Why a result is held to none of the records, where one of them is near.
    pub fn why_not(&self, result: &FileResult) -> Option<String> {
        let key = Key::of(result);
        let source = &self.source;
        if self.record(&key).is_some() {
            return Some(format!("{source} has no answer recorded for it"));
        }
        let base = base(Path::new(&result.file));
        let near = |name: &str| self.by_name.get(name).into_iter().flatten().map(|&i| &self.records[i]);
        let differs = |a: &Option<String>, b: &str| a.as_deref().filter(|a| *a != b).map(str::to_owned);
        let hash = result.hash.as_deref().unwrap_or_default();
        if let Some(other) = near(&result.name).filter(|r| r.file.is_none()).find_map(|r| differs(&r.hash, hash)) {
            return Some(format!("{source} has a test of this name with another hash, {other}"));
        }
        let same = near(&base).filter(|r| r.file.as_deref().is_some_and(|f| same_file(f, Path::new(&result.file))));
        let other = same.into_iter().find_map(|r| differs(&r.model, key.model))?;
        Some(format!("{source} has it under {other} only"))
    }

    /// Whether its records say under which models they are.
    pub fn names_models(&self) -> bool {
        self.records.iter().all(|record| record.model.is_some())
    }

    /// The answer that the file has to this test, if it has one.
    pub fn answer(&self, key: &Key<'_>, condition_only: bool) -> Option<Answer<'_>> {
        let record = self.records_of(key).into_iter().find(|r| r.is_answer(key, condition_only))?;
        Some(record.result.as_deref().map_or(Answer::Said(&record.expected), Answer::InFull))
    }
}

/// An answer of an earlier run.
pub enum Answer<'a> {
    /// The result itself.
    InFull(&'a FileResult),
    /// What a log says of it.
    Said(&'a Expected),
}

/// What a record is looked up by.
#[derive(Clone, Copy, Debug)]
pub struct Key<'a> {
    /// Path of the test.
    pub file: &'a str,
    /// Name of the test.
    pub name: &'a str,
    /// Its hash, when it is known.
    pub hash: Option<&'a str>,
    /// Its kind, when it is known: tests that differ in their conditions only have the same hash.
    pub kind: Option<&'a str>,
    /// The model, as the user named it.
    pub model: &'a str,
    /// The identity of the model's text.
    pub model_sha256: &'a str,
}

impl Key<'_> {
    fn of(result: &FileResult) -> Key<'_> {
        Key {
            file: &result.file,
            name: &result.name,
            hash: result.hash.as_deref(),
            kind: None,
            model: &result.model,
            model_sha256: &result.model_sha256,
        }
    }
}

fn base(path: &Path) -> String {
    path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}

fn same_file(a: &Path, b: &Path) -> bool {
    a == b || a.canonicalize().ok().zip(b.canonicalize().ok()).is_some_and(|(a, b)| a == b)
}

impl Expected {
    /// Whether there is nothing to hold a result to. The kind is a part of the question.
    fn says_nothing(&self) -> bool {
        let has_flags = self.flags.as_ref().is_some_and(|flags| !flags.is_empty()) || !self.some_flags.is_empty();
        let words = [&self.verdict, &self.condition, &self.observation];
        let is_silent = words.iter().all(|word| word.is_none()) && self.counts.is_none() && self.states.is_none();
        is_silent && !has_flags && !self.deadlock
    }

    /// What differs in a result.
    pub fn differences(&self, result: &FileResult) -> Vec<String> {
        if let Some(wanted) = &self.verdict {
            return self.differences_of_program(wanted, result);
        }
        let mut all = Vec::new();
        let mut compare = |what: &str, wanted: &Option<String>, got: &Option<String>| {
            if let (Some(wanted), Some(got)) = (wanted, got)
                && wanted != got
            {
                all.push(format!("{what}: expected {wanted}, got {got}"));
            }
        };
        if result.condition.is_none() {
            return vec!["no result".to_owned()];
        }
        compare("condition", &self.condition, &result.condition);
        compare("kind", &self.kind, &result.kind);
        compare("observation", &self.observation, &result.observation);
        if result.partial {
            self.compare_seen(result, &mut all);
            return all;
        }
        let counts = result.positive.zip(result.negative);
        if let (Some(wanted), Some(got)) = (self.counts, counts)
            && wanted != got
        {
            all.push(format!("executions: expected {} and {}, got {} and {}", wanted.0, wanted.1, got.0, got.1));
        }
        if self.deadlock && counts != Some((0, 0)) {
            all.push("expected no execution to end".to_owned());
        }
        self.compare_flags(result, &mut all);
        self.compare_states(result, &mut all);
        all
    }

    /// What differs in the result of a program. Counts depend on what is told apart, so they are not compared.
    fn differences_of_program(&self, wanted: &str, result: &FileResult) -> Vec<String> {
        let mut all = Vec::new();
        if result.verdict.word() != wanted {
            all.push(format!("verdict: expected {wanted}, got {}", result.verdict.word()));
        } else if result.verdict == Verdict::Holds {
            self.compare_flags(result, &mut all);
        }
        all
    }

    /// What the executions that were seen rule out, whatever the others are.
    fn compare_seen(&self, result: &FileResult, all: &mut Vec<String>) {
        let (positive, negative) = (result.positive.unwrap_or(0), result.negative.unwrap_or(0));
        match self.observation.as_deref() {
            Some("Never") if positive > 0 => {
                all.push("observation: expected Never, and one execution satisfies the condition".to_owned());
            }
            Some("Always") if negative > 0 => {
                all.push("observation: expected Always, and one execution does not satisfy the condition".to_owned());
            }
            _ => {}
        }
        if let Some(wanted) = self.counts
            && (positive > wanted.0 || negative > wanted.1)
        {
            all.push(format!(
                "executions: expected {} and {}, got at least {positive} and {negative}",
                wanted.0, wanted.1
            ));
        }
        if self.deadlock && (positive, negative) != (0, 0) {
            all.push("expected no execution to end".to_owned());
        }
    }

    fn compare_flags(&self, result: &FileResult, all: &mut Vec<String>) {
        let name = |f: &super::result::Flag| if f.undefined { "*undef*".to_owned() } else { f.name.clone() };
        let got: BTreeSet<String> = result.flags.iter().map(name).collect();
        let list = |flags: &BTreeSet<String>| match flags.is_empty() {
            true => "none".to_owned(),
            false => flags.iter().cloned().collect::<Vec<_>>().join(" "),
        };
        if let Some(wanted) = &self.flags
            && *wanted != got
        {
            all.push(format!("flags: expected {}, got {}", list(wanted), list(&got)));
        }
        for flag in self.some_flags.difference(&got) {
            all.push(format!("the flag {flag} is expected and was not raised"));
        }
    }

    fn compare_states(&self, result: &FileResult, all: &mut Vec<String>) {
        // A test that answers its condition only has no states.
        let Some(wanted) = self.states.as_ref().filter(|_| result.lists_states()) else { return };
        let got: BTreeSet<String> = result.states.iter().map(|s| state(s)).collect();
        all.extend(wanted.difference(&got).map(|state| format!("state missing: {state}")));
        if !self.observed_on_hardware {
            all.extend(got.difference(wanted).map(|state| format!("state not expected: {state}")));
        }
    }
}

/// What a test says of itself: `Never`, `Sometimes` or `Always`, `DATARACE`, `DEADLOCK`. `None`: it says nothing that can be
/// checked (`Maybe`, a word that is not known).
pub fn own_words(words: &str) -> Option<Expected> {
    let mut expected = Expected::default();
    for word in words.split_whitespace() {
        match word {
            "Never" | "Sometimes" | "Always" => expected.observation = Some(word.to_owned()),
            "DATARACE" => {
                expected.some_flags.insert("data-race".to_owned());
            }
            "DEADLOCK" => expected.deadlock = true,
            _ => return None,
        }
    }
    (expected != Expected::default()).then_some(expected)
}

/// A state in a normal form: items sorted, locations without brackets, numbers decimal.
fn state(line: &str) -> String {
    let items: BTreeSet<String> = line.split(';').map(str::trim).filter(|i| !i.is_empty()).map(item).collect();
    items.iter().map(|item| format!("{item};")).collect::<Vec<_>>().join(" ")
}

fn item(text: &str) -> String {
    let Some((place, value)) = text.split_once('=') else { return text.to_owned() };
    let place = place.trim();
    let place = place.strip_prefix('[').and_then(|p| p.strip_suffix(']')).unwrap_or(place);
    // Labels are quoted in some logs, and bare in others.
    let value = value.trim();
    let value = value.strip_prefix("label:\"").and_then(|v| v.strip_suffix('"')).unwrap_or(value);
    let hexadecimal = value.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
    hexadecimal.map_or_else(|| format!("{place}={value}"), |number| format!("{place}={number}"))
}

#[cfg(test)]
mod tests;
