//! A check rejects even the execution of a program that does nothing.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C611` says.
pub const KIND: Kind = Kind {
    code: "C611",
    title: "a check that fails on the smallest execution",
    severity: Severity::Warning,
    explanation: "An execution with a single initial write already fails this check, so the model is likely to allow nothing at all.",
    help: "does a test stand the wrong way round (`~empty`), or does its relation contain the identity?",
};

/// The check at `span`.
pub fn report(span: Span) -> Diagnostic {
    KIND.at("this check rejects even the execution of an empty program", span, "fails on a single initial write")
}

#[cfg(test)]
mod tests {

    #[test]
    fn reported() {
        let loaded = crate::cat::testing::load("empty IW").expect("loads");
        assert!(crate::cat::tools::check::check(&loaded).iter().any(|d| d.code() == super::KIND.code));
    }
}
