//! The source lines of a finding, drawn by ariadne: the place where it shows, and the events that it is about.

use crate::report::style::Style;
use crate::verdict::{Finding, Place, Sources};
use ariadne::{Color, Config, IndexType, Label, Report, ReportKind, Source};
use std::fmt::{Debug, Display};
use std::ops::Range;

/// Longer lines are not drawn: the picture would be wider than any screen.
const LONGEST_LINE: usize = 400;

struct Files {
    parsed: Vec<(String, Source<String>)>,
}

impl ariadne::Cache<String> for Files {
    type Storage = String;

    fn fetch(&mut self, id: &String) -> Result<&Source<String>, impl Debug> {
        self.parsed.iter().find(|(name, _)| name == id).map(|(_, s)| s).ok_or_else(|| format!("no text of {id}"))
    }

    fn display<'a>(&self, id: &'a String) -> Option<impl Display + 'a> {
        Some(id.clone())
    }
}

/// The lines, or nothing when the source is not to be had.
pub fn draw(finding: &Finding, sources: &Sources, style: Style) -> String {
    // With the row of the first event there: the order of happening.
    let mut labels: Vec<(Place, String, u32)> = Vec::new();
    for &event in &finding.events {
        let Some(row) = finding.execution.events.get(event as usize) else { continue };
        let thread = finding.execution.threads.get(row.thread as usize).map_or("", |t| &t.name);
        if let Some(place) = &row.place {
            labels.push((place.clone(), format!("e{event}: {} by {thread}", row.label()), event));
        }
    }
    if let Some(place) = &finding.place
        && !labels.iter().any(|(p, ..)| p == place)
    {
        // What fails comes after what led there.
        labels.push((place.clone(), "here".into(), u32::MAX));
    }
    for &(first, second) in finding.orders.iter().flat_map(|o| &o.missing) {
        for (row, what) in [(first, String::new()), (second, format!(", may come before e{first}"))] {
            let Some(event) = finding.execution.events.get(row as usize) else { continue };
            let Some(place) = &event.place else { continue };
            let thread = finding.execution.threads.get(event.thread as usize).map_or("", |t| &t.name);
            let text = format!("e{row}: {} by {thread}{what}", event.label());
            match labels.iter_mut().find(|(p, ..)| p == place) {
                // The place of the finding, or an access that was named already.
                Some((_, known, first)) if !known.contains(&format!("e{row}:")) => {
                    *known = format!("{known}; {text}");
                    *first = row.min(*first);
                }
                Some((_, known, _)) => *known += &what,
                None => labels.push((place.clone(), text, row)),
            }
        }
    }
    // Files in the order in which something happens in them, lines downwards: ariadne draws each file once then.
    labels.sort_by_key(|(.., row)| *row);
    let files: Vec<String> = labels.iter().map(|(p, ..)| p.file.clone()).collect();
    labels.sort_by_key(|(p, ..)| (files.iter().position(|f| *f == p.file), p.line, p.column));
    let labels: Vec<(Place, String)> = labels.into_iter().map(|(place, text, _)| (place, text)).collect();
    draw_places(&finding.message, &finding.kind, finding.place.as_ref(), &labels, sources, style)
}

