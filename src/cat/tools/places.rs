//! Where a model defines what: for editors.

use crate::cat::Loaded;
use crate::cat::source::Span;
use crate::cat::syntax::ast::{Binding, Instr, InstrKind, Pat, PatAtom};

/// A definition in one of the files of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defined {
    /// The name.
    pub name: String,
    /// Whether it is a function or a procedure.
    pub is_function: bool,
    /// The whole definition.
    pub span: Span,
}

/// The definitions of all files, in the order of the files, those inside of conditions and procedures included.
pub fn definitions(loaded: &Loaded) -> Vec<Defined> {
    let mut found = Vec::new();
    for tree in loaded.program.trees.iter().flatten() {
        in_body(&tree.body, &mut found);
    }
    found
}

fn in_body(body: &[Instr], found: &mut Vec<Defined>) {
    // Trees are shallow by construction.
    for instr in body {
        match &instr.kind {
            InstrKind::Let { bindings, .. } => bindings.iter().for_each(|binding| bound(binding, found)),
            InstrKind::Procedure { name, body, .. } => {
                found.push(Defined { name: name.text.to_string(), is_function: true, span: instr.span });
                in_body(body, found);
            }
            InstrKind::Forall { body, .. } => in_body(body, found),
            InstrKind::If { then, otherwise, .. } => {
                in_body(then, found);
                in_body(otherwise, found);
            }
            InstrKind::Match { clauses, default, .. } => {
                clauses.iter().for_each(|(_, body)| in_body(body, found));
                default.iter().for_each(|body| in_body(body, found));
            }
            _ => {}
        }
    }
}

fn bound(binding: &Binding, found: &mut Vec<Defined>) {
    let mut add = |atom: &PatAtom| {
        if let PatAtom::Name(name) = atom {
            let is_function = binding.is_function();
            found.push(Defined { name: name.text.to_string(), is_function, span: binding.span });
        }
    };
    match &binding.pat {
        Pat::One(atom) => add(atom),
        Pat::Tuple(atoms, _) => atoms.iter().for_each(add),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cat::{LoadRequest, Vocabulary, load};

    #[test]
    fn definitions_have_their_files_and_places() {
        let text = "\"mine\"\ninclude \"cos.cat\"\nlet mine = po | rf\nlet pick(r) = r & loc\nacyclic mine | co";
        let loaded = load(&LoadRequest::text("mine", text), &Vocabulary::new(None)).expect("a model");
        let all = definitions(&loaded);
        let of = |name: &str| all.iter().find(|d| d.name == name).expect(name);
        assert_eq!(loaded.sources.text(of("mine").span), "mine = po | rf");
        assert!(of("pick").is_function && !of("mine").is_function);
        assert!(loaded.sources.file(of("fr").span.file).name.starts_with("cos"));
    }
}
