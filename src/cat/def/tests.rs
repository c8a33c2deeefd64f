use super::*;

#[path = "../../../tests/it/support/left_out.rs"]
mod left_out;

fn read(text: &str) -> Vec<Macro> {
    let (macros, errors) = parse(text);
    assert_eq!(errors, []);
    macros
}

#[test]
fn expression_and_statement_macros() {
    let macros = read(
        "// c\nREAD_ONCE(X) __load{ONCE}(X) /* * c **/\nWRITE_ONCE(X,V) { __store{ONCE}(X,V); }\nsmp_mb() { __fence{before-atomic}; }\n\
         f(V,X) __atomic_op_return{MB}(X,-,V) == 0",
    );
    assert_eq!(macros.len(), 4);
    assert_eq!(
        macros[0].body,
        Body::Expr(Expr::Primitive {
            op: Primitive::Load,
            annotations: vec!["ONCE".into()],
            args: vec![Expr::Name("X".into())],
            operator: None
        })
    );
    let Body::Block(block) = &macros[2].body else { panic!("a block") };
    assert!(
        matches!(&block[0], Stmt::Expr(Expr::Primitive { op: Primitive::Fence, annotations, .. }) if annotations[0] == "before-atomic")
    );
    let Body::Expr(Expr::Binary(BinOp::Eq, left, _)) = &macros[3].body else { panic!("a comparison") };
    assert!(matches!(**left, Expr::Primitive { operator: Some(AtomicOp::Sub), .. }));
}

#[test]
fn and_not_is_an_operator() {
    let macros = read("a(V,X) { __atomic_op{NORETURN}(X,&~,V); }");
    let Body::Block(block) = &macros[0].body else { panic!("a block") };
    assert!(matches!(&block[0], Stmt::Expr(Expr::Primitive { operator: Some(AtomicOp::AndNot), .. })));
}

/// An expression with all its brackets.
fn bracketed(expr: &Expr) -> String {
    match expr {
        Expr::Int(value) => value.to_string(),
        Expr::Binary(op, left, right) => format!("({} {op:?} {})", bracketed(left), bracketed(right)),
        Expr::Conditional(c, t, e) => format!("({} ? {} : {})", bracketed(c), bracketed(t), bracketed(e)),
        other => format!("{other:?}"),
    }
}

#[test]
fn operators_bind_as_in_c() {
    for (text, expected) in [
        ("1 - 2 - 3", "((1 Sub 2) Sub 3)"),
        ("1 + 2 * 3 - 4", "((1 Add (2 Mul 3)) Sub 4)"),
        ("1 / 2 % 3", "((1 Div 2) Rem 3)"),
        ("1 << 2 + 3 < 4 == 5", "(((1 Shl (2 Add 3)) Lt 4) Eq 5)"),
        ("1 | 2 ^ 3 & 4 != 5", "(1 Or (2 Xor (3 And (4 Ne 5))))"),
        ("1 || 2 && 3 | 4 || 5", "((1 LogicalOr (2 LogicalAnd (3 Or 4))) LogicalOr 5)"),
        ("1 * (2 + 3)", "(1 Mul (2 Add 3))"),
        ("1 + 2 ? 3 : 4 ? 5 : 6", "((1 Add 2) ? 3 : (4 ? 5 : 6))"),
    ] {
        let macros = read(&format!("f() {text}"));
        let Body::Expr(expr) = &macros[0].body else { panic!("an expression") };
        assert_eq!(bracketed(expr), expected, "{text}");
    }
}

#[test]
fn several_errors_in_one_run() {
    let (macros, errors) = parse("f(X) { __fence{mb} }\ng(X) X\nh(,) X\nk() 1");
    assert!(errors.len() >= 2, "{errors:?}");
    assert!(macros.iter().any(|m| m.name == "k"), "{macros:?}");
}

#[test]
fn deep_nesting_is_an_error() {
    let deep = format!("f() {}1{}", "(".repeat(10_000), ")".repeat(10_000));
    assert_eq!(parse(&deep).1.len(), 1);
    let long = format!("f() {}1", "-".repeat(10_000));
    assert_eq!(parse(&long).1.len(), 1);
    let sum = format!("f() 1{}", "+1".repeat(10_000));
    assert_eq!(parse(&sum).1.len(), 1);
}

#[test]
fn open_comment() {
    let (_, errors) = parse("f() 1 /* oops");
    assert!(!errors.is_empty());
}

#[test]
fn lookup_keeps_the_kinds_apart() {
    let table = MacroTable::new(read("f(X) 1\nf(X) { __lock(X); }\nf(X) 2"));
    assert_eq!(table.expression("f").map(|m| &m.body), Some(&Body::Expr(Expr::Int(2))));
    assert!(table.statement("f").is_some() && table.statement("g").is_none());
    assert_eq!(table.iter().count(), 2);
}

#[test]
fn published_files_load() {
    for path in ["linux-kernel/linux-kernel.def", "dartagnan/linux-kernel.def"] {
        let Some(file) = left_out::shared(&format!("models/{path}")) else { continue };
        let text = std::fs::read_to_string(file).expect("a macro file");
        assert!(read(&text).len() > 60, "{path}");
    }
}
