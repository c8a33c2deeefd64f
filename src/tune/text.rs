//! Changes in the text of the source, where they can be written there: a memory order that is named, an operation whose order is not named and has a form
//! that names it, a fence on a line of its own.

use super::Change;
use super::strength::{Kind, word};
use crate::llvm::ir::Order;
use std::ops::Range;

/// How memory orders are spelt: what stands in front of the word, and whether the word is in capitals.
const SPELLINGS: [(&str, bool); 3] = [("memory_order_", false), ("memory_order::", false), ("__ATOMIC_", true)];
/// Operations of `std::atomic` that take an order last.
const METHODS: [&str; 9] =
    ["load", "store", "exchange", "fetch_add", "fetch_sub", "fetch_and", "fetch_or", "fetch_xor", "test_and_set"];
/// All words.
const ORDERS: [Order; 6] = [Order::Rlx, Order::Con, Order::Acq, Order::Rel, Order::AcqRel, Order::Sc];

/// The text with changes made; nothing when one of them cannot be written.
pub fn changed(text: &str, changes: &[&Change]) -> Option<String> {
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for change in changes {
        edits.extend(edit(text, change, changes)?);
    }
    edits.sort_by_key(|(at, _)| (at.start, at.end));
    if edits.windows(2).any(|pair| pair[0].0.end > pair[1].0.start) {
        return None;
    }
    let mut out = text.to_owned();
    for (at, new) in edits.into_iter().rev() {
        out.replace_range(at, &new);
    }
    Some(out)
}

/// What is to be written for a change; nothing more for one that another change is written with.
fn edit(text: &str, change: &Change, all: &[&Change]) -> Option<Option<(Range<usize>, String)>> {
    let place = &change.site.place;
    let line = line(text, place.line)?;
    if !change.site.is_named {
        return None;
    }
    let start = line.start + column(&text[line.clone()], place.column)?;
    let call = call(text, start)?;
    let name = &text[call.name.clone()];
    if name.starts_with("atomic_compare_exchange_") && !name.ends_with("_explicit") {
        return compare_and_swap(text, &call, change, all);
    }
    let edit = match change.site.kind {
        Kind::Before | Kind::Behind => fence(text, &line, &call, change),
        Kind::Fence if change.to == Order::Na => None,
        Kind::Failure => order(text, &call, change, 1),
        _ => order(text, &call, change, 0),
    };
    edit.map(Some)
}

/// A compare-and-swap that names no orders gets both at once.
fn compare_and_swap(
    text: &str,
    call: &Call,
    change: &Change,
    all: &[&Change],
) -> Option<Option<(Range<usize>, String)>> {
    let of = |kind| all.iter().find(|c| c.site.place == change.site.place && c.site.kind == kind);
    let (success, failure) = (of(Kind::Update), of(Kind::Failure));
    if change.site.kind.is_gap() || [success, failure].iter().flatten().any(|c| c.site.today != Order::Sc) {
        return None;
    }
    if change.site.kind == Kind::Failure && success.is_some() {
        return Some(None);
    }
    let order = |change: Option<&&Change>| word(change.map_or(Order::Sc, |c| c.to));
    let (name, arguments) = (&text[call.name.clone()], &text[call.arguments.clone()]);
    let [success, failure] = [order(success), order(failure)];
    let new = format!("{name}_explicit({arguments}, memory_order_{success}, memory_order_{failure}");
    Some(Some((call.name.start..call.arguments.end, new)))
}

/// Where a line stands, without its end.
fn line(text: &str, number: u32) -> Option<Range<usize>> {
    let mut start = 0;
    for (line, n) in text.split_inclusive('\n').zip(1..) {
        if n == number {
            return Some(start..start + line.trim_end_matches(['\n', '\r']).len());
        }
        start += line.len();
    }
    None
}

/// Columns count bytes, from 1.
fn column(line: &str, column: u32) -> Option<usize> {
    let at = (column as usize).checked_sub(1)?;
    line.is_char_boundary(at).then_some(at)
}

/// A call: its name, and what stands in its parentheses.
struct Call {
    name: Range<usize>,
    arguments: Range<usize>,
}

fn call(text: &str, start: usize) -> Option<Call> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let rest = &text[start..];
    let length = rest.find(|c: char| !is_name(c))?;
    let open = start + length + rest[length..].find(|c: char| !c.is_whitespace())?;
    if length == 0 || !text[open..].starts_with('(') {
        return None;
    }
    let mut depth = 0usize;
    for (at, c) in text[open..].char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(Call { name: start..start + length, arguments: open + 1..open + at });
        }
    }
    None
}

