//! `hmc cluster`: the parts of a job are searched by an engine until none is open; then it reports.

use super::bench::{Bench, failed, hide, show, threads};
use super::merge::reported;
use super::split::to_the_end;
use crate::cli::BAD_INPUT;
use crate::cli::args::{ClusterArgs, Workers};
use crate::cli::output::out::tell;
use crate::parts::Error;
use crate::parts::engines::{Engine, Rounds};
use crate::parts::results::Results;
use crate::parts::rounds::{Progress, survey};
use crate::parts::working::Limits;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// So many rounds in which no result comes say that workers cannot work.
const IN_VAIN: usize = 3;

/// Runs the subcommand; the result is the exit code.
pub fn run(args: &ClusterArgs) -> u8 {
    conducted(args).unwrap_or_else(|code| code)
}

fn conducted(args: &ClusterArgs) -> Result<u8, u8> {
    let bench = Bench::read(&args.job)?;
    let engine = match args.engine {
        Workers::Local => {
            let limits = Limits {
                slice: Some(Duration::from_secs_f64(args.slice)),
                interrupt: bench.interrupt.clone(),
                ..Limits::default()
            };
            let workers = args.threads.or(u16::try_from(args.workers).ok());
            return Ok(to_the_end(bench, &limits, threads(workers), &args.report));
        }
        Workers::Hq => Engine::HyperQueue,
        Workers::Slurm => Engine::Slurm,
    };
    let program = std::env::current_exe().map_err(|e| failed(&Error::file("hmc", &e)))?;
    let one = (engine == Engine::HyperQueue).then_some(1);
    let rounds = Rounds {
        engine,
        program,
        workers: args.workers as usize,
        slice: args.slice,
        threads: args.threads.or(one),
        arguments: args.submit.clone(),
    };
    let begun = Instant::now();
    let (mut first, mut before, mut in_vain) = (None, 0, 0);
    loop {
        let checks = 0..bench.job.checks.len();
        let surveyed =
            survey(&bench.job, checks, &|check, divider| bench.run(check, divider)).map_err(|e| failed(&e))?;
        let open = surveyed.open();
        let results = surveyed.results.len();
        let executions: u64 = surveyed.merged.values().map(|merged| merged.executions).sum();
        let (executions_before, results_before) = *first.get_or_insert((executions, results));
        show(Progress {
            executions: executions - executions_before,
            open: open.len(),
            results: results - results_before,
            begun,
        });
        in_vain = if results > before || before == 0 { 0 } else { in_vain + 1 };
        before = results.max(1);
        if in_vain >= IN_VAIN {
            hide();
            tell(&format!(
                "hmc: no result in {IN_VAIN} rounds: can workers run `{}` and write to `{}`?\n",
                rounds.program.display(),
                bench.job.results().display()
            ));
            return Err(BAD_INPUT);
        }
        if open.is_empty() {
            hide();
            return Ok(reported(bench, &surveyed.results, &args.report));
        }
        if !rounds.round(&bench.job, open, &bench.interrupt).map_err(|e| failed(&e))? {
            hide();
            let results = Results::read(&bench.job).map_err(|e| failed(&e))?;
            return Ok(reported(bench, &Arc::new(results), &args.report));
        }
    }
}
