//! A function or pattern of n names meets a value that has not n components.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C404` says.
pub const KIND: Kind = Kind {
    code: "C404",
    title: "a call with the wrong number of arguments",
    severity: Severity::Error,
    explanation: "`let f(a,b) = …` takes a pair: `f(x,y)`. `let (a,b) = e` needs `e` to be a pair.",
    help: "`let f(a, b) = …` takes a pair: `f(x, y)`",
};

/// At `span`, `found` components meet a pattern of `expected` names at `pattern`.
pub fn report(span: Span, expected: usize, found: usize, pattern: Span) -> Diagnostic {
    KIND.at(format!("{} given, {expected} expected", count(found)), span, "given here")
        .label(pattern, "expected here")
}

fn count(n: usize) -> String {
    if n == 1 { "1 value".to_owned() } else { format!("{n} values") }
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"let f(x,y) = x | y
    empty f«(po)»"#);
        expect(KIND, r#"let f(x,y) = x | y
    empty f«(po,po,po)»"#);
        expect(KIND, r#"let (a,b) = «W»
    empty b"#);
    }
}
