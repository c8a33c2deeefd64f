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
use crate::relation::candidate::{Candidate, Relation};
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
    let mut known =
        branches.iter().filter_map(|br| br.relations.get(name)).chain(candidate.relations.get(name)).peekable();
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

#[cfg(test)]
mod tests {
    use crate::algebra::Role;
    use crate::cat::testing::load;
    use crate::verdict::reasons::explain::witness;
    use crate::verdict::reasons::recheck::*;

    /// Store buffering: 0 and 1 are initial writes, 2 and 4 writes, 3 and 5 reads of the other location.
    fn store_buffering() -> Candidate {
        let mut candidate = Candidate { universe: (0..6).collect(), ..Candidate::default() };
        candidate.sets.insert("W".into(), [0, 1, 2, 4].into());
        candidate.sets.insert("R".into(), [3, 5].into());
        candidate.sets.insert("M".into(), (0..6).collect());
        candidate.locations = [(0, 0), (1, 1), (2, 0), (3, 1), (4, 1), (5, 0)].into();
        let same = |a: u32, b: u32| candidate.locations[&a] == candidate.locations[&b];
        let pairs = || (0..6_u32).flat_map(|a| (0..6_u32).map(move |b| (a, b)));
        let loc: Relation = pairs().filter(|&(a, b)| same(a, b)).collect();
        candidate.relations.insert("loc".into(), loc);
        for (name, pairs) in [("po", [(2, 3), (4, 5)]), ("rf", [(1, 3), (0, 5)]), ("co", [(0, 2), (1, 4)])] {
            candidate.relations.insert(name.into(), pairs.into());
        }
        candidate
    }

    const SC: &str = "include \"cos.cat\"\nacyclic po | rf | co | fr as sc\n";

    fn found(loaded: &Loaded, candidate: &Candidate) -> Witness {
        let witness = witness(&loaded.model, candidate, &loaded.model.checks[0]);
        assert!(cycle(loaded, &loaded.model, candidate, 0, &witness), "{witness:?}");
        witness
    }

    #[test]
    fn a_right_cycle_is_confirmed_and_a_wrong_edge_is_not() {
        let (loaded, candidate) = (load(SC).expect("loads"), store_buffering());
        let right = found(&loaded, &candidate);
        let wrong = |change: &dyn Fn(&mut Witness)| {
            let mut witness = right.clone();
            change(&mut witness);
            assert!(!cycle(&loaded, &loaded.model, &candidate, 0, &witness), "{witness:?}");
        };
        let po = right.steps.iter().position(|s| s.name == "po").expect("program order");
        // Another name, which the edge does not have.
        wrong(&|w| w.steps[po].name = "rf".into());
        wrong(&|w| w.steps[po].name = "hb".into());
        // An edge that the relation of its name does not have.
        wrong(&|w| w.steps[po].expr = w.steps[(po + 1) % w.steps.len()].expr);
        wrong(&|w| w.steps[po].inverse = true);
        // A cycle that does not close, or has a hole.
        wrong(&|w| drop(w.steps.pop()));
        wrong(&|w| drop(w.steps.remove(po)));
        wrong(&|w| w.edges.truncate(1));
        wrong(&|w| w.steps[po].to = 5);
        wrong(&|w| w.steps.clear());
    }

    #[test]
    fn edges_without_a_name_are_evaluated_too() {
        let loaded = load("let swap = R * W | W * R\nacyclic (po ; (R * W)) \\ swap as odd\n").expect("loads");
        let candidate = store_buffering();
        let witness = found(&loaded, &candidate);
        let nameless = witness
            .steps
            .iter()
            .position(|s| s.name == crate::verdict::reasons::explain::ANY)
            .expect("a step without a name");
        let mut wrong = witness.clone();
        // From a write: the product has no such edge.
        (wrong.steps[nameless].from, wrong.steps[nameless].to) = (2, 2);
        for i in 0..wrong.steps.len() {
            if wrong.steps[i].to == witness.steps[nameless].from {
                wrong.steps[i].to = 2;
            }
        }
        assert!(!cycle(&loaded, &loaded.model, &candidate, 0, &wrong), "{wrong:?}");
    }

    #[test]
    fn an_execution_that_the_model_accepts_has_no_cycle() {
        let loaded = load(SC).expect("loads");
        let witness = found(&loaded, &store_buffering());
        let mut other = store_buffering();
        other.relations.insert("rf".into(), [(4, 3), (2, 5)].into());
        assert!(!cycle(&loaded, &loaded.model, &other, 0, &witness));
    }

    #[test]
    fn recursive_definitions_are_evaluated() {
        let text = "include \"cos.cat\"\nlet rec reach = base | (reach ; base) and base = po | co | rf | fr\nirreflexive reach as sc\n";
        let loaded = load(text).expect("loads");
        found(&loaded, &store_buffering());
    }

    #[test]
    fn communication_is_confirmed_edge_by_edge() {
        let candidate = store_buffering();
        assert!(communication(&candidate, &[(2, 3, "po"), (3, 4, "fr"), (4, 5, "po"), (5, 2, "fr")]));
        assert!(!communication(&candidate, &[(2, 3, "po"), (3, 4, "rf"), (4, 5, "po"), (5, 2, "fr")]));
        assert!(!communication(&candidate, &[(2, 3, "po"), (3, 4, "fr"), (4, 5, "po")]));
        assert!(!communication(&candidate, &[]));
    }

    #[test]
    fn the_accesses_of_a_flag_are_confirmed() {
        let loaded = load("flag ~empty (W * R) & loc \\ (po | rf) as data-race\n").expect("loads");
        let check = &loaded.model.checks[0];
        assert_eq!(check.role, Role::Flag);
        let candidate = store_buffering();
        assert!(race(&loaded, &candidate, check, [4, 3]) && race(&loaded, &candidate, check, [3, 4]));
        assert!(!race(&loaded, &candidate, check, [2, 3]));
    }
}
