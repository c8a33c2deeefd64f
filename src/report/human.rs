//! The report for people.

use super::coverage;
use super::drawn::calls;
use super::drawn::columns::{self, Shown};
use super::drawn::past;
use super::drawn::snippet;
use super::fit::fit;
use super::listing;
use super::style::Style;
use super::unexpected;
use crate::verdict::picture::{Edge, RowOrder};
use crate::verdict::reasons::orders::Orders;
use crate::verdict::result::Explanation;
use crate::verdict::{Explored, FileResult, Finding, Message, Sources, Verdict};
use std::collections::BTreeMap;

/// All results, and a table of verdicts when there are several models.
pub fn report(results: &[FileResult], sources: &Sources, style: Style) -> String {
    let mut out: String = results.iter().map(|r| result(r, sources, style)).collect();
    out += &comparison(results, style);
    out
}

/// One result, with the messages about it.
pub fn result(result: &FileResult, sources: &Sources, style: Style) -> String {
    messages(&result.messages, style) + &body(result, sources, style)
}

/// The widest that a line of source is shown below an execution.
const SOURCE: usize = 72;

/// So many messages with one code are shown at once: a file that is no model at all has one for each of its words.
const SHOWN: usize = 20;

/// What is to be said about the input. Of messages with one code the first are shown, and how many more there are.
pub fn messages(messages: &[Message], style: Style) -> String {
    let mut out = String::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for each in messages {
        let count = counts.entry(&each.code).or_default();
        *count += 1;
        if *count <= SHOWN {
            out += &message(each, style);
        }
    }
    for (code, count) in counts.into_iter().filter(|&(_, count)| count > SHOWN) {
        out += &format!("{} more messages with the code {code} are not shown\n", count - SHOWN);
    }
    fit(&out, style)
}

/// One result, without the messages about it. Nothing for an input that could not be read.
pub fn body(result: &FileResult, sources: &Sources, style: Style) -> String {
    let mut out = String::new();
    if result.verdict == Verdict::Error {
        return out;
    }
    if let Some(finding) = &result.violation {
        out += &self::finding(finding, result.unoptimised, sources, style);
    }
    for finding in &result.more_violations {
        out.push('\n');
        out += &self::finding(finding, result.unoptimised, sources, style);
    }
    if let Some(client) = &result.client {
        out += "\n  a client that shows it by itself:\n\n";
        client.lines().for_each(|line| out += &format!("    {line}\n"));
    }
    if result.violation.is_some() {
        out.push('\n');
    }
    out += &format!(
        "{} under {}: {}, {}, {:.2} s\n",
        style.bold(&result.file),
        result.model,
        verdict(result, style),
        counts(result),
        result.seconds
    );
    if let Some(estimate) = &result.estimate {
        out += &format!("  {}; {}\n", estimate.shown(), fewer(result));
    }
    if let Some(explored) = &result.explored {
        out += &statistics(explored);
    }
    if result.kind.is_none() && !result.states.is_empty() {
        out += &match result.crash {
            Some(crash) if crash.is_listed => after_crash(&result.states),
            _ => outcomes(&result.states),
        };
    }
    if let Some(verdict) = result.unoptimised {
        out += &unoptimised(verdict);
    }
    if let Some(picture) = &result.witness {
        out += &format!("  {}:\n\n", columns::witness_text(picture.order));
        out += &columns::table(picture, Shown::default(), style);
    }
    if let Some(explanation) = &result.explanation {
        out += &self::explanation(explanation, style);
    }
    out += &listing::text(result, style);
    for flag in &result.flags {
        let what = if flag.undefined { "undefined behaviour" } else { "flag" };
        let events = match &flag.events[..] {
            [] => String::new(),
            events => format!(": {}", events.join("; ")),
        };
        // Of litmus tests flags may count; of programs only races and undefined behaviour do, and these are findings.
        let weight = match result.kind.is_none() && !flag.undefined && result.violation.is_none() {
            true => ": a remark of the model, which makes no violation",
            false => "",
        };
        out += &format!("  {what} {} in {}{events}{weight}\n", flag.name, executions(flag.executions));
    }
    for warning in &result.warnings {
        let place = warning.place.as_ref().map(|p| format!("{}:{}: ", p.file, p.line)).unwrap_or_default();
        out += &format!("  {}: {place}{}\n", style.doubtful("warning"), warning.message);
    }
    for note in &result.notes {
        out += &format!("  note: {note}\n");
    }
    if let Some(coverage) = &result.coverage {
        out += &coverage::text(coverage);
    }
    fit(&out, style)
}

