//! Macros by name.

use super::{Body, Macro};
use std::collections::BTreeMap;

/// The macros of one or more files. Expression macros and statement macros are looked up apart, because a call in
/// expression position never means a statement macro and the other way round; a later definition overrides an earlier one.
#[derive(Clone, Default, Debug)]
pub struct MacroTable {
    expressions: BTreeMap<String, Macro>,
    statements: BTreeMap<String, Macro>,
}

impl MacroTable {
    /// A table of these macros, in the order of the file.
    pub fn new(macros: impl IntoIterator<Item = Macro>) -> Self {
        let mut table = Self::default();
        table.extend(macros);
        table
    }

    /// Adds the macros of a further file.
    pub fn extend(&mut self, macros: impl IntoIterator<Item = Macro>) {
        for item in macros {
            let kind = match item.body {
                Body::Expr(_) => &mut self.expressions,
                Body::Block(_) => &mut self.statements,
            };
            kind.insert(item.name.clone(), item);
        }
    }

    /// The macro that a call in expression position means.
    pub fn expression(&self, name: &str) -> Option<&Macro> {
        self.expressions.get(name)
    }

    /// The macro that a call in statement position means.
    pub fn statement(&self, name: &str) -> Option<&Macro> {
        self.statements.get(name)
    }

    /// All macros, expression macros first, each group by name.
    pub fn iter(&self) -> impl Iterator<Item = &Macro> {
        self.expressions.values().chain(self.statements.values())
    }
}
