//! Litmus tests: read, explore, add up the final states.

use super::assembly;
use super::ends::Ends;
use super::held::{comparison, is_unexpected};
use super::inputs::kind::FileKind;
use super::inputs::models::{Models, Usable, adapt};
use super::inputs::settings::Settings;
use super::inputs::{kept, messages, persisted};
use super::questions::explain;
use super::questions::listed::{asked_model, listed};
use super::record::record;
use super::strategy::run::run_observing;
use crate::clock::Instant;
use crate::litmus::outcome::{self, Summary};
use crate::litmus::{self, Test};
use crate::program::rounds::{self, Rounds};
use crate::program::{Half, Instr, Program};
use crate::report::formats::herd;
use crate::verdict::expected::{Answer, Expected, Key};
use crate::verdict::{FileResult, Flag, Message, Sources, Verdict};
use std::path::Path;
use std::sync::Arc;

/// Checks a litmus test under a model.
pub(super) fn check(
    file: &Path,
    models: &Models,
    settings: &Settings,
    sources: &Sources,
    result: FileResult,
) -> FileResult {
    let text = match kept::text_of(file, settings) {
        Ok(text) => text,
        Err(message) => return result.failed(vec![*message], Verdict::Error),
    };
    match FileKind::of(file) {
        Some(FileKind::Assembly) => match assembly::reader(&text, &result.file, sources, settings.color) {
            Ok((arch, read)) => check_read(&text, (arch, &read), models, settings, sources, result, &mut |_, _, _| ()),
            Err(message) => result.failed(vec![*message], Verdict::Error),
        },
        _ => check_text(&text, models, settings, sources, result, &mut |_, _, _| ()),
    }
}

/// Is told of a test that was explored, as it was in the end, of the model that it was explored under, and of the bounds.
pub(super) type Then<'t> = &'t mut dyn FnMut(&Test, &Usable, &Settings);

/// Checks the text of a litmus test; the name of its file is that of the result.
pub(super) fn check_text(
    text: &str,
    models: &Models,
    settings: &Settings,
    sources: &Sources,
    result: FileResult,
    then: Then<'_>,
) -> FileResult {
    check_read(text, (architecture(text), &litmus::parse), models, settings, sources, result, then)
}

/// The architecture of a test, and how the text of a file with this name becomes the test.
pub(super) type Read<'r> = (Option<&'static str>, &'r ReadText);
type ReadText = dyn Fn(&str, &str, &litmus::Options) -> Result<Test, Vec<litmus::Error>>;

/// Checks the text of a test for an architecture, once it is read.
pub(super) fn check_read(
    text: &str,
    (arch, read): Read<'_>,
    models: &Models,
    settings: &Settings,
    sources: &Sources,
    mut result: FileResult,
    then: Then<'_>,
) -> FileResult {
    let start = Instant::now();
    let name = result.file.clone();
    sources.insert(&name, text);
    let usable = match asked_model(models.get(arch), settings, &mut result) {
        Ok(usable) => usable,
        Err((reasons, verdict)) => return result.failed(reasons, verdict),
    };
    let options = litmus::Options { macros: usable.macros.clone() };
    let mut test = match read(text, &name, &options) {
        Ok(mut test) => {
            adapt(&mut test.program, &usable.model);
            test
        }
        Err(errors) => {
            let verdict = if errors.iter().all(|e| e.unsupported) { Verdict::Unsupported } else { Verdict::Error };
            let color = settings.color;
            let all = errors.iter().map(|e| messages::litmus_error(e, &name, text, sources, color)).collect();
            return result.failed(all, verdict);
        }
    };
    result.name.clone_from(&test.name);
    result.arch = Some(test.arch.name().to_owned());
    result.notes.extend(test.program.notes.iter().cloned());
    result.notes.extend(persisted::unseen_flushes(&test.program, &usable.model));
    result.hash = Some(test.hash.clone());
    if let Some(earlier) = &settings.earlier {
        let (kind, model) = (Some(outcome::kind(test.quantifier)), result.model.as_str());
        let model_sha256 = result.model_sha256.as_str();
        let key = Key { file: &result.file, name: &test.name, hash: Some(&test.hash), kind, model, model_sha256 };
        match earlier.answer(&key, settings.condition_only) {
            Some(Answer::InFull(known)) => return taken_over(known.clone(), &test, settings),
            Some(Answer::Said(said)) => return answered(said, &test, settings, result),
            None => {}
        }
    }
    rounds::leave_out(&mut test.program, Rounds::Retries);
    explored(&test, &usable, start, settings, sources, result, then)
}

