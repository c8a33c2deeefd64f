//! A primitive of the language is applied to a value of the wrong shape.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C411` says.
pub const KIND: Kind = Kind {
    code: "C411",
    title: "an argument that a primitive cannot take",
    severity: Severity::Error,
    explanation: "The primitives (`domain`, `range`, `classes-loc`, `linearisations`, …) check their arguments.",
    help: "`[S]` makes a relation of a set, `domain(r)` and `range(r)` make sets of a relation, `{r}` is a set of values",
};

/// `name` at `span` takes `expected`, got `found`.
pub fn report(span: Span, name: &str, expected: &str, found: &str) -> Diagnostic {
    KIND.at(format!("`{name}` takes {expected}, but this is {found}"), span, found)
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"empty domain«(W)»"#);
    }
}