/// A result in one line; nothing of one that is as it should be.
pub fn brief(result: &FileResult) -> String {
    let why = match (&result.violation, result.verdict) {
        (_, Verdict::Holds) => return String::new(),
        (Some(finding), _) => {
            let place = finding.place.as_ref().map(|p| format!("{}:{}: ", p.file, p.line)).unwrap_or_default();
            format!(": {place}{}: {}", finding.kind, finding.message)
        }
        (None, Verdict::Violated) => format!(": {}", unexpected(result)),
        (None, _) => result.notes.first().map(|note| format!(": {note}")).unwrap_or_default(),
    };
    format!("{} under {}: {}{why}\n", result.file, result.model, result.verdict.word())
}

/// What there is to note about a result, by itself.
pub fn notes(result: &FileResult) -> String {
    let note = |note: &String| format!("{} under {}: note: {note}\n", result.file, result.model);
    result.notes.iter().map(note).collect()
}

fn verdict(result: &FileResult, style: Style) -> String {
    let word = result.verdict.word();
    let word = match result.verdict {
        Verdict::Holds => style.good(word),
        Verdict::Bounded | Verdict::Unsupported => style.doubtful(word),
        Verdict::Violated | Verdict::Error => style.bad(word),
    };
    match (&result.observation, result.positive, result.negative) {
        (Some(observation), Some(positive), Some(negative)) => {
            format!("{word} ({observation}: {positive} positive, {negative} negative)")
        }
        _ => match &result.condition {
            Some(condition) => format!("{word} (condition {condition}, decided by one execution)"),
            None => word,
        },
    }
}

fn executions(n: u64) -> String {
    format!("{} execution{}", counted(n), if n == 1 { "" } else { "s" })
}

/// A count of executions, which may be too large to be known.
fn counted(n: u64) -> String {
    if n == u64::MAX { "more than 1.8e19".to_owned() } else { n.to_string() }
}

/// What was explored.
fn statistics(explored: &Explored) -> String {
    format!(
        "  explored: {} complete; blocked: {} by locks, {} by assumptions, {} by spinning\n  events: {} added, {} of them rejected by the model in {:.2} s\n  revisits: {} made of {} tried\n",
        explored.complete,
        explored.blocked_by_lock,
        explored.blocked_by_assumption,
        explored.blocked_by_spin,
        explored.events,
        explored.inconsistent,
        explored.model_seconds,
        explored.revisits_made,
        explored.revisits_tried,
    )
}

/// What the optimiser has to do with what was found.
fn unoptimised(verdict: Verdict) -> String {
    let what = match verdict {
        Verdict::Holds => "the program holds: the compiler makes the difference (`hmc compiled` names the pass)",
        Verdict::Violated => "the program is violated, too: the source is to blame",
        Verdict::Bounded => "nothing was found, but not everything was looked at",
        Verdict::Unsupported | Verdict::Error => "the program cannot be checked",
    };
    format!("  without optimisation (-O0) {what}\n")
}

/// What makes an exploration smaller.
fn fewer(result: &FileResult) -> &'static str {
    match result.kind.is_some() {
        true => "`--condition-only` ends at the first execution that decides the condition; a smaller test has fewer",
        false => "fewer threads or rounds, `--unroll N`, `--equivalence rf` and `--symmetry on` may make them fewer",
    }
}

/// The values that a program ends with.
fn outcomes(states: &[String]) -> String {
    let s = if states.len() == 1 { "" } else { "s" };
    let lines: String = states.iter().map(|state| format!("    {state}\n")).collect();
    format!("  {} outcome{s}:\n{lines}", states.len())
}

