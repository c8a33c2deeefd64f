//! What `hmc repair` and `hmc relax` found, as text and as JSON.

use crate::report::drawn::columns::shorten;
use crate::report::fit::fit;
use crate::report::style::Style;
use crate::tune::strength::Kind;
use crate::tune::{Change, Site, Tuned};
use crate::verdict::{Sources, Verdict};
use serde_json::{Value, json};

/// The widest that a line of source is shown.
const SOURCE: usize = 72;

/// What was found by `repair`.
pub fn repaired(tuned: &Tuned, sources: &Sources, style: Style) -> String {
    let mut out = head(tuned, style);
    match (&tuned.changes[..], tuned.today) {
        (_, Some(Verdict::Holds)) => {}
        ([], Some(Verdict::Violated)) if !tuned.forces.is_empty() => {
            let s = if tuned.forces.len() == 1 { "" } else { "s" };
            out += &format!(
                "  {} force{s} with which it holds, checked by a full run under {}:\n",
                tuned.forces.len(),
                tuned.models.join(", ")
            );
            for (name, place) in &tuned.forces {
                out += &format!("    {} behind {}:{}\n", style.good(name), place.file, place.line);
            }
        }
        ([], Some(Verdict::Violated)) => out += &format!("  {}\n", style.bad("no repair was found")),
        ([], _) => {}
        (found, _) => {
            let what = if tuned.with_fences { "memory orders and fences" } else { "memory orders" };
            let (n, s) = (found.len(), if found.len() == 1 { "" } else { "s" });
            out += &format!(
                "  {n} smallest repair{s} by {what}, each checked by a full run under {}:\n",
                tuned.models.join(", ")
            );
            for (number, set) in found.iter().enumerate() {
                for (i, change) in set.iter().enumerate() {
                    let number = if i == 0 { format!("{}.", number + 1) } else { String::new() };
                    out += &format!("  {number:>4} {}\n", described(change, style));
                    out += &source(&change.site, sources);
                }
            }
        }
    }
    fit(&(out + &tail(tuned)), style)
}

/// What was found by `relax`: a table.
pub fn relaxed(tuned: &Tuned, sources: &Sources, style: Style) -> String {
    let mut out = head(tuned, style);
    let mut rows: Vec<(&Site, String)> = Vec::new();
    for change in tuned.changes.iter().flatten() {
        rows.push((&change.site, style.good(change.site.name(change.to))));
    }
    rows.extend(tuned.kept.iter().map(|site| (site, "the same".to_owned())));
    rows.extend(tuned.unreached.iter().map(|site| (site, "not reached".to_owned())));
    rows.sort_by_key(|(site, _)| (site.place.clone(), site.kind));
    if tuned.today == Some(Verdict::Holds) && rows.is_empty() {
        out += "  there is no memory order or fence in it\n";
    } else if tuned.today == Some(Verdict::Holds) {
        let wide = rows.iter().map(|(site, _)| place(site).chars().count()).max().unwrap_or(0).max(5);
        out += &format!("  {:wide$}  {:25} {:9}  possible\n", "place", "access", "today");
        for (site, possible) in &rows {
            let today = site.name(site.today);
            out += &format!("  {:wide$}  {:25} {today:9}  {possible}\n", place(site), site.kind.name());
            out += &source(site, sources);
        }
        match tuned.changes.is_empty() {
            true => out += "  nothing can be weaker\n",
            false => {
                out +=
                    &format!("  all of these together were checked by a full run under {}\n", tuned.models.join(", "))
            }
        }
    }
    fit(&(out + &tail(tuned)), style)
}

fn head(tuned: &Tuned, style: Style) -> String {
    let word = match tuned.today {
        Some(Verdict::Holds) => style.good("holds"),
        Some(Verdict::Violated) => style.bad("violated"),
        Some(Verdict::Error) | None => return String::new(),
        Some(other) => style.doubtful(other.word()),
    };
    let wrong = tuned.wrong.as_ref().map(|wrong| format!("  {wrong}\n")).unwrap_or_default();
    format!("{} under {}: {word}\n{wrong}", style.bold(&tuned.file), tuned.models.join(", "))
}

fn tail(tuned: &Tuned) -> String {
    if matches!(tuned.today, Some(Verdict::Error) | None) {
        return String::new();
    }
    let notes: String = tuned.notes.iter().map(|note| format!("  note: {note}\n")).collect();
    let s = if tuned.runs == 1 { "" } else { "s" };
    format!("{notes}  {} run{s}, {:.2} s\n", tuned.runs, tuned.seconds)
}

/// Where a site is.
fn place(site: &Site) -> String {
    let thread = site.thread.as_ref().map(|thread| format!(" {thread}")).unwrap_or_default();
    format!("{}:{}{thread}", site.place.file, site.place.line)
}

fn described(change: &Change, style: Style) -> String {
    let Change { site, to } = change;
    let place = place(site);
    let to = site.name(*to);
    match site.kind {
        Kind::Before => format!("{place}  {} in front of", style.good(&format!("a fence ({to})"))),
        Kind::Behind => format!("{place}  {} behind", style.good(&format!("a fence ({to})"))),
        kind => format!("{place}  {}: {} → {}", kind.name(), site.name(site.today), style.good(to)),
    }
}

fn source(site: &Site, sources: &Sources) -> String {
    let line = sources.line(&site.place.file, site.place.line).unwrap_or_default();
    match line.trim() {
        "" => String::new(),
        line => format!("         {}\n", shorten(line, SOURCE)),
    }
}

/// The same for other programs.
pub fn json(tuned: &Tuned) -> Value {
    let site = |site: &Site| {
        json!({
            "kind": site.kind,
            "place": site.place,
            "thread": site.thread,
            "today": site.name(site.today),
        })
    };
    let change = |change: &Change| {
        let mut value = site(&change.site);
        value["to"] = change.site.name(change.to).into();
        value
    };
    json!({
        "file": tuned.file,
        "models": tuned.models,
        "today": tuned.today,
        "wrong": tuned.wrong,
        "changes": tuned.changes.iter().map(|set| set.iter().map(change).collect::<Vec<_>>()).collect::<Vec<_>>(),
        "forces": tuned.forces.iter().map(|(name, place)| json!({"name": name, "behind": place})).collect::<Vec<_>>(),
        "kept": tuned.kept.iter().map(site).collect::<Vec<_>>(),
        "unreached": tuned.unreached.iter().map(site).collect::<Vec<_>>(),
        "fences": tuned.with_fences,
        "runs": tuned.runs,
        "notes": tuned.notes,
        "seconds": tuned.seconds,
    })
}
