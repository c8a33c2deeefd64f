//! Litmus tests of `../shared/mixed` with the states that other tools and machines found. `HMC_DAT3M=DIR`, a copy of Dat3M's repository, adds the rows about
//! its tests.

use super::{answer, models, state, states};
use hmc::driver::Engine;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The test of a row, if it is there.
fn file(root: &Path, source: &str) -> Option<PathBuf> {
    if let Some(name) = source.strip_prefix("shared/mixed/litmus/") {
        return Some(root.join("../shared/mixed/litmus").join(name));
    }
    let peer = std::env::var_os("HMC_DAT3M")?;
    Some(Path::new(&peer).join(source.strip_prefix("Dat3M/")?))
}

/// A table row, by the names of columns.
type Row<'t> = BTreeMap<&'t str, &'t str>;

fn rows(text: &str) -> Vec<Row<'_>> {
    let mut lines = text.lines().map(|line| line.split('\t'));
    let names: Vec<&str> = lines.next().expect("a table with names").collect();
    lines.map(|values| names.iter().copied().zip(values).collect()).collect()
}

#[test]
fn tests_have_the_states_of_other_tools() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Ok(table) = std::fs::read_to_string(root.join("../shared/mixed/tests.tsv")) else {
        eprintln!("notice: ../shared/mixed is not there; its tests are not checked");
        return;
    };
    let mut loaded = BTreeMap::new();
    let (mut checked, mut wrong) = (0, Vec::new());
    for row in rows(&table) {
        let Some(file) = file(root, row["src"]) else { continue };
        let model = row["model"];
        let usable = loaded.entry(model).or_insert_with(|| models(model));
        let result = answer(&file, model, usable, Engine::Explore);
        let expected: BTreeSet<_> = row["states"].split('|').map(state).collect();
        let counts = [row["positive"], row["negative"]].map(|n| n.parse::<u64>().ok());
        let is_counted = row["oracle"].starts_with("herd7");
        let is_same = states(&result) == expected && (!is_counted || counts == [result.positive, result.negative]);
        checked += 1;
        if !is_same {
            let why: Vec<&str> = result.messages.iter().map(|m| m.message.as_str()).collect();
            println!(
                "{} under {model}: {:?} {:?} {:?}, expected {counts:?}",
                row["test"], why, result.positive, result.negative
            );
            wrong.push(row["test"]);
        }
    }
    assert!(checked >= 460, "{checked} rows were checked");
    assert!(wrong.is_empty(), "{} of {checked} rows: {wrong:?}", wrong.len());
}
