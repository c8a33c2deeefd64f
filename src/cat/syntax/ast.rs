//! Syntax trees of cat and bell files.
//!
//! Trees are shallow by construction: [`super::build::Builder`] refuses nodes deeper than its bound, so that whoever walks
//! a tree may recurse.

use crate::algebra::{Predicate, Role};
use crate::cat::source::Span;
use std::sync::Arc;

/// An interned name: equal names have equal symbols within one load.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Sym(pub u32);

/// A name where it stands.
#[derive(Clone, Debug)]
pub struct Ident {
    /// For comparison.
    pub sym: Sym,
    /// For people.
    pub text: Arc<str>,
    /// Where.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
    /// Height of the tree.
    pub depth: u16,
    /// Written in parentheses.
    pub parenthesised: bool,
}

/// The forms of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `0`: the empty relation.
    Zero,
    /// `_`: everything.
    Universe,
    /// `'tag`
    Tag(Ident),
    /// A name.
    Var(Ident),
    /// `{…}`; `{}` is the polymorphic empty value.
    Set(Vec<Expr>),
    /// `()` or at least two components.
    Tuple(Vec<Expr>),
    /// `[S]`
    IdOn(Box<Expr>),
    /// `a | b | …`
    Union(Vec<Expr>),
    /// `a ; b ; …`
    Seq(Vec<Expr>),
    /// `a & b`
    Inter(Box<Expr>, Box<Expr>),
    /// `a \ b`
    Diff(Box<Expr>, Box<Expr>),
    /// `e ++ s`
    Add(Box<Expr>, Box<Expr>),
    /// `A * B`
    Product(Box<Expr>, Box<Expr>),
    /// `~a`
    Complement(Box<Expr>),
    /// `r+`
    Plus(Box<Expr>),
    /// `r*`
    Star(Box<Expr>),
    /// `r?`
    Opt(Box<Expr>),
    /// `r^-1`
    Inverse(Box<Expr>),
    /// `f x`
    App(Box<Expr>, Box<Expr>),
    /// `let … in e`
    Let {
        /// `let rec`.
        recursive: bool,
        /// The definitions.
        bindings: Arc<[Binding]>,
        /// `e`
        body: Box<Expr>,
    },
    /// `fun p -> e`
    Fun(Arc<Function>),
    /// `try e with e`
    Try(Box<Expr>, Box<Expr>),
    /// `if c then e else e`
    If(Box<Cond>, Box<Expr>, Box<Expr>),
    /// `match e with 'a -> e || … end`
    MatchTag {
        /// What is looked at.
        scrutinee: Box<Expr>,
        /// `'tag -> e`
        clauses: Vec<(Ident, Expr)>,
        /// `_ -> e`
        default: Option<Box<Expr>>,
    },
    /// `match e with {} -> e || x ++ xs -> e end`
    MatchSet {
        /// What is looked at.
        scrutinee: Box<Expr>,
        /// `{} -> e`
        empty: Box<Expr>,
        /// `l` of the form `l | x ++ xs`.
        left: Option<PatAtom>,
        /// `x`
        element: PatAtom,
        /// `xs`
        rest: PatAtom,
        /// `x ++ xs -> e`
        body: Box<Expr>,
    },
    /// Something that could not be parsed, or was nested too deep; an error has been reported.
    Error,
}

/// A function: parameter and body.
#[derive(Clone, Debug)]
pub struct Function {
    /// The parameter.
    pub param: Pat,
    /// The body.
    pub body: Expr,
}

/// A name or `_` in a pattern.
#[derive(Clone, Debug)]
pub enum PatAtom {
    /// Binds a name.
    Name(Ident),
    /// Binds nothing.
    Wild(Span),
}

/// A pattern.
#[derive(Clone, Debug)]
pub enum Pat {
    /// One name or `_`.
    One(PatAtom),
    /// `()` or at least two components.
    Tuple(Vec<PatAtom>, Span),
}

/// One equation of a `let`.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The left-hand side.
    pub pat: Pat,
    /// The right-hand side.
    pub value: Arc<Expr>,
    /// Where.
    pub span: Span,
}

impl Binding {
    /// Whether the right-hand side is a function form.
    pub fn is_function(&self) -> bool {
        matches!(self.value.kind, ExprKind::Fun(_))
    }
}

