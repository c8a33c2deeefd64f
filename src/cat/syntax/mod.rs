//! From text to trees: tokens, the grammar (`grammar/cat.lalrpop`), constructors.
//!
//! Reading never fails: it returns a tree, in which [`ast::ExprKind::Error`] and [`ast::InstrKind::Error`] stand for what
//! could not be read, and all errors.

pub mod ast;
pub mod build;
pub mod tokens;

use super::diagnostics::{
    Diagnostic, arrow_glued_to_name, c_comment, closure_taken_for_product, open_comment, open_string, title_too_long,
    unreadable_character,
};
use super::source::Span;
use crate::cat::dialect::Dialect;
use ast::File;
use build::{Builder, Interner};
use lalrpop_util::lalrpop_mod;
use logos::Logos;
use std::ops::Range;
use std::sync::Arc;
use tokens::{Extras, LexError, Tok};

lalrpop_mod!(
    #[allow(clippy::all, unused, missing_docs)]
    grammar,
    "/cat.rs"
);

/// Tokens with their places, and the comments between them.
pub struct Lexed<'i> {
    /// Start, token, end.
    pub tokens: Vec<(usize, Tok<'i>, usize)>,
    /// Byte ranges.
    pub comments: Vec<Range<usize>>,
}

/// Splits a file into tokens.
pub fn lex<'i>(text: &'i str, file: u32, dialect: Dialect, errors: &mut Vec<Diagnostic>) -> Lexed<'i> {
    let mut lexer = Tok::lexer_with_extras(text, Extras { dialect, comments: Vec::new() });
    let mut tokens: Vec<(usize, Tok, usize)> = Vec::new();
    let mut bad: Option<Range<usize>> = None;
    while let Some(token) = lexer.next() {
        let range = lexer.span();
        match token {
            Ok(token) => tokens.push((range.start, token, range.end)),
            Err(LexError::Character) if bad.as_ref().is_some_and(|b| b.end == range.start) => {
                // A run of unreadable characters is one error.
                bad = bad.map(|b| b.start..range.end);
                if let (Some(last), Some(b)) = (errors.last_mut(), &bad) {
                    last.widen(Span::new(file, b.start, b.end));
                }
            }
            Err(error) => {
                let span = Span::new(file, range.start, range.end);
                let glued = text[range.clone()].starts_with('>').then(|| tokens.last()).flatten().and_then(
                    |(l, t, r)| match t {
                        Tok::Ident(name) | Tok::Tag(name) if *r == range.start && name.ends_with('-') => Some((*l, *r)),
                        _ => None,
                    },
                );
                errors.push(match (error, glued) {
                    (LexError::Character, Some((l, _))) => {
                        arrow_glued_to_name::report(Span::new(file, l, range.end), &text[l..range.start - 1])
                    }
                    (LexError::Character, None) => unreadable_character::report(span, &text[range.clone()]),
                    (LexError::OpenComment, _) => open_comment::report(span),
                    (LexError::CComment, _) => c_comment::report(span),
                    (LexError::OpenString, _) => open_string::report(span),
                });
                if let Some((l, r)) = glued {
                    // Read on as if the blanks were there: the name without its dash, and the arrow.
                    repair_arrow(&mut tokens, l, r, text, range.end);
                }
                bad = (error == LexError::Character).then_some(range);
            }
        }
    }
    split_stars(&mut tokens, file, dialect, errors);
    Lexed { tokens, comments: lexer.extras.comments }
}

fn repair_arrow<'i>(tokens: &mut Vec<(usize, Tok<'i>, usize)>, l: usize, r: usize, text: &'i str, end: usize) {
    let Some((_, last, stop)) = tokens.last_mut() else { return };
    let name = &text[l..r - 1];
    *last = match *last {
        Tok::Tag(_) => Tok::Tag(name.trim_start_matches('\'')),
        _ => Tok::Ident(name),
    };
    *stop = r - 1;
    tokens.push((r - 1, Tok::Arrow, end));
}

/// Tells products from closures: `*` is a product exactly when an operand follows.
fn split_stars(tokens: &mut [(usize, Tok<'_>, usize)], file: u32, dialect: Dialect, errors: &mut Vec<Diagnostic>) {
    for at in 0..tokens.len() {
        if tokens[at].1 != Tok::Star {
            continue;
        }
        let next = tokens.get(at + 1).map(|t| t.1);
        let negated_check = next == Some(Tok::Tilde) && tokens.get(at + 2).is_some_and(|t| t.1.is_predicate());
        if negated_check {
            if dialect == Dialect::Herd {
                let (star, end) = (tokens[at].0, tokens[at + 2].2);
                errors.push(closure_taken_for_product::report(Span::new(file, star, end)));
            }
        } else if next.is_some_and(Tok::starts_operand)
            && tokens.get(at.wrapping_sub(1)).is_none_or(|t| t.1 != Tok::Caret)
        {
            tokens[at].1 = Tok::Times;
        }
    }
}

/// Reads a file.
pub fn parse(text: &str, file: u32, dialect: Dialect, interner: &mut Interner, errors: &mut Vec<Diagnostic>) -> File {
    let lexed = lex(text, file, dialect, errors);
    let mut builder = Builder { file, dialect, interner, errors, too_deep: false, text };
    let stream = lexed.tokens.into_iter().map(Ok::<_, ()>);
    let tree = match grammar::FileParser::new().parse(&mut builder, stream) {
        Ok(tree) => tree,
        Err(error) => {
            builder.syntax_error(error);
            File { title: Vec::new(), catdep: false, body: Arc::from([]) }
        }
    };
    if dialect == Dialect::Herd {
        let fits = match tree.title.as_slice() {
            [] | [_] => true,
            [first, _] => matches!(first, ast::TitleWord::Name(_)),
            _ => false,
        };
        if !fits {
            let (first, last) = (tree.title[0].span(), tree.title[tree.title.len() - 1].span());
            errors.push(title_too_long::report(Span { end: last.end, ..first }));
        }
    }
    tree
}
