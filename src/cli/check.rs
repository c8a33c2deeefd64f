//! `hmc check`: every file under every model, several at a time, reported in the order of the command line.

use super::args::{CheckArgs, InputArgs, Output};
use super::out::{say, tell};
use super::progress::Progress;
use super::{BAD_INPUT, INTERNAL, inputs, interrupt, summary};
use crate::cat::LoadRequest;
use crate::driver::models::Models;
use crate::driver::{self, Settings, messages};
use crate::report::style::Style;
use crate::report::{Drawing, Format, Report, dot, human, svg};
use crate::verdict::expected::Expectations;
use crate::verdict::{FileResult, Message, Property, Sources, Verdict};
use std::collections::HashSet;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Room for the recursion that parsers bound.
const STACK_BYTES: usize = 64 << 20;

/// Runs the subcommand; the result is the exit code.
pub fn run(args: &CheckArgs) -> u8 {
    let style = Style { color: color(&std::io::stdout()), trace: args.trace };
    let jobs = match jobs(&args.cat, &args.files, &args.input) {
        Ok(jobs) => jobs,
        Err(code) => return code,
    };
    let earlier = args.resume.iter().map(|file| messages::earlier(file));
    let (expected, earlier) = match (recorded(args.expect.iter().map(|f| messages::recorded(f))), recorded(earlier)) {
        (Ok(expected), Ok(mut earlier)) => (expected, earlier.pop()),
        (Err(code), _) | (_, Err(code)) => return code,
    };
    if earlier.as_ref().is_some_and(|earlier| jobs.models.len() > 1 && !earlier.names_models()) {
        tell(
            "hmc: a log does not say under which model it was written, so `--resume` takes one for a single model only: take a JSON report (`--format json=FILE`)\n",
        );
        return BAD_INPUT;
    }
    if properties(args).is_empty() {
        tell("hmc: `--no-race` leaves nothing of `--properties` to look for\n");
        return BAD_INPUT;
    }
    let start = Instant::now();
    let settings = Settings {
        forecast: (jobs.pairs.len() == 1 && Progress::is_shown()).then(Arc::default),
        expected: Arc::new(expected),
        earlier: earlier.map(Arc::new),
        properties: properties(args),
        keep_going: args.keep_going,
        engine: args.engine,
        equivalence: args.equivalence.0.clone(),
        symmetry: args.symmetry,
        strict: args.strict,
        audit: args.audit,
        explain: args.explain,
        coverage: args.coverage,
        condition_only: args.condition_only,
        witness: args.dot.is_some() || args.svg.is_some(),
        ..settings(&args.input)
    };
    let shown = Shown::of(&args.format);
    let sources = Sources::default();
    let mut told = Told::default();
    let outcome = run_all(&jobs, &settings, args.input.threads, |result, progress| {
        progress.aside(|| {
            tell_news(&jobs);
            told.complain(result);
            if let (Some(shown), false) = (shown, result.skipped) {
                let text = match &result.log {
                    Some(log) if shown == Shown::Logs || shown == Shown::Usual && !args.explain => {
                        // Herd's log has no place for them.
                        tell(&human::notes(result));
                        log.clone()
                    }
                    _ => human::body(result, &sources, style),
                };
                say(&text);
            }
        });
    });
    let mut missing = outcome.tell_missing();
    let mut results: Vec<FileResult> = outcome.results.into_iter().flatten().collect();
    if shown.is_some_and(|shown| shown != Shown::Logs) {
        say(&human::comparison(&results, style));
    }
    tell(&summary::text(&results, start.elapsed().as_secs_f64()));
    tell(&summary::unmatched(&settings.expected, &results));
    // What an earlier log answers has no result here; what an earlier report answers has.
    missing = results.iter().filter(|r| r.skipped).fold(missing, |worst, r| worst.worse(r.verdict));
    results.retain(|r| !r.skipped || r.kind.is_some());
    let code = finish(args, Report::new(results), missing, shown, &sources, style);
    if outcome.internal { INTERNAL } else { code }
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
            // Other reports need all results, and two at once come one after the other.
            _ => None,
        }
    }
}

