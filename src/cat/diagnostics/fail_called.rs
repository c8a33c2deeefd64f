//! `fail` was evaluated outside a `try`.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C412` says.
pub const KIND: Kind = Kind {
    code: "C412",
    title: "a call of `fail`",
    severity: Severity::Error,
    explanation: "`fail` always fails. It is for `try … with …` and for branches that must not be taken.",
    help: "give the branch that comes here a value, or write `try … with …` around it",
};

/// `fail` at `span`.
pub fn report(span: Span) -> Diagnostic {
    KIND.at("`fail` was reached", span, "fails")
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"empty «fail 0»"#);
    }
}
