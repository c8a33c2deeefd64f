//! The first pass of the optimiser behind which a program does what its source may not do: clang runs its first N passes only
//! (`-opt-bisect-limit=N`), and N is halved.

use super::compare::{Input, Source, Way};
use super::differences;
use crate::driver::inputs::compiling;
use crate::driver::{Settings, code};
use crate::llvm::clang;
use serde::Serialize;

/// A pass.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Blame {
    /// Its name, as LLVM prints it.
    pub pass: String,
    /// What it ran on: a function, a loop, the module.
    pub on: String,
    /// Its number among the passes that were run, from 1.
    pub number: usize,
    /// How many were run.
    pub of: usize,
    /// What it has changed: each function that differs, as a unified diff of LLVM IR.
    pub changes: String,
}

/// What clang prints of a pass that it runs.
const RUNNING: &str = "BISECT: running pass (";

/// The first pass to blame; nothing when that is not known: the program is wrong before any, or right behind all of them.
pub(super) fn first_wrong(way: &Way, source: &Source, input: Input<'_>, settings: &Settings) -> Option<Blame> {
    let is_wrong = |limit: usize| {
        let result = limited(way, limit).run(input, None, settings);
        source.is_exceeded(&result)
    };
    let passes = passes(&compile(&limited(way, usize::MAX), input, settings)?.printed);
    let (mut right, mut wrong) = (0, passes.len());
    if wrong == 0 || is_wrong(right) || !is_wrong(wrong) {
        return None;
    }
    while wrong - right > 1 {
        let middle = usize::midpoint(right, wrong);
        match is_wrong(middle) {
            true => wrong = middle,
            false => right = middle,
        }
    }
    let (before, after) =
        (compile(&limited(way, right), input, settings)?, compile(&limited(way, wrong), input, settings)?);
    let (pass, on) = passes.get(wrong - 1)?.clone();
    let changes = differences::of(&before.ir, &after.ir);
    Some(Blame { pass, on, number: wrong, of: passes.len(), changes })
}

/// The same way, of which only the first passes are run.
fn limited(way: &Way, limit: usize) -> Way {
    let limit = i64::try_from(limit).unwrap_or(-1);
    let limit = format!("-opt-bisect-limit={limit}");
    let arguments = way.arguments.iter().cloned().chain(["-mllvm".to_owned(), limit]).collect();
    Way { arguments, ..way.clone() }
}

fn compile(way: &Way, input: Input<'_>, settings: &Settings) -> Option<clang::Compiled> {
    let usable = input.model.1.get(settings.arch.as_deref()).ok()?;
    let settings = Settings {
        clang: way.clang.clone().or_else(|| settings.clang.clone()),
        clang_args: way.arguments.clone(),
        ..settings.clone()
    };
    let request = code::request(input.file, &usable, usable.knows_threads, &settings).ok()?;
    compiling::within(input.file, &settings, || clang::to_ir(&request, input.file)).0.ok()
}

/// The passes that clang says it runs: name, and what on.
fn passes(printed: &str) -> Vec<(String, String)> {
    let running = printed.lines().filter_map(|line| line.strip_prefix(RUNNING)?.split_once(") "));
    let named = running.map(|(_, rest)| rest.split_once(" on ").unwrap_or((rest, "")));
    named.map(|(pass, on)| (pass.to_owned(), on.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::passes;

    #[test]
    fn passes_are_named_with_what_they_run_on() {
        let printed = "a.c:1:1: warning: x\nBISECT: running pass (1) annotation2metadata on [module]\nBISECT: running pass (2) sroa on meet\nBISECT: NOT running pass (3) x on y\n";
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(passes(printed), [pair("annotation2metadata", "[module]"), pair("sroa", "meet")]);
    }
}
