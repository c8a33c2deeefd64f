//! From expressions to code: which nodes get a slot, in what order, and how the rest is folded into chains.
//!
//! A node gets a slot when it is used more than once, when an operator needs its rows at random (a factor of a composition,
//! a filter, the operand of a closure), or when folding would nest too deeply. Unions, intersections, differences and
//! compositions that are used once are folded into the chains of the node above. Everything is a loop over ids (operands
//! come first in a pool); recursion is bounded by the nesting of recursive groups and by [`FOLD_LIMIT`].

use super::code::*;
use crate::algebra::facts::analyse::is_positive;
use crate::algebra::simplify::Condition;
use crate::algebra::{ExprId, FixId, Node, Pool, Predicate, Role, Sort, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// How deeply unshared nodes are folded into one instruction.
const FOLD_LIMIT: u8 = 24;

/// A check to generate code for.
#[derive(Clone)]
pub(in crate::kernel) struct Wanted {
    /// Index in the model.
    pub index: usize,
    /// What it does.
    pub role: Role,
    /// The conditions, all of which must hold.
    pub conditions: Vec<Condition>,
    /// Written with `~`.
    pub negated: bool,
}

impl Wanted {
    /// Whether it speaks up when all conditions hold, or when one does not: a flag speaks up when its condition is met, any other check when
    /// it is not, `~` turning that around.
    pub fn fires_when(&self) -> bool {
        (self.role == Role::Flag) != self.negated
    }
}

/// The state of code generation. Cloned after the part that is kept up to date, so that each scratch part starts there.
#[derive(Clone)]
pub(in crate::kernel) struct Codegen<'a> {
    pub(in crate::kernel) pool: &'a Pool,
    /// Free recursion variables of open nodes.
    pub(in crate::kernel) free: Vec<BTreeSet<VarId>>,
    group_of: FxHashMap<VarId, FixId>,
    pub(in crate::kernel) places: FxHashMap<ExprId, Place>,
    pub(in crate::kernel) var_places: FxHashMap<VarId, Place>,
    pub(in crate::kernel) failures: FxHashMap<FixId, SetSlot>,
    pub(in crate::kernel) groups: FxHashMap<FixId, Vec<Place>>,
    /// The closure `a+` of `a`, for `a+` and `a*`.
    pub(in crate::kernel) closures: FxHashMap<ExprId, RelSlot>,
    /// The operand that an intersection walks.
    walked: FxHashMap<ExprId, ExprId>,
    /// Per node: must it have a slot in the phase at hand?
    slotted: Vec<bool>,
    /// Nodes that the phase at hand reaches.
    reached: Vec<bool>,
    pub code: Code,
}

impl<'a> Codegen<'a> {
    /// Nothing generated; slots for the universe and the inputs are laid out first.
    pub(in crate::kernel) fn new(pool: &'a Pool) -> Self {
        let mut group_of = FxHashMap::default();
        for f in 0..pool.fix_count() {
            group_of.extend(pool.fix(FixId::at(f)).vars.iter().map(|&v| (v, FixId::at(f))));
        }
        let mut free: Vec<BTreeSet<VarId>> = Vec::with_capacity(pool.len());
        for i in 0..pool.len() {
            let id = ExprId::at(i);
            let set = match pool.node(id) {
                Node::Var(var) => BTreeSet::from([*var]),
                Node::Fix(fix, _) => {
                    let group = pool.fix(*fix);
                    let mut set: BTreeSet<VarId> =
                        inside(pool, *fix).flat_map(|x| free[x.index()].iter().copied()).collect();
                    group.vars.iter().for_each(|v| {
                        set.remove(v);
                    });
                    set
                }
                _ => pool.operands(id).iter().flat_map(|x| free[x.index()].iter().copied()).collect(),
            };
            free.push(set);
        }
        Codegen {
            pool,
            free,
            group_of,
            places: FxHashMap::default(),
            var_places: FxHashMap::default(),
            failures: FxHashMap::default(),
            groups: FxHashMap::default(),
            closures: FxHashMap::default(),
            walked: FxHashMap::default(),
            slotted: Vec::new(),
            reached: Vec::new(),
            code: Code { sets: 1, ..Code::default() },
        }
    }

