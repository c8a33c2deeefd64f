//! The command line: arguments, one file a subcommand, progress, exit codes. The only room that prints.

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod args;
mod batch;
mod cargo;
mod commands;
mod exit;
mod generated;
mod help;
mod inputs;
mod interrupt;
mod output;
mod parts;
mod project;
mod synth;
mod usage;
mod version;

use crate::report::JSON_SCHEMA;
use args::{Command, CommandLine};
use clap::Parser;
use commands::{check, compiled, diff, explain, list_models, lsp, model, playground, robust, run_table, test, tune};
use exit::INTERNAL;
use output::{out, width};
use std::process::ExitCode;
use usage::told_usage;

/// Runs the command line. The exit codes are those of `docs/cli.md`.
pub fn main() -> ExitCode {
    ExitCode::from(main_with(std::env::args_os()))
}

/// The same with other arguments than those of the process; the first is the name of the program.
pub fn main_with(arguments: impl IntoIterator<Item = std::ffi::OsString>) -> u8 {
    let line = match CommandLine::try_parse_from(arguments) {
        Ok(line) => line,
        Err(usage) => return told_usage(&usage),
    };
    width::ask(line.color);
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|l| format!(" ({}:{})", l.file(), l.line())).unwrap_or_default();
        out::tell(&format!("hmc: internal error{place}: please report this, with the command line and the files\n"));
    }));
    let run = || match line.command {
        None => checked(&line.check),
        Some(Command::Check(args)) => checked(&args),
        Some(Command::Diff(args)) => diff::run(&args),
        Some(Command::Explain(args)) => explain::run(&args),
        Some(Command::Robust(args)) => robust::run(&args),
        Some(Command::Compiled(args)) => compiled::run(&args),
        Some(Command::Repair(args)) => tune::repair(&args),
        Some(Command::Relax(args)) => tune::relax(&args),
        Some(Command::ListModels) => list_models::run(),
        Some(Command::Schema) => {
            out::say(JSON_SCHEMA);
            0
        }
        Some(Command::Completions(args)) => generated::completions(&args),
        Some(Command::Man(args)) => generated::man(&args),
        Some(Command::Help(args)) => help::run(&args),
        Some(Command::RunTable(args)) => run_table::run(&args),
        Some(Command::Playground(args)) => playground::run(&args),
        Some(Command::Lsp(args)) => lsp::run(&args),
        Some(Command::Synth(args)) => synth::run(&args),
        Some(Command::Test(args)) => test::run(&args),
        Some(Command::Split(args)) => parts::split::run(&args),
        Some(Command::Run(args)) => parts::run::run(&args),
        Some(Command::Merge(args)) => parts::merge::run(&args),
        Some(Command::Cluster(args)) => parts::cluster::run(&args),
        Some(Command::Model(command)) => model::run(&command),
    };
    let code = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_or(INTERNAL);
    out::exit_code(code)
}

/// A check, which can be gone on with later where that is asked for.
fn checked(args: &args::CheckArgs) -> u8 {
    match check::completed(args) {
        Ok(args) => match &args.checkpoint {
            Some(directory) => parts::split::checkpointed(&args, directory),
            None => check::checked(&args),
        },
        Err(code) => code,
    }
}

/// Runs the command line of `cargo hmc`.
pub fn cargo() -> ExitCode {
    cargo::main()
}
