//! Texts of files that are noted for a job, or stand in for files where a job runs.

use super::messages;
use crate::driver::Settings;
use crate::program::Program;
use crate::shelf;
use crate::verdict::{Message, Sources};
use std::path::Path;

/// What the text of a file is noted under.
pub(in crate::driver) fn key(file: &Path) -> String {
    format!("file {}", file.display())
}

/// The text of a litmus test.
pub(in crate::driver) fn text_of(file: &Path, settings: &Settings) -> Result<String, Box<Message>> {
    shelf::keep(settings.shelf.as_ref(), || key(file), || messages::text_of(file))
}

/// The texts of a program's source files, of which messages show lines.
pub(in crate::driver) fn sources_of(program: &Program, settings: &Settings, sources: &Sources) {
    let Some(shelf) = &settings.shelf else { return };
    let shown = |file: usize| program.spans.iter().any(|span| span.line > 0 && span.file as usize == file);
    for name in program.files.iter().enumerate().filter(|(file, _)| shown(*file)).map(|(_, name)| name) {
        let text = shelf.keep(&format!("source {name}"), || sources.text(name).map(|text| text.to_string()).ok_or(()));
        if let Ok(text) = text {
            sources.insert(name, &text);
        }
    }
}
