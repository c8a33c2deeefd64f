//! A `let` hides an earlier definition without building on it.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C608` says.
pub const KIND: Kind = Kind {
    code: "C608",
    title: "a name that is defined anew",
    severity: Severity::Warning,
    explanation: "`let fence = fence | more` extends a definition. A `let` that does not mention the old value hides it from what follows,\n\
while what came before still has the old one; that is often a slip.",
    help: "mention the old value (`let f = f | …`), or choose another name",
};

/// `name` at `span` was defined at `earlier`.
pub fn report(name: &str, span: Span, earlier: Span) -> Diagnostic {
    KIND.at(format!("`{name}` is defined anew, without its earlier value"), span, "hides the earlier definition")
        .label(earlier, "defined here first")
}

#[cfg(test)]
mod tests {

    #[test]
    fn reported() {
        let loaded = crate::cat::testing::load("let a = po\nacyclic a\nlet a = rf\nacyclic a").expect("loads");
        assert!(crate::cat::tools::check::check(&loaded).iter().any(|d| d.code() == super::KIND.code));
    }
}
