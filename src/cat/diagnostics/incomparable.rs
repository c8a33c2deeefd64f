//! `=`, `subset` or `in` compares values that cannot be compared.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C413` says.
pub const KIND: Kind = Kind {
    code: "C413",
    title: "a comparison of different kinds",
    severity: Severity::Error,
    explanation: "`=` compares values of one kind, `subset` sets or relations, `in` a value with a set of such values.",
    help: "`=` compares values of one kind, `subset` sets or relations, `in` a value with a set of such values",
};

/// The values at `span` are `a` and `b`.
pub fn report(span: Span, a: &str, b: &str) -> Diagnostic {
    KIND.at(format!("{a} and {b} cannot be compared"), span, "compared here")
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"empty (if «R = po» then 0 else 0)"#);
    }
}
