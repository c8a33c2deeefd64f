//! C, C++ and LLVM IR: compile, explore, say what is wrong.

use super::inputs::models::{Models, Usable, adapt};
use super::inputs::settings::{Settings, Symmetry};
use super::inputs::{kept, messages, persisted};
use super::questions::listed::{asked_model, listed};
use super::questions::{clients, explain, specified};
use super::record::record;
use super::strategy::run::run_observing;
use super::strategy::sizes;
use super::unseen;
use crate::algebra::Model;
use crate::explore::Equivalence;
use crate::linearizability::library::Linearizable;
use crate::llvm::ir::Order;
use crate::llvm::linux::{self, Tree};
use crate::llvm::{self, CompileRequest, ErrorKind, Mapping};
use crate::program::Program;
use crate::verdict::calls::linearizable::{Edges, Linearizability, Looked, Specified};
use crate::verdict::coverage::Coverage;
use crate::verdict::crash::Crashes;
use crate::verdict::outcomes::{self, Outcomes};
use crate::verdict::{FileResult, Message, Observer, Property, Sources, Verdict};
use std::path::Path;

/// Checks a file under a model.
pub(super) fn check(
    file: &Path,
    models: &Models,
    settings: &Settings,
    sources: &Sources,
    mut result: FileResult,
) -> FileResult {
    let arch = settings.arch.as_deref();
    let found = if settings.optimises() { models.get_optimised(arch) } else { models.get(arch) };
    let usable = match asked_model(found, settings, &mut result) {
        Ok(usable) => usable,
        Err((reasons, verdict)) => return result.failed(reasons, verdict),
    };
    result.arch = settings.arch.clone().or_else(|| usable.model.arch.clone());
    if let Some(wanted) = &settings.linearizable {
        if let Some(most) = wanted.clients {
            return clients::check(file, &usable, wanted, most, settings, sources, result);
        }
        return match specified_program(file, wanted, &usable, settings, sources) {
            Ok((program, specified)) => {
                examine_calls(
                    &program,
                    Asked { specified: Some(specified), ..Asked::default() },
                    &usable,
                    settings,
                    sources,
                    result,
                )
                .0
            }
            Err((messages, verdict)) => result.failed(messages, verdict),
        };
    }
    match program(file, &usable, usable.knows_threads, settings, sources) {
        Ok(program) => {
            let (program, crashes) = match persisted::prepare(program, &usable, settings) {
                Ok(prepared) => prepared,
                Err((messages, verdict)) => return result.failed(messages, verdict),
            };
            let asked = Asked { crashes, ..Asked::default() };
            let mut result = examine_calls(&program, asked, &usable, settings, sources, result).0;
            if let Some(tree) = &settings.linux {
                result.messages.iter_mut().for_each(|message| name_definition(message, tree));
            }
            result
        }
        Err((messages, verdict)) => result.failed(messages, verdict),
    }
}

/// Of a function that is missing says which file of the tree defines it.
fn name_definition(message: &mut Message, tree: &Tree) {
    let found = llvm::lower::unknown_function(&message.message).and_then(|name| linux::definition(tree, name));
    if let Some((file, line)) = found {
        let file = file.strip_prefix(&tree.root).unwrap_or(&file).display();
        message.help = Some(format!(
            "{file}:{line} of the tree defines it: include that file in the test, or `--link` it, or define the function in the test"
        ));
    }
}

/// The program of a file, and what its calls are held against.
pub(super) fn specified_program(
    file: &Path,
    wanted: &Linearizable,
    usable: &Usable,
    settings: &Settings,
    sources: &Sources,
) -> Result<(Program, Specified), specified::Refused> {
    let prepared = specified::prepare(wanted, settings, sources)?;
    let program = marked_program(file, usable, usable.knows_threads, prepared.operations(), settings, sources)?;
    let specified = specified::finish(prepared, wanted, &program, settings, sources)?;
    Ok((program, specified))
}

/// Explores a program under a model, and says what is wrong with it.
pub(crate) fn examine(
    program: &Program,
    usable: &Usable,
    settings: &Settings,
    sources: &Sources,
    result: FileResult,
) -> FileResult {
    examine_calls(program, Asked::default(), usable, settings, sources, result).0
}

/// What is asked of a program besides what is asked of every one.
#[derive(Default)]
pub(super) struct Asked {
    /// What its calls are held against.
    pub specified: Option<Specified>,
    /// What its recovery finds.
    pub crashes: Option<Crashes>,
}

