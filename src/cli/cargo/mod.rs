//! `cargo hmc`: the tests of a crate, one after the other told, several at a time checked.

mod args;

use super::batch::with_room;
use super::exit::{BAD_INPUT, INTERNAL};
use super::interrupt::interrupt;
use super::output::out::{say, tell};
use super::output::outputs::Outputs;
use super::output::width::{color, styled};
use super::usage::told_usage;
use crate::cat::LoadRequest;
use crate::driver::inputs::messages;
use crate::driver::inputs::models::Models;
use crate::driver::{self, Settings};
use crate::linearizability::library::Linearizable;
use crate::linearizability::search::Synchronised;
use crate::llvm::Error;
use crate::llvm::rust::cargo::{self, Described, Kind, Package, Target};
use crate::llvm::rust::{harness, reduce};
use crate::report::fit::fit;
use crate::report::style::Style;
use crate::report::{Format, human};
use crate::verdict::{FileResult, Property, Sources, Verdict};
use args::CargoArgs;
use clap::Parser;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// A program that is checked: a test, or the `main` of a program.
struct Job {
    /// As the user knows it.
    name: String,
    /// What it runs, as LLVM IR.
    file: PathBuf,
    /// Why it is not checked.
    left_out: Option<&'static str>,
}

/// Runs the command line of cargo's subcommand.
pub fn main() -> ExitCode {
    // Cargo gives the name of the subcommand as the first argument.
    let mut words: Vec<_> = std::env::args_os().collect();
    if words.get(1).is_some_and(|word| word == "hmc") {
        words.remove(1);
    }
    let args = match CargoArgs::try_parse_from(words) {
        Ok(args) => args,
        Err(usage) => return ExitCode::from(told_usage(&usage)),
    };
    let code = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(&args))).unwrap_or(INTERNAL);
    ExitCode::from(super::output::out::exit_code(code))
}

fn run(args: &CargoArgs) -> u8 {
    let start = Instant::now();
    let style = styled(&std::io::stdout());
    let jobs = match built(args) {
        Ok(jobs) => jobs,
        Err(error) => {
            let told = messages::code_error(&error, &Sources::default(), color(&std::io::stderr()));
            tell(&human::messages(&[told], styled(&std::io::stderr())));
            return BAD_INPUT;
        }
    };
    let models: Vec<(String, Models)> = args.cat.iter().map(|name| (name.clone(), model(name))).collect();
    let settings = Settings {
        unroll: args.unroll,
        timeout: args.timeout.map(Duration::from_secs_f64),
        properties: Property::usual(),
        linearizable: args.linearizable.clone().map(|by| {
            let synchronised = Synchronised { values: true, ..Synchronised::default() };
            Arc::new(Linearizable { by, synchronised, clients: None })
        }),
        interrupt: interrupt(),
        color: color(&std::io::stderr()),
        ..Settings::default()
    }
    .of_rust();
    let sources = Sources::default();
    let is_shown = !args.format.iter().any(|output| output.file.is_none() && output.format != Format::Human);
    let mut outputs = Outputs::begin(&args.format, is_shown, style);
    let mut told =
        Told { style, models: models.len(), is_shown, results: Vec::new(), worst: Verdict::Holds, ignored: 0 };
    if is_shown {
        let checked = jobs.iter().filter(|job| job.left_out.is_none()).count();
        say(&format!("running {checked} test{}\n", if checked == 1 { "" } else { "s" }));
    }
    each(&jobs, &models, &settings, &sources, args.threads, |job, result| {
        told.line(job, result.as_ref());
        if let Some(result) = result {
            outputs.add(&result, &sources);
            told.keep(result);
        }
    });
    told.end(&sources, start.elapsed());
    let is_written = outputs.end(&told.results);
    if is_written { told.worst.exit_code() } else { BAD_INPUT }
}

fn model(name: &str) -> Models {
    Models::new(LoadRequest::named(name.to_owned()), Vec::new(), color(&std::io::stderr()))
}