/// Explores a test under a model, and adds up what comes out. `start`: when the work on it began.
pub(crate) fn examine(
    test: &Test,
    usable: &Usable,
    start: Instant,
    settings: &Settings,
    sources: &Sources,
    result: FileResult,
) -> FileResult {
    explored(test, usable, start, settings, sources, result, &mut |_, _, _| ())
}

fn explored(
    test: &Test,
    usable: &Usable,
    start: Instant,
    settings: &Settings,
    sources: &Sources,
    mut result: FileResult,
    then: Then<'_>,
) -> FileResult {
    let mut ends = Ends::new(test, &usable.model, sources, settings);
    let is_code = FileKind::of(Path::new(&result.file)) == Some(FileKind::Assembly);
    let bounded = Settings { unroll: bound(test, is_code, settings), ..settings.clone() };
    let run = run_observing(&test.program, usable, &bounded, Some(test.observed_memory()), &mut ends);
    record(&run, usable, settings, &mut result);
    if result.executions.complete == 0 && result.executions.blocked > 0 {
        result.notes.push(messages::NONE_COMPLETE.into());
    }
    let end = End { cut: run.statistics.cut > 0 || run.bounded.is_some(), early: run.ended_early.is_some() };
    let Some(summary) = conclude(test, ends, end, settings, &mut result) else { return result };
    let program = run.sizes.program(&test.program).clone();
    let cut = Test { program, ..test.clone() };
    if settings.explain && summary.holding == 0 {
        result.explanation = Some(explain::forbidden(&cut, run.sizes.model(usable), &bounded, sources));
    }
    if let Some(show) = settings.show {
        result.listed = Some(listed(&cut.program, Some(&cut), show, run.sizes.model(usable), &bounded, sources));
    }
    then(&cut, run.sizes.model(usable), &bounded);
    result.log = Some(herd::block(test, &summary, &result.states, start.elapsed().as_secs_f64()));
    result
}

/// How often loops are followed that nobody has set a bound for, and that have no end of their own: as often as by the reference tool.
const ROUNDS: u32 = 2;

/// The same of assembly files, whose loops count in memory when they are not optimised. Where a store may fail, each round is one more way to go on.
const ROUNDS_OF_CODE: u32 = 8;

/// The bound on the rounds of a test's loops.
fn bound(test: &Test, is_code: bool, settings: &Settings) -> Option<u32> {
    let fails = || test.program.functions.iter().flat_map(|f| &f.code).any(is_exclusive);
    let rounds = || if is_code && !fails() { ROUNDS_OF_CODE } else { ROUNDS };
    settings.unroll.or(test.unroll).or_else(|| rounds::is_endless(&test.program).then(rounds))
}

/// The bound on the rounds of loops of assembly.
pub(super) fn bound_of_code(test: &Test, settings: &Settings) -> Option<u32> {
    bound(test, true, settings)
}

fn is_exclusive(instr: &Instr) -> bool {
    matches!(instr, Instr::Load(load) if load.half == Half::ExRead)
}

/// The program of a litmus test, and its architecture.
pub(super) fn program(
    file: &Path,
    models: &Models,
    settings: &Settings,
    sources: &Sources,
) -> Result<(Program, &'static str), (Vec<Message>, Verdict)> {
    let (test, _) = read(file, models, settings, sources)?;
    let arch = test.arch.name();
    let mut program = test.program;
    program.full_fence = super::questions::robust::full_fence(&mut program, arch);
    Ok((program, arch))
}

/// A litmus test, and the model for its architecture.
pub(crate) fn read(
    file: &Path,
    models: &Models,
    settings: &Settings,
    sources: &Sources,
) -> Result<(Test, Arc<Usable>), (Vec<Message>, Verdict)> {
    let failed = |messages: Vec<Message>| (messages, Verdict::Error);
    let text = kept::text_of(file, settings).map_err(|m| failed(vec![*m]))?;
    let name = file.display().to_string();
    sources.insert(&name, &text);
    let (arch, parse) = match FileKind::of(file) {
        Some(FileKind::Assembly) => {
            assembly::reader(&text, &name, sources, settings.color).map_err(|e| failed(vec![*e]))?
        }
        _ => (architecture(&text), Box::new(litmus::parse) as assembly::Reader),
    };
    let usable = models.get(arch)?;
    let options = litmus::Options { macros: usable.macros.clone() };
    let mut test = parse(&text, &name, &options).map_err(|errors| {
        let color = settings.color;
        failed(errors.iter().map(|e| messages::litmus_error(e, &name, &text, sources, color)).collect())
    })?;
    rounds::leave_out(&mut test.program, Rounds::Retries);
    adapt(&mut test.program, &usable.model);
    Ok((test, usable))
}

