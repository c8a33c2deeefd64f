//! Explains why no execution satisfies the condition of a litmus test: all candidates that would, and what rejects each.

use super::Settings;
use super::ends::final_values;
use super::models::Usable;
use crate::algebra::naive;
use crate::explore::enumerate::{Coverage, enumerate};
use crate::explore::{Execution, Options};
use crate::graph::view;
use crate::ids::EventId;
use crate::litmus::Test;
use crate::verdict::explain::{Step, witness};
use crate::verdict::picture::Edge;
use crate::verdict::result::{Explanation, Rejection};
use crate::verdict::{Sources, draw};

/// Different rejections kept.
const KEPT: usize = 8;
/// Graphs that the enumerator may make before the explanation is called incomplete.
const GRAPHS: u64 = 1_000_000;

/// Goes through all candidates. Exponential in the size of the test: litmus tests are small.
pub fn forbidden(test: &Test, usable: &Usable, settings: &Settings, sources: &Sources) -> Explanation {
    let options = Options {
        unroll: settings.unroll.or(test.unroll),
        interrupt: settings.interrupt.clone(),
        ..Options::default()
    };
    let mut explanation = Explanation::default();
    let mut see = |execution: &Execution<'_, '_>| {
        let values = final_values(test, execution);
        if !test.accepts(&values) || !test.satisfies(&values) {
            return;
        }
        explanation.candidates += 1;
        if let Some(rejection) = rejection(execution, usable, sources) {
            add(&mut explanation.rejections, rejection);
        }
    };
    explanation.all_seen = enumerate(&test.program, &options, GRAPHS, &mut see) == Coverage::All;
    explanation.rejections.sort_by_key(|r| r.cycle.len());
    explanation.rejections.truncate(KEPT);
    explanation
}

/// The violated check with the shortest cycle.
fn rejection(execution: &Execution<'_, '_>, usable: &Usable, sources: &Sources) -> Option<Rejection> {
    let model = &usable.model;
    let candidate = view::candidate(execution.graph, &execution.world.deps, execution.world.program);
    let violated = naive::judge(model, &candidate).violated;
    let shown = violated.into_iter().map(|i| &model.checks[i]);
    let (check, steps) = shown
        .map(|check| (check, witness(model, &candidate, check)))
        .min_by_key(|(_, steps)| if steps.is_empty() { usize::MAX } else { steps.len() })?;
    let drawn = draw::draw(execution, sources);
    let cycle = through_events(steps, &|e| drawn.rows.get(&EventId(e)).copied());
    Some(Rejection {
        axiom: check.name.clone().unwrap_or_else(|| "an axiom without a name".to_owned()),
        cycle,
        candidates: 1,
        execution: drawn.picture,
    })
}

/// Steps between rows; those that go over an initial write, which has no row, become one.
fn through_events(steps: Vec<Step>, row: &dyn Fn(u32) -> Option<u32>) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    let mut open: Option<(u32, String)> = None;
    for (from, to, name) in steps {
        let (start, name) = match open.take() {
            Some((start, before)) => (Some(start), format!("{before};{name}")),
            None => (row(from), name),
        };
        match (start, row(to)) {
            (Some(from), Some(to)) => edges.push(Edge { from, to, name }),
            (Some(from), None) => open = Some((from, name)),
            // A cycle that starts at an initial write: what leads there comes last.
            (None, _) => {}
        }
    }
    edges
}

/// Adds a rejection, or counts it when one like it is there.
fn add(all: &mut Vec<Rejection>, new: Rejection) {
    let labels = |r: &Rejection| -> Vec<(String, String, String)> {
        let label = |e: u32| r.execution.events.get(e as usize).map(|row| row.label()).unwrap_or_default();
        r.cycle.iter().map(|e| (label(e.from), e.name.clone(), label(e.to))).collect()
    };
    match all.iter_mut().find(|old| old.axiom == new.axiom && labels(old) == labels(&new)) {
        Some(old) => old.candidates += 1,
        None => all.push(new),
    }
}
