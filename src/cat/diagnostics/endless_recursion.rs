//! A function or procedure calls itself without end, or a fixpoint does not settle.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C414` says.
pub const KIND: Kind = Kind {
    code: "C414",
    title: "a recursion that does not end",
    severity: Severity::Error,
    explanation: "Functions may be recursive, but a model has to be finite: evaluation gives up when calls are nested\n\
thousands deep, and when a `let rec` over sets of values does not settle.",
    help: "a recursive function needs a case that does not call it: `match s with {} -> … || x ++ xs -> … end`",
};

/// The call or equation at `span`.
pub fn report(span: Span) -> Diagnostic {
    KIND.at("this recursion does not end", span, "gave up here")
}

#[cfg(test)]
mod tests {
    use super::KIND;
    use crate::cat::testing::load;

    #[test]
    fn functions_and_definitions_without_end() {
        for text in ["let rec f x = f x\nempty f po", "let rec f x = f x | po\nempty f po"] {
            let errors = load(text).err().unwrap_or_default();
            assert!(errors.iter().any(|d| d.code() == KIND.code), "{text}: {errors:?}");
        }
    }
}
