//! C litmus tests: the kernel's primitives through the macros of the model's `.def` file, the names of C11 built in
//! (`LITMUS.md` §2).
//!
//! - [`syntax`]: tokens, trees, parser.
//! - [`expression`]: expressions, macro calls.
//! - [`primitive`]: the internal operations that macros are made of.
//! - [`atomic`]: the names of `<stdatomic.h>`.
//!
//! All values are 32-bit, all accesses four bytes, except through pointers to smaller types: so computes the reference.
//! A variable that is not a parameter is a register of the thread, zero at first.

pub mod atomic;
mod expression;
mod primitive;
pub mod syntax;

pub use atomic::NAMES as ATOMICS;

use super::error::Error;
use super::processors::asm::Lowering;
use crate::cat::def::{Body, Expr, MacroTable, Stmt as MacroStmt};
use crate::program::{FunctionBuilder, Instr, Join, Label, Operand};
use expression::Scope;
use rustc_hash::FxHashMap;
use std::ops::Range;
use syntax::{Kind, Stmt};

/// Macros may call macros this deep.
const MAX_DEPTH: usize = 300;
/// A test may expand this many macros.
const MAX_EXPANSIONS: usize = 20_000;

/// Translates one thread.
pub struct Translator<'a, 'b> {
    /// Builder, variables, registers.
    pub at: &'a mut Lowering<'b>,
    /// The macros of the model.
    pub macros: &'a MacroTable,
    /// Size of what a parameter points to, where it is not four bytes.
    pub sizes: FxHashMap<String, u8>,
    /// Offsets of the statement at hand.
    pub span: Range<usize>,
    /// Complaints.
    pub errors: Vec<Error>,
    depth: usize,
    expansions: usize,
}

impl<'a, 'b> Translator<'a, 'b> {
    /// A translator into `at`.
    pub fn new(at: &'a mut Lowering<'b>, macros: &'a MacroTable, sizes: FxHashMap<String, u8>) -> Self {
        Translator { at, macros, sizes, span: 0..0, errors: Vec::new(), depth: 0, expansions: 0 }
    }

    fn refuse<T>(&self, code: &'static str, message: impl Into<String>) -> Result<T, Error> {
        Err(Error::new(code, self.span.clone(), message))
    }

    /// Runs `body` one level deeper.
    fn deeper<T>(&mut self, body: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if self.depth >= MAX_DEPTH {
            return self.refuse("litmus::nesting", "this is nested too deeply, or a macro calls itself");
        }
        self.depth += 1;
        let result = body(self);
        self.depth -= 1;
        result
    }

    fn expanded(&mut self) -> Result<(), Error> {
        self.expansions += 1;
        if self.expansions > MAX_EXPANSIONS {
            return self.refuse("litmus::macro", "the macros of this test expand to too much");
        }
        Ok(())
    }

    /// Translates statements; each is judged on its own.
    pub fn statements(&mut self, body: &[Stmt], mark: &mut dyn FnMut(&mut Lowering, &Range<usize>)) {
        for statement in body {
            self.statement(statement, mark);
        }
    }

