//! A report that is written while results come: of a batch nothing stays in memory but what a form tells in its beginning or end.

use super::formats::{github, json, junit, sarif};
use super::style::Style;
use super::{Format, human};
use crate::verdict::{FileResult, Sources};
use std::io::{Result, Write};

/// A report in one form.
pub struct Stream {
    form: Form,
    style: Style,
}

enum Form {
    /// Text; `messages`: with those about the input.
    Human {
        messages: bool,
    },
    Herd,
    Json {
        is_first: bool,
    },
    Sarif(sarif::Collected),
    Junit(junit::Suite),
    Github,
}

impl Stream {
    /// A report that nothing was written of. `messages`: whether text tells what is wrong with the input.
    pub fn new(format: Format, style: Style, messages: bool) -> Stream {
        let form = match format {
            Format::Human => Form::Human { messages },
            Format::Herd => Form::Herd,
            Format::Json => Form::Json { is_first: true },
            Format::Sarif => Form::Sarif(sarif::Collected::default()),
            Format::Junit => Form::Junit(junit::Suite::default()),
            Format::Github => Form::Github,
        };
        Stream { form, style }
    }

    /// Writes what stands before all results.
    pub fn begin(&self, out: &mut dyn Write) -> Result<()> {
        match self.form {
            Form::Json { .. } => json::begin(out),
            _ => Ok(()),
        }
    }

    /// Writes a result, or keeps what the end is to say of it.
    pub fn add(&mut self, result: &FileResult, sources: &Sources, out: &mut dyn Write) -> Result<()> {
        match &mut self.form {
            Form::Human { messages: true } => out.write_all(human::result(result, sources, self.style).as_bytes()),
            Form::Human { messages: false } => out.write_all(human::body(result, sources, self.style).as_bytes()),
            Form::Herd => match &result.log {
                Some(log) => log.pieces(&result.states).try_for_each(|piece| out.write_all(piece.as_bytes())),
                None => out.write_all(human::body(result, sources, self.style).as_bytes()),
            },
            Form::Github => out.write_all(github::annotations(result).as_bytes()),
            Form::Json { is_first } => json::element(result, std::mem::take(is_first), out),
            Form::Sarif(collected) => {
                collected.add(result);
                Ok(())
            }
            Form::Junit(suite) => {
                suite.add(result);
                Ok(())
            }
        }
    }

    /// Writes the end. Of the results it needs what [`FileResult::in_brief`] leaves.
    pub fn end(&self, results: &[FileResult], out: &mut dyn Write) -> Result<()> {
        match &self.form {
            Form::Human { .. } => out.write_all(human::comparison(results, self.style).as_bytes()),
            Form::Herd | Form::Github => Ok(()),
            Form::Json { is_first } => json::end(*is_first, out),
            Form::Sarif(collected) => out.write_all(collected.document().as_bytes()),
            Form::Junit(suite) => out.write_all(suite.document().as_bytes()),
        }
    }
}

/// A whole report at once.
pub fn whole(format: Format, results: &[FileResult], sources: &Sources, style: Style) -> String {
    let mut out = Vec::new();
    let mut stream = Stream::new(format, style, true);
    // Writing to memory cannot fail.
    let _ = stream.begin(&mut out);
    results.iter().for_each(|result| drop(stream.add(result, sources, &mut out)));
    let _ = stream.end(results, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}
