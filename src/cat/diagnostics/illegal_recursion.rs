//! A `let rec` defines something other than functions, sets and relations.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C409` says.
pub const KIND: Kind = Kind {
    code: "C409",
    title: "a recursion that has no fixpoint",
    severity: Severity::Error,
    explanation: "`let rec` computes fixpoints of sets and relations by iteration from the empty value, and defines mutually\n\
recursive functions. Tuples, tags and functions as values of an equation have no fixpoint.",
    help: "equations are over sets and relations; give each its own name: `let rec a = … and b = …`",
};

/// The equation at `span` has a value that is `found`.
pub fn report(span: Span, found: &str) -> Diagnostic {
    KIND.at(format!("`let rec` cannot compute {found}"), span, "in this equation")
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"let rec «(a,b) = (po,rf)»
    empty a"#);
    }
}
