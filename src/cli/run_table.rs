//! `hmc run-table`: tests against models in one table.

use super::INTERNAL;
use super::args::{RunTableArgs, TableForm};
use super::check::{Told, color, jobs, run_all, settings, tell_news, write};
use super::out::say;
use crate::report::style::Style;
use crate::report::{human, table};
use crate::verdict::FileResult;

/// Runs the subcommand. The exit code is that of the worst verdict, whatever rows are shown.
pub fn run(args: &RunTableArgs) -> u8 {
    let jobs = match jobs(&args.cat, &args.files, &args.input) {
        Ok(jobs) => jobs,
        Err(code) => return code,
    };
    let mut settings = settings(&args.input);
    settings.condition_only = args.condition_only;
    let mut told = Told::default();
    let outcome = run_all(&jobs, &settings, args.input.threads, |result, progress| {
        progress.aside(|| {
            tell_news(&jobs);
            told.complain(result);
        });
    });
    let worst = outcome.tell_missing();
    let mut results: Vec<FileResult> = outcome.results.into_iter().flatten().collect();
    let worst = results.iter().fold(worst, |worst, r| worst.worse(r.verdict));
    if args.differing {
        results = results.chunk_by(|a, b| a.file == b.file).filter(|r| differ(r)).flatten().cloned().collect();
    }
    let text = match args.format {
        TableForm::Text => human::table(
            &results,
            Style { color: args.output.is_none() && color(&std::io::stdout()), ..Style::default() },
        ),
        TableForm::Csv => table::csv(&results),
        TableForm::Html => table::html(&results),
    };
    let written = match &args.output {
        Some(file) => write(file, &text),
        None => {
            say(&text);
            0
        }
    };
    match (outcome.internal, written) {
        (true, _) => INTERNAL,
        (_, 0) => worst.exit_code(),
        _ => written,
    }
}

fn differ(results: &[FileResult]) -> bool {
    table::differs(&results.iter().collect::<Vec<_>>())
}
