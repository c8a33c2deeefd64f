//! Tokens of cat and bell files (CAT.md, section 1; Dartagnan's spellings, section 9.1).

use crate::cat::dialect::Dialect;
use logos::{FilterResult, Lexer, Logos};
use std::fmt;
use std::ops::Range;

/// What the lexer keeps besides tokens.
#[derive(Default)]
pub struct Extras {
    /// Comment rules differ.
    pub dialect: Dialect,
    /// The comments met, for the formatter.
    pub comments: Vec<Range<usize>>,
}

/// Why a token could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LexError {
    /// No token starts with this character.
    #[default]
    Character,
    /// `(* …` or `/* …` without an end.
    OpenComment,
    /// `/* … */` in herd's dialect.
    CComment,
    /// `" …` without an end.
    OpenString,
}

fn line_comment<'i>(lexer: &mut Lexer<'i, Tok<'i>>) -> FilterResult<(), LexError> {
    let rest = lexer.remainder();
    lexer.bump(rest.find('\n').unwrap_or(rest.len()));
    let span = lexer.span();
    lexer.extras.comments.push(span);
    FilterResult::Skip
}

fn hash_comment<'i>(lexer: &mut Lexer<'i, Tok<'i>>) -> FilterResult<(), LexError> {
    match lexer.extras.dialect {
        Dialect::Herd => line_comment(lexer),
        Dialect::Dartagnan => FilterResult::Error(LexError::Character),
    }
}

/// `(* … *)`: nests in herd's dialect, ends at the first `*)` in Dartagnan's.
fn comment<'i>(lexer: &mut Lexer<'i, Tok<'i>>) -> FilterResult<(), LexError> {
    let nests = lexer.extras.dialect == Dialect::Herd;
    let bytes = lexer.remainder().as_bytes();
    let (mut depth, mut at) = (1_usize, 0);
    while depth > 0 {
        match (bytes.get(at), bytes.get(at + 1)) {
            (Some(b'*'), Some(b')')) => (depth, at) = (depth - 1, at + 2),
            (Some(b'('), Some(b'*')) if nests => (depth, at) = (depth + 1, at + 2),
            (Some(_), _) => at += 1,
            (None, _) => {
                lexer.bump(bytes.len());
                return FilterResult::Error(LexError::OpenComment);
            }
        }
    }
    lexer.bump(at);
    let span = lexer.span();
    lexer.extras.comments.push(span);
    FilterResult::Skip
}

fn c_comment<'i>(lexer: &mut Lexer<'i, Tok<'i>>) -> FilterResult<(), LexError> {
    match lexer.remainder().find("*/") {
        Some(end) => {
            lexer.bump(end + 2);
            let span = lexer.span();
            lexer.extras.comments.push(span);
            match lexer.extras.dialect {
                Dialect::Herd => FilterResult::Error(LexError::CComment),
                Dialect::Dartagnan => FilterResult::Skip,
            }
        }
        None => {
            lexer.bump(lexer.remainder().len());
            FilterResult::Error(LexError::OpenComment)
        }
    }
}

fn string<'i>(lexer: &mut Lexer<'i, Tok<'i>>) -> Result<&'i str, LexError> {
    let rest = lexer.remainder();
    match rest.find('"') {
        Some(end) => {
            lexer.bump(end + 1);
            Ok(&rest[..end])
        }
        None => {
            // Only the rest of the line is taken, so that what follows is still read.
            lexer.bump(rest.find('\n').unwrap_or(rest.len()));
            Err(LexError::OpenString)
        }
    }
}

/// A token.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(extras = Extras, error = LexError, skip r"[ \t\r\n]+")]
pub enum Tok<'i> {
    /// Never produced: comments are skipped.
    #[token("(*", comment)]
    #[token("//", line_comment)]
    #[token("#", hash_comment)]
    #[token("/*", c_comment)]
    Comment,
    #[regex(r"_?[A-Za-z][A-Za-z0-9_.\-]*'?")]
    Ident(&'i str),
    #[regex(r"'_?[A-Za-z][A-Za-z0-9_.\-]*'?", |lex| &lex.slice()[1..])]
    Tag(&'i str),
    #[token("\"", string)]
    Str(&'i str),
    #[token("_")]
    Underscore,
    #[token("0")]
    Zero,
    #[token("-1")]
    MinusOne,
    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("[")]
    LBracket,
    #[token("]")]
    RBracket,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    #[token("|")]
    Bar,
    #[token("||")]
    BarBar,
    #[token("&")]
    And,
    #[token("&&")]
    AndAnd,
    /// Closure: what follows cannot be an operand.
    #[token("*")]
    Star,
    /// Product: what follows is an operand. Told apart from [`Tok::Star`] after lexing.
    Times,
    #[token("~")]
    Tilde,
    #[token("+")]
    Plus,
    #[token("++")]
    PlusPlus,
    #[token("^")]
    Caret,
    #[token("\\")]
    Backslash,
    #[token("?")]
    Question,
    #[token("=")]
    Equal,
    #[token(";")]
    Semi,
    #[token(",")]
    Comma,
    #[token("->")]
    Arrow,
    #[token("let")]
    Let,
    #[token("rec")]
    Rec,
    #[token("and")]
    AndKw,
    #[token("when")]
    When,
    #[token("acyclic")]
    Acyclic,
    #[token("irreflexive")]
    Irreflexive,
    #[token("empty")]
    Empty,
    #[token("show")]
    Show,
    #[token("unshow")]
    Unshow,
    #[token("subset")]
    Subset,
    #[token("as")]
    As,
    #[token("fun")]
    Fun,
    #[token("in")]
    In,
    #[token("undefined_unless")]
    UndefinedUnless,
    #[token("flag")]
    Flag,
    #[token("assert")]
    Assert,
    #[token("include")]
    Include,
    #[token("variant")]
    Variant,
    #[token("begin")]
    Begin,
    #[token("end")]
    End,
    #[token("procedure")]
    Procedure,
    #[token("call")]
    Call,
    #[token("enum")]
    Enum,
    #[token("debug")]
    Debug,
    #[token("match")]
    Match,
    #[token("with")]
    With,
    #[token("forall")]
    Forall,
    #[token("from")]
    From,
    #[token("do")]
    Do,
    #[token("try")]
    Try,
    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("else")]
    Else,
    #[token("catdep")]
    Catdep,
    #[token("instructions")]
    Instructions,
    #[token("default")]
    Default,
    #[token("not")]
    Not,
}

