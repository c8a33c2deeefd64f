//! An execution as plain data: what a model is evaluated on, without any cleverness.
//!
//! The reference evaluator, the enumerator, the reports and the tests use this form; the fast path has its own matrices.

use std::collections::{BTreeMap, BTreeSet};

/// A set of events.
pub type EventSet = BTreeSet<u32>;
/// A set of ordered pairs of events.
pub type Relation = BTreeSet<(u32, u32)>;

/// One way from an event to another through the parts of a composition, an edge of each part. `None`: there is none.
pub fn way_through(parts: &[Relation], from: u32, to: u32) -> Option<Vec<(u32, u32)>> {
    // For each part, the events behind it, and the least event before it that leads there.
    let mut layers: Vec<BTreeMap<u32, u32>> = Vec::new();
    let mut here = vec![from];
    for relation in parts {
        let mut next = BTreeMap::new();
        for &x in &here {
            for &(_, y) in relation.range((x, 0)..=(x, u32::MAX)) {
                next.entry(y).or_insert(x);
            }
        }
        here = next.keys().copied().collect();
        layers.push(next);
    }
    let mut edges = Vec::new();
    let mut at = to;
    for layer in layers.iter().rev() {
        let &previous = layer.get(&at)?;
        edges.push((previous, at));
        at = previous;
    }
    edges.reverse();
    Some(edges)
}

/// An execution: a universe and the value of every base name. A name that is absent is empty.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// All events that the model sees.
    pub universe: EventSet,
    /// Base sets (`R`, `W`, `Acq`, …).
    pub sets: BTreeMap<String, EventSet>,
    /// Base relations (`po`, `rf`, `co`, …).
    pub relations: BTreeMap<String, Relation>,
    /// The value that an event carries, for `different-values`.
    pub values: BTreeMap<u32, u64>,
    /// The location of an event, for `classes-loc` and `loc2events`; any numbering.
    pub locations: BTreeMap<u32, u32>,
    /// Names of locations, for `loc2events`.
    pub location_names: BTreeMap<String, u32>,
}

impl Candidate {
    /// The base set called `name`.
    pub fn set(&self, name: &str) -> EventSet {
        self.sets.get(name).cloned().unwrap_or_default()
    }

    /// The base relation called `name`.
    pub fn relation(&self, name: &str) -> Relation {
        self.relations.get(name).cloned().unwrap_or_default()
    }
}