/// The condition of an `if` expression.
#[derive(Clone, Debug)]
pub enum Cond {
    /// `a = b`
    Equal(Expr, Expr),
    /// `a subset b`
    Subset(Expr, Expr),
    /// `a in b`
    In(Expr, Expr),
    /// A condition on variants.
    Variant(VariantCond),
}

/// A condition on the variants of a run.
#[derive(Clone, Debug)]
pub enum VariantCond {
    /// `"name"`
    Name(Arc<str>, Span),
    /// `not c`
    Not(Box<VariantCond>),
    /// `c && c`
    And(Box<VariantCond>, Box<VariantCond>),
    /// `c || c`
    Or(Box<VariantCond>, Box<VariantCond>),
}

/// `~? (acyclic|irreflexive|empty) e (as n)?`
#[derive(Clone, Debug)]
pub struct Test {
    /// `~`
    pub negated: bool,
    /// Which.
    pub predicate: Predicate,
    /// On what.
    pub operand: Arc<Expr>,
    /// `as n`
    pub name: Option<Ident>,
    /// Where.
    pub span: Span,
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Instr {
    /// What it does.
    pub kind: InstrKind,
    /// Where.
    pub span: Span,
    /// Height of the tree.
    pub depth: u16,
}

/// A clause of a `match` instruction.
pub type InstrClause = (Ident, Arc<[Instr]>);

/// The forms of instructions.
#[derive(Clone, Debug)]
pub enum InstrKind {
    /// `let …`, `let rec …`
    Let {
        /// `let rec`.
        recursive: bool,
        /// The definitions.
        bindings: Arc<[Binding]>,
        /// `when t`
        when: Option<Test>,
    },
    /// A check.
    Test(Role, Test),
    /// `show e as n` / `show x, y`
    Show(Vec<(Arc<Expr>, Option<Ident>)>),
    /// `unshow x, y`
    Unshow(Vec<Ident>),
    /// `include "f"`
    Include(Arc<str>, Span),
    /// `procedure p(x) = … end`
    Procedure {
        /// May call itself.
        recursive: bool,
        /// Its name.
        name: Ident,
        /// Its parameter.
        param: Pat,
        /// Its body.
        body: Arc<[Instr]>,
    },
    /// `call p(e) as n`
    Call {
        /// Which procedure.
        name: Ident,
        /// With what.
        arg: Expr,
        /// `as n`
        label: Option<Ident>,
    },
    /// `forall x in e do … end`
    Forall {
        /// The variable.
        var: Ident,
        /// What it runs over.
        set: Expr,
        /// The body.
        body: Arc<[Instr]>,
    },
    /// `with x from e`
    With {
        /// The variable.
        var: Ident,
        /// What it is chosen from.
        set: Expr,
    },
    /// `match e with 'a -> … || … end`
    Match {
        /// What is looked at.
        scrutinee: Expr,
        /// `'tag -> …`
        clauses: Vec<InstrClause>,
        /// `_ -> …`
        default: Option<Arc<[Instr]>>,
    },
    /// `if c … else … end`
    If {
        /// The condition.
        cond: VariantCond,
        /// When it holds.
        then: Arc<[Instr]>,
        /// When it does not.
        otherwise: Arc<[Instr]>,
    },
    /// `debug e`
    Debug(Expr),
    /// `enum e = 'a || 'b`
    Enum {
        /// Its name.
        name: Ident,
        /// Its tags.
        tags: Vec<Ident>,
    },
    /// `instructions K[…]` and `default K[…]`
    Instructions {
        /// `R`, `W`, `F`, `RMW`, `B`, `SRCU`, `CALL`.
        kind: Ident,
        /// One set of tags an annotation.
        shape: Vec<Expr>,
        /// `default`.
        default: bool,
    },
    /// Something that could not be parsed; an error has been reported.
    Error,
}

/// A word of a title.
#[derive(Clone, Debug)]
pub enum TitleWord {
    /// A bare name.
    Name(Ident),
    /// A string.
    Text(Arc<str>, Span),
}

impl TitleWord {
    /// The word.
    pub fn text(&self) -> &str {
        match self {
            TitleWord::Name(name) => &name.text,
            TitleWord::Text(text, _) => text,
        }
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            TitleWord::Name(name) => name.span,
            TitleWord::Text(_, span) => *span,
        }
    }
}

/// A file.
#[derive(Clone, Debug)]
pub struct File {
    /// The title's words.
    pub title: Vec<TitleWord>,
    /// `catdep`
    pub catdep: bool,
    /// The instructions.
    pub body: Arc<[Instr]>,
}