/// What the recovery found, as long as that is a list that people read.
fn after_crash(states: &[String]) -> String {
    const MOST: usize = 16;
    let lines: String = states.iter().take(MOST).map(|state| format!("    {state}\n")).collect();
    let more = states.len().saturating_sub(MOST);
    let rest = if more > 0 { format!("    … {more} more (`--format json` has all)\n") } else { String::new() };
    format!("  after a crash:\n{lines}{rest}")
}

fn counts(result: &FileResult) -> String {
    let counted = &result.executions;
    let duplicate = counted.duplicate.map(|n| format!(", {n} duplicate")).unwrap_or_default();
    let renamed = counted.up_to_renaming.map(|n| format!(" ({n} up to renaming of threads)")).unwrap_or_default();
    format!("{}{renamed}, {} blocked{duplicate}", executions(counted.complete), counted.blocked)
}

fn message(message: &Message, style: Style) -> String {
    if !message.rendered.is_empty() {
        return format!("{}\n", message.rendered.trim_end());
    }
    let place = message.place.as_ref().map(|p| match (p.line, p.column) {
        (0, _) => format!("{}: ", p.file),
        (line, 0) => format!("{}:{line}: ", p.file),
        (line, column) => format!("{}:{line}:{column}: ", p.file),
    });
    let help = message.help.as_ref().map(|h| format!("  help: {h}\n")).unwrap_or_default();
    format!("{}{}: {}\n{help}", place.unwrap_or_default(), style.bad(&message.code), message.message)
}

/// A finding. `unoptimised`: what is said of the program without optimisation.
pub fn finding(finding: &Finding, unoptimised: Option<Verdict>, sources: &Sources, style: Style) -> String {
    let mut out = snippet::draw(finding, sources, style);
    if out.is_empty() {
        let place = finding.place.as_ref().map(|p| format!("{}:{}: ", p.file, p.line)).unwrap_or_default();
        out = format!("{place}{}: {}\n", style.bad(&finding.kind), finding.message);
    }
    out += &calls::notes(finding, style.width);
    if !finding.execution.events.is_empty() {
        let picture = &finding.execution;
        let file = columns::only_file(picture).map(|f| format!("; lines of {f}")).unwrap_or_default();
        out += &format!("\n  {}{file}:\n\n", columns::order_text(picture.order));
        let missing = finding.orders.iter().flat_map(|o| &o.missing).flat_map(|&(a, b)| [a, b]);
        let named = finding.notes.iter().flat_map(|note| past::named(note));
        let keep: Vec<u32> = finding.events.iter().copied().chain(missing).chain(named).collect();
        let past = past::of(finding);
        let shown = Shown { keep: &keep, past: past.as_deref() };
        let trace = if style.trace { columns::trace(picture, shown, style) } else { None };
        out += &trace.unwrap_or_else(|| columns::table(picture, shown, style));
    }
    match &finding.orders {
        Some(orders) => out += &lacking(orders, finding, style),
        // Whether an order or the compiler is to blame is not known then.
        None if unoptimised == Some(Verdict::Holds) => {}
        None if needs_no_weak_model(finding) => {
            out += "\n  sequential consistency allows this execution, too: fences and stronger memory orders do not remove it\n";
        }
        None => {}
    }
    out
}

/// Whether an interleaving shows what is wrong, and not what a model says about it.
fn needs_no_weak_model(finding: &Finding) -> bool {
    let shown = ["assertion", "liveness", "exit-code", "arithmetic", "overflow"].contains(&finding.kind.as_str());
    shown && !finding.execution.events.is_empty() && finding.execution.order == RowOrder::Interleaving
}

