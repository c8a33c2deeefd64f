//! `hmc model fmt` on every model file there is: formatting twice is formatting once, comments stay, and the formatted model is
//! staged to the very same algebra.

use hmc::cat::syntax::lex;
use hmc::cat::tools::fmt::format;
use hmc::cat::{Dialect, LoadRequest, Loaded, Vocabulary, load};
use std::path::{Path, PathBuf};

/// Model files and bell files below a directory.
fn files(directory: &Path, found: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(directory).into_iter().flatten().flatten().map(|e| e.path()) {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "cat" || e == "bell") {
            found.push(path);
        }
    }
}

/// The comments of a file, without blanks at the ends of lines, which formatting removes.
fn comments(text: &str, dialect: Dialect) -> Vec<String> {
    let trimmed = |comment: &str| comment.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    lex(text, 0, dialect, &mut Vec::new()).comments.into_iter().map(|range| trimmed(&text[range])).collect()
}

/// What staging makes of a model, but for the places in its files.
fn meaning(path: &Path) -> Option<String> {
    let loaded: Loaded = load(&LoadRequest::named(path.display().to_string()), &Vocabulary::default()).ok()?;
    let model = &loaded.model;
    let checks: Vec<_> = model.checks.iter().map(|c| (&c.name, c.role, c.predicate, c.negated, c.expr)).collect();
    Some(format!("{:?}\n{checks:?}\n{:?}\n{:?}", model.pool, model.definitions, loaded.bell))
}

#[test]
fn every_model_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut checked, mut compared) = (0, 0);
    let mut sources = Vec::new();
    files(&root.join("cat"), &mut sources);
    files(&root.join("../shared/models"), &mut sources);
    if let Some(library) = std::env::var_os("HMC_HERD_LIBRARY") {
        files(Path::new(&library), &mut sources);
    }
    let folders: std::collections::BTreeSet<PathBuf> =
        sources.iter().filter_map(|p| p.parent()).map(Path::to_owned).collect();
    for folder in folders {
        let copy = tempfile::tempdir().expect("a directory");
        let mut here: Vec<&PathBuf> = sources.iter().filter(|p| p.parent() == Some(folder.as_path())).collect();
        here.sort();
        for file in &here {
            let text = std::fs::read_to_string(file).expect("a file");
            if folder.join(text.trim()).is_file() {
                // A symbolic link, stored as the path that it leads to.
                continue;
            }
            let dialects = [Dialect::Herd, Dialect::Dartagnan].into_iter();
            let Some((dialect, formatted)) = dialects.filter_map(|d| Some((d, format(&text, d).ok()?))).next() else {
                panic!("{} is in neither dialect", file.display());
            };
            checked += 1;
            assert_eq!(format(&formatted, dialect).as_ref(), Ok(&formatted), "{}: not idempotent", file.display());
            assert_eq!(comments(&text, dialect), comments(&formatted, dialect), "{}: comments", file.display());
            std::fs::write(copy.path().join(file.file_name().unwrap_or_default()), formatted).expect("a copy");
        }
        for file in here.iter().filter(|p| p.extension().is_some_and(|e| e == "cat")) {
            let formatted = copy.path().join(file.file_name().unwrap_or_default());
            let (before, after) = (meaning(file), meaning(&formatted));
            compared += usize::from(before.is_some());
            assert_eq!(before, after, "{}: another meaning", file.display());
        }
    }
    println!("{checked} files formatted, {compared} models compared");
    assert!(checked > 40 && compared > 30, "{checked} {compared}");
}
