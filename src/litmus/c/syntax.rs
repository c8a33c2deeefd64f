//! Tokens and syntax trees of C litmus tests. Expressions are those of macro files ([`crate::cat::def`]).

use crate::cat::def::Expr;
use crate::cat::def::tokens::Tok;
use crate::litmus::error::Error;
use crate::litmus::split::Section;
use crate::litmus::token::syntax_error;
use logos::Logos;
use std::ops::Range;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, unused, missing_docs)]
    grammar,
    "/litmus_c.rs"
);

/// Brackets may nest this deep.
const MAX_NESTING: usize = 64;
/// A statement may have this many tokens, which bounds the depth of its expressions.
const MAX_TOKENS: usize = 1000;
/// A program may have this many `if` and `while`, which bounds how deep statements nest without brackets.
const MAX_BRANCHES: usize = 400;

/// A token: those of macro files, with names of types told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CTok {
    /// A type that is one word.
    Type(String),
    /// `struct`, `union`, `enum`.
    Struct,
    /// `const`, `volatile`, `_Atomic`, …
    Qualifier(String),
    /// Anything else.
    Other(Tok),
}

/// A thread.
#[derive(Clone, Debug)]
pub struct Thread {
    /// `P0`, ….
    pub name: String,
    /// Its head, in bytes.
    pub head: Range<usize>,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// What stands between the braces, in bytes.
    pub inside: Range<usize>,
    /// The statements.
    pub body: Vec<Stmt>,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The words of its type.
    pub words: Vec<String>,
    /// Number of `*`.
    pub stars: u32,
    /// Its name, which is that of a variable.
    pub name: String,
    /// Where it stands.
    pub span: Range<usize>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Where it stands (for a compound statement, its head).
    pub span: Range<usize>,
    /// What it is.
    pub kind: Kind,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// `e;`
    Expr(Expr),
    /// `lvalue = e;`
    Assign(Expr, Expr),
    /// `{ … }`
    Block(Vec<Stmt>),
    /// `if (c) s else s`
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `while (c) s`
    While(Expr, Box<Stmt>),
}

impl Stmt {
    /// A statement at a place.
    pub fn new(span: Range<usize>, kind: Kind) -> Stmt {
        Stmt { span, kind }
    }

    /// The assignments that a declaration makes.
    pub fn declaration(span: Range<usize>, first: (String, Option<Expr>), rest: Vec<(String, Option<Expr>)>) -> Stmt {
        let assignment = |(name, value): (String, Option<Expr>)| {
            value.map(|value| Stmt::new(span.clone(), Kind::Assign(Expr::Name(name), value)))
        };
        let body = std::iter::once(first).chain(rest).filter_map(assignment).collect();
        Stmt::new(span.clone(), Kind::Block(body))
    }
}

const TYPES: [&str; 39] = [
    "void",
    "int",
    "char",
    "short",
    "long",
    "unsigned",
    "signed",
    "bool",
    "_Bool",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "intptr_t",
    "uintptr_t",
    "size_t",
    "atomic_t",
    "atomic64_t",
    "atomic_int",
    "atomic_uint",
    "atomic_bool",
    "spinlock_t",
    "mtx_t",
    "atomic_flag",
    "raw_spinlock_t",
    "u8",
    "u16",
    "u32",
    "u64",
    "s8",
    "s16",
    "s32",
    "s64",
    "atomic_char",
    "atomic_long",
];

fn classify(token: Tok) -> CTok {
    match token {
        Tok::Name(name) => match name.as_str() {
            "struct" | "union" | "enum" => CTok::Struct,
            "const" | "volatile" | "_Atomic" | "static" | "extern" | "inline" | "restrict" | "register" => {
                CTok::Qualifier(name)
            }
            word if TYPES.contains(&word) => CTok::Type(name),
            _ => CTok::Other(Tok::Name(name)),
        },
        token => CTok::Other(token),
    }
}

