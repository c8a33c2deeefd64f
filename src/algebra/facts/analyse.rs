//! What growth of an execution does to the value of an expression.
//!
//! # Setting
//!
//! An execution `G` over events `E` is extended to `G'` over `E' ⊇ E`. Base sets and relations, and event values, are
//! *birth-stable*: restricted to `E` they are the same in both (a new edge has at least one new end). With `holes = false`
//! no new event is po-before an old one, so `E` is closed downwards under `po`; with `holes = true` nothing is known of
//! where new events stand.
//!
//! For an expression `e` write `e'|E` for its value in `G'` cut down to `E`. Two properties are derived:
//!
//! - `grows`: `e ⊆ e'|E`;
//! - `shrinks`: `e'|E ⊆ e`.
//!
//! A base name may be declared *late* instead: it grows, but edges or members may also appear among old events.
//!
//! A base name may be declared *untouched*: no new event is a member or an end of it. So it has, in all that grows from `G`, the value that it has
//! in `G`. A value is *old* if it has no new event in any `G'`, as that of an untouched name.
//!
//! With `complete` there are no new events at all (`E' = E`): the late names grow, everything else stays. Then no new event can be an
//! intermediate or an end, so compositions, closures, domains and ranges shrink when their operands do; and an expression
//! in which no late name occurs (nor a comparison of values, when values are late) is *constant*: stable, whatever it is made of.
//!
//! Both together mean *stable*. A relation may also be known to lie within `po?` (`down`: its source is before or equal to
//! its target), or within its converse (`up`).
//!
//! # Rules, and why they hold
//!
//! - *Base, universe, full, identity, empty*: stable, by assumption or by definition.
//! - *Union, intersection, product, `[S]`, converse, `?`, different-values*: each pair (or event) of the result over `E` is
//!   decided by the operands at that pair or its ends, all in `E`, monotonically: each property passes through.
//! - *`a \ b`*: grows if `a` grows and `b` shrinks (a pair of `a` outside `b` stays in `a`, and were it in `b'|E` it would be in
//!   `b`); shrinks if `a` shrinks and `b` grows.
//! - *`r1 ; … ; rn`*: grows if all do (the same intermediate events are still there). Shrinks if all do **and** no new event
//!   can be an intermediate: for ends `x, z ∈ E` the event between `ri` and `ri+1` is in `E` when one of the two is old; or, without holes, when
//!   all of `ri+1 … rn` are `down` (it is po-before or equal to `z`, and `E` is closed downwards) or all of `r1 … ri` are `up` (likewise from `x`).
//!   Old if `r1` and `rn` are.
//! - *`r+`, `r*`*: grows if `r` does; shrinks if `r` shrinks and is old, or without holes `down` or `up`, by the same argument. The first is old if `r` is.
//! - *domain(r)*: grows if `r` does; shrinks if `r` shrinks and is old, or without holes `up` (the target is then in `E`).
//!   *range(r)*: the same with `down`. Both are old if `r` is.
//! - What is within something old is old; so are unions, products, converses of old values.
//! - *Recursive groups* in which no variable stands to the right of a difference, and that have no `when` test: properties
//!   of the components are assumed, all at first, and struck out until the equations confirm those that are left. They then
//!   hold in every round by induction on rounds run side by side in `G` and `G'` (the first has empty values on both sides).
//!   Monotone groups keep their value once they have reached it, so the loops may be thought of as equally long, and the
//!   properties hold of the results. In any other group nothing is known but `down` and `up`, which hold in every round of one
//!   execution.
//!
//! A condition `acyclic e`, `irreflexive e` or `empty e` whose `e` grows is *monotone*: a violation in `G` is one in `G'`. That
//! takes for granted that `e` has a value: a group that is not monotone or has a `when` test may fail in `G` and not in `G'`, so
//! a condition that mentions such a group anywhere, even in a component that does not matter, is not monotone.

use crate::algebra::expr::{Base, ExprId, FixId, Node, Pool, VarId};
use crate::algebra::model::Predicate;
use rustc_hash::FxHashMap;

/// How executions grow.
#[derive(Clone, Copy)]
pub struct Growth<'g> {
    /// May events be added po-before existing ones?
    pub holes: bool,
    /// Base names that are not birth-stable: existing events may become members, or edges may appear between them, later.
    /// (They never lose any.)
    pub late: &'g dyn Fn(&Base) -> bool,
    /// Base names that new events take no part in.
    pub untouched: &'g dyn Fn(&Base) -> bool,
    /// May the value of an existing event change?
    pub late_values: bool,
    /// Are all events there from the start? Then only what is late grows, and an expression over anything else is constant.
    pub complete: bool,
    /// Do checks prune only if they are known to let an execution go on (see [`super::extend`])? Others are left for the end then.
    pub certain: bool,
}