    fn statement(&mut self, statement: &Stmt, mark: &mut dyn FnMut(&mut Lowering, &Range<usize>)) {
        self.span = statement.span.clone();
        mark(self.at, &statement.span);
        let result = match &statement.kind {
            Kind::Block(body) => {
                self.statements(body, mark);
                Ok(())
            }
            Kind::Expr(e) => self.effect(e, &Scope::top()),
            Kind::Assign(to, value) => self.assign(to, value, &Scope::top()),
            Kind::If(condition, then, otherwise) => self.condition(condition, &Scope::top()).map(|(yes, end)| {
                let no = self.at.function.label();
                self.fork(yes, no, end);
                self.statement(then, mark);
                if otherwise.is_some() {
                    self.at.jump(end);
                }
                self.at.function.place(no);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise, mark);
                }
                self.at.function.place(end);
            }),
            Kind::While(condition, body) => {
                let head = self.at.function.label();
                self.at.function.place(head);
                self.condition(condition, &Scope::top()).map(|(yes, end)| {
                    self.fork(yes, end, end);
                    self.statement(body, mark);
                    self.at.jump(head);
                    self.at.function.place(end);
                })
            }
        };
        if let Err(error) = result {
            self.errors.push(error);
        }
    }

    /// Evaluates a condition, and makes the label where what depends on it ends.
    fn condition(&mut self, condition: &Expr, scope: &Scope) -> Result<(Operand, Label), Error> {
        self.at.next_instruction();
        let value = self.value(condition, scope)?;
        Ok((value, self.at.function.label()))
    }

    /// Goes on when `cond` holds and to `no` otherwise; the control dependency ends at `end`.
    fn fork(&mut self, cond: Operand, no: Label, end: Label) {
        let yes = self.at.function.label();
        let join = Join::At(FunctionBuilder::target(end));
        let (then, otherwise) = (FunctionBuilder::target(yes), FunctionBuilder::target(no));
        self.at.push(Instr::Branch { cond, then, otherwise, join });
        self.at.function.place(yes);
    }

    /// A statement of a macro body.
    fn macro_statement(&mut self, statement: &MacroStmt, scope: &Scope) -> Result<(), Error> {
        self.deeper(|this| match statement {
            MacroStmt::Expr(e) => this.effect(e, scope),
            MacroStmt::Assign { to, value } => this.assign(to, value, scope),
            MacroStmt::Block(body) => body.iter().try_for_each(|s| this.macro_statement(s, scope)),
            MacroStmt::If(condition, then, otherwise) => {
                let (cond, end) = this.condition(condition, scope)?;
                let no = this.at.function.label();
                this.fork(cond, no, end);
                this.macro_statement(then, scope)?;
                if otherwise.is_some() {
                    this.at.jump(end);
                }
                this.at.function.place(no);
                if let Some(otherwise) = otherwise {
                    this.macro_statement(otherwise, scope)?;
                }
                this.at.function.place(end);
                Ok(())
            }
            MacroStmt::While(condition, body) => {
                let head = this.at.function.label();
                this.at.function.place(head);
                let (cond, end) = this.condition(condition, scope)?;
                this.fork(cond, end, end);
                this.macro_statement(body, scope)?;
                this.at.jump(head);
                this.at.function.place(end);
                Ok(())
            }
        })
    }

    /// `e;`
    fn effect(&mut self, e: &Expr, scope: &Scope) -> Result<(), Error> {
        self.at.next_instruction();
        match e {
            Expr::Call(name, args) => {
                if let Some(item) = self.macros.statement(name) {
                    self.expanded()?;
                    let inner = self.bind(item, args, scope)?;
                    let Body::Block(body) = &item.body else { return Ok(()) };
                    return self.deeper(|this| body.iter().try_for_each(|s| this.macro_statement(s, &inner)));
                }
                if self.macros.expression(name).is_none() && self.atomic_statement(name, args, scope)? {
                    return Ok(());
                }
                self.value(e, scope).map(drop)
            }
            Expr::Primitive { op, annotations, args, operator } => {
                self.primitive(*op, annotations, args, *operator, scope).map(drop)
            }
            _ => self.value(e, scope).map(drop),
        }
    }

    /// `to = value;`
    fn assign(&mut self, to: &Expr, value: &Expr, scope: &Scope) -> Result<(), Error> {
        self.at.next_instruction();
        let (to, to_scope) = scope.resolve(to);
        if let Expr::Name(name) = to {
            let value = self.value(value, scope)?;
            self.at.set(name, value);
            return Ok(());
        }
        let (address, size) = self.lvalue(to, to_scope)?;
        let value = self.value(value, scope)?;
        self.at.store(address, value, size, &["NA"], crate::program::Half::None);
        Ok(())
    }
}
