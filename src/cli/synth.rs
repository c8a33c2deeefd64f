//! `hmc synth`: all minimal litmus tests of a model, up to a size.

use super::args::SynthArgs;
use super::out::{say, tell};
use super::width::{color, styled};
use super::{BAD_INPUT, interrupt};
use crate::cat::{self, LoadRequest, library};
use crate::driver::messages;
use crate::report::human;
use crate::synth::suite::{self, Entry};
use crate::synth::vocabulary::Vocabulary;
use crate::synth::{Progress, Request, Suite, judge, synthesise};
use crate::verdict::{Message, Verdict};
use std::io::IsTerminal;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How often the progress line is renewed.
const TICK: Duration = Duration::from_millis(100);

/// Runs the subcommand. Exit codes: 0 searched to the end; 2 bad input; 3 ended early.
pub fn run(args: &SynthArgs) -> u8 {
    let complain = |messages: &[Message]| {
        tell(&human::messages(messages, styled(&std::io::stderr())));
        BAD_INPUT
    };
    let failed = |message: String, help: Option<&str>| complain(&[messages::bare("hmc::synth", message, help)]);
    let mut request = LoadRequest::named(args.cat.clone());
    request.include_dirs.clone_from(&args.include);
    request.bell.clone_from(&args.bell);
    request.arch.clone_from(&args.arch);
    let loaded = match cat::load(&request, &cat::Vocabulary::new(args.arch.as_deref())) {
        Ok(loaded) => loaded,
        Err(errors) => return complain(&messages::load_errors(&errors, color(&std::io::stderr()))),
    };
    let arch = args.arch.as_deref().or(loaded.model.arch.as_deref());
    let vocabulary = match lattice(args.lattice.as_deref(), arch) {
        Ok(vocabulary) => vocabulary,
        Err((message, help)) => return failed(message, Some(&help)),
    };
    let judge = match judge(&loaded, &vocabulary) {
        Ok(judge) => judge,
        Err(message) => return failed(message, Some("`hmc model info` shows how each check of the model is judged")),
    };
    let axioms = match chosen(&args.axiom, judge.names()) {
        Ok(axioms) => axioms,
        Err(message) => return failed(message, None),
    };
    let relaxations =
        if args.relaxations.is_empty() { vocabulary.relaxations.clone() } else { args.relaxations.clone() };
    let request = Request {
        size: args.size,
        threads: args.threads_max.unwrap_or(args.size),
        addresses: args.addresses_max.unwrap_or(args.size),
        minimality: args.minimal,
        relaxations: relaxations.clone(),
        workers: args.threads.map_or_else(processors, usize::from),
    };
    let mut found = watched(args, |progress| synthesise(&judge, &vocabulary, &request, progress));
    if let Some(axioms) = axioms {
        found.tests.retain(|test| suite::axioms(test) & axioms != 0);
    }
    let entries = match suite::entries(&found, &vocabulary, &relaxations, args.condition) {
        Ok(entries) => entries,
        Err(message) => {
            return failed(message, Some("choose a smaller size, or name more registers in the lattice file"));
        }
    };
    match &args.output {
        Some(directory) => {
            if let Err(e) = write(directory, &entries) {
                let message = format!("`{}` cannot be written: {e}", directory.display());
                return failed(message, Some("is the directory there, and may it be written?"));
            }
        }
        None => say(&suite::table(&entries)),
    }
    tell(&summary(&found, &entries, args.size));
    if found.complete < args.size { Verdict::Bounded.exit_code() } else { 0 }
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

/// The lattice file that was named, or the bundled one of the architecture.
fn lattice(named: Option<&str>, arch: Option<&str>) -> Result<Vocabulary, (String, String)> {
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

/// Runs a synthesis while the time, Ctrl-C and the number of tests are watched.
fn watched(args: &SynthArgs, work: impl FnOnce(&Progress) -> Suite + Send) -> Suite {
    let progress = Progress::default();
    let interrupt = interrupt();
    let start = Instant::now();
    let deadline = args.timeout.map(|s| start + Duration::from_secs_f64(s));
    let shows = std::io::stderr().is_terminal();
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| work(&progress));
        while !worker.is_finished() {
            std::thread::park_timeout(TICK);
            let late = deadline.is_some_and(|d| Instant::now() >= d);
            let enough = args.max_tests.is_some_and(|most| progress.found.load(Ordering::Relaxed) >= most);
            if late || enough || interrupt.load(Ordering::Relaxed) {
                progress.stop.store(true, Ordering::Relaxed);
            }
            if shows {
                tell(&format!("\r\x1b[K{}", line(&progress, start)));
            }
        }
        if shows {
            tell("\r\x1b[K");
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
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

/// Writes a suite: a file a test, `@all` with their names, and two tables.
fn write(directory: &Path, entries: &[Entry]) -> std::io::Result<()> {
    std::fs::create_dir_all(directory)?;
    let mut index = String::new();
    for entry in entries {
        let file = format!("{}.litmus", entry.name);
        std::fs::write(directory.join(&file), &entry.text)?;
        index += &(file + "\n");
    }
    std::fs::write(directory.join("@all"), index)?;
    std::fs::write(directory.join("suite.tsv"), suite::table(entries))?;
    // Plain data with string keys: serialisation cannot fail.
    std::fs::write(directory.join("suite.json"), serde_json::to_string_pretty(entries).unwrap_or_default() + "\n")
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
