//! The reference corpus, folder by folder, against the CPU seconds that the reference tool took: `cargo bench --bench corpus [FOLDER…]`.
//!
//! One thread; a test's time is that of reading, exploring and reporting it, after its model is loaded. Each test is run three
//! times and its fastest run counts. Then the tests that the reference tool cannot answer in 20 seconds, and the large
//! tests of this repository, once in full and once with `--condition-only`. Figures are kept in `docs/performance.md`.

use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::Models;
use hmc::driver::{Settings, check};
use hmc::verdict::{FileResult, Sources, Verdict};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// That of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const FOLDERS: [(&str, &str); 8] = [
    ("aarch64", "aarch64"),
    ("arm", "armv7"),
    ("c11", "rc11"),
    ("lkmm", "lkmm"),
    ("ppc", "power"),
    ("riscv", "riscv"),
    ("x86", "x86tso"),
    ("x86_64", "x86tso-mixed"),
];

/// Runs of a test of the corpus; the fastest counts.
const RUNS: usize = 3;
/// Tests of the last two tables are given up after this time.
const LIMIT: Duration = Duration::from_secs(60);

fn main() {
    let only: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let wanted = |name: &str| only.is_empty() || only.iter().any(|o| o == name);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = root.join("../shared/corpus");
    if corpus.is_dir() {
        println!(
            "| folder | tests | reference, s | hmc, s | tests/s | ratio | ratio, slowest decile | slowest test of hmc | ms |"
        );
        println!("|---|---:|---:|---:|---:|---:|---:|---|---:|");
        for (folder, model) in FOLDERS.into_iter().filter(|(folder, _)| wanted(folder)) {
            println!("{}", row(&corpus.join(folder), folder, model));
        }
    } else {
        println!("{} is not there: no tables of the corpus", corpus.display());
    }
    println!("\n| test | model | answer | executions | in full, s | condition only, s |");
    println!("|---|---|---|---:|---:|---:|");
    let mut large = files(&corpus.join("hard"), wanted("hard"));
    large.extend(files(&root.join("tests/litmus/large"), wanted("large")));
    for file in large {
        println!("{}", large_row(&file));
    }
}

fn files(folder: &Path, wanted: bool) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    let mut all: Vec<PathBuf> = entries.filter(|p| wanted && p.extension().is_some_and(|e| e == "litmus")).collect();
    all.sort();
    all
}

/// Loads a model by running a test.
fn warm(model: &str, file: &Path) -> Models {
    let models = Models::new(LoadRequest::named(model), Vec::new(), false);
    timed(file, model, &models, &Settings { condition_only: true, ..limited() });
    models
}

fn limited() -> Settings {
    Settings { timeout: Some(LIMIT), ..Settings::default() }
}

fn timed(file: &Path, model: &str, models: &Models, settings: &Settings) -> (FileResult, f64) {
    let start = Instant::now();
    let result = check(file, model, models, settings, &Sources::default());
    (result, start.elapsed().as_secs_f64())
}

fn row(folder: &Path, name: &str, model: &str) -> String {
    let table = std::fs::read_to_string(folder.join("expected.tsv")).unwrap_or_default();
    let expected: Vec<(PathBuf, f64)> = table
        .lines()
        .skip(1)
        .filter_map(|line| Some((folder.join(line.split('\t').next()?), line.rsplit('\t').next()?.parse().ok()?)))
        .collect();
    let Some((first, _)) = expected.first() else { return format!("| {name} | no expectations |") };
    let models = warm(model, first);
    let mut times: Vec<(f64, f64, &Path)> = Vec::new();
    for (file, reference) in &expected {
        let runs = (0..RUNS).map(|_| timed(file, model, &models, &limited()).1);
        times.push((*reference, runs.fold(f64::INFINITY, f64::min), file));
    }
    let sums =
        |times: &[(f64, f64, &Path)]| times.iter().fold((0.0, 0.0), |(theirs, ours), t| (theirs + t.0, ours + t.1));
    let (theirs, ours) = sums(&times);
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (decile_theirs, decile_ours) = sums(&times[..times.len().div_ceil(10)]);
    let slowest = times.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let (slow, file) = slowest.map_or((0.0, ""), |t| (t.1, t.2.file_stem().and_then(|s| s.to_str()).unwrap_or("")));
    format!(
        "| {name} | {} | {theirs:.2} | {ours:.3} | {:.0} | {:.0} | {:.0} | `{file}` | {:.1} |",
        times.len(),
        times.len() as f64 / ours,
        theirs / ours,
        decile_theirs / decile_ours,
        slow * 1e3
    )
}

fn large_row(file: &Path) -> String {
    let name = file.file_stem().and_then(|s| s.to_str()).unwrap_or("");
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let model = match text.split_whitespace().next() {
        Some("C") => "lkmm",
        Some("RISCV") => "riscv",
        _ => "tso",
    };
    let models = warm(model, file);
    let seconds = |result: &FileResult, seconds: f64| match result.verdict {
        Verdict::Bounded => format!("over {:.0}", LIMIT.as_secs_f64()),
        _ => format!("{seconds:.3}"),
    };
    let (full, time) = timed(file, model, &models, &limited());
    let (quick, quick_time) = timed(file, model, &models, &Settings { condition_only: true, ..limited() });
    let answer = quick.condition.as_deref().unwrap_or("none");
    let (full_text, quick_text) = (seconds(&full, time), seconds(&quick, quick_time));
    format!("| `{name}` | {model} | {answer} | {} | {full_text} | {quick_text} |", full.executions.complete)
}
