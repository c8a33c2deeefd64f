//! `hmc run-table`: tests against models in one table.

use super::args::{RunTableArgs, TableForm};
use super::check::{Told, color, jobs, run_all, settings, write};
use crate::report::style::Style;
use crate::report::{human, table};
use crate::verdict::{FileResult, Verdict};

/// Runs the subcommand. Exit code 0 unless something could not be read (2) or the table could not be written.
pub fn run(args: &RunTableArgs) -> u8 {
    let jobs = match jobs(&args.cat, &args.files, &args.input) {
        Ok(jobs) => jobs,
        Err(code) => return code,
    };
    let mut settings = settings(&args.input);
    settings.condition_only = args.condition_only;
    let mut told = Told::default();
    let outcome = run_all(&jobs, &settings, args.input.threads, |result, progress| {
        progress.aside(|| told.complain(result));
    });
    let mut results = outcome.results;
    if args.differing {
        results = results.chunk_by(|a, b| a.file == b.file).filter(|r| differ(r)).flatten().cloned().collect();
    }
    let text = match args.format {
        TableForm::Text => human::comparison(
            &results,
            Style { color: args.output.is_none() && color(&std::io::stdout()), ..Style::default() },
        ),
        TableForm::Csv => table::csv(&results),
        TableForm::Html => table::html(&results),
    };
    let written = match &args.output {
        Some(file) => write(file, &text),
        None => {
            print!("{text}");
            0
        }
    };
    let unread = results.iter().any(|r| r.verdict == Verdict::Error);
    written.max(if unread { super::BAD_INPUT } else { 0 })
}

fn differ(results: &[FileResult]) -> bool {
    table::differs(&results.iter().collect::<Vec<_>>())
}
