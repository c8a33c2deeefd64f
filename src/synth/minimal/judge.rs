//! A model as straight code over small relations.
//!
//! Nodes without reads-from and coherence are evaluated once a program ([`Judge::prepare`]), all others once an execution
//! ([`Judge::violated`]). `algebra::naive` is the yardstick.

use super::locality::Locality;
use super::matrix::{Events, Matrix, members};
use super::schedule::{Compiler, Step};
use crate::algebra::facts::analyse::{Analysis, Growth};
use crate::algebra::simplify::{Simplified, simplify};
use crate::algebra::{Base, Check, ExprId, FixId, Model, Node, Pool, Predicate, Role, Sort};
use crate::cat::Loaded;
use crate::synth::programs::given::Given;
use crate::synth::programs::vocabulary::Vocabulary;

/// More rounds than a recursive definition over sixteen events takes if it settles.
const ROUNDS: usize = 4096;

/// The checks of a model that are violated, a bit each.
pub type Axioms = u64;

/// What a model says of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Violated {
    /// The checks that are violated, whichever orders the model chooses.
    pub axioms: Axioms,
    /// Whether some check is violated, whichever orders the model chooses.
    pub forbidden: bool,
}

impl Violated {
    /// What all of several executions have in common, none of them so far.
    pub const ALL: Violated = Violated { axioms: Axioms::MAX, forbidden: true };

    /// What is true of this one and another one.
    pub fn and(self, other: Violated) -> Violated {
        Violated { axioms: self.axioms & other.axioms, forbidden: self.forbidden && other.forbidden }
    }

    /// Whether nothing is violated by all.
    pub fn is_nothing(self) -> bool {
        self.axioms == 0 && !self.forbidden
    }
}

/// Whether a violated check stays violated when some relations grow, on the same events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Monotone {
    /// Reads-from.
    pub reads: bool,
    /// Reads-from and coherence.
    pub executions: bool,
    /// These and dependencies.
    pub dependencies: bool,
}

/// An order that the model chooses among all of some events.
#[derive(Clone, Debug)]
struct Choice {
    /// What stands for it.
    slot: Option<ExprId>,
    /// The events; none where there can be none.
    events: Option<ExprId>,
    /// What it contains.
    order: ExprId,
    steps: Vec<Step>,
}

/// The values of all nodes of a model in one program, and in the execution that was looked at last.
#[derive(Clone, Debug)]
pub struct Values {
    sets: Vec<Events>,
    relations: Vec<Matrix>,
    universe: Events,
    is_settled: bool,
}

/// Calls `see` with every total order of some events that contains `before`, until it returns false. `chosen`: the first events of the order.
fn linear(left: Events, before: &Matrix, chosen: &mut Vec<usize>, see: &mut dyn FnMut(&Matrix) -> bool) -> bool {
    if left == 0 {
        let mut order = Matrix::default();
        for (i, &late) in chosen.iter().enumerate() {
            chosen[..i].iter().for_each(|&early| order.add(early, late));
        }
        return see(&order);
    }
    let may_come = |next: &usize| !members(left).any(|other| before.has(other, *next));
    for next in members(left).filter(may_come) {
        chosen.push(next);
        let goes_on = linear(left & !(1 << next), before, chosen, see);
        chosen.pop();
        if !goes_on {
            return false;
        }
    }
    true
}

/// The model, with two checks more for each order that it chooses: they keep its events and what it contains.
fn with_choices(loaded: &Loaded) -> Model {
    let mut model = loaded.model.clone();
    for order in &loaded.orders {
        let pairs = model.pool.product(order.events, order.events);
        for expr in [pairs, order.order] {
            model.checks.push(Check {
                name: None,
                role: Role::Require,
                predicate: Predicate::Irreflexive,
                negated: false,
                expr,
                place: (0, 0..0),
            });
        }
    }
    model
}

/// What one check needs, and what it asks.
#[derive(Clone, Debug)]
struct Test {
    steps: Vec<Step>,
    predicate: Predicate,
    negated: bool,
    expr: ExprId,
}

/// A model, ready to judge small executions.
pub struct Judge {
    pool: Pool,
    given: Vec<(ExprId, Given)>,
    fixed: Vec<Step>,
    choices: Vec<Choice>,
    checks: Vec<Test>,
    names: Vec<String>,
    monotone: Monotone,
    rf: Option<ExprId>,
    co: Option<ExprId>,
    var_nodes: Vec<Option<ExprId>>,
    locality: Locality,
}

