//! What of a program's source executions reach: its lines, and its assertions.

use super::picture::sources::Sources;
use crate::ids::FuncId;
use crate::program::reached::Reached;
use crate::program::{Instr, Program, Span};
use crate::verdict::picture::place::Place;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What executions reach of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Coverage {
    /// By file; none without lines that can be run.
    pub files: Vec<FileCoverage>,
    /// Each assertion, by place.
    pub assertions: Vec<AssertionCoverage>,
}

/// What executions reach of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FileCoverage {
    /// As the compiler names it.
    pub file: String,
    /// How many of its lines can be run.
    pub lines: usize,
    /// Those that no execution runs.
    pub never_run: Vec<u32>,
}

/// An assertion of the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AssertionCoverage {
    /// Where it stands.
    pub place: Place,
    /// Whether an execution comes to it.
    pub reached: bool,
}

impl Coverage {
    /// From the instructions that were run; none, if no execution was looked at.
    pub fn of(program: &Program, reached: Option<&Reached>, sources: &Sources) -> Coverage {
        let mut lines: BTreeMap<(u32, u32), bool> = BTreeMap::new();
        let mut places: BTreeMap<(u32, u32, u32), bool> = BTreeMap::new();
        let mut assertions = BTreeSet::new();
        let is_own = |span: &Span| span.line > 0 && is_own(program, span, sources);
        for (f, function) in program.functions.iter().enumerate() {
            for (pc, instr) in function.code.iter().enumerate() {
                let span = program.span(function.spans.get(pc).copied().unwrap_or_default());
                if !is_own(span) {
                    continue;
                }
                let was_run = reached.is_some_and(|reached| reached.contains(FuncId::at(f), pc));
                let place = (span.file, span.line, span.column);
                *lines.entry((span.file, span.line)).or_default() |= was_run;
                *places.entry(place).or_default() |= was_run;
                if is_assertion(instr) {
                    assertions.insert(place);
                }
            }
        }
        let name = |file: u32| program.files[file as usize].clone();
        let mut files: Vec<FileCoverage> = Vec::new();
        for ((file, line), was_run) in lines {
            let file = name(file);
            if files.last().is_none_or(|last| last.file != file) {
                files.push(FileCoverage { file, ..FileCoverage::default() });
            }
            if let Some(last) = files.last_mut() {
                last.lines += 1;
                last.never_run.extend((!was_run).then_some(line));
            }
        }
        // A failing branch stands at the place of its condition.
        let assertions = assertions.into_iter().map(|place| {
            let (file, line, column) = place;
            AssertionCoverage { place: Place { file: name(file), line, column }, reached: places[&place] }
        });
        Coverage { files, assertions: assertions.collect() }
    }
}

/// Whether a line is the user's: those of the headers that come with hmc and with the system are not.
fn is_own(program: &Program, span: &Span, sources: &Sources) -> bool {
    let Some(file) = program.files.get(span.file as usize) else { return false };
    !file.starts_with("/usr/") && sources.text(file).is_some()
}

fn is_assertion(instr: &Instr) -> bool {
    match instr {
        Instr::Assert { .. } => true,
        Instr::Panic { .. } => true,
        Instr::Fail { message, unsupported: false } => message.starts_with("assertion"),
        _ => false,
    }
}
