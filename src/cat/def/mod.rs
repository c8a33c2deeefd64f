//! Macro files (`.def`): the names by which C programs reach the operations of a model.
//!
//! A macro has an expression body (`READ_ONCE(X) __load{once}(X)`) or a block (`smp_mb() { __fence{mb}; }`). This room
//! only reads them; expansion and the meaning of the internal operations belong to the front ends. Bodies are small: nesting
//! and length are bounded so that the trees may be walked recursively.

mod lookup;
pub mod tokens;

pub use lookup::MacroTable;

use lalrpop_util::{ErrorRecovery, ParseError, lalrpop_mod};
use logos::Logos;
use std::iter::Peekable;
use std::ops::Range;
use std::vec::IntoIter;
use tokens::Tok;

lalrpop_mod!(
    #[allow(clippy::all, unused, missing_docs)]
    grammar,
    "/def.rs"
);

/// Parentheses and braces may nest this deep.
const MAX_NESTING: usize = 64;
/// A macro may have this many tokens, which also bounds the depth of its tree.
const MAX_TOKENS: usize = 1000;

/// A binary operator of C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    LogicalAnd,
    LogicalOr,
}

impl BinOp {
    /// How closely it binds its operands: the higher, the closer.
    fn binds(self) -> u8 {
        match self {
            BinOp::LogicalOr => 0,
            BinOp::LogicalAnd => 1,
            BinOp::Or => 2,
            BinOp::Xor => 3,
            BinOp::And => 4,
            BinOp::Eq | BinOp::Ne => 5,
            BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => 6,
            BinOp::Shl | BinOp::Shr => 7,
            BinOp::Add | BinOp::Sub => 8,
            BinOp::Mul | BinOp::Div | BinOp::Rem => 9,
        }
    }
}

/// A prefix operator of C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnOp {
    /// `*e`
    Deref,
    /// `&e`
    AddressOf,
    /// `-e`
    Neg,
    /// `!e`
    Not,
    /// `~e`
    BitNot,
}

/// The operator argument of `__atomic_op` and its kin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtomicOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `&~`
    AndNot,
}

/// An internal operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Primitive {
    /// `__load{a}(lvalue)`
    Load,
    /// `__store{a}(lvalue, e)`
    Store,
    /// `__fence{a}`
    Fence,
    /// `__xchg{a}(address, e)`
    Xchg,
    /// `__cmpxchg{a}(address, old, new)`
    CmpXchg,
    /// `__atomic_op{a}(address, op, e)`: no result
    AtomicOp,
    /// `__atomic_op_return{a}(address, op, e)`: the new value
    AtomicOpReturn,
    /// `__atomic_fetch_op{a}(address, op, e)`: the old value
    AtomicFetchOp,
    /// `__atomic_add_unless{a}(address, add, unless)`: 1 when it added, else 0
    AtomicAddUnless,
    /// `__lock(address)`
    Lock,
    /// `__trylock(address)`: 1 or 0
    TryLock,
    /// `__unlock(address)`
    Unlock,
    /// `__islocked(address)`: 1 or 0
    IsLocked,
    /// `__srcu{a}(address)` or `__srcu{a}(address, e)`
    Srcu,
}

/// An expression of a macro body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// An integer.
    Int(i64),
    /// A parameter, or a name of the caller.
    Name(String),
    /// A prefix operator.
    Unary(UnOp, Box<Expr>),
    /// A binary operator.
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// `c ? t : e`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// A call, as a rule of another macro.
    Call(String, Vec<Expr>),
    /// An internal operation.
    Primitive {
        /// Which.
        op: Primitive,
        /// What stands between the braces.
        annotations: Vec<String>,
        /// The arguments without the operator.
        args: Vec<Expr>,
        /// The operator, for the three `__atomic…op…` operations.
        operator: Option<AtomicOp>,
    },
}

impl Expr {
    /// Operands with operators between them, grouped as C does: by how closely operators bind, equal ones from the left.
    pub(crate) fn grouped(first: Expr, rest: Vec<(BinOp, Expr)>) -> Expr {
        group(first, &mut rest.into_iter().peekable(), 0)
    }
}

/// Takes from `rest` what belongs to `left` by operators that bind at least so closely. Nests as deep as there are precedences.
fn group(mut left: Expr, rest: &mut Peekable<IntoIter<(BinOp, Expr)>>, least: u8) -> Expr {
    while let Some((op, right)) = rest.next_if(|(op, _)| op.binds() >= least) {
        let right = group(right, rest, op.binds() + 1);
        left = Expr::Binary(op, Box::new(left), Box::new(right));
    }
    left
}

