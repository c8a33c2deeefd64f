//! What a program says is expected of it, in comments of its own:
//!
//! ```text
//! // hmc: --cat rc11,tso -- -DWRONG => violated,holds race @17 executions=4
//! ```
//!
//! In front of `=>` stand options of hmc and, behind ` -- `, flags of clang. Behind it stands the verdict, one for all models of the run or one each
//! (of a litmus test also `Never`, `Sometimes` or `Always`), then what else is known: the kind of what is found (`race` or `kind=race`), its line
//! (`@17`), a warning, and counts. `...` says that there is more, which is not known.
//!
//! With `kind=` (and `warning=`) every line that the finding names says `HERE`, in a comment.

use super::picture::sources::Sources;
use super::result::{FileResult, Finding};
use std::ops::Range;

/// How a line begins that says what is expected.
const BEGINNINGS: [(&str, &str); 2] = [("// hmc:", ""), ("(* hmc:", "*)")];

/// One run and what is expected of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// From 1; 0 where it does not stand in the file.
    pub line: u32,
    /// Options of hmc.
    pub options: Vec<String>,
    /// Flags of clang.
    pub flags: Vec<String>,
    /// One for all models of the run, or one each; empty when nothing is said yet.
    pub verdicts: Vec<String>,
    /// What is found where the verdict is `violated`.
    pub kind: Option<String>,
    /// Its lines say `HERE`.
    pub is_marked: bool,
    /// Its line.
    pub place: Option<u32>,
    /// The kind of a warning that is given.
    pub warning: Option<String>,
    /// Complete executions.
    pub executions: Option<u64>,
    /// The same up to renaming of threads.
    pub up_to_renaming: Option<u64>,
    /// Explorations that could not be finished.
    pub blocked: Option<u64>,
    /// Of a program that crashes: those in which the recovery goes wrong.
    pub violating: Option<u64>,
    /// Notes, but for the one on models that allow values out of thin air.
    pub notes: Option<usize>,
    /// Whether there is more that is not known.
    pub is_open: bool,
}

/// The lines of a text that say what is expected: each with its number, and where the part behind `hmc:` stands.
pub fn lines(text: &str) -> impl Iterator<Item = (u32, Range<usize>)> {
    let mut at = 0;
    text.split_inclusive('\n').zip(1..).filter_map(move |(line, number)| {
        let start = at;
        at += line.len();
        BEGINNINGS.iter().find_map(|(begin, end)| {
            let rest = line.strip_prefix(begin)?.trim_end();
            let rest = rest.strip_suffix(end).unwrap_or(rest);
            Some((number, start + begin.len()..start + begin.len() + rest.len()))
        })
    })
}

impl Header {
    /// Reads `--cat sc --unroll 3 -- -DN=2 => holds executions=4`. An error is a sentence.
    pub fn parse(text: &str, line: u32) -> Result<Header, String> {
        let (command, outcome) =
            text.split_once("=>").ok_or("what is expected stands behind `=>`, as in `--cat rc11 => holds`")?;
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let (options, flags) = command.split_once(" -- ").unwrap_or((command, ""));
        let mut header = Header { line, options: words(options), flags: words(flags), ..Header::default() };
        let mut outcome = outcome.split_whitespace();
        header.verdicts = outcome.next().map(|w| w.split(',').map(str::to_owned).collect()).unwrap_or_default();
        const KNOWN: [&str; 8] =
            ["holds", "violated", "bounded", "unsupported", "error", "Never", "Sometimes", "Always"];
        if let Some(odd) = header.verdicts.iter().find(|verdict| !KNOWN.contains(&verdict.as_str())) {
            return Err(format!("`{odd}` is no verdict; there are {}", KNOWN.join(", ")));
        }
        outcome.try_for_each(|word| header.word(word))?;
        Ok(header)
    }

    fn word(&mut self, word: &str) -> Result<(), String> {
        let number = |value: &str| value.parse::<u64>().map_err(|_| format!("`{word}` has no number"));
        if let Some(line) = word.strip_prefix('@') {
            self.place = Some(line.parse().map_err(|_| format!("`{word}` names no line, as in `@17`"))?);
            return Ok(());
        }
        match word.split_once('=') {
            Some(("executions", n)) => self.executions = Some(number(n)?),
            Some(("up-to-renaming", n)) => self.up_to_renaming = Some(number(n)?),
            Some(("blocked", n)) => self.blocked = Some(number(n)?),
            Some(("violating", n)) => self.violating = Some(number(n)?),
            Some(("notes", n)) => self.notes = Some(number(n)? as usize),
            Some(("kind", kind)) => (self.kind, self.is_marked) = (Some(kind.to_owned()), true),
            Some(("warning", kind)) => self.warning = Some(kind.to_owned()),
            None if word == "..." => self.is_open = true,
            None if word.chars().all(|c| c.is_ascii_lowercase() || c == '-') => self.kind = Some(word.to_owned()),
            _ => {
                return Err(format!(
                    "`{word}` says nothing that is known: a kind, @LINE, kind=, warning=, executions=, up-to-renaming=, blocked=, violating=, notes="
                ));
            }
        }
        Ok(())
    }

