//! `/* … */` is used as a comment; herd's cat has `(* … *)`.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C103` says.
pub const KIND: Kind = Kind {
    code: "C103",
    title: "a C comment",
    severity: Severity::Error,
    explanation: "herd's cat knows three comments: `(* … *)`, which nest, and `//` and `#` up to the end of the line.\n\
`/* … */` is a comment only in the Dartagnan dialect (`--dialect dartagnan`).",
    help: "write `(* … *)`, or read the file with `--dialect dartagnan`",
};

/// `/* … */` at `span`.
pub fn report(span: Span) -> Diagnostic {
    KIND.at("`/* … */` is not a comment here", span, "a C comment")
}

#[cfg(test)]
mod tests {
    use super::KIND;

    #[test]
    fn reported() {
        use crate::cat::{Dialect, testing};
        let found = testing::load_as("/* c */ let x = po", Some(Dialect::Herd));
        assert!(found.err().is_some_and(|ds| ds[0].code() == KIND.code));
    }
}
