//! The command line from outside: exit codes, what is printed for bad input, the report formats.

#[path = "cli/support.rs"]
mod support;

#[path = "cli/bad_input.rs"]
mod bad_input;
#[path = "cli/batch.rs"]
mod batch;
#[path = "cli/book.rs"]
mod book;
#[path = "cli/compared.rs"]
mod compared;
#[path = "cli/daily.rs"]
mod daily;
#[path = "cli/ends.rs"]
mod ends;
#[path = "cli/expectations.rs"]
mod expectations;
#[path = "cli/formats.rs"]
mod formats;
#[path = "cli/models.rs"]
mod models;
#[path = "cli/robust.rs"]
mod robust;
#[path = "cli/schema.rs"]
mod schema;
#[path = "cli/tune.rs"]
mod tune;
#[path = "cli/unattended.rs"]
mod unattended;
#[path = "cli/verdicts.rs"]
mod verdicts;
