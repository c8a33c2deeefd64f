//! Files of recorded results: tables (`expected.tsv`), logs of herd and litmus, and hmc's own JSON reports.

use super::{Expectations, Expected, Record, state};
use crate::litmus::error::nearest;
use crate::verdict::result::{FileResult, Verdict};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;

/// Why a file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// From 1; 0 when it is about the whole file.
    pub line: u32,
    /// One sentence.
    pub message: String,
}

/// Reads a file of any of the forms, which its text tells apart. `path` is where it stands: a table names tests relative to that.
pub fn read(path: &Path, text: &str) -> Result<Expectations, Problem> {
    let records = if text.trim_start().starts_with('{') {
        report(text)?
    } else if text.lines().next().is_some_and(|line| line.split('\t').next() == Some("test")) {
        table(path, text)?
    } else if text.lines().any(|line| line.starts_with("Test ") || is_of_hmc(line)) {
        log(text)
    } else {
        let message = "neither a table (first line `test<TAB>…`), nor a log (`Test …`), nor a JSON report".to_owned();
        return Err(Problem { line: 0, message });
    };
    Ok(Expectations::new(path.display().to_string(), records))
}

fn report(text: &str) -> Result<Vec<Record>, Problem> {
    #[derive(Deserialize)]
    struct Results {
        results: Vec<FileResult>,
    }
    let report: Results = serde_json::from_str(text)
        .map_err(|e| Problem { line: e.line() as u32, message: format!("not a report of hmc: {e}") })?;
    Ok(report.results.into_iter().map(of_result).collect())
}

fn of_result(result: FileResult) -> Record {
    let flag = |f: &crate::verdict::result::Flag| if f.undefined { "*undef*".to_owned() } else { f.name.clone() };
    let whole = !result.partial && !matches!(result.verdict, Verdict::Error | Verdict::Unsupported);
    // Only a litmus test has a kind; of one that could not be read nothing is recorded.
    let decided = matches!(result.verdict, Verdict::Holds | Verdict::Violated) && result.kind.is_none();
    let expected = Expected {
        verdict: decided.then(|| result.verdict.word().to_owned()),
        condition: result.condition.clone(),
        kind: result.kind.clone(),
        observation: result.observation.clone(),
        counts: result.positive.zip(result.negative).filter(|_| whole),
        flags: whole.then(|| result.flags.iter().map(flag).collect()),
        states: result.lists_states().then(|| result.states.iter().map(|s| state(s)).collect()),
        ..Expected::default()
    };
    Record {
        file: Some(result.file.clone().into()),
        model: Some(result.model.clone()),
        expected,
        result: Some(Box::new(result)),
        ..Record::default()
    }
}

/// A table: the first line names the columns, of which only `test` must be there.
fn table(path: &Path, text: &str) -> Result<Vec<Record>, Problem> {
    let directory = path.parent().unwrap_or(Path::new(""));
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    const COLUMNS: [&str; 11] = [
        "test",
        "model",
        "verdict",
        "kind",
        "observation",
        "positive",
        "negative",
        "flags",
        "nstates",
        "states",
        "seconds",
    ];
    for column in columns.iter().filter(|column| !COLUMNS.contains(column)) {
        // Other columns are somebody's own.
        if let Some(meant) = nearest(column, COLUMNS) {
            return Err(Problem { line: 1, message: format!("there is no column `{column}`: is `{meant}` meant?") });
        }
    }
    let mut records = Vec::new();
    for (i, line) in lines.enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let fields: Vec<&str> = line.split('\t').collect();
        let field = |name: &str| columns.iter().position(|c| *c == name).and_then(|i| fields.get(i)).copied();
        let number = |name: &str| match field(name).map(str::parse::<u64>) {
            None => Ok(None),
            Some(Ok(n)) => Ok(Some(n)),
            Some(Err(_)) => Err(Problem { line: i as u32 + 2, message: format!("`{name}` is not a number") }),
        };
        let test = field("test").unwrap_or_default();
        let counts = number("positive")?.zip(number("negative")?);
        let states =
            field("states").map(|s| s.split('|').map(state).filter(|s| !s.is_empty()).collect::<BTreeSet<_>>());
        let count = number("nstates")?;
        if let (Some(states), Some(n)) = (&states, count)
            && (states.len() as u64) > n
        {
            return Err(Problem { line: i as u32 + 2, message: format!("{} states where {n} are told", states.len()) });
        }
        let flags = field("flags").map(|f| f.split(',').filter(|f| !f.is_empty()).map(str::to_owned).collect());
        let verdict = field("verdict").map(bare_verdict);
        let (of_program, of_test) =
            verdict.into_iter().partition(|word| ["holds", "violated"].contains(&word.as_str()));
        let [verdict, condition] = [of_program, of_test].map(|words: Vec<String>| words.into_iter().next());
        let expected = Expected {
            verdict,
            condition,
            kind: field("kind").map(str::to_owned),
            observation: field("observation").map(str::to_owned),
            counts,
            flags,
            states: states.filter(|s| !s.is_empty() || count == Some(0)),
            ..Expected::default()
        };
        records.push(Record { file: Some(directory.join(test)), expected, ..Record::default() });
    }
    Ok(records)
}

