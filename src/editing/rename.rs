//! Gives a name in a model another spelling, in all files that use it, and makes sure that every name means what it did.

use super::Reading;
use crate::cat::source::Span;
use crate::cat::syntax::lex;
use crate::cat::syntax::tokens::Tok;
use crate::cat::{Dialect, LoadRequest, library};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Places by file, as the files stand on disk.
pub type Places = BTreeMap<PathBuf, BTreeSet<(usize, usize)>>;

/// A name in files, and the places where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The name.
    pub name: String,
    /// Where it stands.
    pub places: Places,
    /// Where its definitions are.
    pub definitions: Places,
}

/// The name at a byte of a file, and all places of its definitions and uses in these models. An error says why there is none.
pub fn find(readings: &[Arc<Reading>], path: &Path, byte: usize) -> Result<Found, String> {
    let here = readings.iter().find_map(|reading| Some((reading, reading.names.at(reading.file_at(path)?, byte)?)));
    let Some((reading, (place, meant))) = here else {
        return Err("there is no name here".to_owned());
    };
    let name = reading.text(place).to_owned();
    if meant.is_empty() {
        return Err(format!("`{name}` is not defined in a file: executions give it, or nothing does"));
    }
    let mut found = Found { name, places: Places::new(), definitions: Places::new() };
    let start = (path.to_owned(), (place.start as usize, place.end as usize));
    let mut known: BTreeSet<(PathBuf, (usize, usize))> = BTreeSet::from([start]);
    // A definition that two models include joins what each of them does with it.
    loop {
        let before = known.len();
        for reading in readings {
            let meant = known.iter().filter_map(|(path, (start, _))| reading.names.at(reading.file_at(path)?, *start));
            let class = reading.names.class(&meant.flat_map(|(_, meant)| meant).collect());
            for span in reading.names.places(&class, true) {
                known.insert(placed(reading, span)?);
            }
            for &index in &class {
                let (path, range) = placed(reading, reading.names.definitions[index].place)?;
                found.definitions.entry(path).or_default().insert(range);
            }
        }
        if known.len() == before {
            break;
        }
    }
    for (path, range) in known {
        found.places.entry(path).or_default().insert(range);
    }
    Ok(found)
}

fn placed(reading: &Reading, span: Span) -> Result<(PathBuf, (usize, usize)), String> {
    let range = (span.start as usize, span.end as usize);
    match reading.path(span.file) {
        Some(path) => Ok((path.canonicalize().unwrap_or_else(|_| path.to_owned()), range)),
        None => {
            let name = &reading.file(span.file).name;
            let of = if library::embedded(name).is_some() { "a bundled file" } else { "a text without a file" };
            Err(format!("it stands in `{name}`, {of}"))
        }
    }
}

/// Whether a text is a name, and no word of the language.
pub fn is_name(text: &str) -> bool {
    let mut errors = Vec::new();
    let lexed = lex(text, 0, Dialect::Herd, &mut errors);
    errors.is_empty() && matches!(lexed.tokens.as_slice(), [(0, Tok::Ident(name), _)] if name.len() == text.len())
}

/// A text with the same change at several places.
pub fn changed(text: &str, places: &BTreeSet<(usize, usize)>, new: &str) -> String {
    let mut out = text.to_owned();
    for &(start, end) in places.iter().rev() {
        out.replace_range(start..end, new);
    }
    out
}

/// Makes sure that with a new spelling at these places every name in these models means what it did. An error says what would not.
///
/// `load`: what loads the model of each reading, with these texts instead of files.
pub fn keeps_meaning(
    readings: &[Arc<Reading>],
    found: &Found,
    new: &str,
    load: impl Fn(&Reading, BTreeMap<PathBuf, String>) -> LoadRequest,
) -> Result<(), String> {
    for reading in readings {
        let mut texts = BTreeMap::new();
        for (path, places) in &found.places {
            if let Some(file) = reading.file_at(path) {
                texts.insert(path.clone(), changed(&reading.file(file).text, places, new));
            }
        }
        if texts.is_empty() {
            continue;
        }
        let after = Reading::of(&load(reading, texts), None);
        let root = &reading.file(reading.root()).name;
        if after.names.structure() != reading.names.structure() {
            return Err(format!("in `{root}` some names would mean something else: `{new}` is taken"));
        }
        let errors = |reading: &Reading| reading.problems().iter().filter(|p| p.severity == "error").count();
        if errors(&after) > errors(reading) {
            return Err(format!("`{root}` would have an error: `{new}` is taken"));
        }
    }
    Ok(())
}
