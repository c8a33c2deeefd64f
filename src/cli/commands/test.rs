//! `hmc test`: programs against what they say of themselves (`verdict::header`), and the harnesses of `hmc.toml`.

use super::check::settings_of;
use crate::cli::args::{CheckArgs, CommandLine, TestArgs};
use crate::cli::batch::{self, loadable};
use crate::cli::exit::BAD_INPUT;
use crate::cli::inputs::below;
use crate::cli::interrupt::interrupt;
use crate::cli::output::out::{say, tell};
use crate::cli::output::width::styled;
use crate::cli::project::{Harness, Project};
use crate::driver::Settings;
use crate::driver::inputs::messages::{bare, text_of};
use crate::driver::inputs::models::Models;
use crate::driver::inputs::usual;
use crate::llvm::Compilations;
use crate::report::human;
use crate::report::style::Style;
use crate::verdict::header::{self, Header};
use crate::verdict::{FileResult, Message, Sources};
use clap::Parser;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Instant;

/// Exit code when something is not as expected.
const DIFFERENT: u8 = 1;

/// The models of a run.
type Set = Arc<Vec<(String, Models)>>;

/// One run.
struct Run {
    file: PathBuf,
    /// As it is shown.
    name: String,
    header: Header,
    models: Set,
    settings: Settings,
}

/// What came of one.
struct Ran {
    run: usize,
    differences: Vec<String>,
    results: Vec<FileResult>,
}

/// Runs the subcommand. Exit codes: 0 all as expected, 1 not, 2 nothing could be run.
pub fn run(args: &TestArgs) -> u8 {
    let (runs, problems) =
        match Plan::new(args).and_then(|mut plan| plan.fill(args).map(|()| (plan.runs, plan.problems))) {
            Ok(found) => found,
            Err(message) => (Vec::new(), vec![*message]),
        };
    if !problems.is_empty() {
        tell(&human::messages(&problems, styled(&std::io::stderr())));
        return BAD_INPUT;
    }
    let style = styled(&std::io::stdout());
    say(&format!("\nrunning {} in {}\n", counted(runs.len(), "expectation"), counted(files(&runs), "file")));
    let start = Instant::now();
    let sources = Arc::new(Sources::default());
    let runs = Arc::new(runs);
    let mut failed: Vec<Ran> = Vec::new();
    let mut passed = 0;
    each(&runs, &sources, args.threads, |ran| {
        let run = &runs[ran.run];
        if ran.differences.is_empty() {
            passed += 1;
            if !args.quiet {
                say(&format!("test {} ... {}\n", run.name, style.good("ok")));
            }
            return;
        }
        say(&format!("test {} ... {}\n", run.name, style.bad("FAILED")));
        failed.push(ran);
    });
    let blessed = if args.bless { bless(&runs, &failed) } else { Ok(0) };
    say(&report(&runs, &failed, style));
    let unrun = runs.len() - passed - failed.len();
    let word = if failed.is_empty() && unrun == 0 { style.good("ok") } else { style.bad("FAILED") };
    let mut end = format!("\ntest result: {word}. {passed} passed; {} failed", failed.len());
    if unrun > 0 {
        end += &format!("; {unrun} not run: interrupted");
    }
    say(&format!("{end}; finished in {:.2} s\n", start.elapsed().as_secs_f64()));
    match blessed {
        Err(message) => {
            tell(&human::messages(&[*message], Style::default()));
            BAD_INPUT
        }
        Ok(n) if n > 0 => {
            say(&format!("{} written anew\n", counted(n, "header")));
            0
        }
        Ok(_) if failed.is_empty() && unrun == 0 => 0,
        Ok(_) => DIFFERENT,
    }
}

fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn files(runs: &[Run]) -> usize {
    runs.iter().map(|run| &run.file).collect::<std::collections::BTreeSet<_>>().len()
}

/// What differs, at length.
fn report(runs: &[Run], failed: &[Ran], style: Style) -> String {
    let mut out = String::new();
    if !failed.is_empty() {
        out += "\nfailures:\n";
    }
    for ran in failed {
        let run = &runs[ran.run];
        let place = match run.header.line {
            0 => run.file.display().to_string(),
            line => format!("{}:{line}", run.file.display()),
        };
        out += &format!("\n---- {}: {} => {}\n", style.bold(&place), run.header.command(), run.header.outcome());
        ran.differences.iter().for_each(|difference| out += &format!("    {difference}\n"));
    }
    out
}