/// The lines that are in the wrong order.
pub(super) fn lacking(orders: &Orders, finding: &Finding, style: Style) -> String {
    let mut out = String::new();
    if !orders.missing.is_empty() {
        let headline = match orders.cycle.is_empty() {
            true => "what would order the two accesses is not kept in order by the model:",
            false => "the model does not keep these lines in order:",
        };
        out += &format!("\n  {}\n", style.bold(headline));
        for &(first, second) in &orders.missing {
            for (word, row) in [("", first), ("before ", second)] {
                let Some(event) = finding.execution.events.get(row as usize) else { continue };
                let thread = finding.execution.threads.get(event.thread as usize).map_or("", |t| &t.name);
                let place = event.place.as_ref().map(|p| format!("{}:{}", p.file, p.line)).unwrap_or_default();
                let thread = if word.is_empty() { thread } else { "" };
                let line = format!("    {thread:<4} {word:7}e{row:<3} {place}  ");
                let room = style.width.saturating_sub(line.chars().count());
                let room = if style.width == 0 { SOURCE } else { SOURCE.min(room) };
                out += &format!("{line}{}\n", columns::shorten(&event.source, room));
            }
        }
        let effect = match orders.cycle.is_empty() {
            true => "the accesses do not race",
            false => "the model forbids this execution",
        };
        let fences =
            if orders.missing.len() == 1 { "a full fence between them" } else { "a full fence between each two" };
        out += &format!("  with {fences} {effect} (checked)\n");
    }
    if !orders.cycle.is_empty() {
        let cycle = columns::cycle(&orders.cycle);
        out += &format!("  no interleaving has the cycle {cycle}\n");
        out += &format!("    ({})\n", legend(&cycle));
    }
    out
}

/// What the steps of a cycle mean, for readers who do not know the field's names.
fn legend(cycle: &str) -> String {
    const STEPS: [(&str, &str); 4] = [
        ("po", "comes before in its thread"),
        ("rf", "is read by"),
        ("co", "is overwritten by"),
        ("fr", "reads what was there before"),
    ];
    let used = STEPS.iter().filter(|(name, _)| cycle.contains(&format!("–{name}→")));
    used.map(|(name, meaning)| format!("{name}: {meaning}")).collect::<Vec<_>>().join("; ")
}

/// Why no execution satisfies a condition; the first candidate is shown in full.
pub fn explanation(explanation: &Explanation, style: Style) -> String {
    let n = explanation.candidates;
    let s = if n == 1 { "" } else { "s" };
    let mut out = match (n, explanation.of_program) {
        (0, false) if !explanation.all_seen => {
            "  no candidate execution that was looked at satisfies the condition\n".to_owned()
        }
        (0, false) => "  no candidate execution satisfies the condition, whatever the model\n".to_owned(),
        (0, true) => {
            "  no candidate execution ends in an error, waits for ever or is flagged as a race, consistent or not\n"
                .to_owned()
        }
        (_, false) => {
            let word = if n == 1 { "satisfies" } else { "satisfy" };
            format!("  {n} candidate execution{s} {word} the condition; the model rejects\n")
        }
        (_, true) => {
            let word = if n == 1 { "ends" } else { "end" };
            format!("  {n} candidate execution{s} {word} in an error, a wait for ever or a race; the model rejects\n")
        }
    };
    for rejection in &explanation.rejections {
        let axiom = style.bold(&rejection.axiom);
        let fails = match &rejection.unexplained {
            Some(why) => format!("no cycle can be shown, since {why}"),
            None => columns::cycle(&rejection.cycle),
        };
        out += &format!("    {} by {axiom}: {fails}\n", rejection.candidates);
        let shown = Shown { keep: &cycle_rows(&rejection.cycle), past: None };
        out += &columns::table(&rejection.execution, shown, style);
    }
    let left_out = explanation.kinds.saturating_sub(explanation.rejections.len() as u64);
    if left_out > 0 {
        out += &format!("  (and in {left_out} other ways, with cycles that are as long or longer)\n");
    }
    if explanation.unconfirmed > 0 {
        out += "  (a cycle that the reference evaluator does not confirm is not shown; this is an error in hmc)\n";
    }
    if !explanation.all_seen {
        let why = explanation.ended.as_deref().unwrap_or("a bound was reached");
        out += &format!("  (not all candidates were looked at, only {}: {why})\n", explanation.looked_at);
    }
    out
}

fn cycle_rows(cycle: &[Edge]) -> Vec<u32> {
    cycle.iter().flat_map(|e| [e.from, e.to]).collect()
}

