//! Draws diagnostics as text, with the lines that they point at.

use super::{Diagnostic, Severity};
use crate::cat::source::Sources;
use ariadne::{Cache, Color, Config, IndexType, Label, Report, ReportKind, Source};
use std::fmt::{Debug, Display};
use std::ops::Range;

/// Gives ariadne the files by index.
struct Files<'s> {
    sources: &'s Sources,
    parsed: Vec<Option<Source<String>>>,
}

impl Cache<u32> for Files<'_> {
    type Storage = String;

    fn fetch(&mut self, id: &u32) -> Result<&Source<String>, impl Debug> {
        let index = *id as usize;
        let Some(slot) = self.parsed.get_mut(index) else { return Err(format!("no file {index}")) };
        Ok(slot.get_or_insert_with(|| Source::from(self.sources.file(*id).text.to_string())))
    }

    fn display<'a>(&self, id: &'a u32) -> Option<impl Display + 'a> {
        self.sources.files().get(*id as usize).map(|file| file.name.to_string())
    }
}

/// One diagnostic as text, with colours when `color`.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, color: bool) -> String {
    let (kind, tint) = match diagnostic.severity {
        Severity::Error => (ReportKind::Error, Color::Red),
        Severity::Warning => (ReportKind::Warning, Color::Yellow),
    };
    let Some(main) = diagnostic.labels.first() else {
        let word = match diagnostic.severity {
            Severity::Error => "Error",
            Severity::Warning => "Warning",
        };
        return format!("[{}] {word}: {}\n  Help: {}\n", diagnostic.code, diagnostic.message, diagnostic.help);
    };
    let place = |span: super::Span| -> (u32, Range<usize>) {
        let length = sources.file(span.file).text.len();
        let start = span.range().start.min(length);
        (span.file, start..span.range().end.clamp(start, length))
    };
    let config = Config::default().with_color(color).with_index_type(IndexType::Byte);
    let mut report = Report::build(kind, place(main.span))
        .with_config(config)
        .with_code(diagnostic.code)
        .with_message(&diagnostic.message);
    // In the order of the text, so that the places of one file make one picture.
    let mut labels: Vec<(usize, &super::Label)> = diagnostic.labels.iter().enumerate().collect();
    labels.sort_by_key(|(_, label)| (label.span.file != main.span.file, label.span.file, label.span.start));
    for (order, label) in labels {
        let color = if order == 0 { tint } else { Color::Blue };
        report = report.with_label(Label::new(place(label.span)).with_message(&label.text).with_color(color));
    }
    report = report.with_help(&diagnostic.help);
    let mut files = Files { sources, parsed: vec![None; sources.files().len()] };
    let mut out = Vec::new();
    match report.finish().write(&mut files, &mut out) {
        Ok(()) => String::from_utf8_lossy(&out).into_owned(),
        Err(_) => format!("[{}] {}\n", diagnostic.code, diagnostic.message),
    }
}

/// All diagnostics, one after the other.
pub fn render_all(diagnostics: &[Diagnostic], sources: &Sources, color: bool) -> String {
    diagnostics.iter().map(|d| render(d, sources, color)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cat::{diagnostics::unknown_name, source::Span};

    #[test]
    fn shows_the_line_and_the_help() {
        let mut sources = Sources::new();
        let file = sources.add("m.cat", "let a = po\nacyclic po-lok");
        let text = render(&unknown_name::report("po-lok", Span::new(file, 19, 25), Some("po-loc")), &sources, false);
        assert!(text.contains("m.cat:2:9") && text.contains("acyclic po-lok") && text.contains("`po-loc`"), "{text}");
        assert!(!text.contains('\u{1b}'));
    }

    #[test]
    fn spans_at_and_beyond_the_end() {
        let mut sources = Sources::new();
        let file = sources.add("é.cat", "é");
        for end in [2, 3, 99] {
            assert!(
                render(&unknown_name::report("x", Span::new(file, 2, end), None), &sources, false).contains("C301")
            );
        }
    }
}
