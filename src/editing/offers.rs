//! What can be written at a place of a model.

use super::Reading;
use super::meaning::{base_names, definitions};
use super::text::word;
use crate::cat::library;
use std::collections::BTreeMap;

/// What an offer is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offered {
    /// A word of the language.
    Word,
    /// A set.
    Set,
    /// A relation, or another value.
    Relation,
    /// A function or procedure.
    Function,
    /// A file.
    File,
    /// A place in memory, a register, or another name of a test.
    Variable,
    /// An instruction.
    Instruction,
}

/// Something that can be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// What is written.
    pub text: String,
    /// What it is.
    pub what: Offered,
    /// In a few words.
    pub detail: String,
    /// At more length.
    pub about: Option<String>,
}

/// Words that an instruction of a model begins with, or has in it.
pub const WORDS: [&str; 14] = [
    "acyclic",
    "irreflexive",
    "empty",
    "let",
    "let rec",
    "and",
    "as",
    "include",
    "show",
    "flag ~empty",
    "procedure",
    "call",
    "enum",
    "instructions",
];

/// Whether a character can be part of a name.
pub fn is_part_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_.-'".contains(c)
}

impl Offer {
    /// A word of a language.
    pub fn word(text: &str) -> Offer {
        Offer { text: text.to_owned(), what: Offered::Word, detail: String::new(), about: None }
    }

    /// A name of a test.
    pub fn of_test(text: &str, what: Offered, detail: &str) -> Offer {
        Offer { text: text.to_owned(), what, detail: detail.to_owned(), about: None }
    }
}

/// What can be written at a byte of a text. `beside`: names of files that can be included besides those of the library.
pub fn at(text: &str, byte: usize, reading: &Reading, arch: Option<&str>, beside: &[String]) -> Vec<Offer> {
    let start = word(text, byte, is_part_of_name).start;
    let line = text[..start].rsplit('\n').next().unwrap_or("");
    if let Some(open) = line.rfind("include \"").filter(|open| line[open + 9..].chars().all(|c| c != '"')) {
        let _ = open;
        let bundled = library::embedded_names().into_iter().filter(|name| name.ends_with(".cat"));
        let file = |name: String, detail: &str| Offer {
            text: name,
            what: Offered::File,
            detail: detail.to_owned(),
            about: None,
        };
        let own = beside.iter().map(|name| file(name.clone(), "beside this file"));
        return own.chain(bundled.map(|name| file(name, "bundled"))).collect();
    }
    // Names that are being given are nobody else's.
    let before = line.trim_end();
    let last = before.rsplit(|c: char| !is_part_of_name(c)).next().unwrap_or("");
    if before.len() < line.len() && ["as", "let", "rec", "and", "procedure", "enum"].contains(&last) {
        return Vec::new();
    }
    let arch = arch.or_else(|| reading.arch());
    let mut offers: BTreeMap<String, Offer> =
        WORDS.iter().map(|word| ((*word).to_owned(), Offer::word(word))).collect();
    let what = |kind: Option<&str>| match kind {
        Some("set" | "enumeration") => Offered::Set,
        Some("function" | "procedure") => Offered::Function,
        _ => Offered::Relation,
    };
    for base in base_names(arch) {
        let offer = Offer {
            text: base.name.clone(),
            what: what(Some(base.kind)),
            detail: format!("{} of the execution", base.kind),
            about: Some(base.meaning),
        };
        offers.insert(base.name, offer);
    }
    for defined in definitions(reading) {
        let kind = defined.kind.unwrap_or("value");
        let offer = Offer {
            text: defined.name.clone(),
            what: what(defined.kind),
            detail: format!("{kind}, {} line {}", defined.file, defined.line),
            about: Some(defined.comment.map_or(defined.text.clone(), |comment| format!("{comment}\n{}", defined.text))),
        };
        offers.insert(defined.name, offer);
    }
    offers.into_values().collect()
}
