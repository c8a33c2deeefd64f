//! The command line from outside: exit codes, what is printed for bad input, the report formats.

pub mod support;

mod bad_input;
mod batch;
mod book;
mod compared;
mod daily;
mod day;
mod ends;
mod expectations;
mod findings;
mod formats;
mod linux;
mod listed;
mod lsp;
mod models;
mod relaxed;
mod robust;
mod schema;
mod tune;
mod unattended;
mod verdicts;
