//! Part of the model cannot be turned into relation algebra and is evaluated on each execution.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C605` says.
pub const KIND: Kind = Kind {
    code: "C605",
    title: "something that is evaluated per execution",
    severity: Severity::Warning,
    explanation: "Sets of sets built from events, `linearisations` and recursion over the events of an execution have no counterpart in\n\
relation algebra. They are kept and evaluated by the reference evaluator on every complete execution: slower, same result.",
    help: "the results are the same; written with `;`, `&` and closures alone it would be faster",
};

/// What stands at `span` is kept for evaluation, for this reason.
pub fn report(span: Span, reason: &str) -> Diagnostic {
    KIND.at("this is evaluated on each execution by itself, which is slow", span, reason.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"let f = «classes-loc(W)»
    forall c in f do acyclic po end"#);
    }
}
