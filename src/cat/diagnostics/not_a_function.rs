//! Something is applied that is neither a function nor a primitive.

use super::{Diagnostic, Kind, Severity, keyword_meant};
use crate::cat::source::Span;

/// What `hmc explain C403` says.
pub const KIND: Kind = Kind {
    code: "C403",
    title: "a call of something that is no function",
    severity: Severity::Error,
    explanation: "`f x`, `f(x)` and `f [x]` apply `f`. Two expressions side by side are always an application: `po [W]` calls `po`.\n\
Between relations write an operator, as a rule `;`.",
    help: "two expressions side by side are an application; is `;` missing?",
};

/// The head at `span` is `found`; `argument` is what it is applied to, if that is a name.
pub fn report(span: Span, found: &str, origin: Option<Span>, argument: Option<&str>) -> Diagnostic {
    let mut report = KIND.at(format!("this is {found}, not a function"), span, "applied to an argument");
    // A misspelt instruction is read as a part of the expression before it.
    if let Some(meant) = argument.and_then(keyword_meant) {
        report = report.help(meant);
    }
    match origin {
        Some(origin) => report.label(origin, format!("defined here as {found}")),
        None => report,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"acyclic «po» [W]"#);
        expect(KIND, r#"let k = po
    acyclic «k»(W)"#);
    }

    #[test]
    fn a_misspelt_instruction_is_named() {
        let errors = crate::cat::testing::load("let x = po\nirefflexive x\nacyclic x").err().unwrap_or_default();
        assert_eq!(errors.first().map(|d| d.help_text()), Some("is `irreflexive` meant?"), "{errors:?}");
    }
}
