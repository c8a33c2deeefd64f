//! Which cycle checks need not be made, because others that are made say the same.

use super::codegen::Wanted;
use crate::algebra::simplify::Condition;
use crate::algebra::{ExprId, Node, Pool, Predicate};

/// Leaves out checks that a union has no cycle where other checks of the list imply it. `graphs`: base names mean what they mean in
/// execution graphs in which no event both reads and writes.
pub(super) fn leave_out_implied(pool: &Pool, wanted: &mut Vec<Wanted>, graphs: bool) {
    let unions: Vec<Option<Vec<ExprId>>> = wanted.iter().map(|wanted| union_without_cycle(pool, wanted)).collect();
    let mut out: Vec<usize> = Vec::new();
    for i in 0..unions.len() {
        let Some(parts) = &unions[i] else { continue };
        let others =
            || unions.iter().enumerate().filter(|(j, _)| *j != i && !out.contains(j)).filter_map(|(_, u)| u.as_ref());
        if is_part_of(parts, others()) || graphs && needs_other_threads_only(pool, parts, others()) {
            out.push(i);
        }
    }
    let mut at = 0..;
    wanted.retain(|_| at.next().is_none_or(|i| !out.contains(&i)));
}

/// The parts of a union, if a check says that it has no cycle.
fn union_without_cycle(pool: &Pool, wanted: &Wanted) -> Option<Vec<ExprId>> {
    match wanted.conditions[..] {
        [Condition { predicate: Predicate::Acyclic, expr }] if !wanted.negated => match pool.node(expr) {
            Node::Union(parts) => Some(parts.to_vec()),
            _ => Some(vec![expr]),
        },
        _ => None,
    }
}

/// Whether one of some unions has all parts of another one.
fn is_part_of<'u>(parts: &[ExprId], mut others: impl Iterator<Item = &'u Vec<ExprId>>) -> bool {
    others.any(|other| parts.iter().all(|part| other.contains(part)))
}

/// Whether `thread-sync | rf | co | fr` has no cycle because one of the unions has none of which reads-from is a part only where it leads to another thread
/// (or all of it), and each location is coherent by itself (another one has `po & loc` and `rf`).
///
/// A cycle has no edge of reads-from in a thread but one that can be replaced. The write is before the read, or of the same instruction, as each
/// location is coherent. What comes next is a write that overwrites the one that was read, so it is behind that one in coherence; or something that
/// creating or joining a thread puts behind the read, and then behind everything in its thread that is before it.
fn needs_other_threads_only<'u>(
    pool: &Pool,
    parts: &[ExprId],
    mut others: impl Iterator<Item = &'u Vec<ExprId>> + Clone,
) -> bool {
    let is =
        |id: ExprId, name: &str| matches!(pool.node(id), Node::Base(base) if pool.bases()[base.index()].name == name);
    let is_both = |id: ExprId, names: [&str; 2]| match pool.node(id) {
        Node::Inter(xs) => xs.len() == 2 && names.iter().all(|name| xs.iter().any(|&x| is(x, name))),
        _ => false,
    };
    let is_from_read = |id: ExprId| {
        let later = match pool.node(id) {
            Node::Diff(later, out) if matches!(pool.node(*out), Node::Id) => *later,
            _ => id,
        };
        let Node::Seq(steps) = pool.node(later) else { return false };
        let [first, second] = steps[..] else { return false };
        matches!(pool.node(first), Node::Inverse(rf) if is(*rf, "rf")) && is(second, "co")
    };
    let known = |&part: &ExprId| ["thread-sync", "rf", "co"].iter().any(|name| is(part, name)) || is_from_read(part);
    let has = |union: &[ExprId], name: &str| union.iter().any(|&part| is(part, name));
    if !has(parts, "thread-sync") || !parts.iter().all(known) {
        return false;
    }
    let external = |union: &[ExprId]| has(union, "rf") || union.iter().any(|&part| is_both(part, ["rf", "ext"]));
    let has_rest = |union: &[ExprId]| parts.iter().all(|part| is(*part, "rf") || union.contains(part));
    let is_coherent = |union: &[ExprId]| has(union, "rf") && union.iter().any(|&part| is_both(part, ["po", "loc"]));
    others.clone().any(|union| external(union) && has_rest(union)) && others.any(|union| is_coherent(union))
}

