//! The words before the first instruction are more than a title.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C111` says.
pub const KIND: Kind = Kind {
    code: "C111",
    title: "a title of more than two words",
    severity: Severity::Error,
    explanation: "A file may start with a title: an architecture and a name (`AArch64 mine`, `C \"C++11\"`), or only one of\n\
the two. Anything else before the first instruction is often an instruction whose keyword was forgotten.",
    help: "a title is `ARCH name` or `\"any text\"`; if this is a definition, start it with `let`",
};

/// The words at `span`.
pub fn report(span: Span) -> Diagnostic {
    KIND.at("a title has at most two words", span, "before the first instruction")
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"«one two three» let x = po"#);
    }
}
