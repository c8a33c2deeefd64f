//! The kernel's own model files, unmodified, against the bundled model: the same verdicts, states, counts and races.
//!
//! The shapes are those of `tests/shapes/expected.tsv`; the tests of the reference corpus are compared besides. Nothing is run when
//! the kernel's files are not there; that is said.

use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::Models;
use hmc::driver::{Settings, check};
use hmc::verdict::{FileResult, Sources};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const BUNDLED: &str = "lkmm";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn published() -> Option<String> {
    let file = root().join("../shared/models/linux-kernel/linux-kernel.cat");
    if file.is_file() {
        return Some(file.display().to_string());
    }
    crate::support::left_out::left_out(&format!("{} is not there", file.display()));
    None
}

/// All files under both models, on two threads: pairs of results in the order of the files.
fn both(files: &[PathBuf], published: &str) -> Vec<(FileResult, FileResult)> {
    let settings = Settings { timeout: Some(Duration::from_secs(60)), ..Settings::default() };
    let models = [BUNDLED, published].map(|name| (name, Models::new(LoadRequest::named(name), Vec::new(), false)));
    let next = AtomicUsize::new(0);
    let work = || {
        let sources = Sources::default();
        let mut mine = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(index) else { return mine };
            let [a, b] = [0, 1].map(|m| check(file, models[m].0, &models[m].1, &settings, &sources));
            mine.push((index, (a, b)));
        }
    };
    let mut all: Vec<(usize, (FileResult, FileResult))> = std::thread::scope(|scope| {
        let threads = [(); 2].map(|()| scope.spawn(work));
        threads.into_iter().flat_map(|t| t.join().expect("no panic")).collect()
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, pair)| pair).collect()
}

fn racy(result: &FileResult) -> bool {
    result.flags.iter().any(|flag| flag.name == "data-race")
}

/// What two results of one test differ in.
fn difference(a: &FileResult, b: &FileResult) -> Option<String> {
    let summary = |r: &FileResult| {
        let observation = r.observation.clone().unwrap_or_else(|| format!("{:?}", r.messages));
        format!("{observation} {:?}+{:?}, race {}, {:?}, {:?}", r.positive, r.negative, racy(r), r.states, r.notes)
    };
    let same = a.observation == b.observation
        && a.verdict == b.verdict
        && a.states == b.states
        && (a.positive, a.negative) == (b.positive, b.negative)
        && racy(a) == racy(b);
    (!same).then(|| format!("{}\n  {}\n  {}", a.file, summary(a), summary(b)))
}

#[test]
fn shapes() {
    let Some(published) = published() else { return };
    let table = std::fs::read_to_string(root().join("tests/shapes/expected.tsv")).expect("the table");
    let rows: Vec<(&str, &str)> = table.lines().filter_map(|line| line.split_once(&format!("\t{BUNDLED}\t"))).collect();
    assert!(rows.len() > 70, "{} rows", rows.len());
    let files: Vec<PathBuf> = rows.iter().map(|(test, _)| root().join(format!("tests/shapes/{test}.litmus"))).collect();
    let mut wrong = Vec::new();
    for ((test, expected), (a, b)) in rows.iter().zip(both(&files, &published)) {
        let found = match (*expected, b.observation.as_deref()) {
            ("racy" | "clean", _) => {
                if racy(&b) {
                    "racy"
                } else {
                    "clean"
                }
            }
            (_, Some("Never")) => "forbidden",
            (_, Some(_)) => "allowed",
            (_, None) => "no observation",
        };
        if found != *expected {
            wrong.push(format!("{test}: expected {expected}, found {found}"));
        }
        wrong.extend(difference(&a, &b));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn corpus() {
    let folder = root().join("../shared/corpus/lkmm");
    let (Some(published), true) = (published(), folder.is_dir()) else {
        crate::support::left_out::left_out(&format!("{} is not there", folder.display()));
        return;
    };
    let entries = std::fs::read_dir(&folder).expect("a folder").flatten().map(|e| e.path());
    let mut files: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "litmus")).collect();
    files.sort();
    let results = both(&files, &published);
    let wrong: Vec<String> = results.iter().filter_map(|(a, b)| difference(a, b)).collect();
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), files.len(), wrong.join("\n"));
    println!("{} tests", files.len());
}
