//! What `hmc compiled` says, for people.

use super::{Answer, Blame, Compiled, Level};
use crate::report::drawn::columns::{self, Shown};
use crate::report::fit::fit;
use crate::report::human;
use crate::report::style::Style;
use crate::verdict::Sources;
use std::collections::BTreeSet;

/// Most outcomes that are listed.
const MOST: usize = 16;
/// Most lines of a change that are shown; JSON has all.
const CHANGED: usize = 40;

/// A file at all its levels.
pub fn text(compiled: &Compiled, sources: &Sources, style: Style) -> String {
    let mut out = String::new();
    let Compiled { file, model, .. } = compiled;
    if let Some(finding) = &compiled.undefined {
        out += &human::finding(finding, None, sources, style);
        out += &format!(
            "\n{} under {model}: {}: the source has undefined behaviour, so a compiler may do anything\n",
            style.bold(file),
            style.doubtful(compiled.answer.word()),
        );
        return fit(&out, style);
    }
    for level in &compiled.levels {
        out += &self::level(compiled, level, sources, style);
    }
    out += &same_pass(&compiled.levels);
    if compiled.levels.is_empty() && compiled.answer != Answer::Error {
        out += &format!("{} under {model}: {}\n", style.bold(file), style.doubtful(compiled.answer.word()));
    }
    fit(&out, style)
}

fn level(compiled: &Compiled, level: &Level, sources: &Sources, style: Style) -> String {
    let word = level.answer.word();
    let word = match level.answer {
        Answer::Holds => style.good(word),
        Answer::Violated | Answer::Error => style.bad(word),
        _ => style.doubtful(word),
    };
    let n = compiled.outcomes.len();
    let s = if n == 1 { "" } else { "s" };
    let mut out = format!(
        "{} at {} under {}: {word}: {}, {} of them not in the source ({n} outcome{s})\n",
        style.bold(&compiled.file),
        level.name,
        compiled.model,
        outcomes(level.outcomes.len()),
        level.new_outcomes.len(),
    );
    if !level.new_outcomes.is_empty() {
        let all = compiled.outcomes.iter().chain(&level.outcomes);
        let varying = Varying::of(all.map(String::as_str));
        out += &list("source:", &compiled.outcomes, &varying);
        out += &list(&format!("{} only:", level.name), &level.new_outcomes, &varying);
    }
    for finding in &level.new_findings {
        out += &human::finding(finding, Some(compiled.source), sources, style);
    }
    if let Some(blame) = &level.blame {
        out += &self::blame(blame, style);
    }
    // A finding has an execution of its own.
    if let (Some(picture), true) = (&level.execution, level.new_findings.is_empty()) {
        out += &format!(
            "  an execution at {} that the source has not, {}:\n\n",
            level.name,
            columns::order_text(picture.order)
        );
        out += &columns::table(picture, Shown::default(), style);
    }
    if !level.load_buffering.is_empty() {
        let n = level.load_buffering.len();
        let (are, which) = if n == 1 { ("is", "it") } else { ("are", "them") };
        out += &format!(
            "  note: {} {are} load buffering: the source's model forbids {which} to keep values from coming out of thin air, and C11 allows {which}\n",
            outcomes(n)
        );
        let all = compiled.outcomes.iter().chain(&level.outcomes);
        out += &list("load buffering:", &level.load_buffering, &Varying::of(all.map(String::as_str)));
    }
    if level.fewer > 0 {
        out += &format!(
            "  note: {} of the source cannot happen any more; a compiler may do that\n",
            outcomes(level.fewer)
        );
    }
    out
}

fn outcomes(n: usize) -> String {
    format!("{n} outcome{}", if n == 1 { "" } else { "s" })
}

fn blame(blame: &Blame, style: Style) -> String {
    let Blame { pass, on, number, of, .. } = blame;
    let mut out = format!("  first wrong behind {} on {on} (pass {number} of {of})", style.bold(pass));
    if blame.changes.is_empty() {
        return out + "\n";
    }
    out += ", which changes\n\n";
    let lines: Vec<&str> = blame.changes.lines().collect();
    for line in lines.iter().take(CHANGED) {
        out += &format!("    {line}\n");
    }
    if lines.len() > CHANGED {
        out += &format!("    … {} more lines; --json has all\n", lines.len() - CHANGED);
    }
    out.push('\n');
    out
}

/// Says of several levels that one pass is to blame for all.
fn same_pass(levels: &[Level]) -> String {
    let blamed: Vec<(&str, &str)> =
        levels.iter().filter_map(|level| Some((level.name.as_str(), level.blame.as_ref()?.pass.as_str()))).collect();
    match blamed[..] {
        [(_, first), _, ..] if blamed.iter().all(|(_, pass)| *pass == first) => {
            let names: Vec<&str> = blamed.iter().map(|(name, _)| *name).collect();
            format!("{first} is to blame at {}\n", names.join(", "))
        }
        _ => String::new(),
    }
}

/// The values that are not the same in all outcomes.
struct Varying<'o>(BTreeSet<&'o str>);

fn values(outcome: &str) -> impl Iterator<Item = (&str, &str)> {
    outcome.split_terminator(';').filter_map(|value| value.trim_start().split_once('='))
}

impl<'o> Varying<'o> {
    fn of(outcomes: impl Iterator<Item = &'o str> + Clone) -> Varying<'o> {
        let all: Vec<Vec<(&str, &str)>> = outcomes.map(|outcome| values(outcome).collect()).collect();
        let first = all.first().cloned().unwrap_or_default();
        let is_same = |value: &(&str, &str)| all.iter().all(|outcome| outcome.contains(value));
        let fixed: BTreeSet<&str> = first.iter().filter(|value| is_same(value)).map(|(name, _)| *name).collect();
        let names = all.iter().flatten().map(|(name, _)| *name);
        Varying(names.filter(|name| !fixed.contains(name)).collect())
    }

    fn shown(&self, outcome: &str) -> String {
        let varying = values(outcome).filter(|(name, _)| self.0.contains(name));
        varying.map(|(name, value)| format!("{name}={value};")).collect::<Vec<_>>().join(" ")
    }
}

fn list(title: &str, outcomes: &[String], varying: &Varying<'_>) -> String {
    let mut out = format!("  {title}\n");
    for outcome in outcomes.iter().take(MOST) {
        out += &format!("    {}\n", varying.shown(outcome));
    }
    if outcomes.len() > MOST {
        out += &format!("    … {} more; --json has all\n", outcomes.len() - MOST);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::Varying;

    #[test]
    fn values_that_are_always_the_same_are_left_out() {
        let outcomes = ["a=1; b=2; c=0;", "a=1; b=3;"];
        let varying = Varying::of(outcomes.into_iter());
        assert_eq!(varying.shown(outcomes[0]), "b=2; c=0;");
        assert_eq!(varying.shown(outcomes[1]), "b=3;");
    }
}
