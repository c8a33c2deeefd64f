//! `r* ~empty s`: the star reads as a product, because `~` may start an operand.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C109` says.
pub const KIND: Kind = Kind {
    code: "C109",
    title: "a closure that reads as a product",
    severity: Severity::Error,
    explanation: "`*` is a product when an operand can follow it, and `~` can start one: `let r = po* ~empty r` therefore reads\n\
as a product with `~empty …`. Write `(po*)`, or put `in` between.",
    help: "write the closure in parentheses: `(r*)`",
};

/// The star and the negated check after it.
pub fn report(span: Span) -> Diagnostic {
    KIND.at("this `*` reads as a product, not as a closure", span, "`~` could be its right operand")
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"let r = po«*
    ~empty» r as e"#);
    }
}
