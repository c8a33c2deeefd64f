//! A model is read in the Dartagnan dialect because herd's does not fit it.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C606` says.
pub const KIND: Kind = Kind {
    code: "C606",
    title: "a model taken for the Dartagnan dialect",
    severity: Severity::Warning,
    explanation: "A model that uses `co` or `fr` without including `cos.cat`, or other names that only Dartagnan predefines, or\n\
`/* … */` comments, and that is otherwise right, is read in the Dartagnan dialect. Say `--dialect herd` or\n\
`--dialect dartagnan` to choose.",
    help: "if it is meant for herd, `include \"cos.cat\"` defines `co` and `fr`",
};

/// The first thing that does not fit herd's dialect is at `span`.
pub fn report(span: Span, why: &str) -> Diagnostic {
    KIND.at("this model is read in the Dartagnan dialect", span, format!("in herd's dialect, {why}"))
}

#[cfg(test)]
mod tests {
    use super::KIND;
    use crate::cat::{Dialect, testing};

    #[test]
    fn only_when_certain() {
        let dartagnan = testing::load_as("let com = rf | fr | co\nacyclic po | com", None);
        assert!(dartagnan.is_ok_and(|l| l.dialect == Dialect::Dartagnan && l.warnings[0].code() == KIND.code));
        assert!(testing::load_as("acyclic ~po+", None).is_err());
        assert!(testing::load_as("acyclic po & nosuchname", None).is_err());
    }
}