/// Builds what was asked for, and writes what each test runs into a file of its own.
fn built(args: &CargoArgs) -> Result<Vec<Job>, Error> {
    let package = package(args);
    let described = cargo::describe(&package)?;
    let chosen = chosen(args, &described)?;
    let mut jobs = Vec::new();
    for target in &chosen {
        let text = cargo::module(&package, target, &described)?;
        jobs.extend(jobs_of(&text, target, &described, args)?);
    }
    Ok(jobs)
}

fn package(args: &CargoArgs) -> Package {
    let manifest =
        args.manifest_path.iter().flat_map(|file| ["--manifest-path".to_owned(), file.display().to_string()]);
    let mut features: Vec<String> =
        args.features.iter().flat_map(|features| ["--features".to_owned(), features.clone()]).collect();
    features.extend(args.all_features.then(|| "--all-features".to_owned()));
    features.extend(args.no_default_features.then(|| "--no-default-features".to_owned()));
    Package { manifest: manifest.collect(), name: args.package.clone(), features }
}

/// The targets that are meant: those that are named, else the library's tests and those in `tests/`.
fn chosen(args: &CargoArgs, described: &Described) -> Result<Vec<Target>, Error> {
    let named = [(Kind::Test, &args.test), (Kind::Bin, &args.bin), (Kind::Example, &args.example)];
    let is_named = args.lib || named.iter().any(|(_, names)| !names.is_empty());
    if !is_named {
        let is_test = |target: &&Target| matches!(target.kind, Kind::Lib | Kind::Test);
        return Ok(described.targets.iter().filter(is_test).cloned().collect());
    }
    let mut chosen = Vec::new();
    chosen.extend(described.targets.iter().filter(|target| args.lib && target.kind == Kind::Lib).cloned());
    for (kind, names) in named {
        for name in names {
            let target = described.targets.iter().find(|target| target.kind == kind && target.name == *name);
            chosen.push(target.cloned().ok_or_else(|| {
                let known = described.targets.iter().filter(|target| target.kind == kind);
                let known: Vec<&str> = known.map(|target| target.name.as_str()).collect();
                let message = format!("there is no {} `{name}`", format!("{kind:?}").to_lowercase());
                Error::new(crate::llvm::ErrorKind::BadInput, message).with_help(match known.as_slice() {
                    [] => "the package has none".to_owned(),
                    names => format!("there are {}", names.join(", ")),
                })
            })?);
        }
    }
    Ok(chosen)
}

fn jobs_of(text: &str, target: &Target, described: &Described, args: &CargoArgs) -> Result<Vec<Job>, Error> {
    let folder = described.directory.join("programs").join(format!("{}-{:?}", target.name, target.kind));
    let write = |name: &str, text: Option<String>| {
        let file = folder.join(format!("{}.ll", name.replace("::", ".")));
        let text = text.unwrap_or_default();
        let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, text));
        let failed =
            |e| Error::new(crate::llvm::ErrorKind::BadInput, format!("{} cannot be written: {e}", file.display()));
        written.map(|()| file.clone()).map_err(failed)
    };
    let is_meant = |name: &str| args.filter.is_empty() || args.filter.iter().any(|part| name.contains(part));
    let module = reduce::Module::read(text);
    if matches!(target.kind, Kind::Bin | Kind::Example) {
        let name = format!("{}::main", target.name);
        if !is_meant(&name) {
            return Ok(Vec::new());
        }
        let file = write("main", reduce::reduce_from(&module, reduce::MAIN))?;
        return Ok(vec![Job { name, file, left_out: None }]);
    }
    let mut jobs = Vec::new();
    for test in harness::tests(&module) {
        let name = match target.kind {
            Kind::Test => format!("{}::{}", target.name, test.name),
            _ => test.name.clone(),
        };
        if !is_meant(&name) {
            continue;
        }
        let left_out = match (test.is_ignored, test.should_panic) {
            (true, _) => Some("ignored"),
            (_, true) => Some("ignored, #[should_panic] needs unwinding"),
            _ => None,
        };
        let file = match left_out {
            None => write(&test.name, harness::program(&module, &test))?,
            Some(_) => PathBuf::new(),
        };
        jobs.push(Job { name, file, left_out });
    }
    Ok(jobs)
}

