//! `r -1`, `r^+`, `r^*`: spellings of the other dialect.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;
use crate::cat::syntax::build::Postfix;

/// What `hmc explain C110` says.
pub const KIND: Kind = Kind {
    code: "C110",
    title: "an operator in Dartagnan's spelling",
    severity: Severity::Error,
    explanation: "The inverse is `r^-1`, the closures are `r+` and `r*`. `r -1`, `r^+` and `r^*` are Dartagnan's spellings\n\
(`--dialect dartagnan`).",
    help: "the inverse is `r^-1`, the closures are `r+` and `r*`",
};

/// The operator at `span` is spelt as in the other dialect.
pub fn report(op: Postfix, span: Span) -> Diagnostic {
    let right = match op {
        Postfix::CaretPlus => "+",
        Postfix::CaretStar => "*",
        _ => "^-1",
    };
    KIND.at("this operator is spelt as in the Dartagnan dialect", span, "not herd's spelling")
        .help(format!("write `{right}`"))
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"let d = po« -1»"#);
        expect(KIND, r#"let d = po«^+»"#);
    }
}
