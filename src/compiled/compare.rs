//! Outcomes and findings of an optimised program that its source has not.

use super::{Answer, Compiled, Level, blame};
use crate::clock::Instant;
use crate::driver::inputs::models::Models;
use crate::driver::{self, Settings};
use crate::verdict::outcomes::Observe;
use crate::verdict::{FileResult, Finding, Property, Sources, Verdict};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file, and the model that it is judged by.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// The file.
    pub file: &'a Path,
    /// The name of the model, and the model.
    pub model: &'a (String, Models),
    /// The texts of files.
    pub sources: &'a Sources,
}

/// A way to compile a program: the compiler, if one was named, and arguments of which the last ones choose a level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Way {
    pub name: String,
    pub clang: Option<PathBuf>,
    pub arguments: Vec<String>,
}

impl Way {
    /// The ways that arguments for clang ask for: each level with each compiler, `-O2` when there is no level.
    pub fn all(compilers: &[PathBuf], arguments: &[String]) -> Vec<Way> {
        let (mut levels, others): (Vec<String>, Vec<String>) =
            arguments.iter().cloned().partition(|argument| argument.starts_with("-O"));
        if levels.is_empty() {
            levels.push("-O2".to_owned());
        }
        let compilers: Vec<Option<&PathBuf>> = match compilers {
            [] => vec![None],
            named => named.iter().map(Some).collect(),
        };
        let way = |clang: Option<&PathBuf>, level: &String| Way {
            name: clang.map(|clang| format!("{} ", clang.display())).unwrap_or_default() + level,
            clang: clang.cloned(),
            arguments: others.iter().chain([level]).cloned().collect(),
        };
        compilers.into_iter().flat_map(|clang| levels.iter().map(move |level| way(clang, level))).collect()
    }

    /// The first of these at `-O0`.
    pub fn plain(ways: &[Way]) -> Way {
        Way { arguments: [&ways[0].arguments[..], &["-O0".to_owned()]].concat(), ..ways[0].clone() }
    }

    /// The program as compiled in this way.
    pub fn run(&self, input: Input<'_>, known: Option<Arc<BTreeSet<String>>>, settings: &Settings) -> FileResult {
        let settings = Settings {
            clang: self.clang.clone().or_else(|| settings.clang.clone()),
            clang_args: self.arguments.clone(),
            known_outcomes: known,
            ..settings.clone()
        };
        driver::check(input.file, &input.model.0, &input.model.1, &settings, input.sources)
    }
}

/// What the source does: its outcomes and findings.
pub(super) struct Source {
    outcomes: Arc<BTreeSet<String>>,
    findings: Vec<Finding>,
    saw_everything: bool,
}

impl Source {
    fn of(result: &FileResult) -> Source {
        Source {
            outcomes: Arc::new(result.states.iter().cloned().collect()),
            findings: found(result).cloned().collect(),
            saw_everything: result.saw_everything(),
        }
    }

    /// The outcomes of an optimised program that the source has not.
    pub fn new_outcomes(&self, result: &FileResult) -> Vec<String> {
        result.states.iter().filter(|state| !self.outcomes.contains(*state)).cloned().collect()
    }

    /// The findings of an optimised program that the source has not. A compiler may share the code of several places, and names none then.
    pub fn new_findings(&self, result: &FileResult) -> Vec<Finding> {
        let line = |finding: &Finding| finding.place.as_ref().map(|p| (p.file.clone(), p.line)).filter(|p| p.1 > 0);
        let is_known = |finding: &Finding| {
            let mut same = self.findings.iter().filter(|known| known.kind == finding.kind);
            match line(finding) {
                Some(place) => same.any(|known| line(known).is_none_or(|other| other == place)),
                None => same.next().is_some(),
            }
        };
        found(result).filter(|finding| !is_known(finding)).cloned().collect()
    }

    /// Whether an optimised program does what the source may not do.
    pub fn is_exceeded(&self, result: &FileResult) -> bool {
        !self.new_outcomes(result).is_empty() || !self.new_findings(result).is_empty()
    }

    /// What is said of a program with this result, of which this is new and allowed all the same.
    pub fn judged(
        &self,
        name: &str,
        result: FileResult,
        new_outcomes: Vec<String>,
        new_findings: Vec<Finding>,
        load_buffering: Vec<String>,
    ) -> Level {
        let fewer = self.outcomes.iter().filter(|outcome| !result.states.contains(outcome)).count();
        let exceeds = !new_outcomes.is_empty() || !new_findings.is_empty();
        let saw_everything = self.saw_everything && result.saw_everything();
        let answer = match result.verdict {
            Verdict::Error => Answer::Error,
            _ if exceeds && self.saw_everything => Answer::Violated,
            Verdict::Unsupported => Answer::Unsupported,
            _ if exceeds || !saw_everything => Answer::Bounded,
            _ => Answer::Holds,
        };
        Level {
            answer,
            outcomes: result.states,
            new_outcomes,
            new_findings,
            load_buffering,
            fewer: if saw_everything { fewer } else { 0 },
            messages: result.messages,
            ..Level::named(name.to_owned())
        }
    }

