//! The events that a finding depends on: what comes before it in its threads, and what these read from, and so on. The rest need not be shown.

use crate::verdict::picture::{Action, Origin, Row};
use crate::verdict::{Finding, Picture};

/// For each row of a finding's execution whether the finding depends on it; nothing where that is not known.
pub fn of(finding: &Finding) -> Option<Vec<bool>> {
    let picture = &finding.execution;
    let mut roots = finding.events.clone();
    if let Some(orders) = &finding.orders {
        roots.extend(orders.cycle.iter().flat_map(|edge| [edge.from, edge.to]));
        roots.extend(orders.missing.iter().flat_map(|&(a, b)| [a, b]));
    }
    if finding.kind == "assertion" || finding.kind == "exit-code" {
        let failed = |(t, column): (usize, &crate::verdict::picture::Column)| {
            (column.fails || column.end.is_some())
                .then(|| picture.events.iter().rposition(|e| e.thread as usize == t))?
        };
        let ends: Vec<u32> = picture.threads.iter().enumerate().filter_map(failed).map(|row| row as u32).collect();
        // Who failed is told by how threads ended; without a word, all may matter.
        if ends.is_empty() {
            return None;
        }
        roots.extend(ends);
    } else if finding.kind == "liveness" {
        return None;
    }
    (!roots.is_empty()).then(|| past(picture, roots))
}

/// The rows that a sentence names: `e12`.
pub fn named(text: &str) -> impl Iterator<Item = u32> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.filter_map(|word| word.strip_prefix('e')?.parse().ok())
}

fn past(picture: &Picture, mut open: Vec<u32>) -> Vec<bool> {
    let mut known = vec![false; picture.events.len()];
    while let Some(row) = open.pop() {
        let at = row as usize;
        if at >= known.len() || std::mem::replace(&mut known[at], true) {
            continue;
        }
        let event = &picture.events[at];
        let rows = |is: &dyn Fn(&Row) -> bool| -> Vec<u32> {
            picture.events.iter().zip(0..).filter(|(other, _)| is(other)).map(|(_, row)| row).collect()
        };
        let before = rows(&|other| other.thread == event.thread).into_iter().rfind(|&other| other < row);
        match before {
            Some(before) => open.push(before),
            None => open.extend(rows(&|other| other.action == Action::Create && names(picture, other, event.thread))),
        }
        match (&event.reads_from, event.action) {
            (Some(Origin::Event(from)), _) => open.push(*from),
            (_, Action::Join) => {
                let joined = (0..picture.threads.len() as u32).find(|&thread| names(picture, event, thread));
                open.extend(joined.and_then(|t| rows(&|other| other.thread == t).last().copied()));
            }
            (_, Action::Depart) => open.extend(rows(&|other| other.action == Action::Arrive)),
            _ => {}
        }
        // The halves of an update are one.
        let after = rows(&|other| other.thread == event.thread).into_iter().find(|&other| other > row);
        if let Some(after) = after.filter(|&after| event.atomic && picture.events[after as usize].atomic) {
            open.push(after);
        }
    }
    known
}

/// Whether the thread that a row creates or joins is this one.
fn names(picture: &Picture, row: &Row, thread: u32) -> bool {
    let name = picture.threads.get(thread as usize).map(|column| column.name.as_str());
    row.value.as_deref() == name
}

#[cfg(test)]
mod tests {
    use crate::report::drawn::past::*;
    use crate::report::sample;

    #[test]
    fn what_a_finding_depends_on() {
        let mut finding = sample::violated().violation.expect("a finding");
        finding.kind = "race".into();
        finding.orders = None;
        // The last read, by program order the one before it, and what that reads from.
        finding.events = vec![3];
        assert_eq!(of(&finding), Some(vec![true; 4]));
        finding.events = vec![0];
        assert_eq!(of(&finding), Some(vec![true, false, false, false]));
        finding.kind = "liveness".into();
        assert_eq!(of(&finding), None);
    }
}
