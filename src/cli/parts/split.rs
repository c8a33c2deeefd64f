//! `hmc split`: a check as a job, and its first parts. `--checkpoint` begins in the same way.

use super::bench::{Bench, failed, hide, show, threads};
use super::{arguments, merge};
use crate::cli::args::{CheckArgs, SplitArgs};
use crate::cli::batch::{jobs, loadable};
use crate::cli::commands::check::{completed, settings_of};
use crate::cli::output::out::{say, tell};
use crate::cli::output::width::styled;
use crate::cli::{BAD_INPUT, version};
use crate::driver::inputs::messages::bare;
use crate::driver::{self, Settings};
use crate::parts::Error;
use crate::parts::job::{Check, Job, write_parts};
use crate::parts::rounds::{Noting, go_on};
use crate::parts::working::Limits;
use crate::report::human;
use crate::shelf::Shelf;
use crate::verdict::{Sources, Verdict};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A slice of a search that is only to be cut in pieces.
const SHORT: u64 = 20_000;
/// A part of a run with a checkpoint ends after so long, so that a run that is killed loses no more.
pub const LONG: Duration = Duration::from_secs(60);

/// Runs the subcommand; the result is the exit code.
pub fn run(args: &SplitArgs) -> u8 {
    split(args).unwrap_or_else(|code| code)
}

fn split(args: &SplitArgs) -> Result<u8, u8> {
    let bench = made(&args.check, &args.output)?;
    let threads = threads(args.check.input.threads);
    let limits = Limits {
        events: SHORT,
        interrupt: bench.interrupt.clone(),
        enough: Some(args.parts.map_or(1, |n| n as usize)),
        ..Limits::default()
    };
    let surveyed =
        go_on(&bench.job, &limits, threads, &|check, divider| bench.run(check, divider), &show).map_err(|e| failed(&e));
    hide();
    let surveyed = surveyed?;
    let open = surveyed.open();
    let list = args.output.join("parts.jsonl");
    write_parts(&list, &open).map_err(|e| failed(&e))?;
    let results = surveyed.results.len();
    let (s, are) = if open.len() == 1 { ("", "is") } else { ("s", "are") };
    say(&format!("{}: {} part{s} {are} open, {results} done\n", list.display(), open.len()));
    Ok(0)
}

/// Makes a job of a check.
fn made(args: &CheckArgs, directory: &Path) -> Result<Bench, u8> {
    let mut args = completed(args)?;
    let kept = match arguments::of(&args) {
        Ok(kept) => kept,
        Err(why) => {
            let help = "docs/cluster.md says what can be divided";
            let message = bare("hmc::job-undivided", format!("this check cannot be divided: {why}"), Some(help));
            tell(&human::messages(&[message], styled(&std::io::stderr())));
            return Err(BAD_INPUT);
        }
    };
    let jobs = jobs(&args.cat, &args.files, &args.input, args.shard)?;
    if !args.quiet {
        jobs.tell_chosen();
    }
    let shelf = Arc::new(Shelf::default());
    args.input.shelf = Some(shelf.clone());
    let names: Vec<String> = jobs.models().iter().map(|(name, _)| name.clone()).collect();
    let models = loadable(&names, &args.input);
    let sources = Sources::default();
    let mut checks = Vec::new();
    for (file, model) in jobs.pairs() {
        let noting = Arc::new(Noting::default());
        let settings = Settings { divider: Some(noting.clone()), ..settings_of(&args) };
        let (name, models) = &models[model];
        let result = driver::check(file, name, models, &settings, &sources);
        if result.verdict == Verdict::Error {
            tell(&human::messages(&result.messages, styled(&std::io::stderr())));
            return Err(BAD_INPUT);
        }
        let noted = noting.noted();
        let what = format!("{} under {name}", file.display());
        match (noted.has_search, noted.whole) {
            (false, _) if !args.quiet => tell(&format!("hmc: {what} is not divided: whoever merges answers it\n")),
            (true, Some(why)) if !args.quiet => tell(&format!("hmc: {what} is one part and stays so: {why}\n")),
            _ => {}
        }
        checks.push(Check { file: file.to_owned(), model: name.clone() });
    }
    let job = Job::write(directory, &version::made_by(), kept, checks, &shelf).map_err(|error| failed(&error))?;
    Bench::of(job)
}

/// The job of a directory, if it is of this check.
fn same(args: &CheckArgs, directory: &Path) -> Result<Bench, u8> {
    let completed = completed(args)?;
    let bench = Bench::read(directory)?;
    let jobs = jobs(&completed.cat, &completed.files, &completed.input, completed.shard)?;
    let named = |(file, model): (&Path, usize)| Check { file: file.to_owned(), model: jobs.models()[model].0.clone() };
    let is_same = arguments::of(&completed).is_ok_and(|kept| kept == bench.job.arguments)
        && jobs.pairs().map(named).collect::<Vec<_>>() == bench.job.checks;
    if is_same { Ok(bench) } else { Err(failed(&Error::Exists(directory.to_owned()))) }
}

/// A run that can be gone on with: `--checkpoint`.
pub fn checkpointed(args: &CheckArgs, directory: &Path) -> u8 {
    let begun = match directory.join("job.json").exists() {
        // A run that was begun in the same way goes on.
        true => same(args, directory),
        false => made(args, directory),
    };
    let bench = match begun {
        Ok(bench) => bench,
        Err(code) => return code,
    };
    let limits = Limits {
        slice: Some(LONG),
        deadline: args.input.timeout.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds)),
        interrupt: bench.interrupt.clone(),
        ..Limits::default()
    };
    let report = crate::cli::args::ReportArgs {
        quiet: args.quiet,
        format: args.format.clone(),
        dot: args.dot.clone(),
        svg: args.svg.clone(),
        html: args.html.clone(),
    };
    to_the_end(bench, &limits, threads(args.input.threads), &report)
}

/// Works on a job as far as it goes, and reports.
pub fn to_the_end(bench: Bench, limits: &Limits, threads: usize, report: &crate::cli::args::ReportArgs) -> u8 {
    let went = go_on(&bench.job, limits, threads, &|check, divider| bench.run(check, divider), &show);
    hide();
    match went {
        Ok(surveyed) => merge::reported(bench, &surveyed.results, report),
        Err(error) => failed(&error),
    }
}
