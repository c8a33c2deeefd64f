//! A condition names a variant that nobody knows.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C601` says.
pub const KIND: Kind = Kind {
    code: "C601",
    title: "an unknown variant",
    severity: Severity::Warning,
    explanation: "`if \"name\"` asks whether the run was given `--variant name`. Unknown names count as not given.",
};

/// `name` at `span`.
pub fn report(span: Span, name: &str) -> Diagnostic {
    KIND.at(format!("`{name}` is not a known variant; it counts as not given"), span, "unknown variant")
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"if «"nosuchvariant"» acyclic po end"#);
    }
}
