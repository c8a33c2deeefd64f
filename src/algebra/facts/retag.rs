//! Whether a check that an execution passes is passed by the same execution in which one event is in other base sets.
//!
//! # Setting
//!
//! Two executions have the same events. One event, `e`, is in other base sets in the second. Base relations are the same in both, but some may have fewer edges in the second, and some have no
//! edge from or to `e`. For each expression it is worked out whether the second value may have something that the first has not (*gains*), or lack something that it has (*loses*).
//!
//! - *Sets*: whether `e` is a member is known where only base sets decide it, in both executions. Any other event keeps its membership, but in domains and ranges of relations that change.
//! - *Unions, intersections, products, compositions, closures, domains, ranges, converses* are monotone in their operands, and so gain and lose what these do. A difference gains what its right side loses, and the other way round.
//! - *Domains and ranges* of a relation without an edge at `e` do not have it. A composition has none if its first and its last part have none; a union needs that of all parts, an intersection of one.
//! - *Recursive definitions* that are monotone: by induction on rounds, as in [`analyse`](super::analyse). Of others nothing is known unless all their equations are the same.

use super::analyse::is_positive;
use crate::algebra::expr::{Base, ExprId, FixId, Node, Pool, Sort, VarId};
use crate::algebra::model::{Check, Role};
use crate::algebra::simplify::Condition;
use rustc_hash::FxHashMap;

/// What is known of a base relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edges {
    /// It is the same.
    Same,
    /// It may have fewer edges.
    Fewer,
    /// It is the same, and has no edge at the event.
    Elsewhere,
}

/// How base names of two executions differ.
pub struct Difference<'a> {
    /// Whether the event is in a base set, in the first and in the second execution.
    pub sets: &'a dyn Fn(&str) -> [bool; 2],
    /// What is known of a base relation.
    pub relations: &'a dyn Fn(&str) -> Edges,
}

/// What the second value may have, or lack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Drift {
    /// Something that the first has not.
    pub gains: bool,
    /// Something that the first has.
    pub loses: bool,
}

const STILL: Drift = Drift { gains: false, loses: false };
const UNKNOWN: Drift = Drift { gains: true, loses: true };

impl Drift {
    fn or(self, other: Drift) -> Drift {
        Drift { gains: self.gains || other.gains, loses: self.loses || other.loses }
    }

    fn turned(self) -> Drift {
        Drift { gains: self.loses, loses: self.gains }
    }
}

/// What is known of an expression.
#[derive(Clone, Copy)]
struct Value {
    /// Of a set: whether the event is in it, in the first and in the second execution, where that is known.
    member: [Option<bool>; 2],
    /// What that amounts to.
    here: Drift,
    /// At all other events, or of a relation.
    elsewhere: Drift,
    /// Of a relation: whether it has no edge at the event.
    apart: bool,
}

impl Value {
    fn relation(drift: Drift, apart: bool) -> Value {
        Value { member: [None; 2], here: STILL, elsewhere: drift, apart }
    }

    fn set(member: [Option<bool>; 2], here: Drift, elsewhere: Drift) -> Value {
        let here = match member {
            [Some(first), Some(second)] => Drift { gains: second && !first, loses: first && !second },
            _ => here,
        };
        Value { member, here, elsewhere, apart: false }
    }

    fn drift(self) -> Drift {
        self.here.or(self.elsewhere)
    }
}

/// What is asked of a model's checks.
#[derive(Clone, Debug, Default)]
pub struct Checks {
    pool: Pool,
    /// Operands that may gain nothing, and operands that may lose nothing.
    grow_nowhere: Vec<ExprId>,
    shrink_nowhere: Vec<ExprId>,
}

impl Checks {
    /// The checks of a model that say anything of the programs at hand, with their conditions there.
    pub fn new<'a>(pool: &Pool, checks: impl Iterator<Item = (&'a Check, Condition)>) -> Checks {
        let mut asked = Checks { pool: pool.clone(), ..Checks::default() };
        for (check, on) in checks {
            match check.role {
                // What is accepted is accepted again.
                Role::Require if !check.negated => asked.grow_nowhere.push(on.expr),
                Role::Require => asked.shrink_nowhere.push(on.expr),
                // What is reported is reported again.
                Role::Flag | Role::Undefined if check.negated == (check.role == Role::Flag) => {
                    asked.shrink_nowhere.push(on.expr);
                }
                Role::Flag | Role::Undefined => asked.grow_nowhere.push(on.expr),
                Role::Assert | Role::When | Role::Settle => {
                    asked.grow_nowhere.push(on.expr);
                    asked.shrink_nowhere.push(on.expr);
                }
            }
        }
        asked
    }

    /// Whether the second execution is accepted if the first one is, and raises the flags that this one raises. O(pool) and more for recursive definitions.
    pub fn keep(&self, difference: &Difference<'_>) -> bool {
        let drifts = drifts(&self.pool, difference);
        self.grow_nowhere.iter().all(|expr| !drifts[expr.index()].gains)
            && self.shrink_nowhere.iter().all(|expr| !drifts[expr.index()].loses)
    }
}

