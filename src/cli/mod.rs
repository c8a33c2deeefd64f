//! The command line: arguments, one file a subcommand, progress, exit codes. The only room that prints.

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod args;
mod batch;
mod check;
mod codes;
mod diff;
mod explain;
mod inputs;
mod list_models;
mod model;
mod out;
mod outputs;
mod progress;
mod project;
mod robust;
mod run_table;
mod summary;
mod synth;
mod test;
mod tune;
mod width;

use args::{Command, CommandLine};
use clap::Parser;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code for bad usage or bad input.
pub const BAD_INPUT: u8 = 2;
/// Exit code for an error in hmc itself.
pub const INTERNAL: u8 = 70;
/// Exit code after a second Ctrl-C.
const KILLED: i32 = 130;

/// Runs the command line. The exit codes are those of `docs/cli.md`.
pub fn main() -> ExitCode {
    let line = match CommandLine::try_parse() {
        Ok(line) => line,
        Err(usage) => return told_usage(&usage),
    };
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|l| format!(" ({}:{})", l.file(), l.line())).unwrap_or_default();
        out::tell(&format!("hmc: internal error{place}: please report this, with the command line and the files\n"));
    }));
    let run = || match line.command {
        None => check::run(&line.check),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Diff(args)) => diff::run(&args),
        Some(Command::Explain(args)) => explain::run(&args),
        Some(Command::Robust(args)) => robust::run(&args),
        Some(Command::Repair(args)) => tune::repair(&args),
        Some(Command::Relax(args)) => tune::relax(&args),
        Some(Command::ListModels) => list_models::run(),
        Some(Command::RunTable(args)) => run_table::run(&args),
        Some(Command::Synth(args)) => synth::run(&args),
        Some(Command::Test(args)) => test::run(&args),
        Some(Command::Model(command)) => model::run(&command),
    };
    let code = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_or(INTERNAL);
    ExitCode::from(out::exit_code(code))
}

/// Shows help, the version, or what is wrong with the arguments.
fn told_usage(usage: &clap::Error) -> ExitCode {
    if let (Err(e), false) = (usage.print(), usage.use_stderr()) {
        out::failed(&e);
    }
    ExitCode::from(out::exit_code(if usage.use_stderr() { BAD_INPUT } else { 0 }))
}

/// A flag that Ctrl-C sets; a second Ctrl-C ends the program at once.
fn interrupt() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let shared = flag.clone();
    // Without a handler Ctrl-C simply ends the program.
    let _ = ctrlc::set_handler(move || {
        if shared.swap(true, Ordering::SeqCst) {
            std::process::exit(KILLED);
        }
        out::tell("hmc: ending; Ctrl-C again ends at once\n");
    });
    flag
}
