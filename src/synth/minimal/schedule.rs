//! The order in which the nodes of a model are evaluated.

use crate::algebra::{ExprId, FixId, Node, Pool, Role, VarId};
use crate::synth::programs::given::is_of_execution;
use rustc_hash::FxHashSet;

/// One thing to be done.
#[derive(Clone, Debug)]
pub enum Step {
    /// Evaluate a node.
    Node(ExprId),
    /// Run a recursive group, equation after equation.
    Loop(FixId, Vec<Vec<Step>>),
}

/// Puts the nodes of a pool into the order in which they are evaluated.
pub struct Compiler<'p> {
    pool: &'p Pool,
    /// Whether a node depends on reads-from or coherence.
    varies: Vec<bool>,
    /// The recursion variables that a node mentions and that no group inside it binds.
    free: Vec<Vec<VarId>>,
    done: FxHashSet<ExprId>,
    groups: FxHashSet<FixId>,
    /// Steps for what varies with nothing.
    pub fixed: Vec<Step>,
}

impl<'p> Compiler<'p> {
    /// Whether a node depends on reads-from, on coherence or on an order that the model chooses.
    pub fn varies(&self, id: ExprId) -> bool {
        self.varies[id.index()]
    }

    /// A compiler that has scheduled nothing.
    pub fn new(pool: &'p Pool) -> Compiler<'p> {
        let (mut varies, mut free) = (Vec::with_capacity(pool.len()), Vec::<Vec<VarId>>::with_capacity(pool.len()));
        for i in 0..pool.len() {
            let id = ExprId::at(i);
            let parts = parts(pool, id);
            let mut vars: Vec<VarId> = parts.iter().flat_map(|x| free[x.index()].iter().copied()).collect();
            let mut does = parts.iter().any(|x| varies[x.index()]);
            match pool.node(id) {
                Node::Var(var) => vars.push(*var),
                Node::Fix(group, _) => vars.retain(|v| !pool.fix(*group).vars.contains(v)),
                Node::Base(base) => does = is_of_execution(&pool.bases()[base.index()].name),
                Node::DifferentValues(_) => does = true,
                _ => {}
            }
            vars.sort_unstable();
            vars.dedup();
            varies.push(does);
            free.push(vars);
        }
        Compiler { pool, varies, free, done: FxHashSet::default(), groups: FxHashSet::default(), fixed: Vec::new() }
    }

    /// The node of a base name.
    pub fn base(&self, name: &str) -> Option<ExprId> {
        let is = |id: &ExprId| match self.pool.node(*id) {
            Node::Base(base) => self.pool.bases()[base.index()].name == name,
            _ => false,
        };
        (0..self.pool.len()).map(ExprId::at).find(is)
    }

    /// The node of each recursion variable.
    pub fn var_nodes(&self) -> Vec<Option<ExprId>> {
        let mut nodes = Vec::new();
        for i in 0..self.pool.len() {
            if let Node::Var(var) = self.pool.node(ExprId::at(i)) {
                if nodes.len() <= var.index() {
                    nodes.resize(var.index() + 1, None);
                }
                nodes[var.index()] = Some(ExprId::at(i));
            }
        }
        let most = (0..self.pool.fix_count()).flat_map(|i| self.pool.fix(FixId::at(i)).vars.iter()).max();
        nodes.resize(nodes.len().max(most.map_or(0, |v| v.index() + 1)), None);
        nodes
    }

    /// Steps for what an expression needs and no step has computed; what varies with nothing goes to the fixed steps.
    pub fn schedule(&mut self, root: ExprId) -> Vec<Step> {
        let mut steps = Vec::new();
        for id in self.reachable([root]) {
            if self.free[id.index()].is_empty() && self.done.insert(id) {
                let varies = self.varies[id.index()];
                let mut fresh = Vec::new();
                self.enter(id, &mut fresh);
                if varies { steps.append(&mut fresh) } else { self.fixed.append(&mut fresh) }
            }
        }
        steps
    }

    /// A node, and the loop of its group where it is the first result of it that is asked for.
    fn enter(&mut self, id: ExprId, steps: &mut Vec<Step>) {
        if let Node::Fix(group, _) = *self.pool.node(id)
            && self.groups.insert(group)
        {
            let bodies = self.pool.fix(group).bodies.clone();
            let parts = if self.has_inner_loop(group, id) {
                let mut together = Vec::new();
                self.of_loop(group, id, bodies).into_iter().for_each(|inner| self.enter(inner, &mut together));
                vec![together]
            } else {
                let part = |body| self.of_loop(group, id, [body]).into_iter().map(Step::Node).collect();
                bodies.into_iter().map(part).collect()
            };
            steps.push(Step::Loop(group, parts));
        }
        steps.push(Step::Node(id));
    }

    /// Whether a recursive definition that may have no value can be judged.
    ///
    /// Errors: it has a `when` test, it depends on the execution, or its loop has another loop inside.
    pub fn settles(&self, role: Role, expr: ExprId) -> Result<(), String> {
        for id in self.reachable([expr]) {
            if let Node::Fix(group, _) = *self.pool.node(id)
                && (role == Role::When || self.varies[id.index()] || self.has_inner_loop(group, id))
            {
                return Err("the model has a recursive definition that may have no value".to_owned());
            }
        }
        Ok(())
    }

    /// The nodes below some equations of a group that change from round to round. What mentions variables of groups inside this one belongs to their loops.
    fn of_loop(&self, group: FixId, result: ExprId, bodies: impl IntoIterator<Item = ExprId>) -> Vec<ExprId> {
        let (own, around) = (&self.pool.fix(group).vars, &self.free[result.index()]);
        let mut all = self.reachable(bodies);
        all.retain(|inner| {
            let free = &self.free[inner.index()];
            free.iter().any(|v| own.contains(v)) && free.iter().all(|v| own.contains(v) || around.contains(v))
        });
        all
    }

    fn has_inner_loop(&self, group: FixId, result: ExprId) -> bool {
        let all = self.of_loop(group, result, self.pool.fix(group).bodies.iter().copied());
        all.into_iter().any(|inner| matches!(self.pool.node(inner), Node::Fix(..)))
    }

    /// All nodes below some, those of groups included, operands first.
    pub fn reachable(&self, roots: impl IntoIterator<Item = ExprId>) -> Vec<ExprId> {
        let mut seen = FxHashSet::default();
        let mut work: Vec<ExprId> = roots.into_iter().collect();
        while let Some(id) = work.pop() {
            if seen.insert(id) {
                work.extend(parts(self.pool, id));
            }
        }
        let mut all: Vec<ExprId> = seen.into_iter().collect();
        all.sort_unstable();
        all
    }
}

/// The operands of a node; those of a recursive result are the equations of its group.
fn parts(pool: &Pool, id: ExprId) -> Vec<ExprId> {
    match pool.node(id) {
        Node::Fix(group, _) => pool.fix(*group).bodies.clone(),
        _ => pool.operands(id),
    }
}