impl Values {
    /// The value of a set.
    pub fn set(&self, id: ExprId) -> Events {
        self.sets[id.index()]
    }

    /// Whether the model has an answer for the program: all recursive definitions that follow from it have a value.
    pub fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// The value of a relation.
    pub fn relation(&self, id: ExprId) -> &Matrix {
        &self.relations[id.index()]
    }
}

impl Judge {
    /// Compiles the checks of a model that reject executions, for the programs of a vocabulary.
    ///
    /// Errors: a recursive definition that may have no value; more than 64 checks.
    pub fn new(loaded: &Loaded, vocabulary: &Vocabulary) -> Result<Judge, String> {
        let model = &with_choices(loaded);
        let own = loaded.model.checks.len();
        let required: Vec<usize> = (0..own).filter(|&i| model.checks[i].role == Role::Require).collect();
        if required.len() > Axioms::BITS as usize {
            return Err(format!("the model has {} checks; synthesis takes at most {}", required.len(), Axioms::BITS));
        }
        let Simplified { pool, conditions } = simplify(model, &|base| Given::is_present(base, vocabulary), &[]);
        if (0..pool.len()).any(|i| matches!(pool.node(ExprId::at(i)), Node::DifferentValues(_))) {
            return Err("the model compares values, which tests do not have before they are printed".to_owned());
        }
        let mut compiler = Compiler::new(&pool);
        for (check, condition) in model.checks.iter().zip(&conditions).filter(|(check, _)| check.role.wants_value()) {
            compiler.settles(check.role, condition.expr)?;
        }
        let reads = |base: &Base| base.name == "rf";
        let grows = |base: &Base| matches!(base.name.as_str(), "rf" | "co");
        let depends = |base: &Base| grows(base) || matches!(base.name.as_str(), "addr" | "data" | "ctrl");
        let late: [&dyn Fn(&Base) -> bool; 3] = [&reads, &grows, &depends];
        let analyses = late.map(|late| {
            Analysis::new(&pool, Growth { late, late_values: true, complete: true, ..Growth::stable(false) })
        });
        let [mut in_reads, mut in_executions, mut in_dependencies] = [true; 3];
        let mut note = |expr: ExprId, fits: bool| {
            let [reads, executions, dependencies] = [0, 1, 2].map(|i| fits && analyses[i].monotone(expr).is_ok());
            in_reads &= reads;
            in_executions &= reads && executions;
            in_dependencies &= reads && executions && dependencies;
        };
        let mut checks = Vec::new();
        let mut names = Vec::new();
        let mut choices = Vec::new();
        for (order, pair) in loaded.orders.iter().zip(conditions[own..].chunks(2)) {
            let events = match pool.node(pair[0].expr) {
                Node::Product(events, _) => Some(*events),
                Node::Empty(_) => None,
                _ => return Err(format!("the model chooses an order, `{}`, of too many events", order.name)),
            };
            let constraint = pair[1].expr;
            // More edges leave fewer orders; other events would be other orders.
            note(constraint, events.is_none_or(|e| !compiler.varies(e)));
            let mut steps = events.map(|e| compiler.schedule(e)).unwrap_or_default();
            steps.append(&mut compiler.schedule(constraint));
            choices.push(Choice { slot: compiler.base(&order.base), events, order: constraint, steps });
        }
        for &i in &required {
            let (check, condition) = (&model.checks[i], conditions[i]);
            note(condition.expr, !check.negated);
            let steps = compiler.schedule(condition.expr);
            checks.push(Test { steps, predicate: condition.predicate, negated: check.negated, expr: condition.expr });
            names.push(check.name.clone().unwrap_or_else(|| format!("check{}", names.len() + 1)));
        }
        let fixed = std::mem::take(&mut compiler.fixed);
        let (rf, co) = (compiler.base("rf"), compiler.base("co"));
        let var_nodes = compiler.var_nodes();
        let tested = checks.iter().map(|check| (check.predicate, check.expr));
        let chosen = choices.iter().flat_map(|c| c.events.into_iter().chain([c.order]));
        let roots: Vec<(Predicate, ExprId)> = tested.chain(chosen.map(|e| (Predicate::Empty, e))).collect();
        names.extend(loaded.orders.iter().map(|order| format!("choice-of-{}", order.name)));
        let nodes = compiler.reachable(roots.iter().map(|&(_, root)| root));
        let locality = Locality::new(&pool, &nodes, &roots);
        let bases = (0..pool.len()).map(ExprId::at).filter_map(|id| match pool.node(id) {
            Node::Base(base) => Some((id, Given::of(&pool.bases()[base.index()], vocabulary))),
            _ => None,
        });
        let given = bases.collect();
        let monotone = Monotone { reads: in_reads, executions: in_executions, dependencies: in_dependencies };
        Ok(Judge { given, fixed, choices, checks, names, monotone, rf, co, var_nodes, locality, pool })
    }

