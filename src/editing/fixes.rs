//! Help lines as changes of the text: where a help line names what to write, an editor can write it.

use super::Problem;
use crate::cat::diagnostics::{forgotten_rec, inverse_without_caret};
use std::ops::Range;

const INVERSE: &str = inverse_without_caret::KIND.code;
const RECURSIVE: &str = forgotten_rec::KIND.code;

/// A change that a help line names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// As a menu shows it.
    pub title: String,
    /// The bytes that change; empty: something is put in.
    pub bytes: Range<usize>,
    /// What stands there then.
    pub text: String,
}

/// The changes that the help line of a problem in this text names.
pub fn of(problem: &Problem, text: &str) -> Vec<Fix> {
    let Some(old) = text.get(problem.bytes.clone()).filter(|_| problem.source.is_some()) else { return Vec::new() };
    let help = problem.help.as_str();
    let replaced = |new: &str| Fix {
        title: format!("Replace `{}` by `{new}`", shortened(old)),
        bytes: problem.bytes.clone(),
        text: new.to_owned(),
    };
    let mut fixes = Vec::new();
    if let Some(word) = help.strip_prefix("is `").and_then(|rest| rest.split_once("` meant?")).map(|(word, _)| word) {
        // A file is named in quotes, which are part of its place.
        let is_quoted = old.starts_with('"') && old.ends_with('"') && old.len() > 1;
        fixes.push(if is_quoted { replaced(&format!("\"{word}\"")) } else { replaced(word) });
    }
    if let Some(file) = quoted(help, "`include \"", "\"`") {
        let line = format!("include \"{file}\"");
        let at = first_instruction(text);
        fixes.push(Fix { title: format!("Put in `{line}`"), bytes: at..at, text: format!("{line}\n") });
    }
    match problem.code.as_str() {
        INVERSE => fixes.extend(quoted(help, "write `", "`").map(replaced)),
        RECURSIVE => fixes.extend(with_rec(text, problem.bytes.start)),
        _ => {}
    }
    fixes
}

fn quoted<'t>(text: &'t str, before: &str, behind: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(behind).map(|(word, _)| word)
}

fn shortened(text: &str) -> String {
    let first = text.lines().next().unwrap_or("");
    if first.chars().count() > 40 || first.len() < text.len() {
        format!("{}…", first.chars().take(40).collect::<String>())
    } else {
        first.to_owned()
    }
}

/// Where the first instruction of a model begins: an include may stand in front of it.
fn first_instruction(text: &str) -> usize {
    const WORDS: [&str; 12] = [
        "let",
        "include",
        "acyclic",
        "irreflexive",
        "empty",
        "show",
        "flag",
        "procedure",
        "call",
        "enum",
        "with",
        "forall",
    ];
    let mut start = 0;
    let mut depth = 0_usize;
    for line in text.split_inclusive('\n') {
        let word = line.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
        if depth == 0 && WORDS.contains(&word) {
            return start;
        }
        depth = (depth + line.matches("(*").count()).saturating_sub(line.matches("*)").count());
        start += line.len();
    }
    start
}

/// `rec` behind the `let` of the definition that a place is in.
fn with_rec(text: &str, at: usize) -> Option<Fix> {
    let is_word = |start: usize| {
        let before = text[..start].chars().next_back().is_none_or(char::is_whitespace);
        before && text[start + 3..].starts_with(char::is_whitespace)
    };
    let start = text.get(..at)?.rmatch_indices("let").map(|(start, _)| start).find(|&start| is_word(start))?;
    Some(Fix { title: "Make it `let rec`".to_owned(), bytes: start + 3..start + 3, text: " rec".to_owned() })
}