impl Growth<'static> {
    /// Every base name and value is birth-stable.
    pub fn stable(holes: bool) -> Self {
        Growth { holes, late: &|_| false, untouched: &|_| false, late_values: false, complete: false, certain: false }
    }
}

/// What is known of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traits {
    /// Its value on existing events never loses anything as the execution grows.
    pub grows: bool,
    /// Its value on existing events never gains anything.
    pub shrinks: bool,
    /// A relation within `po?`.
    pub down: bool,
    /// A relation within the converse of `po?`.
    pub up: bool,
    /// All its events were there from the start.
    pub old: bool,
}

const TOP: Traits = Traits { grows: true, shrinks: true, down: true, up: true, old: true };

impl Traits {
    fn and(self, other: Traits) -> Traits {
        Traits {
            grows: self.grows && other.grows,
            shrinks: self.shrinks && other.shrinks,
            down: self.down && other.down,
            up: self.up && other.up,
            old: self.old && other.old,
        }
    }

    fn placed(self, down: bool, up: bool) -> Traits {
        Traits { down, up, ..self }
    }

    fn aged(self, old: bool) -> Traits {
        Traits { old, ..self }
    }
}

/// The name of program order: the one relation of which the analysis knows what it means.
pub(in crate::algebra) const PROGRAM_ORDER: &str = "po";
/// The traits of every node of a pool.
pub struct Analysis<'a> {
    pool: &'a Pool,
    traits: Vec<Traits>,
    /// Whether a group that may fail stands below a node.
    fallible: Vec<bool>,
}

impl<'a> Analysis<'a> {
    /// Analyses a whole pool.
    pub fn new(pool: &'a Pool, growth: Growth) -> Analysis<'a> {
        let constant = if growth.complete { constant(pool, growth) } else { vec![false; pool.len()] };
        let mut assumed: FxHashMap<VarId, Traits> = FxHashMap::default();
        for f in 0..pool.fix_count() {
            let fix = FixId::at(f);
            let known = is_positive(pool, fix) && pool.fix(fix).when.is_none();
            let start = Traits { grows: known, shrinks: known, ..TOP };
            assumed.extend(pool.fix(fix).vars.iter().map(|&v| (v, start)));
        }
        loop {
            let mut traits: Vec<Traits> = Vec::with_capacity(pool.len());
            for (i, &constant) in constant.iter().enumerate() {
                let value = of_node(pool, pool.node(ExprId::at(i)), &traits, &assumed, growth);
                let stable = Traits { grows: true, shrinks: true, ..value };
                traits.push(if constant { stable } else { value });
            }
            let mut stable = true;
            for f in 0..pool.fix_count() {
                let group = pool.fix(FixId::at(f));
                for (var, body) in group.vars.iter().zip(&group.bodies) {
                    let confirmed = assumed[var].and(traits[body.index()]);
                    stable &= confirmed == assumed[var];
                    assumed.insert(*var, confirmed);
                }
            }
            if stable {
                return Analysis { pool, traits, fallible: fallible(pool, &constant) };
            }
        }
    }

    /// What is known of an expression.
    pub fn traits(&self, id: ExprId) -> Traits {
        self.traits[id.index()]
    }

    /// Whether a violation of the (un-negated) condition on `id` survives every extension; if not, why not, in words.
    pub fn monotone(&self, id: ExprId) -> Result<(), String> {
        if !self.traits(id).grows {
            Err(self.blame(id))
        } else if self.fallible[id.index()] {
            Err("a recursive definition that is not monotone or has a `when` test".into())
        } else {
            Ok(())
        }
    }

    /// Whether an expression never gains anything, and always has a value.
    pub fn only_shrinks(&self, id: ExprId) -> bool {
        self.traits(id).shrinks && !self.fallible[id.index()]
    }

    /// Follows the operands that do not grow down to the operator that is to blame.
    fn blame(&self, root: ExprId) -> String {
        let mut id = root;
        loop {
            let next = match self.pool.node(id) {
                Node::Diff(a, _) if !self.traits(*a).grows => Some(*a),
                Node::Diff(_, b) => {
                    return format!(
                        "a difference whose right side ({}) may gain edges between existing events",
                        self.gaining(*b)
                    );
                }
                Node::Fix(fix, n) => {
                    let group = self.pool.fix(*fix);
                    if group.when.is_some() {
                        return "a recursive definition with a `when` test".into();
                    }
                    if !is_positive(self.pool, *fix) {
                        return "a recursive definition that is not monotone".into();
                    }
                    // The component's equation leads on, unless it leads back here.
                    Some(group.bodies[*n as usize])
                }
                Node::Var(_) => return "a recursive definition over parts that do not only grow".into(),
                _ => self.pool.operands(id).into_iter().find(|x| !self.traits(*x).grows),
            };
            match next {
                Some(next) => id = next,
                None => return "an operator that does not only grow".into(),
            }
        }
    }

    /// A short name for the part of `root` that keeps it from being stable.
    fn gaining(&self, root: ExprId) -> &'static str {
        let mut id = root;
        loop {
            match self.pool.node(id) {
                Node::Seq(_) => return "a composition through events still to come",
                Node::Plus(_) | Node::Star(_) => return "a closure through events still to come",
                Node::Domain(_) | Node::Range(_) => return "the domain or range of a relation",
                Node::Fix(..) | Node::Var(_) => return "a recursive definition",
                Node::Diff(..) => return "a nested difference",
                _ => match self.pool.operands(id).into_iter().find(|x| !self.traits(*x).shrinks) {
                    Some(next) => id = next,
                    None => return "its value",
                },
            }
        }
    }
}

