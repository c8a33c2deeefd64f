//! No clause of a `match` fits the value.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C407` says.
pub const KIND: Kind = Kind {
    code: "C407",
    title: "a match that fits nothing",
    severity: Severity::Error,
    explanation: "`match t with 'a -> … || _ -> … end` looks at a tag; `match s with {} -> … || x ++ xs -> … end` at a set. Values of\n\
other kinds, and tags without a clause, are errors.",
    help: "add a clause for what is left: `|| _ -> …`",
};

/// The scrutinee at `span` is `found`.
pub fn report(span: Span, found: &str) -> Diagnostic {
    KIND.at(format!("no clause of this match fits {found}"), span, found)
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"enum e = 'a || 'b
    let f x = match «x» with 'b -> po end
    empty f 'a"#);
    }
}
