//! Calls as columns of text: a column a thread, a row a call.

use crate::verdict::Finding;
use crate::verdict::picture::{Calls, Picture};
use std::collections::BTreeSet;

/// The notes of a finding. The first ones list its calls, if it has some: a table stands for these where it fits.
pub fn notes(finding: &Finding, width: usize) -> String {
    let table = finding.calls.as_ref().and_then(|calls| Some((table(calls, width)?, calls.picture.events.len())));
    let (mut out, told) = table.unwrap_or_default();
    for note in finding.notes.iter().skip(told) {
        out += &format!("  {note}\n");
    }
    out
}

/// The table, if it fits into so many columns (0: any number).
fn table(calls: &Calls, width: usize) -> Option<String> {
    let Picture { threads, events, related, .. } = &calls.picture;
    let calling: Vec<u32> = events.iter().map(|call| call.thread).collect::<BTreeSet<_>>().into_iter().collect();
    let text = |row: usize| events[row].value.as_deref().unwrap_or_default();
    let name = |thread: u32| threads.get(thread as usize).map_or("", |column| column.name.as_str());
    let widest = |&thread: &u32| {
        let cells = (0..events.len()).filter(|&row| events[row].thread == thread).map(text);
        cells.chain([name(thread)]).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = calling.iter().map(widest).collect();
    let line = |label: &str, cell: &dyn Fn(u32) -> String| {
        let cells = calling.iter().zip(&widths).map(|(&thread, &width)| format!("  {:width$}", cell(thread)));
        format!("  {label:<3}{}", cells.collect::<String>()).trim_end().to_owned()
    };
    let mut lines = vec![line("", &|thread| name(thread).to_owned())];
    for (row, call) in events.iter().enumerate() {
        let cell = |thread| if thread == call.thread { text(row).to_owned() } else { String::new() };
        lines.push(line(&format!("c{row}"), &cell));
    }
    let orders: Vec<String> = related.iter().map(|edge| format!("c{} before c{}", edge.from, edge.to)).collect();
    if !orders.is_empty() {
        lines.push(format!("  order between threads: {}", orders.join(", ")));
    }
    let fits = |line: &String| width == 0 || line.chars().count() <= width;
    lines.iter().all(fits).then(|| lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use crate::verdict::picture::{Edge, Row};

    /// Three calls by two threads, the last one behind the first.
    fn calls() -> Calls {
        let sample = sample::violated().violation.expect("a finding").execution;
        let call = |thread, value: &str| Row { thread, value: Some(value.to_owned()), ..sample.events[0].clone() };
        let events = vec![call(0, "put(1)"), call(0, "put(2)"), call(1, "take() = 2")];
        let related = vec![Edge { from: 0, to: 2, name: "before".to_owned() }];
        Calls { picture: Picture { threads: sample.threads, events, related, ..Picture::default() }, about: vec![2] }
    }

    #[test]
    fn threads_are_columns() {
        let lines = [
            "       T1      T2",
            "  c0   put(1)",
            "  c1   put(2)",
            "  c2           take() = 2",
            "  order between threads: c0 before c2\n",
        ];
        assert_eq!(table(&calls(), 80), Some(lines.join("\n")));
    }

    #[test]
    fn a_table_that_does_not_fit_is_none() {
        assert_eq!(table(&calls(), 20), None);
        assert!(table(&calls(), 0).is_some());
    }
}
