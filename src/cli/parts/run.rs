//! `hmc run`: searches parts of a job. Without naming any, it goes on to the end and reports.

use super::bench::{Bench, failed, hide, show, threads};
use super::split::{LONG, to_the_end};
use crate::cli::args::RunArgs;
use crate::parts::Error;
use crate::parts::job::Part;
use crate::parts::rounds::{survey, work_on};
use crate::parts::working::Limits;
use std::time::{Duration, Instant};

/// Runs the subcommand; the result is the exit code. Of single parts it is 0 whatever they show, because schedulers take others for failures.
pub fn run(args: &RunArgs) -> u8 {
    worked(args).unwrap_or_else(|code| code)
}

fn worked(args: &RunArgs) -> Result<u8, u8> {
    let bench = Bench::read(&args.job)?;
    let threads = threads(args.threads);
    let slice = args.slice.map(Duration::from_secs_f64);
    let timeout = args.timeout.map(Duration::from_secs_f64);
    let begun = Instant::now();
    let limits = Limits {
        events: args.slice_events.unwrap_or(u64::MAX),
        interrupt: bench.interrupt.clone(),
        any: args.any,
        deadline: timeout.map(|timeout| begun + timeout),
        ..Limits::default()
    };
    let Some(parts) = named(args, &bench)? else {
        let limits = Limits { slice: Some(slice.unwrap_or(LONG)), ..limits };
        return Ok(to_the_end(bench, &limits, threads, &args.report));
    };
    // Parts of a certain size are those that were named, cut once.
    let limits = Limits { until: slice.map(|slice| begun + slice), goes_on: args.slice_events.is_none(), ..limits };
    let done = work_on(&bench.job, parts, &limits, threads, &|check, divider| bench.run(check, divider), &show);
    hide();
    done.map(|_| 0).map_err(|error| failed(&error))
}

/// The parts that are named, if any are.
fn named(args: &RunArgs, bench: &Bench) -> Result<Option<Vec<Part>>, u8> {
    if let Some(list) = &args.parts {
        return bench.job.parts(list).map(Some).map_err(|error| failed(&error));
    }
    let Some(name) = &args.part else { return Ok(None) };
    // Mostly it is one of the first; else it is found by walking to it.
    let first = bench.job.directory.join("parts.jsonl");
    let listed = if first.is_file() { bench.job.parts(&first).map_err(|error| failed(&error))? } else { Vec::new() };
    if let Some(part) = listed.into_iter().find(|part| part.part == *name) {
        return Ok(Some(vec![part]));
    }
    let checks = 0..bench.job.checks.len();
    let surveyed = survey(&bench.job, checks, &|check, divider| bench.run(check, divider)).map_err(|e| failed(&e))?;
    match surveyed.open().into_iter().find(|part| part.part == *name) {
        Some(part) => Ok(Some(vec![part])),
        None => Err(failed(&Error::NoSuchPart(name.clone()))),
    }
}
