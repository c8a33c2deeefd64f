//! Which cycle checks need not be made, because others that are made say the same.

use super::codegen::Wanted;
use crate::algebra::simplify::Condition;
use crate::algebra::{ExprId, Node, Pool, Predicate};

/// Leaves out checks that a union has no cycle where other checks of the list imply it. `graphs`: base names mean what they mean in
/// execution graphs in which no event both reads and writes.
pub(in crate::kernel) fn leave_out_implied(pool: &Pool, wanted: &mut Vec<Wanted>, graphs: bool) {
    let unions: Vec<Option<Vec<ExprId>>> = wanted.iter().map(|wanted| union_without_cycle(pool, wanted)).collect();
    let mut out: Vec<usize> = Vec::new();
    for i in 0..unions.len() {
        let Some(parts) = &unions[i] else { continue };
        let others =
            || unions.iter().enumerate().filter(|(j, _)| *j != i && !out.contains(j)).filter_map(|(_, u)| u.as_ref());
        if is_part_of(pool, parts, graphs, others()) || graphs && needs_other_threads_only(pool, parts, others()) {
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

/// A step of the cycles that a check forbids.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// An edge of this.
    Of(ExprId),
    /// From a read to what is behind the write that it reads, however that is written.
    FromRead,
}

/// Says what the steps of a relation are: the edges of unions and compositions are made of those of their parts, so a cycle of the whole is one of these.
fn steps(pool: &Pool, expr: ExprId, out: &mut Vec<Step>) {
    match pool.node(expr) {
        Node::Union(parts) => parts.iter().for_each(|&part| steps(pool, part, out)),
        Node::Diff(later, same) if *pool.node(*same) == Node::Id && is_from_read(pool, *later) => {
            out.push(Step::FromRead);
        }
        Node::Seq(factors) => {
            let mut rest = &factors[..];
            while let [first, ..] = *rest {
                let from_read = rest.len() > 1 && is_from_read_of(pool, first, rest[1]);
                match from_read {
                    true => out.push(Step::FromRead),
                    false => steps(pool, first, out),
                }
                rest = &rest[1 + usize::from(from_read)..];
            }
        }
        _ => out.push(Step::Of(expr)),
    }
}

fn all_steps(pool: &Pool, parts: &[ExprId]) -> Vec<Step> {
    let mut out = Vec::new();
    parts.iter().for_each(|&part| steps(pool, part, &mut out));
    out
}

fn is_base(pool: &Pool, id: ExprId, name: &str) -> bool {
    matches!(pool.node(id), Node::Base(base) if pool.bases()[base.index()].name == name)
}

/// Whether this is `rf^-1 ; co`.
fn is_from_read(pool: &Pool, id: ExprId) -> bool {
    matches!(pool.node(id), Node::Seq(factors) if factors.len() == 2 && is_from_read_of(pool, factors[0], factors[1]))
}

fn is_from_read_of(pool: &Pool, first: ExprId, second: ExprId) -> bool {
    matches!(pool.node(first), Node::Inverse(rf) if is_base(pool, *rf, "rf")) && is_base(pool, second, "co")
}

/// Whether one of some unions has all parts of another one, or the steps of those that are compositions. A union that has `rf^-1 ; co` without
/// cycle has `(rf^-1 ; co) \ id` without; the other way round that is so of `graphs` only.
fn is_part_of<'u>(
    pool: &Pool,
    parts: &[ExprId],
    graphs: bool,
    mut others: impl Iterator<Item = &'u Vec<ExprId>>,
) -> bool {
    let has = |other: &[ExprId], step: Step| match step {
        Step::Of(part) => other.contains(&part),
        Step::FromRead => graphs && other.iter().any(|&part| all_steps(pool, &[part]) == [Step::FromRead]),
    };
    others.any(|other| {
        let is_made_of = |part: ExprId| {
            matches!(pool.node(part), Node::Seq(_) | Node::Union(_))
                && all_steps(pool, &[part]).into_iter().all(|step| has(other, step))
        };
        parts.iter().all(|&part| other.contains(&part) || is_made_of(part))
    })
}

/// Whether a union or composition of `thread-sync`, `rf`, `co` and `fr` has no cycle because one of the unions has none of which reads-from is a part only
/// where it leads to another thread (or all of it), and each location is coherent by itself (another one has `po & loc` and `rf`).
///
/// A cycle has no edge of reads-from in a thread but one that can be replaced. The write is before the read, or of the same instruction, as each
/// location is coherent. What comes next is a write that overwrites the one that was read, so it is behind that one in coherence; or something that
/// creating or joining a thread puts behind the read, and then behind everything in its thread that is before it.
fn needs_other_threads_only<'u>(
    pool: &Pool,
    parts: &[ExprId],
    mut others: impl Iterator<Item = &'u Vec<ExprId>> + Clone,
) -> bool {
    let is_both = |id: ExprId, names: [&str; 2]| match pool.node(id) {
        Node::Inter(xs) => xs.len() == 2 && names.iter().all(|name| xs.iter().any(|&x| is_base(pool, x, name))),
        _ => false,
    };
    let has = |union: &[ExprId], name: &str| union.iter().any(|&part| is_base(pool, part, name));
    let of = all_steps(pool, parts);
    let is = |step: &Step, name: &str| matches!(step, Step::Of(id) if is_base(pool, *id, name));
    let known = |step: &Step| *step == Step::FromRead || ["thread-sync", "rf", "co"].iter().any(|name| is(step, name));
    if !of.iter().any(|step| is(step, "thread-sync")) || !of.iter().all(known) {
        return false;
    }
    let external = |union: &[ExprId]| has(union, "rf") || union.iter().any(|&part| is_both(part, ["rf", "ext"]));
    let has_rest = |union: &[ExprId]| {
        let whole: Vec<Vec<Step>> = union.iter().map(|&part| all_steps(pool, &[part])).collect();
        of.iter().all(|step| is(step, "rf") || whole.iter().any(|part| part[..] == [*step]))
    };
    let is_coherent = |union: &[ExprId]| has(union, "rf") && union.iter().any(|&part| is_both(part, ["po", "loc"]));
    others.clone().any(|union| external(union) && has_rest(union)) && others.any(|union| is_coherent(union))
}

