//! What an event in other base sets, and fewer edges, do to expressions: against the plain evaluator, on random models and executions.

use super::generate::{Palette, RELS, Rng, SETS, model};
use super::history::execution;
use hmc::algebra::ExprId;
use hmc::algebra::facts::retag::{Difference, Edges, drifts};
use hmc::algebra::naive::{Naive, Value};
use std::collections::BTreeMap;

/// Whether one value has something that the other one has not.
fn exceeds(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Set(a), Value::Set(b)) => !a.is_subset(b),
        (Value::Rel(a), Value::Rel(b)) => !a.is_subset(b),
        _ => true,
    }
}

#[test]
fn values_drift_as_is_said() {
    let (mut kept, mut changed) = (0, 0);
    for seed in 0..30_000 * super::scale() {
        let mut rng = Rng::new(seed ^ 0x4e7a_0000);
        let wild = rng.chance(30);
        let model = model(&mut rng, Palette { wild, paths: false, races: false, size: 4 + seed as usize % 10 });
        let (mut first, order) = execution(&mut rng, true);
        let event = order[0];
        let edges: BTreeMap<&str, Edges> =
            RELS.map(|name| (name, [Edges::Same, Edges::Same, Edges::Fewer, Edges::Elsewhere][rng.below(4)])).into();
        for (name, pairs) in &mut first.relations {
            if edges[name.as_str()] == Edges::Elsewhere {
                pairs.retain(|&(a, b)| a != event && b != event);
            }
        }
        let mut second = first.clone();
        for (name, pairs) in &mut second.relations {
            if edges[name.as_str()] == Edges::Fewer {
                pairs.retain(|_| rng.chance(70));
            }
        }
        for name in SETS {
            let members = second.sets.entry(name.into()).or_default();
            if rng.chance(40) && !members.remove(&event) {
                members.insert(event);
            }
        }
        let sets = |name: &str| [&first, &second].map(|execution| execution.set(name).contains(&event));
        let relations = |name: &str| edges[name];
        let found = drifts(&model.pool, &Difference { sets: &sets, relations: &relations });
        let (mut before, mut after) = (Naive::new(&model.pool, &first), Naive::new(&model.pool, &second));
        for (i, drift) in found.into_iter().enumerate() {
            let id = ExprId::at(i);
            // Of what mentions a variable of recursion there is no value.
            let (Some(one), Some(two)) = (before.value(id), after.value(id)) else { continue };
            let (gains, loses) = (exceeds(&two, &one), exceeds(&one, &two));
            assert!(
                (drift.gains || !gains) && (drift.loses || !loses),
                "seed {seed}, event {event}: expression {i} is said to change by {drift:?}\n{one:?}\n{two:?}\n{:?}",
                model.pool
            );
            kept += usize::from(!drift.gains || !drift.loses);
            changed += usize::from(gains || loses);
        }
    }
    let count = format!("{kept} expressions of which something is known, {changed} that change");
    assert!(kept > 100_000 && changed > 50_000, "{count}");
    println!("{count}");
}
