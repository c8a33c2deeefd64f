//! Assembly text as statements: labels, directives, instructions, each with its place.

use super::target::Target;
use crate::litmus::Error;
use std::ops::Range;

/// One statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// Bytes of the file.
    pub span: Range<usize>,
    /// What it is.
    pub kind: Kind,
}

/// What a statement is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `name:`
    Label(String),
    /// `.name operands`
    Directive(String, Vec<String>),
    /// `mnemonic operands`; of x86, `lock` is a part of the mnemonic.
    Instruction(String, Vec<String>),
}

/// A text as read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Text {
    /// Its statements, in order.
    pub statements: Vec<Statement>,
    /// What comments that begin with `litmus:` say, and where.
    pub wishes: Vec<(Range<usize>, String)>,
}

/// What begins a comment that says what the test is.
const WISH: &str = "litmus:";

/// Cuts a text into statements.
pub fn read(text: &str, target: Target) -> Result<Text, Vec<Error>> {
    let (plain, wishes) = without_comments(text, target);
    let mut all = Text { statements: Vec::new(), wishes };
    let mut errors = Vec::new();
    for range in pieces(&plain) {
        match statement(&plain, range, target) {
            Ok(statements) => all.statements.extend(statements),
            Err(error) => errors.push(error),
        }
    }
    join_prefixes(&mut all.statements);
    if errors.is_empty() { Ok(all) } else { Err(errors) }
}

/// The text with blanks for comments, so that places stay, and the comments for hmc.
fn without_comments(text: &str, target: Target) -> (String, Vec<(Range<usize>, String)>) {
    let mut out = String::with_capacity(text.len());
    let mut wishes = Vec::new();
    let (mut at, mut is_start, mut quoted) = (0, true, false);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let rest = &text[at..];
        let is_line = target.comments().iter().any(|mark| rest.starts_with(mark)) || is_start && rest.starts_with('#');
        let end = match () {
            () if quoted => None,
            () if rest.starts_with("/*") => Some(rest.find("*/").map_or(rest.len(), |end| end + 2)),
            () if is_line => Some(rest.find('\n').unwrap_or(rest.len())),
            () => None,
        };
        if let Some(end) = end {
            let said = rest[..end].trim_start_matches(['#', '/', '*', ' ', '\t']);
            if let Some(wish) = said.strip_prefix(WISH) {
                wishes.push((at..at + end, wish.trim().trim_end_matches("*/").trim().to_owned()));
            }
            out.extend(rest[..end].bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
            at += end;
            continue;
        }
        let c = rest.chars().next().unwrap_or(' ');
        match c {
            '\\' if quoted => {
                // What is escaped ends no string.
                let next = rest[1..].chars().next().filter(char::is_ascii);
                out.push(c);
                out.extend(next);
                at += 1 + usize::from(next.is_some());
                continue;
            }
            '"' => quoted = !quoted,
            '\n' => quoted = false,
            _ => {}
        }
        is_start = c == '\n' || is_start && c.is_whitespace();
        out.push(c);
        at += c.len_utf8();
    }
    (out, wishes)
}

/// Statements end with lines and with semicolons.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let (mut all, mut start, mut quoted) = (Vec::new(), 0, false);
    for (at, b) in text.bytes().enumerate() {
        match b {
            b'"' if !text[..at].ends_with('\\') => quoted = !quoted,
            b'\n' => quoted = false,
            _ => {}
        }
        if b == b'\n' || b == b';' && !quoted {
            all.push(start..at);
            start = at + 1;
        }
    }
    all.push(start..text.len());
    all
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let piece = &text[range.clone()];
    let start = range.start + piece.len() - piece.trim_start().len();
    start..(range.start + piece.trim_end().len()).max(start)
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_.$@".contains(c)
}

