//! In the Dartagnan dialect an unknown name is the set of events with that tag.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C604` says.
pub const KIND: Kind = Kind {
    code: "C604",
    title: "a name taken for an event tag",
    severity: Severity::Warning,
    explanation: "The Dartagnan dialect has no unknown names: one that is not defined is the set of events that carry a tag of that\n\
name, as a rule an empty set. Check the spelling.",
    help: "check the spelling, or define it with `let`",
};

/// `name` at `span`.
pub fn report(name: &str, span: Span, near: Option<&str>) -> Diagnostic {
    let found = KIND.at(format!("`{name}` is taken for an event tag"), span, "not defined anywhere");
    match near {
        Some(near) => found.help(format!("is `{near}` meant?")),
        None => found,
    }
}

#[cfg(test)]
mod tests {
    use super::KIND;

    #[test]
    fn reported() {
        use crate::cat::{Dialect, testing};
        let loaded = testing::load_as("empty nosuch-tag", Some(Dialect::Dartagnan));
        assert!(loaded.is_ok_and(|l| l.warnings.iter().any(|d| d.code() == KIND.code)));
    }
}
