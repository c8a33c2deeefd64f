//! A check depends on events that executions do not have: reads and writes of registers, branches.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C615` says.
pub const KIND: Kind = Kind {
    code: "C615",
    title: "a check that depends on events that executions do not have",
    severity: Severity::Warning,
    explanation: "Executions have no events for the reads and writes of registers, nor for branches and the steps inside instructions: names that\n\
speak of these are empty, and so are dependencies that a model computes from them. The model allows more than it would; a flag\n\
is raised less often. `docs/models.md` and `hmc model names` list such names as missing.\n\
A file that starts with `catdep` gets the dependencies of the execution for `addr`, `data`, `ctrl` and the `pick-…-dep` that\n\
it defines. Without `catdep`, leave these definitions out: `addr`, `data` and `ctrl` are predefined.",
    help: "`addr`, `data` and `ctrl` are predefined; a file that defines dependencies by itself starts with `catdep`",
};

/// The check at `span` is the first one that needs one of `names`.
pub fn report(span: Span, names: &[String]) -> Diagnostic {
    let listed = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let found = KIND.at(
        format!("executions have no events for {listed}: empty"),
        span,
        "this check depends on it, and says less than it would",
    );
    match names.iter().any(|name| OF_REGISTERS.contains(&name.as_str())) {
        true => found,
        false => found.help("`hmc model names` says which names executions have members for"),
    }
}

/// Names that models compute dependencies from.
const OF_REGISTERS: [&str; 7] = ["Rreg", "Wreg", "ADDR", "DATA", "rf-reg", "iico_data", "iico_ctrl"];

#[cfg(test)]
mod tests {
    #[test]
    fn reported_once() {
        let loaded = crate::cat::testing::load("acyclic rf | ([DATA] ; po)\nacyclic co0 | rf-reg").expect("loads");
        let codes: Vec<&str> = loaded.warnings.iter().map(|w| w.code()).collect();
        assert_eq!(codes, [super::KIND.code]);
        let loaded = crate::cat::testing::load("acyclic ([R] ; po ; [B] ; po) | rf").expect("loads");
        assert!(loaded.warnings[0].message().contains("`B`"), "{:?}", loaded.warnings);
        assert!(crate::cat::testing::load("let x = rf-reg\nacyclic po | rf").is_ok_and(|l| l.warnings.is_empty()));
    }
}
