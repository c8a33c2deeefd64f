//! `hmc run-table`: tests against models in one table.

use super::check::{Told, settings, tell_news, write};
use crate::cli::args::{RunTableArgs, TableForm};
use crate::cli::batch::{jobs, run_all};
use crate::cli::output::out::say;
use crate::cli::output::width::color;
use crate::cli::{INTERNAL, interrupt};
use crate::driver::Settings;
use crate::report::formats::table;
use crate::report::human;
use crate::report::style::Style;
use crate::verdict::{FileResult, Verdict};
use std::sync::Arc;

/// Runs the subcommand. The exit code is that of the worst verdict, whatever rows are shown.
pub fn run(args: &RunTableArgs) -> u8 {
    let jobs = match jobs(&args.cat, &args.files, &args.input, None) {
        Ok(jobs) => jobs,
        Err(code) => return code,
    };
    let mut settings = Settings { interrupt: interrupt(), ..settings(&args.input) };
    settings.condition_only = args.condition_only;
    let jobs = Arc::new(jobs);
    let mut told = Told::default();
    let mut worst = Verdict::Holds;
    let mut rows = Rows { differing: args.differing, states: args.format == TableForm::Html, ..Rows::default() };
    let outcome = run_all(&jobs, &settings, args.input.threads, |_, result, progress| {
        progress.aside(|| {
            tell_news(&jobs);
            told.complain(&result);
        });
        worst = worst.worse(result.verdict);
        rows.add(result);
    });
    let worst = worst.worse(outcome.tell_missing());
    let results = rows.finished();
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

/// The results that the table shows.
#[derive(Default)]
struct Rows {
    /// Only files on which not all models say the same.
    differing: bool,
    /// The table shows states.
    states: bool,
    row: Vec<FileResult>,
    kept: Vec<FileResult>,
}

impl Rows {
    fn add(&mut self, result: FileResult) {
        if self.row.first().is_some_and(|first| first.file != result.file) {
            self.close();
        }
        self.row.push(result);
    }

    /// Of a file that is not to be shown, or whose states are not, the states go as soon as its row is there.
    fn close(&mut self) {
        let row = std::mem::take(&mut self.row);
        if !self.differing || table::differs(&row.iter().collect::<Vec<_>>()) {
            let states = self.states;
            self.kept.extend(row.into_iter().map(|result| if states { result } else { result.in_brief() }));
        }
    }

    fn finished(mut self) -> Vec<FileResult> {
        self.close();
        self.kept
    }
}
