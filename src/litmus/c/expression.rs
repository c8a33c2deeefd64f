//! Expressions of C litmus tests, and calls of expression macros (by name, on the tree).

use super::Translator;
use crate::cat::def::{BinOp as Op, Body, Expr, Macro, UnOp as Un};
use crate::litmus::error::{Error, nearest};
use crate::litmus::processors::asm::constant;
use crate::program::{BinOp, Half, Instr, Operand, UnOp};
use rustc_hash::FxHashMap;

/// What the parameters of the macro at hand stand for.
pub struct Scope<'e> {
    arguments: FxHashMap<&'e str, (&'e Expr, &'e Scope<'e>)>,
}

impl<'e> Scope<'e> {
    /// Outside of all macros.
    pub fn top() -> Scope<'static> {
        Scope { arguments: FxHashMap::default() }
    }

    /// An expression with names of parameters replaced by what they stand for, at its root.
    pub fn resolve<'s>(&'s self, e: &'s Expr) -> (&'s Expr, &'s Scope<'s>) {
        let (mut e, mut scope): (&'s Expr, &'s Scope<'s>) = (e, self);
        while let Expr::Name(name) = e {
            match scope.arguments.get(name.as_str()) {
                Some(&(argument, outer)) => (e, scope) = (argument, outer),
                None => break,
            }
        }
        (e, scope)
    }
}

/// So many arguments, in words.
pub(super) fn arguments(n: usize) -> String {
    format!("{n} argument{}", if n == 1 { "" } else { "s" })
}

impl Translator<'_, '_> {
    /// The scope inside a macro that is called with these arguments.
    pub(super) fn bind<'e>(&self, item: &'e Macro, args: &'e [Expr], scope: &'e Scope<'e>) -> Result<Scope<'e>, Error> {
        if item.params.len() != args.len() {
            let message = format!("`{}` takes {}, not {}", item.name, arguments(item.params.len()), args.len());
            return self.refuse("litmus::macro", message);
        }
        let arguments = item.params.iter().zip(args).map(|(p, a)| (p.as_str(), (a, scope))).collect();
        Ok(Scope { arguments })
    }

    /// The address that an lvalue denotes, and the size of the access.
    pub(super) fn lvalue(&mut self, e: &Expr, scope: &Scope) -> Result<(Operand, u8), Error> {
        let (e, scope) = scope.resolve(e);
        match e {
            Expr::Unary(Un::Deref, pointer) => {
                let size = self.size_behind(pointer, scope);
                Ok((self.value(pointer, scope)?, size))
            }
            Expr::Index(array, index) => {
                let size = self.size_behind(array, scope);
                let base = self.value(array, scope)?;
                let index = self.value(index, scope)?;
                let offset = self.at.bin(BinOp::Mul, 32, index, constant(i64::from(size)));
                Ok((self.at.bin(BinOp::Add, 32, base, offset), size))
            }
            _ => self.refuse("litmus::lvalue", "expected `*pointer` here"),
        }
    }

    /// Size of what a pointer points to.
    pub(super) fn size_behind(&self, pointer: &Expr, scope: &Scope) -> u8 {
        match scope.resolve(pointer).0 {
            Expr::Name(name) => self.sizes.get(name).copied().unwrap_or(4),
            _ => 4,
        }
    }

    /// A pointer argument of an operation: the address, and the size of the access.
    pub(super) fn pointer(&mut self, e: &Expr, scope: &Scope) -> Result<(Operand, u8), Error> {
        let size = self.size_behind(e, scope);
        Ok((self.value(e, scope)?, size))
    }

    /// The value of an expression.
    pub(super) fn value(&mut self, e: &Expr, scope: &Scope) -> Result<Operand, Error> {
        self.deeper(|this| this.value_inside(e, scope))
    }

