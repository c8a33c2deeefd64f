//! A name is used that exists only for tests of another architecture.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C302` says.
pub const KIND: Kind = Kind {
    code: "C302",
    title: "a name of another architecture",
    severity: Severity::Error,
    explanation: "Fence and annotation sets differ between architectures: `SYNC` is a fence of PPC, `DMB.SY` one of AArch64.\n\
A model that uses a name of another architecture cannot run on this test.",
    help: "is this model written for another architecture?",
};

/// `name` at `span` exists for `others`, the test is for `this`.
pub fn report(name: &str, span: Span, others: &[&str], this: &str) -> Diagnostic {
    KIND.at(format!("`{name}` exists for {} tests, this test is for {this}", others.join(", ")), span, "not a name here")
}

#[cfg(test)]
mod tests {
    use super::KIND;

    #[test]
    fn reported() {
        let found = crate::cat::testing::load_for("empty SYNC", Some("X86")).err().unwrap_or_default();
        assert_eq!(found[0].code(), KIND.code);
        assert!(found[0].message().contains("PPC"));
        assert!(crate::cat::testing::load_for("empty SYNC", Some("PPC")).is_ok());
    }
}
