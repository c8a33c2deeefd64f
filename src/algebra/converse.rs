//! Converses pushed to the leaves.

use super::expr::{ExprId, Node, Pool, Sort};
use super::simplify::{diff, inter, seq, union};
use rustc_hash::FxHashMap;

/// Computes converses of expressions of one pool; only base relations, recursion variables and recursive components are
/// left with a converse on them.
#[derive(Default)]
pub struct Converse {
    known: FxHashMap<ExprId, ExprId>,
}

impl Converse {
    /// The converse of the relation `root`.
    pub fn of(&mut self, pool: &mut Pool, root: ExprId) -> ExprId {
        let mut stack = vec![(root, false)];
        while let Some((id, ready)) = stack.pop() {
            if self.known.contains_key(&id) {
                continue;
            }
            let relations: Vec<ExprId> = match pool.node(id) {
                Node::Inverse(_) => Vec::new(),
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
                Node::Inter(_) => inter(pool, Sort::Rel, turned),
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
                _ => pool.inverse(id),
            };
            self.known.insert(id, converse);
        }
        self.known[&root]
    }
}
