//! Findings in a program that clang has optimised: whether the source has them, too.

use crate::driver::Settings;
use crate::driver::inputs::models::Models;
use crate::verdict::{FileResult, Sources, Verdict};
use std::path::Path;

/// Said of races in optimised programs.
const RACES: &str = "clang has optimised the program and may have added reads, so only two writes count as a race";

/// The result with the verdict on the program without optimisation, if something was found.
pub(in crate::driver) fn compared(
    file: &Path,
    models: &Models,
    settings: &Settings,
    sources: &Sources,
    mut result: FileResult,
) -> FileResult {
    if !settings.optimises() {
        return result;
    }
    if result.races_of.is_some() {
        result.notes.push(RACES.to_owned());
    }
    if settings.asks_source && result.verdict == Verdict::Violated && result.violation.is_some() {
        let mut source = settings.clone();
        source.clang_args.push("-O0".to_owned());
        let fresh = FileResult::new(result.file.clone(), result.model.clone());
        result.unoptimised = Some(crate::driver::program(file, models, &source, sources, fresh).verdict);
    }
    result
}
