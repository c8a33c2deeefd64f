//! The reference corpus: every test with the bundled models, against the results of the reference tool.

use hmc::cat::{self, LoadRequest, Loaded, Vocabulary, def};
use hmc::explore::{self, Options as Explore};
use hmc::graph::feed;
use hmc::graph::prefix::PrefixKind;
use hmc::kernel::plan::Plan;
use hmc::litmus::outcome::{Summary, summarise};
use hmc::litmus::{self, Options, Test};
use hmc::report::herd;
use hmc::verdict::litmus::FinalStates;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A folder of the corpus, the bundled model, and the architecture of its tests.
const FOLDERS: [(&str, &str, &str); 8] = [
    ("aarch64", "aarch64", "AArch64"),
    ("arm", "armv7", "ARM"),
    ("c11", "rc11", "C"),
    ("lkmm", "lkmm", "C"),
    ("ppc", "power", "PPC"),
    ("riscv", "riscv", "RISCV"),
    ("x86", "x86tso", "X86"),
    ("x86_64", "x86tso-mixed", "X86_64"),
];

fn corpus() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    if root.is_dir() {
        return Some(root);
    }
    println!("skipped: {} is not there", root.display());
    None
}

fn load(model: &str, arch: &str) -> Loaded {
    let mut request = LoadRequest::named(model);
    request.arch = Some(arch.to_owned());
    match cat::load(&request, &Vocabulary::new(Some(arch))) {
        Ok(loaded) => loaded,
        Err(errors) => panic!("{model}: {:#?}", errors.diagnostics),
    }
}

fn options(loaded: &Loaded) -> Options {
    let (macros, errors) = loaded.def.as_ref().map(|(_, text)| def::parse(text)).unwrap_or_default();
    assert!(errors.is_empty(), "{errors:?}");
    Options { macros: def::MacroTable::new(macros) }
}

fn run(test: &Test, loaded: &Loaded) -> (Summary, Vec<String>) {
    let limits = Explore {
        unroll: Some(test.unroll.unwrap_or(2)),
        detect_idle: false,
        deadline: Some(Instant::now() + Duration::from_secs(20)),
        ..Explore::default()
    };
    let program = &test.program;
    let compile = |holes| Plan::compile(&loaded.model, &|b| feed::present(program, &b.name, b.sort), holes);
    let plan = compile(true);
    let plan = match explore::prefix_kind(&plan, &limits) {
        PrefixKind::ProgramOrder => compile(false),
        PrefixKind::Dependencies => plan,
    };
    let mut states = FinalStates::new(test, &loaded.model);
    let statistics = explore::explore(program, &Arc::new(plan), &limits, &mut states);
    let mut notes: Vec<String> = states.faults.iter().map(|f| format!("{f:?}")).collect();
    if statistics.stopped {
        notes.push("stopped".to_owned());
    }
    (summarise(test, &states.found(), statistics.cut > 0), notes)
}

/// One line of `expected.tsv` by column.
fn expectations(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let text = std::fs::read_to_string(folder.join("expected.tsv")).unwrap_or_default();
    let rows = text.lines().skip(1).map(|l| l.split('\t').map(str::to_owned).collect::<Vec<_>>());
    rows.map(|row| (row[0].clone(), row)).collect()
}

fn differences(expected: &[String], summary: &Summary) -> Vec<String> {
    let mut all = Vec::new();
    let mut compare = |what: &str, wanted: &str, got: String| {
        if wanted != got {
            all.push(format!("{what}: expected {wanted}, got {got}"));
        }
    };
    let cut = if summary.cut { "Loop " } else { "" };
    compare("verdict", &expected[2], format!("{cut}{}", herd::verdict(summary.verdict)));
    compare("kind", &expected[3], summary.kind.to_owned());
    compare("observation", &expected[4], herd::observation(summary.observation).to_owned());
    compare("flags", &expected[7], summary.flags.join(","));
    compare("states", &expected[9], summary.states.join(" | "));
    compare("counts", &format!("{} {}", expected[5], expected[6]), format!("{} {}", summary.holding, summary.failing));
    all
}

#[test]
fn the_corpus_gives_the_reference_results() {
    let Some(root) = corpus() else { return };
    let only = std::env::var("HMC_CORPUS").unwrap_or_default();
    let mut bad = 0;
    for (folder, model, arch) in FOLDERS {
        if !only.is_empty() && !only.split(',').any(|o| o == folder) {
            continue;
        }
        let start = Instant::now();
        let loaded = load(&std::env::var("HMC_MODEL").unwrap_or(model.to_owned()), arch);
        let options = options(&loaded);
        let expected = expectations(&root.join(folder));
        let rows: Vec<(&String, &Vec<String>)> = expected.iter().collect();
        let next = AtomicUsize::new(0);
        let mut results: Vec<(String, Vec<String>, f64)> = Vec::new();
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..2)
                .map(|_| {
                    scope.spawn(|| {
                        let mut mine = Vec::new();
                        while let Some((file, row)) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                            let path = root.join(folder).join(file);
                            let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap_or_default()).into_owned();
                            let start = Instant::now();
                            let result = std::panic::catch_unwind(|| match litmus::parse(&text, file, &options) {
                                Err(errors) => vec![format!("error: {}", errors[0])],
                                Ok(test) => {
                                    let (summary, notes) = run(&test, &loaded);
                                    let mut all = notes;
                                    all.extend(differences(row, &summary));
                                    all
                                }
                            })
                            .unwrap_or_else(|_| vec!["PANIC".to_owned()]);
                            mine.push(((*file).clone(), result, start.elapsed().as_secs_f64()));
                        }
                        mine
                    })
                })
                .collect();
            for worker in workers {
                results.extend(worker.join().unwrap_or_default());
            }
        });
        results.sort_by(|a, b| a.0.cmp(&b.0));
        let wrong = results.iter().filter(|(_, d, _)| !d.is_empty()).count();
        let slowest = results.iter().max_by(|a, b| a.2.total_cmp(&b.2)).cloned().unwrap_or_default();
        println!(
            "{folder}: {} of {} equal, {:.1} s, slowest {} {:.2}",
            results.len() - wrong,
            results.len(),
            start.elapsed().as_secs_f64(),
            slowest.0,
            slowest.2
        );
        for (file, differences, seconds) in results.iter().filter(|(_, d, _)| !d.is_empty()) {
            println!("  {folder}/{file} ({seconds:.2}): {}", differences.join("\n      "));
        }
        bad += wrong;
    }
    assert!(bad <= 10, "{bad} tests differ");
}
