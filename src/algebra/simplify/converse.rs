//! Converses pushed to the leaves.

use super::forwards::Forwards;
use super::orient::{JOINT, Joint};
use super::{diff, inter, needed, seq, union};
use crate::algebra::expr::{ExprId, Fix, FixId, Node, Pool, Sort, VarId};
use rustc_hash::FxHashMap;

/// Computes converses of expressions of one pool; only base relations, recursion variables and some recursive components are
/// left with a converse on them, and what leads against program order: forwards it would cost more to keep up to date than to turn what it is, which
/// other conditions need as well.
///
/// A recursive group of relations is turned as a whole: its converse solves the equations whose right-hand sides are the
/// converses. The two loops go through converse values round by round. Not so where an equation uses a variable in a set, or
/// backwards: there the turned group would need the variable in both directions.
#[derive(Default)]
pub struct Converse<'j> {
    /// Whether the intersection of two base relations is a base relation.
    joint: Option<Joint<'j>>,
    known: FxHashMap<ExprId, ExprId>,
    groups: FxHashMap<FixId, Option<Turned>>,
    forwards: Forwards,
}

/// A group that can be turned.
struct Turned {
    vars: Vec<VarId>,
    components: Option<Vec<ExprId>>,
}

impl<'j> Converse<'j> {
    /// Which takes intersections of converses of base relations for joint base relations, taken backwards, where that can be.
    pub fn joining(joint: Joint<'j>) -> Self {
        Converse { joint: Some(joint), ..Converse::default() }
    }

    /// The converse of the relation `root`.
    pub fn of(&mut self, pool: &mut Pool, root: ExprId) -> ExprId {
        let mut stack = vec![(root, false)];
        while let Some((id, ready)) = stack.pop() {
            if self.known.contains_key(&id) {
                continue;
            }
            let relations: Vec<ExprId> = match pool.node(id).clone() {
                Node::Inverse(_) => Vec::new(),
                Node::Fix(fix, _) => match self.can_turn(pool, fix) {
                    true => pool.fix(fix).bodies.clone(),
                    false => Vec::new(),
                },
                _ => pool.operands(id).into_iter().filter(|&x| pool.sort(x) == Sort::Rel).collect(),
            };
            if !ready {
                stack.push((id, true));
                stack.extend(relations.into_iter().map(|x| (x, false)));
                continue;
            }
            let mut turned: Vec<ExprId> = relations.iter().map(|x| self.known[x]).collect();
            let converse = match pool.node(id).clone() {
                Node::Union(_) => union(pool, Sort::Rel, turned),
                Node::Inter(_) => self.meet(pool, turned),
                Node::Diff(..) => diff(pool, Sort::Rel, turned[0], turned[1]),
                Node::Seq(_) => {
                    turned.reverse();
                    seq(pool, turned)
                }
                Node::Product(a, b) => pool.product(b, a),
                Node::Plus(_) => pool.plus(turned[0]),
                Node::Star(_) => pool.star(turned[0]),
                Node::Opt(_) => pool.opt(turned[0]),
                Node::DifferentValues(_) => pool.different_values(turned[0]),
                Node::Fix(fix, n) => self.component(pool, fix, n, turned).unwrap_or_else(|| pool.inverse(id)),
                _ => pool.inverse(id),
            };
            let converse = match self.forwards.are_brought_by(pool, id, converse) {
                // Written as others have it, who turn the same to get it.
                true => {
                    let same = self.of(pool, converse);
                    pool.inverse(same)
                }
                false => converse,
            };
            self.known.insert(id, converse);
        }
        self.known[&root]
    }

    /// The intersection of converses.
    fn meet(&self, pool: &mut Pool, mut operands: Vec<ExprId>) -> ExprId {
        while let Some((i, j, name)) = self.joinable(pool, &operands) {
            let base = pool.base(&name, Sort::Rel);
            operands[i] = pool.inverse(base);
            operands.remove(j);
        }
        inter(pool, Sort::Rel, operands)
    }

