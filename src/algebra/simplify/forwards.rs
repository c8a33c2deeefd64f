//! What is composed along program order.
//!
//! While an execution grows, an event is mostly added behind those that it is related to. A relation that leads to the new event gains a pair in the row
//! of each of them, and so does everything that is composed of it; of its converse only the row of the new event changes. So what leads forwards is what costs
//! ([`super::orient`], [`super::converse`]).

use crate::algebra::expr::{ExprId, Node, Pool};

/// What is known of the expressions of one pool, by number. The operands of an expression come before it.
#[derive(Default)]
pub(in crate::algebra) struct Forwards {
    /// Whether it leads along program order.
    leads: Vec<bool>,
    /// Whether anything in it [counts](counts).
    composed: Vec<bool>,
    /// Whether it stands within a recursive group, and mentions what that defines.
    open: Vec<bool>,
}

impl Forwards {
    /// Whether anything that an expression needs is composed along program order, or is the converse of something else than an input.
    fn has(&mut self, pool: &Pool, id: ExprId) -> bool {
        self.look_at(pool, id);
        self.composed[id.index()]
    }

    /// Whether the converse of an expression, which is this, is better kept as a converse: it would be composed forwards, which the expression is not, unless
    /// it is the converse of what is.
    pub fn are_brought_by(&mut self, pool: &Pool, id: ExprId, converse: ExprId) -> bool {
        let is_kept = !self.has(pool, id) || matches!(pool.node(id), Node::Inverse(_));
        is_kept && self.has(pool, converse) && !self.open[id.index()]
    }

    /// How many such expressions it needs.
    pub fn count(&mut self, pool: &Pool, root: ExprId) -> usize {
        self.look_at(pool, root);
        let mut reached = vec![false; root.index() + 1];
        reached[root.index()] = true;
        let mut count = 0;
        for i in (0..=root.index()).rev().filter(|&i| self.composed[i]) {
            if reached[i] {
                count += usize::from(counts(pool, ExprId::at(i), self.leads[i]));
                leads_on(pool, ExprId::at(i)).into_iter().for_each(|x| reached[x.index()] = true);
            }
        }
        count
    }

    fn look_at(&mut self, pool: &Pool, last: ExprId) {
        for i in self.leads.len()..=last.index() {
            let id = ExprId::at(i);
            let on = leads_on(pool, id);
            let leads = is_program_order(pool, id) || on.iter().any(|x| self.leads[x.index()]);
            let composed = counts(pool, id, leads) || on.iter().any(|x| self.composed[x.index()]);
            let within = |x: &ExprId| self.open[x.index()];
            self.open.push(matches!(pool.node(id), Node::Var(_)) || pool.operands(id).iter().any(within));
            self.leads.push(leads);
            self.composed.push(composed);
        }
    }
}

fn counts(pool: &Pool, id: ExprId, leads: bool) -> bool {
    match pool.node(id) {
        Node::Seq(_) | Node::Plus(_) | Node::Star(_) | Node::Fix(..) => leads,
        Node::Inverse(a) => !matches!(pool.node(*a), Node::Base(_)),
        _ => false,
    }
}

/// What an expression leads along forwards.
fn leads_on(pool: &Pool, id: ExprId) -> Vec<ExprId> {
    match pool.node(id) {
        Node::Inverse(_) => Vec::new(),
        Node::Fix(fix, _) => pool.fix(*fix).bodies.clone(),
        _ => pool.operands(id),
    }
}

pub(in crate::algebra) fn is_program_order(pool: &Pool, id: ExprId) -> bool {
    matches!(pool.node(id), Node::Base(base) if pool.bases()[base.index()].name == crate::algebra::facts::analyse::PROGRAM_ORDER)
}
