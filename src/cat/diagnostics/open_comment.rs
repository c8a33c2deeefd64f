//! A comment is opened and never closed.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C102` says.
pub const KIND: Kind = Kind {
    code: "C102",
    title: "a comment without an end",
    severity: Severity::Error,
    explanation: "`(*` opens a comment that ends at its `*)`. Comments nest, so every `(*` inside needs its own `*)`.\n\
In the Dartagnan dialect they do not nest and `/* … */` is a comment too.",
    help: "comments nest: every `(*`, also one inside a comment, needs its `*)`",
};

/// The comment that starts at `span` has no end.
pub fn report(span: Span) -> Diagnostic {
    let opening = Span { end: span.start + 2, ..span };
    KIND.at("this comment is never closed", opening, "opened here")
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"let x = po «(*» a (* b *)"#);
    }
}
