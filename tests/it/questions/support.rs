//! What the tests of questions share.

use hmc::cat::{self, LoadRequest, Loaded};
use hmc::questions::assume::{self, Assumption};
use hmc::questions::compare::{self, Comparison, Named, Search, Verdict};
use hmc::questions::prove::Answer;
use hmc::synth::Progress;
use hmc::synth::minimal::judge::Judge;
use hmc::synth::programs::vocabulary::Vocabulary;
use std::path::Path;

/// A model of a name, or of a text with a quotation mark in it.
pub fn load(model: &str, arch: &str) -> Loaded {
    load_in(Path::new("."), model, arch)
}

/// The same, with a folder of included files.
fn load_in(folder: &Path, model: &str, arch: &str) -> Loaded {
    let mut request = match model.contains('"') {
        true => LoadRequest::text("own", model),
        false => LoadRequest::named(model),
    };
    request.arch = Some(arch.to_owned());
    request.free_orders = true;
    request.include_dirs = vec![folder.to_owned()];
    cat::load(&request, &cat::Vocabulary::new(Some(arch))).unwrap_or_else(|e| {
        let all: Vec<&str> = e.diagnostics.iter().map(|d| d.message()).collect();
        panic!("{model}: {}", all.join("; "))
    })
}

/// The assumptions of some texts.
pub fn assumptions(texts: &[&str], arch: &str) -> Vec<Assumption> {
    texts.iter().flat_map(|text| assume::parse(text, Some(arch)).expect("an assumption")).collect()
}

/// Whether every execution that the first model accepts is proved to be accepted by the second one.
pub fn is_proved(stronger: &str, weaker: &str, arch: &str, facts: &[&str]) -> Result<(), String> {
    use hmc::questions::paths::axiom::Axioms;
    let (a, b) = (load(stronger, arch), load(weaker, arch));
    let axioms = [("strong", &a), ("weak", &b)].map(|(name, loaded)| Axioms::new(name, loaded, Some(arch)));
    let found = compare::prove(&axioms[0], &axioms[1], Some(arch), &assumptions(facts, arch))?;
    let open = found.answers.iter().filter_map(|(axiom, answer)| match answer {
        Answer::Proved(..) => None,
        Answer::Open(why) => Some(format!("{axiom}: {why}")),
    });
    let open: Vec<String> = open.collect();
    if open.is_empty() { Ok(()) } else { Err(open.join("\n")) }
}

/// Compares two models, with programs of up to a size made of a bundled lattice.
pub fn compared(first: &str, second: &str, arch: &str, lattice: &str, size: usize) -> Comparison {
    compared_in(Path::new("."), first, second, arch, lattice, &[], size)
}

/// The same, with a folder of included files, and tokens of the lattice (all: none named).
pub fn compared_in(
    folder: &Path,
    first: &str,
    second: &str,
    arch: &str,
    lattice: &str,
    tokens: &[&str],
    size: usize,
) -> Comparison {
    let [a, b] = [first, second].map(|model| load_in(folder, model, arch));
    let text = cat::library::embedded(&format!("{lattice}.lattice")).expect("a bundled lattice");
    let mut vocabulary = Vocabulary::parse(text).expect("a lattice");
    if !tokens.is_empty() {
        let tokens: Vec<String> = tokens.iter().map(|&token| token.to_owned()).collect();
        vocabulary.keep_only(&tokens).expect("tokens");
    }
    let judges = [&a, &b].map(|loaded| Judge::new(loaded, &vocabulary).expect("a judge"));
    let search = Search { vocabulary: &vocabulary, judges: [&judges[0], &judges[1]], size, workers: 1 };
    let models = [Named { name: "first", loaded: &a }, Named { name: "second", loaded: &b }];
    compare::compare(models, Some(arch), &[], Some(&search), &Progress::default()).expect("an answer")
}

/// The name of the test that refutes a direction.
pub fn refuting(known: &Verdict) -> Option<&str> {
    match known {
        Verdict::Refuted { test } => Some(&test.name),
        _ => None,
    }
}

/// Whether a claim is proved.
pub fn claim(text: &str, arch: &str, facts: &[&str]) -> Result<bool, String> {
    let facts = assumptions(facts, arch);
    for claim in assume::parse(text, Some(arch))? {
        if !assume::claim(&claim, Some(arch), &facts)?.is_proved() {
            return Ok(false);
        }
    }
    Ok(true)
}
