//! Common parts of compositions, given a node of their own.
//!
//! A composition is flat: in `a ; b ; c ; d` and `e ; b ; c` nothing says that `b ; c` occurs twice, and it would be walked twice for
//! every row. Runs of factors that several compositions share become compositions of their own, the most rewarding first; nodes
//! above them are built anew. This is the one place that nests compositions, and what it returns is for code generation only: the
//! constructors of [`Pool`] would flatten it again.

use super::needed;
use crate::algebra::expr::{ExprId, Fix, FixId, Node, Pool, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Longer runs are not looked for: they are found in pieces.
const LONGEST_RUN: usize = 12;
/// Compositions that are given parts, at most: a bound on the time that this takes, for models of unusual size.
const MOST_PARTS: usize = 64;

/// Rewrites expressions so that runs of factors that occur more than once below them are evaluated once.
pub fn share(pool: &mut Pool, roots: &mut [ExprId]) {
    let needed = needed(pool, roots.iter().copied());
    let mut sequences: BTreeMap<ExprId, Vec<ExprId>> = BTreeMap::new();
    for id in (0..needed.len()).filter(|&i| needed[i]).map(ExprId::at) {
        if let Node::Seq(factors) = pool.node(id) {
            sequences.insert(id, factors.to_vec());
        }
    }
    for _ in 0..MOST_PARTS {
        let Some(run) = best_run(pool, &sequences) else { break };
        let part = pool.nested_seq(&run);
        for (_, factors) in sequences.iter_mut().filter(|(id, _)| **id != part) {
            replace(factors, &run, part);
        }
        sequences.entry(part).or_insert(run);
    }
    let mut rebuilt = Rebuilt {
        sequences,
        known: FxHashMap::default(),
        variables: FxHashMap::default(),
        groups: FxHashMap::default(),
    };
    for root in roots {
        *root = rebuilt.of(pool, *root);
    }
}

/// Whether walking a factor takes time.
fn is_heavy(pool: &Pool, factor: ExprId) -> bool {
    !matches!(pool.node(factor), Node::IdOn(_) | Node::Product(..) | Node::Full)
}

/// The run of factors that saves most when it is evaluated once.
fn best_run(pool: &Pool, sequences: &BTreeMap<ExprId, Vec<ExprId>>) -> Option<Vec<ExprId>> {
    // For each run how often it occurs without overlaps, and where its last occurrence ended.
    let mut seen: FxHashMap<&[ExprId], (usize, (usize, usize))> = FxHashMap::default();
    for (number, factors) in sequences.values().enumerate() {
        for from in 0..factors.len() {
            for to in from + 2..=factors.len().min(from + LONGEST_RUN) {
                let (count, end) = seen.entry(&factors[from..to]).or_insert((0, (usize::MAX, 0)));
                if end.0 != number || end.1 <= from {
                    *count += 1;
                    *end = (number, to);
                }
            }
        }
    }
    let worth = |run: &[ExprId], count: usize| {
        let heavy = run.iter().filter(|&&x| is_heavy(pool, x)).count();
        count.saturating_sub(1) * heavy.saturating_sub(1)
    };
    let ranked = seen.into_iter().map(|(run, (count, _))| (worth(run, count), run.len(), run));
    // Ties are broken by the run itself, for the same code every time.
    ranked.filter(|(worth, ..)| *worth > 0).max().map(|(.., run)| run.to_vec())
}

fn replace(factors: &mut Vec<ExprId>, run: &[ExprId], part: ExprId) {
    let mut at = 0;
    while at + run.len() <= factors.len() {
        if factors[at..].starts_with(run) {
            factors.splice(at..at + run.len(), [part]);
        }
        at += 1;
    }
}

/// Nodes built anew above compositions that have been given parts.
struct Rebuilt {
    sequences: BTreeMap<ExprId, Vec<ExprId>>,
    known: FxHashMap<ExprId, ExprId>,
    variables: FxHashMap<FixId, Vec<VarId>>,
    groups: FxHashMap<FixId, Vec<ExprId>>,
}

impl Rebuilt {
    fn of(&mut self, pool: &mut Pool, root: ExprId) -> ExprId {
        let mut stack = vec![(root, false)];
        while let Some((id, ready)) = stack.pop() {
            if self.known.contains_key(&id) {
                continue;
            }
            let below = self.below(pool, id);
            if !ready && let Node::Fix(fix, _) = *pool.node(id) {
                self.rename(pool, fix);
            }
            if ready {
                let operands: Vec<ExprId> = below.iter().map(|x| self.known[x]).collect();
                let built = if operands == pool.operands(id) { id } else { self.build(pool, id, &operands) };
                self.known.insert(id, built);
            } else {
                stack.push((id, true));
                stack.extend(below.into_iter().map(|x| (x, false)));
            }
        }
        self.known[&root]
    }

    /// What has to be built before a node.
    fn below(&self, pool: &Pool, id: ExprId) -> Vec<ExprId> {
        match (pool.node(id), self.sequences.get(&id)) {
            (Node::Fix(fix, _), _) => {
                let group = pool.fix(*fix);
                group.bodies.iter().copied().chain(group.when.map(|w| w.2)).collect()
            }
            (_, Some(factors)) => factors.clone(),
            _ => pool.operands(id),
        }
    }

    fn build(&mut self, pool: &mut Pool, id: ExprId, operands: &[ExprId]) -> ExprId {
        let sort = pool.sort(id);
        match pool.node(id).clone() {
            Node::Fix(fix, n) => self.group(pool, fix, n, operands),
            Node::Seq(_) => pool.nested_seq(operands),
            Node::Union(_) => pool.union(sort, operands.iter().copied()),
            Node::Inter(_) => pool.inter(sort, operands.iter().copied()),
            Node::Diff(..) => pool.diff(operands[0], operands[1]),
            Node::Product(..) => pool.product(operands[0], operands[1]),
            Node::IdOn(_) => pool.id_on(operands[0]),
            Node::Inverse(_) => pool.inverse(operands[0]),
            Node::Plus(_) => pool.plus(operands[0]),
            Node::Star(_) => pool.star(operands[0]),
            Node::Opt(_) => pool.opt(operands[0]),
            Node::Domain(_) => pool.domain(operands[0]),
            Node::Range(_) => pool.range(operands[0]),
            Node::DifferentValues(_) => pool.different_values(operands[0]),
            Node::Empty(_) | Node::Universe | Node::Full | Node::Id | Node::Base(_) | Node::Var(_) => id,
        }
    }

    /// Gives a group variables of its own: the group that it is built from stays in the pool.
    fn rename(&mut self, pool: &mut Pool, fix: FixId) {
        if !self.variables.contains_key(&fix) {
            let old = pool.fix(fix).vars.clone();
            let mut new = Vec::with_capacity(old.len());
            for var in old {
                let (renamed, mention) = pool.var(pool.var_sort(var));
                let var = pool.mention(var);
                self.known.insert(var, mention);
                new.push(renamed);
            }
            self.variables.insert(fix, new);
        }
    }

    /// A component of a group whose equations were built anew.
    fn group(&mut self, pool: &mut Pool, fix: FixId, n: u32, operands: &[ExprId]) -> ExprId {
        if let Some(components) = self.groups.get(&fix) {
            return components[n as usize];
        }
        let old = pool.fix(fix);
        let (bodies, test) = operands.split_at(old.bodies.len());
        let when = old.when.zip(test.first()).map(|((predicate, negated, _), &test)| (predicate, negated, test));
        let vars = self.variables.get(&fix).cloned().unwrap_or_default();
        let components = pool.recursive(Fix { vars, bodies: bodies.to_vec(), when });
        let component = components[n as usize];
        self.groups.insert(fix, components);
        component
    }
}

#[cfg(test)]
mod tests {
    use crate::algebra::Sort;
    use crate::algebra::simplify::share::*;

    fn names(pool: &mut Pool) -> [ExprId; 5] {
        ["a", "b", "c", "d", "e"].map(|name| pool.base(name, Sort::Rel))
    }

    #[test]
    fn a_run_that_occurs_twice_gets_a_node() {
        let mut pool = Pool::new();
        let [a, b, c, d, e] = names(&mut pool);
        let mut roots = [pool.seq([a, b, c, d]), pool.seq([e, b, c])];
        share(&mut pool, &mut roots);
        let part = pool.nested_seq(&[b, c]);
        assert_eq!(pool.node(roots[0]), &Node::Seq([a, part, d].into()));
        assert_eq!(pool.node(roots[1]), &Node::Seq([e, part].into()));
    }

    #[test]
    fn a_whole_composition_can_be_the_part() {
        let mut pool = Pool::new();
        let [a, b, c, ..] = names(&mut pool);
        let whole = pool.seq([b, c]);
        let mut roots = [pool.seq([a, b, c]), pool.plus(whole)];
        share(&mut pool, &mut roots);
        assert_eq!(pool.node(roots[0]), &Node::Seq([a, whole].into()));
        assert_eq!(pool.node(roots[1]), &Node::Plus(whole));
    }

    #[test]
    fn restrictions_alone_are_not_worth_a_node() {
        let mut pool = Pool::new();
        let [a, b, c, ..] = names(&mut pool);
        let set = pool.base("S", Sort::Set);
        let at = pool.id_on(set);
        let before = [pool.seq([a, at, b]), pool.seq([c, at, b])];
        let mut roots = before;
        share(&mut pool, &mut roots);
        assert_eq!(roots, before);
    }

    #[test]
    fn recursive_groups_are_built_anew() {
        let mut pool = Pool::new();
        let [a, b, c, ..] = names(&mut pool);
        let (var, x) = pool.var(Sort::Rel);
        let (first, second) = (pool.seq([x, a, b]), pool.seq([c, a, b]));
        let body = pool.union(Sort::Rel, [first, second]);
        let component = pool.recursive(Fix { vars: vec![var], bodies: vec![body], when: None })[0];
        let mut roots = [component];
        share(&mut pool, &mut roots);
        assert_ne!(roots[0], component);
        let part = pool.nested_seq(&[a, b]);
        let Node::Fix(fix, 0) = *pool.node(roots[0]) else { panic!("a component") };
        let bodies = pool.operands(pool.fix(fix).bodies[0]);
        assert!(bodies.iter().all(|&s| pool.operands(s).contains(&part)));
    }
}