    /// Two of the operands, the first before the second, that are joint, and the name that they have then.
    fn joinable(&self, pool: &Pool, operands: &[ExprId]) -> Option<(usize, usize, String)> {
        let joint = self.joint?;
        let name = |i: usize| match pool.node(operands[i]) {
            Node::Inverse(a) => match pool.node(*a) {
                Node::Base(base) => Some(pool.bases()[base.index()].name.as_str()),
                _ => None,
            },
            _ => None,
        };
        let pairs = (1..operands.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
        pairs.into_iter().find_map(|(i, j)| {
            let (a, b) = (name(i)?, name(j)?);
            joint(a, b).then(|| (i, j, [a, JOINT, b].concat()))
        })
    }

    /// Whether a group can be turned. Its variables then have converses: those of the turned group.
    fn can_turn(&mut self, pool: &mut Pool, fix: FixId) -> bool {
        if !self.groups.contains_key(&fix) {
            let old = pool.fix(fix).vars.clone();
            let turned = self.is_turnable(pool, fix).then(|| {
                let new: Vec<(VarId, ExprId)> = old.iter().map(|_| pool.var(Sort::Rel)).collect();
                for (&var, &(_, converse)) in old.iter().zip(&new) {
                    let var = pool.mention(var);
                    self.known.insert(var, converse);
                }
                Turned { vars: new.into_iter().map(|(var, _)| var).collect(), components: None }
            });
            self.groups.insert(fix, turned);
        }
        self.groups[&fix].is_some()
    }

    fn component(&mut self, pool: &mut Pool, fix: FixId, n: u32, bodies: Vec<ExprId>) -> Option<ExprId> {
        let turned = self.groups.get_mut(&fix)?.as_mut()?;
        let vars = turned.vars.clone();
        let components = turned.components.get_or_insert_with(|| pool.recursive(Fix { vars, bodies, when: None }));
        components.get(n as usize).copied()
    }

    /// Whether all variables of a group are relations, and its equations use them forwards only and in no set.
    fn is_turnable(&self, pool: &Pool, fix: FixId) -> bool {
        let group = pool.fix(fix);
        if group.when.is_some() || group.vars.iter().any(|&v| pool.var_sort(v) == Sort::Set) {
            return false;
        }
        let needed = needed(pool, group.bodies.iter().copied());
        let mut mentions: Vec<bool> = Vec::with_capacity(needed.len());
        for (i, needed) in needed.into_iter().enumerate() {
            let id = ExprId::at(i);
            let within = match pool.node(id) {
                Node::Var(var) => group.vars.contains(var),
                Node::Fix(inner, _) => {
                    let inner = pool.fix(*inner);
                    let inside = inner.bodies.iter().chain(inner.when.iter().map(|w| &w.2));
                    inside.into_iter().any(|x| mentions.get(x.index()).copied().unwrap_or(false))
                }
                _ => pool.operands(id).iter().any(|x| mentions[x.index()]),
            };
            mentions.push(within);
            let is_obstacle = pool.sort(id) == Sort::Set || matches!(pool.node(id), Node::Inverse(_) | Node::Fix(..));
            // What was turned before refers to the variables themselves.
            if needed && within && (is_obstacle || self.known.contains_key(&id)) {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::algebra::simplify::converse::*;

    /// `let rec x = a | x ; b`, and the same with another way of using `x`.
    fn closure(pool: &mut Pool, use_of_x: impl Fn(&mut Pool, ExprId) -> ExprId) -> ExprId {
        let [a, b] = ["a", "b"].map(|name| pool.base(name, Sort::Rel));
        let (var, x) = pool.var(Sort::Rel);
        let used = use_of_x(pool, x);
        let step = pool.seq([used, b]);
        let body = pool.union(Sort::Rel, [a, step]);
        pool.recursive(Fix { vars: vec![var], bodies: vec![body], when: None })[0]
    }

    #[test]
    fn a_group_of_relations_is_turned() {
        let mut pool = Pool::new();
        let forward = closure(&mut pool, |_, x| x);
        let mut converse = Converse::default();
        let backward = converse.of(&mut pool, forward);
        let Node::Fix(fix, 0) = *pool.node(backward) else { panic!("a component of a group") };
        let (vars, body) = (pool.fix(fix).vars.clone(), pool.fix(fix).bodies[0]);
        let [a, b] = ["a", "b"].map(|name| {
            let base = pool.base(name, Sort::Rel);
            pool.inverse(base)
        });
        let x = pool.mention(vars[0]);
        let step = pool.seq([b, x]);
        assert_eq!(body, pool.union(Sort::Rel, [a, step]));
        assert_eq!(converse.of(&mut pool, forward), backward);
    }

    #[test]
    fn a_group_that_uses_its_variable_backwards_is_not() {
        let mut pool = Pool::new();
        let forward = closure(&mut pool, |pool, x| pool.inverse(x));
        let backward = Converse::default().of(&mut pool, forward);
        assert_eq!(pool.node(backward), &Node::Inverse(forward));
    }

    #[test]
    fn a_group_that_uses_its_variable_in_a_set_is_not() {
        let mut pool = Pool::new();
        let forward = closure(&mut pool, |pool, x| {
            let sources = pool.domain(x);
            pool.id_on(sources)
        });
        let backward = Converse::default().of(&mut pool, forward);
        assert_eq!(pool.node(backward), &Node::Inverse(forward));
    }
}
