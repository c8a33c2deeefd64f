//! The title of the model claims an architecture other than that of the test.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C204` says.
pub const KIND: Kind = Kind {
    code: "C204",
    title: "a model for another architecture",
    severity: Severity::Error,
    explanation: "A model whose title starts with the name of an architecture is for tests of that architecture, because names\n\
of fences and annotations differ between architectures. `--cat` wants a model for the architecture of the test (`hmc list-models`);\n\
`--no-arch-check` runs this one all the same: names that its tests do not have are empty then, or unknown.",
    help: "`hmc list-models` shows for which tests a model is; `--no-arch-check` runs it all the same",
};

/// The title at `span` claims `claimed`; the test is for `wanted`.
pub fn report(span: Span, claimed: &str, wanted: &str) -> Diagnostic {
    KIND.at(format!("this model is for {claimed} tests, the test is for {wanted}"), span, format!("claims {claimed}"))
        .help(format!("name a model for {wanted} tests (`hmc list-models`), or run this one all the same with `--no-arch-check`"))
}

#[cfg(test)]
mod tests {
    use super::KIND;

    #[test]
    fn reported() {
        let found = crate::cat::testing::load_for("X86 TSO\nacyclic po", Some("AArch64"));
        assert!(found.err().is_some_and(|ds| ds[0].code() == KIND.code));
        assert!(crate::cat::testing::load_for("X86 TSO\nacyclic po", Some("X86")).is_ok());
        assert!(crate::cat::testing::load_for("X86 TSO\nacyclic po", Some("X86_64")).is_ok());
    }
}
