//! Every file under every model, several at a time; results are handed on in the order of the command line.

use super::args::{InputArgs, Shard};
use super::exit::BAD_INPUT;
use super::inputs;
use super::output::out::tell;
use super::output::progress::Progress;
use super::output::width::{color, styled};
use crate::cat::LoadRequest;
use crate::driver::inputs::messages;
use crate::driver::inputs::models::Models;
use crate::driver::inputs::usual::{self, Usual};
use crate::driver::{self, FileKind, Settings};
use crate::explore::parallel::divide::Divider;
use crate::llvm::linux;
use crate::report::fit::fit;
use crate::report::human;
use crate::verdict::{Estimate, FileResult, Message, Sources, Verdict};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Room for the recursion that parsers bound.
pub(super) const STACK_BYTES: usize = 64 << 20;
/// How often it is looked whether the user wants an end, and what takes long.
const MOMENT: Duration = Duration::from_millis(50);
/// How long a batch that was interrupted waits for the tests that were begun.
const GRACE: Duration = Duration::from_millis(700);
/// The same of a single file: what was found of it is all there is.
const GRACE_OF_ONE: Duration = Duration::from_secs(5);
/// When it is said of a file that it takes long.
const LONG: Duration = Duration::from_secs(10);
/// How often it is said again.
const AGAIN: Duration = Duration::from_secs(30);
/// While more states than this wait for an earlier test to be shown, no other test is begun.
const WAITING: usize = 1 << 20;

/// What is to be checked.
pub(super) struct Jobs {
    models: Vec<(String, Models)>,
    files: Vec<PathBuf>,
    /// A file, and the index of a model.
    pairs: Vec<(PathBuf, usize)>,
    /// The test of each pair, where the file has tests of kernel files.
    tests: Vec<Option<String>>,
    /// Which models were chosen for files for which none was named, and why.
    chosen: String,
    /// Who stands in for the searches of each pair, if somebody does.
    dividers: Vec<Arc<dyn Divider>>,
}

impl Jobs {
    /// Each file under one of the models, with searches that are answered.
    pub fn answered(
        models: Vec<(String, Models)>,
        files: Vec<PathBuf>,
        of: Vec<usize>,
        dividers: Vec<Arc<dyn Divider>>,
    ) -> Jobs {
        let pairs: Vec<(PathBuf, usize)> = files.iter().cloned().zip(of).collect();
        let tests = vec![None; pairs.len()];
        Jobs { models, files, pairs, tests, chosen: String::new(), dividers }
    }

    /// Each file, and the index of a model.
    pub fn pairs(&self) -> impl Iterator<Item = (&Path, usize)> {
        self.pairs.iter().map(|(file, model)| (file.as_path(), *model))
    }

