//! A string is opened and never closed.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C104` says.
pub const KIND: Kind = Kind {
    code: "C104",
    title: "a string without an end",
    severity: Severity::Error,
    explanation: "A string runs from `\"` to the next `\"`; there are no escapes.",
    help: "close it with a second `\"`",
};

/// The string at `span` has no end.
pub fn report(span: Span) -> Diagnostic {
    KIND.at("this string is never closed", span, "opened here")
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"include «"cos.cat»"#);
    }
}