impl Tok<'_> {
    /// Whether an expression may start here, so that a `*` before it is a product.
    pub fn starts_operand(self) -> bool {
        matches!(
            self,
            Tok::Ident(_)
                | Tok::Tag(_)
                | Tok::Zero
                | Tok::Underscore
                | Tok::LParen
                | Tok::LBracket
                | Tok::LBrace
                | Tok::Begin
                | Tok::Tilde
        )
    }

    /// Whether this is a word that cannot be a name.
    pub fn is_keyword(self) -> bool {
        self.to_string().trim_matches('`').bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
            && !matches!(self, Tok::Ident(_) | Tok::Underscore)
    }

    /// Whether this is `acyclic`, `irreflexive` or `empty`.
    pub fn is_predicate(self) -> bool {
        matches!(self, Tok::Acyclic | Tok::Irreflexive | Tok::Empty)
    }
}

impl fmt::Display for Tok<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Tok::Comment => "a comment",
            Tok::Ident(name) => return write!(f, "`{name}`"),
            Tok::Tag(name) => return write!(f, "`'{name}`"),
            Tok::Str(text) => return write!(f, "`\"{text}\"`"),
            Tok::Underscore => "`_`",
            Tok::Zero => "`0`",
            Tok::MinusOne => "`-1`",
            Tok::LParen => "`(`",
            Tok::RParen => "`)`",
            Tok::LBracket => "`[`",
            Tok::RBracket => "`]`",
            Tok::LBrace => "`{`",
            Tok::RBrace => "`}`",
            Tok::Bar => "`|`",
            Tok::BarBar => "`||`",
            Tok::And => "`&`",
            Tok::AndAnd => "`&&`",
            Tok::Star | Tok::Times => "`*`",
            Tok::Tilde => "`~`",
            Tok::Plus => "`+`",
            Tok::PlusPlus => "`++`",
            Tok::Caret => "`^`",
            Tok::Backslash => "`\\`",
            Tok::Question => "`?`",
            Tok::Equal => "`=`",
            Tok::Semi => "`;`",
            Tok::Comma => "`,`",
            Tok::Arrow => "`->`",
            Tok::Let => "`let`",
            Tok::Rec => "`rec`",
            Tok::AndKw => "`and`",
            Tok::When => "`when`",
            Tok::Acyclic => "`acyclic`",
            Tok::Irreflexive => "`irreflexive`",
            Tok::Empty => "`empty`",
            Tok::Show => "`show`",
            Tok::Unshow => "`unshow`",
            Tok::Subset => "`subset`",
            Tok::As => "`as`",
            Tok::Fun => "`fun`",
            Tok::In => "`in`",
            Tok::UndefinedUnless => "`undefined_unless`",
            Tok::Flag => "`flag`",
            Tok::Assert => "`assert`",
            Tok::Include => "`include`",
            Tok::Variant => "`variant`",
            Tok::Begin => "`begin`",
            Tok::End => "`end`",
            Tok::Procedure => "`procedure`",
            Tok::Call => "`call`",
            Tok::Enum => "`enum`",
            Tok::Debug => "`debug`",
            Tok::Match => "`match`",
            Tok::With => "`with`",
            Tok::Forall => "`forall`",
            Tok::From => "`from`",
            Tok::Do => "`do`",
            Tok::Try => "`try`",
            Tok::If => "`if`",
            Tok::Then => "`then`",
            Tok::Else => "`else`",
            Tok::Catdep => "`catdep`",
            Tok::Instructions => "`instructions`",
            Tok::Default => "`default`",
            Tok::Not => "`not`",
        };
        f.write_str(text)
    }
}
