//! A check depends on the reads and writes of registers, which executions do not have.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C615` says.
pub const KIND: Kind = Kind {
    code: "C615",
    title: "a check that depends on register events",
    severity: Severity::Warning,
    explanation: "Executions have no events for the reads and writes of registers: `Rreg`, `Wreg`, `ADDR`, `DATA` and `rf-reg` are\n\
empty, and so are dependencies that a model computes from them. The model allows more than it would.\n\
A file that starts with `catdep` gets the dependencies of the execution for `addr`, `data`, `ctrl` and the `pick-…-dep` that\n\
it defines. Without `catdep`, leave these definitions out: `addr`, `data` and `ctrl` are predefined.",
    help: "start the file that defines dependencies with `catdep`, or leave them out: `addr`, `data` and `ctrl` are predefined",
};

/// The names, all empty.
pub const NAMES: [&str; 5] = ["Rreg", "Wreg", "ADDR", "DATA", "rf-reg"];

/// The check at `span` needs `name`.
pub fn report(span: Span, name: &str) -> Diagnostic {
    KIND.at(
        format!("executions have no events for registers: `{name}` is empty"),
        span,
        "this check depends on it, and says less than it would",
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn reported_once() {
        let loaded = crate::cat::testing::load("acyclic rf | ([DATA] ; po)\nacyclic co0 | rf-reg").expect("loads");
        let codes: Vec<&str> = loaded.warnings.iter().map(|w| w.code()).collect();
        assert_eq!(codes, [super::KIND.code]);
        assert!(crate::cat::testing::load("let x = rf-reg\nacyclic po | rf").is_ok_and(|l| l.warnings.is_empty()));
    }
}