/// Writes the reports that were asked for, but what was shown already, and says with which exit code to end.
fn finish(
    args: &CheckArgs,
    report: Report,
    missing: Verdict,
    shown: Option<Shown>,
    sources: &Sources,
    style: Style,
) -> u8 {
    let mut code = report.worst().worse(missing).exit_code();
    for Output { format, file } in &args.format {
        let style = if file.is_some() { Style { color: false, ..style } } else { style };
        if file.is_none() && shown.is_some() {
            continue;
        }
        let text = match format {
            // Messages went to standard error already.
            Format::Human if file.is_none() => {
                let bodies: String = report.results.iter().map(|r| human::body(r, sources, style)).collect();
                bodies + &human::comparison(&report.results, style)
            }
            _ => report.render(*format, sources, style),
        };
        match file {
            Some(file) if write(file, &text) != 0 => code = BAD_INPUT,
            Some(_) => {}
            None => say(&text),
        }
    }
    let pictured = report.results.iter().find_map(|r| Some((r, drawing_of(r)?)));
    for (file, is_svg) in [(&args.dot, false), (&args.svg, true)] {
        let Some(file) = file else { continue };
        let Some((result, drawing)) = &pictured else {
            tell(&format!("hmc: no execution to draw, so {} was not written\n", file.display()));
            continue;
        };
        let title = format!("{} under {}", result.file, result.model);
        let drawing = Drawing { title: &title, ..*drawing };
        let text = if is_svg { svg::picture(&drawing) } else { dot::picture(&drawing) };
        if write(file, &text) != 0 {
            code = BAD_INPUT;
        }
    }
    code
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
    tell(&human::messages(&messages, Style { color: color(&std::io::stderr()), ..Style::default() }));
    Err(BAD_INPUT)
}

fn drawing_of(result: &FileResult) -> Option<Drawing<'_>> {
    match (&result.violation, &result.witness) {
        (Some(finding), _) => {
            let cycle = finding.orders.as_ref().map_or(&[][..], |orders| &orders.cycle);
            Some(Drawing { picture: &finding.execution, title: "", marked: &finding.events, cycle })
        }
        (None, Some(witness)) => Some(Drawing { picture: witness, title: "", marked: &[], cycle: &[] }),
        _ => None,
    }
}

pub(super) fn write(file: &Path, text: &str) -> u8 {
    match std::fs::write(file, text) {
        Ok(()) => 0,
        Err(e) => {
            let message = format!("`{}` cannot be written: {e}", file.display());
            tell(&human::messages(&[messages::bare("hmc::file-unwritable", message, None)], Style::default()));
            BAD_INPUT
        }
    }
}

/// Warnings about models, each once.
pub(super) fn tell_news(jobs: &Jobs) {
    let style = Style { color: color(&std::io::stderr()), ..Style::default() };
    jobs.models.iter().for_each(|(_, models)| tell(&human::messages(&models.news(), style)));
}

/// Messages that were shown: under several models, a problem of the file itself is told once.
#[derive(Default)]
pub(super) struct Told(HashSet<(String, String)>);

impl Told {
    /// Shows the messages of a result that are new.
    pub(super) fn complain(&mut self, result: &FileResult) {
        let style = Style { color: color(&std::io::stderr()), ..Style::default() };
        let new = |message: &&Message| self.0.insert((result.file.clone(), format!("{message:?}")));
        let new = result.messages.iter().filter(new);
        tell(&human::messages(&new.cloned().collect::<Vec<_>>(), style));
    }
}

pub(super) fn color(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

fn properties(args: &CheckArgs) -> Vec<Property> {
    let chosen = if args.properties.is_empty() { Property::usual() } else { args.properties.clone() };
    chosen.into_iter().filter(|&p| !(args.no_race && p == Property::Race)).collect()
}

/// The settings that all subcommands share.
pub(super) fn settings(input: &InputArgs) -> Settings {
    Settings {
        unroll: input.unroll,
        timeout: input.timeout.map(Duration::from_secs_f64),
        arch: input.arch.clone(),
        mapping: input.mapping.clone(),
        dependencies: input.dependencies.into(),
        macros: input.macros.clone(),
        include_dirs: input.include.clone(),
        clang: std::env::var_os("HMC_CLANG").filter(|v| !v.is_empty()).map(Into::into),
        clang_args: input.clang.clone(),
        color: color(&std::io::stderr()),
        interrupt: interrupt(),
        ..Settings::default()
    }
}

/// What is to be checked.
pub(super) struct Jobs {
    models: Vec<(String, Models)>,
    /// A file, and the index of a model.
    pairs: Vec<(PathBuf, usize)>,
}

impl Jobs {
    /// The models.
    pub fn models(&self) -> &[(String, Models)] {
        &self.models
    }

    /// The files, as often as they were named.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.pairs.iter().filter(|(_, model)| *model == 0).map(|(file, _)| file.as_path())
    }
}

