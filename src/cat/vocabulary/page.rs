//! The table of base names for people: `hmc model names`, and `docs/models.md`.

use super::table::{BASE, DARTAGNAN, Entry, Given};
use super::{architecture_ignoring_case, architectures};
use crate::algebra::Sort;
use std::fmt::Write;

/// What stands before the tables of the page.
const INTRODUCTION: &str = "\
# Base names of models

A model is made of sets and relations that each execution gives: the base names. This page lists them. It is generated from the table that the
loader uses (`src/cat/vocabulary/table.rs`); `hmc model names --arch AArch64` prints the part for one architecture, and a test compares both.
Another test looks for an execution of each architecture in which each name has a member.

A name that is in no table is unknown: its use is the error C301, or C302 where another architecture has it. That counts only where its value
decides something: not in a definition that no check needs, nor beside an operand of `&`, `;`, `*` or `\\` that is empty whatever the execution.
`id` is the identity relation, `_` is everything, `0` and `{}` are empty. `stdlib.cat` defines `po-loc`, `rfe`, `rfi`, `co0`, `rmw`, `fencerel` and
more; `cos.cat` defines `co`, `fr` and their parts.

The column *members* says in which tests a name has members:

- *yes*: in tests of every architecture that the table is about. A list of architectures: in theirs only.
- *as `x`*: it is another name for `x`.
- *unsupported*: tests with such events are refused for the reason given, so in all others the name is empty in truth.
- *missing*: executions do not have such events, though they could: a check that depends on the name says less than it would (C615).
- *afterwards*: executions get them when they have ended, which is too late for a check: it says less than it would, as `hmc model check` tells.
- *within `x`*: what it would have is in `x`, which models ask for beside it.
- *crashes*: in programs that crash (`docs/persistency.md`), and in no others.
- *none*: it is empty in the reference tool, too.
- *scopes*: no test has a tree of scopes, and a run under a model that needs one is unsupported.
";

/// A part of the page.
struct Part<'a> {
    title: String,
    entries: Vec<&'a Entry>,
}

/// Architectures that there is a front end for.
pub(super) fn has_front_end(arch: &str) -> bool {
    !["BPF", "LISA", "JAVA", "ASL"].contains(&arch)
}

fn parts() -> Vec<Part<'static>> {
    let mut parts = vec![Part {
        title: "Every architecture".to_owned(),
        entries: BASE.iter().filter(|entry| entry.of.is_empty()).collect(),
    }];
    // What C++ has, C has.
    for arch in architectures().filter(|arch| has_front_end(arch) && *arch != "CPP") {
        let entries: Vec<&Entry> = BASE.iter().filter(|entry| entry.of.contains(&arch)).collect();
        parts.push(Part { title: if arch == "C" { "C and C++".to_owned() } else { arch.to_owned() }, entries });
    }
    let elsewhere = |entry: &&Entry| !entry.of.is_empty() && !entry.of.iter().any(|arch| has_front_end(arch));
    parts.push(Part {
        title: "BPF, LISA, Java, ASL (no tests of these are read)".to_owned(),
        entries: BASE.iter().filter(elsewhere).collect(),
    });
    parts.push(Part { title: "The Dartagnan dialect, besides".to_owned(), entries: DARTAGNAN.iter().collect() });
    parts
}

fn members(given: Given) -> String {
    match given {
        Given::Known => "yes".to_owned(),
        Given::In(archs) => archs.join(", "),
        Given::Only(archs) => format!("{}; missing in others", archs.join(", ")),
        Given::Alias(name) => format!("as `{name}`"),
        Given::Everything => "yes: as `_`".to_owned(),
        Given::Unsupported(why) => format!("unsupported: {why}"),
        Given::Missing => "missing".to_owned(),
        Given::Afterwards => "afterwards".to_owned(),
        Given::Within(name) => format!("within `{name}`"),
        Given::Crashes => "crashes".to_owned(),
        Given::Nothing => "none".to_owned(),
        Given::Scopes => "scopes".to_owned(),
    }
}

fn kind(sort: Sort) -> &'static str {
    match sort {
        Sort::Set => "set",
        Sort::Rel => "relation",
    }
}

/// The page `docs/models.md`.
pub fn markdown() -> String {
    let mut out = INTRODUCTION.to_owned();
    for part in parts() {
        // Writing to a string cannot fail.
        let _ = write!(out, "\n## {}\n\n| names | | members | meaning | since |\n|---|---|---|---|---|\n", part.title);
        for entry in part.entries {
            let names: Vec<String> = entry.each().map(|name| format!("`{name}`")).collect();
            let (kind, members) = (kind(entry.sort), members(entry.given));
            let _ = writeln!(out, "| {} | {kind} | {members} | {} | {} |", names.join(" "), entry.meaning, entry.since);
        }
    }
    out
}

/// The names that tests of an architecture know, or all; one a line.
pub fn text(arch: Option<&str>) -> String {
    let arch = arch.and_then(architecture_ignoring_case);
    let mut out = String::new();
    let known = |entry: &&Entry| entry.of.is_empty() || arch.is_none_or(|arch| entry.of.contains(&arch));
    for entry in BASE.iter().filter(known) {
        let given = match (entry.given, arch) {
            (Given::In(archs) | Given::Only(archs), Some(arch)) if archs.contains(&arch) => "yes".to_owned(),
            (Given::Only(_), Some(_)) => members(Given::Missing),
            (Given::In(_), Some(_)) => "none here".to_owned(),
            (given, _) => members(given),
        };
        let of = match (arch, entry.of) {
            (None, [_, ..]) => format!("{}: ", entry.of.join(", ")),
            _ => String::new(),
        };
        for name in entry.each() {
            let _ = writeln!(out, "{name:<16} {:<9} {of}{} ({given})", kind(entry.sort), entry.meaning);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_a_line() {
        let all = text(None);
        assert!(all.contains("PPC: fences by instruction (yes)") && all.lines().count() > 150, "{all}");
        let riscv = text(Some("riscv"));
        let line = |name: &str| riscv.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap_or("");
        assert!(line("AMO").contains("as `X`") && line("NA").contains("none here"), "{riscv}");
        assert_eq!((line("lxsx").contains("(yes)"), line("DMB.SY")), (true, ""));
    }
}