    pub(in crate::kernel) fn set_slot(&mut self) -> SetSlot {
        self.code.sets += 1;
        SetSlot(self.code.sets - 1)
    }

    fn rel_slot(&mut self) -> RelSlot {
        self.code.rels += 1;
        RelSlot(self.code.rels - 1)
    }

    pub(in crate::kernel) fn slot(&mut self, sort: Sort) -> Place {
        match sort {
            Sort::Set => Place::Set(self.set_slot()),
            Sort::Rel => Place::Rel(self.rel_slot()),
        }
    }

    /// Gives slots to the inputs that the roots need; `inputs` maps a base node to its input index.
    pub(in crate::kernel) fn lay_out_inputs(&mut self, roots: &[ExprId], inputs: &FxHashMap<ExprId, usize>) {
        self.code.inputs = vec![InputSlots::default(); inputs.len()];
        let reached = reach(self.pool, roots);
        // A base relation below nothing but converses needs no forward slot.
        let mut direct = vec![false; self.pool.len()];
        roots.iter().for_each(|r| direct[r.index()] = true);
        for i in (0..self.pool.len()).filter(|&i| reached[i]) {
            let id = ExprId::at(i);
            match self.pool.node(id) {
                Node::Inverse(a) if matches!(self.pool.node(*a), Node::Base(_)) => {}
                Node::Fix(fix, _) => inside(self.pool, *fix).for_each(|x| direct[x.index()] = true),
                _ => self.pool.operands(id).into_iter().for_each(|x| direct[x.index()] = true),
            }
        }
        for i in (0..self.pool.len()).filter(|&i| reached[i]) {
            let id = ExprId::at(i);
            match self.pool.node(id) {
                Node::Base(_) if direct[i] => {
                    let Some(&input) = inputs.get(&id) else { continue };
                    let place = self.slot(self.pool.sort(id));
                    match place {
                        Place::Set(s) => self.code.inputs[input].set = Some(s),
                        Place::Rel(r) => self.code.inputs[input].forward = Some(r),
                    }
                    self.places.insert(id, place);
                }
                Node::Inverse(a) => {
                    let Some(&input) = inputs.get(a) else { continue };
                    let slot = self.rel_slot();
                    self.code.inputs[input].backward = Some(slot);
                    self.places.insert(id, Place::Rel(slot));
                }
                _ => {}
            }
        }
    }

    /// Whether a node has a slot in the schedule at hand.
    pub(in crate::kernel) fn is_slotted(&self, id: ExprId) -> bool {
        self.slotted[id.index()]
    }

    /// Whether a node is a component of a group that may fail.
    pub(in crate::kernel) fn may_fail(&self, id: ExprId) -> bool {
        matches!(self.pool.node(id), Node::Fix(fix, _)
            if self.pool.fix(*fix).when.is_some() || !is_positive(self.pool, *fix))
    }

    /// Whether a node mentions no variable of a group around it.
    pub(in crate::kernel) fn is_closed(&self, id: ExprId) -> bool {
        self.free[id.index()].is_empty()
    }

    /// Where the groups below a check tell that they failed. A group inside another makes that one fail.
    pub(in crate::kernel) fn failures_below(&self, below: &[bool]) -> Vec<SetSlot> {
        let mut slots = Vec::new();
        for i in (0..below.len()).filter(|&i| below[i]) {
            if let Node::Fix(fix, _) = self.pool.node(ExprId::at(i))
                && self.is_closed(ExprId::at(i))
                && let Some(&slot) = self.failures.get(fix)
                && !slots.contains(&slot)
            {
                slots.push(slot);
            }
        }
        slots
    }

