//! The reference corpus: every test with the bundled models, and with the published model files as they are, against the
//! results of the reference tool.
//!
//! Nothing is run when the corpus is not there; that is said. `HMC_CORPUS=ppc,x86` limits the run to some folders.

use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::Models;
use hmc::driver::{Engine, Settings, check};
use hmc::verdict::{FileResult, Sources, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A folder of the corpus and the bundled model for it.
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

/// Tests that do not give the reference result, each explained in `docs/deviations.md`.
const EXCEPTIONS: [&str; 3] = [
    "aarch64/DIC1.MP.FF+dmb.st+po.litmus",
    "aarch64/MP.FF+dc.cvau-dsb.ish-ic.ivau-dsb.ish+po.litmus",
    "aarch64/coRR+BBM+W.litmus",
];

/// Published model files, for the folders whose reference results they are meant to give. Dartagnan's are models of their own:
/// `tests/corpus/dartagnan.txt` lists the tests of which they say something else.
const PUBLISHED: [(&str, &str); 9] = [
    ("lkmm", "linux-kernel/linux-kernel.cat"),
    ("lkmm", "dartagnan/linux-kernel.cat"),
    ("aarch64", "dartagnan/aarch64.cat"),
    ("arm", "dartagnan/arm.cat"),
    ("c11", "dartagnan/rc11.cat"),
    ("ppc", "dartagnan/power.cat"),
    ("riscv", "dartagnan/riscv.cat"),
    ("x86", "dartagnan/tso.cat"),
    ("x86_64", "dartagnan/tso.cat"),
];

fn corpus() -> Option<PathBuf> {
    shared("corpus")
}

fn shared(folder: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(folder);
    if root.is_dir() {
        return Some(root);
    }
    crate::support::left_out::left_out(&format!("{} is not there", root.display()));
    None
}

/// Runs all tests of a folder; what differs from the expectations, by file, and the time each took.
fn run(folder: &Path, model: &str, settings: &Settings) -> Vec<(String, Vec<String>, f64)> {
    let models = Models::new(LoadRequest::named(model), Vec::new(), false);
    let expected = expectations(folder);
    let rows: Vec<(&String, &Vec<String>)> = expected.iter().collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let sources = Sources::default();
        let mut mine = Vec::new();
        while let Some((file, row)) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
            let start = Instant::now();
            let result = check(&folder.join(file), model, &models, settings, &sources);
            let bounded = settings.engine == Engine::Enumerate && result.verdict == Verdict::Bounded;
            let differences = if bounded { Vec::new() } else { differences(row, &result) };
            mine.push(((*file).clone(), differences, start.elapsed().as_secs_f64()));
        }
        mine
    };
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get());
    let mut all = Vec::new();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            all.extend(thread.join().expect("a test panicked"));
        }
    });
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

/// The rows of `expected.tsv`, by test.
fn expectations(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let text = std::fs::read_to_string(folder.join("expected.tsv")).unwrap_or_default();
    let rows = text.lines().skip(1).map(|l| l.split('\t').map(str::to_owned).collect::<Vec<_>>());
    rows.map(|row| (row[0].clone(), row)).collect()
}

/// What differs between a row of the expectations and a result, both in its fields and in its log.
fn differences(row: &[String], result: &FileResult) -> Vec<String> {
    let Some(log) = result.log_text() else {
        let why = result.messages.iter().map(|m| m.message.clone()).chain(result.notes.iter().cloned());
        return vec![format!("{:?}: {}", result.verdict, why.collect::<Vec<_>>().join("; "))];
    };
    let mut all: Vec<String> = result.messages.iter().map(|m| m.message.clone()).collect();
    let mut compare = |what: &str, wanted: &str, got: &str| {
        if wanted != got {
            all.push(format!("{what}: expected {wanted}, got {got}"));
        }
    };
    let lines: Vec<&str> = log.lines().collect();
    let count = result.states.len();
    let flags = result.flags.iter().map(|f| if f.undefined { "*undef*" } else { f.name.as_str() });
    let observation = result.observation.as_deref().unwrap_or_default();
    let numbers = |n: Option<u64>| n.map(|n| n.to_string()).unwrap_or_default();
    compare("verdict", &row[2], lines.get(2 + count).unwrap_or(&""));
    compare("kind", &row[3], result.kind.as_deref().unwrap_or_default());
    compare("observation", &row[4], observation);
    compare("positive", &row[5], &numbers(result.positive));
    compare("negative", &row[6], &numbers(result.negative));
    compare("flags", &row[7], &flags.collect::<Vec<_>>().join(","));
    compare("states", &row[9], &result.states.join(" | "));
    compare("states in the log", &row[9], &lines[2..2 + count].join(" | "));
    let in_log = lines
        .iter()
        .any(|l| l.starts_with("Observation ") && l.ends_with(&format!(" {observation} {} {}", row[5], row[6])));
    compare("observation in the log", "true", &in_log.to_string());
    let flags = lines.iter().filter_map(|l| l.strip_prefix("Flag "));
    compare("flags in the log", &row[7], &flags.collect::<Vec<_>>().join(","));
    all
}

