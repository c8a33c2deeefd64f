//! Source files and positions in them.

use std::ops::Range;
use std::sync::Arc;

/// A text without the byte order mark that some editors put in front of it.
pub fn without_mark(text: String) -> String {
    match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

/// A byte range of one of the files of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// Index into [`Sources`].
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end` of file `file`.
    pub fn new(file: u32, start: usize, end: usize) -> Self {
        Self { file, start: start as u32, end: end as u32 }
    }

    /// The bytes.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// One file: its name as the user knows it, and its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Path or name, for messages.
    pub name: Arc<str>,
    /// Its whole text.
    pub text: Arc<str>,
}

/// All files that a run has read, in the order of reading.
#[derive(Clone, Default, Debug)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// No file yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file; the result is its index.
    pub fn add(&mut self, name: &str, text: &str) -> u32 {
        self.files.push(SourceFile { name: name.into(), text: text.into() });
        self.files.len() as u32 - 1
    }

    /// A file by index.
    pub fn file(&self, index: u32) -> &SourceFile {
        &self.files[index as usize]
    }

    /// All files.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The text under a span.
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.range()).unwrap_or("")
    }

    /// Line and column (from 1, column in characters) of the start of a span.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        let text = &self.file(span.file).text;
        let before = text.get(..span.start as usize).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1;
        (line, column)
    }
}