    /// Decides which nodes get a slot.
    pub(in crate::kernel) fn mark(&mut self, conditions: &[Condition]) {
        let pool = self.pool;
        let roots: Vec<ExprId> = conditions.iter().map(|c| c.expr).collect();
        self.reached = reach(pool, &roots);
        let mut uses = vec![0u32; pool.len()];
        let mut depth = vec![0u8; pool.len()];
        self.slotted = vec![false; pool.len()];
        roots.iter().for_each(|root| uses[root.index()] += 1);
        for i in (0..pool.len()).filter(|&i| self.reached[i]) {
            pool.operands(ExprId::at(i)).into_iter().for_each(|x| uses[x.index()] += 1);
        }
        // How often a node is an operand of a union that is searched for cycles.
        let mut searched = vec![0u32; pool.len()];
        for condition in conditions.iter().filter(|c| c.predicate == Predicate::Acyclic) {
            // A cycle search visits most rows: they should be at hand, if they cost much. Mostly there is nothing to search.
            match pool.node(condition.expr) {
                Node::Union(xs) => {
                    let costly = |x: &&ExprId| !is_light(pool, **x) && !is_short(pool, **x);
                    xs.iter().filter(costly).for_each(|x| self.slotted[x.index()] = true);
                    if uses[condition.expr.index()] == 1 {
                        xs.iter().for_each(|x| searched[x.index()] += 1);
                    }
                }
                _ => self.slotted[condition.expr.index()] = true,
            }
        }
        for i in (0..pool.len()).rev() {
            if !self.reached[i] {
                continue;
            }
            let id = ExprId::at(i);
            let leaf = matches!(
                pool.node(id),
                Node::Base(_) | Node::Inverse(_) | Node::Var(_) | Node::Fix(..) | Node::Plus(_)
            );
            let shared = uses[i] > 1 && !is_light(pool, id) && !(is_short(pool, id) && searched[i] == uses[i]);
            self.slotted[i] |= pool.sort(id) == Sort::Set || leaf || shared || depth[i] > FOLD_LIMIT;
            let below = if self.slotted[i] { 1 } else { depth[i] + 1 };
            for (x, fold) in self.folds(id, &uses) {
                if fold {
                    depth[x.index()] = depth[x.index()].max(below);
                } else {
                    self.slotted[x.index()] = true;
                }
            }
            if let Node::Fix(fix, _) = pool.node(id) {
                inside(pool, *fix).for_each(|x| self.slotted[x.index()] = true);
            }
        }
    }

    /// The operands of a node, each with whether it may be folded into the code of the node.
    fn folds(&mut self, id: ExprId, uses: &[u32]) -> Vec<(ExprId, bool)> {
        let pool = self.pool;
        match pool.node(id) {
            Node::Union(xs) => xs.iter().map(|&x| (x, true)).collect(),
            Node::DifferentValues(a) => vec![(*a, true)],
            Node::Diff(a, b) => vec![(*a, true), (*b, false)],
            Node::Inter(xs) => {
                // One operand is walked, the others filter: walk one that would need a slot otherwise.
                let costs_a_slot = |x: &&ExprId| {
                    uses[x.index()] == 1
                        && matches!(pool.node(**x), Node::Seq(_) | Node::Union(_) | Node::Diff(..) | Node::Product(..))
                };
                let main = xs.iter().find(costs_a_slot).unwrap_or(&xs[0]);
                self.walked.insert(id, *main);
                xs.iter().map(|x| (*x, x == main)).collect()
            }
            Node::Seq(xs) => xs.iter().map(|&x| (x, is_light(pool, x))).collect(),
            _ => pool.operands(id).into_iter().map(|x| (x, false)).collect(),
        }
    }

    fn owner(&self, id: ExprId) -> Option<FixId> {
        // Inner groups are closed before the groups around them, so they have the smaller ids.
        self.free[id.index()].iter().map(|v| self.group_of[v]).min()
    }

    /// Emits code for every node of `below` that needs a slot, belongs to group `owner` (or to none) and has none yet.
    pub(in crate::kernel) fn emit_all(&mut self, below: &[bool], owner: Option<FixId>, out: &mut Vec<Instr>) {
        for (i, &wanted) in below.iter().enumerate() {
            let id = ExprId::at(i);
            // Inputs have their slots already; one that is used backwards only has no forward slot.
            if !wanted || self.owner(id) != owner || matches!(self.pool.node(id), Node::Base(_)) {
                continue;
            }
            if let Node::Star(a) | Node::Plus(a) = self.pool.node(id)
                && !self.closures.contains_key(a)
            {
                let (of, slot) = (self.rel(*a), self.rel_slot());
                out.push(Instr::Plus { out: slot, of });
                self.closures.insert(*a, slot);
            }
            if self.slotted[i] && !self.places.contains_key(&id) {
                let place = self.emit(id, out);
                self.places.insert(id, place);
            }
        }
    }

