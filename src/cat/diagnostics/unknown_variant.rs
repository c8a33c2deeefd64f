//! A condition names a variant that is none of the usual ones, and that the run does not give.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C601` says.
pub const KIND: Kind = Kind {
    code: "C601",
    title: "an unknown variant",
    severity: Severity::Warning,
    explanation: "`if \"name\"` asks whether the run was given `--variant name`, and this run was not. The name is none of those that published\n\
models ask for, so it may be misspelt; with `--variant name` the condition is true, and there is no warning.",
    help: "`--variant NAME` gives it",
};

/// `name` at `span`.
pub fn report(span: Span, name: &str) -> Diagnostic {
    KIND.at(format!("`{name}` is no usual variant, and it was not given"), span, "unknown variant")
        .help(format!("`--variant {name}` gives it"))
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"if «"nosuchvariant"» acyclic po end"#);
    }
}
