//! Every cycle and every pair of accesses that is printed is confirmed by the reference evaluator: on all programs of `tests/c/wrong`, on
//! the wrong ones of pairs, and on a sample of the corpus, what exploration and the namer of edges found must pass.
//!
//! `verdict::reasons::recheck` does the confirming whenever hmc runs, and what does not pass is not printed; here nothing may fail to pass. That wrong
//! edges do fail is tested beside it.

use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::Models;
use hmc::driver::{Settings, check};
use hmc::llvm::clang;
use hmc::verdict::picture::RowOrder;
use hmc::verdict::{FileResult, Finding, Sources, Verdict};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// What was printed.
#[derive(Default)]
struct Seen {
    cycles: usize,
    races: usize,
    wrong: Vec<String>,
}

/// One file under one model.
struct Case {
    file: PathBuf,
    model: &'static str,
    defines: Vec<String>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn look(result: &FileResult, seen: &mut Seen) {
    let name = format!("{} under {}", result.file, result.model);
    if let Some(explanation) = &result.explanation {
        if explanation.unconfirmed > 0 {
            seen.wrong.push(format!("{name}: {} cycles are not confirmed", explanation.unconfirmed));
        }
        seen.cycles += explanation.rejections.iter().filter(|r| !r.cycle.is_empty()).count();
    }
    for finding in result.violation.iter().chain(&result.more_violations) {
        look_at_finding(&name, finding, seen);
    }
}

fn look_at_finding(name: &str, finding: &Finding, seen: &mut Seen) {
    if finding.kind == "race" {
        match finding.events.len() {
            2 => seen.races += 1,
            _ => seen.wrong.push(format!("{name}: the accesses of a race are not confirmed")),
        }
        return;
    }
    if finding.execution.order != RowOrder::Interleaving && finding.kind != "memory" && finding.kind != "locks" {
        match &finding.orders {
            Some(orders) if !orders.cycle.is_empty() => seen.cycles += 1,
            _ => seen.wrong.push(format!("{name}: {} has no cycle that is confirmed", finding.message)),
        }
    }
}

fn run(cases: &[Case]) -> Seen {
    let (next, seen) = (AtomicUsize::new(0), Mutex::new(Seen::default()));
    let work = || {
        let sources = Sources::default();
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let settings = Settings {
                explain: true,
                timeout: Some(Duration::from_secs(2)),
                clang_args: case.defines.clone(),
                ..Settings::default()
            };
            let models = Models::new(LoadRequest::named(case.model), Vec::new(), false);
            let result = check(&case.file, case.model, &models, &settings, &sources);
            let mut seen = seen.lock().expect("no test panics with it");
            // Without clang, or with another model's test, there is nothing to look at.
            if result.verdict != Verdict::Error {
                look(&result, &mut seen);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    seen.into_inner().expect("no test panics with it")
}

fn check_all(cases: &[Case], at_least: usize) {
    let seen = run(cases);
    println!("{} files and models: {} cycles, {} races", cases.len(), seen.cycles, seen.races);
    assert!(seen.wrong.is_empty(), "{}", seen.wrong.join("\n"));
    assert!(seen.cycles >= at_least, "only {} cycles were printed", seen.cycles);
}

/// The models that the head of a program names.
fn models(file: &Path) -> Vec<&'static str> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let known = ["sc", "tso", "pso", "rc11", "imm", "lkmm", "aarch64", "power"];
    known.into_iter().filter(|m| text.contains(&format!("--cat {m} "))).collect()
}

#[test]
fn wrong_programs() {
    if clang::find().is_err() {
        return crate::support::left_out::left_out("clang is not there");
    }
    let all = files(&root().join("tests/c/wrong"), "c");
    let case = |file: &PathBuf| {
        let case = |model| Case { file: file.clone(), model, defines: Vec::new() };
        models(file).into_iter().filter(|m| *m != "sc").map(case).collect::<Vec<_>>()
    };
    check_all(&all.iter().flat_map(case).collect::<Vec<_>>(), 40);
}

#[test]
fn wrong_programs_of_pairs() {
    if clang::find().is_err() {
        return crate::support::left_out::left_out("clang is not there");
    }
    let mut cases = Vec::new();
    for file in files(&root().join("tests/c/pairs"), "c") {
        for model in models(&file).into_iter().filter(|m| ["rc11", "lkmm", "aarch64"].contains(m)) {
            cases.push(Case { file: file.clone(), model, defines: vec!["-DWRONG".to_owned()] });
        }
    }
    check_all(&cases, 20);
}

/// Every so-many-th test of each folder of the corpus.
#[test]
fn sample_of_the_corpus() {
    let corpus = root().join("../shared/corpus");
    if !corpus.is_dir() {
        return crate::support::left_out::left_out(&format!("{} is not there", corpus.display()));
    }
    let folders = [
        ("aarch64", "aarch64"),
        ("arm", "armv7"),
        ("c11", "rc11"),
        ("lkmm", "lkmm"),
        ("ppc", "power"),
        ("riscv", "riscv"),
        ("x86", "x86tso"),
    ];
    let mut cases = Vec::new();
    for (folder, model) in folders {
        let all = files(&corpus.join(folder), "litmus");
        let step = (all.len() / 25).max(1);
        cases.extend(all.into_iter().step_by(step).map(|file| Case { file, model, defines: Vec::new() }));
    }
    check_all(&cases, 50);
}
