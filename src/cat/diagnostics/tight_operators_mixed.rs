//! `~`, `*` (product) and the postfix operators are mixed without parentheses.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C108` says.
pub const KIND: Kind = Kind {
    code: "C108",
    title: "operators that need parentheses",
    severity: Severity::Error,
    explanation: "Complement `~`, product `*` and the closures `+`, `*`, `?` bind equally tight and do not associate, so\n\
`~r+`, `A * B+` and `A * ~B` have no meaning in herd's cat. Write `~(r+)` or `(~r)+`, `(A * B)+`, `A * (~B)`.\n\
The Dartagnan dialect reads them as `~(r+)`, `(A * B)+`, `A * (~B)`.",
    help: "write parentheses",
};

/// `~e` where `e` is a closure or a product.
pub fn after_complement(whole: Span, operand: Span) -> Diagnostic {
    KIND.at("`~` cannot be mixed with a closure or product without parentheses", whole, "which comes first?")
        .label(operand, "the operand of `~`?")
        .help("write `~(r+)` for the complement of the closure, `(~r)+` for the closure of the complement")
}

/// A product with a complement, closure or product beside it.
pub fn in_product(whole: Span, operand: Span) -> Diagnostic {
    KIND.at("a product cannot be mixed with `~`, a closure or another product without parentheses", whole, "which comes first?")
        .label(operand, "this operand needs parentheses")
        .help("write `A * (~B)`, `A * (B * C)`; if the `*` is meant as a closure, write `(r*)`")
}

/// A closure right after a product.
pub fn after_product(whole: Span, product: Span) -> Diagnostic {
    KIND.at("a closure cannot follow a product without parentheses", whole, "which comes first?")
        .label(product, "the operand of the closure?")
        .help("write `(A * B)+`, or `A * (B+)`")
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"let x = «~po+»"#);
        expect(KIND, r#"let x = «~po*»"#);
        expect(KIND, r#"let x = «W * ~R»"#);
        expect(KIND, r#"let x = «~W * R»"#);
        expect(KIND, r#"let x = «W * R * W»"#);
        expect(KIND, r#"let x = «W * R+»"#);
    }

    #[test]
    fn parentheses_help() {
        use crate::cat::testing;
        let fine = testing::load("let x = ~(po+) | (~po)+ | W * (~R) | ~po^-1 | (W * R)+\nacyclic x");
        assert!(fine.is_ok(), "{:?}", fine.err());
    }
}
