//! Programs written as columns, one a thread (`LITMUS.md` §1.3): cuts them into labels and instructions.

use super::error::Error;
use super::processors::operand::{self, Instruction, Operand};
use super::split::Section;
use super::syntax::{MAX_THREADS, thread_number};
use crate::litmus::arch::Arch;
use std::ops::Range;

/// What a cell holds.
#[derive(Clone, Debug)]
pub enum Item {
    /// A jump target.
    Label(String, Range<usize>),
    /// An instruction.
    Instruction(Instruction),
}

/// A column.
#[derive(Clone, Debug, Default)]
pub struct Column {
    /// Its cells, empty ones left out.
    pub items: Vec<Item>,
    /// Annotations of the header cell (`P0:Name`).
    pub annotations: Vec<String>,
}

/// Reads the columns of a program. All complaints are collected; the columns are those of what could be read.
pub fn columns(section: &Section, arch: Arch, errors: &mut Vec<Error>) -> Vec<Column> {
    let mut rows = rows(&section.text);
    while rows.first().is_some_and(|(cells, _)| cells.iter().all(|c| section.text[c.clone()].trim().is_empty())) {
        rows.remove(0);
    }
    let place = |r: &Range<usize>| trimmed(&section.text, r, section.start);
    let Some((header, _)) = rows.first() else {
        let end = section.start + section.text.len();
        errors.push(Error::new("litmus::no-program", section.start..end, "no program: expected a row `P0 | P1 ;`"));
        return Vec::new();
    };
    let mut columns = Vec::new();
    for (i, cell) in header.iter().enumerate() {
        let span = place(cell);
        let text = section.text[cell.clone()].trim();
        let mut parts = text.split(':').map(str::trim);
        let number = parts.next().filter(|n| n.starts_with('P')).and_then(thread_number);
        if number != Some(i as u32) || i as u32 >= MAX_THREADS {
            let message = format!("expected the thread name `P{i}`, found `{text}`");
            let mut error = Error::new("litmus::thread", span, message);
            if i as u32 >= MAX_THREADS {
                error.message = format!("more than {MAX_THREADS} threads");
            }
            errors.push(error);
            if i as u32 >= MAX_THREADS {
                return Vec::new();
            }
        }
        let annotations = parts.map(str::to_owned).collect();
        columns.push(Column { items: Vec::new(), annotations });
    }
    for (i, (cells, ended)) in rows.iter().enumerate().skip(1) {
        let blank = cells.iter().all(|c| section.text[c.clone()].trim().is_empty());
        if blank && (!ended || cells.len() == 1) {
            continue;
        }
        let whole = place(&(cells[0].start..cells[cells.len() - 1].end));
        if cells.len() != columns.len() {
            let message = format!("row {i} has {} cells, but there are {} threads", cells.len(), columns.len());
            errors.push(Error::new("litmus::row", whole.clone(), message));
        }
        if !ended {
            errors.push(Error::new("litmus::row", whole, "the row does not end with `;`"));
        }
        for (column, cell) in columns.iter_mut().zip(cells) {
            read_cell(&section.text, cell.clone(), section.start, arch, column, errors);
        }
    }
    columns.iter_mut().for_each(numbered_labels);
    columns
}

/// Rows as cell ranges, and whether each ended with `;`.
fn rows(text: &str) -> Vec<(Vec<Range<usize>>, bool)> {
    let mut rows = Vec::new();
    let mut cells = Vec::new();
    let mut start = 0;
    for (i, b) in text.bytes().enumerate() {
        // The prefix of x86 may have a semicolon of its own: `lock; inc [x]`.
        let is_prefix =
            || text[start..i].rsplit(':').next().is_some_and(|word| word.trim().eq_ignore_ascii_case("lock"));
        if b == b'|' || b == b';' && !is_prefix() {
            cells.push(start..i);
            start = i + 1;
            if b == b';' {
                rows.push((std::mem::take(&mut cells), true));
            }
        }
    }
    if !cells.is_empty() || !text[start..].trim().is_empty() {
        cells.push(start..text.len());
        rows.push((cells, false));
    }
    rows
}

/// The range without blanks around it, as offsets of the file.
fn trimmed(text: &str, range: &Range<usize>, start: usize) -> Range<usize> {
    let slice = &text[range.clone()];
    let from = range.start + (slice.len() - slice.trim_start().len());
    let to = (range.start + slice.trim_end().len()).max(from);
    start + from..start + to
}

