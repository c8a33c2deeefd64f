//! Cuts a litmus file into its sections by their text alone, as the format demands (`LITMUS.md` §1.1): header,
//! metadata, initial state, program, condition.
//!
//! The cutting does not depend on the language of the program, except that `(* … *)` is a comment everywhere but in C.
//! Comments are replaced by blanks of the same length, so that every offset stays an offset of the file.

use super::error::Error;
use std::ops::Range;

/// A piece of the file: its text (comments blanked) and where it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Text, of the same length as in the file.
    pub text: String,
    /// Byte offset of the text in the file.
    pub start: usize,
}

/// The sections of a file.
#[derive(Clone, Debug)]
pub struct Sections {
    /// First word of the file, as written.
    pub arch: String,
    /// Where it stands.
    pub arch_span: Range<usize>,
    /// Test name; empty when the header gives none.
    pub name: String,
    /// `key = value` lines before the initial state.
    pub metadata: Vec<(String, String)>,
    /// Where these lines stand.
    pub metadata_spans: Vec<Range<usize>>,
    /// Between the braces of the initial state.
    pub init: Section,
    /// From there to the condition.
    pub program: Section,
    /// The condition, possibly empty.
    pub condition: Section,
}

/// Words that end the program.
const CONDITION_WORDS: [&str; 8] =
    ["final", "forall", "exists", "cases", "observed", "Observed", "locations", "filter"];

/// Whether a header names the C language.
pub fn is_c(arch: &str) -> bool {
    matches!(arch, "C" | "CPP")
}

/// Where the first word of a file stands: the name of its architecture, if it has one.
pub fn first_word(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start().len();
    start..text[start..].find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).map_or(text.len(), |i| start + i)
}

/// Cuts `text` into sections.
pub fn split(text: &str) -> Result<Sections, Vec<Error>> {
    let Range { start, end: arch_end } = first_word(text);
    let arch = &text[start..arch_end];
    if arch.is_empty() {
        let message = "a litmus test starts with the name of an architecture, for instance `AArch64 MP`";
        return Err(vec![Error::new("litmus::header", 0..text.len().min(1), message)]);
    }
    let header_end = text[start..].find(['\n', '{']).map_or(text.len(), |i| start + i);
    let name = header_name(&text[arch_end..header_end]);
    let Some(open) = find_init(text, header_end) else {
        let message = "no initial state: expected `{ … }` after the header";
        return Err(vec![Error::new("litmus::no-init", text.len().saturating_sub(1)..text.len(), message)]);
    };
    let Some(close) = matching_brace(text, open) else {
        return Err(vec![Error::new("litmus::unclosed-init", open..open + 1, "this `{` is never closed")]);
    };
    let c = is_c(arch);
    let rest = if c { text[close + 1..].to_owned() } else { blank_comments(&text[close + 1..]) };
    let at = find_condition(&rest, c);
    let mut condition = blank_comments(&rest[at..]);
    if c {
        condition = blank_c_comments(&condition);
    }
    if let Some(end) = condition.find("<<") {
        condition.truncate(end);
    }
    let program = if c { blank_c_comments(&rest[..at]) } else { rest[..at].to_owned() };
    let mut line_start = header_end;
    let lines = text[header_end..open].split_inclusive('\n').filter_map(|line| {
        let start = line_start;
        line_start += line.len();
        let lead = line.len() - line.trim_start().len();
        Some((metadata_line(line)?, start + lead..start + line.trim_end().len()))
    });
    let (metadata, metadata_spans) = lines.unzip();
    let mut init = blank_comments(&text[open + 1..close]);
    if c {
        init = blank_c_comments(&init);
    }
    Ok(Sections {
        arch: arch.to_owned(),
        arch_span: start..arch_end,
        name,
        metadata,
        metadata_spans,
        init: Section { text: init, start: open + 1 },
        program: Section { text: program, start: close + 1 },
        condition: Section { text: condition, start: close + 1 + at },
    })
}

fn header_name(rest: &str) -> String {
    let name: String = rest
        .trim_start()
        .chars()
        .take_while(|&c| c.is_ascii_alphanumeric() || "_/.+-[]:".contains(c) || (!c.is_ascii() && !c.is_whitespace()))
        .collect();
    match name.strip_suffix(".litmus").unwrap_or(&name) {
        "--" => String::new(),
        name => name.to_owned(),
    }
}

fn metadata_line(line: &str) -> Option<(String, String)> {
    let (key, value) = line.split_once('=')?;
    let key = key.trim();
    let head = key.starts_with(|c: char| c.is_ascii_alphabetic());
    let tail = key.chars().all(|c| c.is_ascii_alphanumeric() || "_/.-".contains(c));
    (head && tail).then(|| (key.to_owned(), value.trim().to_owned()))
}

