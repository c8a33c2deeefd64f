//! Every model on executions of the reference corpus, a sample of tests of each folder: candidates that coherence allows, so that
//! models reject many of them.
//!
//! Nothing is run when the corpus is not there; that is said.

use super::judge::Judge;
use super::{models, staged};
use hmc::cat::def::{self, MacroTable};
use hmc::cat::{LoadRequest, Loaded, Vocabulary, load};
use hmc::explore::{Execution, Go, Options, Problem, Visitor, explore, plan};
use hmc::graph::view;
use hmc::litmus;
use hmc::relation::candidate::Candidate;
use std::path::{Path, PathBuf};

/// Folders, their architecture, and how many of their tests are taken.
const FOLDERS: [(&str, &str, usize); 8] = [
    ("aarch64", "AArch64", 16),
    ("arm", "ARM", 8),
    ("c11", "C", 16),
    ("lkmm", "C", 24),
    ("ppc", "PPC", 8),
    ("riscv", "RISCV", 8),
    ("x86", "X86", 6),
    ("x86_64", "X86_64", 6),
];

/// Executions of a test, at most.
const EXECUTIONS: usize = 5;

/// Keeps some executions as plain data, spread over the search.
struct Sample {
    kept: Vec<Candidate>,
    seen: usize,
}

impl Visitor for Sample {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        self.seen += 1;
        if self.seen.is_power_of_two() {
            self.kept.push(view::candidate(execution.graph, &execution.world.deps, execution.world.program));
        }
        if self.kept.len() < EXECUTIONS { Go::On } else { Go::Stop }
    }

    fn problem(&mut self, _: &Execution<'_, '_>, _: &Problem) -> Go {
        Go::On
    }
}

/// The tests of a folder, evenly spread.
fn tests(folder: &Path, count: usize) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    let mut files: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "litmus")).collect();
    files.sort();
    let step = files.len().div_ceil(count.max(1)).max(1);
    files.into_iter().step_by(step).collect()
}

/// The macros that Linux tests need.
fn macros(folder: &str) -> MacroTable {
    if folder != "lkmm" {
        return MacroTable::default();
    }
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("cat/lkmm.def")).expect("lkmm.def");
    MacroTable::new(def::parse(&text).0)
}

#[test]
fn every_model_on_the_corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    if !root.is_dir() {
        crate::support::left_out::left_out(&format!("{} is not there", root.display()));
        return;
    }
    let mut compared = 0;
    for (folder, arch, count) in FOLDERS {
        let vocabulary = Vocabulary::new(Some(arch));
        let coherent = LoadRequest::text("coherence.cat", "include \"cos.cat\"\nacyclic po-loc | rf | co | fr");
        let coherent = load(&coherent, &vocabulary).expect("loads");
        let macros = macros(folder);
        let mut candidates = Vec::new();
        for file in tests(&root.join(folder), count) {
            let text = std::fs::read_to_string(&file).expect("a test");
            let options = litmus::Options { macros: macros.clone().into() };
            // A few tests are about features that are not supported.
            let Ok(test) = litmus::parse(&text, "test", &options) else { continue };
            let mut sample = Sample { kept: Vec::new(), seen: 0 };
            explore(&test.program, &plan(&coherent.model, &test.program), &Options::default(), &mut sample);
            candidates.extend(sample.kept.into_iter().map(|c| (file.clone(), c)));
        }
        assert!(candidates.len() > count, "{folder}: {} executions", candidates.len());
        let loaded: Vec<(PathBuf, Loaded)> =
            models().into_iter().filter_map(|path| Some((path.clone(), staged(&path, &vocabulary)?))).collect();
        for (model, loaded) in &loaded {
            let mut judge = Judge::new(loaded);
            for (test, candidate) in &candidates {
                compared += 1;
                if let Err(error) = judge.agree(candidate) {
                    panic!("{} on {}: {error}\n{candidate:?}", model.display(), test.display());
                }
            }
        }
    }
    println!("{compared} pairs of a model and an execution");
}
