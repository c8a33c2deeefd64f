//! The command line: arguments, one file a subcommand, progress, exit codes. The only room that prints.

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod args;
mod batch;
mod cargo;
mod check;
mod codes;
mod compiled;
mod diff;
mod explain;
mod generated;
mod help;
mod html;
mod inputs;
mod kinds;
mod list_models;
mod lsp;
mod model;
mod out;
mod outputs;
mod page;
mod parts;
mod playground;
mod progress;
mod project;
mod questions;
mod robust;
mod run_table;
mod summary;
mod synth;
mod test;
mod tune;
mod version;
mod width;

use crate::report::JSON_SCHEMA;
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

/// Shows help, the version, or what is wrong with the arguments.
fn told_usage(usage: &clap::Error) -> u8 {
    if usage.kind() == clap::error::ErrorKind::DisplayVersion {
        out::say(&version::text());
        return out::exit_code(0);
    }
    if usage.use_stderr() {
        // Arguments of clang are not what was meant.
        let is_offer = |line: &&str| line.contains("tip: ") && line.contains("as a value, use ");
        let text = usage.render();
        let text = if width::color(&std::io::stderr()) { text.ansi().to_string() } else { text.to_string() };
        let lines: Vec<&str> = text.split_inclusive('\n').filter(|line| !is_offer(&strip(line).as_str())).collect();
        out::tell(&lines.concat());
    } else if let Err(e) = usage.print() {
        out::failed(&e);
    }
    out::exit_code(if usage.use_stderr() { BAD_INPUT } else { 0 })
}

/// A text without escape sequences.
fn strip(text: &str) -> String {
    let mut is_escape = false;
    let shown = |c: &char| {
        is_escape |= *c == '\u{1b}';
        let is_shown = !is_escape;
        is_escape &= *c != 'm';
        is_shown
    };
    text.chars().filter(shown).collect()
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
    // What schedulers send some time before the end.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGUSR1, flag.clone());
    flag
}
