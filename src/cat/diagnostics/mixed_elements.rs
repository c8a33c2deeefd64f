//! The elements of an explicit set differ in kind.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C415` says.
pub const KIND: Kind = Kind {
    code: "C415",
    title: "a set of elements of different kinds",
    severity: Severity::Error,
    explanation: "All elements of `{a, b}` and of `e ++ s` are of one kind: all tags of one `enum`, all relations, all sets.",
    help: "all elements are tags of one `enum`, or relations, or sets",
};

/// The set at `span` has elements of kinds `one` and `other`.
pub fn report(span: Span, one: &str, other: &str) -> Diagnostic {
    KIND.at(format!("the elements of a set are {one} and {other}"), span, "of different kinds")
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"enum e = 'a
    enum f = 'c
    let x = «{'a,'c}»
    empty (if x = {} then 0 else 0)"#);
        expect(KIND, r#"with x from «{W,po}»
    empty x"#);
    }
}