#[cfg(test)]
mod tests {
    use super::leave_out_implied;
    use crate::algebra::simplify::Condition;
    use crate::algebra::{ExprId, Pool, Predicate, Role, Sort};
    use crate::kernel::codegen::Wanted;

    /// Which of some cycle checks stay. A check is a list of parts: base names, `rfe`, `po-loc` and `fr` with their usual meanings.
    fn kept(checks: &[&[&str]], graphs: bool) -> Vec<usize> {
        let mut pool = Pool::new();
        let part = |pool: &mut Pool, name: &str| -> ExprId {
            match name {
                "rfe" => {
                    let both = ["rf", "ext"].map(|name| pool.base(name, Sort::Rel));
                    pool.inter(Sort::Rel, both)
                }
                "po-loc" => {
                    let both = ["po", "loc"].map(|name| pool.base(name, Sort::Rel));
                    pool.inter(Sort::Rel, both)
                }
                "fr" => {
                    let [rf, co] = ["rf", "co"].map(|name| pool.base(name, Sort::Rel));
                    let source = pool.inverse(rf);
                    let (later, id) = (pool.seq([source, co]), pool.id());
                    pool.diff(later, id)
                }
                _ => pool.base(name, Sort::Rel),
            }
        };
        let check = |(index, parts): (usize, &&[&str])| {
            let parts: Vec<ExprId> = parts.iter().map(|name| part(&mut pool, name)).collect();
            let on = Condition { predicate: Predicate::Acyclic, expr: pool.union(Sort::Rel, parts) };
            Wanted { index, role: Role::Require, conditions: vec![on], negated: false }
        };
        let mut wanted: Vec<Wanted> = checks.iter().enumerate().map(check).collect();
        leave_out_implied(&pool, &mut wanted, graphs);
        wanted.iter().map(|wanted| wanted.index).collect()
    }

    #[test]
    fn a_part_of_a_union_without_cycle_has_none() {
        assert_eq!(kept(&[&["rf", "co"], &["po", "rf", "co"]], true), [1]);
        assert_eq!(kept(&[&["po", "co"], &["rf", "co"]], true), [0, 1]);
    }

    #[test]
    fn of_equal_checks_one_stays() {
        assert_eq!(kept(&[&["rf", "co"], &["co", "rf"]], true).len(), 1);
    }

    const COHERENCE: &[&str] = &["po-loc", "rf", "co", "fr"];
    const THREADS: &[&str] = &["thread-sync", "rf", "co", "fr"];

    #[test]
    fn threads_are_in_order_where_locations_are_coherent_and_nothing_leads_back_to_them_from_elsewhere() {
        assert_eq!(kept(&[COHERENCE, &["ppo", "thread-sync", "rfe", "co", "fr"], THREADS], true), [0, 1]);
    }

    #[test]
    fn of_relations_that_may_be_anything_nothing_is_known_but_what_their_unions_are() {
        assert_eq!(kept(&[COHERENCE, &["thread-sync", "rfe", "co", "fr"], THREADS], false), [0, 1, 2]);
    }

    #[test]
    fn neither_coherence_nor_the_rest_of_the_union_may_be_missing() {
        assert_eq!(kept(&[&["thread-sync", "rfe", "co", "fr"], THREADS], true), [0, 1]);
        assert_eq!(kept(&[&["po-loc", "co", "fr"], &["thread-sync", "rfe", "co", "fr"], THREADS], true), [0, 1, 2]);
        assert_eq!(kept(&[COHERENCE, &["thread-sync", "rfe", "co"], THREADS], true), [0, 1, 2]);
        assert_eq!(kept(&[COHERENCE, &["rfe", "co", "fr"], THREADS], true), [0, 1, 2]);
    }
}
