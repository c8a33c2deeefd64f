//! Whether a macro file and a bell file go together.

use crate::cat::Bell;
use crate::cat::def;
use crate::cat::diagnostics::{Diagnostic, unknown_annotation};

/// Annotations of a macro file that the bell file does not declare.
pub fn unknown_annotations(bell: &Bell, name: &str, text: &str) -> Vec<Diagnostic> {
    let declared = bell.annotations();
    let mut used: Vec<String> = Vec::new();
    let mut open: Vec<def::Expr> = Vec::new();
    let mut statements: Vec<def::Stmt> = Vec::new();
    for item in def::parse(text).0 {
        match item.body {
            def::Body::Expr(e) => open.push(e),
            def::Body::Block(s) => statements.extend(s),
        }
    }
    while let Some(statement) = statements.pop() {
        match statement {
            def::Stmt::Expr(e) => open.push(e),
            def::Stmt::Assign { to, value } => open.extend([to, value]),
            def::Stmt::Block(s) => statements.extend(s),
            def::Stmt::If(c, t, e) => {
                open.push(c);
                statements.push(*t);
                statements.extend(e.map(|e| *e));
            }
            def::Stmt::While(c, b) => {
                open.push(c);
                statements.push(*b);
            }
        }
    }
    while let Some(e) = open.pop() {
        match e {
            def::Expr::Primitive { annotations, args, .. } => {
                open.extend(args);
                used.extend(annotations);
            }
            def::Expr::Call(_, args) => open.extend(args),
            def::Expr::Unary(_, a) => open.push(*a),
            def::Expr::Binary(_, a, b) | def::Expr::Index(a, b) => open.extend([*a, *b]),
            def::Expr::Conditional(a, b, c) => open.extend([*a, *b, *c]),
            def::Expr::Int(_) | def::Expr::Name(_) => {}
        }
    }
    used.sort();
    used.dedup();
    let unknown = used.iter().filter(|a| !declared.contains(a.as_str()));
    unknown.map(|a| unknown_annotation::report(a, name, declared.iter().copied())).collect()
}