    /// Outcomes that surprise nobody.
    pub fn known(&self) -> Arc<BTreeSet<String>> {
        self.outcomes.clone()
    }
}

fn found(result: &FileResult) -> impl Iterator<Item = &Finding> {
    result.violation.iter().chain(&result.more_violations)
}

/// Whether a finding is undefined behaviour, behind which a compiler owes nothing. An assertion, a wrong exit code and a wait for ever are not.
fn is_undefined(finding: &Finding) -> bool {
    let defined = [Property::Assertion, Property::ExitCode, Property::Liveness];
    !defined.iter().any(|property| property.name() == finding.kind)
}

/// Compares a program as compiled with the arguments of the settings with its source. `compilers`: those named by the user.
pub fn check(input: Input<'_>, compilers: &[PathBuf], settings: &Settings) -> Compiled {
    let ways = Way::all(compilers, &settings.clang_args);
    against_source(input, &Way::plain(&ways), settings, |source, settings| {
        ways.iter().map(|way| level(way, source, input, settings)).collect()
    })
}

/// Runs the source, and compares with it what `levels` gives, if it may be compared. `plain`: how the source is compiled.
pub(super) fn against_source(
    input: Input<'_>,
    plain: &Way,
    settings: &Settings,
    levels: impl FnOnce(&Source, &Settings) -> Vec<Level>,
) -> Compiled {
    let start = Instant::now();
    let observe = match &settings.observe {
        Observe::Named(names) => Observe::Named(names.clone()),
        Observe::Shown | Observe::All => Observe::All,
    };
    let settings = &Settings { observe, keep_going: true, asks_source: false, ..settings.begun(input.file) };
    let result = plain.run(input, None, settings);
    let mut compiled = Compiled {
        file: result.file.clone(),
        model: result.model.clone(),
        answer: Answer::Holds,
        source: result.verdict,
        outcomes: result.states.clone(),
        undefined: found(&result).find(|finding| is_undefined(finding)).cloned(),
        levels: Vec::new(),
        messages: result.messages.clone(),
        seconds: 0.0,
    };
    compiled.answer = match result.verdict {
        Verdict::Error => Answer::Error,
        Verdict::Unsupported => Answer::Unsupported,
        _ if compiled.undefined.is_some() => Answer::Undefined,
        _ => Answer::Holds,
    };
    if compiled.answer == Answer::Holds {
        compiled.levels = levels(&Source::of(&result), settings);
        compiled.answer = compiled.levels.iter().map(|level| level.answer).max().unwrap_or(Answer::Holds);
    }
    compiled.seconds = start.elapsed().as_secs_f64();
    compiled
}

fn level(way: &Way, source: &Source, input: Input<'_>, settings: &Settings) -> Level {
    let mut result = way.run(input, Some(source.known()), settings);
    let (new_outcomes, new_findings) = (source.new_outcomes(&result), source.new_findings(&result));
    let execution = result.witness.take();
    let level = source.judged(&way.name, result, new_outcomes, new_findings, Vec::new());
    let is_wrong = level.answer == Answer::Violated;
    Level { execution, blame: is_wrong.then(|| blame::first_wrong(way, source, input, settings)).flatten(), ..level }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Place;

    fn finding(kind: &str, line: u32) -> Finding {
        Finding {
            kind: kind.into(),
            message: String::new(),
            place: Some(Place { file: "a.c".into(), line, column: 1 }),
            events: Vec::new(),
            notes: Vec::new(),
            orders: None,
            calls: None,
            execution: crate::verdict::Picture::default(),
        }
    }

    fn result(findings: Vec<Finding>, states: &[&str]) -> FileResult {
        let mut findings = findings.into_iter();
        let violation = findings.next();
        let states = states.iter().map(|s| (*s).to_owned()).collect();
        FileResult { violation, more_violations: findings.collect(), states, ..FileResult::new("a.c", "sc") }
    }

    #[test]
    fn only_what_the_source_has_not_counts() {
        let source = Source::of(&result(vec![finding("assertion", 3)], &["x=1;", "x=2;"]));
        assert!(!source.is_exceeded(&result(vec![finding("assertion", 3)], &["x=1;"])));
        assert!(source.is_exceeded(&result(Vec::new(), &["x=3;"])));
        assert!(source.is_exceeded(&result(vec![finding("assertion", 4)], &[])));
        assert!(source.is_exceeded(&result(vec![finding("liveness", 3)], &[])));
        // Code of several places may be shared.
        assert!(!source.is_exceeded(&result(vec![finding("assertion", 0)], &[])));
    }

    #[test]
    fn each_level_with_each_compiler_is_a_way() {
        let arguments = ["-O1", "-DN=2", "-Os"].map(str::to_owned);
        let names =
            |compilers: &[PathBuf]| Way::all(compilers, &arguments).into_iter().map(|w| w.name).collect::<Vec<_>>();
        assert_eq!(names(&[]), ["-O1", "-Os"]);
        assert_eq!(names(&["a".into(), "b".into()]), ["a -O1", "a -Os", "b -O1", "b -Os"]);
        assert_eq!(Way::all(&[], &arguments)[1].arguments, ["-DN=2", "-Os"]);
        assert_eq!(Way::all(&[], &[])[0].name, "-O2");
    }
}