/// The same, with what is asked besides; what was looked at of the calls, and the orders of calls with which a client can tell what is wrong.
pub(super) fn examine_calls(
    program: &Program,
    Asked { specified, crashes }: Asked,
    usable: &Usable,
    settings: &Settings,
    sources: &Sources,
    mut result: FileResult,
) -> (FileResult, Looked, Option<Edges>) {
    result.notes.extend(program.notes.iter().cloned());
    let mut observer = Observer::new(&usable.loaded, &usable.model, sources, &settings.properties, settings.keep_going);
    let outcomes = match Outcomes::of(program, &settings.observe) {
        Ok(outcomes) => outcomes,
        Err(unknown) => {
            let failed = result.failed(messages::no_variables(&unknown, program), Verdict::Error);
            return (failed, Looked::default(), None);
        }
    };
    let observed = outcomes.as_ref().map(Outcomes::memory);
    observer = observer.covering(settings.coverage).relating(settings.related(&usable.model));
    // Renamed threads would show what others have shown; which calls come before which may depend on every order of writes.
    let has_calls = specified.is_some() || crashes.is_some();
    let any_client = specified.as_ref().is_some_and(|specified| specified.any_client);
    let apart = has_calls || outcomes.as_ref().is_some_and(Outcomes::tells_threads_apart);
    let symmetry = if apart { Symmetry::Off } else { settings.symmetry };
    observer = observer.observing(outcomes.map(|all| all.knowing(settings.known_outcomes.clone())));
    let equivalence = if has_calls { Some(Equivalence::ReadsFromAndCoherence) } else { settings.equivalence.clone() };
    observer = observer.specified(specified.map(|specified| Linearizability::new(specified::asked(specified, usable))));
    // Rounds that try again, and who read what in them, may order what survives.
    let all_retries = settings.all_retries || crashes.is_some();
    observer.crashes = crashes;
    let settings = &Settings { symmetry, equivalence, all_retries, ..settings.clone() };
    let run = run_observing(program, usable, settings, observed, &mut observer);
    if let Some(folded) = &run.folded {
        observer.discount(&folded.again);
    }
    record(&run, usable, settings, &mut result);
    let is_cut = run.statistics.cut > 0 || run.ended_early.is_some() || run.bounded.is_some();
    let is_partial = is_cut || run.missing.is_open() || program.samples;
    let unseen = unseen::of(&run, &observer);
    if let Some(outcomes) = &observer.outcomes {
        result.states = outcomes.seen.iter().map(outcomes::line).collect();
        result.witness.clone_from(&observer.surprise);
    }
    let covered = observer.coverage.as_ref().map(|coverage| coverage.reached().cloned());
    result.coverage = covered.map(|reached| Coverage::of(program, reached.as_ref(), sources));
    let (mut looked, mut edges, mut no_call) = (Looked::default(), None, false);
    if let Some(linearizability) = &observer.linearizability {
        looked = linearizability.looked();
        edges.clone_from(&linearizability.client);
        no_call = looked.histories == 0;
        result.notes.push(looked.sentence());
        result.notes.extend(specified::note(usable));
        let refusals = linearizability.refused.iter();
        result.messages.extend(refusals.map(|refusal| messages::not_specified(refusal)));
    }
    let mut no_recovery = false;
    if let Some(crashes) = &observer.crashes {
        let mut crashed = crashes.counted();
        result.executions.complete = crashed.recoveries;
        let has_parts = run.sizes.note(usable).is_some();
        result.notes.extend(has_parts.then(|| persisted::PARTS.to_owned()));
        no_recovery = crashed.recoveries == 0 || has_parts;
        result.notes.extend(crashed.sentences());
        if !is_partial && (settings.keep_going || observer.findings.is_empty()) {
            result.notes.extend(crashes.useless(program));
        }
        result.notes.extend(persisted::units(program, settings));
        crashed.is_listed = observer.outcomes.is_none();
        if crashed.is_listed {
            result.states = crashes.states();
        }
        result.lacks = crashes.forces().to_vec();
        result.crash = Some(crashed);
    } else if let Some(note) = persisted::unasked(program, usable, settings) {
        no_recovery = true;
        result.notes.push(note);
    }
    // Of calls that wait for ever, what others have returned is held against the specification all the same.
    let is_unseen = unseen.is_partial && !any_client;
    conclude(observer, is_partial || is_unseen || no_call || no_recovery, &usable.model, settings, &mut result);
    if matches!(result.verdict, Verdict::Holds | Verdict::Bounded) {
        result.notes.extend(unseen.notes);
    }
    let (program, usable) = (run.sizes.program(program), run.sizes.model(usable));
    if let Some(show) = settings.show {
        result.listed = Some(listed(program, None, show, usable, settings, sources));
    }
    if settings.explain && result.verdict == Verdict::Holds {
        result.explanation = Some(explain::no_error(program, usable, settings, sources));
    }
    (result, looked, edges)
}

/// The program of a file, compiled for a model. `knows_threads`: all models that will judge it read what creating and joining threads orders.
pub(super) fn program(
    file: &Path,
    usable: &Usable,
    knows_threads: bool,
    settings: &Settings,
    sources: &Sources,
) -> Result<Program, (Vec<Message>, Verdict)> {
    marked_program(file, usable, knows_threads, &[], settings, sources)
}