fn read_cell(
    text: &str,
    mut cell: Range<usize>,
    start: usize,
    arch: Arch,
    column: &mut Column,
    errors: &mut Vec<Error>,
) {
    loop {
        let span = trimmed(text, &cell, start);
        let slice = &text[span.start - start..span.end - start];
        if slice.is_empty() {
            return;
        }
        let name = slice.find(|c: char| !(c.is_ascii_alphanumeric() || "_.$/-".contains(c))).unwrap_or(slice.len());
        let after = &slice[name..];
        let colon = after.len() - after.trim_start().len();
        if name > 0 && after[colon..].starts_with(':') {
            column.items.push(Item::Label(slice[..name].to_owned(), span.start..span.start + name));
            cell = span.start - start + name + colon + 1..span.end - start;
            continue;
        }
        match operand::parse(slice, span.start, arch) {
            Ok(instruction) => column.items.push(Item::Instruction(instruction)),
            Err((span, message)) => errors.push(Error::new("litmus::instruction", span, message)),
        }
        return;
    }
}

/// The assembler's local labels: `1:` may stand several times; `1b` is the nearest one above, `1f` the nearest below. Each
/// gets a name of its own, and so do the targets.
fn numbered_labels(column: &mut Column) {
    let is_number = |name: &str| name.bytes().all(|b| b.is_ascii_digit());
    let unique = |name: &str, place: usize| format!("{name}.{place}");
    let mut labels: Vec<(String, usize)> = Vec::new();
    for (place, item) in column.items.iter_mut().enumerate() {
        if let Item::Label(name, _) = item
            && is_number(name)
        {
            labels.push((name.clone(), place));
            *name = unique(name, place);
        }
    }
    for (place, item) in column.items.iter_mut().enumerate() {
        let Item::Instruction(instruction) = item else { continue };
        for operand in &mut instruction.operands {
            let Operand::Name(target) = operand else { continue };
            let Some((number, direction)) = target.split_at_checked(target.len().saturating_sub(1)) else { continue };
            if number.is_empty() || !is_number(number) {
                continue;
            }
            let mut same = labels.iter().filter(|(name, _)| name == number);
            let found = match direction {
                "b" => same.rfind(|(_, at)| *at < place),
                _ => same.find(|(_, at)| *at > place),
            };
            if let Some((name, at)) = found {
                *target = unique(name, *at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<Column>, Vec<Error>) {
        let mut errors = Vec::new();
        let columns = columns(&Section { text: text.to_owned(), start: 100 }, Arch::X86, &mut errors);
        (columns, errors)
    }

    #[test]
    fn labels_and_cells() {
        let (columns, errors) = read(";\n P0 | P1:el0 ;\n L0: L1 : NOP | ;\n | MOV W0,#1 ;\n");
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!((columns[0].items.len(), columns[1].items.len()), (3, 1));
        assert_eq!(columns[1].annotations, ["el0"]);
    }

    #[test]
    fn a_prefix_does_not_end_a_row() {
        let (columns, errors) = read(" P0 | P1 ;\n lock; inc [x] | L: LOCK ; dec [x] ;\n | lock inc [x] ;\n");
        assert!(errors.is_empty(), "{errors:?}");
        let locked = |item: &Item| matches!(item, Item::Instruction(instruction) if instruction.locked);
        assert_eq!(columns.iter().flat_map(|c| &c.items).filter(|item| locked(item)).count(), 3);
    }

    #[test]
    fn numbered_labels_are_the_nearest() {
        let (columns, errors) = read(" P0 ;\n 1: JMP 1f ;\n JMP 1b ;\n 1: JMP 1b ;\n JMP 2f ;\n");
        assert!(errors.is_empty(), "{errors:?}");
        let names = columns[0].items.iter().map(|item| match item {
            Item::Label(name, _) => name.clone(),
            Item::Instruction(instruction) => format!("{:?}", instruction.operands[0]),
        });
        let target = |name: &str| format!("{:?}", Operand::Name(name.to_owned()));
        let wanted = ["1.0".to_owned(), target("1.3"), target("1.0"), "1.3".to_owned(), target("1.3"), target("2f")];
        assert_eq!(names.collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn every_complaint_is_kept() {
        let (_, errors) = read(" P0 | P2 ;\n NOP ;\n MOV @ | NOP ;\n NOP | NOP");
        assert_eq!(errors.len(), 4, "{errors:?}");
        assert!(errors.iter().all(|e| e.span.start >= 100));
        assert!(!read("").1.is_empty());
    }
}
