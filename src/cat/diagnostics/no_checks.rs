//! A model checks nothing, so that it allows everything.

use super::{Diagnostic, Kind, Severity, keyword_meant};
use crate::cat::source::Span;

/// What `hmc explain C617` says.
pub const KIND: Kind = Kind {
    code: "C617",
    title: "a model without checks",
    severity: Severity::Warning,
    explanation: "A model rejects executions by `acyclic`, `irreflexive` and `empty`, and reports on them by `flag`. This one has none of these:\n\
it allows every execution. A misspelt instruction at the start of a file is read as the title of the model.",
    help: "write `acyclic …`, `irreflexive …` or `empty …`",
};

/// Nothing in the file is a check; it starts with these words, the first of them at `span`.
pub fn report<'w>(span: Span, title: impl IntoIterator<Item = &'w str>) -> Diagnostic {
    let found = KIND.at("this model has no checks: it allows every execution", span, "starts here");
    match title.into_iter().find_map(keyword_meant) {
        Some(meant) => found.help(meant),
        None => found,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;
    use crate::cat::testing::load;

    #[test]
    fn reported() {
        expect(KIND, "«acylic» po");
        expect(KIND, "«M»\nlet hb = po | rf");
        let warnings = load("acylic po").expect("loads").warnings;
        assert_eq!(warnings[0].help_text(), "is `acyclic` meant?");
        assert!(load("").expect("loads").warnings.iter().any(|d| d.code() == KIND.code));
    }

    #[test]
    fn a_flag_is_a_check() {
        assert!(load("flag ~empty rf as reads").expect("loads").warnings.is_empty());
    }
}