    /// The names of the checks, in the model's order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// What may grow without a violated check being satisfied again.
    pub fn monotone(&self) -> Monotone {
        self.monotone
    }

    /// Whether a thread and a relaxed one are the same to the model, whatever the other threads do. `removed`: an event that the relaxation has removed; it accesses no memory.
    pub fn is_without_effect(&self, whole: &Values, relaxed: &Values, removed: Option<usize>) -> bool {
        self.locality.is_without_effect(&self.pool, whole, relaxed, removed)
    }

    /// Evaluates what does not depend on reads-from and coherence. `set` and `relation` give the values of base names.
    pub fn prepare(
        &self,
        universe: Events,
        set: &dyn Fn(&[bool], bool) -> Events,
        relation: &dyn Fn(&Given) -> Matrix,
    ) -> Values {
        let count = self.pool.len();
        let mut values =
            Values { sets: vec![0; count], relations: vec![Matrix::default(); count], universe, is_settled: true };
        for (id, given) in &self.given {
            match given {
                Given::Set(tokens, initial) => values.sets[id.index()] = set(tokens, *initial),
                _ => values.relations[id.index()] = relation(given),
            }
        }
        self.run(&self.fixed, &mut values);
        values
    }

    /// What an execution violates; with `all` every check is looked at, otherwise it only matters whether one is violated.
    pub fn violated(&self, values: &mut Values, rf: &Matrix, co: &Matrix, all: bool) -> Violated {
        if !values.is_settled {
            return Violated { axioms: 0, forbidden: true };
        }
        if let Some(node) = self.rf {
            values.relations[node.index()] = *rf;
        }
        if let Some(node) = self.co {
            values.relations[node.index()] = *co;
        }
        self.choose(0, values, all)
    }

    /// Chooses the next order in every way.
    fn choose(&self, next: usize, values: &mut Values, all: bool) -> Violated {
        let Some(choice) = self.choices.get(next) else { return self.checked(values, all) };
        self.run(&choice.steps, values);
        let events = choice.events.map_or(0, |e| values.sets[e.index()]);
        let before = values.relations[choice.order.index()].closure().within(events);
        if !before.is_irreflexive() {
            return Violated { axioms: 1 << (self.checks.len() + next), forbidden: true };
        }
        let mut common = Violated::ALL;
        linear(events, &before, &mut Vec::new(), &mut |order| {
            if let Some(slot) = choice.slot {
                values.relations[slot.index()] = *order;
            }
            common = common.and(self.choose(next + 1, values, all));
            !common.is_nothing()
        });
        common
    }

    fn checked(&self, values: &mut Values, all: bool) -> Violated {
        let mut axioms = 0;
        for (i, check) in self.checks.iter().enumerate() {
            self.run(&check.steps, values);
            if self.holds(check, values) == check.negated {
                axioms |= 1 << i;
                if !all {
                    break;
                }
            }
        }
        Violated { axioms, forbidden: axioms != 0 }
    }

    fn holds(&self, check: &Test, values: &Values) -> bool {
        let at = check.expr.index();
        match (self.pool.sort(check.expr), check.predicate) {
            (Sort::Set, Predicate::Empty) => values.sets[at] == 0,
            (Sort::Set, _) => true,
            (Sort::Rel, Predicate::Empty) => values.relations[at].is_empty(),
            (Sort::Rel, Predicate::Irreflexive) => values.relations[at].is_irreflexive(),
            (Sort::Rel, Predicate::Acyclic) => values.relations[at].is_acyclic(),
        }
    }

    fn run(&self, steps: &[Step], values: &mut Values) {
        for step in steps {
            match step {
                Step::Node(node) => self.evaluate(*node, values),
                Step::Loop(group, parts) => self.iterate(*group, parts, values),
            }
        }
    }