/// The `{` that opens the initial state: the first one that is neither in a metadata line nor in a recognised comment.
fn find_init(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    while at < text.len() {
        let line_end = text[at..].find('\n').map_or(text.len(), |i| at + i + 1);
        let line = &text[at..line_end];
        let opens = line.strip_prefix("(*").is_some_and(|rest| rest.starts_with(['\n', '\r', '{']));
        if opens && let Some(end) = comment_end(text.as_bytes(), at) {
            at = end;
        } else if at > from && metadata_line(line).is_some() {
            at = line_end;
        } else if let Some(i) = line.find('{') {
            return Some(at + i);
        } else {
            at = line_end;
        }
    }
    None
}

/// The end of the nesting comment that starts at `at`, or nothing when it is never closed.
fn comment_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 0usize;
    while at < bytes.len() {
        match &bytes[at..(at + 2).min(bytes.len())] {
            b"(*" => {
                depth += 1;
                at += 2;
            }
            b"*)" => {
                depth = depth.checked_sub(1)?;
                at += 2;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
    None
}

fn matching_brace(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (i, b) in text.bytes().enumerate().skip(open) {
        match b {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}

fn blank(bytes: &mut [u8]) {
    for b in bytes.iter_mut().filter(|b| **b != b'\n') {
        *b = b' ';
    }
}

fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

/// Blanks `(* … *)`, which nests; double-quoted strings are left alone. An unclosed comment is left as it stands.
pub fn blank_comments(text: &str) -> String {
    if !text.contains("(*") {
        return text.to_owned();
    }
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'"' {
            at = string_end(&bytes, at);
        } else if bytes[at..].starts_with(b"(*") {
            match comment_end(&bytes, at) {
                Some(end) => {
                    blank(&mut bytes[at..end]);
                    at = end;
                }
                None => return into_text(bytes),
            }
        } else {
            at += 1;
        }
    }
    into_text(bytes)
}

fn string_end(bytes: &[u8], open: usize) -> usize {
    bytes[open + 1..].iter().position(|&b| b == b'"' || b == b'\n').map_or(bytes.len(), |i| open + 2 + i)
}

/// Blanks `/* … */` and `// …`.
pub fn blank_c_comments(text: &str) -> String {
    if !text.contains('/') {
        return text.to_owned();
    }
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = if bytes[at..].starts_with(b"//") {
            bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |i| at + i)
        } else if bytes[at..].starts_with(b"/*") {
            bytes[at + 2..].windows(2).position(|w| w == b"*/").map_or(bytes.len(), |i| at + 2 + i + 2)
        } else {
            at += 1;
            continue;
        };
        blank(&mut bytes[at..end]);
        at = end;
    }
    into_text(bytes)
}

/// Where the condition starts in what follows the initial state. In C, comments still stand in the text and are skipped here.
fn find_condition(rest: &str, c: bool) -> usize {
    let visible = if c { blank_c_comments(rest) } else { rest.to_owned() };
    let bytes = visible.as_bytes();
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'"' {
            at = string_end(bytes, at);
            continue;
        }
        if !word(bytes[at]) {
            at += 1;
            continue;
        }
        let end = bytes[at..].iter().position(|&b| !word(b)).map_or(bytes.len(), |i| at + i);
        if CONDITION_WORDS.contains(&&visible[at..end]) {
            let before = visible[..at].trim_end();
            return if &visible[at..end] == "exists" && before.ends_with('~') { before.len() - 1 } else { at };
        }
        at = end;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_of_a_small_test() {
        let s = split("X86 SB.litmus\n\"doc\"\nKey=v {\n{ x=0; }\n P0 ;\n (* exists *) NOP ;\n~ exists (x=1) << z")
            .unwrap();
        assert_eq!((s.arch.as_str(), s.name.as_str()), ("X86", "SB"));
        assert_eq!(s.metadata, [("Key".to_owned(), "v {".to_owned())]);
        assert_eq!(s.init.text.trim(), "x=0;");
        assert!(s.condition.text.starts_with("~ exists"));
        assert!(!s.condition.text.contains("<<"));
        assert!(!s.program.text.contains("exists"));
    }

    #[test]
    fn comments_before_the_initial_state() {
        let s = split("C t\n(*\n { braces }\n*)\n{ x=1; }\nP0(int *x) { /* exists */ }\nexists (x=1)").unwrap();
        assert_eq!(s.init.text.trim(), "x=1;");
        assert!(s.condition.text.starts_with("exists"));
        let s = split("RISCV t\n(* never closed\n{ x=1; }\n P0 ; \n nop ;\n").unwrap();
        assert_eq!(s.init.text.trim(), "x=1;");
        assert_eq!(s.condition.text, "");
    }

    #[test]
    fn broken_files_are_errors() {
        for text in ["", "   ", "{", "X86", "X86 t", "X86 t {", "X86 t { {} "] {
            assert!(split(text).is_err(), "{text:?}");
        }
    }
}
