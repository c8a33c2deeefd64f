//! Robustness, as text.

use super::drawn::columns::{self, Shown};
use super::style::Style;
use crate::verdict::picture::place::Place;
use crate::verdict::result::Rejection;
use crate::verdict::robust::{Gap, Robustness};
use crate::verdict::{Sources, Verdict};

/// One file.
pub fn text(result: &Robustness, sources: &Sources, style: Style) -> String {
    if !result.messages.is_empty() {
        return String::new();
    }
    let (model, against) = (&result.model, &result.against);
    let verdict = match result.verdict {
        Verdict::Holds => style.good("robust"),
        Verdict::Violated => style.bad("not robust"),
        other => style.doubtful(other.word()),
    };
    let mut out = format!("{} under {model} against {against}: {verdict}\n", style.bold(&result.file));
    out += &format!("  executions: {} under {model}, {} under {against}", result.executions, result.executions_against);
    match result.forbidden {
        0 => out += "\n",
        n => out += &format!("; {n} that {against} forbids (with those that end in an error)\n"),
    }
    if let Some(found) = &result.witness {
        out += &witness(found, model, against, style);
    }
    if !result.fences.is_empty() {
        let n = result.fences.len();
        let what = if n == 1 { "one full fence makes it".to_owned() } else { format!("{n} full fences make it") };
        let how =
            if result.verified { "explored again with them: robust" } else { "not every execution was looked at" };
        out += &format!("\n  {what} robust ({how}):\n");
        for gap in &result.fences {
            out += &between(gap, sources);
        }
    }
    for note in &result.notes {
        out += &format!("  note: {note}\n");
    }
    out
}

/// An execution that one model allows and another forbids, with the axiom and the cycle.
pub fn witness(witness: &Rejection, allowing: &str, forbidding: &str, style: Style) -> String {
    let axiom = if witness.axiom.is_empty() { "an axiom" } else { &witness.axiom };
    let ends: Vec<u32> = witness.cycle.iter().flat_map(|e| [e.from, e.to]).collect();
    let fails = match &witness.unexplained {
        Some(why) => format!("no cycle can be shown, since {why}"),
        None => format!("cycle: {}", columns::cycle(&witness.cycle)),
    };
    format!(
        "\n  an execution that {allowing} allows and {forbidding} forbids by {}:\n\n{}  {fails}\n",
        style.bold(axiom),
        columns::table(&witness.execution, Shown { keep: &ends, past: None }, style),
    )
}

fn between(gap: &Gap, sources: &Sources) -> String {
    let line = |place: &Option<Place>| match place {
        Some(p) => {
            let text = sources.line(&p.file, p.line).unwrap_or_default();
            format!("{}:{}  {}", p.file, p.line, columns::shorten(text.trim(), 72))
        }
        None => "the start".to_owned(),
    };
    format!(
        "    in {} between  {}\n{}and  {}\n",
        gap.function,
        line(&gap.after),
        " ".repeat(gap.function.len() + 12),
        line(&gap.before)
    )
}