#[test]
fn the_corpus_gives_the_reference_results() {
    let Some(root) = corpus() else { return };
    let mut wrong = differing(&root, FOLDERS.map(|(folder, model)| (folder, model.to_owned())).to_vec(), &patient());
    wrong.retain(|name| !EXCEPTIONS.contains(&name.as_str()));
    assert!(wrong.is_empty(), "these differ: {wrong:#?}");
}

#[test]
fn published_models_give_the_reference_results() {
    let (Some(root), Some(models)) = (corpus(), shared("models")) else { return };
    let path = |model: &str| models.join(model).display().to_string();
    let (own, kernels): (Vec<_>, Vec<_>) =
        PUBLISHED.into_iter().partition(|(_, model)| model.starts_with("dartagnan/"));
    let suites = |of: &[(&'static str, &str)]| of.iter().map(|&(folder, model)| (folder, path(model))).collect();
    let wrong = differing(&root, suites(&kernels), &patient());
    assert!(wrong.is_empty(), "these differ with the kernel's files: {wrong:#?}");
    let listed = include_str!("../../corpus/dartagnan.txt").lines().filter(|l| !l.starts_with('#'));
    let known: BTreeSet<&str> = listed.chain(EXCEPTIONS).collect();
    let mut wrong = differing(&root, suites(&own), &patient());
    wrong.retain(|name| !known.contains(name.as_str()));
    assert!(wrong.is_empty(), "these differ with Dartagnan's files: {wrong:#?}");
}

/// Why Dartagnan's models say something else of those tests: in each of these files, the one line that the reference's model has otherwise.
const OTHERWISE: [(&str, &str, &str, &str); 5] = [
    ("c11", "rc11.cat", "flag ~empty race as racy", "undefined_unless empty race as racy"),
    ("arm", "arm.cat", "let ci0 = (ctrl; [ISB]) | detour", "let ci0 = (ctrl; [ISB]; po) | detour"),
    ("ppc", "power.cat", "| (W*W & lwsync) | sync", "| (W*W & (lwsync | po; [EIEIO]; po)) | sync"),
    ("aarch64", "aarch64.cat", "| [R]; po; [dmb.ld]; po", "| [R \\ NoRet]; po; [dmb.ld]; po"),
    (
        "aarch64",
        "aarch64.cat",
        "| ctrl; [W]\n",
        "| ctrl; [W] | pick-addr; [W] | ctrl; [range(amo)]; rfi; (data | (ctrl | addr); [W])\n",
    ),
];

/// With these lines put right, Dartagnan's files give the reference's results on every test: the lines are the whole difference.
#[test]
fn dartagnans_models_differ_from_the_references_in_these_lines_only() {
    let (Some(root), Some(models)) = (corpus(), shared("models/dartagnan")) else { return };
    let edited = tempfile::tempdir().expect("a temporary folder");
    let mut suites: BTreeMap<&str, PathBuf> = BTreeMap::new();
    for (folder, file, theirs, references) in OTHERWISE {
        let path = edited.path().join(file);
        let before = if path.exists() { path.clone() } else { models.join(file) };
        let text = std::fs::read_to_string(&before).expect("a model of Dartagnan's");
        assert_eq!(text.matches(theirs).count(), 1, "{file} has the line {theirs}");
        std::fs::write(&path, text.replace(theirs, references)).expect("a model to be written");
        suites.insert(folder, path);
    }
    let suites = suites.into_iter().map(|(folder, path)| (folder, path.display().to_string())).collect();
    let mut wrong = differing(&root, suites, &patient());
    wrong.retain(|name| !EXCEPTIONS.contains(&name.as_str()));
    assert!(wrong.is_empty(), "these differ with the lines put right: {wrong:#?}");
}

/// Files of herd's own library, in `../shared/models/herd` or the folder that `HMC_HERD_LIBRARY` names.
const HERDS: [(&str, &str); 7] = [
    ("aarch64", "aarch64.cat"),
    ("arm", "arm.cat"),
    ("c11", "rc11.cat"),
    ("ppc", "ppc.cat"),
    ("riscv", "riscv.cat"),
    ("x86", "x86tso.cat"),
    ("x86_64", "x86tso-mixed.cat"),
];

#[test]
fn herds_models_give_the_reference_results() {
    let given = std::env::var_os("HMC_HERD_LIBRARY").map(PathBuf::from);
    let (Some(root), Some(models)) = (corpus(), given.or_else(|| shared("models/herd"))) else { return };
    let there =
        HERDS.into_iter().map(|(folder, model)| (folder, models.join(model))).filter(|(_, model)| model.is_file());
    let suites = there.map(|(folder, model)| (folder, model.display().to_string())).collect();
    let mut wrong = differing(&root, suites, &patient());
    wrong.retain(|name| !EXCEPTIONS.contains(&name.as_str()));
    assert!(wrong.is_empty(), "these differ with herd's files: {wrong:#?}");
}

/// The other engine gives the same states, verdicts and counts; tests that it cannot enumerate in a second are left out.
#[test]
fn the_enumerator_gives_the_reference_results() {
    let Some(root) = corpus() else { return };
    let quick = Settings { engine: Engine::Enumerate, timeout: Some(Duration::from_secs(1)), ..Settings::default() };
    let mut wrong = differing(&root, FOLDERS.map(|(folder, model)| (folder, model.to_owned())).to_vec(), &quick);
    wrong.retain(|name| !EXCEPTIONS.contains(&name.as_str()));
    assert!(wrong.is_empty(), "these differ: {wrong:#?}");
}

fn patient() -> Settings {
    Settings { timeout: Some(Duration::from_secs(120)), ..Settings::default() }
}

/// Runs folders with models; prints what differs, and gives the tests.
fn differing(root: &Path, suites: Vec<(&'static str, String)>, settings: &Settings) -> Vec<String> {
    let only = std::env::var("HMC_CORPUS").unwrap_or_default();
    let mut wrong = Vec::new();
    for (folder, model) in suites {
        if !only.is_empty() && !only.split(',').any(|o| o == folder) {
            continue;
        }
        let start = Instant::now();
        let results = run(&root.join(folder), &model, settings);
        let slowest = results.iter().max_by(|a, b| a.2.total_cmp(&b.2)).cloned().unwrap_or_default();
        let total = results.len();
        let before = wrong.len();
        for (file, differences, _) in results.into_iter().filter(|(_, d, _)| !d.is_empty()) {
            println!("{folder}/{file}: {}", differences.join("\n    "));
            wrong.push(format!("{folder}/{file}"));
        }
        let (bad, seconds) = (wrong.len() - before, start.elapsed().as_secs_f64());
        println!(
            "{folder} with {model}: {} of {total} equal, {seconds:.1} s; slowest {} {:.2} s",
            total - bad,
            slowest.0,
            slowest.2
        );
    }
    wrong
}

/// Tests that carry the hash which the reference tool gave them must get the same one here.
#[test]
fn hashes_are_those_of_the_reference() {
    let Some(root) = corpus() else { return };
    for (folder, _) in FOLDERS {
        for entry in std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten() {
            let text =
                std::fs::read(entry.path()).map(|b| String::from_utf8_lossy(&b).into_owned()).unwrap_or_default();
            let Some(hash) = text.lines().find_map(|l| l.strip_prefix("Hash=")) else { continue };
            let without: String = text.lines().filter(|l| !l.starts_with("Hash=")).map(|l| format!("{l}\n")).collect();
            let test = hmc::litmus::parse(&without, "t", &Default::default()).expect("a test of the corpus");
            assert_eq!(test.hash, hash, "{}", entry.path().display());
        }
    }
}
