//! `hmc check`: every file under every model, reported in the order of the command line.

use crate::cat::LoadRequest;
use crate::cli::args::{CheckArgs, Cut, InputArgs, Lines, Output, PlainAccesses, Retries, Sees};
use crate::cli::batch::{Jobs, jobs, run_all};
use crate::cli::exit::{BAD_INPUT, INTERNAL};
use crate::cli::interrupt::interrupt;
use crate::cli::output::html::Page;
use crate::cli::output::out::{say, say_all, tell};
use crate::cli::output::outputs::{Outputs, unwritable};
use crate::cli::output::progress::Progress;
use crate::cli::output::summary::Summary;
use crate::cli::output::width::{color, styled};
use crate::cli::project::Project;
use crate::driver::inputs::messages;
use crate::driver::inputs::models::Models;
use crate::driver::inputs::persisted::{FSYNC_FAILS, Persist, RECOVERY_WRITES};
use crate::driver::inputs::{settings, usual};
use crate::driver::{FileKind, Locks, Settings};
use crate::explore::Equivalence;
use crate::explore::progress::forecast::Forecast;
use crate::linearizability::library::Linearizable;
use crate::llvm::linux::{self, Tree};
use crate::report::drawn::chosen::Chosen;
use crate::report::drawn::{dot, svg};
use crate::report::fit::fit;
use crate::report::style::Style;
use crate::report::{Format, human, listing};
use crate::verdict::expected::Expectations;
use crate::verdict::outcomes::Observe;
use crate::verdict::{FileResult, Message, Property, Sources, Verdict};
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The arguments with what holds in the project that this is.
pub(in crate::cli) fn completed(args: &CheckArgs) -> Result<CheckArgs, u8> {
    let mut args = args.clone();
    match Project::find() {
        Ok(Some(project)) => {
            let taken = project.complete(&mut args);
            if !taken.is_empty() && !args.quiet {
                let models =
                    if taken.contains(&"models") { format!(" ({})", args.cat.join(", ")) } else { String::new() };
                tell(&format!("hmc: {} of {}{models} hold here\n", taken.join(", "), project.file().display()));
            }
        }
        Ok(None) => {}
        Err(message) => {
            tell(&human::messages(&[*message], styled(&std::io::stderr())));
            return Err(BAD_INPUT);
        }
    }
    Ok(args)
}

/// Runs the subcommand with all its arguments; the result is the exit code.
pub(in crate::cli) fn checked(args: &CheckArgs) -> u8 {
    let jobs = match jobs(&args.cat, &args.files, &args.input, args.shard) {
        Ok(jobs) => jobs,
        Err(code) => return code,
    };
    if !args.quiet {
        jobs.tell_chosen();
    }
    let earlier = args.resume.iter().map(|file| messages::earlier(file));
    let (expected, earlier) = match (recorded(args.expect.iter().map(|f| messages::recorded(f))), recorded(earlier)) {
        (Ok(expected), Ok(mut earlier)) => (expected, earlier.pop()),
        (Err(code), _) | (_, Err(code)) => return code,
    };
    if earlier.as_ref().is_some_and(|earlier| jobs.models().len() > 1 && !earlier.names_models()) {
        tell(
            "hmc: a log does not say under which model it was written, so `--resume` takes one for a single model only: take a JSON report (`--format json=FILE`)\n",
        );
        return BAD_INPUT;
    }
    let tells_coherence_apart = match (args.bound, args.locks) {
        (Some(_), _) => Some("`--bound`"),
        (None, Locks::Content | Locks::One) => Some("`--locks content`"),
        (None, Locks::Order) => None,
    };
    let merges = args.equivalence.0.as_ref().is_some_and(Equivalence::is_reads_from);
    if let Some(option) = tells_coherence_apart.filter(|_| merges) {
        tell(&format!("hmc: {option} is of executions with their coherence: leave out `--equivalence rf`\n"));
        return BAD_INPUT;
    }
    if properties(args).is_empty() {
        tell("hmc: `--no-race` leaves nothing of `--properties` to look for\n");
        return BAD_INPUT;
    }
    let settings = Settings {
        forecast: (jobs.len() == 1)
            .then(|| Arc::new(if Progress::is_shown() { Forecast::default() } else { Forecast::late() })),
        expected: Arc::new(expected),
        earlier: earlier.map(Arc::new),
        interrupt: interrupt(),
        compilations: (jobs.models().len() > 1).then(Arc::default),
        ..settings_of(args)
    };
    reported(args, jobs, settings, &|_, _| {})
}

