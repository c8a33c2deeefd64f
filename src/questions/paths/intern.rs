//! The same number for the same expression, whichever model it comes from.

use crate::algebra::{ExprId, FixId, Node, Pool, VarId};
use rustc_hash::FxHashMap;

/// Numbers of expressions over all pools that were asked about.
#[derive(Default, Debug)]
pub struct Interner {
    known: FxHashMap<Vec<u32>, u32>,
    names: FxHashMap<String, u32>,
}

impl Interner {
    /// The number of an expression.
    pub fn number(&mut self, pool: &Pool, id: ExprId) -> u32 {
        let mut walk = Walk { own: self, pool, memo: FxHashMap::default(), groups: Vec::new() };
        walk.number(id)
    }
}

struct Walk<'a> {
    own: &'a mut Interner,
    pool: &'a Pool,
    /// Of expressions without variables of groups around them.
    memo: FxHashMap<ExprId, u32>,
    groups: Vec<FixId>,
}

impl Walk<'_> {
    fn number(&mut self, id: ExprId) -> u32 {
        if let Some(&known) = self.memo.get(&id) {
            return known;
        }
        let pool = self.pool;
        let node = pool.node(id);
        let mut key = vec![tag(node)];
        match node {
            Node::Base(base) => {
                let base = &pool.bases()[base.index()];
                let fresh = self.own.names.len() as u32;
                key.push(*self.own.names.entry(format!("{:?} {}", base.sort, base.name)).or_insert(fresh));
            }
            Node::Empty(sort) => key.push(*sort as u32),
            Node::Var(var) => key.extend(self.place(*var)),
            Node::Fix(group, n) => {
                key.push(*n);
                self.groups.push(*group);
                let fix = pool.fix(*group);
                for &body in &fix.bodies {
                    key.push(self.number(body));
                }
                if let Some((predicate, negated, test)) = &fix.when {
                    key.extend([*predicate as u32, u32::from(*negated), self.number(*test)]);
                }
                self.groups.pop();
            }
            Node::Union(parts) | Node::Inter(parts) => {
                let mut parts: Vec<u32> = parts.iter().map(|&part| self.number(part)).collect();
                parts.sort_unstable();
                key.append(&mut parts);
            }
            _ => key.extend(pool.operands(id).into_iter().map(|x| self.number(x)).collect::<Vec<_>>()),
        }
        let fresh = self.own.known.len() as u32;
        let number = *self.own.known.entry(key).or_insert(fresh);
        if pool.is_closed(id) {
            self.memo.insert(id, number);
        }
        number
    }

    /// A variable by the group that binds it, counted from inside, and its place there.
    fn place(&self, var: VarId) -> Vec<u32> {
        let found = self.groups.iter().rev().enumerate().find_map(|(depth, group)| {
            let at = self.pool.fix(*group).vars.iter().position(|own| *own == var)?;
            Some(vec![depth as u32, at as u32])
        });
        found.unwrap_or_else(|| vec![u32::MAX, var.index() as u32])
    }
}

fn tag(node: &Node) -> u32 {
    match node {
        Node::Empty(_) => 0,
        Node::Universe => 1,
        Node::Full => 2,
        Node::Id => 3,
        Node::Base(_) => 4,
        Node::Var(_) => 5,
        Node::Fix(..) => 6,
        Node::Union(_) => 7,
        Node::Inter(_) => 8,
        Node::Diff(..) => 9,
        Node::Seq(_) => 10,
        Node::Product(..) => 11,
        Node::IdOn(_) => 12,
        Node::Inverse(_) => 13,
        Node::Plus(_) => 14,
        Node::Star(_) => 15,
        Node::Opt(_) => 16,
        Node::Domain(_) => 17,
        Node::Range(_) => 18,
        Node::DifferentValues(_) => 19,
    }
}
