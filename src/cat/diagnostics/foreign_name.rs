//! A name of another architecture decides a check of a model that is for one architecture.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C618` says.
pub const KIND: Kind = Kind {
    code: "C618",
    title: "a name that no test of this model has",
    severity: Severity::Warning,
    explanation: "The title of this model says for which architecture it is, and a check depends on a name that only tests of others have: `SYNC`\n\
is a fence of PPC. It is empty in every execution. In a test of another architecture than its title's the model does not run.",
    help: "is a fence of this architecture meant? `hmc model names --arch ARCH` lists its names",
};

/// `name` at `span` exists for `others`, the model is for `this`.
pub fn report(name: &str, span: Span, others: &[&str], this: &str) -> Diagnostic {
    KIND.at(
        format!("`{name}` exists for {} tests, this model is for {this}", others.join(", ")),
        span,
        "empty in every execution",
    )
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, "AArch64 m\nlet s = po ; [«SYNC»] ; po\nacyclic s | rf");
        let quiet = |text| crate::cat::testing::load(text).expect("loads").warnings.is_empty();
        assert!(quiet("PPC m\nlet s = po ; [SYNC] ; po\nacyclic s | rf"));
        // Of no architecture, not needed, or tried.
        assert!(quiet("M\nacyclic po ; [SYNC] ; po"));
        assert!(quiet("AArch64 m\nlet s = po ; [SYNC] ; po\nacyclic po | rf"));
        assert!(quiet("AArch64 m\nlet s = try SYNC with emptyset\nacyclic po | [s]"));
    }
}