fn bare_verdict(word: &str) -> String {
    word.strip_prefix("Loop ").unwrap_or(word).to_owned()
}

/// What hmc says in a log about a test without an answer.
fn is_of_hmc(line: &str) -> bool {
    line.contains(" under ") && [": bounded", ": unsupported"].iter().any(|verdict| line.contains(verdict))
}

/// A log of herd, of litmus (whose states have counts), or of hmc. A block without a verdict is not an answer and is left out; so is the last line
/// when it has no end, because the run that wrote it may have been ended there.
fn log(text: &str) -> Vec<Record> {
    let text = text.rfind('\n').map_or("", |end| &text[..=end]);
    let mut records = Vec::new();
    let mut block: Vec<&str> = Vec::new();
    let mut close = |block: &mut Vec<&str>| {
        records.extend(of_block(block));
        block.clear();
    };
    for line in text.lines() {
        if line.starts_with("Test ") {
            close(&mut block);
        }
        block.push(line.trim_end());
    }
    close(&mut block);
    records
}

fn of_block(lines: &[&str]) -> Option<Record> {
    let mut head = lines.first()?.strip_prefix("Test ")?.split_whitespace();
    let (name, kind) = (head.next()?, head.next());
    if lines.iter().any(|line| line.starts_with("Fatal")) {
        return None;
    }
    let at = lines.iter().position(|l| l.starts_with("States ") || l.starts_with("Histogram ("))?;
    let hardware = lines[at].starts_with('H');
    let count: usize = lines[at].split(|c: char| !c.is_ascii_digit()).find(|w| !w.is_empty())?.parse().ok()?;
    let states = lines.get(at + 1..(at + 1).checked_add(count)?)?;
    let rest = &lines[at + 1 + count..];
    let without_count = |line: &str| line.split_once('>').map_or_else(|| state(line), |(_, s)| state(s));
    let verdict = rest.first().map(|line| bare_verdict(line))?;
    let mut record = Record { name: Some(name.to_owned()), ..Record::default() };
    record.hash = lines.iter().find_map(|l| l.strip_prefix("Hash=")).map(str::to_owned);
    let is_concluded = rest.iter().any(|l| l.starts_with("Observation ") || l.starts_with("Decided "));
    // Where a run went on in the middle of a line, two blocks look like one.
    let is_one = lines.iter().filter(|l| l.starts_with("States ") || l.starts_with("Histogram (")).count() == 1;
    record.is_cut = record.hash.is_none() || !is_concluded || !is_one;
    record.expected.kind = kind.map(str::to_owned);
    record.expected.observed_on_hardware = hardware;
    let decided = rest.iter().any(|l| l.starts_with("Decided "));
    let seen: BTreeSet<String> = states.iter().map(|l| if hardware { without_count(l) } else { state(l) }).collect();
    if hardware {
        record.expected.kind = None;
        record.expected.states = Some(seen);
        return Some(record);
    }
    if !matches!(verdict.as_str(), "Ok" | "No" | "Undef") {
        return None;
    }
    record.expected.condition = Some(verdict);
    if !decided && is_concluded {
        let observation = rest.iter().find_map(|l| l.strip_prefix("Observation "));
        let mut words = observation.unwrap_or_default().split_whitespace().skip(1);
        record.expected.observation = words.next().map(str::to_owned);
        let mut number = || words.next().and_then(|w| w.parse().ok());
        record.expected.counts = number().zip(number());
        let flags = rest.iter().filter_map(|l| l.strip_prefix("Flag "));
        record.expected.flags = Some(flags.map(|f| f.split(':').next().unwrap_or(f).trim().to_owned()).collect());
        // No states with executions: a log that answers conditions only.
        let unlisted = count == 0 && record.expected.counts.is_some_and(|c| c != (0, 0));
        record.expected.states = (!unlisted).then_some(seen);
    }
    Some(record)
}
