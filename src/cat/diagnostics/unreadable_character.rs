//! The file has a character that means nothing in cat.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C101` says.
pub const KIND: Kind = Kind {
    code: "C101",
    title: "a character that no token starts with",
    severity: Severity::Error,
    explanation: "Names start with a letter, or with one underscore and a letter. The only number is `0` (the empty\n\
relation); `-1` is written only after `^`. Text in other alphabets belongs in comments or strings.",
    help: "names start with a letter; other text belongs in comments, `(* … *)`",
};

/// `slice` cannot be read.
pub fn report(span: Span, slice: &str) -> Diagnostic {
    let found = KIND.at(format!("`{slice}` cannot start a word of cat"), span, "here");
    if slice.starts_with(|c: char| c.is_ascii_digit()) {
        found.help("the only number is `0`, the empty relation")
    } else {
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"let x = «@» po"#);
        expect(KIND, r#"let x = «1» | po"#);
        expect(KIND, r#"let «λλ» = po"#);
    }
}
