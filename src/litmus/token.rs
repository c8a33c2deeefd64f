//! Tokens of the initial state and of the condition.

use super::error::Error;
use logos::Logos;

/// How deeply brackets may nest.
pub const MAX_NESTING: usize = 200;

/// A token; names and numbers keep their spelling.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f]+")]
pub enum Token<'s> {
    /// A location, register, type or thread name.
    #[regex(r"[A-Za-z_.$]([A-Za-z0-9_/.\-$]*[A-Za-z0-9_.$])?")]
    Name(&'s str),
    /// A symbolic register (`%x`), or a register with its sigil (`%eax`).
    #[regex(r"%[A-Za-z_][A-Za-z0-9_]*")]
    Percent(&'s str),
    /// A decimal or hexadecimal number.
    #[regex(r"-?[0-9]+")]
    #[regex(r"-?0[xX][0-9a-fA-F]+")]
    Number(&'s str),
    /// A quoted string.
    #[regex(r#""[^"\n]*""#)]
    Text(&'s str),
    #[token(";")]
    Semi,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token("*")]
    Star,
    #[token("&")]
    Amp,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("=")]
    #[token("==")]
    Equal,
    #[token("!=")]
    #[token("<>")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("=>")]
    Implies,
    #[token("/\\")]
    And,
    #[token("\\/")]
    Or,
    #[token("~")]
    #[token("not", priority = 20)]
    Not,
    #[token("true", priority = 20)]
    True,
    #[token("false", priority = 20)]
    False,
    #[token("exists", priority = 20)]
    Exists,
    #[token("forall", priority = 20)]
    Forall,
    #[token("final", priority = 20)]
    Final,
    #[token("locations", priority = 20)]
    Locations,
    #[token("filter", priority = 20)]
    Filter,
    #[token("with", priority = 20)]
    With,
}

/// A token with its place, as LALRPOP wants it.
pub type Spanned<'s> = (usize, Token<'s>, usize);

/// All tokens of a section, or what is not one. Brackets nested deeper than [`MAX_NESTING`] are refused here, so that
/// nothing behind recurses deeper.
pub fn tokens(text: &str) -> Result<Vec<Spanned<'_>>, Vec<Error>> {
    let mut all = Vec::new();
    let mut errors = Vec::new();
    let mut depth = 0usize;
    for (token, span) in Token::lexer(text).spanned() {
        match token {
            Ok(token) => {
                match token {
                    Token::Open | Token::OpenBracket | Token::OpenBrace => depth += 1,
                    Token::Close | Token::CloseBracket | Token::CloseBrace => depth = depth.saturating_sub(1),
                    _ => {}
                }
                if depth > MAX_NESTING {
                    let message = format!("brackets are nested more than {MAX_NESTING} deep");
                    return Err(vec![Error::new("litmus::nesting", span, message)]);
                }
                all.push((span.start, token, span.end));
            }
            Err(()) => {
                let message = format!("unexpected character `{}`", &text[span.clone()]);
                errors.push(Error::new("litmus::character", span, message));
                if errors.len() >= 20 {
                    break;
                }
            }
        }
    }
    if errors.is_empty() { Ok(all) } else { Err(errors) }
}

/// The value of a number token as a 64-bit pattern, or nothing when it does not fit 64 bits.
pub fn number(spelling: &str) -> Option<u64> {
    let (negative, digits) = match spelling.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, spelling),
    };
    let magnitude = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None => digits.parse::<u64>().ok()?,
    };
    if negative { (magnitude <= 1 << 63).then(|| magnitude.wrapping_neg()) } else { Some(magnitude) }
}

/// Turns a parser's complaint into ours.
pub fn syntax_error<T: std::fmt::Debug>(
    error: lalrpop_util::ParseError<usize, T, Error>,
    text: &str,
    code: &'static str,
    what: &str,
) -> Error {
    use lalrpop_util::ParseError::*;
    match error {
        User { error } => error,
        UnrecognizedToken { token: (start, _, end), expected } => {
            let message = format!("unexpected `{}` in {what}", &text[start..end]);
            Error::new(code, start..end, message).maybe_help(expectation(&expected))
        }
        ExtraToken { token: (start, _, end) } => {
            Error::new(code, start..end, format!("`{}` follows the end of {what}", &text[start..end]))
        }
        UnrecognizedEof { expected, .. } => {
            let end = text.trim_end().len();
            Error::new(code, end.saturating_sub(1)..end, format!("{what} ends too early"))
                .maybe_help(expectation(&expected))
        }
        InvalidToken { location } => Error::new(code, location..location, format!("invalid token in {what}")),
    }
}

fn expectation(expected: &[String]) -> Option<String> {
    match expected.len() {
        0 => None,
        1..=8 => Some(format!("expected {}", expected.join(", ").replace('"', "`"))),
        _ => Some(format!("expected one of {}, …", expected[..8].join(", ").replace('"', "`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_swallow_conjunctions() {
        let kinds: Vec<Token> = tokens("x=y/\\0:r1=-2\\/~z<>0x1F").unwrap().into_iter().map(|t| t.1).collect();
        use Token::*;
        let expected = [
            Name("x"),
            Equal,
            Name("y"),
            And,
            Number("0"),
            Colon,
            Name("r1"),
            Equal,
            Number("-2"),
            Or,
            Not,
            Name("z"),
            NotEqual,
            Number("0x1F"),
        ];
        assert_eq!(kinds, expected);
    }

    #[test]
    fn numbers() {
        assert_eq!(number("-1"), Some(u64::MAX));
        assert_eq!(number("0x10"), Some(16));
        assert_eq!(number("99999999999999999999"), None);
        assert_eq!(number("-9223372036854775809"), None);
    }

    #[test]
    fn deep_nesting_is_an_error() {
        let errors = tokens(&"(".repeat(10_000)).unwrap_err();
        assert_eq!(errors[0].code, "litmus::nesting");
    }
}
