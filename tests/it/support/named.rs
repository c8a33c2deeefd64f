//! The runs that the headers of programs name.

use hmc::verdict::header;
use std::path::{Path, PathBuf};

pub fn programs(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|e| e == "c" || e == "cc") {
            found.push(path);
        }
    }
}

/// The runs that the programs of `tests/c` name: arguments of hmc.
pub fn named() -> Vec<Vec<String>> {
    let mut files = Vec::new();
    programs(Path::new("tests/c"), &mut files);
    let mut runs = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a program");
        for (number, at) in header::lines(&text) {
            let header = header::Header::parse(&text[at], number).expect("a header that can be read");
            let mut run = header.options.clone();
            run.push(file.display().to_string());
            if !header.flags.is_empty() {
                run.push("--".to_owned());
                run.extend(header.flags.iter().cloned());
            }
            runs.push(run);
        }
    }
    runs
}
