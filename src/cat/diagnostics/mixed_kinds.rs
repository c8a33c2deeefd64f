//! `|`, `&` or `\\` is applied to a set and a relation, or to values of different types.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C402` says.
pub const KIND: Kind = Kind {
    code: "C402",
    title: "operands of different kinds",
    severity: Severity::Error,
    explanation: "The operands of `|`, `&` and `\\` are all sets, all relations, or all sets of values of one type. Mind that `0`\n\
is the empty *relation*: write `{}` or `emptyset` where no event is meant.",
    help: "all operands are sets, or relations, or sets of values of one type",
};

/// The operator `what` has an operand of kind `one` and one of kind `other`.
pub fn report(
    what: &str,
    (first, one, from_one): (Span, &str, Option<Span>),
    (second, other, from_other): (Span, &str, Option<Span>),
) -> Diagnostic {
    let mut report = KIND
        .at(format!("the operands of {what} are {one} and {other}"), second, format!("this is {other}"))
        .label(first, format!("this is {one}"));
    for (origin, kind) in [(from_one, one), (from_other, other)] {
        if let Some(origin) = origin {
            report = report.label(origin, format!("defined here as {kind}"));
        }
    }
    if (one, other) == ("a set", "a relation") || (one, other) == ("a relation", "a set") {
        return report.help("`[S]` is the identity relation on a set; `{}` is the empty set, `0` the empty relation");
    }
    report
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"acyclic po | «W»"#);
        expect(KIND, r#"empty W & «po»"#);
        expect(KIND, r#"empty 0 | «W»"#);
        expect(KIND, r#"let w = W
    acyclic po \ «w»"#);
    }
}