    /// The loop of a recursive group; its variables keep the result. `parts`: what is evaluated for each equation, which then has its new value; or for all of them together, where
    /// the order makes no difference.
    fn iterate(&self, group: FixId, parts: &[Vec<Step>], values: &mut Values) {
        let group = self.pool.fix(group);
        let slots: Vec<Option<ExprId>> = group.vars.iter().map(|v| self.var_nodes[v.index()]).collect();
        let assign = |values: &mut Values, i: usize| {
            let Some(slot) = slots[i] else { return true };
            let (slot, result) = (slot.index(), group.bodies[i].index());
            let grown = values.relations[result].zip(&values.relations[slot], |new, old| new & !old);
            let is_settled = values.sets[result] & !values.sets[slot] == 0 && grown.is_empty();
            values.sets[slot] = values.sets[result];
            values.relations[slot] = values.relations[result];
            is_settled
        };
        for &slot in slots.iter().flatten() {
            values.sets[slot.index()] = 0;
            values.relations[slot.index()] = Matrix::default();
        }
        for _ in 0..ROUNDS {
            let mut settled = true;
            for (i, part) in parts.iter().enumerate() {
                self.run(part, values);
                let all = if parts.len() == slots.len() { i..i + 1 } else { 0..slots.len() };
                all.for_each(|i| settled &= assign(values, i));
            }
            if settled {
                return;
            }
        }
        values.is_settled = false;
    }

    fn evaluate(&self, id: ExprId, values: &mut Values) {
        let at = id.index();
        let universe = values.universe;
        if self.pool.sort(id) == Sort::Set {
            let sets = &values.sets;
            let of = |x: &ExprId| sets[x.index()];
            values.sets[at] = match self.pool.node(id) {
                Node::Universe => universe,
                Node::Union(xs) => xs.iter().fold(0, |set, x| set | of(x)),
                Node::Inter(xs) => xs.iter().fold(universe, |set, x| set & of(x)),
                Node::Diff(a, b) => of(a) & !of(b),
                Node::Domain(r) => values.relations[r.index()].sources(),
                Node::Range(r) => values.relations[r.index()].targets(),
                Node::Fix(group, n) => self.result(*group, *n).map_or(0, |slot| of(&slot)),
                _ => return,
            };
            return;
        }
        let (sets, relations) = (&values.sets, &values.relations);
        let of = |x: &ExprId| &relations[x.index()];
        values.relations[at] = match self.pool.node(id) {
            Node::Full => Matrix::product(universe, universe),
            Node::Id => Matrix::identity(universe),
            Node::Union(xs) => xs.iter().fold(Matrix::default(), |sum, x| sum.zip(of(x), |a, b| a | b)),
            Node::Inter(xs) => xs[1..].iter().fold(*of(&xs[0]), |sum, x| sum.zip(of(x), |a, b| a & b)),
            Node::Diff(a, b) => of(a).zip(of(b), |a, b| a & !b),
            Node::Seq(xs) => self.compose(xs, sets, relations),
            Node::Product(a, b) => Matrix::product(sets[a.index()], sets[b.index()]),
            Node::IdOn(set) => Matrix::identity(sets[set.index()]),
            Node::Inverse(r) => of(r).converse(),
            Node::Plus(r) => of(r).closure(),
            Node::Star(r) => of(r).closure().zip(&Matrix::identity(universe), |a, b| a | b),
            Node::Opt(r) => of(r).zip(&Matrix::identity(universe), |a, b| a | b),
            Node::Fix(group, n) => self.result(*group, *n).map_or_else(Matrix::default, |slot| *of(&slot)),
            _ => return,
        };
    }

    /// Composition; restrictions to sets are masks.
    fn compose(&self, factors: &[ExprId], sets: &[Events], relations: &[Matrix]) -> Matrix {
        let mut sum: Option<Matrix> = None;
        let mut mask = Events::MAX;
        for factor in factors {
            match (self.pool.node(*factor), &mut sum) {
                (Node::IdOn(set), None) => mask &= sets[set.index()],
                (Node::IdOn(set), Some(sum)) => {
                    let set = sets[set.index()];
                    sum.0.iter_mut().for_each(|row| *row &= set);
                }
                (_, None) => {
                    let mut first = relations[factor.index()];
                    for (x, row) in first.0.iter_mut().enumerate() {
                        *row &= 0u16.wrapping_sub(mask >> x & 1);
                    }
                    sum = Some(first);
                }
                (_, Some(sum)) => *sum = sum.then(&relations[factor.index()]),
            }
        }
        sum.unwrap_or_else(|| Matrix::identity(mask))
    }

    fn result(&self, group: FixId, n: u32) -> Option<ExprId> {
        self.var_nodes[self.pool.fix(group).vars[n as usize].index()]
    }
}
