//! A `let` defines a name that is used nowhere.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C607` says.
pub const KIND: Kind = Kind {
    code: "C607",
    title: "a definition that nothing mentions",
    severity: Severity::Warning,
    explanation: "Definitions are evaluated when something needs them, so an unused one is not even checked for errors. Remove it, or\n\
`show` it.",
    help: "use it in a check, `show` it, or take it out",
};

/// `name` at `span`.
pub fn report(name: &str, span: Span) -> Diagnostic {
    KIND.at(format!("`{name}` is defined and never mentioned"), span, "unused")
}

#[cfg(test)]
mod tests {

    #[test]
    fn reported() {
        let loaded = crate::cat::testing::load("let a = po\nacyclic rf").expect("loads");
        assert!(crate::cat::tools::check::check(&loaded).iter().any(|d| d.code() == super::KIND.code));
    }
}
