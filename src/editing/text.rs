//! Places as editors count them: lines from 0, columns and offsets in UTF-16 units.

use std::ops::Range;

/// A place in a text: line and column from 0, the column in UTF-16 units.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Position {
    /// From 0.
    pub line: u32,
    /// From 0.
    pub column: u32,
}

/// The last character boundary at or before a byte.
fn boundary(text: &str, byte: usize) -> usize {
    (0..=byte.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// UTF-16 units in front of a byte.
pub fn units(text: &str, byte: usize) -> usize {
    text[..boundary(text, byte)].encode_utf16().count()
}

/// The line of a byte, from 1.
pub fn line(text: &str, byte: usize) -> usize {
    text.bytes().take(byte).filter(|&b| b == b'\n').count() + 1
}

/// Where a byte stands.
pub fn position(text: &str, byte: usize) -> Position {
    let byte = boundary(text, byte);
    let start = text[..byte].rfind('\n').map_or(0, |at| at + 1);
    Position { line: line(text, byte) as u32 - 1, column: units(&text[start..], byte - start) as u32 }
}

/// The byte at a place; places behind the end of a line mean its end.
pub fn byte(text: &str, at: Position) -> usize {
    let mut start = 0;
    for _ in 0..at.line {
        match text[start..].find('\n') {
            Some(end) => start += end + 1,
            None => return text.len(),
        }
    }
    let line = text[start..].split('\n').next().unwrap_or("");
    let line = line.strip_suffix('\r').unwrap_or(line);
    let mut column = 0;
    for (offset, character) in line.char_indices() {
        if column >= at.column as usize {
            return start + offset;
        }
        column += character.len_utf16();
    }
    start + line.len()
}

/// The word around a byte, of characters that `is_part` accepts.
pub fn word(text: &str, byte: usize, is_part: impl Fn(char) -> bool) -> Range<usize> {
    let byte = boundary(text, byte);
    let before: usize = text[..byte].chars().rev().take_while(|&c| is_part(c)).map(char::len_utf8).sum();
    let after: usize = text[byte..].chars().take_while(|&c| is_part(c)).map(char::len_utf8).sum();
    byte - before..byte + after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_in_units() {
        let text = "aé\n𝄞b\r\nc";
        for at in (0..=text.len()).filter(|&at| text.is_char_boundary(at) && !text[at..].starts_with('\n')) {
            assert_eq!(byte(text, position(text, at)), at);
        }
        assert_eq!(position(text, text.find('b').expect("b")), Position { line: 1, column: 2 });
        assert_eq!((units(text, text.len()), line(text, text.len())), (9, 3));
        assert_eq!(byte(text, Position { line: 1, column: 90 }), text.find('\r').expect("a line end"));
        assert_eq!(byte(text, Position { line: 9, column: 0 }), text.len());
        assert_eq!(&text[word(text, 1, char::is_alphanumeric)], "aé");
    }
}
