//! `hmc merge`: the report of a job, as that of one run; what is still open.

use super::bench::{Bench, failed};
use super::shards;
use crate::cli::BAD_INPUT;
use crate::cli::args::{CheckArgs, MergeArgs, ReportArgs};
use crate::cli::commands::check::{self, Notes};
use crate::cli::output::out::tell;
use crate::parts::job::{Part, write_parts};
use crate::parts::results::Results;
use std::sync::Arc;

/// Runs the subcommand; the result is the exit code.
pub fn run(args: &MergeArgs) -> u8 {
    match args.inputs.as_slice() {
        [directory] if directory.is_dir() => {}
        _ if args.pending.is_some() => {
            tell("hmc: reports of shards have no parts: `--pending` is for the directory of a job\n");
            return BAD_INPUT;
        }
        _ => return shards::merge(args),
    }
    let bench = match Bench::read(&args.inputs[0]) {
        Ok(bench) => bench,
        Err(code) => return code,
    };
    let results = match Results::read(&bench.job) {
        Ok(results) => Arc::new(results),
        Err(error) => return failed(&error),
    };
    let (code, open) = report(bench, &results, &args.report);
    if let Some(list) = &args.pending
        && let Err(error) = write_parts(list, &open)
    {
        return failed(&error);
    }
    code
}

/// Reports what is known of a job.
pub fn reported(bench: Bench, results: &Arc<Results>, report_args: &ReportArgs) -> u8 {
    report(bench, results, report_args).0
}

fn report(bench: Bench, results: &Arc<Results>, args: &ReportArgs) -> (u8, Vec<Part>) {
    let settings = check::settings_of(&bench.args);
    let directory = bench.job.directory.display().to_string();
    let ReportArgs { quiet, format, dot, svg, html } = args.clone();
    let shown = CheckArgs { quiet, format, dot, svg, html, ..bench.args.clone() };
    let (jobs, merging) = bench.jobs(results);
    let merged = || merging.iter().map(|merging| merging.merged());
    // A run that was interrupted is told how far it came.
    let settings = crate::driver::Settings { interrupt: Arc::default(), ..settings };
    let notes: Notes<'_> = &|job, result| {
        let merged = merging[job].merged();
        if !merged.open.is_empty() {
            let (open, s) = (merged.open.len(), if merged.open.len() == 1 { "" } else { "s" });
            let done = merged.taken;
            result.notes.push(format!(
                "{open} part{s} of the search left, {done} done; `hmc run --job {directory}` goes on with what is open"
            ));
        }
        if merged.sampled {
            result
                .notes
                .push("of the executions of different parts a sample was compared: none was found twice".to_owned());
        }
    };
    let code = check::reported(&shown, jobs, settings, notes);
    if let Some(error) = merged().find_map(|merged| merged.error) {
        return (failed(&error), Vec::new());
    }
    if !args.quiet {
        let taken: usize = merged().map(|merged| merged.taken).sum();
        for (n, what) in [
            (results.doubled, "doubled: of each part the first result counts"),
            (results.len() - taken.min(results.len()), "left aside: no part of interest names them"),
            (results.torn, "torn, which count as not written"),
        ] {
            if n > 0 {
                tell(&format!("hmc: results: {n} {what}\n"));
            }
        }
    }
    (code, merged().flat_map(|merged| merged.open).collect())
}
