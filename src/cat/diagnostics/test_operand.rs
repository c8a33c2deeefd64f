//! `acyclic`, `irreflexive` or `empty` is applied to a value that it cannot test.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C405` says.
pub const KIND: Kind = Kind {
    code: "C405",
    title: "a check on something that is no relation",
    severity: Severity::Error,
    explanation: "`acyclic` and `irreflexive` test relations; `empty` tests relations and sets of events.",
    help: "`[S]` is the identity relation on a set of events",
};

/// The operand at `span` of `predicate` is `found`.
pub fn report(span: Span, predicate: &str, found: &str, origin: Option<Span>) -> Diagnostic {
    let wanted = if predicate == "empty" { "a relation or a set of events" } else { "a relation" };
    let report = KIND.at(format!("`{predicate}` tests {wanted}, but this is {found}"), span, found);
    match origin {
        Some(origin) => report.label(origin, format!("defined here as {found}")),
        None => report,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"acyclic «W»"#);
        expect(KIND, r#"enum e = 'a
    empty «{'a}»"#);
        expect(KIND, r#"let f x = x
    empty «f»"#);
        expect(KIND, r#"empty «(po,po)»"#);
    }
}