    fn emit(&mut self, id: ExprId, out: &mut Vec<Instr>) -> Place {
        let pool = self.pool;
        match pool.node(id) {
            Node::Universe => Place::Set(UNIVERSE),
            Node::Var(var) => {
                self.var_places.get(var).copied().unwrap_or_else(|| self.slot_for_nothing(pool.sort(id), out))
            }
            Node::Fix(fix, n) => self.group(*fix, out)[*n as usize],
            _ if pool.sort(id) == Sort::Set => Place::Set(self.emit_set(id, out)),
            Node::Plus(a) => Place::Rel(self.closures[a]),
            Node::Inverse(a) => {
                let (of, slot) = (self.rel(*a), self.rel_slot());
                out.push(Instr::Transpose { out: slot, of });
                Place::Rel(slot)
            }
            _ => {
                let mut chains = Vec::new();
                self.fold(id, true, &Filter::default(), &mut chains);
                let slot = self.rel_slot();
                out.push(Instr::Rows { out: slot, chains });
                Place::Rel(slot)
            }
        }
    }

    fn slot_for_nothing(&mut self, sort: Sort, out: &mut Vec<Instr>) -> Place {
        let place = self.slot(sort);
        out.push(match place {
            Place::Set(slot) => Instr::Union { out: slot, of: Vec::new() },
            Place::Rel(slot) => Instr::Rows { out: slot, chains: Vec::new() },
        });
        place
    }

    fn emit_set(&mut self, id: ExprId, out: &mut Vec<Instr>) -> SetSlot {
        let slot = self.set_slot();
        let instr = match self.pool.node(id).clone() {
            Node::Union(xs) => Instr::Union { out: slot, of: xs.iter().map(|&x| self.set(x)).collect() },
            Node::Inter(xs) => Instr::Inter { out: slot, of: xs.iter().map(|&x| self.set(x)).collect() },
            Node::Diff(a, b) => Instr::Minus { out: slot, from: self.set(a), not: self.set(b) },
            Node::Domain(a) => Instr::Domain { out: slot, of: self.rel(a) },
            // `range` is rewritten by the simplifier; a base name without an input is empty.
            _ => Instr::Union { out: slot, of: Vec::new() },
        };
        out.push(instr);
        slot
    }

    /// The slot of an expression that has been emitted.
    pub(in crate::kernel) fn place(&self, id: ExprId) -> Place {
        match self.pool.sort(id) {
            Sort::Set => Place::Set(self.set(id)),
            Sort::Rel => Place::Rel(self.rel(id)),
        }
    }

    /// The slot of a set that has been emitted.
    fn set(&self, id: ExprId) -> SetSlot {
        match (self.pool.node(id), self.places.get(&id)) {
            (Node::Universe, _) => UNIVERSE,
            (_, Some(Place::Set(slot))) => *slot,
            _ => unreachable!("sets are emitted before their uses"),
        }
    }

    /// The slot of a relation that has been emitted.
    fn rel(&self, id: ExprId) -> RelSlot {
        match self.places.get(&id) {
            Some(Place::Rel(slot)) => *slot,
            _ => unreachable!("operands are emitted before their uses"),
        }
    }

    /// Appends chains whose union is the relation `id` under a filter. `top`: fold `id` even though it has a slot of its own.
    fn fold(&mut self, id: ExprId, top: bool, filter: &Filter, chains: &mut Vec<Chain>) {
        let pool = self.pool;
        if !top && let Some(&Place::Rel(slot)) = self.places.get(&id) {
            chains.push(filter.chain(vec![Step::Rel { slot, opt: false }]));
            return;
        }
        match pool.node(id) {
            Node::Empty(_) => {}
            Node::Union(xs) => xs.iter().for_each(|&x| self.fold(x, false, filter, chains)),
            Node::Inter(xs) => {
                let main = self.walked.get(&id).copied().unwrap_or(xs[0]);
                let mut inner = filter.clone();
                for &x in xs.iter().filter(|&&x| x != main) {
                    inner.and.push(self.rel(x));
                }
                self.fold(main, false, &inner, chains);
            }
            Node::Diff(a, b) => {
                let mut inner = filter.clone();
                inner.not.push(self.rel(*b));
                self.fold(*a, false, &inner, chains);
            }
            Node::DifferentValues(a) => {
                self.code.uses_values = true;
                let inner = Filter { differ: true, ..filter.clone() };
                self.fold(*a, false, &inner, chains);
            }
            Node::Opt(a) => {
                self.fold(*a, false, filter, chains);
                chains.push(filter.chain(Vec::new()));
            }
            Node::Star(a) => {
                let slot = self.closures[a];
                chains.push(filter.chain(vec![Step::Rel { slot, opt: true }]));
            }
            Node::Seq(xs) => {
                let steps = xs.iter().flat_map(|&x| self.steps(x)).collect();
                chains.push(filter.chain(steps));
            }
            _ => {
                let steps = self.steps(id);
                chains.push(filter.chain(steps));
            }
        }
    }