/// Runs something on a thread with room for the recursion of parsers; nothing when there is no such thread.
pub(super) fn with_room<R: Send>(work: impl FnOnce() -> R + Send) -> Option<R> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work).ok()?;
        match thread.join() {
            Ok(result) => Some(result),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Every file under every model, or an exit code when the arguments name nothing to check.
pub(super) fn jobs(models: &[String], files: &[String], input: &InputArgs) -> Result<Jobs, u8> {
    let files = inputs::expand(files).map_err(|errors| {
        tell(&human::messages(&errors, Style { color: color(&std::io::stderr()), ..Style::default() }));
        BAD_INPUT
    })?;
    let model = |name: &String| {
        let mut request = LoadRequest::named(name.clone());
        request.bell.clone_from(&input.bell);
        request.include_dirs.clone_from(&input.include);
        request.dialect = input.dialect;
        request.variants.clone_from(&input.variant);
        request.skip_checks.clone_from(&input.skip_check);
        request.strict_skip = input.strict_skip;
        request.arch_check = !input.no_arch_check;
        (name.clone(), Models::new(request, input.macros.clone(), color(&std::io::stderr())))
    };
    let models: Vec<_> = models.iter().map(model).collect();
    let count = models.len();
    let pairs = files.into_iter().flat_map(|file| (0..count).map(move |m| (file.clone(), m))).collect();
    Ok(Jobs { models, pairs })
}

/// What came out.
pub(super) struct Outcome {
    /// In the order of the jobs; nothing for those that an interrupted run did not come to.
    pub results: Vec<Option<FileResult>>,
    /// Whether there was an error in hmc itself.
    pub internal: bool,
}

impl Outcome {
    /// Says how many jobs an interrupted run did not come to; what that makes of the verdict.
    pub fn tell_missing(&self) -> Verdict {
        let (asked, done) = (self.results.len(), self.results.iter().flatten().count());
        if done == asked {
            return Verdict::Holds;
        }
        let why = if self.internal {
            "not everything could be run, for want of memory or by an error in hmc"
        } else {
            "interrupted"
        };
        tell(&format!("hmc: {why}; {done} of {asked} were checked\n"));
        Verdict::Bounded
    }
}

/// Runs all jobs on several threads and shows each result in the order of the jobs, as soon as it can be.
pub(super) fn run_all(
    jobs: &Jobs,
    settings: &Settings,
    threads: Option<u16>,
    mut show: impl FnMut(&FileResult, &Progress),
) -> Outcome {
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.map_or(available, usize::from).max(1);
    let workers = threads.min(jobs.pairs.len()).max(1);
    // Threads without a file of their own help with those that are left.
    (workers..threads).for_each(|_| settings.spare.put());
    let progress = Progress::start(jobs.pairs.len(), settings.progress.clone(), settings.forecast.clone());
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    let mut results: Vec<Option<FileResult>> = jobs.pairs.iter().map(|_| None).collect();
    let mut internal = false;
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (send, next) = (send.clone(), &next);
            let work = move || {
                let sources = Sources::default();
                while !settings.interrupt.load(Ordering::Relaxed) {
                    let job = next.fetch_add(1, Ordering::Relaxed);
                    let Some((file, model)) = jobs.pairs.get(job) else { break };
                    let result = guarded(file, &jobs.models[*model], settings, &sources);
                    if send.send((job, result)).is_err() {
                        break;
                    }
                }
                settings.spare.put();
            };
            // Without a thread of its own the work is left to the others; the first always starts or nothing can.
            if std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work).is_err() {
                internal = true;
            }
        }
        drop(send);
        let mut shown = 0;
        for (job, (result, panicked)) in receive {
            internal |= panicked;
            results[job] = Some(result);
            progress.advance();
            while let Some(Some(result)) = results.get(shown) {
                show(result, &progress);
                shown += 1;
            }
        }
        for result in results.iter().skip(shown).flatten() {
            show(result, &progress);
        }
    });
    Outcome { results, internal }
}

/// Checks one file; an error in hmc becomes a result, and `true`.
fn guarded(file: &Path, model: &(String, Models), settings: &Settings, sources: &Sources) -> (FileResult, bool) {
    let (name, models) = model;
    let run = || driver::check(file, name, models, settings, sources);
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)) {
        Ok(result) => {
            let failed_audit = result.notes.iter().any(|n| n.starts_with("AUDIT"));
            (result, failed_audit)
        }
        Err(_) => {
            let message =
                messages::bare("hmc::internal", format!("internal error while checking {}", file.display()), None);
            let result = FileResult::new(file.display().to_string(), name.clone());
            (result.failed(vec![message], Verdict::Error), true)
        }
    }
}