/// What is known of each expression of a pool, by number.
pub fn drifts(pool: &Pool, difference: &Difference<'_>) -> Vec<Drift> {
    let mut assumed: FxHashMap<VarId, Drift> = FxHashMap::default();
    for f in 0..pool.fix_count() {
        assumed.extend(pool.fix(FixId::at(f)).vars.iter().map(|&var| (var, STILL)));
    }
    let is_monotone: Vec<bool> = (0..pool.fix_count())
        .map(|f| pool.fix(FixId::at(f)).when.is_none() && is_positive(pool, FixId::at(f)))
        .collect();
    loop {
        let mut values: Vec<Value> = Vec::with_capacity(pool.len());
        for i in 0..pool.len() {
            let value = of_node(pool, ExprId::at(i), &values, &assumed, difference);
            values.push(value);
        }
        let mut is_stable = true;
        for (f, &is_monotone) in is_monotone.iter().enumerate() {
            let group = pool.fix(FixId::at(f));
            let bodies = group.bodies.iter().map(|body| values[body.index()].drift());
            let test = group.when.iter().map(|when| values[when.2.index()].drift());
            let is_same = bodies.clone().chain(test).all(|drift| drift == STILL);
            for (var, body) in group.vars.iter().zip(bodies) {
                let found = if is_monotone || is_same { assumed[var].or(body) } else { UNKNOWN };
                is_stable &= found == assumed[var];
                assumed.insert(*var, found);
            }
        }
        if is_stable {
            return values.into_iter().map(Value::drift).collect();
        }
    }
}

fn of_node(
    pool: &Pool,
    id: ExprId,
    known: &[Value],
    vars: &FxHashMap<VarId, Drift>,
    difference: &Difference<'_>,
) -> Value {
    let at = |x: &ExprId| known[x.index()];
    let all = |xs: &[ExprId]| xs.iter().map(|x| at(x).drift()).fold(STILL, Drift::or);
    let is_set = pool.sort(id) == Sort::Set;
    let of_variable = |drift: Drift| match is_set {
        true => Value::set([None; 2], drift, drift),
        false => Value::relation(drift, false),
    };
    match pool.node(id) {
        Node::Empty(_) if is_set => Value::set([Some(false); 2], STILL, STILL),
        Node::Empty(_) => Value::relation(STILL, true),
        Node::Universe => Value::set([Some(true); 2], STILL, STILL),
        Node::Full | Node::Id => Value::relation(STILL, false),
        Node::Base(base) => of_base(&pool.bases()[base.index()], difference),
        Node::Var(var) => of_variable(vars.get(var).copied().unwrap_or(UNKNOWN)),
        Node::Fix(fix, n) => of_variable(vars[&pool.fix(*fix).vars[*n as usize]]),
        Node::Union(xs) if is_set => of_sets(xs, known, true),
        Node::Inter(xs) if is_set => of_sets(xs, known, false),
        Node::Union(xs) => Value::relation(all(xs), xs.iter().all(|x| at(x).apart)),
        Node::Inter(xs) => Value::relation(all(xs), xs.iter().any(|x| at(x).apart)),
        Node::Diff(a, b) => {
            let (a, b) = (at(a), at(b));
            let here = a.here.or(b.here.turned());
            let elsewhere = a.elsewhere.or(b.elsewhere.turned());
            let member = [0, 1].map(|i| match (a.member[i], b.member[i]) {
                (Some(false), _) | (_, Some(true)) => Some(false),
                (Some(true), Some(false)) => Some(true),
                _ => None,
            });
            if is_set { Value::set(member, here, elsewhere) } else { Value::relation(elsewhere, a.apart) }
        }
        Node::Product(a, b) => Value::relation(at(a).drift().or(at(b).drift()), false),
        Node::IdOn(a) => Value::relation(at(a).drift(), at(a).member == [Some(false); 2]),
        Node::Seq(xs) => {
            let apart = xs.first().is_some_and(|x| at(x).apart) && xs.last().is_some_and(|x| at(x).apart);
            Value::relation(all(xs), apart)
        }
        Node::Inverse(a) | Node::Plus(a) | Node::DifferentValues(a) => Value::relation(at(a).drift(), at(a).apart),
        Node::Star(a) | Node::Opt(a) => Value::relation(at(a).drift(), false),
        Node::Domain(a) | Node::Range(a) => {
            let member = if at(a).apart { Some(false) } else { None };
            Value::set([member; 2], at(a).drift(), at(a).drift())
        }
    }
}

fn of_base(base: &Base, difference: &Difference<'_>) -> Value {
    match base.sort {
        Sort::Set => Value::set((difference.sets)(&base.name).map(Some), STILL, STILL),
        Sort::Rel => match (difference.relations)(&base.name) {
            Edges::Same => Value::relation(STILL, false),
            Edges::Fewer => Value::relation(Drift { gains: false, loses: true }, false),
            Edges::Elsewhere => Value::relation(STILL, true),
        },
    }
}

/// A union, or an intersection, of sets: one member that is in, or out, settles it.
fn of_sets(xs: &[ExprId], known: &[Value], is_union: bool) -> Value {
    let parts = || xs.iter().map(|x| known[x.index()]);
    let member = [0, 1].map(|i| {
        if parts().any(|part| part.member[i] == Some(is_union)) {
            return Some(is_union);
        }
        parts().all(|part| part.member[i] == Some(!is_union)).then_some(!is_union)
    });
    let join = |of: fn(Value) -> Drift| parts().map(of).fold(STILL, Drift::or);
    Value::set(member, join(|part| part.here), join(|part| part.elsewhere))
}