    /// What stands in front of `=>`.
    pub fn command(&self) -> String {
        let options = self.options.join(" ");
        if self.flags.is_empty() { options } else { format!("{options} -- {}", self.flags.join(" ")) }
    }

    /// What stands behind `=>`.
    pub fn outcome(&self) -> String {
        let mut words = vec![self.verdicts.join(",")];
        let marked = |kind: &String| if self.is_marked { format!("kind={kind}") } else { kind.clone() };
        words.extend(self.kind.as_ref().map(marked));
        words.extend(self.place.map(|line| format!("@{line}")));
        words.extend(self.warning.as_ref().map(|kind| format!("warning={kind}")));
        let counts = [
            ("executions", self.executions),
            ("up-to-renaming", self.up_to_renaming),
            ("blocked", self.blocked),
            ("violating", self.violating),
            ("notes", self.notes.map(|n| n as u64)),
        ];
        words.extend(counts.iter().filter_map(|(name, n)| n.map(|n| format!("{name}={n}"))));
        words.extend(self.is_open.then(|| "...".to_owned()));
        words.join(" ")
    }

    /// What differs, one sentence each; `results` has one for each model of the run.
    pub fn differences(&self, results: &[FileResult], sources: &Sources) -> Vec<String> {
        if self.verdicts.is_empty() {
            return vec!["nothing is expected yet (`--bless` writes what is found)".to_owned()];
        }
        if self.verdicts.len() > 1 && self.verdicts.len() != results.len() {
            return vec![format!("{} verdicts for {} models", self.verdicts.len(), results.len())];
        }
        let of = |(i, result)| {
            let expected = self.verdicts.get(i).or(self.verdicts.first());
            self.difference(result, expected.map_or("", String::as_str), sources)
        };
        results.iter().enumerate().filter_map(of).collect()
    }

    fn difference(&self, result: &FileResult, expected: &str, sources: &Sources) -> Option<String> {
        let model = &result.model;
        let found = said(result, expected);
        if found != expected {
            let why = match (&result.violation, result.messages.first()) {
                (Some(finding), _) => format!(": {}{}", at(finding), finding.message),
                (None, Some(message)) => format!(": {}", message.message),
                (None, None) => String::new(),
            };
            return Some(format!("expected {expected} under {model}, found {found}{why}"));
        }
        let count = |name: &str, expected: Option<u64>, found: Option<u64>| match expected {
            Some(n) if found != Some(n) => {
                let found = found.map_or("none".to_owned(), |n| n.to_string());
                Some(format!("expected {n} {name} under {model}, found {found}"))
            }
            _ => None,
        };
        let counted = &result.executions;
        count("executions", self.executions, (!counted.too_many).then_some(counted.complete))
            .or_else(|| count("executions up to renaming", self.up_to_renaming, counted.up_to_renaming))
            .or_else(|| count("blocked explorations", self.blocked, Some(counted.blocked)))
            .or_else(|| count("recoveries that go wrong", self.violating, result.crash.map(|crash| crash.violating)))
            .or_else(|| result.violation.as_ref().and_then(|finding| self.of_finding(finding, sources)))
            .or_else(|| self.of_warning(result, sources))
            .or_else(|| {
                let wanted = self.notes.filter(|&n| n != notes(result))?;
                Some(format!("expected {wanted} notes under {model}, found {}: {:?}", notes(result), result.notes))
            })
    }

    fn of_finding(&self, finding: &Finding, sources: &Sources) -> Option<String> {
        if let Some(kind) = self.kind.as_ref().filter(|kind| **kind != finding.kind) {
            return Some(format!("expected a finding of kind {kind}, found {}: {}", finding.kind, finding.message));
        }
        let line = finding.place.as_ref().map(|place| place.line);
        if let Some(wanted) = self.place.filter(|&wanted| line != Some(wanted)) {
            let found = line.map_or("no line".to_owned(), |line| format!("line {line}"));
            return Some(format!("expected it in line {wanted}, found {found}: {}", finding.message));
        }
        if self.is_marked { marked(finding, sources) } else { None }
    }

    fn of_warning(&self, result: &FileResult, sources: &Sources) -> Option<String> {
        let wanted = self.warning.as_ref()?;
        match result.warnings.iter().find(|warning| warning.kind == *wanted) {
            Some(warning) => marked(warning, sources),
            None => Some(format!("no warning `{wanted}` under {}", result.model)),
        }
    }

