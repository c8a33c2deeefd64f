//! What checks need that executions do not have.

use super::Stager;
use crate::algebra::{Check, ExprId, Model, Node, Role};
use crate::cat::diagnostics::register_events;
use crate::cat::source::Span;
use crate::cat::vocabulary::table::Given;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The base names that a check depends on, but for what only these expressions need.
pub fn base_names<'m>(model: &'m Model, check: &Check, passed_over: &FxHashSet<ExprId>) -> BTreeSet<&'m str> {
    let pool = &model.pool;
    let mut names = BTreeSet::new();
    let mut seen: FxHashSet<ExprId> = passed_over.clone();
    let mut open = vec![check.expr];
    while let Some(e) = open.pop() {
        if !seen.insert(e) {
            continue;
        }
        match pool.node(e) {
            Node::Base(base) => {
                names.insert(&*pool.bases()[base.index()].name);
            }
            Node::Fix(group, _) => {
                let fix = pool.fix(*group);
                open.extend(fix.bodies.iter().copied().chain(fix.when.iter().map(|when| when.2)));
            }
            _ => open.extend(pool.operands(e)),
        }
    }
    names
}

impl Stager<'_> {
    /// Warns of checks that depend on what executions do not have, and of names of other architectures that decide something. What is
    /// said of flags and of final writes is not for those who run the model.
    pub(super) fn look_for_what_is_missing(&mut self) {
        let mut missing = [Missing::default(), Missing::default()];
        let mut deciding: BTreeSet<String> = BTreeSet::new();
        for check in &self.model.checks {
            // What the library's `co0` says of final writes is so in every execution.
            let names = base_names(&self.model, check, &self.standard_order);
            deciding.extend(names.iter().filter(|n| self.foreign.iter().any(|f| f.0 == **n)).map(|n| (*n).to_owned()));
            let lacks = |name: &&&str, given| self.vocabulary.given(name) == Some(given);
            let span = Span::new(check.place.0, check.place.1.start, check.place.1.end);
            let of = &mut missing[usize::from(check.role == Role::Flag)];
            of.add(span, names.iter().filter(|name| lacks(name, Given::Missing)));
            missing[1].add(span, names.iter().filter(|name| lacks(name, Given::Afterwards)));
        }
        for (name, warning) in std::mem::take(&mut self.foreign) {
            if deciding.contains(&name) {
                self.warn(warning);
            }
        }
        let [of_axioms, mut of_flags] = missing;
        of_flags.names.retain(|name| !of_axioms.names.contains(name));
        let warning = of_axioms.report();
        self.remarks.extend(of_flags.report());
        if let Some(warning) = warning {
            self.warn(warning);
        }
    }
}

/// Names that checks need and executions lack, and the first of these checks.
#[derive(Default)]
struct Missing {
    first: Option<Span>,
    names: BTreeSet<String>,
}

impl Missing {
    fn add<'n>(&mut self, check: Span, names: impl Iterator<Item = &'n &'n str>) {
        for name in names {
            self.first.get_or_insert(check);
            self.names.insert((*name).to_owned());
        }
    }

    fn report(&self) -> Option<crate::cat::diagnostics::Diagnostic> {
        let names: Vec<String> = self.names.iter().cloned().collect();
        self.first.filter(|_| !names.is_empty()).map(|span| register_events::report(span, &names))
    }
}
