//! Linear orders, and the choices that an execution carries.

use super::Run;
use super::value::{Closure, Value};
use crate::relation::candidate::{EventSet, Relation};
use std::collections::BTreeSet;
use std::rc::Rc;

/// More orders than this are not listed.
const MAX_ORDERS: usize = 1_000_000;
/// Sets of events that the execution's `co` orders.
const ORDERED: &[&str] = &["W", "IW", "FW", "LKW", "UL"];
/// Sets of events whose reads-from edge is in the execution's `rf-lock`.
const LOCK_READS: &[&str] = &["LKR", "LF", "RL", "RU"];

/// All strict total orders of `nodes` that contain what `r` implies for them; none when there are too many.
pub fn linear_orders<T: Ord + Clone>(nodes: &BTreeSet<T>, r: &BTreeSet<(T, T)>) -> Option<Vec<BTreeSet<(T, T)>>> {
    let mut closed = r.clone();
    loop {
        let longer: Vec<(T, T)> = closed
            .iter()
            .flat_map(|(a, b)| r.iter().filter(move |(c, _)| c == b).map(move |(_, d)| (a.clone(), d.clone())))
            .filter(|edge| !closed.contains(edge))
            .collect();
        if longer.is_empty() {
            break;
        }
        closed.extend(longer);
    }
    let mut orders = Vec::new();
    extend(nodes.iter().cloned().collect(), &mut Vec::new(), &closed, &mut orders).then_some(orders)
}

/// Puts each node that may come next after `sequence`; false when there are too many orders.
fn extend<T: Ord + Clone>(
    left: Vec<T>,
    sequence: &mut Vec<T>,
    before: &BTreeSet<(T, T)>,
    orders: &mut Vec<BTreeSet<(T, T)>>,
) -> bool {
    if left.is_empty() {
        let pairs = sequence
            .iter()
            .enumerate()
            .flat_map(|(i, a)| sequence[i + 1..].iter().map(move |b| (a.clone(), b.clone())));
        orders.push(pairs.collect());
        return orders.len() <= MAX_ORDERS;
    }
    for (at, next) in left.iter().enumerate() {
        if left.iter().any(|other| before.contains(&(other.clone(), next.clone()))) {
            continue;
        }
        let mut rest = left.clone();
        rest.remove(at);
        sequence.push(next.clone());
        let few = extend(rest, sequence, before, orders);
        sequence.pop();
        if !few {
            return false;
        }
    }
    true
}

impl Run<'_> {
    /// The result of `generate_cos` and `generate_orders` when the execution carries the order: at most that one.
    pub(super) fn native_orders(&mut self, closure: &Closure, x: &Value) -> Option<Value> {
        let name = closure.name.as_ref()?;
        let file = &self.loaded.sources.file(name.span.file).name;
        let stem = std::path::Path::new(&**file).file_stem()?.to_str()?;
        if !matches!(stem, "cross" | "ncross") {
            return None;
        }
        let (events, order) = match (&*name.text, x) {
            ("generate_cos", order) => {
                let sym = self.interner.lookup("W")?;
                let writes = self.force(closure.env.get(sym)?, sym, name.span).ok()?;
                (writes, order.clone())
            }
            ("generate_orders", Value::Tuple(parts)) if parts.len() == 2 => (parts[0].clone(), parts[1].clone()),
            _ => return None,
        };
        let events = match events {
            Value::Set(s) => (*s).clone(),
            Value::Empty => EventSet::new(),
            _ => return None,
        };
        let order = match order {
            Value::Rel(r) => (*r).clone(),
            Value::Empty => Relation::new(),
            _ => return None,
        };
        if !self.within(&events, ORDERED) {
            return None;
        }
        let (co, locations) = (self.candidate.relation("co"), &self.candidate.locations);
        let together = |a: &u32, b: &u32| {
            a != b
                && events.contains(a)
                && events.contains(b)
                && locations.get(a).is_some_and(|l| locations.get(b) == Some(l))
        };
        let chosen: Relation = co.iter().copied().filter(|(a, b)| events.contains(a) && events.contains(b)).collect();
        let closed = super::expressions::closure(&order);
        let cyclic = closed.iter().any(|(a, b)| a == b && events.contains(a) && locations.contains_key(a));
        let respected = closed.iter().all(|(a, b)| !together(a, b) || chosen.contains(&(*a, *b)));
        let total = events.iter().all(|a| {
            events.iter().all(|b| !together(a, b) || chosen.contains(&(*a, *b)) || chosen.contains(&(*b, *a)))
        });
        Some(match !cyclic && respected && total {
            true => Value::Values(Rc::new(vec![Value::Rel(Rc::new(chosen))])),
            false => Value::Empty,
        })
    }

    /// Of the unions of one edge per event, the one that the execution carries; all when it carries none of that kind.
    pub(super) fn native_edges(&self, values: Vec<Value>) -> Vec<Value> {
        let native = self.candidate.relation("rf-lock");
        let lock_reads = values.iter().all(|v| match v {
            Value::Rel(r) => self.within(&r.iter().map(|e| e.1).collect(), LOCK_READS),
            _ => false,
        });
        if !lock_reads {
            return values;
        }
        values.into_iter().filter(|v| matches!(v, Value::Rel(r) if r.is_subset(&native))).collect()
    }

    fn within(&self, events: &EventSet, names: &[&str]) -> bool {
        let sets: Vec<EventSet> = names.iter().map(|n| self.candidate.set(n)).collect();
        events.iter().all(|e| sets.iter().any(|s| s.contains(e)))
    }
}