    fn steps(&mut self, id: ExprId) -> Vec<Step> {
        let pool = self.pool;
        match pool.node(id) {
            Node::IdOn(s) => vec![Step::Mask(self.set(*s))],
            Node::Product(a, b) => {
                let (a, b) = (self.set(*a), self.set(*b));
                if a == UNIVERSE { vec![Step::Jump(b)] } else { vec![Step::Mask(a), Step::Jump(b)] }
            }
            Node::Full => vec![Step::Jump(UNIVERSE)],
            Node::Id => Vec::new(),
            Node::Opt(a) => vec![Step::Rel { slot: self.rel(*a), opt: true }],
            Node::Star(a) => vec![Step::Rel { slot: self.closures[a], opt: true }],
            _ => vec![Step::Rel { slot: self.rel(id), opt: false }],
        }
    }

    /// The test of a condition, with no slot for its operand.
    pub(in crate::kernel) fn test(&mut self, condition: Condition) -> Test {
        let Condition { predicate, expr } = condition;
        let of = match self.pool.sort(expr) {
            Sort::Set => Operand::Set(self.set(expr)),
            Sort::Rel => {
                let mut chains = Vec::new();
                self.fold(expr, false, &Filter::default(), &mut chains);
                Operand::Rows(chains)
            }
        };
        Test { predicate, of, order: None }
    }
}

/// What a chain under construction will be filtered by.
#[derive(Clone, Default)]
struct Filter {
    and: Vec<RelSlot>,
    not: Vec<RelSlot>,
    differ: bool,
}

impl Filter {
    fn chain(&self, steps: Vec<Step>) -> Chain {
        Chain { steps, and: self.and.clone(), not: self.not.clone(), differ: self.differ, sources: None }
    }
}

/// Nodes that cost next to nothing where they are folded, so that sharing them is no reason for a slot.
fn is_light(pool: &Pool, id: ExprId) -> bool {
    matches!(pool.node(id), Node::IdOn(_) | Node::Product(..) | Node::Id | Node::Full | Node::Opt(_) | Node::Star(_))
}

/// Compositions of which a row is a few rows of base relations.
fn is_short(pool: &Pool, id: ExprId) -> bool {
    let is_base = |x: ExprId| match pool.node(x) {
        Node::Base(_) => true,
        Node::Inverse(a) => matches!(pool.node(*a), Node::Base(_)),
        _ => false,
    };
    match pool.node(id) {
        Node::Seq(factors) => {
            let relations = factors.iter().filter(|&&x| !matches!(pool.node(x), Node::IdOn(_)));
            relations.clone().count() <= 2 && relations.into_iter().all(|&x| is_base(x))
        }
        _ => false,
    }
}

/// The expressions of a group.
pub(in crate::kernel) fn inside(pool: &Pool, fix: FixId) -> impl Iterator<Item = ExprId> + '_ {
    let group = pool.fix(fix);
    group.bodies.iter().copied().chain(group.when.iter().map(|w| w.2))
}

/// The nodes below some roots, those of recursive groups included.
pub(in crate::kernel) fn reach(pool: &Pool, roots: &[ExprId]) -> Vec<bool> {
    let mut reached = vec![false; pool.len()];
    roots.iter().for_each(|r| reached[r.index()] = true);
    for i in (0..pool.len()).rev() {
        if !reached[i] {
            continue;
        }
        match pool.node(ExprId::at(i)) {
            Node::Fix(fix, _) => inside(pool, *fix).for_each(|x| reached[x.index()] = true),
            _ => pool.operands(ExprId::at(i)).into_iter().for_each(|x| reached[x.index()] = true),
        }
    }
    reached
}
