//! Tables about models: how long each takes to load, and how long one execution of thirty events takes to judge, with the kernel and
//! with the evaluators that it is held against. `cargo bench --bench models`. Figures are kept in `docs/performance.md`.

#[path = "kernel/workload.rs"]
#[allow(dead_code)]
mod workload;

use hmc::algebra::naive::judge;
use hmc::cat::reference::{Options, run};
use hmc::cat::{LoadRequest, Vocabulary, load};
use hmc::kernel::plan::Plan;
use hmc::kernel::session::Session;
use hmc::relation::candidate::Candidate;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use workload::{Form, Rng, grow, present};

/// That of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Loads of each model; the shortest counts.
const LOADS: usize = 7;

/// The models whose evaluation is timed.
const EVALUATED: [&str; 3] = ["lkmm", "aarch64", "rc11"];

const THIRTY: Form = Form { threads: 4, locations: 3, events: 30, wandering: 30, fences: 10, tags: 20 };

fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["cat", "../shared/models/linux-kernel", "../shared/models/dartagnan", "../shared/models/herd"] {
        let entries = std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten().map(|e| e.path());
        let mut here: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "cat")).collect();
        here.sort();
        files.extend(here);
    }
    files
}

fn shortest(times: usize, mut work: impl FnMut()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..times).map(time).min().unwrap_or_default()
}

fn loading() {
    println!("| model | files | checks | load |\n|---|---:|---:|---:|");
    for file in models() {
        let request = LoadRequest::named(file.display().to_string());
        let vocabulary = Vocabulary::default();
        // Fragments do not load by themselves.
        let Ok(loaded) = load(&request, &vocabulary) else { continue };
        let time = shortest(LOADS, || drop(load(&request, &vocabulary)));
        let name = file.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(&file).display().to_string();
        let (files, checks) = (loaded.sources.files().len(), loaded.model.checks.len());
        println!("| {} | {files} | {checks} | {:.2} ms |", name.replace("../", ""), time.as_secs_f64() * 1e3);
    }
}

/// Executions of thirty events: those that the search for them finds consistent so far.
fn evaluation() {
    println!("\n| model | kernel, whole execution | plain evaluator | reference evaluator |\n|---|---:|---:|---:|");
    for name in EVALUATED {
        let Ok(loaded) = load(&LoadRequest::named(name), &Vocabulary::default()) else { continue };
        let plan = Arc::new(Plan::compile(&loaded.model, &|base| present(base, false), false));
        let mut session = Session::new(plan.clone());
        let mut rng = Rng(7);
        let (mut messages, mut candidates): (Vec<Vec<workload::Message>>, Vec<Candidate>) = (Vec::new(), Vec::new());
        while messages.len() < 20 {
            let execution = grow(&plan, &mut session, &mut rng, THIRTY);
            if execution.events.len() == THIRTY.events {
                messages.push((0..execution.events.len()).map(|x| execution.message(&plan, x)).collect());
                let mut candidate = execution.candidate(&plan);
                candidate.locations = execution
                    .events
                    .iter()
                    .enumerate()
                    .filter(|(_, event)| event.kind != workload::Kind::Fence)
                    .map(|(e, event)| (e as u32, event.loc as u32))
                    .collect();
                candidates.push(candidate);
            }
        }
        let each = |time: Duration| format!("{:.1} µs", time.as_secs_f64() * 1e6 / messages.len() as f64);
        let mut flags = Vec::new();
        let kernel = shortest(50, || {
            for messages in &messages {
                session.reset();
                messages.iter().for_each(|m| m.send(&mut session));
                if session.violated_final().is_none() {
                    flags.clear();
                    session.flags(&mut flags);
                }
            }
        });
        let plain = shortest(5, || candidates.iter().for_each(|c| drop(judge(&loaded.model, c))));
        let mut failures: BTreeMap<String, usize> = BTreeMap::new();
        let reference = shortest(3, || {
            for candidate in &candidates {
                if let Err(error) = run(&loaded, candidate, &Options::default()) {
                    *failures.entry(error.message).or_default() += 1;
                }
            }
        });
        println!("| {name} | {} | {} | {} |", each(kernel), each(plain), each(reference));
        if !failures.is_empty() {
            println!("{name}: the reference evaluator fails: {failures:?}");
        }
    }
}

fn main() {
    loading();
    evaluation();
}
