//! The scopes of a bell file do not form a tree.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C503` says.
pub const KIND: Kind = Kind {
    code: "C503",
    title: "scopes that form no tree",
    severity: Severity::Error,
    explanation: "A bell file that declares `enum scopes` says how they contain each other by a function `wider` (from each scope to the\n\
next wider one), `narrower` (to the next narrower ones), or both. Together they have to describe one tree: every scope\n\
but one has exactly one wider scope, none contains itself, and the two functions agree.",
    help: "every scope but one has exactly one next wider scope; `hmc explain C503` says how to write them",
};

/// The function `name` at `span` is wrong for this reason.
pub fn report(span: Span, name: &str, reason: &str) -> Diagnostic {
    KIND.at(format!("`{name}` describes no tree of scopes: {reason}"), span, "defined here")
}

#[cfg(test)]
mod tests {
    use super::KIND;

    fn outcome(functions: &str) -> Result<(), &'static str> {
        let bell = format!("enum scopes = 'device || 'group || 'thread\n{functions}");
        crate::cat::testing::load_bell(&bell, "acyclic po").map(|_| ()).map_err(|d| d[0].code())
    }

    const WIDER: &str = "let wider(s) = match s with 'thread -> 'group || 'group -> 'device end\n";

    #[test]
    fn trees_are_accepted() {
        assert_eq!(outcome(""), Ok(()));
        assert_eq!(outcome(WIDER), Ok(()));
        let narrower = "let narrower(s) = match s with 'device -> {'group} || 'group -> 'thread || _ -> {} end";
        assert_eq!(outcome(narrower), Ok(()));
        assert_eq!(outcome(&format!("{WIDER}{narrower}")), Ok(()));
    }

    #[test]
    fn reported() {
        for wrong in [
            "let wider(s) = match s with 'thread -> 'device end",
            "let wider(s) = match s with 'thread -> 'group || 'group -> 'thread end",
            "let wider(s) = match s with 'thread -> {'group, 'device} || 'group -> 'device end",
            "let wider(s) = match s with 'thread -> 'group || 'group -> 'device || 'device -> 'group end",
            "let narrower(s) = match s with 'device -> 'group end",
            "let narrower(s) = match s with 'device -> {'group, 'thread} || 'group -> 'thread end",
            "let wider(s) = match s with 'thread -> 0 || 'group -> 'device end",
        ] {
            assert_eq!(outcome(wrong), Err(KIND.code), "{wrong}");
        }
        let disagree = "let narrower(s) = match s with 'device -> 'thread || 'thread -> 'group end";
        assert_eq!(outcome(&format!("{WIDER}{disagree}")), Err(KIND.code));
    }
}
