//! Tokens of macro files.

use super::Primitive;
use logos::{FilterResult, Lexer, Logos};

/// Skips a comment that has just been opened; an error when nothing closes it.
fn block_comment(lexer: &mut Lexer<Tok>) -> FilterResult<(), ()> {
    match lexer.remainder().find("*/") {
        Some(end) => {
            lexer.bump(end + 2);
            FilterResult::Skip
        }
        None => {
            lexer.bump(lexer.remainder().len());
            FilterResult::Error(())
        }
    }
}

/// A token of a `.def` file.
#[derive(Logos, Clone, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\f]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub enum Tok {
    /// Never produced: comments are skipped.
    #[token("/*", block_comment)]
    Comment,
    /// An identifier or keyword that no rule below claims.
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*", |lex| lex.slice().to_owned())]
    Name(String),
    /// A decimal or hexadecimal integer.
    #[regex(r"[0-9]+", |lex| lex.slice().parse().ok())]
    #[regex(r"0[xX][0-9A-Fa-f]+", |lex| i64::from_str_radix(&lex.slice()[2..], 16).ok())]
    Int(i64),
    /// An internal operation that takes plain arguments.
    #[token("__load", |_| Primitive::Load)]
    #[token("__store", |_| Primitive::Store)]
    #[token("__fence", |_| Primitive::Fence)]
    #[token("__xchg", |_| Primitive::Xchg)]
    #[token("__cmpxchg", |_| Primitive::CmpXchg)]
    #[token("__atomic_add_unless", |_| Primitive::AtomicAddUnless)]
    #[token("__lock", |_| Primitive::Lock)]
    #[token("__trylock", |_| Primitive::TryLock)]
    #[token("__unlock", |_| Primitive::Unlock)]
    #[token("__islocked", |_| Primitive::IsLocked)]
    #[token("__srcu", |_| Primitive::Srcu)]
    Primitive(Primitive),
    /// An internal operation whose second argument is an operator.
    #[token("__atomic_op", |_| Primitive::AtomicOp)]
    #[token("__atomic_op_return", |_| Primitive::AtomicOpReturn)]
    #[token("__atomic_fetch_op", |_| Primitive::AtomicFetchOp)]
    AtomicPrimitive(Primitive),
    #[token("if")]
    If,
    #[token("else")]
    Else,
    #[token("while")]
    While,
    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    #[token("[")]
    LBracket,
    #[token("]")]
    RBracket,
    #[token(",")]
    Comma,
    #[token(";")]
    Semi,
    #[token("?")]
    Question,
    #[token(":")]
    Colon,
    #[token("=")]
    Assign,
    #[token("==")]
    EqEq,
    #[token("!=")]
    NotEq,
    #[token("<")]
    Lt,
    #[token("<=")]
    Le,
    #[token(">")]
    Gt,
    #[token(">=")]
    Ge,
    #[token("<<")]
    Shl,
    #[token(">>")]
    Shr,
    #[token("&&")]
    AndAnd,
    #[token("||")]
    OrOr,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("&")]
    Amp,
    #[token("|")]
    Pipe,
    #[token("^")]
    Caret,
    #[token("~")]
    Tilde,
    #[token("!")]
    Bang,
}
