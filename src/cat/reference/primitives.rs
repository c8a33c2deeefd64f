//! The functions of the language (CAT.md, section 5.1).

use super::Run;
use super::expressions::{compose, lift};
use super::orders::linear_orders;
use super::value::{ClassRelation, Error, Outcome, Stop, Value, error, set_of};
use crate::cat::source::Span;
use crate::cat::stage::Bell;
use crate::relation::candidate::{EventSet, Relation};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A free choice is tried for up to so many events or pairs of events: one bit each.
const MAX_FREE_MEMBERS: usize = 16;

impl Run<'_> {
    pub(super) fn primitive(&mut self, name: &'static str, x: Value, at: Span) -> Outcome<Value> {
        let mismatch = |x: &Value| error(at, format!("primitive {name}: argument mismatch, {} found", x.kind()));
        match (name, x) {
            ("fail", _) => error(at, "fail"),
            ("domain" | "range", v @ (Value::Empty | Value::Universe)) => Ok(v),
            (
                "different-values" | "same-oa" | "oa-changes" | "at-least-one-writable" | "as_transitive",
                Value::Empty,
            ) => Ok(Value::Empty),
            ("domain", Value::Rel(r)) => Ok(Value::set(r.iter().map(|e| e.0))),
            ("range", Value::Rel(r)) => Ok(Value::set(r.iter().map(|e| e.1))),
            ("different-values", x) => match self.as_relation(x) {
                Ok(r) => {
                    let values = &self.candidate.values;
                    let same =
                        |(a, b): &(u32, u32)| matches!((values.get(a), values.get(b)), (Some(x), Some(y)) if x == y);
                    Ok(Value::rel(r.iter().copied().filter(|e| !same(e))))
                }
                Err(x) => mismatch(&x),
            },
            // No event of an execution carries a page-table entry.
            ("oa-changes" | "at-least-one-writable", Value::Tuple(parts)) => match parts.as_slice() {
                [set, order] if self.as_set(set.clone()).is_ok() && self.as_relation(order.clone()).is_ok() => {
                    Ok(Value::set([]))
                }
                _ => mismatch(&Value::Tuple(parts)),
            },
            ("same-oa" | "oa-changes" | "at-least-one-writable", x) => match self.as_relation(x) {
                Ok(_) => Ok(Value::rel([])),
                Err(x) => mismatch(&x),
            },
            ("as_transitive", x) => match self.as_relation(x) {
                Ok(r) => Ok(Value::rel(super::expressions::closure(&r))),
                Err(x) => mismatch(&x),
            },
            ("fromto", x) => match self.as_set(x) {
                Ok(s) => Ok(self.fenced_by(&s)),
                Err(x) => mismatch(&x),
            },
            ("tag2events", Value::Tag(tag, _)) => {
                Ok(Value::set(self.candidate.set(&Bell::set_name(self.interner.name(tag)))))
            }
            ("tag2fenced", Value::Tag(tag, _)) => {
                let fences = self.candidate.set(&Bell::set_name(self.interner.name(tag)));
                Ok(self.fenced_by(&fences))
            }
            ("tag2scope" | "tag2level", Value::Tag(tag, _)) => {
                Ok(Value::rel(self.candidate.relation(self.interner.name(tag))))
            }
            ("loc2events", Value::Tag(tag, _)) => {
                let location = self.candidate.location_names.get(&**self.interner.name(tag));
                let here = self.candidate.locations.iter().filter(|(_, l)| Some(*l) == location).map(|(e, _)| *e);
                Ok(Value::set(here))
            }
            ("classes-loc", x) => match self.as_set(x) {
                Ok(s) => {
                    let mut classes: BTreeMap<u32, EventSet> = BTreeMap::new();
                    for e in s {
                        if let Some(location) = self.candidate.locations.get(&e) {
                            classes.entry(*location).or_default().insert(e);
                        }
                    }
                    set_of(at, classes.into_values().map(|c| Value::Set(Rc::new(c))).collect())
                }
                Err(x) => mismatch(&x),
            },
            ("classes", x) => match self.as_relation(x) {
                Ok(r) => set_of(at, components(&r).into_iter().map(|c| Value::Set(Rc::new(c))).collect()),
                Err(x) => mismatch(&x),
            },
            ("lift", Value::Tuple(parts)) => match self.classes_and_relation(&parts) {
                Some((classes, r)) => {
                    let class = |e: &u32| classes.iter().find(|c| c.contains(e)).cloned();
                    let lifted = r.iter().filter_map(|(a, b)| Some((class(a)?, class(b)?))).collect();
                    Ok(Value::ClassRel(Rc::new(lifted)))
                }
                None => mismatch(&Value::Tuple(parts)),
            },
            ("delift", Value::ClassRel(c)) => Ok(Value::rel(delift(&c))),
            ("delift", Value::Empty) => Ok(Value::Empty),
            ("deliftinter", Value::Tuple(parts)) => match parts.as_slice() {
                [Value::Rel(m), Value::ClassRel(c)] => Ok(Value::Rel(Rc::new(&**m & &delift(c)))),
                [_, Value::Empty] => Ok(Value::Empty),
                _ => mismatch(&Value::Tuple(parts.clone())),
            },
            ("linearisations", Value::Tuple(parts)) => match parts.as_slice() {
                [set, order] => self.linearisations(at, set.clone(), order.clone()),
                _ => mismatch(&Value::Tuple(parts.clone())),
            },
            ("bisimulation", Value::Tuple(parts)) => match parts.as_slice() {
                [Value::Rel(t), Value::Rel(e)] => Ok(Value::Rel(Rc::new(bisimulation(t, e)))),
                [Value::ClassRel(t), Value::ClassRel(e)] => Ok(Value::ClassRel(Rc::new(bisimulation(t, e)))),
                _ => mismatch(&Value::Tuple(parts.clone())),
            },
            ("newSet", Value::Tuple(none)) if none.is_empty() => {
                let events: Vec<u32> = self.candidate.universe.iter().copied().collect();
                Ok(Value::set(self.any_of(events, at)?))
            }
            ("newRelation", Value::Tuple(none)) if none.is_empty() => {
                Ok(Value::rel(self.any_of(self.all_pairs().into_iter().collect(), at)?))
            }
            (_, x) => mismatch(&x),
        }
    }

    /// Any part of `all`, one for each branch of the run.
    fn any_of<T: Copy>(&mut self, all: Vec<T>, at: Span) -> Outcome<Vec<T>> {
        if all.len() > MAX_FREE_MEMBERS {
            let message = format!(
                "a free choice among 2^{} sets or relations, more than can be tried (2^{MAX_FREE_MEMBERS})",
                all.len()
            );
            return Err(Stop::Fatal(Error { message, span: at }));
        }
        let chosen = self.next_choice(1 << all.len());
        Ok(all.into_iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1).map(|(_, x)| x).collect())
    }

    fn as_relation(&self, x: Value) -> Result<Relation, Value> {
        match x {
            Value::Rel(r) => Ok((*r).clone()),
            Value::Empty => Ok(Relation::new()),
            Value::Universe => Ok(self.all_pairs()),
            other => Err(other),
        }
    }

    fn as_set(&self, x: Value) -> Result<EventSet, Value> {
        match x {
            Value::Set(s) => Ok((*s).clone()),
            Value::Empty => Ok(EventSet::new()),
            Value::Universe => Ok(self.candidate.universe.clone()),
            other => Err(other),
        }
    }

    fn fenced_by(&self, fences: &EventSet) -> Value {
        let po = self.candidate.relation("po");
        let into: Relation = po.iter().copied().filter(|(_, b)| fences.contains(b)).collect();
        Value::rel(compose(&into, &po))
    }

    fn classes_and_relation(&self, parts: &[Value]) -> Option<(Vec<EventSet>, Relation)> {
        let [classes, Value::Rel(r)] = parts else { return None };
        Some((as_classes(&lift(classes.clone()))?, (**r).clone()))
    }

    fn linearisations(&self, at: Span, set: Value, order: Value) -> Outcome<Value> {
        let found = match (&set, &order) {
            (Value::Empty, _) => return set_of(at, vec![Value::rel([])]),
            (Value::Set(s), Value::Rel(_) | Value::Empty) => {
                let r = match &order {
                    Value::Rel(r) => (**r).clone(),
                    _ => Relation::new(),
                };
                linear_orders(s, &r).map(|orders| orders.into_iter().map(|o| Value::Rel(Rc::new(o))).collect())
            }
            (Value::Values(_), Value::ClassRel(_) | Value::Empty) => {
                let c = match &order {
                    Value::ClassRel(c) => (**c).clone(),
                    _ => ClassRelation::new(),
                };
                match as_classes(&set) {
                    Some(classes) => linear_orders(&classes.into_iter().collect(), &c)
                        .map(|orders| orders.into_iter().map(|o| Value::ClassRel(Rc::new(o))).collect()),
                    None => return error(at, "primitive linearisations: argument mismatch"),
                }
            }
            _ => return error(at, "primitive linearisations: argument mismatch"),
        };
        match found {
            Some(orders) => set_of(at, orders),
            None => error(at, "too many linearisations"),
        }
    }
}

