//! Checks a cycle before it is printed: with the reference evaluator, which shares no code with what found it.

use super::models::Usable;
use crate::algebra::Check;
use crate::cat::reference::{self, Options};
use crate::kernel::candidate::Candidate;
use crate::verdict::explain::Step;

/// Whether the reference evaluator rejects the execution by this check, the steps form a cycle (or a path, for a check that asks for
/// emptiness), and each is an edge of the relation that it is named after.
pub fn confirmed(usable: &Usable, candidate: &Candidate, index: usize, check: &Check, steps: &[Step]) -> bool {
    let closed = steps.windows(2).all(|w| w[0].1 == w[1].0);
    if steps.is_empty() || !closed {
        return false;
    }
    let own = index >= usable.loaded.model.checks.len();
    let options = Options { through: true, definitions: true, ..Options::default() };
    let Ok(branches) = reference::run(&usable.loaded, candidate, &options) else { return false };
    let fails = own || branches.iter().any(|b| b.failed.iter().any(|f| f.name == check.name));
    fails && steps.iter().all(|(a, b, name)| edge(&branches, candidate, *a, *b, name))
}

fn edge(branches: &[reference::Branch], candidate: &Candidate, a: u32, b: u32, name: &str) -> bool {
    let (name, pair) = match name.strip_suffix("^-1") {
        Some(name) => (name, (b, a)),
        None => (name, (a, b)),
    };
    // A name may stand for a relation of the execution and, redefined, for one of the model.
    let known: Vec<_> = branches.iter().filter_map(|br| br.relations.get(name)).collect();
    let base = candidate.relations.get(name);
    if known.is_empty() && base.is_none() {
        // Part of an expression without a name.
        return true;
    }
    known.iter().any(|r| r.contains(&pair)) || base.is_some_and(|r| r.contains(&pair))
}
