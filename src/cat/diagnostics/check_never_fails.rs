//! The operand of a check is empty, whatever the execution.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C610` says.
pub const KIND: Kind = Kind {
    code: "C610",
    title: "a check that never fails",
    severity: Severity::Warning,
    explanation: "The operand is the empty relation or set in every execution, so the check says nothing.",
    help: "one empty operand makes a `&` or a `;` empty: look at the definitions of all of them",
};

/// The check at `span`.
pub fn report(span: Span) -> Diagnostic {
    KIND.at("this check never fails", span, "its operand is always empty")
}

#[cfg(test)]
mod tests {

    #[test]
    fn reported() {
        let loaded = crate::cat::testing::load("acyclic 0 & po").expect("loads");
        assert!(crate::cat::tools::check::check(&loaded).iter().any(|d| d.code() == super::KIND.code));
    }
}
