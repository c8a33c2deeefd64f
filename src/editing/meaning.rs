//! What a name means: the definitions, the comment that belongs to each, and what executions give.

use super::Reading;
use super::reading::sort_word;
use super::text::line;
use crate::cat::source::Span;
use crate::cat::vocabulary::table::BASE;
use crate::cat::{Dialect, library};
use serde::Serialize;
use std::collections::BTreeSet;

/// Longer definitions are cut.
const LONGEST: usize = 600;

/// A definition, as it is shown.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Defined {
    /// The name.
    pub name: String,
    /// Set, relation, function, …; nothing where that is not known.
    pub kind: Option<&'static str>,
    /// The file.
    pub file: String,
    /// Whether that is one of the library's.
    pub bundled: bool,
    /// From 1.
    pub line: usize,
    /// The definition.
    pub text: String,
    /// The comment that belongs to it.
    pub comment: Option<String>,
}

/// A base name, as it is shown.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct BaseName {
    /// The name.
    pub name: String,
    /// Set or relation.
    pub kind: &'static str,
    /// What is in it.
    pub meaning: String,
}

/// A definition of a model.
pub fn defined(reading: &Reading, index: usize) -> Defined {
    let definition = &reading.names.definitions[index];
    let Span { file, .. } = definition.span;
    let source = reading.file(file);
    let dialect = reading.loaded.as_ref().map_or(Dialect::Herd, |loaded| loaded.dialect);
    let text = reading.text(definition.span);
    let cut = text.char_indices().nth(LONGEST).map(|(at, _)| format!("{}…", &text[..at]));
    Defined {
        name: definition.name.clone(),
        kind: reading.kind(index),
        file: source.name.to_string(),
        bundled: reading.path(file).is_none() && library::embedded(&source.name).is_some(),
        line: line(&source.text, definition.span.range().start),
        text: cut.unwrap_or_else(|| text.to_owned()),
        comment: super::comments::about(&source.text, definition.span.range(), dialect),
    }
}

/// What a model and the files that it includes define, variables apart.
pub fn definitions(reading: &Reading) -> Vec<Defined> {
    use super::names::What;
    let all = reading.names.definitions.iter().enumerate();
    let global = all.filter(|(_, definition)| !matches!(definition.what, What::Variable | What::Tag));
    global.map(|(index, _)| defined(reading, index)).collect()
}

/// The base names that tests of an architecture know, or of any.
pub fn base_names(arch: Option<&str>) -> Vec<BaseName> {
    let known = BASE.iter().filter(|entry| entry.of.is_empty() || arch.is_none_or(|arch| entry.of.contains(&arch)));
    let row = |name: &str, sort, meaning: &str| BaseName {
        name: name.to_owned(),
        kind: sort_word(sort),
        meaning: meaning.to_owned(),
    };
    known.flat_map(|entry| entry.each().map(|name| row(name, entry.sort, entry.meaning))).collect()
}

/// What a name at a place means, as text with marks (Markdown).
pub fn shown(reading: &Reading, place: Span, meant: &BTreeSet<usize>, arch: Option<&str>) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    for &index in meant {
        let Defined { name, kind, file, line, text, comment, .. } = defined(reading, index);
        let kind = kind.map(|kind| format!(", a {kind}").replace("a enum", "an enum")).unwrap_or_default();
        let mut part = format!("**{name}**{kind}, `{file}` line {line}\n\n```cat\n{text}\n```");
        if let Some(comment) = comment {
            part += &format!("\n\n{comment}");
        }
        parts.push(part);
    }
    let name = reading.text(place);
    if meant.is_empty() {
        let arch = arch.or_else(|| reading.arch());
        let mut known = base_names(arch).into_iter().filter(|base| base.name == name);
        let base = known.next().or_else(|| base_names(None).into_iter().find(|base| base.name == name));
        parts.extend(base.map(|base| format!("**{name}**, a {} of the execution\n\n{}", base.kind, base.meaning)));
    }
    (!parts.is_empty()).then(|| parts.join("\n\n---\n\n"))
}
