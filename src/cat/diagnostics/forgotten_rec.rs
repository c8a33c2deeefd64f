//! A definition uses the name that it defines, which has no earlier meaning.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C304` says.
pub const KIND: Kind = Kind {
    code: "C304",
    title: "a definition that uses itself",
    severity: Severity::Error,
    explanation: "`let x = …` gives a value in terms of what was defined before; the `x` on its right is an earlier `x`. `let rec x = …` is a\n\
recursive definition: the least solution.",
    help: "write `let rec`, or use another name on the right",
};

/// `name`, defined at `definition`, is used at `span` in its own definition.
pub fn report(name: &str, span: Span, definition: Span) -> Diagnostic {
    KIND.at(format!("`let {name}` uses itself: is `let rec` meant?"), span, "no earlier definition has this name")
        .label(definition, "defined here, without `rec`")
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, "let prop = po | «prop» ; rf\nacyclic prop as p");
        expect(KIND, "procedure p() = let a = po | «a» acyclic a end\ncall p()");
        assert!(crate::cat::testing::load("let rec prop = po | prop ; rf\nacyclic prop as p").is_ok());
        assert!(crate::cat::testing::load("let a = po\nlet a = a | rf\nacyclic a").is_ok());
    }
}