/// Files against models, when there are several models.
pub fn comparison(results: &[FileResult], style: Style) -> String {
    let first = results.first().map(|r| &r.model);
    match results.iter().any(|r| Some(&r.model) != first) {
        true => format!("\n{}", table(results, style)),
        false => String::new(),
    }
}

/// Files against models; nothing when there are no results.
pub fn table(results: &[FileResult], style: Style) -> String {
    if results.is_empty() {
        return String::new();
    }
    let distinct = |key: &dyn Fn(&FileResult) -> String| {
        let mut seen: Vec<String> = Vec::new();
        for result in results {
            if !seen.contains(&key(result)) {
                seen.push(key(result));
            }
        }
        seen
    };
    let models = distinct(&|r| r.model.clone());
    let files = distinct(&|r| r.file.clone());
    let wide = files.iter().map(|f| f.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = models.iter().map(|m| m.chars().count().max(24)).collect();
    let mut out = " ".repeat(wide);
    for (model, width) in models.iter().zip(&widths) {
        out += &style.bold(&format!("  {model:width$}"));
    }
    out = out.trim_end().to_owned() + "\n";
    for file in &files {
        let mut line = format!("{file:wide$}");
        for (model, width) in models.iter().zip(&widths) {
            let cell = results.iter().find(|r| r.file == *file && r.model == *model);
            let text = cell.map(|r| match (&r.observation, r.verdict) {
                (_, Verdict::Error) => "error".to_owned(),
                _ if r.skipped => "(answered before)".to_owned(),
                (Some(observation), _) => format!("{observation} {}", counted(r.executions.complete)),
                (None, v) => format!("{} {}", v.word(), counted(r.executions.complete)),
            });
            line += &format!("  {:width$}", text.unwrap_or_default());
        }
        out += line.trim_end();
        out.push('\n');
    }
    out + "(the number is that of the complete executions seen)\n"
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn a_violation_shows_threads_as_columns() {
        let text = report(&[sample::violated()], &sample::sources(), Style::default());
        for part in ["T1 writer", "T2 reader", "R[SC] y = 1 ← e1", "R x = 0 ← initial", "8     if (atomic_load(&y))"]
        {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
        assert!(text.contains("mp.c under weak: violated, 2 executions, 0 blocked, 0.25 s"), "{text}");
    }

    #[test]
    fn wide_pictures_become_lists() {
        let mut result = sample::violated();
        let picture = &mut result.violation.as_mut().expect("a finding").execution;
        for n in 0..40 {
            let mut thread = picture.threads[0].clone();
            thread.name = format!("T{}", n + 3);
            picture.threads.push(thread);
            let mut event = picture.events[0].clone();
            event.thread = n + 2;
            picture.events.push(event);
        }
        let text = report(&[result], &sample::sources(), Style::default());
        assert!(text.lines().all(|l| l.chars().count() < 160), "{text}");
    }

    #[test]
    fn several_models_make_a_table() {
        let mut other = sample::violated();
        other.model = "strong".into();
        other.verdict = Verdict::Holds;
        other.violation = None;
        let text = report(&[sample::violated(), other], &sample::sources(), Style::default());
        assert!(text.contains("violated 2") && text.contains("holds 2"), "{text}");
    }

    #[test]
    fn one_model_makes_a_table_when_it_is_asked_for() {
        assert!(table(&[sample::violated()], Style::default()).contains("violated 2"));
        assert_eq!(comparison(&[sample::violated()], Style::default()), "");
    }

    #[test]
    fn more_executions_than_can_be_counted() {
        let mut result = sample::violated();
        result.executions.complete = u64::MAX;
        assert!(body(&result, &sample::sources(), Style::default()).contains("violated, more than 1.8e19 executions,"));
        assert!(table(&[result], Style::default()).contains("violated more than 1.8e19"));
    }

    #[test]
    fn no_colour_unless_asked() {
        let results = [sample::violated(), sample::litmus(), sample::missing()];
        assert!(!report(&results, &sample::sources(), Style::default()).contains('\u{1b}'));
        assert!(report(&results, &sample::sources(), Style { color: true, ..Style::default() }).contains('\u{1b}'));
    }
}
