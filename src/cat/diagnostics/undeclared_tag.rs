//! A tag is used that no `enum` declares.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C303` says.
pub const KIND: Kind = Kind {
    code: "C303",
    title: "a tag without a declaration",
    severity: Severity::Error,
    explanation: "Tags (`'once`) are declared by `enum`: `enum Accesses = 'once || 'release`. The declaration has to run before\n\
the use; a bell file usually has them.",
    help: "declare it before this place: `enum Name = 'a || 'b`",
};

/// `'name` at `span` is undeclared.
pub fn report(name: &str, span: Span, near: Option<&str>) -> Diagnostic {
    let found = KIND.at(format!("the tag `'{name}` is not declared"), span, "no `enum` has this tag");
    match near {
        Some(near) => found.help(format!("is `'{near}` meant?")),
        None => found,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"enum e = 'one
    empty (if «'two» in e then po else 0)"#);
    }
}