/// The lines at some places, with what is to be said of each; the headline names the primary one.
pub fn draw_places(
    message: &str,
    code: &str,
    primary: Option<&Place>,
    labels: &[(Place, String)],
    sources: &Sources,
    style: Style,
) -> String {
    let mut files = Files { parsed: Vec::new() };
    let mut spans: Vec<(String, Range<usize>, &str)> = Vec::new();
    for (place, text) in labels {
        let Some(content) = sources.text(&place.file) else { continue };
        let Some(range) = range(&content, place) else { continue };
        let range = fitting(&content, range, text, style.width);
        if !files.parsed.iter().any(|(name, _)| *name == place.file) {
            files.parsed.push((place.file.clone(), Source::from(content.to_string())));
        }
        spans.push((place.file.clone(), range, text));
    }
    let named = |(file, range, _): &(String, Range<usize>, &str)| {
        primary
            .is_some_and(|p| p.file == *file && self::range_in(&files, p).is_some_and(|own| own.start == range.start))
    };
    let chosen = spans.iter().position(named).unwrap_or(0);
    let Some((file, first, _)) = spans.get(chosen).cloned() else { return String::new() };
    let config = Config::default().with_color(style.color).with_index_type(IndexType::Byte).with_compact(false);
    let mut report =
        Report::build(ReportKind::Error, (file, first)).with_config(config).with_code(code).with_message(message);
    for (order, (file, range, text)) in spans.into_iter().enumerate() {
        let color = if order == chosen { Color::Red } else { Color::Blue };
        report =
            report.with_label(Label::new((file, range)).with_message(text).with_color(color).with_order(order as i32));
    }
    let mut out = Vec::new();
    match report.finish().write(&mut files, &mut out) {
        Ok(()) => String::from_utf8_lossy(&out).into_owned(),
        Err(_) => String::new(),
    }
}

/// In front of the source in a drawing: the number of the line and a rule; behind the mark of a label: its arrow.
const BESIDE: usize = 16;

/// The same range, or its beginning, so that a label behind it ends within the width.
fn fitting(text: &str, range: Range<usize>, label: &str, width: usize) -> Range<usize> {
    let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let column = text[start..range.start].chars().count();
    let room = width.saturating_sub(BESIDE + column + label.chars().count()).max(1);
    match text[range.clone()].char_indices().nth(room) {
        Some((at, _)) if width > 0 => range.start..range.start + at,
        _ => range,
    }
}

fn range_in(files: &Files, place: &Place) -> Option<Range<usize>> {
    let (_, source) = files.parsed.iter().find(|(name, _)| *name == place.file)?;
    range(source.text(), place)
}

/// The bytes from a place to the end of its statement or line.
fn range(text: &str, place: &Place) -> Option<Range<usize>> {
    let mut start = 0;
    let mut lines = text.split_inclusive('\n');
    for _ in 1..place.line {
        start += lines.next()?.len();
    }
    let line = lines.next()?.trim_end();
    if line.len() > LONGEST_LINE {
        return None;
    }
    let indentation = line.len() - line.trim_start().len();
    let column = (place.column as usize).saturating_sub(1).max(indentation);
    let from = if line.is_char_boundary(column) && column < line.len() { column } else { indentation };
    let rest = &line[from..];
    let length = rest.find(';').unwrap_or(rest.len()).max(1).min(rest.len());
    Some(start + from..start + from + length)
}

#[cfg(test)]
mod tests {
    use crate::report::drawn::snippet::*;
    use crate::report::sample;

    #[test]
    fn shows_the_line_of_the_finding() {
        let result = sample::violated();
        let finding = result.violation.expect("a finding");
        let text = draw(&finding, &sample::sources(), Style::default());
        assert!(text.contains("mp.c:9:5") && text.contains("assert(x == 1"), "{text}");
    }

    #[test]
    fn shows_both_accesses_of_a_race() {
        let mut finding = sample::violated().violation.expect("a finding");
        finding.events = vec![0, 3];
        finding.place = finding.execution.events[0].place.clone();
        let text = draw(&finding, &sample::sources(), Style::default());
        assert!(text.contains("e0: W x = 1 by T1") && text.contains("e3: R x = 0 by T2"), "{text}");
    }

    #[test]
    fn places_outside_the_file_are_left_out() {
        let mut finding = sample::violated().violation.expect("a finding");
        for (line, column) in [(99, 1), (0, 0), (9, 4000)] {
            finding.place = Some(Place { file: "mp.c".into(), line, column });
            draw(&finding, &sample::sources(), Style::default());
        }
        finding.place = Some(Place { file: "nowhere.c".into(), line: 1, column: 1 });
        assert_eq!(draw(&finding, &Sources::default(), Style::default()), "");
    }
}
