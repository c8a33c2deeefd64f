//! `show` names what is not defined.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C620` says.
pub const KIND: Kind = Kind {
    code: "C620",
    title: "a `show` of nothing",
    severity: Severity::Warning,
    explanation: "`show` says what pictures of executions are to have. A name that is not defined shows nothing, without an error.",
    help: "check the spelling, or take it out",
};

/// What stands at `span` has a name that is not defined; `near` is the nearest that is.
pub fn report(name: &str, span: Span, near: Option<&str>) -> Diagnostic {
    let found = KIND.at(format!("`{name}` is not defined, so nothing is shown"), span, "shows nothing");
    match near {
        Some(near) => found.help(format!("is `{near}` meant?")),
        None => found,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn reported() {
        let found = |text| {
            let loaded = crate::cat::testing::load(text).expect("loads");
            crate::cat::tools::check::check(&loaded).iter().filter(|d| d.code() == super::KIND.code).count()
        };
        assert_eq!(found("acyclic po | rf\nshow no-such-name"), 1);
        assert_eq!(found("let a = po\nacyclic a | rf\nshow a, rf"), 0);
    }
}
