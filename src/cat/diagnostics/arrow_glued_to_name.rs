//! `x->y`: the dash belongs to the name, so the arrow is lost.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C105` says.
pub const KIND: Kind = Kind {
    code: "C105",
    title: "an arrow glued to the name before it",
    severity: Severity::Error,
    explanation: "A dash is a letter of a name in cat (`po-loc`, `R-W`), so `x->y` reads as the name `x-` and a stray `>`.\n\
Write blanks around the arrow: `fun x -> y`, `'a -> e`.",
    help: "put blanks around the arrow: `fun x -> …`",
};

/// `name` and the arrow at `span` were written without a blank.
pub fn report(span: Span, name: &str) -> Diagnostic {
    KIND.at(format!("`{name}->` reads as the name `{name}-` followed by `>`"), span, "a dash is a letter of a name")
        .help(format!("put blanks around the arrow: `{name} -> …`"))
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"let f = fun «x->»x"#);
    }
}
