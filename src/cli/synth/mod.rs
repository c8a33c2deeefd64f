//! `hmc synth`: all minimal litmus tests of a model, up to a size.

mod begun;
mod compare;
mod distinguish;
mod output;
mod verify;

use super::output::out::{say, tell};
use super::output::width::{color, styled};
use super::{BAD_INPUT, interrupt};
use crate::cat::{self, LoadRequest, Loaded, library};
use crate::cli::args::SynthArgs;
use crate::driver::inputs::messages;
use crate::report::human;
use crate::synth::extremes::{Extreme, extreme};
use crate::synth::judge;
use crate::synth::minimal::judge::Judge;
use crate::synth::programs::vocabulary::Vocabulary;
use crate::synth::suite::{self, Entry};
use crate::synth::{Progress, Request, Suite, resume};
use crate::verdict::{Message, Verdict};
use begun::Record;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How often the progress line is renewed.
const TICK: Duration = Duration::from_millis(100);
/// A size that would take longer than this is announced.
const LONG: Duration = Duration::from_secs(600);

/// Runs the subcommand. Exit codes: 0 searched to the end; 1 a test that did not verify, or a difference; 2 bad input; 3 ended early.
pub fn run(args: &SynthArgs) -> u8 {
    match synth(args) {
        Ok(code) => code,
        Err(messages) => {
            tell(&human::messages(&messages, styled(&std::io::stderr())));
            BAD_INPUT
        }
    }
}

/// An error without a place in a file.
fn failed(message: String, help: &str) -> Vec<Message> {
    vec![messages::bare("hmc::synth", message, Some(help))]
}

fn synth(args: &SynthArgs) -> Result<u8, Vec<Message>> {
    if let [a, b] = args.distinguish.as_slice() {
        return distinguish::run(args, [a, b]);
    }
    let model = args.cat.as_deref().unwrap_or_default();
    let session = Session::new(args, model)?;
    if let Some(files) = &args.compare {
        return compare::run(args, model, &session, files);
    }
    let axioms = chosen(&args.axiom, session.judge.names())
        .map_err(|message| failed(message, "leave `--axiom` out for all of them"))?;
    let record = Record::new(args, &session);
    let begun = record.begun(args, &session.vocabulary)?;
    let request = session.request(args);
    let mut found = watched(args, |progress| resume(&session.judge, &session.vocabulary, &request, progress, begun));
    record.keep(args, &session.vocabulary, &found)?;
    if let Some(axioms) = axioms {
        found.tests.retain(|test| suite::axioms(test) & axioms != 0);
    }
    let entries = suite::entries(&found, &session.vocabulary, &request.relaxations, args.condition)
        .map_err(|message| failed(message, "choose a smaller size, or name more registers in the lattice file"))?;
    match &args.output {
        Some(directory) => output::write(directory, &entries, &found, &session.vocabulary, args.svg)
            .map_err(|e| output::not_written(directory, &e))?,
        None => say(&suite::table(&entries)),
    }
    tell(&summary(&found, &entries, args.size));
    if found.tests.is_empty() && session.is_permissive {
        tell(
            "hmc: the model forbids no outcome of any program of up to three events: does it have a check that rejects executions?\n",
        );
    }
    if args.verify && !verify::run(args, model, &session, &found, &entries)? {
        return Ok(Verdict::Violated.exit_code());
    }
    Ok(if found.complete < args.size { Verdict::Bounded.exit_code() } else { 0 })
}

/// A model, ready for synthesis.
struct Session {
    loaded: Loaded,
    vocabulary: Vocabulary,
    judge: Judge,
    /// Whether every small program may do anything.
    is_permissive: bool,
}

