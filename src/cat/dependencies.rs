//! Models that compute dependencies from the reads and writes of registers (`catdep`).
//!
//! Executions have no events for registers, so that such definitions would all come out empty; they carry the dependencies
//! themselves. In a file that says `catdep`, a definition of a name `x` for which the library's `catdep.cat` defines `catdep.x` gets
//! that value. The rewriting is of the tree, so that staging and the reference evaluator see the same.
//!
//! Limits: only definitions at the top level of the file are replaced, and only those names. What else a model derives from
//! register events is empty.

use super::syntax::ast::{Binding, Expr, ExprKind, File, Ident, Instr, InstrKind, Pat, PatAtom};
use super::syntax::build::Interner;
use std::sync::Arc;

/// The file of the library that has the definitions.
pub const FILE: &str = "catdep.cat";

/// What the names of its definitions start with.
const PREFIX: &str = "catdep.";

/// The name under which a file that says `catdep` includes the library's file, whatever stands in its directory.
pub const INCLUDED_AS: &str = "<library>/catdep.cat";

fn defined(pattern: &Pat) -> Option<&Ident> {
    match pattern {
        Pat::One(PatAtom::Name(name)) => Some(name),
        _ => None,
    }
}

/// Gives the names that `library` has values for these values in `file`.
pub fn supply(file: &mut File, library: &File, interner: &mut Interner) {
    let given: Vec<&str> = lets(&library.body)
        .flat_map(|bindings| bindings.iter())
        .filter_map(|binding| defined(&binding.pat)?.text.strip_prefix(PREFIX))
        .collect();
    let mut body: Vec<Instr> = file.body.to_vec();
    let mut first = None;
    for instr in &mut body {
        let span = instr.span;
        let InstrKind::Let { bindings, .. } = &mut instr.kind else { continue };
        let replaced = |binding: &Binding| defined(&binding.pat).is_some_and(|name| given.contains(&&*name.text));
        if !bindings.iter().any(replaced) {
            continue;
        }
        first.get_or_insert(span);
        let with_library = bindings.iter().map(|binding| match defined(&binding.pat) {
            Some(name) if replaced(binding) => {
                let (sym, text) = interner.intern(&format!("{PREFIX}{}", name.text));
                let kind = ExprKind::Var(Ident { sym, text, span: binding.value.span });
                let value = Expr { kind, span: binding.value.span, depth: 1, parenthesised: false };
                Binding { value: Arc::new(value), ..binding.clone() }
            }
            _ => binding.clone(),
        });
        *bindings = with_library.collect();
    }
    if let Some(span) = first {
        let kind = InstrKind::Include(Arc::from(INCLUDED_AS), span);
        body.insert(0, Instr { kind, span, depth: 1 });
        file.body = body.into();
    }
}

fn lets(body: &[Instr]) -> impl Iterator<Item = &Arc<[Binding]>> {
    body.iter().filter_map(|instr| match &instr.kind {
        InstrKind::Let { bindings, .. } => Some(bindings),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use crate::cat::testing;

    /// A model in the manner of those that compute dependencies: everything passes through register events.
    const COMPUTED: &str = "catdep\nlet rec through = rf-reg | iico_data | through; through\n\
        let data = ([R]; through; [DATA]; iico_data+; [W]) \\ same-instance\n";

    #[test]
    fn computed_dependencies_are_those_of_the_execution() {
        let with = testing::load(&format!("{COMPUTED}acyclic rf | data as thin-air")).expect("loads");
        let bases = |loaded: &crate::cat::Loaded| crate::cat::tools::info::info(loaded).relations;
        assert!(bases(&with).iter().any(|r| r == "data"), "{:?}", bases(&with));
        let without = COMPUTED.trim_start_matches("catdep\n");
        let without = testing::load(&format!("{without}acyclic rf | data as thin-air")).expect("loads");
        assert!(bases(&without).iter().all(|r| r != "data"));
        assert!(without.warnings.iter().any(|w| w.code() == "C615"), "{:?}", without.warnings);
        assert!(with.warnings.is_empty(), "{:?}", with.warnings);
    }

    #[test]
    fn a_second_include_changes_nothing() {
        let twice =
            testing::load(&format!("{COMPUTED}{COMPUTED}acyclic rf | data as thin-air").replacen("\ncatdep", "\n", 1));
        assert!(twice.is_ok(), "{:?}", twice.err());
    }
}