/// A statement of a macro body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stmt {
    /// `e;`
    Expr(Expr),
    /// `lvalue = e;`
    Assign {
        /// What is assigned.
        to: Expr,
        /// The value.
        value: Expr,
    },
    /// `{ … }`
    Block(Vec<Stmt>),
    /// `if (c) s else s`
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `while (c) s`
    While(Expr, Box<Stmt>),
}

/// What a macro stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Body {
    /// An expression: for calls in expression position.
    Expr(Expr),
    /// A block: for calls in statement position.
    Block(Vec<Stmt>),
}

/// One macro.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Macro {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<String>,
    /// Its body.
    pub body: Body,
    /// Where its head stands in the file.
    pub span: Range<usize>,
}

/// Something wrong in a macro file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DefError {
    /// What.
    pub message: String,
    /// Where (bytes).
    pub span: Range<usize>,
}

/// Reads a macro file. The first error of each line is returned, with what could be read.
pub fn parse(text: &str) -> (Vec<Macro>, Vec<DefError>) {
    let mut errors = Vec::new();
    let mut tokens = Vec::new();
    for (token, span) in Tok::lexer(text).spanned() {
        match token {
            Ok(token) => tokens.push((span.start, token, span.end)),
            Err(()) => errors.push(DefError { message: lex_message(&text[span.clone()]), span }),
        }
    }
    if let Some(error) = too_deep(&tokens) {
        errors.push(error);
        return (Vec::new(), errors);
    }
    let mut recovered = Vec::new();
    let stream = tokens.into_iter().map(Ok::<_, ()>);
    let macros = match grammar::MacrosParser::new().parse(&mut recovered, stream) {
        Ok(macros) => macros,
        Err(error) => {
            recovered.push(ErrorRecovery { error, dropped_tokens: Vec::new() });
            Vec::new()
        }
    };
    errors.extend(recovered.into_iter().map(|r| describe(r.error, text.len())));
    errors.sort_by_key(|e| e.span.start);
    // What comes behind an error in its line mostly comes of it.
    errors.dedup_by_key(|e| text[..e.span.start].matches('\n').count());
    (macros, errors)
}

fn lex_message(slice: &str) -> String {
    if slice.starts_with("/*") {
        "this comment is never closed".to_owned()
    } else if slice.starts_with(|c: char| c.is_ascii_digit()) {
        format!("`{slice}` does not fit in 64 bits")
    } else {
        format!("`{slice}` cannot stand in a macro file")
    }
}

/// Rejects what a recursive walk over the tree could not survive.
fn too_deep(tokens: &[(usize, Tok, usize)]) -> Option<DefError> {
    let (mut depth, mut length) = (0_usize, 0_usize);
    // Whether an expression may end with the token before: a name after it does not continue the expression.
    let mut ended = true;
    for (start, token, end) in tokens {
        length += 1;
        match token {
            Tok::LParen | Tok::LBrace | Tok::LBracket => depth += 1,
            Tok::RParen | Tok::RBrace | Tok::RBracket => {
                depth = depth.saturating_sub(1);
            }
            // Outside all brackets, this starts a macro or its body.
            Tok::Name(_) if depth == 0 && ended => length = 0,
            _ => {}
        }
        ended = matches!(token, Tok::Name(_) | Tok::Int(_) | Tok::RParen | Tok::RBracket | Tok::RBrace);
        if depth > MAX_NESTING {
            return Some(DefError { message: format!("nested more than {MAX_NESTING} deep"), span: *start..*end });
        }
        if length > MAX_TOKENS {
            return Some(DefError {
                message: format!("a macro body may have at most {MAX_TOKENS} tokens"),
                span: *start..*end,
            });
        }
    }
    None
}

fn describe(error: ParseError<usize, Tok, ()>, end: usize) -> DefError {
    let expected_list = |expected: Vec<String>| match expected.len() {
        0 => String::new(),
        1..=6 => format!(", expected {}", expected.join(" or ").replace('"', "`")),
        _ => String::new(),
    };
    match error {
        ParseError::UnrecognizedToken { token: (start, _, stop), expected } => {
            DefError { message: format!("unexpected token{}", expected_list(expected)), span: start..stop }
        }
        ParseError::UnrecognizedEof { expected, .. } => DefError {
            message: format!("the file ends in the middle of a macro{}", expected_list(expected)),
            span: end..end,
        },
        ParseError::ExtraToken { token: (start, _, stop) } => {
            DefError { message: "unexpected token".to_owned(), span: start..stop }
        }
        ParseError::InvalidToken { location } => {
            DefError { message: "unexpected character".to_owned(), span: location..location }
        }
        ParseError::User { .. } => DefError { message: "unreadable token".to_owned(), span: end..end },
    }
}

#[cfg(test)]
mod tests;
