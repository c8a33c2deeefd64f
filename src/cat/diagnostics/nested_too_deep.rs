//! Parentheses, blocks or operators are nested deeper than the reader allows.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;
use crate::cat::syntax::build::MAX_DEPTH;

/// What `hmc explain C107` says.
pub const KIND: Kind = Kind {
    code: "C107",
    title: "nesting beyond the limit",
    severity: Severity::Error,
    explanation: "Expressions and blocks may be nested 256 deep. No published model comes near; a generated one can name\n\
intermediate results with `let`. Chains of `|` and `;` count as one level, whatever their length.",
    help: "name intermediate results with `let`",
};

/// The tree that starts at `span` is too high.
pub fn report(span: Span) -> Diagnostic {
    KIND.at("this is nested too deep", span, format!("more than {MAX_DEPTH} levels"))
}

#[cfg(test)]
mod tests {

    #[test]
    fn every_kind_of_nesting() {
        use crate::cat::testing;
        let n = 10_000;
        let inputs = [
            format!("let x = {}po{}", "(".repeat(n), ")".repeat(n)),
            format!("let x = {}W{}", "[".repeat(n), "]".repeat(n)),
            format!("let x = {}po", "~".repeat(n)),
            format!("let x = po{}", "+".repeat(n)),
            format!("let x = po{}", "?".repeat(n)),
            format!("let x = po{}", " & po".repeat(n)),
            format!("let x = po{}", " \\ po".repeat(n)),
            format!("let x = {}po", "fun y -> ".repeat(n)),
            format!("let x = {}po", "let y = po in ".repeat(n)),
            format!("let x = {}0 else 0", "if \"v\" then ".repeat(n)),
            format!("let x = f{}", " po".repeat(n)),
            "if \"v\" ".repeat(n) + &" end".repeat(n),
            format!("if {}\"v\" end", "not ".repeat(n)),
            format!("if {}\"v\"{} end", "(".repeat(n), ")".repeat(n)) + " let x = " + &"(".repeat(n),
        ];
        for input in inputs {
            let errors = testing::load(&input).err().unwrap_or_default();
            assert!(!errors.is_empty(), "{}", &input[..40]);
        }
    }
}
