//! Constructors of syntax trees: what the grammar's actions call.
//!
//! Keeps every tree shallower than [`MAX_DEPTH`], reports what herd's dialect does not allow at the tightest operator level
//! (CAT.md, section 2.2), and interns names.

use super::ast::*;
use super::tokens::Tok;
use crate::cat::diagnostics::{
    Diagnostic, inverse_without_caret, nested_too_deep, tight_operators_mixed, unexpected_token,
};
use crate::cat::dialect::Dialect;
use crate::cat::source::Span;
use lalrpop_util::{ErrorRecovery, ParseError};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Trees of greater height are refused.
pub const MAX_DEPTH: u16 = 256;

/// Gives equal names equal symbols.
#[derive(Clone, Default, Debug)]
pub struct Interner {
    symbols: FxHashMap<Arc<str>, Sym>,
    names: Vec<Arc<str>>,
}

impl Interner {
    /// The symbol of a name.
    pub fn intern(&mut self, name: &str) -> (Sym, Arc<str>) {
        if let Some((text, &sym)) = self.symbols.get_key_value(name) {
            return (sym, text.clone());
        }
        let text: Arc<str> = name.into();
        let sym = Sym(self.names.len() as u32);
        self.names.push(text.clone());
        self.symbols.insert(text.clone(), sym);
        (sym, text)
    }

    /// The symbol of a name that has been interned.
    pub fn lookup(&self, name: &str) -> Option<Sym> {
        self.symbols.get(name).copied()
    }

    /// All symbols with their names.
    pub fn names(&self) -> impl Iterator<Item = (Sym, Arc<str>)> {
        self.names.iter().enumerate().map(|(i, name)| (Sym(i as u32), name.clone()))
    }

    /// The name of a symbol.
    pub fn name(&self, sym: Sym) -> &Arc<str> {
        &self.names[sym.0 as usize]
    }
}

/// A postfix operator as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Postfix {
    /// `+`
    Plus,
    /// `*`
    Star,
    /// `?`
    Opt,
    /// `^-1`
    Inverse,
    /// ` -1`, Dartagnan's short form
    BareInverse,
    /// `^+`, Dartagnan's long form
    CaretPlus,
    /// `^*`, Dartagnan's long form
    CaretStar,
}

/// What the grammar's actions share.
pub struct Builder<'s> {
    /// The file being read.
    pub file: u32,
    /// Its dialect.
    pub dialect: Dialect,
    /// Where names go.
    pub interner: &'s mut Interner,
    /// Where errors go.
    pub errors: &'s mut Vec<Diagnostic>,
    /// Whether "too deep" has been reported for this file.
    pub too_deep: bool,
    /// The text of the file.
    pub text: &'s str,
}