    fn value_inside(&mut self, e: &Expr, scope: &Scope) -> Result<Operand, Error> {
        let (e, scope) = scope.resolve(e);
        match e {
            Expr::Int(n) => Ok(constant(n & 0xffff_ffff)),
            Expr::Name(name) => Ok(match name.as_str() {
                "true" => constant(1),
                "false" | "NULL" => constant(0),
                _ => self.at.get(name),
            }),
            Expr::Unary(Un::Deref, _) | Expr::Index(..) => {
                let (address, size) = self.lvalue(e, scope)?;
                Ok(self.at.load(address, size, &["NA"], Half::None))
            }
            Expr::Unary(Un::AddressOf, inner) => match scope.resolve(inner) {
                (Expr::Unary(Un::Deref, pointer), scope) => self.value(pointer, scope),
                (inner @ Expr::Index(..), scope) => Ok(self.lvalue(inner, scope)?.0),
                _ => self.refuse("litmus::address-of", "the address of a local variable is not supported"),
            },
            Expr::Unary(op, inner) => {
                let value = self.value(inner, scope)?;
                Ok(match op {
                    Un::Not => self.at.bin(BinOp::Eq, 32, value, constant(0)),
                    Un::BitNot => self.at.un(UnOp::Not, 32, value),
                    _ => self.at.un(UnOp::Neg, 32, value),
                })
            }
            Expr::Binary(op @ (Op::LogicalAnd | Op::LogicalOr), a, b) => self.short_circuit(*op, a, b, scope),
            Expr::Binary(op, a, b) => {
                let a = self.value(a, scope)?;
                let b = self.value(b, scope)?;
                Ok(self.at.bin(operation(*op), 32, a, b))
            }
            Expr::Conditional(condition, a, b) => self.conditional(condition, a, b, scope),
            Expr::Call(name, args) => self.call(name, args, scope),
            Expr::Primitive { op, annotations, args, operator } => {
                match self.primitive(*op, annotations, args, *operator, scope)? {
                    Some(value) => Ok(value),
                    None => self.refuse("litmus::no-value", "this operation has no value"),
                }
            }
        }
    }

    fn call(&mut self, name: &str, args: &[Expr], scope: &Scope) -> Result<Operand, Error> {
        if let Some(item) = self.macros.expression(name) {
            self.expanded()?;
            let inner = self.bind(item, args, scope)?;
            if let Body::Expr(body) = &item.body {
                return self.value(body, &inner);
            }
        }
        if let Some(value) = self.atomic_expression(name, args, scope)? {
            return Ok(value);
        }
        let known = self.macros.iter().map(|m| m.name.as_str()).chain(super::atomic::NAMES.iter().copied());
        let help = if self.macros.statement(name).is_some() {
            Some(format!("`{name}` has no value: it can only be a statement"))
        } else {
            nearest(name, known).map(|near| format!("is `{near}` meant?"))
        };
        let message = format!("`{name}` is neither a macro of the model nor a name of C11");
        Err(Error::new("litmus::unknown-call", self.span.clone(), message).maybe_help(help))
    }

    fn short_circuit(&mut self, op: Op, a: &Expr, b: &Expr, scope: &Scope) -> Result<Operand, Error> {
        let result = self.at.temporary();
        let left = self.value(a, scope)?;
        let left = self.at.bin(BinOp::Ne, 32, left, constant(0));
        self.at.push(Instr::Set { dst: result, src: left });
        let go_on = if op == Op::LogicalAnd { left } else { self.at.bin(BinOp::Eq, 32, left, constant(0)) };
        let end = self.at.function.label();
        self.fork(go_on, end, end);
        let right = self.value(b, scope)?;
        let right = self.at.bin(BinOp::Ne, 32, right, constant(0));
        let join = if op == Op::LogicalAnd { BinOp::And } else { BinOp::Or };
        self.at.push(Instr::Bin { dst: result, op: join, bits: 32, a: left, b: right });
        self.at.function.place(end);
        Ok(Operand::Reg(result))
    }

    fn conditional(&mut self, condition: &Expr, a: &Expr, b: &Expr, scope: &Scope) -> Result<Operand, Error> {
        let result = self.at.temporary();
        let condition = self.value(condition, scope)?;
        let (no, end) = (self.at.function.label(), self.at.function.label());
        self.fork(condition, no, end);
        let value = self.value(a, scope)?;
        self.at.push(Instr::Set { dst: result, src: value });
        self.at.jump(end);
        self.at.function.place(no);
        let value = self.value(b, scope)?;
        self.at.push(Instr::Set { dst: result, src: value });
        self.at.function.place(end);
        // The result depends on which side was taken.
        let dst = self.at.temporary();
        let src = Operand::Reg(result);
        self.at.push(Instr::Select { dst, cond: condition, a: src, b: src, on_cond: true });
        Ok(Operand::Reg(dst))
    }
}

fn operation(op: Op) -> BinOp {
    match op {
        Op::Add => BinOp::Add,
        Op::Sub => BinOp::Sub,
        Op::Mul => BinOp::Mul,
        Op::Div => BinOp::SDiv,
        Op::Rem => BinOp::SRem,
        Op::And | Op::LogicalAnd => BinOp::And,
        Op::Or | Op::LogicalOr => BinOp::Or,
        Op::Xor => BinOp::Xor,
        Op::Shl => BinOp::Shl,
        Op::Shr => BinOp::AShr,
        Op::Eq => BinOp::Eq,
        Op::Ne => BinOp::Ne,
        Op::Lt => BinOp::SLt,
        Op::Le => BinOp::SLe,
        Op::Gt => BinOp::SGt,
        Op::Ge => BinOp::SGe,
    }
}
