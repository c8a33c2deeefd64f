//! Why a name is not defined where it is used: what was meant.

use super::Stager;
use crate::cat::diagnostics::{
    Diagnostic, Kind, forgotten_rec, name_of_other_architecture, unknown_name, used_before_definition,
};
use crate::cat::library;
use crate::cat::source::Span;
use crate::cat::syntax::ast::{Ident, Instr, InstrKind, Pat, PatAtom};
use crate::cat::vocabulary;

/// What is said of a name without a definition.
pub const UNDEFINED: [Kind; 4] =
    [unknown_name::KIND, name_of_other_architecture::KIND, forgotten_rec::KIND, used_before_definition::KIND];

impl Stager<'_> {
    /// What to say of a name that nothing before its use defines.
    pub(super) fn undefined(&self, name: &Ident, near: Option<&str>) -> Diagnostic {
        // Such a name may be another dialect's.
        let own = !vocabulary::is_of_dartagnan(&name.text) && !self.loader.is_library(name.span.file);
        let found = if own { self.definitions_of(name) } else { Definitions::default() };
        if let Some(definition) = found.around {
            return forgotten_rec::report(&name.text, name.span, definition);
        }
        if let Some(definition) = found.below {
            return used_before_definition::report(&name.text, name.span, definition);
        }
        let unknown = unknown_name::report(&name.text, name.span, near);
        match library::file_that_defines(&name.text) {
            Some(file) if own => unknown.help(format!("`include \"{file}\"` defines it")),
            _ => unknown,
        }
    }

    /// Where files that are being run define a name, after the place where it is used.
    fn definitions_of(&self, name: &Ident) -> Definitions {
        let mut found = Definitions::default();
        let outer = self.including.iter().rev().skip(1).map(|(file, _)| *file);
        let places = std::iter::once(name.span).chain(self.including.iter().rev().filter_map(|(_, at)| *at));
        for (file, at) in std::iter::once(name.span.file).chain(outer).zip(places).filter(|(file, at)| *file == at.file)
        {
            if let Some(tree) = self.loader.tree(file) {
                look(&tree.body, name, at, &mut found);
            }
        }
        found
    }
}

/// Definitions of a name that do not hold where it is used: names of the definitions.
#[derive(Default)]
struct Definitions {
    /// The use is in it.
    around: Option<Span>,
    /// It stands further down.
    below: Option<Span>,
}

fn look(body: &[Instr], name: &Ident, at: Span, found: &mut Definitions) {
    for instr in body {
        match &instr.kind {
            InstrKind::Let { bindings, .. } => {
                for binding in bindings.iter() {
                    let Pat::One(PatAtom::Name(defined)) = &binding.pat else { continue };
                    if defined.sym != name.sym {
                        continue;
                    }
                    if binding.span.start <= at.start && at.end <= binding.span.end {
                        found.around.get_or_insert(defined.span);
                    } else if binding.span.start > at.start {
                        found.below.get_or_insert(defined.span);
                    }
                }
            }
            InstrKind::Procedure { body, .. } | InstrKind::Forall { body, .. } => look(body, name, at, found),
            InstrKind::If { then, otherwise, .. } => {
                [then, otherwise].into_iter().for_each(|b| look(b, name, at, found))
            }
            InstrKind::Match { clauses, default, .. } => {
                clauses.iter().map(|(_, body)| body).chain(default).for_each(|body| look(body, name, at, found));
            }
            _ => {}
        }
    }
}
