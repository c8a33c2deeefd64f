//! A `let` defines a name that is used nowhere.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C607` says.
pub const KIND: Kind = Kind {
    code: "C607",
    title: "a definition that nothing mentions",
    severity: Severity::Warning,
    explanation: "Definitions are evaluated when something needs them, so an unused one is not even checked for errors. Remove it, or\n\
`show` it.",
    help: "use it in a check, `show` it, or take it out",
};

/// These names of a file, of which the first is defined at `span`.
pub fn report(names: &[&str], span: Span) -> Diagnostic {
    let listed = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let verb = if names.len() == 1 { "is" } else { "are" };
    KIND.at(format!("{listed} {verb} defined and never mentioned"), span, "unused")
}

#[cfg(test)]
mod tests {

    #[test]
    fn reported() {
        let loaded = crate::cat::testing::load("let a = po\nacyclic rf").expect("loads");
        assert!(crate::cat::tools::check::check(&loaded).iter().any(|d| d.code() == super::KIND.code));
        // All of a file are told at once; a file that checks nothing is there to be included.
        let told = |text: &str| {
            let loaded = crate::cat::testing::load(text).expect("loads");
            let all = crate::cat::tools::check::check(&loaded).into_iter();
            all.filter(|d| d.code() == super::KIND.code).map(|d| d.message().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(told("let a = po\nlet b = rf\nacyclic co0"), ["`a`, `b` are defined and never mentioned"]);
        assert!(told("let a = po\nlet b = rf").is_empty());
    }
}