    /// The models.
    pub fn models(&self) -> &[(String, Models)] {
        &self.models
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Says which models were chosen, if some were.
    pub fn tell_chosen(&self) {
        tell(&fit(&self.chosen, styled(&std::io::stderr())));
    }

    /// Each file with its models.
    pub fn by_file(&self) -> impl Iterator<Item = (&Path, &[(String, Models)])> {
        let models = |file: &PathBuf| {
            let own = self.pairs.iter().filter(|(named, _)| named == file).map(|(_, model)| *model);
            let (first, last) = (own.clone().min().unwrap_or(0), own.max().unwrap_or(0));
            &self.models[first..=last]
        };
        self.files.iter().map(move |file| (file.as_path(), models(file)))
    }

    /// The files, as often as they were named.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path)
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

/// Every file under every model, or an exit code when the arguments name nothing to check. When no model is named, each file gets its usual one,
/// and a line says so.
pub(super) fn jobs(models: &[String], files: &[String], input: &InputArgs, shard: Option<Shard>) -> Result<Jobs, u8> {
    let files = inputs::expand(files).map_err(|errors| {
        tell(&human::messages(&errors, styled(&std::io::stderr())));
        BAD_INPUT
    })?;
    let files = match shard {
        Some(shard) => shard.of(files),
        None => files,
    };
    let of_kernel = [usual::KERNEL.to_owned()];
    let models = if models.is_empty() && input.linux.is_some() { &of_kernel } else { models };
    let usual: Vec<Usual> = match models {
        [] => files.iter().map(|file| usual::model(file)).collect(),
        _ => Vec::new(),
    };
    let chosen = chosen(&files, &usual);
    let mut named: Vec<String> = models.to_vec();
    for Usual { model, .. } in &usual {
        if !named.iter().any(|name| name == model) {
            named.push((*model).to_owned());
        }
    }
    let count = named.len();
    let own = |file: usize| match usual.get(file) {
        Some(Usual { model, .. }) => {
            let at = named.iter().position(|name| name == model).unwrap_or_default();
            at..at + 1
        }
        None => 0..count,
    };
    let of_files = files.iter().map(|file| tests_of(file, input)).collect::<Result<Vec<_>, _>>()?;
    let (pairs, tests) = files
        .iter()
        .zip(&of_files)
        .enumerate()
        .flat_map(|(i, (file, tests))| {
            let own = &own;
            tests.iter().flat_map(move |test| own(i).map(move |model| ((file.clone(), model), test.clone())))
        })
        .unzip();
    Ok(Jobs { models: loadable(&named, input), files, pairs, tests, chosen, dividers: Vec::new() })
}

/// The tests of a file: one without a name but for tests of kernel files.
fn tests_of(file: &Path, input: &InputArgs) -> Result<Vec<Option<String>>, u8> {
    if input.linux.is_none() || input.entry.is_some() || FileKind::of(file) != Some(FileKind::Code) || !file.exists() {
        return Ok(vec![None]);
    }
    let told = |message: Message| {
        tell(&human::messages(&[message], styled(&std::io::stderr())));
        BAD_INPUT
    };
    let text = messages::text_of(file).map_err(|message| told(*message))?;
    let tests = linux::tests(&text);
    messages::chosen_tests(file, tests, &input.test)
        .map(|tests| tests.into_iter().map(Some).collect())
        .map_err(|m| told(*m))
}

/// Which models were chosen for files that are there, and why: a line each.
fn chosen(files: &[PathBuf], usual: &[Usual]) -> String {
    let mut told: Vec<&Usual> = Vec::new();
    let mut out = String::new();
    for one in usual {
        if told.contains(&one) {
            continue;
        }
        told.push(one);
        let is_alike = |(file, other): &(&PathBuf, &Usual)| *other == one && file.exists();
        let mut alike = files.iter().zip(usual).filter(is_alike).map(|(file, _)| file.display());
        let (Some(first), more) = (alike.next(), alike.count()) else { continue };
        let (of_them, since) = match more {
            0 => (first.to_string(), one.why.clone()),
            _ => (format!("{first} and {more} more"), one.why.replacen("it ", "each ", 1)),
        };
        out += &format!("hmc: model {} for {of_them}: {since} (`--cat` names another)\n", one.model);
    }
    out
}

/// Models that are loaded when they are needed.
pub(super) fn loadable(models: &[String], input: &InputArgs) -> Vec<(String, Models)> {
    let model = |name: &String| {
        let mut request = LoadRequest::named(name.clone());
        request.bell.clone_from(&input.bell);
        request.include_dirs.clone_from(&input.include);
        request.dialect = input.dialect;
        request.variants.clone_from(&input.variant);
        request.skip_checks.clone_from(&input.skip_check);
        request.strict_skip = input.strict_skip;
        request.arch_check = !input.no_arch_check;
        request.shelf.clone_from(&input.shelf);
        (name.clone(), Models::new(request, input.macros.clone(), color(&std::io::stderr())))
    };
    models.iter().map(model).collect()
}

/// What came out.
pub(super) struct Outcome {
    asked: usize,
    done: usize,
    /// Whether there was an error in hmc itself.
    pub internal: bool,
}

impl Outcome {
    /// Says how many jobs an interrupted run did not come to; what that makes of the verdict.
    pub fn tell_missing(&self) -> Verdict {
        let Outcome { asked, done, internal } = self;
        if done == asked {
            return Verdict::Holds;
        }
        let why = match internal {
            true => "not everything could be run, for want of memory or by an error in hmc",
            false => "interrupted",
        };
        tell(&format!("hmc: {why}; {done} of {asked} were checked\n"));
        Verdict::Bounded
    }
}

/// What the threads of a run share.
struct Shared {
    begun: Instant,
    jobs: Arc<Jobs>,
    settings: Settings,
    next: AtomicUsize,
    /// States of results that wait to be shown.
    waiting: AtomicUsize,
    /// What is being checked since when.
    running: Mutex<Vec<Running>>,
}

#[derive(Clone, Copy)]
struct Running {
    job: usize,
    since: Instant,
    /// When that is told next.
    tell: Duration,
}

/// The result of a job, and whether there was an error in hmc itself.
type Done = (usize, (FileResult, bool));

/// Runs all jobs on several threads and hands over each result with its number, in the order of the jobs, as soon as it can be. Of a run that was
/// interrupted and does not come to its end, the threads are left behind: the program is about to end.
pub(super) fn run_all(
    jobs: &Arc<Jobs>,
    settings: &Settings,
    threads: Option<u16>,
    mut take: impl FnMut(usize, FileResult, &Progress),
) -> Outcome {
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.map_or(available, usize::from).max(1);
    let asked = jobs.pairs.len();
    let workers = threads.min(asked).max(1);
    // Threads without a file of their own help with those that are left.
    (workers..threads).for_each(|_| settings.spare.put());
    let progress = Progress::start(asked, settings.progress.clone(), settings.forecast.clone());
    let (next, waiting, running) = Default::default();
    let shared = Arc::new(Shared {
        begun: Instant::now(),
        jobs: jobs.clone(),
        settings: settings.clone(),
        next,
        waiting,
        running,
    });
    let (send, receive) = mpsc::channel();
    let mut internal = false;
    for _ in 0..workers {
        let (send, shared) = (send.clone(), shared.clone());
        let work = move || shared.work(&send);
        // Without a thread of its own the work is left to the others; the first always starts or nothing can.
        internal |= std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work).is_err();
    }
    drop(send);
    let mut results: Vec<Option<FileResult>> = jobs.pairs.iter().map(|_| None).collect();
    let (mut shown, mut done) = (0, 0);
    let mut interrupted: Option<Instant> = None;
    let grace = if asked > 1 { GRACE } else { GRACE_OF_ONE };
    loop {
        match receive.recv_timeout(MOMENT) {
            Ok((job, (result, panicked))) => {
                internal |= panicked;
                results[job] = Some(result);
                done += 1;
                progress.advance();
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        while let Some(result) = results.get_mut(shown).and_then(Option::take) {
            shared.waiting.fetch_sub(result.states.len(), Ordering::Relaxed);
            take(shown, result, &progress);
            shown += 1;
        }
        if settings.interrupt.load(Ordering::Relaxed) {
            if interrupted.get_or_insert_with(Instant::now).elapsed() >= grace {
                break;
            }
        } else if !Progress::is_shown() {
            shared.tell_long();
        }
    }
    for (job, result) in results.into_iter().enumerate().skip(shown) {
        if let Some(result) = result {
            take(job, result, &progress);
        }
    }
    Outcome { asked, done, internal }
}

impl Shared {
    /// Checks one file after the other.
    fn work(&self, send: &Sender<Done>) {
        let Shared { settings, jobs, .. } = self;
        let sources = Sources::default();
        while !settings.interrupt.load(Ordering::Relaxed) {
            // The test that the others wait for is being run by another thread.
            if self.waiting.load(Ordering::Relaxed) > WAITING {
                std::thread::sleep(MOMENT);
                continue;
            }
            let job = self.next.fetch_add(1, Ordering::Relaxed);
            let Some((file, model)) = jobs.pairs.get(job) else { break };
            self.running(|running| running.push(Running { job, since: Instant::now(), tell: LONG }));
            let test = jobs.tests.get(job).and_then(Option::as_ref);
            let mut own =
                jobs.dividers.get(job).map(|divider| Settings { divider: Some(divider.clone()), ..settings.clone() });
            if let Some(test) = test {
                own.get_or_insert_with(|| settings.clone()).entry = Some(linux::function_of(test));
            }
            let mut done = guarded(file, &jobs.models[*model], own.as_ref().unwrap_or(settings), &sources);
            if let Some(test) = test {
                done.0.file = format!("{}::{test}", done.0.file);
            }
            self.running(|running| running.retain(|r| r.job != job));
            self.waiting.fetch_add(done.0.states.len(), Ordering::Relaxed);
            if send.send((job, done)).is_err() {
                break;
            }
        }
        settings.spare.put();
    }

    fn running<R>(&self, change: impl FnOnce(&mut Vec<Running>) -> R) -> R {
        change(&mut self.running.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Says what takes long.
    fn tell_long(&self) {
        let mut long = Vec::new();
        self.running(|running| {
            for file in running.iter_mut().filter(|file| file.since.elapsed() >= file.tell) {
                long.push((file.job, file.since.elapsed()));
                file.tell += AGAIN;
            }
        });
        for (job, time) in long {
            let Some((file, model)) = self.jobs.pairs.get(job) else { continue };
            let (file, model, seconds) = (file.display(), &self.jobs.models[*model].0, time.as_secs());
            let seen = self.settings.progress.load(Ordering::Relaxed);
            let rate = seen.checked_div(self.begun.elapsed().as_secs()).unwrap_or(0);
            let rate = if rate > 0 { format!(" ({rate} a second)") } else { String::new() };
            let help = match self.settings.timeout {
                Some(limit) => format!("it ends after {} s", limit.as_secs_f32()),
                None => "`--timeout S` ends it after S seconds".to_owned(),
            };
            // Of a single file it is known which executions were seen.
            let forecast = self.settings.forecast.as_ref().and_then(|forecast| forecast.get());
            let estimate = forecast.and_then(|f| Estimate::of(f.executions, f.spread, seen));
            let of_all = estimate.map(|estimate| format!(", {}", estimate.shown())).unwrap_or_default();
            tell(&format!(
                "hmc: {file} under {model}: {seconds} s so far, {seen} executions of the run seen{rate}{of_all}; {help}\n"
            ));
        }
    }
}

/// Checks one file; an error in hmc becomes a result, and `true`.
pub(super) fn guarded(
    file: &Path,
    model: &(String, Models),
    settings: &Settings,
    sources: &Sources,
) -> (FileResult, bool) {
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
