//! Whether an expression only loses by more reads-from and coherence.
//!
//! It does where these stand to the right of an odd number of differences only. So it is with races: accesses that happen-before, which grows by both, does not order.

use super::analyse::is_positive;
use super::extend::{COHERENCE, READS_FROM};
use crate::algebra::expr::{ExprId, FixId, Node, Pool, Sort};

/// Whether an expression loses by more edges of reads-from and coherence, or stays as it is.
pub fn only_loses(pool: &Pool, expr: ExprId) -> bool {
    // Whether an operand was met where it adds, and where it takes away.
    let mut met = vec![[false; 2]; pool.len()];
    let mut entered: Vec<(FixId, bool)> = Vec::new();
    let mut work = vec![(expr, true)];
    while let Some((id, adds)) = work.pop() {
        if std::mem::replace(&mut met[id.index()][usize::from(adds)], true) {
            continue;
        }
        match pool.node(id) {
            Node::Base(base) => {
                let base = &pool.bases()[base.index()];
                let is_chosen = base.name == COHERENCE || READS_FROM.contains(&base.name.as_str());
                if adds && base.sort == Sort::Rel && is_chosen {
                    return false;
                }
            }
            Node::Diff(a, b) => work.extend([(*a, adds), (*b, !adds)]),
            Node::Fix(fix, _) if entered.contains(&(*fix, adds)) => {}
            Node::Fix(fix, _) => {
                let group = pool.fix(*fix);
                if group.when.is_some() || !is_positive(pool, *fix) {
                    return false;
                }
                entered.push((*fix, adds));
                work.extend(group.bodies.iter().map(|&body| (body, adds)));
            }
            _ => work.extend(pool.operands(id).into_iter().map(|operand| (operand, adds))),
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_away_may_grow() {
        let mut pool = Pool::new();
        let [rf, co, ext] = ["rf", "co", "ext"].map(|name| pool.base(name, Sort::Rel));
        let order = pool.union(Sort::Rel, [rf, co]);
        let order = pool.plus(order);
        let race = pool.diff(ext, order);
        assert!(only_loses(&pool, race));
        let part = pool.inter(Sort::Rel, [race, rf]);
        assert!(!only_loses(&pool, part));
        let twice = pool.diff(ext, race);
        assert!(!only_loses(&pool, twice));
    }
}
