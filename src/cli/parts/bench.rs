//! Running the checks of a job, and saying what is wrong with it.

use crate::cli::args::{CheckArgs, CommandLine};
use crate::cli::batch::{Jobs, loadable};
use crate::cli::commands::check::settings_of;
use crate::cli::output::out::tell;
use crate::cli::output::width::styled;
use crate::cli::{BAD_INPUT, interrupt, version};
use crate::driver::inputs::messages::bare;
use crate::driver::inputs::models::Models;
use crate::driver::{self, Settings};
use crate::explore::parallel::divide::Divider;
use crate::parts::Error;
use crate::parts::job::{Check, Job};
use crate::parts::merging::Merging;
use crate::parts::rounds::Progress;
use crate::report::human;
use crate::verdict::Sources;
use clap::Parser;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A job that can be run here.
pub struct Bench {
    pub job: Arc<Job>,
    /// The options of its checks.
    pub args: CheckArgs,
    models: Vec<(String, Models)>,
    /// For each check, which model.
    of: Vec<usize>,
    pub interrupt: Arc<AtomicBool>,
}

impl Bench {
    /// Reads a job.
    pub fn read(directory: &Path) -> Result<Bench, u8> {
        let job = Job::read(directory, &version::made_by()).map_err(|error| failed(&error))?;
        Bench::of(job)
    }

    /// For a job.
    pub fn of(job: Job) -> Result<Bench, u8> {
        let mut models: Vec<String> = Vec::new();
        for Check { model, .. } in &job.checks {
            if !models.contains(model) {
                models.push(model.clone());
            }
        }
        let place = |check: &Check| models.iter().position(|model| *model == check.model).unwrap_or_default();
        let of = job.checks.iter().map(place).collect();
        let (options, clang) =
            job.arguments.split_at(job.arguments.iter().position(|a| a == "--").unwrap_or(job.arguments.len()));
        let files = job.checks.iter().map(|check| check.file.display().to_string());
        let line: Vec<String> = std::iter::once("hmc".to_owned())
            .chain(["check".to_owned()])
            .chain(options.iter().cloned())
            .chain(files)
            .chain(clang.iter().cloned())
            .collect();
        let mut args = match CommandLine::try_parse_from(line) {
            Ok(CommandLine { command: Some(crate::cli::args::Command::Check(args)), .. }) => args,
            _ => {
                let why = "its arguments are not those of this program".to_owned();
                return Err(failed(&Error::NotSuch { file: job.directory.join("job.json"), what: "job", why }));
            }
        };
        args.input.shelf = Some(job.shelf.clone());
        let models = loadable(&models, &args.input);
        Ok(Bench { job: Arc::new(job), args, models, of, interrupt: interrupt() })
    }

    /// Runs a check with somebody who stands in for its searches.
    pub fn run(&self, check: usize, divider: Arc<dyn Divider>) {
        let (Some(Check { file, .. }), Some(&model)) = (self.job.checks.get(check), self.of.get(check)) else { return };
        let (name, models) = &self.models[model];
        let settings = Settings { divider: Some(divider), ..settings_of(&self.args) };
        driver::check(file, name, models, &settings, &Sources::default());
    }

    /// The checks of the job, answered by its results; and who answers them.
    pub fn jobs(self, results: &Arc<crate::parts::results::Results>) -> (Jobs, Vec<Arc<Merging>>) {
        let merging: Vec<Arc<Merging>> =
            (0..self.job.checks.len()).map(|check| Arc::new(Merging::new(&self.job, check, results))).collect();
        let dividers = merging.iter().map(|merging| merging.clone() as Arc<dyn Divider>).collect();
        let files: Vec<PathBuf> = self.job.checks.iter().map(|check| check.file.clone()).collect();
        (Jobs::answered(self.models, files, self.of, dividers), merging)
    }
}

/// Says what is wrong with a job; the exit code.
pub fn failed(error: &Error) -> u8 {
    let message = bare(error.code(), error.to_string(), Some(error.help()));
    tell(&human::messages(&[message], styled(&std::io::stderr())));
    BAD_INPUT
}

/// Threads to use.
pub fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// One line that says how far a job is, on a terminal.
pub fn show(progress: Progress) {
    if !std::io::stderr().is_terminal() {
        return;
    }
    let seconds = progress.begun.elapsed().max(Duration::from_millis(1)).as_secs_f64();
    let rate = progress.executions as f64 / seconds;
    let Progress { executions, open, results, .. } = progress;
    tell(&format!("\r\u{1b}[Khmc: {executions} executions ({rate:.0} a second), {results} results, {open} parts open"));
}

/// Takes that line away.
pub fn hide() {
    if std::io::stderr().is_terminal() {
        tell("\r\u{1b}[K");
    }
}
