//! `_` is an operand of `;`, where it acts as the identity.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C603` says.
pub const KIND: Kind = Kind {
    code: "C603",
    title: "`_` in a sequence",
    severity: Severity::Warning,
    explanation: "In `r ; _` the operand `_` is skipped: the value is `r`, not `r` followed by anything. Write `_ * _` for the full\n\
relation: `r ; (_ * _)`.",
    help: "write `(_ * _)` for the full relation",
};

/// `_` at `span`.
pub fn report(span: Span) -> Diagnostic {
    KIND.at("`_` in a sequence is skipped: it acts as the identity", span, "means nothing here")
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"empty (rf ; «_») \ rf"#);
    }
}
