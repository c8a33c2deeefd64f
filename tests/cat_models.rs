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