/// What is said besides of a result, by the number of its job.
pub(in crate::cli) type Notes<'a> = &'a dyn Fn(usize, &mut FileResult);

/// Runs the jobs and reports what comes out.
pub(in crate::cli) fn reported(args: &CheckArgs, jobs: Jobs, settings: Settings, notes: Notes<'_>) -> u8 {
    let start = Instant::now();
    let style = Style { trace: args.trace, frames: args.frames, ..styled(&std::io::stdout()) };
    let jobs = Arc::new(jobs);
    let shown = Shown::of(&args.format);
    let sources = Sources::default();
    let mut page = match args.html.as_deref().map(Page::begin).transpose() {
        Ok(page) => page,
        Err(code) => return code,
    };
    let mut outputs = Outputs::begin(&args.format, shown.is_some(), style);
    let mut summary = Summary::new(&settings.expected);
    let mut told = Told::default();
    let mut unraced = Unraced::default();
    let mut worst = Verdict::Holds;
    let mut kept = Vec::new();
    let mut pictured = None;
    let outcome = run_all(&jobs, &settings, args.input.threads, |job, mut result, progress| {
        notes(job, &mut result);
        progress.aside(|| {
            tell_news(&jobs);
            told.complain(&result);
            if args.quiet && shown.is_some() && !result.skipped {
                say(&fit(&human::brief(&result), style));
            } else if let (Some(shown), false) = (shown, result.skipped) {
                match &result.log {
                    Some(log)
                        if shown == Shown::Logs || shown == Shown::Usual && !args.explain && args.show.is_none() =>
                    {
                        // Herd's log has no place for them.
                        tell(&human::notes(&result));
                        tell(&listing::text(&result, style));
                        say_all(log.pieces(&result.states));
                    }
                    _ => say(&human::body(&result, &sources, style)),
                }
            }
        });
        unraced.add(&result, &settings);
        summary.add(&result);
        worst = worst.worse(result.verdict);
        // What an earlier log answers has no result here; what an earlier report answers has.
        if result.skipped && result.kind.is_none() {
            return;
        }
        outputs.add(&result, &sources);
        page.iter_mut().for_each(|page| page.add(&result, &sources));
        if settings.witness && pictured.is_none() {
            pictured = Pictured::of(&result, args.full);
        }
        // Only a table of several models says something of all results in the end.
        if jobs.models().len() > 1 {
            kept.push(result.in_brief());
        }
    });
    let missing = outcome.tell_missing();
    if !args.quiet && shown.is_some_and(|shown| shown != Shown::Logs) {
        say(&human::comparison(&kept, style));
        say(&fit(&unraced.text(), style));
    }
    tell(&summary.text(start.elapsed().as_secs_f64()));
    tell(&summary.unmatched());
    let left_out = if args.strict && summary.left_out() { Verdict::Bounded } else { Verdict::Holds };
    let mut code = worst.worse(missing).worse(left_out).exit_code();
    if !(outputs.end(&kept) & page.is_none_or(Page::end) & draw(args, pictured.as_ref())) {
        code = BAD_INPUT;
    }
    if outcome.internal { INTERNAL } else { code }
}

/// Under which models races of programs were not looked for, though they were to be.
#[derive(Default)]
struct Unraced {
    models: Vec<String>,
    /// Some other model of the run looked for them.
    is_known: bool,
}

impl Unraced {
    fn add(&mut self, result: &FileResult, settings: &Settings) {
        let is_program = FileKind::of(Path::new(&result.file)) == Some(FileKind::Code);
        if !is_program || result.verdict == Verdict::Error || !settings.properties.contains(&Property::Race) {
            return;
        }
        match &result.races_of {
            Some(_) => self.is_known = true,
            None if !self.models.contains(&result.model) => self.models.push(result.model.clone()),
            None => {}
        }
    }

