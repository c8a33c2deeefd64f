//! Problems with their places, as editors count them: in UTF-16 units from the start of a file.

use hmc::cat::def::DefError;
use hmc::cat::diagnostics::{Diagnostic, Severity};
use hmc::cat::source::Sources;
use hmc::litmus;
use serde::Serialize;
use std::ops::Range;

/// A problem.
#[derive(Serialize, Debug)]
pub struct Told {
    pub severity: &'static str,
    pub code: String,
    pub message: String,
    pub help: String,
    /// The file, as the model's text calls it.
    pub file: String,
    pub from: usize,
    pub to: usize,
    /// From 1.
    pub line: usize,
    /// What is said of the place itself.
    pub label: String,
}

/// UTF-16 units in front of a byte.
pub fn units(text: &str, byte: usize) -> usize {
    let end = (0..=byte.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    text[..end].encode_utf16().count()
}

/// The line of a byte, from 1.
pub fn line(text: &str, byte: usize) -> usize {
    text.bytes().take(byte).filter(|&b| b == b'\n').count() + 1
}

fn placed(text: &str, range: Range<usize>) -> (usize, usize, usize) {
    (units(text, range.start), units(text, range.end), line(text, range.start))
}

impl Told {
    /// Of a model.
    pub fn of_model(diagnostic: &Diagnostic, sources: &Sources) -> Told {
        let span = diagnostic.span();
        let file = span.map(|span| sources.file(span.file));
        let (from, to, line) = file.zip(span).map_or((0, 0, 1), |(file, span)| placed(&file.text, span.range()));
        Told {
            severity: if diagnostic.severity() == Severity::Error { "error" } else { "warning" },
            code: diagnostic.code().to_owned(),
            message: diagnostic.message().to_owned(),
            help: diagnostic.help_text().to_owned(),
            file: file.map(|file| file.name.to_string()).unwrap_or_default(),
            from,
            to,
            line,
            label: diagnostic.labels().first().map(|label| label.text.clone()).unwrap_or_default(),
        }
    }

    /// Of a macro file.
    pub fn of_macros(error: &DefError, file: &str, text: &str) -> Told {
        let (from, to, line) = placed(text, error.span.clone());
        Told {
            severity: "error",
            code: "hmc::macro-file".into(),
            message: error.message.clone(),
            help: "a macro is `NAME(X) expression` or `NAME(X, Y) { instructions }`".into(),
            file: file.to_owned(),
            from,
            to,
            line,
            label: String::new(),
        }
    }

    /// Of a litmus test.
    pub fn of_test(error: &litmus::Error, file: &str, text: &str) -> Told {
        let (from, to, line) = placed(text, error.span.clone());
        Told {
            severity: "error",
            code: error.code.to_owned(),
            message: error.message.clone(),
            help: error.advice().to_owned(),
            file: file.to_owned(),
            from,
            to,
            line,
            label: String::new(),
        }
    }
}
