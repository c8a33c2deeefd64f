//! `hmc model fmt`: uniform spacing, with comments and line breaks kept.
//!
//! The formatter works on tokens: it never changes them, their order, or which line they stand on, only the blanks between
//! them. Blanks around binary operators, none inside brackets or before postfix operators; at most one empty line in a row; no
//! blanks at the end of a line; one line feed at the end of the file. Indentation stays as written, in blanks. Whatever it
//! does is checked by reading the result again: a file that would read differently is left as it is.

use crate::cat::diagnostics::Diagnostic;
use crate::cat::dialect::Dialect;
use crate::cat::syntax::build::Interner;
use crate::cat::syntax::tokens::Tok;
use crate::cat::syntax::{lex, parse};
use std::ops::Range;

/// A token or comment.
struct Piece<'t> {
    range: Range<usize>,
    token: Option<Tok<'t>>,
}

/// The formatted text; errors when the file does not parse.
pub fn format(text: &str, dialect: Dialect) -> Result<String, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    parse(text, 0, dialect, &mut Interner::default(), &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    let formatted = respace(text, dialect);
    Ok(if same_tokens(text, &formatted, dialect) { formatted } else { text.to_owned() })
}

fn pieces(text: &str, dialect: Dialect) -> Vec<Piece<'_>> {
    let lexed = lex(text, 0, dialect, &mut Vec::new());
    let tokens = lexed.tokens.into_iter().map(|(l, t, r)| Piece { range: l..r, token: Some(t) });
    let comments = lexed.comments.into_iter().map(|range| Piece { range, token: None });
    let mut all: Vec<Piece<'_>> = tokens.chain(comments).collect();
    all.sort_by_key(|p| p.range.start);
    all
}

fn respace(text: &str, dialect: Dialect) -> String {
    let mut out = String::with_capacity(text.len());
    let mut previous: Option<Piece<'_>> = None;
    for piece in pieces(text, dialect) {
        let from = previous.as_ref().map_or(0, |p| p.range.end);
        let between = &text[from..piece.range.start];
        let breaks = between.matches('\n').count();
        if breaks > 0 || previous.is_none() {
            let wanted = if previous.is_none() { 0 } else { breaks.min(2) };
            out.extend(std::iter::repeat_n('\n', wanted));
            let indentation = between.rsplit('\n').next().unwrap_or("");
            let width: usize = indentation.chars().fold(0, |w, c| if c == '\t' { (w / 8 + 1) * 8 } else { w + 1 });
            out.extend(std::iter::repeat_n(' ', width));
        } else if let Some(previous) = &previous {
            match (previous.token, piece.token) {
                (Some(a), Some(b)) => {
                    if spaced(a, b, !between.is_empty()) {
                        out.push(' ');
                    }
                }
                // Beside a comment the blanks may be an alignment.
                _ if between.is_empty() => {}
                _ => out.push_str(&between.replace('\t', " ").replace('\r', "")),
            }
        }
        // Lines inside a comment lose their trailing blanks, too.
        let lines: Vec<&str> = text[piece.range.clone()].split('\n').map(str::trim_end).collect();
        out.push_str(&match piece.token {
            None => lines.join("\n"),
            Some(_) => text[piece.range.clone()].to_owned(),
        });
        previous = Some(piece);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// Whether a blank belongs between two tokens of a line.
fn spaced(a: Tok<'_>, b: Tok<'_>, was: bool) -> bool {
    let opens = matches!(a, Tok::LParen | Tok::LBracket | Tok::LBrace | Tok::Tilde | Tok::Caret);
    let closes = matches!(b, Tok::RParen | Tok::RBracket | Tok::RBrace | Tok::Comma);
    let postfix = matches!(b, Tok::Plus | Tok::Star | Tok::Question | Tok::Caret);
    // `f(x)` and `f (x)` are both calls; which is a matter of taste.
    let call = matches!(a, Tok::Ident(_)) && matches!(b, Tok::LParen | Tok::LBracket | Tok::LBrace);
    if opens || closes || postfix {
        return false;
    }
    if call {
        return was;
    }
    true
}

fn same_tokens(a: &str, b: &str, dialect: Dialect) -> bool {
    let words = |text: &str| -> Vec<String> {
        pieces(text, dialect)
            .iter()
            .map(|p| text[p.range.clone()].split_whitespace().collect::<Vec<_>>().join(" "))
            .collect()
    };
    words(a) == words(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spacing() {
        let formatted =
            format("let  a=( po|rf ) ;[ W ]^-1\t(* c *)  \n\n\n\nlet f (x)=x +\nacyclic f(a)|~ ( a* )", Dialect::Herd);
        let wanted = "let a = (po | rf) ; [W]^-1 (* c *)\n\nlet f (x) = x+\nacyclic f(a) | ~(a*)\n";
        assert_eq!(formatted.as_deref(), Ok(wanted));
    }

    #[test]
    fn errors_are_returned() {
        assert!(format("let = po", Dialect::Herd).is_err());
        assert_eq!(format("", Dialect::Herd).as_deref(), Ok(""));
    }

    #[test]
    fn bundled_files_keep_their_meaning_and_settle() {
        for name in crate::cat::library::embedded_names() {
            let Some(text) =
                crate::cat::library::embedded(&name).filter(|_| name.ends_with(".cat") || name.ends_with(".bell"))
            else {
                continue;
            };
            let once = format(text, Dialect::Herd).expect("bundled files parse");
            assert!(same_tokens(text, &once, Dialect::Herd), "{name}");
            assert_eq!(format(&once, Dialect::Herd).as_deref(), Ok(&*once), "{name}");
        }
    }
}