    /// The same with what was found in the place of what was expected; nothing is said that was not said before, but where nothing was.
    pub fn blessed(&self, results: &[FileResult]) -> Header {
        let mut verdicts: Vec<String> = results
            .iter()
            .enumerate()
            .map(|(i, result)| said(result, self.verdicts.get(i).or(self.verdicts.first()).map_or("", String::as_str)))
            .map(str::to_owned)
            .collect();
        let is_uniform = verdicts.windows(2).all(|pair| pair[0] == pair[1]);
        verdicts.truncate(if is_uniform { 1 } else { verdicts.len() });
        let is_new = self.verdicts.is_empty();
        let finding = results.iter().find_map(|result| result.violation.as_ref());
        let one = results.first();
        let counted = |of: fn(&FileResult) -> Option<u64>| one.and_then(of);
        let kept = |old: Option<u64>, new: Option<u64>| old.and(new);
        let count = match is_new && is_uniform && results.len() == 1 && finding.is_none() {
            true => Some(0),
            false => self.executions,
        };
        Header {
            verdicts,
            kind: if is_new || self.kind.is_some() { finding.map(|f| f.kind.clone()) } else { None },
            place: match is_new || self.place.is_some() {
                true => finding.and_then(|f| f.place.as_ref()).map(|place| place.line),
                false => None,
            },
            executions: kept(count, counted(|r| Some(r.executions.complete).filter(|_| !r.executions.too_many))),
            up_to_renaming: kept(self.up_to_renaming, counted(|r| r.executions.up_to_renaming)),
            blocked: kept(self.blocked, counted(|r| Some(r.executions.blocked))),
            notes: self.notes.and(one.map(notes)),
            ..self.clone()
        }
    }
}

/// The verdict of a result, or its observation where one is expected.
fn said<'r>(result: &'r FileResult, expected: &str) -> &'r str {
    match (&result.observation, expected.chars().next()) {
        (Some(observation), Some('A'..='Z')) => observation,
        _ => result.verdict.word(),
    }
}

fn notes(result: &FileResult) -> usize {
    result.notes.iter().filter(|note| !note.contains("form a cycle")).count()
}

fn at(finding: &Finding) -> String {
    finding.place.as_ref().map(|place| format!("line {}: ", place.line)).unwrap_or_default()
}

/// All lines that a finding names say `HERE`.
fn marked(finding: &Finding, sources: &Sources) -> Option<String> {
    let events = finding.events.iter().filter_map(|&e| finding.execution.events.get(e as usize));
    let places: Vec<_> = finding.place.iter().chain(events.filter_map(|event| event.place.as_ref())).collect();
    if places.is_empty() {
        return Some(format!("the finding has no place: {}", finding.message));
    }
    places.iter().find_map(|place| {
        let line = sources.line(&place.file, place.line).unwrap_or_default();
        (!line.contains("HERE")).then(|| format!("line {} was not expected: {}: {line}", place.line, finding.message))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_what_it_was_made_of() {
        for line in [
            "--cat sc --unroll 3 -- -DN=2 => holds executions=4",
            "--cat rc11,tso => violated,holds kind=race @17 warning=leak executions=1 up-to-renaming=2 blocked=3 notes=4 ...",
            "--cat rc11 => violated race @17",
        ] {
            let header = Header::parse(line, 1).expect("a header");
            assert_eq!(format!("{} => {}", header.command(), header.outcome()), line);
        }
        for bad in ["--cat sc", "--cat sc => good", "--cat sc => holds executions=many", "--cat sc => holds @x"] {
            assert!(Header::parse(bad, 1).is_err(), "{bad}");
        }
    }

    #[test]
    fn lines_of_programs_and_of_litmus_tests() {
        let text = "// hmc: a => holds\nint x;\n  // hmc: not => holds\n(* hmc: b => Never *)\n";
        let found: Vec<_> = lines(text).map(|(n, at)| (n, text[at].trim())).collect();
        assert_eq!(found, [(1, "a => holds"), (4, "b => Never")]);
    }

    #[test]
    fn what_differs_is_said_and_blessed() {
        let sources = Sources::default();
        let mut result = crate::report::sample::violated();
        result.model = "rc11".into();
        let check = |line: &str| {
            Header::parse(line, 1).expect("a header").differences(std::slice::from_ref(&result), &sources).join("; ")
        };
        assert_eq!(check("=> violated"), "");
        assert!(check("=> holds").starts_with("expected holds under rc11, found violated"));
        assert!(check("=> violated leak").starts_with("expected a finding of kind leak"));
        assert!(check("=> violated @99").starts_with("expected it in line 99, found line"));
        assert!(check("=> violated executions=7").starts_with("expected 7 executions under rc11, found 2"));
        assert!(check("=> violated,holds").starts_with("2 verdicts for 1 models"));
        let old = Header::parse("=> holds executions=7", 1).expect("a header");
        assert_eq!(old.blessed(std::slice::from_ref(&result)).outcome(), "violated executions=2");
        let new = Header::parse("=>", 1).expect("a header").blessed(std::slice::from_ref(&result));
        assert!(new.outcome().starts_with("violated assertion @"), "{}", new.outcome());
    }
}