/// The architecture that a test's header names, known before the test is read because the model's macros take part in that.
fn architecture(text: &str) -> Option<&'static str> {
    litmus::Arch::from_header(&text[litmus::split::first_word(text)]).map(litmus::Arch::name)
}

/// The result of an earlier run, held to what is expected in this one.
fn taken_over(mut result: FileResult, test: &Test, settings: &Settings) -> FileResult {
    result.expected = comparison(test, settings, &result);
    if matches!(result.verdict, Verdict::Holds | Verdict::Violated) {
        result.verdict = if settings.strict && is_unexpected(&result) { Verdict::Violated } else { Verdict::Holds };
    }
    result
}

/// A test that a log answers: it is held to what is expected, and nothing else is known of it.
fn answered(said: &Expected, test: &Test, settings: &Settings, result: FileResult) -> FileResult {
    let known = FileResult {
        condition: said.condition.clone(),
        observation: said.observation.clone(),
        kind: said.kind.clone(),
        positive: said.counts.map(|c| c.0),
        negative: said.counts.map(|c| c.1),
        partial: said.counts.is_none(),
        states: said.states.iter().flatten().cloned().collect(),
        flags: said
            .flags
            .iter()
            .flatten()
            .map(|name| Flag { name: name.clone(), executions: 1, ..Flag::default() })
            .collect(),
        hash: result.hash.clone(),
        ..result
    };
    let FileResult { verdict, expected, .. } = taken_over(known.clone(), test, settings);
    let nothing = FileResult::new(known.file, known.model);
    FileResult { name: known.name, verdict, expected, hash: known.hash, ..nothing }.skipped()
}

/// How a search ended.
struct End {
    /// Loops were cut.
    cut: bool,
    /// A time limit or the user ended it.
    early: bool,
}

/// Copies what was found into the result. `None`: the search ended before the condition was decided.
fn conclude(test: &Test, ends: Ends<'_>, end: End, settings: &Settings, result: &mut FileResult) -> Option<Summary> {
    let decisive = ends.decided().map(|values| test.context.state_line(&test.items, values));
    let (decided, pruned) = (decisive.is_some(), ends.pruned.get());
    result.messages.extend(ends.unsupported);
    // Executions that cannot be run are not seen, as those are not that a time limit leaves out.
    let cannot = !result.messages.is_empty();
    let end = End { early: end.early || cannot, ..end };
    let found: Vec<_> = ends.groups.into_iter().collect();
    let mut summary = outcome::summarise(test, &found, end.cut);
    summary.partial = decided || pruned || end.early;
    result.states = match settings.condition_only {
        true => decisive.into_iter().collect(),
        false => outcome::states(test, found),
    };
    result.kind = Some(summary.kind.to_owned());
    result.positive = Some(summary.holding);
    result.negative = Some(summary.failing);
    result.flags = ends
        .flags
        .into_iter()
        .map(|(name, (executions, undefined))| Flag { name, executions, undefined, ..Flag::default() })
        .collect();
    result.witness = ends.witness;
    result.partial = summary.partial;
    let open = end.early && !decided;
    if !open {
        result.condition = Some(herd::verdict(summary.verdict).to_owned());
    }
    // Where nothing was found that satisfies the proposition, what was left out does not either.
    let never = pruned && !decided && !end.early && test.quantifier != litmus::Quantifier::Forall;
    if !summary.partial || never {
        result.observation = Some(herd::observation(summary.observation).to_owned());
    }
    result.expected = comparison(test, settings, result);
    result.verdict = if cannot {
        Verdict::Unsupported
    } else if open {
        Verdict::Bounded
    } else if settings.strict && is_unexpected(result) {
        Verdict::Violated
    } else if end.cut && !decided {
        Verdict::Bounded
    } else {
        Verdict::Holds
    };
    (!open).then_some(summary)
}
