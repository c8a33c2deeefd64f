//! The universe `_` stands as an element of an explicit set.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C406` says.
pub const KIND: Kind = Kind {
    code: "C406",
    title: "`_` as an element",
    severity: Severity::Error,
    explanation: "`{e1, e2}` and `e ++ s` build sets of given elements; `_` has no kind of its own and cannot be an element.\n\
Write `_ * _` for the full relation.",
    help: "`_ * _` is the full relation",
};

/// `_` at `span`.
pub fn report(span: Span) -> Diagnostic {
    KIND.at("`_` cannot be an element of a set", span, "everything, of no particular kind")
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"let x = {«_»}
    empty x"#);
    }
}
