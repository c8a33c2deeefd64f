//! From a model and a file to a result: the one way through the program.
//!
//! ```text
//! model text ── load ──▶ Loaded ──┐
//!                                 ├─ Plan::compile ─▶ explore ─▶ observe ─▶ FileResult
//! file ── compile / parse ─▶ Program
//! ```
//!
//! - [`inputs`]: models, files, settings, and messages about them.
//! - [`code`]: C, C++, Rust and LLVM IR. [`litmus`]: litmus tests, and `assembly` files that are read as such; `ends` adds up their final states.
//! - `strategy`: how executions are found. [`layers`]: visitors that stand between exploration and observation.
//! - `record`: what a run comes to; `unseen`: what no execution shows, so that nothing holds of it; `held`: results against what was recorded of them.
//! - [`executions`]: the executions of a file, one by one, as data.
//! - [`questions`]: what is asked about a file besides its verdict.

pub mod assembly;
pub mod code;
mod ends;
pub mod executions;
mod held;
pub mod inputs;
pub mod layers;
pub mod litmus;
pub mod questions;
mod record;
mod strategy;
mod unseen;

pub use inputs::kind::FileKind;
pub use inputs::settings::{Engine, Locks, Settings, Show, Symmetry};

use crate::clock::Instant;
use crate::verdict::{Estimate, FileResult, Sources, Verdict};
use inputs::models::Models;
use inputs::{compiling, kept, messages};
use std::path::Path;

/// Checks a program, for races as well.
fn program(file: &Path, models: &Models, settings: &Settings, sources: &Sources, result: FileResult) -> FileResult {
    let result = code::check(file, models, settings, sources, result);
    questions::race_model::added(file, models, settings, sources, result)
}

/// Checks one file under one model.
pub fn check(file: &Path, model: &str, models: &Models, settings: &Settings, sources: &Sources) -> FileResult {
    let start = Instant::now();
    let settings = &settings.begun(file);
    let mut result = FileResult::new(file.display().to_string(), model);
    let is_noted = settings.shelf.as_ref().is_some_and(|shelf| shelf.has(&kept::key(file)));
    if let (false, Err(message)) = (is_noted, messages::readable(file)) {
        return result.failed(vec![*message], Verdict::Error);
    }
    let (checked, not_compiled) = compiling::within(file, settings, || match FileKind::of(file) {
        Some(FileKind::Litmus | FileKind::Assembly) if settings.entry.is_some() || !settings.linked.is_empty() => {
            result.failed(vec![messages::not_a_program(file)], Verdict::Error)
        }
        Some(FileKind::Litmus | FileKind::Assembly) => litmus::check(file, models, settings, sources, result),
        Some(FileKind::Code) => {
            let result = program(file, models, settings, sources, result);
            questions::optimised::compared(file, models, settings, sources, result)
        }
        None => result.failed(vec![messages::unknown_kind(file)], Verdict::Error),
    });
    result = checked;
    if let Some(message) = not_compiled {
        result.messages = vec![message];
        result.verdict = Verdict::Bounded;
        result.open = true;
    }
    ended(result, settings, start)
}

/// Checks the text of a litmus test under one model, without a look at files. `name`: the file that results and messages name.
pub fn check_litmus(
    name: &str,
    text: &str,
    model: &str,
    models: &Models,
    settings: &Settings,
    sources: &Sources,
) -> FileResult {
    then_checked(name, text, model, models, settings, sources, &mut |_, _, _| ())
}

/// As [`check_litmus`]; what was explored is looked at once more then.
fn then_checked(
    name: &str,
    text: &str,
    model: &str,
    models: &Models,
    settings: &Settings,
    sources: &Sources,
    then: litmus::Then<'_>,
) -> FileResult {
    let start = Instant::now();
    let settings = &settings.begun(Path::new(name));
    let result = FileResult::new(name.to_owned(), model);
    ended(litmus::check_text(text, models, settings, sources, result, then), settings, start)
}

/// What is said of every result.
fn ended(mut result: FileResult, settings: &Settings, start: Instant) -> FileResult {
    messages::name_unchecked(&mut result);
    result.left_open();
    held::hold(&mut result, settings);
    let estimate = settings.forecast.as_ref().and_then(|forecast| forecast.get());
    if let Some(estimate) = estimate.filter(|_| result.open && settings.is_ended()) {
        let seen = result.executions.up_to_renaming.unwrap_or(result.executions.complete);
        result.estimate = Estimate::of(estimate.executions, estimate.spread, seen);
    }
    result.seconds = start.elapsed().as_secs_f64();
    result
}
