//! What can be wrong with a litmus file: a code, a place, a sentence, and what to do about it.

use super::codes;
use std::ops::Range;

/// One complaint about a litmus file. `span` is a byte range of the text that was parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Stable identification, such as `litmus::unknown-instruction`.
    pub code: &'static str,
    /// Bytes of the source that are to blame.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it in this case; [`Error::advice`] has something for every case.
    pub help: Option<String>,
    /// The file is well formed as far as can be told, but asks for something that this tool does not do.
    pub unsupported: bool,
}

impl Error {
    /// A mistake in the input.
    pub fn new(code: &'static str, span: Range<usize>, message: impl Into<String>) -> Self {
        Error { code, span, message: message.into(), help: None, unsupported: false }
    }

    /// Something that is meaningful but not implemented.
    pub fn unsupported(code: &'static str, span: Range<usize>, message: impl Into<String>) -> Self {
        Error { unsupported: true, ..Error::new(code, span, message) }
    }

    /// Adds advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds advice if there is any.
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// What to do about it.
    pub fn advice(&self) -> &str {
        self.help.as_deref().or_else(|| Some(codes::find(self.code)?.help)).unwrap_or_default()
    }

    /// As one sentence with the place, for what does not keep a test from being run.
    pub fn as_note(&self, text: &str) -> String {
        let (line, column) = line_column(text, self.span.start);
        let help = self.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
        format!("line {line}, column {column}: {}{help}", self.message)
    }

    /// The same complaint, `by` bytes further on: for parts that were parsed on their own.
    pub fn shifted(mut self, by: usize) -> Self {
        self.span = self.span.start + by..self.span.end + by;
        self
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// The 1-based line and column (in characters) of a byte offset.
pub fn line_column(text: &str, offset: usize) -> (u32, u32) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() as u32 + 1, before[line_start..].chars().count() as u32 + 1)
}

/// The candidate nearest to `word` (case-insensitively), if it is near enough to be a likely slip.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.chars().take(40).flat_map(char::to_lowercase).collect();
    let limit = (word.len() / 3).clamp(1, 3);
    candidates
        .into_iter()
        .map(|c| (distance(&word, &c.chars().flat_map(char::to_lowercase).collect::<Vec<_>>()), c))
        .filter(|&(d, _)| d <= limit)
        .min_by_key(|&(d, _)| d)
        .map(|(_, c)| c)
}

/// Number of insertions, deletions, replacements and swaps of neighbours between two words.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_suggestions() {
        assert_eq!(line_column("ab\ncd", 4), (2, 2));
        assert_eq!(line_column("é", 1), (1, 1));
        assert_eq!(nearest("LDXRR", ["STR", "LDXR", "LDR"]), Some("LDXR"));
        assert_eq!(nearest("frobnicate", ["STR", "LDXR"]), None);
    }
}