impl Session {
    /// Loads a model. Errors: it cannot be read, it is not for synthesis, it allows nothing at all.
    fn new(args: &SynthArgs, model: &str) -> Result<Session, Vec<Message>> {
        let mut request = LoadRequest::named(model);
        request.include_dirs.clone_from(&args.include);
        request.bell.clone_from(&args.bell);
        request.arch.clone_from(&args.arch);
        request.free_orders = true;
        let loaded = cat::load(&request, &cat::Vocabulary::new(args.arch.as_deref()))
            .map_err(|errors| messages::load_errors(&errors, color(&std::io::stderr())))?;
        let arch = args.arch.as_deref().or(loaded.model.arch.as_deref());
        let vocabulary =
            lattice(args.lattice.as_deref(), model, arch).map_err(|(message, help)| failed(message, &help))?;
        let judge = judge(&loaded, &vocabulary)
            .map_err(|message| failed(message, "`hmc model info` shows how each check of the model is judged"))?;
        let is_permissive = match extreme(&judge, &vocabulary) {
            Some(Extreme::AllowsNothing(axioms)) => {
                let message = format!(
                    "the model `{model}` allows no execution of any program of up to three events, so that no test is minimal"
                );
                let help = match axioms.as_slice() {
                    [] => "look at its checks: together they reject every execution".to_owned(),
                    some => format!("look at {}: every execution violates it", some.join(", ")),
                };
                return Err(failed(message, &help));
            }
            Some(Extreme::AllowsEverything) => true,
            None => false,
        };
        Ok(Session { loaded, vocabulary, judge, is_permissive })
    }

