//! Reports: one file an output form, all made from the same plain data ([`Report`]). Nothing here explores or prints.
//!
//! - [`human`]: for a terminal; [`snippet`] draws the lines of a finding, [`columns`] an execution with threads as columns.
//! - [`robust`]: a comparison of two models, as text.
//! - [`json`], [`sarif`], [`junit`]: for other programs.
//! - [`table`]: tests against models.
//! - [`dot`], [`svg`]: pictures of an execution.

pub mod columns;
pub mod coverage;
pub mod dot;
pub mod herd;
pub mod human;
pub mod json;
pub mod junit;
pub mod robust;
pub mod sarif;
pub mod snippet;
pub mod style;
pub mod svg;
pub mod table;
pub mod xml;

#[cfg(test)]
mod sample;

use crate::verdict::picture::Edge;
use crate::verdict::{FileResult, Picture, Sources, Verdict};
use serde::{Deserialize, Serialize};
use style::Style;

/// The version of the JSON report.
pub const SCHEMA: &str = "hmc-report/1";

/// A whole run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: String,
    /// What made the report.
    pub tool: Tool,
    /// One result a file and model, in the order of the command line.
    pub results: Vec<FileResult>,
}

/// The tool.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// An execution that is to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    /// The execution.
    pub picture: &'a Picture,
    /// What stands above it.
    pub title: &'a str,
    /// The events that a finding is about.
    pub marked: &'a [u32],
    /// The cycle that a finding is about.
    pub cycle: &'a [Edge],
}

/// An output form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Text for people.
    Human,
    /// Herd's log.
    Herd,
    /// [`SCHEMA`].
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// JUnit XML.
    Junit,
}

impl Report {
    /// A report of this version of the tool.
    pub fn new(results: Vec<FileResult>) -> Report {
        let tool = Tool { name: "hmc".into(), version: env!("CARGO_PKG_VERSION").into() };
        Report { schema: SCHEMA.into(), tool, results }
    }

    /// The worst verdict.
    pub fn worst(&self) -> Verdict {
        self.results.iter().fold(Verdict::Holds, |worst, r| worst.worse(r.verdict))
    }

    /// The report in an output form.
    pub fn render(&self, format: Format, sources: &Sources, style: Style) -> String {
        match format {
            Format::Human => human::report(&self.results, sources, style),
            Format::Herd => herd_or_human(&self.results, sources, style),
            Format::Json => json::report(self),
            Format::Sarif => sarif::report(self),
            Format::Junit => junit::report(self),
        }
    }
}

/// Why a litmus test is violated.
fn unexpected(result: &FileResult) -> String {
    match &result.expected {
        Some(compared) if !compared.differences.is_empty() => {
            format!("the result differs from {}: {}", compared.source, compared.differences.join("; "))
        }
        _ => {
            let condition =
                (result.condition.as_deref() == Some("No")).then(|| "the condition does not hold".to_owned());
            let flags = result.flags.iter().map(|f| match f.undefined {
                true => format!("undefined behaviour: {}", f.name),
                false => format!("the flag {} is raised", f.name),
            });
            condition.into_iter().chain(flags).collect::<Vec<_>>().join("; ")
        }
    }
}

/// Herd's log, for the results that have one.
fn herd_or_human(results: &[FileResult], sources: &Sources, style: Style) -> String {
    let one = |r: &FileResult| match &r.log {
        Some(log) => log.clone(),
        None => human::body(r, sources, style),
    };
    results.iter().map(one).collect()
}
