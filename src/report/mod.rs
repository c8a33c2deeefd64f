//! Reports: all made from the same plain data ([`FileResult`]). Nothing here explores or prints.
//!
//! - [`human`]: for a terminal; [`fit`]: text in the width that there is; [`style`]: colours.
//! - [`drawn`]: executions as pictures and columns; [`listing`]: one by one.
//! - [`formats`]: for other programs. [`stream`]: any form, written as results come.
//! - [`robust`], [`coverage`]: a comparison of two models, and what executions reach, as text.

pub mod coverage;
pub mod drawn;
pub mod fit;
pub mod formats;
pub mod human;
pub mod listing;
pub mod robust;
pub mod stream;
pub mod style;

#[cfg(test)]
pub(crate) mod sample;

use crate::verdict::picture::Edge;
use crate::verdict::picture::related::{ORDINARY, reduced};
use crate::verdict::{FileResult, Picture};
use serde::{Deserialize, Serialize};

/// The version of the JSON report.
pub const SCHEMA: &str = "hmc-report/1";
/// What it looks like, as a JSON schema.
pub const JSON_SCHEMA: &str = include_str!("schema.json");

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
    /// The relations that are drawn besides the cycle and program order; when it is not said, all that the picture has.
    pub relations: Option<&'a [String]>,
    /// What the rows are called, if not by their place.
    pub numbers: Option<&'a [u32]>,
    /// What stands before their numbers: [`EVENT`] or [`CALL`].
    pub letter: char,
}

/// Before the number of an event.
pub const EVENT: char = 'e';
/// Before the number of a call.
pub const CALL: char = 'c';

impl Drawing<'_> {
    /// The edges that are drawn, each once: those of the cycle and those that a finding is about in any case. Of an order, those that the
    /// others do not imply. `dependencies`: with these, when nobody says which relations.
    fn edges(&self, dependencies: bool) -> Vec<Edge> {
        let picture = self.picture;
        let own = picture.edges.iter().cloned().chain(picture.from_reads()).chain(reduced(picture));
        let depends = picture.dependencies.iter().filter(|_| dependencies || self.relations.is_some());
        let is_asked = |edge: &Edge| match self.relations {
            Some(names) => names.contains(&edge.name) || !ORDINARY.contains(&edge.name.as_str()),
            None => true,
        };
        let all = self.cycle.iter().cloned().chain(own.chain(depends.cloned()).filter(is_asked));
        let mut edges: Vec<Edge> = Vec::new();
        for edge in all {
            if !edges.contains(&edge) {
                edges.push(edge);
            }
        }
        edges
    }

    /// What a row is called.
    fn name(&self, row: u32) -> String {
        let number = self.numbers.and_then(|numbers| numbers.get(row as usize)).copied().unwrap_or(row);
        format!("{}{number}", self.letter)
    }
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
    /// Annotations of GitHub Actions.
    Github,
}

impl Tool {
    /// This version of hmc.
    pub fn this() -> Tool {
        Tool { name: "hmc".into(), version: env!("CARGO_PKG_VERSION").into() }
    }
}

/// Why a litmus test is violated, or a program in which nothing was found.
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