/// The same, in which the calls of these functions are marked.
fn marked_program(
    file: &Path,
    usable: &Usable,
    knows_threads: bool,
    operations: &[String],
    settings: &Settings,
    sources: &Sources,
) -> Result<Program, (Vec<Message>, Verdict)> {
    let refuse = |errors: Vec<llvm::Error>| refusal(&errors, settings, sources);
    let request = request(file, usable, knows_threads, settings).map_err(refuse)?;
    let request = CompileRequest { operations: operations.to_vec(), ..request };
    let mut program = llvm::compile(&request).map_err(refuse)?;
    adapt(&mut program, &usable.model);
    kept::sources_of(&program, settings, sources);
    if sizes::has_parts(&program) && !sizes::may_be_cut(usable) {
        let why = "an atomic access of sixteen bytes is made of two parts, and this model, which is evaluated on each execution, does not name `si`";
        return Err(refuse(vec![llvm::Error::new(ErrorKind::Unsupported, why)]));
    }
    Ok(program)
}

/// What errors of the front end make of a file.
pub(crate) fn refusal(errors: &[llvm::Error], settings: &Settings, sources: &Sources) -> (Vec<Message>, Verdict) {
    let unsupported = errors.iter().all(|e| e.kind == ErrorKind::Unsupported);
    let verdict = if unsupported { Verdict::Unsupported } else { Verdict::Error };
    (errors.iter().map(|e| messages::code_error(e, sources, settings.color)).collect(), verdict)
}

/// How a file is compiled for a model.
pub(crate) fn request(
    file: &Path,
    usable: &Usable,
    knows_threads: bool,
    settings: &Settings,
) -> Result<CompileRequest, Vec<llvm::Error>> {
    let bell = usable.loaded.bell.as_ref();
    let title = settings.arch.as_deref().or(usable.model.arch.as_deref()).unwrap_or(&usable.model.title);
    let has_macros = usable.macros.iter().next().is_some();
    let mut mapping = match &settings.mapping {
        Some(name) => {
            Mapping::kept(name, settings.shelf.as_ref()).map_err(|m| vec![llvm::Error::new(ErrorKind::BadInput, m)])?
        }
        None => Mapping::for_model(Some(title), |name| bell.is_some_and(|b| b.annotations().contains(name))),
    };
    mapping.dependencies = settings.dependencies;
    if settings.linux.is_some() {
        // `READ_ONCE` of the kernel's headers, for a processor as well.
        mapping.volatile = Order::Rlx;
    }
    if settings.plain_once {
        mapping = mapping.with_plain_relaxed();
    }
    let prelude_header = (has_macros && settings.linux.is_none()).then(|| llvm::prelude::header(&usable.macros));
    Ok(CompileRequest {
        path: file.to_owned(),
        linked: settings
            .linked
            .iter()
            .map(|file| settings.linux.as_ref().map_or_else(|| file.clone(), |tree| tree.file(file)))
            .collect(),
        entry: settings.entry.clone(),
        arguments: settings.arguments.clone(),
        clang: settings.clang.clone(),
        clang_args: settings.clang_args.clone(),
        include_dirs: settings.include_dirs.clone(),
        compilations: settings.compilations.clone(),
        prelude_header,
        linux: settings.linux.clone(),
        has_primitives: has_macros,
        shelf: settings.shelf.clone(),
        options: llvm::Options {
            checks: llvm::Checks {
                overflow: settings.properties.contains(&Property::Overflow),
                exit_codes: settings.properties.contains(&Property::ExitCode),
                uninitialised: settings.properties.contains(&Property::Uninitialised),
            },
            accesses_order_threads: !knows_threads,
            persists: persisted::is_asked(usable, settings),
            lines: settings.lines,
        },
        mapping,
        own: persisted::file_system(settings)?,
        operations: Vec::new(),
    })
}

/// The verdict: what was found, else what could not be run, else whether everything was seen.
fn conclude(observer: Observer<'_>, is_partial: bool, model: &Model, settings: &Settings, result: &mut FileResult) {
    result.flags = observer.flags();
    if settings.properties == [Property::Race]
        && !model.checks.iter().any(crate::verdict::flags::is_violation)
        && settings.race_model.is_none()
    {
        result.notes.push("the model says nothing of races, so none were looked for".to_owned());
    }
    let failures = observer.failures();
    result.messages.extend(failures.iter().map(|check| messages::no_answer(check, model, settings.color)));
    result.warnings = observer.warnings;
    let mut findings = observer.findings.into_iter();
    result.violation = findings.next();
    result.more_violations = findings.collect();
    for finding in observer.unsupported {
        result.messages.push(Message {
            code: "hmc::unsupported".into(),
            message: finding.message,
            place: finding.place,
            ..Message::default()
        });
    }
    result.verdict = if result.violation.is_some() {
        if !settings.keep_going {
            result.notes.push("the search ended at the first violation; --keep-going looks for more".into());
        }
        Verdict::Violated
    } else if !result.messages.is_empty() {
        Verdict::Unsupported
    } else if is_partial {
        Verdict::Bounded
    } else {
        Verdict::Holds
    };
}
