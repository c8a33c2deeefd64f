//! A `flag` without `as` records nothing.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C602` says.
pub const KIND: Kind = Kind {
    code: "C602",
    title: "a flag without a name",
    severity: Severity::Warning,
    explanation: "`flag ~empty r as race` records the flag `race` when `r` is not empty. Without `as` there is nothing to record.",
    help: "write `flag … as NAME`",
};

/// The flag at `span`.
pub fn report(span: Span) -> Diagnostic {
    KIND.at("this flag has no name, so it records nothing", span, "add `as NAME`")
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"«flag ~empty po»"#);
    }
}
