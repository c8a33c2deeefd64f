//! Tokens of textual LLVM IR.
//!
//! A token borrows from the text; quoted names keep their escapes, which are only compared, never shown.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind<'a> {
    /// `%name`
    Local(&'a str),
    /// `@name`
    Global(&'a str),
    /// `!name` or `!12`
    Meta(&'a str),
    /// `!"text"`
    MetaText(&'a str),
    /// `#12` or `#dbg_declare`
    Hash(&'a str),
    /// A keyword, type or other bare word.
    Word(&'a str),
    /// `name:`
    Label(&'a str),
    /// A decimal integer.
    Int(&'a str),
    /// Any other number.
    Number(&'a str),
    /// `"text"`
    Text(&'a str),
    /// `c"text"`
    Bytes(&'a str),
    /// `$name`
    Comdat,
    /// `...`
    Dots,
    /// One character.
    Mark(u8),
    /// A character that starts no token.
    Bad,
    /// The end.
    End,
}

/// A token and its line, from 1.
#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind<'a>,
    /// Where it is.
    pub line: u32,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'-')
}

/// All tokens of a text; the last one is [`Kind::End`].
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0, line: 1 };
    let mut out = Vec::with_capacity(text.len() / 5);
    loop {
        let token = lexer.next();
        out.push(token);
        if token.kind == Kind::End {
            return out;
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    line: u32,
}

impl<'a> Lexer<'a> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn skip_blanks(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => self.line += 1,
                b';' => {
                    while self.at < self.bytes.len() && self.bytes[self.at] != b'\n' {
                        self.at += 1;
                    }
                    continue;
                }
                b if b.is_ascii_whitespace() => {}
                _ => return,
            }
            self.at += 1;
        }
    }

    fn word(&mut self) -> &'a str {
        let from = self.at;
        while self.at < self.bytes.len() && is_word(self.bytes[self.at]) {
            self.at += 1;
        }
        &self.text[from..self.at]
    }

    /// A quoted text, the cursor standing on the opening quote.
    fn quoted(&mut self) -> &'a str {
        self.at += 1;
        let from = self.at;
        while self.at < self.bytes.len() && self.bytes[self.at] != b'"' {
            self.line += u32::from(self.bytes[self.at] == b'\n');
            self.at += 1;
        }
        let to = self.at;
        self.at = (self.at + 1).min(self.bytes.len());
        self.text.get(from..to).unwrap_or("")
    }

    /// A name after a sigil.
    fn name(&mut self) -> &'a str {
        self.at += 1;
        if self.peek(0) == b'"' { self.quoted() } else { self.word() }
    }

    fn next(&mut self) -> Token<'a> {
        self.skip_blanks();
        let line = self.line;
        let kind = self.kind();
        Token { kind, line }
    }

    fn kind(&mut self) -> Kind<'a> {
        let Some(&byte) = self.bytes.get(self.at) else { return Kind::End };
        match byte {
            b'%' => Kind::Local(self.name()),
            b'@' => Kind::Global(self.name()),
            b'$' => {
                self.name();
                Kind::Comdat
            }
            b'#' => Kind::Hash(self.name()),
            b'!' if self.peek(1) == b'"' => Kind::MetaText(self.name()),
            b'!' if is_word(self.peek(1)) => Kind::Meta(self.name()),
            b'c' if self.peek(1) == b'"' => Kind::Bytes(self.name()),
            b'"' => {
                let text = self.quoted();
                if self.peek(0) == b':' {
                    self.at += 1;
                    return Kind::Label(text);
                }
                Kind::Text(text)
            }
            b'.' if self.bytes[self.at..].starts_with(b"...") => {
                self.at += 3;
                Kind::Dots
            }
            _ if is_word(byte) || byte == b'+' => self.word_or_number(),
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b',' | b'=' | b'*' | b'!' | b'|' | b':' => {
                self.at += 1;
                Kind::Mark(byte)
            }
            _ => {
                self.at += self.text[self.at..].chars().next().map_or(1, char::len_utf8);
                Kind::Bad
            }
        }
    }

    fn word_or_number(&mut self) -> Kind<'a> {
        let from = self.at;
        self.at += usize::from(self.bytes[self.at] == b'+');
        self.word();
        // The exponent of a decimal number may carry a plus sign, which no word contains.
        let starts_number = matches!(self.bytes[from], b'0'..=b'9' | b'-' | b'+');
        if starts_number && self.peek(0) == b'+' && self.text[from..self.at].ends_with(['e', 'E']) {
            self.at += 1;
            self.word();
        }
        let word = &self.text[from..self.at];
        if self.peek(0) == b':' {
            self.at += 1;
            return Kind::Label(word);
        }
        let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
        if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
            return Kind::Int(word);
        }
        if starts_number { Kind::Number(word) } else { Kind::Word(word) }
    }
}

/// Undoes the `\xx` escapes of a quoted text.
pub fn unescape(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        if bytes[at] == b'\\' {
            if bytes.get(at + 1) == Some(&b'\\') {
                out.push(b'\\');
                at += 2;
                continue;
            }
            if let Some(byte) = text.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
                out.push(byte);
                at += 3;
                continue;
            }
        }
        out.push(bytes[at]);
        at += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_an_instruction() {
        let kinds: Vec<Kind> = tokens("%1 = load i32, ptr @x, !dbg !5 ; c\n12:\n 1.5e+00 c\"a\\00\" -3 #dbg_declare")
            .iter()
            .map(|t| t.kind)
            .collect();
        use Kind::*;
        assert_eq!(
            kinds,
            [
                Local("1"),
                Mark(b'='),
                Word("load"),
                Word("i32"),
                Mark(b','),
                Word("ptr"),
                Global("x"),
                Mark(b','),
                Meta("dbg"),
                Meta("5"),
                Label("12"),
                Number("1.5e+00"),
                Bytes("a\\00"),
                Int("-3"),
                Hash("dbg_declare"),
                End
            ]
        );
    }

    #[test]
    fn strange_bytes_do_not_stop_it() {
        for text in ["é@\u{7}", "\"", "%\"", "!", "c\"\\", "$", "#", "%"] {
            assert!(matches!(tokens(text).last(), Some(Token { kind: Kind::End, .. })));
        }
    }

    #[test]
    fn escapes() {
        assert_eq!(unescape("a\\00\\22\\\\b"), b"a\0\"\\b");
    }
}
