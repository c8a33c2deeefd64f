//! Staging and the kernel mean what the language says: on random executions and on those of the corpus, every definition, check
//! and flag of every model, and of random models, has the same value from the kernel, from the plain evaluator of the algebra, and
//! from the reference evaluator, which runs the model's text.

mod corpus;
mod execution;
mod generate;
mod judge;

use execution::{Dice, execution};
use hmc::cat::{LoadRequest, Loaded, Vocabulary, load};
use judge::Judge;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::path::{Path, PathBuf};

/// Every model file there is: bundled, and published ones on machines that have them.
fn models() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![
        Path::new(env!("CARGO_MANIFEST_DIR")).join("cat"),
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/models"),
    ];
    while let Some(directory) = open.pop() {
        for path in std::fs::read_dir(directory).into_iter().flatten().flatten().map(|e| e.path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "cat") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// A model file, when it loads by itself and is staged as a whole. Fragments are covered by the models that include them.
fn staged(path: &Path, vocabulary: &Vocabulary) -> Option<Loaded> {
    load(&LoadRequest::named(path.display().to_string()), vocabulary).ok().filter(|loaded| !loaded.dynamic)
}

/// A runner that makes the same cases every time; `HMC_SEED` gives others.
fn runner(cases: u32, stream: u8) -> TestRunner {
    let seed: u64 = std::env::var("HMC_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let mut bytes = [stream; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

fn verdict(outcome: Result<(), impl std::fmt::Display>) -> String {
    outcome.err().map(|e| e.to_string()).unwrap_or_default()
}

#[test]
fn every_model_on_random_executions() {
    let mut checked = 0;
    for path in models() {
        let Some(loaded) = staged(&path, &Vocabulary::default()) else { continue };
        checked += 1;
        // Lock events only for models that know them.
        let locks = loaded.sources.files().iter().any(|f| &*f.name != "stdlib.cat" && f.text.contains("LKW"));
        let outcome = runner(60, 1).run(&proptest::collection::vec(any::<u32>(), 64), |numbers| {
            let candidate = execution(&mut Dice(&numbers, 0), &loaded, locks);
            let judged = Judge::new(&loaded).agree(&candidate);
            judged.map_err(|e| TestCaseError::fail(format!("{e}\non {candidate:?}")))
        });
        assert!(outcome.is_ok(), "{}: {}", path.display(), verdict(outcome));
    }
    assert!(checked > 30, "{checked}");
}

/// Executions for each random model.
const EXECUTIONS: usize = 40;

/// Random models, each on many random executions: more than 60,000 pairs in all, on two threads. `HMC_CASES` is the number of models.
#[test]
fn random_models_on_random_executions() {
    let models: u32 = std::env::var("HMC_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1_600);
    let half = |stream: u8| {
        runner(models.div_ceil(2), stream).run(&proptest::collection::vec(any::<u32>(), 300), |numbers| {
            let mut dice = Dice(&numbers, 0);
            let text = generate::model(&mut dice);
            let loaded = match load(&LoadRequest::text("random.cat", &text), &Vocabulary::default()) {
                Ok(loaded) if loaded.dynamic => {
                    return Err(TestCaseError::fail(format!("{text}\n{:?}", loaded.dynamic_reasons)));
                }
                Ok(loaded) => loaded,
                Err(errors) => return Err(TestCaseError::fail(format!("{text}\n{:?}", errors.diagnostics))),
            };
            let mut judge = Judge::new(&loaded);
            for _ in 0..EXECUTIONS {
                let candidate = execution(&mut dice, &loaded, false);
                let judged = judge.agree(&candidate);
                judged.map_err(|e| TestCaseError::fail(format!("{e}\n{text}\non {candidate:?}")))?;
            }
            Ok(())
        })
    };
    std::thread::scope(|scope| {
        let halves = [2, 3].map(|stream| scope.spawn(move || half(stream)));
        for outcome in halves {
            let outcome = outcome.join().expect("a panic");
            assert!(outcome.is_ok(), "{}", verdict(outcome));
        }
    });
}