/// The order of a call: the `nth` that it names, or a form of the call that names one.
fn order(text: &str, call: &Call, change: &Change, nth: usize) -> Option<(Range<usize>, String)> {
    let arguments = &text[call.arguments.clone()];
    let mut named: Vec<(Range<usize>, &str, bool)> = Vec::new();
    // An order inside of parentheses is that of another operation.
    let depth = |at: usize| arguments[..at].matches('(').count() - arguments[..at].matches(')').count();
    for (prefix, is_capital) in SPELLINGS {
        for (at, _) in arguments.match_indices(prefix).filter(|(at, _)| depth(*at) == 0) {
            let start = at + prefix.len();
            let length = arguments[start..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            named.push((start..length.map_or(arguments.len(), |n| start + n), prefix, is_capital));
        }
    }
    named.sort_by_key(|(at, ..)| at.start);
    let spelt = |order, is_capital| if is_capital { word(order).to_uppercase() } else { word(order).to_owned() };
    if let Some((at, _, is_capital)) = named.get(nth) {
        let is_today = ORDERS.iter().any(|&o| arguments[at.clone()] == spelt(o, *is_capital) && o == change.site.today);
        let at = call.arguments.start + at.start..call.arguments.start + at.end;
        return is_today.then(|| (at, spelt(change.to, *is_capital)));
    }
    let before = text[..call.name.start].trim_end();
    let is_method = before.ends_with('.') || before.ends_with("->");
    if named.is_empty() && is_method && METHODS.contains(&&text[call.name.clone()]) {
        let comma = if arguments.trim().is_empty() { "" } else { ", " };
        let at = call.arguments.end..call.arguments.end;
        return Some((at, format!("{comma}std::memory_order_{}", word(change.to))));
    }
    // `atomic_store(&x, 1)` names none: the whole call is written anew.
    let name = &text[call.name.clone()];
    let is_plain = named.is_empty() && name.starts_with("atomic_") && !name.ends_with("_explicit");
    if !is_plain || name.contains("thread_fence") {
        return None;
    }
    let at = call.name.start..call.arguments.end;
    Some((at, format!("{name}_explicit({arguments}, memory_order_{}", word(change.to))))
}

/// A fence on a line of its own, in front of the statement or behind it, where the statement has its line for itself.
fn fence(text: &str, line: &Range<usize>, call: &Call, change: &Change) -> Option<(Range<usize>, String)> {
    let before = &text[line.start..call.name.start];
    let indent = &before[..before.len() - before.trim_start().len()];
    let fence = format!("{indent}atomic_thread_fence(memory_order_{});\n", word(change.to));
    let behind = text[call.arguments.end..].strip_prefix(");");
    let is_statement = behind.is_some() && !before.contains(['{', ';', '?']) && !before.trim_end().ends_with(')');
    if !is_statement {
        return None;
    }
    if change.site.kind == Kind::Before {
        return Some((line.start..line.start, fence));
    }
    let end = call.arguments.end + text[call.arguments.end..].find('\n')? + 1;
    Some((end..end, fence))
}

/// The difference of two texts, line by line, as `patch` reads it. Changes do not join or split lines but for whole lines that are put in.
pub fn patch(file: &str, old: &str, new: &str) -> String {
    const AROUND: usize = 3;
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    // Pairs of lines that stay, by the longest common subsequence of what is between the common ends.
    let mut rows: Vec<(char, &str)> = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        match (old.get(i), new.get(j)) {
            (Some(a), Some(b)) if a == b => {
                rows.push((' ', a));
                (i, j) = (i + 1, j + 1);
            }
            (Some(a), Some(b)) if new.get(j + 1) == Some(a) => {
                rows.push(('+', b));
                j += 1;
            }
            (Some(a), Some(b)) => {
                rows.push(('-', a));
                rows.push(('+', b));
                (i, j) = (i + 1, j + 1);
            }
            (Some(a), None) => {
                rows.push(('-', a));
                i += 1;
            }
            (None, Some(b)) => {
                rows.push(('+', b));
                j += 1;
            }
            (None, None) => {}
        }
    }
    let is_near = |at: usize| {
        let from = at.saturating_sub(AROUND);
        rows[from..rows.len().min(at + AROUND + 1)].iter().any(|(mark, _)| *mark != ' ')
    };
    let mut out = format!("--- {file}\n+++ {file}\n");
    let (mut in_old, mut in_new, mut at) = (1, 1, 0);
    while at < rows.len() {
        if !is_near(at) {
            (in_old, in_new, at) = (in_old + 1, in_new + 1, at + 1);
            continue;
        }
        let end = (at..rows.len()).find(|&n| !is_near(n)).unwrap_or(rows.len());
        let hunk = &rows[at..end];
        let count = |without: char| hunk.iter().filter(|(mark, _)| *mark != without).count();
        let (olds, news) = (count('+'), count('-'));
        out += &format!("@@ -{in_old},{olds} +{in_new},{news} @@\n");
        // A line that is replaced stands in front of what replaces it, whole stretches of them together.
        let mut k = 0;
        while k < hunk.len() {
            if hunk[k].0 == ' ' {
                out += &format!(" {}\n", hunk[k].1);
                k += 1;
                continue;
            }
            let stretch = hunk[k..].iter().take_while(|(mark, _)| *mark != ' ').count();
            for mark in ['-', '+'] {
                for (_, line) in hunk[k..k + stretch].iter().filter(|(m, _)| *m == mark) {
                    out += &format!("{mark}{line}\n");
                }
            }
            k += stretch;
        }
        (in_old, in_new, at) = (in_old + olds, in_new + news, end);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::Site;
    use super::*;
    use crate::verdict::Place;

    fn change(kind: Kind, line: u32, column: u32, today: Order, to: Order) -> Change {
        let place = Place { file: "a.c".into(), line, column };
        let site = Site {
            kind,
            place,
            thread: None,
            today,
            orders: kind.orders().to_vec(),
            names: Vec::new(),
            is_named: true,
        };
        Change { site, to }
    }

    #[test]
    fn orders_are_written_where_they_stand() {
        let text =
            "void f() {\n  atomic_store_explicit(&x, g(1), memory_order_relaxed);\n  atomic_load(&x);\n  x++;\n}\n";
        let store = change(Kind::Store, 2, 3, Order::Rlx, Order::Rel);
        let load = change(Kind::Load, 3, 3, Order::Sc, Order::Acq);
        let new = changed(text, &[&load, &store]).expect("a text");
        assert!(new.contains("atomic_store_explicit(&x, g(1), memory_order_release);"), "{new}");
        assert!(new.contains("atomic_load_explicit(&x, memory_order_acquire);"), "{new}");
        assert_eq!(changed(text, &[&change(Kind::Update, 4, 4, Order::Sc, Order::Rlx)]), None);
        let nested =
            "atomic_store_explicit(&x, atomic_load_explicit(&y, memory_order_relaxed), memory_order_relaxed);\n";
        let new = changed(nested, &[&change(Kind::Store, 1, 1, Order::Rlx, Order::Rel)]).expect("a text");
        assert!(new.ends_with("(&y, memory_order_relaxed), memory_order_release);\n"), "{new}");
        let load = change(Kind::Load, 1, 27, Order::Rlx, Order::Acq);
        assert!(
            changed(nested, &[&load]).expect("a text").contains("(&y, memory_order_acquire), memory_order_relaxed)")
        );
        // What is not there is not replaced.
        assert_eq!(changed(text, &[&change(Kind::Store, 2, 3, Order::Sc, Order::Rel)]), None);
    }

    #[test]
    fn a_compare_and_swap_has_two_orders_and_a_fence_a_line() {
        let text =
            "  atomic_compare_exchange_strong_explicit(&x, &e, 1, memory_order_acquire, memory_order_relaxed);\n";
        let new = changed(text, &[&change(Kind::Failure, 1, 3, Order::Rlx, Order::Acq)]).expect("a text");
        assert!(new.ends_with("memory_order_acquire, memory_order_acquire);\n"), "{new}");
        let new = changed(text, &[&change(Kind::Before, 1, 3, Order::Na, Order::Rel)]).expect("a text");
        assert!(new.starts_with("  atomic_thread_fence(memory_order_release);\n  atomic_compare"), "{new}");
        let new = changed(text, &[&change(Kind::Behind, 1, 3, Order::Na, Order::Acq)]).expect("a text");
        assert!(new.ends_with("relaxed);\n  atomic_thread_fence(memory_order_acquire);\n"), "{new}");
        let text = "  while (!__atomic_load_n(&x, __ATOMIC_RELAXED))\n    ;\n";
        assert_eq!(changed(text, &[&change(Kind::Behind, 1, 11, Order::Na, Order::Acq)]), None);
        let new = changed(text, &[&change(Kind::Load, 1, 11, Order::Rlx, Order::Acq)]).expect("a text");
        assert!(new.contains("__ATOMIC_ACQUIRE"), "{new}");
    }

    #[test]
    fn a_compare_and_swap_without_orders_gets_both() {
        let text = "if (atomic_compare_exchange_strong(&x, &e, f(1)))\n";
        let update = change(Kind::Update, 1, 5, Order::Sc, Order::Rel);
        let failure = change(Kind::Failure, 1, 5, Order::Sc, Order::Rlx);
        let both = changed(text, &[&failure, &update]).expect("a text");
        assert_eq!(
            both,
            "if (atomic_compare_exchange_strong_explicit(&x, &e, f(1), memory_order_release, memory_order_relaxed))\n"
        );
        let one = changed(text, &[&failure]).expect("a text");
        assert!(one.contains(", memory_order_seq_cst, memory_order_relaxed))"), "{one}");
    }

    #[test]
    fn a_patch_has_what_changes_and_what_is_around() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let new = "1\n2\n3\n4\nx\n6\nnew\n7\n8\n9\n";
        let expected = "--- a\n+++ a\n@@ -2,8 +2,9 @@\n 2\n 3\n 4\n-5\n+x\n 6\n+new\n 7\n 8\n 9\n";
        assert_eq!(patch("a", old, new), expected);
    }
}