/// The labels of a piece, and the statement behind them.
fn statement(text: &str, range: Range<usize>, target: Target) -> Result<Vec<Statement>, Error> {
    let mut all = Vec::new();
    let mut range = trimmed(text, range);
    loop {
        let piece = &text[range.clone()];
        let end = piece.find(|c| !is_name(c)).unwrap_or(piece.len());
        let is_label = end > 0 && piece[end..].starts_with(':') && !piece[end..].starts_with("::");
        if !is_label {
            break;
        }
        let span = range.start..range.start + end;
        all.push(Statement { span: span.clone(), kind: Kind::Label(piece[..end].to_owned()) });
        range = trimmed(text, span.end + 1..range.end);
    }
    let piece = &text[range.clone()];
    if piece.is_empty() {
        return Ok(all);
    }
    let word = piece.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(piece.len());
    let (name, rest) = piece.split_at(word);
    let is_assignment = rest.trim_start().starts_with('=') && !rest.trim_start().starts_with("==");
    let kind = if is_assignment {
        let value = rest.trim_start().trim_start_matches('=').trim();
        Kind::Directive(".set".to_owned(), vec![name.to_owned(), value.to_owned()])
    } else if name.starts_with('.') {
        Kind::Directive(name.to_ascii_lowercase(), operands(rest))
    } else {
        let is_word = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !name.chars().all(is_word) {
            let message = format!("`{piece}` is no statement of {} assembly", target.name());
            return Err(Error::new("litmus::assembly", range, message));
        }
        Kind::Instruction(name.to_ascii_lowercase(), operands(rest))
    };
    all.push(Statement { span: range, kind });
    Ok(all)
}

/// Operands between commas that stand in no brackets and no string.
pub fn operands(text: &str) -> Vec<String> {
    let (mut all, mut depth, mut quoted, mut start) = (Vec::new(), 0_usize, false, 0);
    for (at, c) in text.char_indices() {
        match c {
            '"' if !text[..at].ends_with('\\') => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                all.push(text[start..at].trim().to_owned());
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = text[start..].trim();
    if !last.is_empty() || !all.is_empty() {
        all.push(last.to_owned());
    }
    all
}

/// A prefix of x86 belongs to the instruction behind it, on the same line or the next one.
fn join_prefixes(statements: &mut Vec<Statement>) {
    let mut joined: Vec<Statement> = Vec::with_capacity(statements.len());
    for mut statement in statements.drain(..) {
        if let Kind::Instruction(name, operands) = &mut statement.kind {
            if matches!(name.as_str(), "lock" | "rep" | "notrack" | "data16") && !operands.is_empty() {
                // `lock xaddl %eax, x`: the first operand begins with the mnemonic.
                let first = operands[0].clone();
                let (word, rest) = first.split_once(char::is_whitespace).unwrap_or((&first, ""));
                let is_locked = name == "lock";
                *name = if is_locked { format!("lock {word}") } else { word.to_owned() };
                match rest.trim() {
                    "" => drop(operands.remove(0)),
                    rest => operands[0] = rest.to_owned(),
                }
            } else if let Some(Statement { kind: Kind::Instruction(prefix, none), .. }) = joined.last()
                && prefix == "lock"
                && none.is_empty()
            {
                *name = format!("lock {name}");
                joined.pop();
            }
        }
        joined.push(statement);
    }
    *statements = joined;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str, target: Target) -> Vec<Kind> {
        read(text, target).unwrap().statements.into_iter().map(|s| s.kind).collect()
    }

    fn code(name: &str, operands: &[&str]) -> Kind {
        Kind::Instruction(name.into(), operands.iter().map(|&o| o.to_owned()).collect())
    }

    #[test]
    fn statements_of_all_kinds() {
        let text = "f:\t.cfi_startproc // litmus: exists (x=1)\n# 1 \"a.c\"\n  LDR w0, [x1, :lo12:x]; ret\n.string \"a;b//c\\\"\"\n/* no\ncode */ .set a, b";
        let kinds = kinds(text, Target::AArch64);
        let directive = |name: &str, operands: &[&str]| {
            Kind::Directive(name.into(), operands.iter().map(|&o| o.to_owned()).collect())
        };
        assert_eq!(
            kinds,
            [
                Kind::Label("f".into()),
                directive(".cfi_startproc", &[]),
                code("ldr", &["w0", "[x1, :lo12:x]"]),
                code("ret", &[]),
                directive(".string", &["\"a;b//c\\\"\""]),
                directive(".set", &["a", "b"]),
            ]
        );
        assert_eq!(read(text, Target::AArch64).unwrap().wishes[0].1, "exists (x=1)");
    }

    #[test]
    fn prefixes_belong_to_the_next_instruction() {
        let expected = [code("lock xaddl", &["%eax", "x(%rip)"]), code("lock incl", &["(%rax)"]), code("ret", &[])];
        assert_eq!(kinds("lock\t\txaddl %eax, x(%rip)\nlock; incl (%rax)\nrep ret", Target::X86_64), expected);
        assert!(read("}x", Target::X86_64).is_err());
    }
}
