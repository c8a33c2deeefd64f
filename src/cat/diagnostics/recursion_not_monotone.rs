//! A `let rec` uses an unknown under `~` or to the right of `\\`.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C609` says.
pub const KIND: Kind = Kind {
    code: "C609",
    title: "a recursion that is not monotone",
    severity: Severity::Warning,
    explanation: "A `let rec` is computed by iteration from the empty value. When an unknown stands under `~` or to the right of `\\`, the\n\
result need not be a least fixpoint: it is whatever the iteration ends with, if it ends. The kernel's matching of RCU\n\
locks and unlocks is such a recursion, on purpose.",
    help: "for a least fixpoint, let unknowns stand to the left of `\\` only",
};

/// The unknown at `span`, in the equation at `equation`.
pub fn report(span: Span, equation: Span) -> Diagnostic {
    KIND.at("this recursion is not monotone", span, "grows while the whole shrinks").label(equation, "in this equation")
}

#[cfg(test)]
mod tests {

    #[test]
    fn reported() {
        let loaded = crate::cat::testing::load("let rec a = po | (rf \\ a)\nacyclic a").expect("loads");
        assert!(crate::cat::tools::check::check(&loaded).iter().any(|d| d.code() == super::KIND.code));
    }
}