/// Checks all jobs under all models, several at a time, and hands the results on in their order.
fn each(
    jobs: &[Job],
    models: &[(String, Models)],
    settings: &Settings,
    sources: &Sources,
    threads: Option<u16>,
    mut done: impl FnMut(&Job, Option<FileResult>),
) {
    let all: Vec<(&Job, &(String, Models))> =
        jobs.iter().flat_map(|job| models.iter().map(move |model| (job, model))).collect();
    let threads = threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(all.len()) {
            let (send, next, all) = (send.clone(), &next, &all);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some((job, (name, models))) = all.get(at) else { return };
                    let check = || checked(job, name, models, settings, sources);
                    let result = if job.left_out.is_some() { None } else { with_room(check) };
                    // Nobody wants to know any more.
                    let _ = send.send((at, result));
                }
            });
        }
        drop(send);
        let mut waiting: Vec<Option<Option<FileResult>>> = all.iter().map(|_| None).collect();
        let mut shown = 0;
        for (at, result) in receive {
            waiting[at] = Some(result);
            while let Some(result) = waiting.get_mut(shown).and_then(Option::take) {
                done(all[shown].0, result);
                shown += 1;
            }
        }
    });
}

fn checked(job: &Job, model: &str, models: &Models, settings: &Settings, sources: &Sources) -> FileResult {
    let mut result = driver::check(Path::new(&job.file), model, models, settings, sources);
    result.file.clone_from(&job.name);
    result.name.clone_from(&job.name);
    result
}

/// What is said of results.
struct Told {
    style: Style,
    models: usize,
    is_shown: bool,
    results: Vec<FileResult>,
    worst: Verdict,
    ignored: usize,
}

impl Told {
    fn line(&mut self, job: &Job, result: Option<&FileResult>) {
        let Some(result) = result else {
            self.ignored += 1;
            if self.is_shown {
                say(&format!("test {} ... {}\n", job.name, self.style.doubtful(job.left_out.unwrap_or("ignored"))));
            }
            return;
        };
        self.worst = self.worst.worse(result.verdict);
        if !self.is_shown {
            return;
        }
        let under = if self.models > 1 { format!(" under {}", result.model) } else { String::new() };
        let kind = result.violation.as_ref().map_or(String::new(), |finding| format!(" ({})", finding.kind));
        let word = match result.verdict {
            Verdict::Holds => self.style.good("ok"),
            Verdict::Violated => self.style.bad(&format!("FAILED{kind}")),
            other => self.style.doubtful(other.word()),
        };
        say(&format!("test {}{under} ... {word}\n", job.name));
    }

    fn keep(&mut self, result: FileResult) {
        self.results.push(result);
    }

    fn end(&self, sources: &Sources, took: Duration) {
        if !self.is_shown {
            return;
        }
        for result in self.results.iter().filter(|result| result.verdict != Verdict::Holds) {
            say(&format!("\n---- {} under {} ----\n", result.file, result.model));
            say(&human::messages(&result.messages, self.style));
            say(&human::body(result, sources, self.style));
        }
        let count = |verdict| self.results.iter().filter(|result| result.verdict == verdict).count();
        let (passed, failed) = (count(Verdict::Holds), count(Verdict::Violated) + count(Verdict::Error));
        let word = match self.worst {
            Verdict::Holds => self.style.good("ok"),
            Verdict::Violated | Verdict::Error => self.style.bad("FAILED"),
            other => self.style.doubtful(other.word()),
        };
        let summary = format!(
            "\ntest result: {word}. {passed} passed; {failed} failed; {} bounded; {} unsupported; {} ignored; finished in {:.2}s\n",
            count(Verdict::Bounded),
            count(Verdict::Unsupported),
            self.ignored,
            took.as_secs_f64()
        );
        say(&fit(&summary, self.style));
    }
}
