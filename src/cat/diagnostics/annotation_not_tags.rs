//! An annotation position of `instructions` or `default` is not a tag or a set of tags.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C502` says.
pub const KIND: Kind = Kind {
    code: "C502",
    title: "an annotation that is no tag",
    severity: Severity::Error,
    explanation: "`instructions R[Accesses]` declares which tags an instruction may carry: each position is a tag or a set of tags.\n\
In `default` each position is one tag.",
    help: "declare the tags with `enum`, and name them here: `instructions R[{'once, 'acquire}]`",
};

/// The position at `span` is `found`.
pub fn report(span: Span, found: &str) -> Diagnostic {
    KIND.at(format!("an annotation is a tag or a set of tags, but this is {found}"), span, found)
}

#[cfg(test)]
mod tests {
    use super::KIND;

    #[test]
    fn reported() {
        let found = crate::cat::testing::load_bell("let x = (0,0)\ninstructions R[x]", "acyclic po");
        assert!(found.err().is_some_and(|ds| ds[0].code() == KIND.code));
    }
}