impl Builder<'_> {
    /// A range of this file.
    pub fn span(&self, l: usize, r: usize) -> Span {
        Span::new(self.file, l, r)
    }

    /// An interned name.
    pub fn ident(&mut self, name: &str, l: usize, r: usize) -> Ident {
        let (sym, text) = self.interner.intern(name);
        Ident { sym, text, span: self.span(l, r) }
    }

    /// A node above subtrees of height `below`.
    pub fn expr(&mut self, kind: ExprKind, below: u16, l: usize, r: usize) -> Expr {
        let span = self.span(l, r);
        if below >= MAX_DEPTH {
            self.report_depth(span);
            return Expr { kind: ExprKind::Error, span, depth: 0, parenthesised: true };
        }
        Expr { kind, span, depth: below + 1, parenthesised: false }
    }

    fn report_depth(&mut self, span: Span) {
        if !self.too_deep {
            self.too_deep = true;
            let at = Span { end: span.start + 1, ..span };
            self.errors.push(nested_too_deep::report(at));
        }
    }

    /// A node above one subtree.
    pub fn unary(&mut self, make: impl FnOnce(Box<Expr>) -> ExprKind, e: Expr, l: usize, r: usize) -> Expr {
        let depth = e.depth;
        self.expr(make(Box::new(e)), depth, l, r)
    }

    /// A node above two subtrees.
    pub fn binary(
        &mut self,
        make: impl FnOnce(Box<Expr>, Box<Expr>) -> ExprKind,
        a: Expr,
        c: Expr,
        l: usize,
        r: usize,
    ) -> Expr {
        let depth = a.depth.max(c.depth);
        self.expr(make(Box::new(a), Box::new(c)), depth, l, r)
    }

    /// A node above any number of subtrees.
    pub fn list(&mut self, make: impl FnOnce(Vec<Expr>) -> ExprKind, xs: Vec<Expr>, l: usize, r: usize) -> Expr {
        let depth = xs.iter().map(|x| x.depth).max().unwrap_or(0);
        self.expr(make(xs), depth, l, r)
    }

    /// A flattened operator: a single operand is itself.
    pub fn flat(&mut self, make: impl FnOnce(Vec<Expr>) -> ExprKind, mut xs: Vec<Expr>, l: usize, r: usize) -> Expr {
        match xs.len() {
            1 => xs.swap_remove(0),
            _ => self.list(make, xs, l, r),
        }
    }

    /// `( e )`: one level deeper, so that parentheses count as nesting.
    pub fn parenthesised(&mut self, e: Expr, l: usize, r: usize) -> Expr {
        let mut whole = self.expr(e.kind, e.depth, l, r);
        whole.parenthesised = true;
        whole
    }

    /// `~e`
    pub fn complement(&mut self, e: Expr, l: usize, r: usize) -> Expr {
        use ExprKind::{Opt, Plus, Product, Star};
        if self.dialect == Dialect::Herd
            && !e.parenthesised
            && matches!(e.kind, Plus(_) | Star(_) | Opt(_) | Product(..))
        {
            self.errors.push(tight_operators_mixed::after_complement(self.span(l, r), e.span));
        }
        self.unary(ExprKind::Complement, e, l, r)
    }

    /// `a * c`
    pub fn product(&mut self, a: Expr, c: Expr, l: usize, r: usize) -> Expr {
        use ExprKind::{Complement, Opt, Plus, Product, Star};
        if self.dialect == Dialect::Herd {
            for side in [&a, &c] {
                if !side.parenthesised && matches!(side.kind, Complement(_) | Plus(_) | Star(_) | Opt(_) | Product(..))
                {
                    self.errors.push(tight_operators_mixed::in_product(self.span(l, r), side.span));
                    break;
                }
            }
        }
        self.binary(ExprKind::Product, a, c, l, r)
    }

    /// `e` followed by a postfix operator.
    pub fn postfix(&mut self, op: Postfix, e: Expr, l: usize, r: usize) -> Expr {
        let herd = self.dialect == Dialect::Herd;
        if herd && matches!(op, Postfix::BareInverse | Postfix::CaretPlus | Postfix::CaretStar) {
            self.errors.push(inverse_without_caret::report(op, self.span(e.span.end as usize, r)));
        }
        let inverse = matches!(op, Postfix::Inverse | Postfix::BareInverse);
        if herd && !e.parenthesised && matches!(e.kind, ExprKind::Product(..)) {
            // `A * B^-1` is `A * (B^-1)` to herd; the closures are not defined on an unparenthesised product.
            let ExprKind::Product(a, c) = e.kind else { return e };
            if !inverse {
                self.errors.push(tight_operators_mixed::after_product(self.span(l, r), e.span));
                return self.binary(ExprKind::Product, *a, *c, l, r);
            }
            let start = c.span.start as usize;
            let right = self.unary(ExprKind::Inverse, *c, start, r);
            return self.binary(ExprKind::Product, *a, right, l, r);
        }
        match op {
            Postfix::Plus | Postfix::CaretPlus => self.unary(ExprKind::Plus, e, l, r),
            Postfix::Star | Postfix::CaretStar => self.unary(ExprKind::Star, e, l, r),
            Postfix::Opt => self.unary(ExprKind::Opt, e, l, r),
            Postfix::Inverse | Postfix::BareInverse => self.unary(ExprKind::Inverse, e, l, r),
        }
    }

    /// `let … in e`
    pub fn let_in(&mut self, recursive: bool, bindings: Vec<Binding>, body: Expr, l: usize, r: usize) -> Expr {
        let depth = bindings.iter().map(|b| b.value.depth).fold(body.depth, u16::max);
        self.expr(ExprKind::Let { recursive, bindings: bindings.into(), body: Box::new(body) }, depth, l, r)
    }

    /// `fun p -> e`
    pub fn function(&mut self, param: Pat, body: Expr, l: usize, r: usize) -> Expr {
        let depth = body.depth;
        self.expr(ExprKind::Fun(Arc::new(Function { param, body })), depth, l, r)
    }

    /// `if c then e else e`
    pub fn if_then_else(&mut self, c: Cond, t: Expr, e: Expr, l: usize, r: usize) -> Expr {
        let condition = match &c {
            Cond::Equal(a, b) | Cond::Subset(a, b) | Cond::In(a, b) => a.depth.max(b.depth),
            Cond::Variant(v) => variant_depth(v),
        };
        let depth = condition.max(t.depth).max(e.depth);
        self.expr(ExprKind::If(Box::new(c), Box::new(t), Box::new(e)), depth, l, r)
    }

    /// `match e with 'a -> … end`
    pub fn match_tag(
        &mut self,
        scrutinee: Expr,
        clauses: Vec<(Ident, Expr)>,
        default: Option<Expr>,
        l: usize,
        r: usize,
    ) -> Expr {
        let depth =
            clauses.iter().map(|c| c.1.depth).chain(default.iter().map(|d| d.depth)).fold(scrutinee.depth, u16::max);
        let kind = ExprKind::MatchTag { scrutinee: Box::new(scrutinee), clauses, default: default.map(Box::new) };
        self.expr(kind, depth, l, r)
    }

    /// `match e with {} -> … || x ++ xs -> … end`
    pub fn match_set(
        &mut self,
        scrutinee: Expr,
        empty: Expr,
        (left, element, rest, body): (Option<PatAtom>, PatAtom, PatAtom, Expr),
        l: usize,
        r: usize,
    ) -> Expr {
        let depth = scrutinee.depth.max(empty.depth).max(body.depth);
        let kind = ExprKind::MatchSet {
            scrutinee: Box::new(scrutinee),
            empty: Box::new(empty),
            left,
            element,
            rest,
            body: Box::new(body),
        };
        self.expr(kind, depth, l, r)
    }

    /// `c || c`
    pub fn variant_or(&mut self, a: VariantCond, c: VariantCond) -> VariantCond {
        self.bounded(VariantCond::Or(Box::new(a), Box::new(c)))
    }

    /// `c && c`
    pub fn variant_and(&mut self, a: VariantCond, c: VariantCond) -> VariantCond {
        self.bounded(VariantCond::And(Box::new(a), Box::new(c)))
    }

    /// `not c`
    pub fn variant_not(&mut self, c: VariantCond) -> VariantCond {
        self.bounded(VariantCond::Not(Box::new(c)))
    }

    fn bounded(&mut self, c: VariantCond) -> VariantCond {
        if variant_depth(&c) <= MAX_DEPTH {
            return c;
        }
        let end = self.text.len();
        let span = self.span(end, end);
        self.report_depth(span);
        VariantCond::Name(Arc::from(""), span)
    }

    /// `x`, `(x)`, `(x, y)`, `()`
    pub fn pattern(&mut self, mut atoms: Vec<PatAtom>, l: usize, r: usize) -> Pat {
        match atoms.len() {
            1 => Pat::One(atoms.swap_remove(0)),
            _ => Pat::Tuple(atoms, self.span(l, r)),
        }
    }

    /// `p = e`
    pub fn binding(&mut self, pat: Pat, value: Expr, l: usize, r: usize) -> Binding {
        Binding { pat, value: Arc::new(value), span: self.span(l, r) }
    }

    /// An instruction; blocks inside blocks count as nesting.
    pub fn instr(&mut self, kind: InstrKind, l: usize, r: usize) -> Instr {
        let span = self.span(l, r);
        let height = |block: &[Instr]| block.iter().map(|i| i.depth).max().unwrap_or(0);
        let below = match &kind {
            InstrKind::Procedure { body, .. } | InstrKind::Forall { body, .. } => height(body),
            InstrKind::Match { clauses, default, .. } => {
                clauses.iter().map(|c| height(&c.1)).chain(default.iter().map(|d| height(d))).max().unwrap_or(0)
            }
            InstrKind::If { then, otherwise, .. } => height(then).max(height(otherwise)),
            _ => 0,
        };
        if below >= MAX_DEPTH {
            self.report_depth(span);
            return Instr { kind: InstrKind::Error, span, depth: 0 };
        }
        Instr { kind, span, depth: below + 1 }
    }

    /// What stands for a stretch of the file that the parser skipped.
    pub fn recovered(&mut self, recovery: ErrorRecovery<usize, Tok<'_>, ()>, l: usize, r: usize) -> Instr {
        self.syntax_error(recovery.error);
        Instr { kind: InstrKind::Error, span: self.span(l, r), depth: 0 }
    }

    /// Reports a syntax error.
    pub fn syntax_error(&mut self, error: ParseError<usize, Tok<'_>, ()>) {
        let end = self.text.len();
        let (found, span, expected) = match error {
            ParseError::UnrecognizedToken { token: (l, t, r), expected } => (Some(t), self.span(l, r), expected),
            ParseError::ExtraToken { token: (l, t, r) } => (Some(t), self.span(l, r), Vec::new()),
            ParseError::UnrecognizedEof { expected, .. } => (None, self.span(end, end), expected),
            ParseError::InvalidToken { location } => (None, self.span(location, location), Vec::new()),
            ParseError::User { .. } => (None, self.span(end, end), Vec::new()),
        };
        let line = self.first_word(span.range().start);
        self.errors.push(unexpected_token::report(found, span, &expected, line));
    }

    /// The first word of the line that a place is in.
    fn first_word(&self, at: usize) -> (&str, Span) {
        let start = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let line = self.text[start..].lines().next().unwrap_or_default();
        let word = line.split_whitespace().next().unwrap_or_default();
        let start = start + (line.len() - line.trim_start().len());
        (word, self.span(start, start + word.len()))
    }
}

fn variant_depth(c: &VariantCond) -> u16 {
    // The operands were bounded when they were built, so this recursion is bounded too.
    match c {
        VariantCond::Name(..) => 1,
        VariantCond::Not(a) => 1 + variant_depth(a),
        VariantCond::And(a, b) | VariantCond::Or(a, b) => 1 + variant_depth(a).max(variant_depth(b)),
    }
}
