//! Checks what is about to be printed with the reference evaluator, which shares no code with what found it.
//!
//! - [`cycle`]: the edges on which an axiom fails. The reference evaluator runs the model's own text on the execution: the axiom must fail there,
//!   what it is about must have the edges, and a relation that a step is named after must have the step. Every step is besides evaluated as the
//!   expression that it comes from, written as a model of its own ([`text`]), whether it has a name or not.
//! - [`race`]: the two accesses of a flag.
//! - [`communication`]: a cycle of program order, reads-from, coherence and from-reads.
//!
//! What is not confirmed is not printed.

use super::explain::{Step, UNNAMED, Witness};
use crate::algebra::{BaseId, Check, ExprId, Model, Pool, Predicate, Sort, text};
use crate::cat::reference::{self, Branch, Failure, Options};
use crate::cat::{self, LoadRequest, Loaded, Vocabulary};
use crate::kernel::candidate::{Candidate, Relation};
use rustc_hash::FxHashMap;

/// A whole run of a model, with what its definitions and checks denote.
fn evaluated() -> Options {
    Options { through: true, definitions: true, ..Options::default() }
}

/// Whether the reference evaluator agrees that an execution is rejected by this check on these edges. `index`: the check's place in `model`,
/// which may have more checks than were loaded.
pub fn cycle(loaded: &Loaded, model: &Model, candidate: &Candidate, index: usize, witness: &Witness) -> bool {
    let Some(check) = model.checks.get(index) else { return false };
    if !shaped(check, witness) {
        return false;
    }
    let Ok(branches) = reference::run(loaded, candidate, &evaluated()) else { return false };
    let added = index >= loaded.model.checks.len();
    let fails = |failure: &Failure| {
        failure.name == check.name && witness.edges.iter().all(|edge| failure.operand.contains(edge))
    };
    if !added && !branches.iter().any(|b| b.failed.iter().any(fails)) {
        return false;
    }
    let mut expressions: Vec<ExprId> = witness.steps.iter().map(|s| s.expr).collect();
    expressions.push(check.expr);
    let Some(values) = relations(&model.pool, candidate, &expressions) else { return false };
    let has = |expr: ExprId, pair: (u32, u32)| values.get(&expr).is_some_and(|r| r.contains(&pair));
    witness.edges.iter().all(|&edge| has(check.expr, edge))
        && witness.steps.iter().all(|s| has(s.expr, own(s)) && named(&branches, candidate, s))
}

/// Whether the steps follow each other, and come back to where they began when they have to.
fn shaped(check: &Check, witness: &Witness) -> bool {
    let Witness { edges, steps } = witness;
    let ends = |first: (u32, u32), last: (u32, u32)| (first.0, last.1);
    let (Some(&first), Some(&last)) = (edges.first(), edges.last()) else { return false };
    let (Some(from), Some(to)) = (steps.first(), steps.last()) else { return false };
    let (start, end) = ends(first, last);
    edges.windows(2).all(|w| w[0].1 == w[1].0)
        && steps.windows(2).all(|w| w[0].to == w[1].from)
        && (from.from, to.to) == (start, end)
        && (check.predicate == Predicate::Empty || start == end)
}

/// The pair that the expression of a step has.
fn own(step: &Step) -> (u32, u32) {
    if step.inverse { (step.to, step.from) } else { (step.from, step.to) }
}

/// Whether a step is an edge of what the model, or the execution, calls by its name. Steps without a name are of no relation.
fn named(branches: &[Branch], candidate: &Candidate, step: &Step) -> bool {
    let name = step.name.strip_suffix("^-1").unwrap_or(&step.name);
    let pair = own(step);
    // A name may stand for a relation of the execution and, redefined, for one of the model.
    let mut known = branches.iter().filter_map(|br| br.relations.get(name)).chain(candidate.relations.get(name)).peekable();
    let nameless = name == UNNAMED || name == super::explain::ANY;
    if known.peek().is_none() { nameless } else { known.any(|r| r.contains(&pair)) }
}

/// Expressions on an execution, by the reference evaluator: the text of each is loaded as a model without checks. `None` when one cannot
/// be written or evaluated.
fn relations(pool: &Pool, candidate: &Candidate, roots: &[ExprId]) -> Option<FxHashMap<ExprId, Relation>> {
    // Base names get names that no library uses.
    let name = |base: BaseId| format!("base{}", base.index());
    let text = text::definitions(pool, roots, &name)?;
    let mut vocabulary = Vocabulary::new(None);
    let mut renamed = Candidate { sets: Default::default(), relations: Default::default(), ..candidate.clone() };
    for (i, base) in pool.bases().iter().enumerate() {
        let own = name(BaseId::at(i));
        vocabulary.add([own.as_str()], base.sort);
        match base.sort {
            Sort::Set => drop(renamed.sets.insert(own, candidate.set(&base.name))),
            Sort::Rel => drop(renamed.relations.insert(own, candidate.relation(&base.name))),
        }
    }
    let request = LoadRequest { dialect: Some(cat::Dialect::Herd), ..LoadRequest::text("part of a model", text) };
    let loaded = cat::load(&request, &vocabulary).ok()?;
    let branches = reference::run(&loaded, &renamed, &evaluated()).ok()?;
    let [branch] = branches.as_slice() else { return None };
    roots.iter().map(|&root| Some((root, branch.relations.get(&text::name(root))?.clone()))).collect()
}

/// Whether the reference evaluator agrees that a flag is raised by these two events, in one order or the other.
pub fn race(loaded: &Loaded, candidate: &Candidate, check: &Check, [a, b]: [u32; 2]) -> bool {
    let Ok(branches) = reference::run(loaded, candidate, &evaluated()) else { return false };
    let has = |f: &Failure| f.name == check.name && (f.operand.contains(&(a, b)) || f.operand.contains(&(b, a)));
    branches.iter().any(|b| b.fired.iter().any(has))
}

/// Whether these are edges of program order, reads-from, coherence and from-reads that form a cycle.
pub fn communication(candidate: &Candidate, edges: &[(u32, u32, &str)]) -> bool {
    let mut pool = Pool::new();
    let [po, rf, co] = ["po", "rf", "co"].map(|n| pool.base(n, Sort::Rel));
    let source = pool.inverse(rf);
    let later = pool.seq([source, co]);
    let id = pool.id();
    let fr = pool.diff(later, id);
    let Some(values) = relations(&pool, candidate, &[po, rf, co, fr]) else { return false };
    let expr = |name: &str| [("po", po), ("rf", rf), ("co", co), ("fr", fr)].into_iter().find(|(n, _)| *n == name);
    let closed = edges.iter().zip(edges.iter().cycle().skip(1)).all(|(a, b)| a.1 == b.0);
    let has = |&(a, b, name): &(u32, u32, &str)| {
        expr(name).and_then(|(_, e)| values.get(&e)).is_some_and(|r| r.contains(&(a, b)))
    };
    !edges.is_empty() && closed && edges.iter().all(has)
}