/// Reads the threads of a program, with offsets of the file.
pub fn parse(section: &Section, errors: &mut Vec<Error>) -> Vec<Thread> {
    let mut tokens = Vec::new();
    for (token, span) in Tok::lexer(&section.text).spanned() {
        let place = span.start + section.start..span.end + section.start;
        match token {
            Ok(token) => tokens.push((place.start, classify(token), place.end)),
            Err(()) => {
                let message = format!("`{}` is not C", &section.text[span]);
                errors.push(Error::new("litmus::character", place, message));
                if errors.len() >= 20 {
                    return Vec::new();
                }
            }
        }
    }
    tell_names_from_types(&mut tokens);
    if let Some(error) = too_deep(&tokens) {
        errors.push(error);
        return Vec::new();
    }
    let mut recovered = Vec::new();
    let result = grammar::ProgramParser::new().parse(&mut recovered, tokens.into_iter().map(Ok));
    // Offsets are those of the file; the text for messages is padded to match.
    let complaint = |e| {
        let text = " ".repeat(section.start) + &section.text;
        syntax_error(e, &text, "litmus::c-syntax", "the program")
    };
    errors.extend(recovered.into_iter().map(|r| complaint(r.error)));
    match result {
        Ok(threads) => threads,
        Err(error) => {
            errors.push(complaint(error));
            Vec::new()
        }
    }
}

/// The kernel's short names of types (`s8`) are registers where no declaration or cast can stand.
fn tell_names_from_types(tokens: &mut [(usize, CTok, usize)]) {
    for i in 0..tokens.len() {
        let is_name = matches!(
            tokens.get(i + 1),
            Some((_, CTok::Other(next), _)) if !matches!(next, Tok::Name(_) | Tok::Star | Tok::RParen)
        );
        if let CTok::Type(name) = &tokens[i].1
            && is_name
            && matches!(name.as_bytes(), [b's' | b'u', b'1'..=b'9', ..])
        {
            tokens[i].1 = CTok::Other(Tok::Name(name.clone()));
        }
    }
}

/// Rejects what a recursive walk over the tree could not survive.
fn too_deep(tokens: &[(usize, CTok, usize)]) -> Option<Error> {
    let (mut depth, mut length, mut branches) = (0usize, 0usize, 0usize);
    for (start, token, end) in tokens {
        length += 1;
        match token {
            CTok::Other(Tok::LParen | Tok::LBracket) => depth += 1,
            CTok::Other(Tok::RParen | Tok::RBracket) => depth = depth.saturating_sub(1),
            CTok::Other(Tok::LBrace) => {
                depth += 1;
                length = 0;
            }
            CTok::Other(Tok::RBrace) => {
                depth = depth.saturating_sub(1);
                length = 0;
            }
            CTok::Other(Tok::Semi) => length = 0,
            CTok::Other(Tok::If | Tok::While) => branches += 1,
            _ => {}
        }
        let complaint = if depth > MAX_NESTING {
            format!("brackets are nested more than {MAX_NESTING} deep")
        } else if length > MAX_TOKENS {
            format!("a statement may have at most {MAX_TOKENS} tokens")
        } else if branches > MAX_BRANCHES {
            format!("a program may have at most {MAX_BRANCHES} `if` and `while`")
        } else {
            continue;
        };
        return Some(Error::new("litmus::nesting", *start..*end, complaint));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<Thread>, Vec<Error>) {
        let mut errors = Vec::new();
        let threads = parse(&Section { text: text.to_owned(), start: 7 }, &mut errors);
        (threads, errors)
    }

    #[test]
    fn threads_and_statements() {
        let (threads, errors) = read(
            "P0(int *x, volatile struct srcu_struct *s) { int r0, r1 = 2; *x = r1; if (r0 == (int)*x) r0 = 1; else { ; } \
             while (r0) r0 = r0-1; (void)xchg(x, 1); __fence{mb}; } void P1(void) { }",
        );
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(threads.len(), 2);
        assert_eq!(threads[0].parameters.len(), 2);
        assert_eq!(threads[0].body.len(), 6);
    }

    #[test]
    fn short_types_are_registers_too() {
        let (threads, errors) = read("P0(u8 *x) { s8 = 1; u16 r = s8; if (s8 == r) *x = s8; int s32; s32 = 2; }");
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(threads[0].body.len(), 5);
    }

    #[test]
    fn all_statements_are_checked() {
        let (_, errors) = read("P0(int *x) { r0 = ; r1 = 1; goto L; *x = 2; ) ; }");
        assert!(errors.len() >= 3, "{errors:?}");
        assert!(errors.iter().all(|e| e.span.start >= 7));
    }

    #[test]
    fn depth_is_bounded() {
        for text in ["(".repeat(10_000), "P0() {".repeat(10_000), format!("P0() {{ r = {}1; }}", "-".repeat(10_000))] {
            assert_eq!(read(&text).1[0].code, "litmus::nesting");
        }
        let ifs = format!("P0() {{ {} }}", "if (1) { } else ".repeat(10_000));
        assert_eq!(read(&ifs).1[0].code, "litmus::nesting");
    }
}