    fn text(&self) -> String {
        if self.models.is_empty() || self.is_known {
            return String::new();
        }
        let says = if self.models.len() == 1 { "says" } else { "say" };
        let models = self.models.join(", ");
        let other = usual::C11;
        format!(
            "  races were not looked for: {models} {says} nothing of them (`--race-model {other}` looks for C11's)\n"
        )
    }
}

/// What is shown on standard output as soon as there is a result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// Logs of litmus tests, text about programs.
    Usual,
    /// The same, whatever else was asked for.
    Logs,
    /// Text.
    Text,
}

impl Shown {
    fn of(formats: &[Output]) -> Option<Shown> {
        let mut asked = formats.iter().filter(|output| output.file.is_none()).map(|output| output.format);
        match (asked.next(), asked.next()) {
            (None, _) => formats.is_empty().then_some(Shown::Usual),
            (Some(Format::Herd), None) => Some(Shown::Logs),
            (Some(Format::Human), None) => Some(Shown::Text),
            // Other reports are not shown result by result, and two at once come one after the other.
            _ => None,
        }
    }
}

/// The execution that is drawn, and what stands above it.
struct Pictured {
    chosen: Chosen,
    title: String,
}

impl Pictured {
    fn of(result: &FileResult, whole: bool) -> Option<Pictured> {
        let chosen = Chosen::of(result, whole)?;
        let lists_forbidden = result.listed.as_ref().is_some_and(|listing| listing.forbidden);
        let is_allowed = result.violation.is_some()
            || result.witness.is_some()
            || result.listed.as_ref().is_some_and(|listing| !listing.executions.is_empty()) && !lists_forbidden;
        let forbidden = if is_allowed { "" } else { ": forbidden" };
        let (drawn, events) = (chosen.drawn(), chosen.events);
        let part = if drawn < events { format!(" ({drawn} of {events} events)") } else { String::new() };
        let title = format!("{} under {}{forbidden}{part}", result.file, result.model);
        Some(Pictured { chosen, title })
    }
}

/// Draws an execution, if that was asked for. Whether all was written.
fn draw(args: &CheckArgs, pictured: Option<&Pictured>) -> bool {
    let mut is_written = true;
    let relations = (!args.relations.is_empty()).then_some(&args.relations[..]);
    for (file, is_svg) in [(&args.dot, false), (&args.svg, true)] {
        let Some(file) = file else { continue };
        let Some(Pictured { chosen, title }) = pictured else {
            tell(&format!("hmc: no execution to draw, so {} was not written\n", file.display()));
            continue;
        };
        let drawing = chosen.drawing(title, relations);
        let text = if is_svg { svg::picture(&drawing) } else { dot::picture(&drawing) };
        is_written &= write(file, &text) == 0;
    }
    is_written
}

/// Files of recorded results; an exit code when one cannot be read.
fn recorded(files: impl Iterator<Item = Result<Expectations, Box<Message>>>) -> Result<Vec<Expectations>, u8> {
    let mut all = Vec::new();
    let mut messages = Vec::new();
    for file in files {
        match file {
            Ok(expectations) => all.push(expectations),
            Err(message) => messages.push(*message),
        }
    }
    if messages.is_empty() {
        return Ok(all);
    }
    tell(&human::messages(&messages, styled(&std::io::stderr())));
    Err(BAD_INPUT)
}

pub(in crate::cli) fn write(file: &Path, text: &str) -> u8 {
    match std::fs::write(file, text) {
        Ok(()) => 0,
        Err(e) => {
            unwritable(file, &e);
            BAD_INPUT
        }
    }
}

/// Warnings about models, each once.
pub(in crate::cli) fn tell_news(jobs: &Jobs) {
    let style = styled(&std::io::stderr());
    jobs.models().iter().for_each(|(_, models)| tell(&human::messages(&models.news(), style)));
}

/// Messages that were shown: under several models, a problem of the file itself is told once.
#[derive(Default)]
pub(in crate::cli) struct Told(HashSet<(String, String)>);

impl Told {
    /// Shows the messages of a result that are new.
    pub(in crate::cli) fn complain(&mut self, result: &FileResult) {
        let style = styled(&std::io::stderr());
        let new = |message: &&Message| self.0.insert((result.file.clone(), format!("{message:?}")));
        let new = result.messages.iter().filter(new);
        tell(&human::messages(&new.cloned().collect::<Vec<_>>(), style));
    }
}

