//! Every published and bundled model file loads.

use hmc::cat::{LoadRequest, Loaded, Vocabulary, diagnostics::render::render_all, load};
use std::path::{Path, PathBuf};

/// Where the published model files are, on machines that have them.
const PUBLISHED: &str = "/work/shared/models";

fn load_file(path: &Path) -> Result<Loaded, String> {
    // A fragment that is included by the model of this stem, and needs its bell file.
    let bell = path.ends_with("linux-kernel/lock.cat").then(|| path.with_file_name("linux-kernel.bell"));
    load(&LoadRequest { bell, ..LoadRequest::named(path.display().to_string()) }, &Vocabulary::default())
        .map_err(|e| render_all(&e.diagnostics, &e.sources, false))
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "cat")).collect();
    files.sort();
    files
}

#[test]
fn bundled_models_load() {
    let all = files(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/cat")));
    assert!(all.len() > 8);
    let mut failures = Vec::new();
    for file in all {
        // Fragments need definitions from the file that includes them.
        let fragment = ["herding-checks.cat", "herding-ppo.cat", "dartagnan.cat"].iter().any(|f| file.ends_with(f));
        match load_file(&file) {
            Err(errors) if !fragment => failures.push(format!("{}\n{errors}", file.display())),
            Ok(loaded) if loaded.dynamic => {
                failures.push(format!("{} is dynamic: {:?}", file.display(), loaded.dynamic_reasons))
            }
            _ => {}
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn published_models_load() {
    for (directory, expected) in [("linux-kernel", 2), ("dartagnan", 26)] {
        let all = files(&Path::new(PUBLISHED).join(directory));
        if all.is_empty() {
            continue;
        }
        assert_eq!(all.len(), expected, "{directory}");
        let mut failures = Vec::new();
        for file in all {
            match load_file(&file) {
                Err(errors) => failures.push(format!("{}\n{errors}", file.display())),
                Ok(loaded) if loaded.dynamic => {
                    failures.push(format!("{} is dynamic: {:?}", file.display(), loaded.dynamic_reasons))
                }
                Ok(_) => {}
            }
        }
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    }
}

/// Texts made of pieces of the language in no sensible order: errors, never a panic.
#[test]
fn any_text_gives_an_answer() {
    use proptest::prelude::*;
    use proptest::test_runner::{Config, TestRunner};
    const PIECES: &str = "let rec and in = | & ; \\ * + ? ^-1 ~ ( ) [ ] { } , -> ++ po rf co W R x f 'a 'b _ 0 \"s\" fun match with || end if then \
        else try acyclic empty irreflexive as flag show include \"cos.cat\" enum e procedure call forall do from when domain \
        map linearisations classes-loc (* *) // é \" -1 instructions default unshow undefined_unless assert debug catdep";
    let pieces: Vec<&str> = PIECES.split_whitespace().collect();
    let mut runner = TestRunner::new(Config { cases: 3000, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&proptest::collection::vec(any::<u32>(), 1..60), |dice| {
        let text: Vec<&str> = dice.iter().map(|d| pieces[*d as usize % pieces.len()]).collect();
        let text = text.join(" ");
        match load(&LoadRequest::text("any.cat", &text), &Vocabulary::default()) {
            Ok(loaded) => drop(hmc::cat::tools::check::check(&loaded)),
            Err(errors) => drop(render_all(&errors.diagnostics, &errors.sources, false)),
        }
        Ok(())
    });
    assert!(outcome.is_ok(), "{:?}", outcome.err());
}
