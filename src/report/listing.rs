//! Executions one by one, as text.

use super::drawn::columns::{self, Shown};
use super::fit::fit;
use super::style::Style;
use crate::verdict::FileResult;
use crate::verdict::listed::{Listed, Listing};
use crate::verdict::picture::Edge;

/// The executions that are listed; nothing when none were asked for.
pub fn text(result: &FileResult, style: Style) -> String {
    let Some(listing) = &result.listed else { return String::new() };
    let mut out = String::new();
    for (at, listed) in listing.executions.iter().enumerate() {
        out += &format!("\n  {}\n\n", style.bold(&head(listing, at, listed)));
        let keep: Vec<u32> = listed.cycle.iter().flat_map(|edge| [edge.from, edge.to]).collect();
        out += &columns::table(&listed.execution, Shown { keep: &keep, past: None }, style);
        out += &related(&listed.execution.related);
    }
    out += &format!("\n  {}\n", end(listing));
    fit(&out, style)
}

fn head(listing: &Listing, at: usize, listed: &Listed) -> String {
    let what = if listing.forbidden { "forbidden candidate" } else { "execution" };
    let state = listed.state.as_ref().map(|state| format!(": {state}")).unwrap_or_default();
    let wrong = if listed.wrong { " (ends in an error, or waits for ever)" } else { "" };
    let why = match (&listed.axiom, &listed.unexplained) {
        (Some(axiom), Some(why)) => format!("; by {axiom}: no cycle can be shown, since {why}"),
        (Some(axiom), None) if listed.cycle.is_empty() => format!("; by {axiom}"),
        (Some(axiom), None) => format!("; by {axiom}: {}", columns::cycle(&listed.cycle)),
        (None, _) => String::new(),
    };
    format!("{what} {}{state}{wrong}{why}", at + 1)
}

/// A line for each relation that was asked for.
fn related(edges: &[Edge]) -> String {
    let mut names: Vec<&str> = edges.iter().map(|edge| edge.name.as_str()).collect();
    names.dedup();
    let line = |name: &str| {
        let own = edges.iter().filter(|edge| edge.name == name);
        let pairs: Vec<String> = own.map(|edge| format!("e{}→e{}", edge.from, edge.to)).collect();
        format!("  {name}: {}\n", pairs.join(", "))
    };
    names.into_iter().map(line).collect()
}

fn end(listing: &Listing) -> String {
    let (what, n) = (if listing.forbidden { "candidate" } else { "execution" }, listing.executions.len());
    let s = if n == 1 { "" } else { "s" };
    let forbidden = if listing.forbidden { " that the model forbids" } else { "" };
    match listing.all {
        true => format!("these are all: {n} {what}{s}{forbidden}"),
        false => format!("these are {n} {what}{s}{forbidden}; there may be more (`--show` says how many are listed)"),
    }
}
