//! The header that gives a model's own primitives to C programs.
//!
//! It is made from the macros of the model's `.def` file, so that a new primitive there can be used at once: a macro becomes a
//! C macro of the same name, and the internal operations in its body become calls that [`super::library::kernel`] knows. The
//! operations work on any scalar; `atomic_t`, `spinlock_t` and the like are structures of one, as in the kernel.
//!
//! Limits: an operation's value is passed as an integer of 64 bits, so floating-point variables cannot be accessed by the
//! model's primitives. A macro that is defined both as an expression and as a statement is the expression.

use crate::cat::def::{AtomicOp, BinOp, Body, Expr, Macro, MacroTable, Primitive, Stmt, UnOp};
use std::fmt::Write;

/// What stands before the macros of every model.
const START: &str = include_str!("start.h");

/// What is made of these, behind that: a model that has such a macro itself replaces it.
const COMPOUND: &str = include_str!("compound.h");

/// The primitives that are made of a model's.
pub fn compound() -> impl Iterator<Item = &'static str> {
    let defined = COMPOUND.lines().filter_map(|line| line.strip_prefix("#define ")?.split('(').next());
    defined.filter(|name| !name.starts_with("__"))
}

/// The header for these macros.
pub fn header(macros: &MacroTable) -> String {
    let mut out = format!("{START}{COMPOUND}");
    for item in macros.iter() {
        let hidden = matches!(item.body, Body::Block(_)) && macros.expression(&item.name).is_some();
        if !hidden {
            define(&mut out, item);
        }
    }
    out.push_str("#endif\n");
    out
}

fn define(out: &mut String, item: &Macro) {
    let writer = Writer { params: &item.params };
    let params: Vec<String> = item.params.iter().map(|p| writer.name(p)).collect();
    let body = match &item.body {
        Body::Expr(expr) => writer.expr(expr),
        Body::Block(statements) => {
            let body: String = statements.iter().map(|s| writer.statement(s)).collect();
            format!("({{ {body}(void)0; }})")
        }
    };
    // Writing to a text cannot fail.
    let _ = writeln!(out, "#undef {0}\n#define {0}({1}) {2}", item.name, params.join(", "), body);
}

struct Writer<'m> {
    params: &'m [String],
}

