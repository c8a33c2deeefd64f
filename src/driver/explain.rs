//! Explains why no execution satisfies the condition of a litmus test, or why none of a program ends in an error: all candidates that
//! would, and what rejects each.

use super::ends::final_values;
use super::models::Usable;
use super::{Settings, recheck};
use crate::algebra::naive;
use crate::explore::enumerate::{Coverage, enumerate};
use crate::explore::{self, Execution, Go, Options, Problem, Visitor};
use crate::graph::view;
use crate::ids::EventId;
use crate::litmus::Test;
use crate::program::Program;
use crate::verdict::explain::{Step, witness};
use crate::verdict::picture::Edge;
use crate::verdict::result::{Explanation, Rejection};
use crate::verdict::{Sources, draw, finding};
use std::time::{Duration, Instant};

/// Different rejections kept.
const KEPT: usize = 8;
/// Graphs that the enumerator may make before the explanation is called incomplete.
const GRAPHS: u64 = 1_000_000;

/// Candidates of a program that are judged.
const CANDIDATES: u64 = 2_000;
/// Time for the candidates of a program.
const LONGEST: Duration = Duration::from_secs(30);

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

/// Says why a program has no error: goes through its candidate executions, with nothing of the model but the order of thread creation and
/// joining, and shows what rejects those that end in an error.
pub fn no_error(program: &Program, usable: &Usable, settings: &Settings, sources: &Sources) -> Explanation {
    let mut loose = usable.model.clone();
    loose.checks = loose.checks.split_off(usable.loaded.model.checks.len().min(loose.checks.len()));
    let options = Options {
        unroll: settings.unroll,
        deadline: Some(Instant::now() + settings.timeout.unwrap_or(LONGEST).min(LONGEST)),
        interrupt: settings.interrupt.clone(),
        ..Options::default()
    };
    let plan = explore::plan(&loose, program);
    let mut errors = Errors { usable, settings, sources, seen: 0, explanation: Explanation::default() };
    let statistics = explore::explore(program, &plan, &options, &mut errors);
    let mut explanation = errors.explanation;
    explanation.of_program = true;
    explanation.all_seen = !statistics.stopped && statistics.cut == 0;
    explanation.rejections.sort_by_key(|r| r.cycle.len());
    explanation.rejections.truncate(KEPT);
    explanation
}

/// Looks at candidates that end in an error.
struct Errors<'a> {
    usable: &'a Usable,
    settings: &'a Settings,
    sources: &'a Sources,
    seen: u64,
    explanation: Explanation,
}

impl Visitor for Errors<'_> {
    fn complete(&mut self, _: &Execution<'_, '_>) -> Go {
        self.seen += 1;
        if self.seen > GRAPHS { Go::Stop } else { Go::On }
    }

    fn problem(&mut self, execution: &Execution<'_, '_>, problem: &Problem) -> Go {
        let counts = match problem {
            Problem::Fault(_, _, fault) => !fault.is_unsupported(),
            Problem::Stuck(_) => false,
        };
        if counts
            && self.settings.properties.contains(&finding::property(problem))
            && let Some((rejection, _)) = rejected(execution, self.usable, self.sources)
        {
            self.explanation.candidates += 1;
            add(&mut self.explanation.rejections, rejection);
        }
        if self.explanation.candidates >= CANDIDATES { Go::Stop } else { Go::On }
    }
}

/// The violated check with the shortest cycle, confirmed by the reference evaluator.
fn rejection(execution: &Execution<'_, '_>, usable: &Usable, sources: &Sources) -> Option<Rejection> {
    rejected(execution, usable, sources).map(|(rejection, _)| rejection)
}

/// The same, with the steps of the cycle as events.
pub(super) fn rejected(
    execution: &Execution<'_, '_>,
    usable: &Usable,
    sources: &Sources,
) -> Option<(Rejection, Vec<(EventId, EventId)>)> {
    let model = &usable.model;
    let candidate = view::candidate(execution.graph, &execution.world.deps, execution.world.program);
    let violated = naive::judge(model, &candidate).violated;
    let (index, steps) = violated
        .into_iter()
        .map(|i| (i, witness(model, &candidate, &model.checks[i])))
        .min_by_key(|(_, steps)| if steps.is_empty() { usize::MAX } else { steps.len() })?;
    let check = &model.checks[index];
    // A cycle that the second evaluator does not confirm is not shown.
    let steps = if recheck::confirmed(usable, &candidate, index, check, &steps) { steps } else { Vec::new() };
    let events = steps.iter().map(|&(a, b, _)| (EventId(a), EventId(b))).collect();
    let drawn = draw::draw(execution, sources);
    let cycle = through_events(steps, &|e| drawn.rows.get(&EventId(e)).copied());
    let rejection = Rejection {
        axiom: check.name.clone().unwrap_or_else(|| "an axiom without a name".to_owned()),
        cycle,
        candidates: 1,
        execution: drawn.picture,
    };
    Some((rejection, events))
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