/// The event sets in a set of event sets.
fn as_classes(value: &Value) -> Option<Vec<EventSet>> {
    match value {
        Value::Empty => Some(Vec::new()),
        Value::Values(values) => values
            .iter()
            .map(|v| match v {
                Value::Set(s) => Some((**s).clone()),
                Value::Empty => Some(EventSet::new()),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

/// Connected components of the nodes of a relation.
fn components(r: &Relation) -> Vec<EventSet> {
    let mut components: Vec<EventSet> = Vec::new();
    for (a, b) in r {
        let (touching, mut apart): (Vec<EventSet>, Vec<EventSet>) =
            components.into_iter().partition(|c| c.contains(a) || c.contains(b));
        let mut joined: EventSet = touching.into_iter().flatten().collect();
        joined.extend([*a, *b]);
        apart.push(joined);
        components = apart;
    }
    components
}

fn delift(c: &ClassRelation) -> Relation {
    c.iter().flat_map(|(a, b)| a.iter().flat_map(|x| b.iter().map(|y| (*x, *y)))).collect()
}

/// The greatest relation within `e` whose pairs have matching successors under `t` both ways.
fn bisimulation<T: Ord + Clone>(t: &BTreeSet<(T, T)>, e: &BTreeSet<(T, T)>) -> BTreeSet<(T, T)> {
    let successors = |x: &T| t.iter().filter(|(a, _)| a == x).map(|(_, b)| b.clone()).collect::<Vec<T>>();
    let mut related = e.clone();
    loop {
        let kept: BTreeSet<(T, T)> = related
            .iter()
            .filter(|(a, b)| {
                let (of_a, of_b) = (successors(a), successors(b));
                of_a.iter().all(|x| of_b.iter().any(|y| related.contains(&(x.clone(), y.clone()))))
                    && of_b.iter().all(|y| of_a.iter().any(|x| related.contains(&(x.clone(), y.clone()))))
            })
            .cloned()
            .collect();
        if kept.len() == related.len() {
            return kept;
        }
        related = kept;
    }
}