#[cfg(test)]
mod tests {
    use super::leave_out_implied;
    use crate::algebra::simplify::Condition;
    use crate::algebra::{ExprId, Pool, Predicate, Role, Sort};
    use crate::kernel::plan::codegen::Wanted;

    /// Which of some cycle checks stay. A check is a list of parts: base names, `rfe`, `po-loc` and `fr` with their usual meanings.
    fn kept(checks: &[&[&str]], graphs: bool) -> Vec<usize> {
        let mut pool = Pool::new();
        fn part(pool: &mut Pool, name: &str) -> ExprId {
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
                "threads" => {
                    let [sync, rf, co, fr] = ["thread-sync", "rf", "co", "fr"].map(|name| part(pool, name));
                    let [co_rf, fr_rf] = [co, fr].map(|order| pool.seq([order, rf]));
                    let shown = pool.union(Sort::Rel, [rf, co, co_rf, fr, fr_rf]);
                    pool.seq([sync, shown])
                }
                _ => pool.base(name, Sort::Rel),
            }
        }
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
    const THREADS: &[&str] = &["threads"];

    #[test]
    fn cycles_of_compositions_are_cycles_of_what_they_are_made_of() {
        assert_eq!(kept(&[&["po", "thread-sync", "rf", "co", "fr"], THREADS], true), [0]);
        assert_eq!(kept(&[&["po", "thread-sync", "rf", "co"], THREADS], true), [0, 1]);
        assert_eq!(kept(&[THREADS, &["thread-sync", "rf"]], true), [0, 1]);
    }

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
