//! Places of the protocol.

use crate::editing::text;
use lsp_types::{Position, Range};

/// The byte at a position.
pub fn byte(text: &str, at: Position) -> usize {
    text::byte(text, text::Position { line: at.line, column: at.character })
}

/// The position of a byte.
pub fn position(text: &str, byte: usize) -> Position {
    let at = text::position(text, byte);
    Position { line: at.line, character: at.column }
}

/// The range of some bytes.
pub fn range(text: &str, bytes: std::ops::Range<usize>) -> Range {
    Range { start: position(text, bytes.start), end: position(text, bytes.end) }
}