/// What is to be run.
struct Plan {
    project: Option<Project>,
    runs: Vec<Run>,
    problems: Vec<Message>,
    interrupt: Arc<AtomicBool>,
    /// Expectations often differ in the model only.
    compilations: Arc<Compilations>,
    /// Models that several runs use.
    models: FxHashMap<String, Set>,
}

impl Plan {
    fn new(_: &TestArgs) -> Result<Plan, Box<Message>> {
        let project = Project::find()?;
        Ok(Plan {
            project,
            runs: Vec::new(),
            problems: Vec::new(),
            interrupt: interrupt(),
            compilations: Arc::default(),
            models: FxHashMap::default(),
        })
    }

    fn fill(&mut self, args: &TestArgs) -> Result<(), Box<Message>> {
        let mut named: Vec<PathBuf> = args.files.iter().map(PathBuf::from).collect();
        if named.is_empty() {
            let project = self.project.clone().unwrap_or_default();
            for harness in &project.harnesses {
                self.add_harness(harness, args);
            }
            named = project.tests;
            if named.is_empty() && project.harnesses.is_empty() {
                named.push(PathBuf::from("."));
            }
        }
        for path in &named {
            let mut files = Vec::new();
            match path.is_dir() {
                true => below(path, &|_| true, 0, &mut files)?,
                false => files.push(path.clone()),
            }
            for file in files {
                self.add_file(&file, !path.is_dir(), args);
            }
        }
        if let Some(part) = &args.filter {
            self.runs.retain(|run| run.name.contains(part.as_str()));
        }
        if self.runs.is_empty() && self.problems.is_empty() {
            let message = "no file says what is expected of it";
            let help = "a program does in a line like `// hmc: --cat rc11 => holds`, a litmus test in one like `(* hmc: --cat tso => Sometimes *)`";
            return Err(Box::new(bare("hmc::no-expectations", message, Some(help))));
        }
        Ok(())
    }

    fn add_file(&mut self, file: &Path, is_named: bool, args: &TestArgs) {
        let text = match text_of(file) {
            Ok(text) => text,
            Err(message) if is_named => return self.problems.push(*message),
            Err(_) => return,
        };
        let before = self.runs.len() + self.problems.len();
        for (line, at) in header::lines(&text) {
            match Header::parse(text[at].trim(), line) {
                Ok(header) => self.add(file, header, Vec::new(), None, args),
                Err(what) => self.wrong(&format!("{}:{line}", file.display()), &what),
            }
        }
        if is_named && before == self.runs.len() + self.problems.len() {
            self.wrong(&file.display().to_string(), "it says nothing about what is expected");
        }
    }

    fn add_harness(&mut self, harness: &Harness, args: &TestArgs) {
        let Some((first, linked)) = harness.files.split_first() else { return };
        let header = Header::parse(&format!("=> {}", harness.expect), 0).map(|header| Header {
            options: harness.options.clone(),
            flags: harness.clang.clone(),
            ..header
        });
        let name = harness.name.clone().or(harness.entry.clone());
        match header {
            Ok(mut header) => {
                let link = linked.iter().flat_map(|file| ["--link".to_owned(), file.display().to_string()]);
                let entry = harness.entry.iter().flat_map(|entry| ["--entry".to_owned(), entry.clone()]);
                let more = link.chain(entry).collect();
                header.line = 0;
                self.add(first, header, more, name, args);
            }
            Err(what) => self.wrong(&first.display().to_string(), &what),
        }
    }

    fn add(&mut self, file: &Path, header: Header, more: Vec<String>, name: Option<String>, args: &TestArgs) {
        let shown = file.display().to_string();
        let words = ["hmc".to_owned()].into_iter().chain(header.options.iter().cloned()).chain(more);
        let words = words.chain([shown.clone()]);
        let flags = (!header.flags.is_empty()).then(|| "--".to_owned()).into_iter().chain(header.flags.iter().cloned());
        let place = format!("{shown}:{}", header.line);
        let mut check = match CommandLine::try_parse_from(words.chain(flags)) {
            Ok(CommandLine { command: None, check, .. }) => check,
            Ok(_) => return self.wrong(&place, "a subcommand is named where options of `hmc check` stand"),
            Err(usage) => return self.wrong(&place, usage.to_string().lines().next().unwrap_or_default()),
        };
        if !check.format.is_empty()
            || check.dot.is_some()
            || check.svg.is_some()
            || check.html.is_some()
            || check.resume.is_some()
        {
            return self.wrong(&place, "an expectation writes no reports");
        }
        if let Some(project) = &self.project {
            project.complete(&mut check);
        }
        if check.cat.is_empty() {
            check.cat = vec![usual::model(file).model.to_owned()];
        }
        check.input.timeout = check.input.timeout.or(Some(args.timeout));
        let settings = Settings {
            interrupt: self.interrupt.clone(),
            compilations: Some(self.compilations.clone()),
            ..settings_of(&check)
        };
        let name = match name {
            Some(name) => format!("{shown} ({name})"),
            None if header.command().is_empty() => shown,
            None => format!("{shown} ({})", header.command()),
        };
        let models = self.set(&check);
        self.runs.push(Run { file: file.to_owned(), name, header, models, settings });
    }

