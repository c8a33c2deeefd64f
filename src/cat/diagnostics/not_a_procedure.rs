//! `call p(…)` names something that is not a procedure.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C410` says.
pub const KIND: Kind = Kind {
    code: "C410",
    title: "a call of something that is no procedure",
    severity: Severity::Error,
    explanation: "`procedure p(x) = … end` defines a procedure, `call p(e)` runs it.",
    help: "`procedure p(x) = … end` defines a procedure; a function is applied without `call`",
};

/// `name` at `span` is `found`.
pub fn report(span: Span, name: &str, found: &str) -> Diagnostic {
    KIND.at(format!("`{name}` is {found}, not a procedure"), span, "called here")
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"call «po»(rf)"#);
    }
}
