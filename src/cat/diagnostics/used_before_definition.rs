//! A name is used above its definition.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C305` says.
pub const KIND: Kind = Kind {
    code: "C305",
    title: "a name that is defined further down",
    severity: Severity::Error,
    explanation: "Definitions hold from where they stand to the end: a model is read from top to bottom. Definitions that need each other are\n\
made together: `let rec a = … and b = …`.",
    help: "move the definition up; definitions that need each other are one `let rec … and …`",
};

/// `name` is used at `span` and defined at `definition`, further down.
pub fn report(name: &str, span: Span, definition: Span) -> Diagnostic {
    KIND.at(format!("`{name}` is used before it is defined"), span, "not defined yet")
        .label(definition, "defined here")
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, "acyclic «hb» as x\nlet hb = po | rf");
        expect(KIND, "let a = «b» | po\nlet b = rf\nacyclic a");
        expect(KIND, "let f(x) = «g»(x)\nlet g(x) = x+\nacyclic f(po)");
    }
}