    fn request(&self, args: &SynthArgs) -> Request {
        let relaxations =
            if args.relaxations.is_empty() { self.vocabulary.relaxations.clone() } else { args.relaxations.clone() };
        Request {
            size: args.size,
            threads: args.threads_max.unwrap_or(args.size),
            addresses: args.addresses_max.unwrap_or(args.size),
            minimality: args.minimal,
            relaxations,
            workers: args.threads.map_or_else(processors, usize::from),
        }
    }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The axioms that were asked for, as a mask; none: all.
fn chosen(asked: &[String], names: &[String]) -> Result<Option<u64>, String> {
    let mut mask = 0;
    for name in asked {
        let at = names.iter().position(|known| known == name);
        let at = at.ok_or_else(|| format!("the model has no axiom `{name}`; it has {}", names.join(", ")))?;
        mask |= 1 << at;
    }
    Ok((!asked.is_empty()).then_some(mask))
}

/// The lattice file that was named, or the bundled one of the model's name or of the architecture.
pub fn lattice(named: Option<&str>, model: &str, arch: Option<&str>) -> Result<Vocabulary, (String, String)> {
    let parse = |name: &str, text: &str| {
        let help = "`docs/synthesis.md` describes lattice files".to_owned();
        Vocabulary::parse(text).map_err(|e| (format!("`{name}` is no lattice file: {e}"), help))
    };
    let bundled: Vec<String> = library::embedded_names().into_iter().filter(|n| n.ends_with(".lattice")).collect();
    let listed = || {
        let names: Vec<&str> = bundled.iter().filter_map(|name| name.strip_suffix(".lattice")).collect();
        format!("the bundled lattices are {}", names.join(", "))
    };
    if let Some(name) = named {
        let file = if name.ends_with(".lattice") { name.to_owned() } else { format!("{name}.lattice") };
        if let Ok(text) = std::fs::read_to_string(&file) {
            return parse(&file, &text);
        }
        let text = library::embedded(&file).ok_or_else(|| (format!("there is no lattice file `{file}`"), listed()))?;
        return parse(&file, text);
    }
    let stem = Path::new(model).file_stem().map(|stem| format!("{}.lattice", stem.to_string_lossy()));
    if let Some((name, text)) = stem.and_then(|name| library::embedded(&name).map(|text| (name, text)))
        && let vocabulary = parse(&name, text)?
        && arch.is_none_or(|arch| vocabulary.arch == arch)
    {
        return Ok(vocabulary);
    }
    // A model without an architecture is asked about the accesses of x86.
    let arch = arch.unwrap_or("X86");
    for name in &bundled {
        let vocabulary = parse(name, library::embedded(name).unwrap_or_default())?;
        if vocabulary.arch == arch {
            return Ok(vocabulary);
        }
    }
    Err((format!("there is no lattice file for {arch}"), format!("{}; `--lattice FILE` names your own", listed())))
}

/// Runs a search while the time, Ctrl-C and the number of tests are watched.
fn watched<T: Send>(args: &SynthArgs, work: impl FnOnce(&Progress) -> T + Send) -> T {
    let progress = Progress::default();
    let interrupt = interrupt();
    let start = Instant::now();
    let deadline = args.timeout.map(|s| start + Duration::from_secs_f64(s));
    let shows = std::io::stderr().is_terminal();
    let mut sizes = Sizes::new(start, args.size, deadline.is_none());
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| work(&progress));
        while !worker.is_finished() {
            std::thread::park_timeout(TICK);
            let late = deadline.is_some_and(|d| Instant::now() >= d);
            let enough = args.max_tests.is_some_and(|most| progress.found.load(Ordering::Relaxed) >= most);
            if late || enough || interrupt.load(Ordering::Relaxed) {
                progress.stop.store(true, Ordering::Relaxed);
            }
            let news = sizes.news(progress.size.load(Ordering::Relaxed));
            if shows {
                tell(&format!("\r\x1b[K{}{}", news.unwrap_or_default(), line(&progress, start)));
            } else if let Some(news) = news {
                tell(&news);
            }
        }
        if shows {
            tell("\r\x1b[K");
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// How long sizes take, to say beforehand where one will not end soon.
struct Sizes {
    begun: Instant,
    size: usize,
    last: Option<Duration>,
    most: usize,
    unbounded: bool,
}

impl Sizes {
    fn new(start: Instant, most: usize, unbounded: bool) -> Sizes {
        Sizes { begun: start, size: 0, last: None, most, unbounded }
    }

    /// What is to be said when a size begins.
    fn news(&mut self, size: usize) -> Option<String> {
        if size == self.size {
            return None;
        }
        let took = self.begun.elapsed();
        let growth = self.last.map_or(10.0, |last| (took.as_secs_f64() / last.as_secs_f64().max(0.01)).max(4.0));
        let is_first = self.size == 0;
        (self.begun, self.size) = (Instant::now(), size);
        if is_first {
            return None;
        }
        self.last = Some(took);
        let expected = took.as_secs_f64() * growth;
        (self.unbounded && size <= self.most && expected > LONG.as_secs_f64()).then(|| {
            format!(
                "hmc: size {size} will take about {:.0} minutes; Ctrl-C ends it and keeps what was found, `--timeout` does so by itself\n",
                expected / 60.0
            )
        })
    }
}

/// The progress line.
fn line(progress: &Progress, start: Instant) -> String {
    let get = |n: &std::sync::atomic::AtomicUsize| n.load(Ordering::Relaxed);
    let (parts, done) = (get(&progress.parts).max(1), get(&progress.done));
    let programs = progress.programs.load(Ordering::Relaxed);
    let rate = programs as f64 / start.elapsed().as_secs_f64().max(0.001);
    format!(
        "size {}: {} % of the threads, {} tests, {programs} programs ({rate:.0} a second)",
        get(&progress.size),
        100 * done / parts,
        get(&progress.found)
    )
}

/// How many tests of each size there are, and how far the search came.
fn summary(suite: &Suite, entries: &[Entry], size: usize) -> String {
    let counts: Vec<String> =
        (2..=size).map(|n| format!("{} of size {n}", entries.iter().filter(|e| e.size == n).count())).collect();
    let end = match suite.complete {
        complete if complete >= size => String::new(),
        0 | 1 => "; ended early: more may exist at every size".to_owned(),
        complete => format!("; ended early: complete up to size {complete}"),
    };
    format!("hmc: {} minimal tests ({}), {} programs{end}\n", entries.len(), counts.join(", "), suite.programs)
}
