//! Verdicts of random programs with threads that do not end, that wait and that are interchangeable: all ways to explore them agree, and what is planted where a
//! thread certainly comes is found.
//!
//! `HMC_RANDOM=FROM,CASES,0 cargo test --test it random::endless::NAME -- --nocapture` runs others.

use crate::support::endless::{PLANTED, Planted, random_endless};
use crate::support::random::{Rng, all_agree};
use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::Models;
use hmc::driver::{Engine, Settings, Symmetry, check};
use hmc::explore::Equivalence;
use hmc::explore::parallel::spare::Spare;
use hmc::verdict::{FileResult, Property, Sources, Verdict};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Longer runs say nothing.
const TIME: Duration = Duration::from_secs(20);
const ROUNDS: u32 = 2;
const MODELS: [&str; 4] = ["sc", "rc11", "imm", "tso"];

struct Loaded(&'static str, Models);

fn models() -> Vec<Loaded> {
    MODELS.iter().map(|name| Loaded(name, Models::new(LoadRequest::named(*name), Vec::new(), false))).collect()
}

fn result(path: &Path, Loaded(name, models): &Loaded, settings: &Settings) -> FileResult {
    check(path, name, models, settings, &Sources::default())
}

/// Ways to explore a program that have to give the same verdict.
fn ways(base: &Settings) -> Vec<(&'static str, Settings)> {
    let symmetric = Settings { symmetry: Symmetry::Auto, ..base.clone() };
    vec![
        ("--symmetry auto", symmetric.clone()),
        ("--symmetry off", base.clone()),
        ("--equivalence rf", Settings { equivalence: Some(Equivalence::ReadsFrom), ..symmetric.clone() }),
        (
            "--equivalence rf+co",
            Settings { equivalence: Some(Equivalence::ReadsFromAndCoherence), ..symmetric.clone() },
        ),
        ("--threads 3", Settings { spare: Arc::new(Spare::new(2)), ..symmetric.clone() }),
        ("--keep-going", Settings { keep_going: true, ..symmetric }),
    ]
}

fn settings(unroll: Option<u32>, properties: Vec<Property>) -> Settings {
    Settings { unroll, properties, timeout: Some(TIME), ..Settings::default() }
}

/// Whether a verdict may come out beside another one, of which the first was found with a bound on rounds.
fn fits(bounded: Verdict, whole: Verdict) -> bool {
    bounded == whole || bounded == Verdict::Bounded
}

fn is_late(result: &FileResult) -> bool {
    result.notes.iter().any(|note| note.contains("time limit"))
}

fn written(text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("endless.ll");
    std::fs::write(&path, text).expect("a file");
    (directory, path)
}

fn rng(seed: u64) -> Rng {
    Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
}

/// What came out: so many of each verdict.
#[derive(Default)]
struct Counts([AtomicU64; 3]);

impl Counts {
    fn count(&self, verdict: Verdict) {
        let at = [Verdict::Holds, Verdict::Bounded, Verdict::Violated].iter().position(|v| *v == verdict);
        assert!(at.is_some(), "{verdict:?}");
        self.0[at.unwrap_or_default()].fetch_add(1, Ordering::Relaxed);
    }
}

fn agree(seed: u64, models: &[Loaded], counts: &Counts) -> bool {
    let text = random_endless(&mut rng(seed), None);
    let (_directory, path) = written(&text);
    let model = &models[(seed % models.len() as u64) as usize];
    let bounded = settings(Some(ROUNDS), Property::usual());
    let found: Vec<(&str, FileResult)> =
        ways(&bounded).into_iter().map(|(way, settings)| (way, result(&path, model, &settings))).collect();
    counts.count(found[0].1.verdict);
    let mut good = found.iter().all(|(_, result)| result.verdict == found[0].1.verdict || is_late(result));
    let mut rest = Vec::new();
    // Without a bound, and by the other engine, it takes longer.
    if seed.is_multiple_of(8) {
        rest.push(("no bound", result(&path, model, &settings(None, Property::usual()))));
    }
    if seed.is_multiple_of(16) {
        let settings = Settings { engine: Engine::Enumerate, ..bounded };
        rest.push(("--engine enumerate", result(&path, model, &settings)));
    }
    // The enumerator follows candidates into rounds that no execution has, up to the bound.
    let is_cut = |way: &str, whole: &FileResult| way.contains("enumerate") && whole.verdict == Verdict::Bounded;
    good &=
        rest.iter().all(|(way, whole)| fits(found[0].1.verdict, whole.verdict) || is_cut(way, whole) || is_late(whole));
    for (_, result) in found.iter().chain(&rest) {
        // Of what was not looked at nothing holds.
        good &= result.verdict != Verdict::Holds || result.executions.complete > 0;
    }
    if !good {
        let all: Vec<_> = found.iter().chain(&rest).map(|(way, r)| (way, r.verdict, &r.executions, &r.notes)).collect();
        println!("seed {seed} under {}: {all:#?}\n{text}", model.0);
    }
    good
}

/// Violations of the property are found, whatever else is asked for.
fn finds(seed: u64, models: &[Loaded]) -> bool {
    let planted = PLANTED[(seed % PLANTED.len() as u64) as usize];
    let text = random_endless(&mut rng(seed), Some(planted));
    let (_directory, path) = written(&text);
    // Of the models here one knows races.
    let at = if planted == Planted::Race { 1 } else { (seed / 5) % models.len() as u64 };
    let model = &models[at as usize];
    let own: Vec<Property> = Property::ALL.into_iter().filter(|p| p.name() == planted.property()).collect();
    let mut all: Vec<(&str, FileResult)> = Vec::new();
    for unroll in [Some(ROUNDS), None] {
        let ways = ways(&settings(unroll, own.clone()));
        all.extend(ways.into_iter().map(|(way, settings)| (way, result(&path, model, &settings))));
    }
    let whole = settings(None, Property::usual());
    all.push(("all properties", result(&path, model, &Settings { symmetry: Symmetry::Auto, ..whole })));
    let is_expected = |result: &FileResult| result.verdict == Verdict::Violated || is_late(result);
    let good = all.iter().all(|(_, result)| is_expected(result));
    if !good {
        let all: Vec<_> = all.iter().map(|(way, r)| (way, r.verdict, &r.executions, &r.notes)).collect();
        println!("seed {seed}, {planted:?} under {}: {all:#?}\n{text}", model.0);
    }
    good
}

#[test]
fn all_ways_give_the_same_verdict() {
    let (models, counts) = (models(), Counts::default());
    all_agree(48, 0, |seed, _| agree(seed, &models, &counts));
    let [holds, bounded, violated] = counts.0.map(AtomicU64::into_inner);
    println!("{holds} hold, {bounded} are bounded, {violated} violated");
    assert!(holds.min(bounded).min(violated) > 0, "{holds} hold, {bounded} are bounded, {violated} violated");
}

#[test]
fn what_is_planted_is_found() {
    let models = models();
    all_agree(20, 0, |seed, _| finds(seed, &models));
}
