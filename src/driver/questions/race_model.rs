//! Races of programs under models that do not say what a race is: another model is asked, and only for them.
//!
//! A program without a race under a model of the language behaves on a processor as the language says, if it is compiled as the mapping says: a race that the
//! other model finds is an error under any.

use crate::driver::code;
use crate::driver::inputs::models::{Models, Usable};
use crate::driver::inputs::settings::Settings;
use crate::verdict::{FileResult, Property, Sources, Verdict, flags};
use std::path::Path;

/// Whether a model says what a race is.
pub(crate) fn are_known(usable: &Usable) -> bool {
    usable.model.checks.iter().any(flags::is_violation)
}

/// The result with what the other model says, if races are to be looked for and the result's own model knows none.
pub(in crate::driver) fn added(
    file: &Path,
    own: &Models,
    settings: &Settings,
    sources: &Sources,
    result: FileResult,
) -> FileResult {
    if !settings.properties.contains(&Property::Race) || result.verdict == Verdict::Error {
        return result;
    }
    let knows = own.get(settings.arch.as_deref()).is_ok_and(|usable| are_known(&usable));
    if knows {
        return FileResult { races_of: Some(result.model.clone()), ..result };
    }
    let Some(other) = &settings.race_model else { return result };
    let (name, models) = &**other;
    // The program is compiled for the other model, whatever was said of this one.
    let settings = Settings {
        properties: vec![Property::Race],
        race_model: None,
        arch: None,
        mapping: None,
        coverage: false,
        explain: false,
        ..settings.clone()
    };
    let raced = code::check(file, models, &settings, sources, FileResult::new(result.file.clone(), name.clone()));
    merged(result, raced)
}

/// What a model says of a program, and another one of its races.
fn merged(mut result: FileResult, raced: FileResult) -> FileResult {
    let model = &raced.model;
    let named = |note: String| format!("races under {model}: {note}");
    if raced.verdict != Verdict::Holds && raced.violation.is_none() {
        result.notes.extend(raced.notes.into_iter().map(named));
        result.messages.extend(raced.messages);
    }
    result.verdict = result.verdict.worse(raced.verdict);
    let found = raced.violation.into_iter().chain(raced.more_violations);
    let mut found: Vec<_> = found.collect();
    for finding in &mut found {
        finding.message = format!("{} (under {model})", finding.message);
    }
    match result.violation {
        Some(_) => result.more_violations.append(&mut found),
        None => {
            let mut found = found.into_iter();
            result.violation = found.next();
            result.more_violations = found.collect();
        }
    }
    result.races_of = Some(raced.model);
    result
}