impl Writer<'_> {
    /// Parameters get a prefix, so that no text of the header is taken for one.
    fn name(&self, name: &str) -> String {
        if self.params.iter().any(|p| p == name) { format!("__hmc_p_{name}") } else { name.to_owned() }
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Int(n) => format!("({n})"),
            Expr::Name(name) => format!("({})", self.name(name)),
            Expr::Unary(op, e) => {
                let op = match op {
                    UnOp::Deref => "*",
                    UnOp::AddressOf => "&",
                    UnOp::Neg => "-",
                    UnOp::Not => "!",
                    UnOp::BitNot => "~",
                };
                format!("({op}{})", self.expr(e))
            }
            Expr::Binary(op, a, b) => format!("({} {} {})", self.expr(a), binary(*op), self.expr(b)),
            Expr::Conditional(c, a, b) => format!("({} ? {} : {})", self.expr(c), self.expr(a), self.expr(b)),
            Expr::Index(a, i) => format!("({}[{}])", self.expr(a), self.expr(i)),
            Expr::Call(name, args) => format!("{name}({})", self.list(args)),
            Expr::Primitive { op, annotations, args, operator } => {
                self.primitive(*op, &annotations.join(","), args, *operator)
            }
        }
    }

    fn list(&self, args: &[Expr]) -> String {
        args.iter().map(|a| self.expr(a)).collect::<Vec<_>>().join(", ")
    }

    fn primitive(&self, op: Primitive, tags: &str, args: &[Expr], operator: Option<AtomicOp>) -> String {
        let arg = |n: usize| args.get(n).map_or_else(|| "0".to_owned(), |a| self.expr(a));
        let word = |n: usize| format!("__HMC_WORD({})", arg(n));
        let address = arg(0);
        // The address is an argument three times, but evaluated once: the others only ask for its type.
        let on = |name: &str, p: &str, rest: &[String]| {
            let rest: String = rest.iter().map(|r| format!(", {r}")).collect();
            format!("__hmc_{name}(\"{tags}\", __HMC_AT({p}){rest})")
        };
        let typed = |p: &str, call: String| format!("(__HMC_RESULT({p}){call})");
        let operator = format!("'{}'", operator.map_or('+', symbol));
        match op {
            Primitive::Load => {
                let p = format!("&{address}");
                typed(&p, on("load", &p, &[]))
            }
            Primitive::Store => format!("((void){})", on("store", &format!("&{address}"), &[word(1)])),
            Primitive::Fence => format!("((void)__hmc_fence(\"{tags}\"))"),
            Primitive::Xchg => typed(&address, on("xchg", &address, &[word(1)])),
            Primitive::CmpXchg => typed(&address, on("cmpxchg", &address, &[word(1), word(2)])),
            Primitive::AtomicOp => format!("((void){})", on("atomic_op", &address, &[word(1), operator])),
            Primitive::AtomicOpReturn => typed(&address, on("atomic_op_return", &address, &[word(1), operator])),
            Primitive::AtomicFetchOp => typed(&address, on("atomic_fetch_op", &address, &[word(1), operator])),
            Primitive::AtomicAddUnless => {
                format!("((int){})", on("atomic_add_unless", &address, &[word(1), word(2)]))
            }
            Primitive::Lock => format!("((void)__hmc_lock(\"\", {address}))"),
            Primitive::TryLock => format!("((int)__hmc_trylock(\"\", {address}))"),
            Primitive::Unlock => format!("((void)__hmc_unlock(\"\", {address}))"),
            Primitive::IsLocked => format!("((int)__hmc_islocked(\"\", {address}))"),
            Primitive::Srcu if args.len() > 1 => {
                format!("((int)((void){}, __hmc_srcu(\"{tags}\", {address})))", arg(1))
            }
            Primitive::Srcu => format!("((int)__hmc_srcu(\"{tags}\", {address}))"),
        }
    }

    fn statement(&self, statement: &Stmt) -> String {
        match statement {
            Stmt::Expr(e) => format!("{}; ", self.expr(e)),
            Stmt::Assign { to, value } => format!("{} = {}; ", self.expr(to), self.expr(value)),
            Stmt::Block(inner) => format!("{{ {}}} ", inner.iter().map(|s| self.statement(s)).collect::<String>()),
            Stmt::If(c, then, otherwise) => {
                let otherwise =
                    otherwise.as_ref().map_or(String::new(), |s| format!("else {{ {}}} ", self.statement(s)));
                format!("if ({}) {{ {}}} {otherwise}", self.expr(c), self.statement(then))
            }
            Stmt::While(c, body) => format!("while ({}) {{ {}}} ", self.expr(c), self.statement(body)),
        }
    }
}

fn symbol(op: AtomicOp) -> char {
    match op {
        AtomicOp::Add => '+',
        AtomicOp::Sub => '-',
        AtomicOp::And => '&',
        AtomicOp::Or => '|',
        AtomicOp::Xor => '^',
        AtomicOp::AndNot => '~',
    }
}

fn binary(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::And => "&",
        BinOp::Or => "|",
        BinOp::Xor => "^",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
        BinOp::Lt => "<",
        BinOp::Le => "<=",
        BinOp::Gt => ">",
        BinOp::Ge => ">=",
        BinOp::LogicalAnd => "&&",
        BinOp::LogicalOr => "||",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_primitive_becomes_a_macro() {
        let (macros, errors) =
            crate::cat::def::parse("get_it(X) __load{shiny}(*X)\nput_it(X,V) { __fence{a-b}; __store{dull}(*X,V); }");
        assert!(errors.is_empty());
        let text = header(&MacroTable::new(macros));
        assert!(text.contains("#define get_it(__hmc_p_X) (__HMC_RESULT(&(*(__hmc_p_X)))__hmc_load(\"shiny\""));
        assert!(text.contains("__hmc_fence(\"a-b\")"));
    }
}
