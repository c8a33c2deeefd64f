//! `hmc list-models`: the bundled models.

use super::out::say;
use crate::cat::library;
use crate::cat::{LoadRequest, Vocabulary, load};

/// How the title of a file begins that is there to be included.
const LIBRARY: &str = "Library:";

/// Runs the subcommand. Files that are there to be included are left out.
pub fn run() -> u8 {
    let models: Vec<(String, String)> = library::embedded_names()
        .iter()
        .filter_map(|name| name.strip_suffix(".cat"))
        .filter_map(|name| {
            let loaded = load(&LoadRequest::named(name), &Vocabulary::default()).ok()?;
            (!loaded.model.title.starts_with(LIBRARY)).then(|| (name.to_owned(), loaded.model.title))
        })
        .collect();
    let width = models.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, title) in models {
        say(&format!("{name:width$}  {title}\n"));
    }
    0
}