fn of_node(pool: &Pool, node: &Node, known: &[Traits], vars: &FxHashMap<VarId, Traits>, growth: Growth) -> Traits {
    let Growth { holes, complete, .. } = growth;
    let t = |x: &ExprId| known[x.index()];
    match node {
        Node::Empty(_) => TOP,
        Node::Id => TOP.aged(false),
        Node::Universe | Node::Full => TOP.placed(false, false).aged(false),
        Node::Base(base) => {
            let base = &pool.bases()[base.index()];
            let traits = TOP.placed(base.name == PROGRAM_ORDER && base.sort == crate::algebra::Sort::Rel, false);
            Traits { shrinks: !(growth.late)(base), ..traits }.aged((growth.untouched)(base))
        }
        Node::Var(var) => vars.get(var).copied().unwrap_or(Traits {
            grows: false,
            shrinks: false,
            down: false,
            up: false,
            old: false,
        }),
        Node::Fix(fix, n) => vars[&pool.fix(*fix).vars[*n as usize]],
        Node::Union(xs) => xs.iter().map(t).fold(TOP, Traits::and),
        Node::Inter(xs) => {
            let all = xs.iter().map(t).fold(TOP, Traits::and);
            let has = |is: fn(Traits) -> bool| xs.iter().any(|x| is(t(x)));
            all.placed(has(|x| x.down), has(|x| x.up)).aged(has(|x| x.old))
        }
        Node::Diff(a, b) => {
            let (a, b) = (t(a), t(b));
            Traits { grows: a.grows && b.shrinks, shrinks: a.shrinks && b.grows, ..a }
        }
        Node::Product(a, b) => t(a).and(t(b)).placed(false, false),
        Node::IdOn(a) => t(a).placed(true, true),
        Node::Inverse(a) => t(a).placed(t(a).up, t(a).down),
        Node::Opt(a) => t(a).aged(false),
        Node::DifferentValues(a) => {
            let a = t(a);
            Traits { grows: a.grows && !growth.late_values, shrinks: a.shrinks && !growth.late_values, ..a }
        }
        Node::Seq(xs) => {
            let all = xs.iter().map(t).fold(TOP, Traits::and);
            let anchored = (1..xs.len()).all(|i| {
                let (before, after) = xs.split_at(i);
                let is_placed = after.iter().all(|x| t(x).down) || before.iter().all(|x| t(x).up);
                t(&xs[i - 1]).old || t(&xs[i]).old || is_placed && !holes
            });
            let ends = [xs.first(), xs.last()];
            let old = ends.iter().all(|end| end.is_some_and(|x| t(x).old));
            Traits { shrinks: all.shrinks && (complete || anchored), ..all }.aged(old)
        }
        Node::Plus(a) | Node::Star(a) => {
            let is_closure = matches!(node, Node::Plus(_));
            let a = t(a);
            let anchored = a.old || (a.down || a.up) && !holes;
            Traits { shrinks: a.shrinks && (complete || anchored), ..a }.aged(a.old && is_closure)
        }
        Node::Domain(a) => {
            let a = t(a);
            Traits { shrinks: a.shrinks && (complete || a.old || a.up && !holes), ..a }.placed(false, false)
        }
        Node::Range(a) => {
            let a = t(a);
            Traits { shrinks: a.shrinks && (complete || a.old || a.down && !holes), ..a }.placed(false, false)
        }
    }
}

