//! From a model and a file to a result: the one way through the program.
//!
//! ```text
//! model text ── load ──▶ Loaded ──┐
//!                                 ├─ Plan::compile ─▶ explore ─▶ observe ─▶ FileResult
//! file ── compile / parse ─▶ Program
//! ```
//!
//! - [`models`]: loads each model once an architecture, and adds the check that every model gets.
//! - `clients`: a structure with every client of a few calls.
//! - [`code`]: C, C++ and LLVM IR.
//! - [`litmus`]: litmus tests; `ends` adds up their final states, [`explain`] says why an outcome is forbidden.
//! - [`executions`]: the executions of a file, one by one, as data.
//! - [`judged`]: the candidate executions of a litmus test, each with what the model says of it.
//! - `settings`: how files are to be checked.
//! - `run`: all executions of a program under a model; `record` says what that came to.
//! - `missing`: executions that exploration may miss, and those of them that are found otherwise.
//! - `kept`: texts of files that are noted, or stand in for files.
//! - `held`: results against what was recorded of them.
//! - `compiling`: clang within the limits of the run.
//! - `counting`: which executions count as one when the user does not say.
//! - `optimised`: whether what was found in an optimised program is in its source.
//! - `orders`: where coherence follows from reads-from, when executions count up to that.
//! - `rounds`: programs with loops that go round without end.
//! - `specified`: programs whose calls are held against a sequential specification.
//! - `unseen`: what no execution of a program shows, so that nothing holds of it.
//! - `races`: races of programs under models that know none.
//! - [`layers`]: visitors that stand between exploration and observation.
//! - [`robust`]: a program under a model and under a stronger one.
//! - [`usual`]: the model of a file for which none is named.
//! - [`messages`]: problems of the input, made presentable.

mod candidates;
mod clients;
pub mod code;
pub(crate) mod compiling;
mod counting;
pub mod differ;
mod ends;
pub mod executions;
pub mod explain;
mod first_of_sources;
mod held;
pub mod judged;
mod kept;
pub mod layers;
pub mod litmus;
pub mod messages;
mod missing;
pub mod models;
mod optimised;
mod orders;
pub(crate) mod races;
mod record;
pub mod robust;
mod rounds;
mod run;
mod settings;
mod sizes;
mod specified;
mod unseen;
pub mod usual;

pub use settings::{Engine, Settings, Symmetry};

use crate::clock::Instant;
use crate::verdict::{Estimate, FileResult, Sources, Verdict};
use models::Models;
use std::path::Path;

/// What kind of file it is, by its extension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// `.litmus`
    Litmus,
    /// `.c`, `.cc`, `.cpp`, `.cxx`, `.rs`, `.ll`
    Code,
}

impl FileKind {
    /// The kind of a file, if it is one that can be checked.
    pub fn of(path: &Path) -> Option<FileKind> {
        match path.extension()?.to_str()? {
            "litmus" => Some(FileKind::Litmus),
            "c" | "cc" | "cpp" | "cxx" | "rs" | "ll" => Some(FileKind::Code),
            _ => None,
        }
    }
}

/// Checks a program, for races as well.
fn program(file: &Path, models: &Models, settings: &Settings, sources: &Sources, result: FileResult) -> FileResult {
    let result = code::check(file, models, settings, sources, result);
    races::added(file, models, settings, sources, result)
}

/// Checks one file under one model.
pub fn check(file: &Path, model: &str, models: &Models, settings: &Settings, sources: &Sources) -> FileResult {
    let start = Instant::now();
    let settings = &settings.begun();
    let mut result = FileResult::new(file.display().to_string(), model);
    let is_noted = settings.shelf.as_ref().is_some_and(|shelf| shelf.has(&kept::key(file)));
    if let (false, Err(message)) = (is_noted, messages::readable(file)) {
        return result.failed(vec![*message], Verdict::Error);
    }
    let (checked, not_compiled) = compiling::within(file, settings, || match FileKind::of(file) {
        Some(FileKind::Litmus) if settings.entry.is_some() || !settings.linked.is_empty() => {
            result.failed(vec![messages::not_a_program(file)], Verdict::Error)
        }
        Some(FileKind::Litmus) => litmus::check(file, models, settings, sources, result),
        Some(FileKind::Code) => {
            let result = program(file, models, settings, sources, result);
            optimised::compared(file, models, settings, sources, result)
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
    let settings = &settings.begun();
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
