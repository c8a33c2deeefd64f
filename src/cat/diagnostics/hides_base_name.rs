//! A `let` hides a set or relation of the execution.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C619` says.
pub const KIND: Kind = Kind {
    code: "C619",
    title: "a definition that hides a base name",
    severity: Severity::Warning,
    explanation: "`po`, `rf`, `W` and the like come from the execution, `co` and `fr` from `cos.cat`. A `let` of the same name gives it another\n\
meaning in all that follows, though not in what was defined before. A `let` that only adds to the old value (`let W = W | …`)\n\
is not told.",
    help: "choose another name, or add to the old value: `let po = po | …`",
};

/// `name` at `span` is one of the execution's.
pub fn report(name: &str, span: Span) -> Diagnostic {
    KIND.at(format!("this hides `{name}` of the execution"), span, "another meaning from here on")
}

#[cfg(test)]
mod tests {
    fn found(text: &str) -> usize {
        let loaded = crate::cat::testing::load(text).expect("loads");
        crate::cat::tools::check::check(&loaded).iter().filter(|d| d.code() == super::KIND.code).count()
    }

    #[test]
    fn reported() {
        assert_eq!(found("include \"cos.cat\"\nlet po = po & loc\nlet co = rf\nacyclic po | rf | co | fr"), 2);
        assert_eq!(found("let W = W | R\nlet X = try X with {}\nacyclic po | [W] | [X]"), 0);
    }
}
