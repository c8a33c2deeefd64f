//! Problems with their places.

use super::text::{line, units};
use crate::cat::def::DefError;
use crate::cat::diagnostics::{Diagnostic, Severity};
use crate::cat::source::Sources;
use crate::litmus;
use serde::Serialize;
use std::ops::Range;

/// What to do about every mistake in a macro file.
const MACRO_HELP: &str = "a macro is `NAME(X) expression` or `NAME(X, Y) { instructions }`";

/// A problem in one of the files of a model, or in a test.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Problem {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// For `hmc explain`.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
    /// The file, as the model's text calls it.
    pub file: String,
    /// UTF-16 units from the start of the file.
    pub from: usize,
    /// Where it ends, in the same units.
    pub to: usize,
    /// From 1.
    pub line: usize,
    /// What is said of the place itself.
    pub label: String,
    /// The same place in bytes.
    #[serde(skip)]
    pub bytes: Range<usize>,
    /// Which of the files of the model it is in; none: it has no place.
    #[serde(skip)]
    pub source: Option<u32>,
}

impl Problem {
    fn at(text: &str, file: &str, bytes: Range<usize>) -> Problem {
        Problem {
            severity: "error",
            code: String::new(),
            message: String::new(),
            help: String::new(),
            file: file.to_owned(),
            from: units(text, bytes.start),
            to: units(text, bytes.end),
            line: line(text, bytes.start),
            label: String::new(),
            bytes,
            source: Some(0),
        }
    }

    /// Of a model.
    pub fn of_model(diagnostic: &Diagnostic, sources: &Sources) -> Problem {
        let problem = match diagnostic.span() {
            Some(span) => {
                let file = sources.file(span.file);
                Problem { source: Some(span.file), ..Problem::at(&file.text, &file.name, span.range()) }
            }
            None => Problem { source: None, ..Problem::at("", "", 0..0) },
        };
        Problem {
            severity: if diagnostic.severity() == Severity::Error { "error" } else { "warning" },
            code: diagnostic.code().to_owned(),
            message: diagnostic.message().to_owned(),
            help: diagnostic.help_text().to_owned(),
            label: diagnostic.labels().first().map(|label| label.text.clone()).unwrap_or_default(),
            ..problem
        }
    }

    /// Of a macro file.
    pub fn of_macros(error: &DefError, file: &str, text: &str) -> Problem {
        Problem {
            code: "hmc::macro-file".into(),
            message: error.message.clone(),
            help: MACRO_HELP.into(),
            ..Problem::at(text, file, error.span.clone())
        }
    }

    /// Of a litmus test.
    pub fn of_test(error: &litmus::Error, file: &str, text: &str) -> Problem {
        Problem {
            code: error.code.to_owned(),
            message: error.message.clone(),
            help: error.advice().to_owned(),
            ..Problem::at(text, file, error.span.clone())
        }
    }
}