    fn set(&mut self, check: &CheckArgs) -> Set {
        let input = &check.input;
        let read = (&input.bell, &input.macros, input.dialect, &input.variant, &input.skip_check, &input.include);
        let key = format!("{:?} {read:?} {} {}", check.cat, input.strict_skip, input.no_arch_check);
        self.models.entry(key).or_insert_with(|| Arc::new(loadable(&check.cat, input))).clone()
    }

    fn wrong(&mut self, place: &str, what: &str) {
        let help = "as in `// hmc: --cat rc11 -- -DN=2 => violated race @17`";
        self.problems.push(bare("hmc::expectation", format!("{place}: {what}"), Some(help)));
    }
}

/// Makes all runs on several threads, and hands over what came of each in their order.
fn each(runs: &Arc<Vec<Run>>, sources: &Arc<Sources>, threads: Option<u16>, mut take: impl FnMut(Ran)) {
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.map_or(available, usize::from).clamp(1, runs.len().max(1));
    let next = Arc::new(AtomicUsize::new(0));
    let (send, receive) = mpsc::channel();
    for _ in 0..threads {
        let (runs, sources, next, send) = (runs.clone(), sources.clone(), next.clone(), send.clone());
        let work = move || {
            while let Some((at, run)) =
                Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, runs.get(at)?)))
            {
                if run.settings.interrupt.load(Ordering::Relaxed) || send.send(made(at, run, &sources)).is_err() {
                    break;
                }
            }
        };
        // Without a thread of its own the work is left to the others.
        let _ = std::thread::Builder::new().stack_size(batch::STACK_BYTES).spawn(work);
    }
    drop(send);
    let mut waiting: BTreeMap<usize, Ran> = BTreeMap::new();
    let mut shown = 0;
    for ran in receive {
        waiting.insert(ran.run, ran);
        while let Some(ran) = waiting.remove(&shown) {
            take(ran);
            shown += 1;
        }
    }
    waiting.into_values().for_each(take);
}

fn made(at: usize, run: &Run, sources: &Sources) -> Ran {
    let of = |model| batch::guarded(&run.file, model, &run.settings, sources).0;
    let results: Vec<FileResult> = run.models.iter().map(of).collect();
    Ran { run: at, differences: run.header.differences(&results, sources), results }
}

/// Writes what was found into the headers. How many were written.
fn bless(runs: &[Run], failed: &[Ran]) -> Result<usize, Box<Message>> {
    let mut files: BTreeMap<&Path, Vec<&Ran>> = BTreeMap::new();
    for ran in failed.iter().filter(|ran| runs[ran.run].header.line > 0) {
        files.entry(&runs[ran.run].file).or_default().push(ran);
    }
    let mut written = 0;
    for (file, changes) in files {
        let mut text = text_of(file)?;
        let places: Vec<_> = header::lines(&text).collect();
        // From the back, so that what stands in front stays where it is.
        for ran in changes.iter().rev() {
            let header = &runs[ran.run].header;
            let Some((_, at)) = places.iter().find(|(line, _)| *line == header.line) else { continue };
            let old = &text[at.clone()];
            let Some((command, _)) = old.split_once("=>") else { continue };
            let end = if old.ends_with(' ') { " " } else { "" };
            let new = format!("{command}=> {}{end}", header.blessed(&ran.results).outcome());
            text.replace_range(at.clone(), &new);
            written += 1;
        }
        std::fs::write(file, text).map_err(|e| {
            Box::new(bare("hmc::file-unwritable", format!("`{}` cannot be written: {e}", file.display()), None))
        })?;
    }
    Ok(written)
}
