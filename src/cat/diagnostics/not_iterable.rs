//! `forall x in S` or `with x from S` needs a set of values.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C408` says.
pub const KIND: Kind = Kind {
    code: "C408",
    title: "a loop or choice over something that is no set of values",
    severity: Severity::Error,
    explanation: "`forall` and `with` run over sets of values: sets of tags, of relations, of sets. A set of events or a relation is\n\
not one; iterate over events with `map`, and write `{r}` for the set whose only element is the relation `r`.",
    help: "`{r}` is the set of values whose only element is `r`",
};

/// The operand at `span` of `what` is `found`.
pub fn report(span: Span, what: &str, found: &str) -> Diagnostic {
    KIND.at(format!("`{what}` runs over a set of values, but this is {found}"), span, found)
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"with x from «W»
    empty x"#);
        expect(KIND, r#"forall x in «W» do acyclic po end"#);
    }
}
