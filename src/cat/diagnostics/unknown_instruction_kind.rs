//! `instructions K[…]` names no kind of instruction.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C501` says.
pub const KIND: Kind = Kind {
    code: "C501",
    title: "`instructions` of an unknown kind",
    severity: Severity::Error,
    explanation: "The kinds are `R`, `W`, `RMW`, `F`, `B`, `SRCU` and `CALL`.",
    help: "the kinds are `R`, `W`, `RMW`, `F`, `B`, `SRCU` and `CALL`",
};

/// `kind` at `span`.
pub fn report(span: Span, kind: &str) -> Diagnostic {
    KIND.at(format!("`{kind}` is not a kind of instruction"), span, "unknown kind")
}

#[cfg(test)]
mod tests {
    use super::KIND;

    #[test]
    fn reported() {
        let found = crate::cat::testing::load_bell("enum e = 'a\ninstructions Q[{'a}]", "acyclic po");
        assert!(found.err().is_some_and(|ds| ds[0].code() == KIND.code));
    }
}
