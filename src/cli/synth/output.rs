//! Files of a suite.

use super::failed;
use crate::report::drawn::svg;
use crate::report::{Drawing, EVENT};
use crate::synth::Suite;
use crate::synth::programs::vocabulary::Vocabulary;
use crate::synth::suite::drawn;
use crate::synth::suite::{self, Entry};
use crate::verdict::Message;
use std::path::Path;

/// Writes a suite: a file a test, pictures if asked for, `@all` with the names of the tests, and two tables.
pub fn write(
    directory: &Path,
    entries: &[Entry],
    found: &Suite,
    vocabulary: &Vocabulary,
    draws: bool,
) -> std::io::Result<()> {
    std::fs::create_dir_all(directory)?;
    for (entry, test) in entries.iter().zip(&found.tests).filter(|_| draws) {
        if let Some(witness) = test.outcomes.first() {
            let picture = drawn::picture(&test.program, witness, vocabulary);
            let drawing = Drawing {
                picture: &picture,
                title: &entry.name,
                marked: &[],
                cycle: &[],
                relations: None,
                numbers: None,
                letter: EVENT,
            };
            std::fs::write(directory.join(format!("{}.svg", entry.name)), svg::picture(&drawing))?;
        }
    }
    tests(directory, entries)?;
    std::fs::write(directory.join("suite.tsv"), suite::table(entries))?;
    // Plain data with string keys: serialisation cannot fail.
    std::fs::write(directory.join("suite.json"), serde_json::to_string_pretty(entries).unwrap_or_default() + "\n")
}

/// Writes the tests and their index.
pub fn tests(directory: &Path, entries: &[Entry]) -> std::io::Result<()> {
    std::fs::create_dir_all(directory)?;
    let mut index = String::new();
    for entry in entries {
        let file = format!("{}.litmus", entry.name);
        std::fs::write(directory.join(&file), &entry.text)?;
        index += &(file + "\n");
    }
    std::fs::write(directory.join("@all"), index)
}

/// What is said where files could not be written.
pub fn not_written(directory: &Path, error: &std::io::Error) -> Vec<Message> {
    let message = format!("`{}` cannot be written: {error}", directory.display());
    failed(message, "is the directory there, and may it be written?")
}
