//! Weaker checks that prune where a check itself does not.
//!
//! A check whose operand may lose edges as an execution grows can be decided at the end only. But a part of the operand may only grow: of
//! `hb = sb | sw` under C11, say, all that does not go through a release sequence, which a write in between can break. A violation by that part is
//! one of the whole, and stays. So for each expression `e` that does not grow ([`super::analyse`]) a *core* is built, with `core ⊆ e` on every execution, and
//! `core` growing:
//!
//! - what grows is its own core;
//! - a difference `a \ b` has the core of `a` without `b` where `b` shrinks and always has a value, else nothing;
//! - every other operator is monotone, and applied to the cores of its operands;
//! - of recursive definitions that do not grow, and comparisons of values, nothing is kept.
//!
//! What is found is weaker than what would be possible: `b` is not replaced by something larger that shrinks.

use super::analyse::Analysis;
use crate::algebra::expr::{ExprId, Node, Pool};
use crate::algebra::simplify::{diff, inter, seq, union};
use rustc_hash::FxHashMap;

/// The cores of some expressions, none where there is nothing in it; the pool grows by what they are made of.
pub fn cores(pool: &Pool, analysis: &Analysis<'_>, roots: &[ExprId]) -> (Pool, Vec<Option<ExprId>>) {
    let mut larger = pool.clone();
    let mut known = FxHashMap::default();
    let cores: Vec<ExprId> = roots.iter().map(|&root| core(&mut larger, analysis, &mut known, root)).collect();
    let kept = cores.into_iter().map(|id| (!matches!(larger.node(id), Node::Empty(_))).then_some(id)).collect();
    (larger, kept)
}

/// What stands for expressions in their cores, by expression: of these and all that they are made of, each that nothing else stands for, in a pool that has them.
/// The first `model` expressions are the model's own.
pub fn own_cores(
    pool: &Pool,
    analysis: &Analysis<'_>,
    roots: &[ExprId],
    model: usize,
) -> (Pool, FxHashMap<ExprId, ExprId>) {
    let mut larger = pool.clone();
    let mut known = FxHashMap::default();
    for &root in roots {
        core(&mut larger, analysis, &mut known, root);
    }
    let mut stands_for: FxHashMap<ExprId, usize> = FxHashMap::default();
    known.values().for_each(|&core| *stands_for.entry(core).or_default() += 1);
    // An expression of the model stands for itself, whether or not it is below these.
    let is_own = |(&of, core): (&ExprId, &ExprId)| stands_for[core] == 1 && (of == *core || core.index() >= model);
    let own = known.iter().filter(|&pair| is_own(pair)).map(|(&of, &core)| (of, core)).collect();
    (larger, own)
}

/// Operands have smaller numbers than what they are operands of, so what is below a root is looked at in the order of numbers.
fn core(pool: &mut Pool, analysis: &Analysis<'_>, known: &mut FxHashMap<ExprId, ExprId>, root: ExprId) -> ExprId {
    let mut needed = vec![root];
    let mut at = 0;
    while let Some(&id) = needed.get(at) {
        at += 1;
        if !known.contains_key(&id) && analysis.monotone(id).is_err() {
            needed.extend(pool.operands(id));
        }
    }
    needed.sort_unstable();
    needed.dedup();
    for id in needed {
        if known.contains_key(&id) {
            continue;
        }
        let value = match analysis.monotone(id) {
            Ok(()) => id,
            Err(_) => of_node(pool, analysis, known, id),
        };
        known.insert(id, value);
    }
    known[&root]
}

fn of_node(pool: &mut Pool, analysis: &Analysis<'_>, known: &FxHashMap<ExprId, ExprId>, id: ExprId) -> ExprId {
    let sort = pool.sort(id);
    let get = |x: &ExprId| known[x];
    let all = |xs: &[ExprId]| xs.iter().map(get).collect::<Vec<_>>();
    match pool.node(id).clone() {
        Node::Union(xs) => union(pool, sort, all(&xs)),
        Node::Inter(xs) => inter(pool, sort, all(&xs)),
        Node::Seq(xs) => seq(pool, all(&xs)),
        Node::Diff(a, b) if analysis.only_shrinks(b) => diff(pool, sort, get(&a), b),
        Node::Product(a, b) => pool.product(get(&a), get(&b)),
        Node::IdOn(a) => pool.id_on(get(&a)),
        Node::Inverse(a) => pool.inverse(get(&a)),
        Node::Plus(a) => pool.plus(get(&a)),
        Node::Star(a) => pool.star(get(&a)),
        Node::Opt(a) => pool.opt(get(&a)),
        Node::Domain(a) => pool.domain(get(&a)),
        Node::Range(a) => pool.range(get(&a)),
        _ => pool.empty(sort),
    }
}

#[cfg(test)]
mod tests {
    use crate::algebra::expr::Sort;
    use crate::algebra::facts::analyse::Growth;
    use crate::algebra::facts::weaken::*;

    /// `kept | lost`, where `kept` grows, and a later event can take from `lost`.
    fn parts(pool: &mut Pool) -> (ExprId, ExprId) {
        let [po, rf, co] = ["po", "rf", "co"].map(|name| pool.base(name, Sort::Rel));
        let later = pool.seq([co, rf]);
        let lost = pool.diff(po, later);
        let kept = pool.seq([rf, po]);
        (kept, pool.union(Sort::Rel, [kept, lost]))
    }

    /// `po | lost` keeps `po` only, which stands for itself: what is known of the union does not hold of it.
    #[test]
    fn what_stands_for_two_is_not_told() {
        let mut pool = Pool::new();
        let [po, rf, co] = ["po", "rf", "co"].map(|name| pool.base(name, Sort::Rel));
        let later = pool.seq([co, rf]);
        let lost = pool.diff(rf, later);
        let either = pool.union(Sort::Rel, [po, lost]);
        let path = pool.seq([rf, either]);
        let (_, own) = own_cores(&pool, &Analysis::new(&pool, Growth::stable(true)), &[path], pool.len());
        assert!(!own.contains_key(&either));
        assert!(own.contains_key(&path));
        let (larger, own) = own_cores(&pool, &Analysis::new(&pool, Growth::stable(true)), &[rf], pool.len());
        assert_eq!((larger.len(), own.get(&rf)), (pool.len(), Some(&rf)));
    }

    fn core_of(pool: &mut Pool, root: ExprId) -> Option<ExprId> {
        let old = pool.clone();
        let (larger, cores) = cores(&old, &Analysis::new(&old, Growth::stable(true)), &[root]);
        *pool = larger;
        cores[0]
    }

    #[test]
    fn operators_are_applied_to_what_is_kept() {
        type Operator = fn(&mut Pool, ExprId) -> ExprId;
        let operators: [Operator; 7] = [
            |p, x| p.domain(x),
            |p, x| p.range(x),
            |p, x| p.plus(x),
            |p, x| p.star(x),
            |p, x| p.opt(x),
            |p, x| p.inverse(x),
            |p, x| {
                let set = p.domain(x);
                p.id_on(set)
            },
        ];
        for operator in operators {
            let mut pool = Pool::new();
            let (kept, all) = parts(&mut pool);
            let root = operator(&mut pool, all);
            let core = core_of(&mut pool, root);
            assert_eq!(core, Some(operator(&mut pool, kept)));
        }
    }

    #[test]
    fn nothing_is_kept_of_what_a_later_event_can_take_away() {
        let mut pool = Pool::new();
        let (kept, all) = parts(&mut pool);
        let root = pool.diff(all, kept);
        assert_eq!(core_of(&mut pool, root), None);
    }
}