/// For each node, whether nothing that is late occurs below it.
fn constant(pool: &Pool, growth: Growth) -> Vec<bool> {
    // Groups are taken to be constant until an equation shows that they are not.
    let mut changing = vec![false; pool.fix_count()];
    let mut group_of: FxHashMap<VarId, usize> = FxHashMap::default();
    for f in 0..pool.fix_count() {
        group_of.extend(pool.fix(FixId::at(f)).vars.iter().map(|&var| (var, f)));
    }
    loop {
        let mut known: Vec<bool> = Vec::with_capacity(pool.len());
        for i in 0..pool.len() {
            let id = ExprId::at(i);
            let value = match pool.node(id) {
                Node::Base(base) => !(growth.late)(&pool.bases()[base.index()]),
                Node::Var(var) => group_of.get(var).is_some_and(|&f| !changing[f]),
                Node::Fix(fix, _) => !changing[fix.index()],
                Node::DifferentValues(_) if growth.late_values => false,
                _ => pool.operands(id).iter().all(|x| known[x.index()]),
            };
            known.push(value);
        }
        let mut settled = true;
        for (f, changing) in changing.iter_mut().enumerate().filter(|(_, changing)| !**changing) {
            let group = pool.fix(FixId::at(f));
            let parts = group.bodies.iter().chain(group.when.iter().map(|w| &w.2));
            *changing = parts.into_iter().any(|x| !known[x.index()]);
            settled &= !*changing;
        }
        if settled {
            return known;
        }
    }
}

/// For each node, whether a group that may fail (one that is not monotone, or has a `when` test) stands below it. What is constant
/// fails always or never.
fn fallible(pool: &Pool, constant: &[bool]) -> Vec<bool> {
    let mut known: Vec<bool> = Vec::with_capacity(pool.len());
    for (i, &constant) in constant.iter().enumerate() {
        let below = |x: &ExprId| known[x.index()];
        let value = match pool.node(ExprId::at(i)) {
            _ if constant => false,
            Node::Fix(fix, _) => {
                let group = pool.fix(*fix);
                group.when.is_some() || !is_positive(pool, *fix) || group.bodies.iter().any(below)
            }
            _ => pool.operands(ExprId::at(i)).iter().any(below),
        };
        known.push(value);
    }
    known
}

/// Whether no variable of a group stands, in the group's equations, to the right of a difference (also through groups
/// nested in it).
pub fn is_positive(pool: &Pool, fix: FixId) -> bool {
    let group = pool.fix(fix);
    // mentions[i]: does node i mention a variable of the group? Pools are in operand order, so one pass does.
    let last = group.bodies.iter().map(|b| b.index()).max().unwrap_or(0);
    let mut mentions: Vec<bool> = Vec::with_capacity(last + 1);
    let mut positive = true;
    for i in 0..=last {
        let node = pool.node(ExprId::at(i));
        let value = match node {
            Node::Var(var) => group.vars.contains(var),
            Node::Fix(inner, _) => {
                let inner_group = pool.fix(*inner);
                let inside = inner_group.bodies.iter().chain(inner_group.when.iter().map(|w| &w.2));
                let touched = inside.clone().any(|b| mentions.get(b.index()).copied().unwrap_or(false));
                // An inner loop that is not itself monotone may do anything to what it is given.
                if touched && (inner_group.when.is_some() || !is_positive(pool, *inner)) {
                    positive = false;
                }
                touched
            }
            _ => pool.operands(ExprId::at(i)).iter().any(|x| mentions[x.index()]),
        };
        if let Node::Diff(_, b) = node {
            // Nodes outside this group's equations cannot mention its variables, except in groups around it: being
            // careful there costs precision only.
            positive &= !mentions[b.index()];
        }
        mentions.push(value);
    }
    positive
}

/// In words, why a condition can or cannot prune.
pub fn describe(predicate: Predicate) -> &'static str {
    match predicate {
        Predicate::Acyclic => "acyclic, over a relation that only gains edges between existing events",
        Predicate::Irreflexive => "irreflexive, over a relation that only gains edges between existing events",
        Predicate::Empty => "empty, over a value that only grows on existing events",
    }
}