fn properties(args: &CheckArgs) -> Vec<Property> {
    let chosen = if args.properties.is_empty() { Property::usual() } else { args.properties.clone() };
    chosen.into_iter().filter(|&p| !(args.no_race && p == Property::Race)).collect()
}

/// How files are to be checked, but for what was recorded of them.
pub(in crate::cli) fn settings_of(args: &CheckArgs) -> Settings {
    Settings {
        properties: properties(args),
        keep_going: args.keep_going,
        engine: args.engine,
        equivalence: args.equivalence.0.clone(),
        symmetry: args.symmetry,
        locks: args.locks,
        bound: args.bound,
        strict: args.strict,
        audit: args.audit,
        explain: args.explain,
        coverage: args.coverage,
        stats: args.stats,
        verbose: args.verbose,
        all_retries: args.retries == Retries::All,
        cut_bytes: args.cut == Cut::Bytes,
        condition_only: args.condition_only,
        witness: args.dot.is_some() || args.svg.is_some() || args.html.is_some(),
        show: args.show,
        relations: (!args.relations.is_empty()).then(|| args.relations.clone()),
        race_model: race_model(args),
        ..settings(&args.input)
    }
}

/// The model that says what a race is: read like a model that is named by itself, without the files of the others.
fn race_model(args: &CheckArgs) -> Option<Arc<(String, Models)>> {
    let name = args.race_model.clone()?;
    let mut request = LoadRequest::named(name.clone());
    request.include_dirs.clone_from(&args.input.include);
    request.shelf.clone_from(&args.input.shelf);
    Some(Arc::new((name, Models::new(request, Vec::new(), color(&std::io::stderr())))))
}

/// What is asked of files after a crash, by a model.
pub(super) fn persist(input: &InputArgs, model: String) -> Persist {
    let (mut with, file_system) = (input.persist_with.clone(), input.fs.clone());
    with.extend(input.fsync_fails.then(|| FSYNC_FAILS.to_owned()));
    with.extend(input.recovery_writes.then(|| RECOVERY_WRITES.to_owned()));
    Persist { model, with, file_system }
}

/// The settings that all subcommands share.
pub(in crate::cli) fn settings(input: &InputArgs) -> Settings {
    Settings {
        unroll: input.unroll,
        max_events: Some(input.max_events as usize),
        timeout: input.timeout.map(Duration::from_secs_f64),
        arch: input.arch.clone(),
        mapping: input.mapping.clone(),
        dependencies: input.dependencies.into(),
        macros: input.macros.clone(),
        include_dirs: input.include.clone(),
        clang: std::env::var_os("HMC_CLANG").filter(|v| !v.is_empty()).map(Into::into),
        clang_args: input.clang.clone(),
        linked: input.link.clone(),
        linux: input
            .linux
            .clone()
            .map(|root| Tree { root, layer: std::env::var_os("HMC_LINUX_LAYER").map(Into::into) }),
        plain_once: input.plain == PlainAccesses::Once,
        // Of several tests, `check` makes several runs.
        arguments: input.args.clone(),
        entry: input.entry.clone().or_else(|| match &input.test[..] {
            [test] => Some(linux::function_of(test)),
            _ => None,
        }),
        persist: input.persist.clone().map(|model| Arc::new(persist(input, model))),
        recovery_writes: input.recovery_writes,
        lines: match input.lines {
            Lines::Layout => settings::Lines::Layout,
            Lines::Variable => settings::Lines::Variable,
            Lines::Place => settings::Lines::Place,
        },
        linearizable: input.linearizable.clone().map(|by| {
            let (synchronised, clients) = (Sees::all(&input.synchronised), input.clients.map(usize::from));
            Arc::new(Linearizable { by, synchronised, clients })
        }),
        observe: match &input.observe[..] {
            [] => Observe::Shown,
            names => Observe::Named(names.to_vec()),
        },
        color: color(&std::io::stderr()),
        shelf: input.shelf.clone(),
        ..Settings::default()
    }
}
