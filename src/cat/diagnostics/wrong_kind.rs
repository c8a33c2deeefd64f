//! A set stands where a relation is due, or some other kind where another is due.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C401` says.
pub const KIND: Kind = Kind {
    code: "C401",
    title: "a value of the wrong kind",
    severity: Severity::Error,
    explanation: "Every operator takes values of certain kinds: `;`, `+`, `^-1` take relations, `[S]` and `A * B` take sets. A set\n\
becomes a relation with `[S]` (its identity), a relation becomes a set with `domain(r)` or `range(r)`.\n\
`0` is the empty relation; write `{}` or `emptyset` for the empty set.",
    help: "`[S]` makes a relation of a set; `domain(r)` and `range(r)` make sets of a relation",
};

/// At `span`, `what` wants `expected`; the value is `found`. `origin` is the definition that it comes from.
pub fn report(span: Span, what: &str, expected: &str, found: &str, origin: Option<Span>) -> Diagnostic {
    let mut report =
        KIND.at(format!("{what} takes {expected}, but this is {found}"), span, found);
    if let Some(origin) = origin {
        report = report.label(origin, format!("defined here as {found}"));
    }
    match (expected, found) {
        ("a relation", "a set") => report.help("`[S]` is the identity relation on a set"),
        ("a set", "a relation") => report.help("`domain(r)` and `range(r)` are sets"),
        _ => report,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"acyclic po ; «W»"#);
        expect(KIND, r#"let w = W
    acyclic po ; «w»"#);
        expect(KIND, r#"acyclic [«po»]"#);
        expect(KIND, r#"empty «W»^-1"#);
        expect(KIND, r#"empty W * «po»"#);
    }
}
