//! Flags of the model: which mean that the program is wrong, and the accesses that they are about.

use super::finding::Property;
use super::picture::draw;
use super::picture::sources::Sources;
use super::picture::{Edge, Picture};
use super::reasons::orders::{self, Orders};
use super::reasons::recheck;
use super::reasons::unordered;
use super::result::Finding;
use crate::algebra::naive::{Naive, Value};
use crate::algebra::{Check, Model, Role};
use crate::cat::Loaded;
use crate::explore::Execution;
use crate::graph::view;
use crate::ids::EventId;
use crate::patience;
use crate::relation::candidate::Candidate;

use crate::clock::Instant;
use rustc_hash::FxHashMap;

/// Said of a finding that the time limit left half explained.
const LATE: &str =
    "the time limit was reached before this was explained in full; with a longer `--timeout` more is said of it";

/// Whether a raised flag makes a program wrong: undefined behaviour, or a race by name. Other flags are warnings.
pub fn is_violation(check: &Check) -> bool {
    match check.role {
        Role::Undefined => true,
        Role::Flag => is_race(check),
        _ => false,
    }
}

/// The kind of the finding that a raised flag is.
pub fn kind(check: &Check) -> &'static str {
    if is_race(check) { Property::Race.name() } else { "undefined" }
}

/// Whether a flag is about races, by its name.
pub fn is_race(check: &Check) -> bool {
    check.name.as_deref().is_some_and(|name| name.to_ascii_lowercase().contains("race"))
}

/// The steps whose fences would order the two accesses of a race.
fn orders_of_race(
    execution: &Execution<'_, '_>,
    model: &Model,
    check: &Check,
    rows: &FxHashMap<EventId, u32>,
    events: &[u32],
) -> Option<Orders> {
    let &[first, second] = events else { return None };
    let event = |row: u32| rows.iter().find(|(_, r)| **r == row).map(|(&e, _)| e);
    let pair = [event(first)?, event(second)?];
    orders::explain_race(execution, rows, pair, &mut |candidate| {
        let value = Naive::new(&model.pool, candidate).value(check.expr);
        let [a, b] = pair.map(|e| execution.graph.row(e));
        matches!(value, Some(Value::Rel(race)) if race.contains(&(a, b)) || race.contains(&(b, a)))
    })
}

/// The name of a flag.
pub fn name(check: &Check) -> &str {
    check.name.as_deref().unwrap_or("undefined")
}

/// A pair of events, the upper one in the picture first: the rows there, and the events as the model has them.
type Pair = (u32, u32, u32, u32);

/// What a raised flag is about: two events, or one, as rows of the picture. A pair of accesses that the reference evaluator does not confirm is not shown.
fn about(
    candidate: &Candidate,
    rows: &FxHashMap<EventId, u32>,
    loaded: &Loaded,
    model: &Model,
    check: &Check,
) -> (Vec<u32>, Option<Pair>) {
    let value = Naive::new(&model.pool, candidate).value(check.expr);
    let row = |e: u32| rows.get(&EventId(e)).copied();
    let pair = match &value {
        Some(Value::Rel(relation)) => {
            let pairs = relation.iter().filter(|(a, b)| a != b).filter_map(|&(a, b)| Some((row(a)?, row(b)?, a, b)));
            let upper_first = |(x, y, a, b)| if x < y { (x, y, a, b) } else { (y, x, b, a) };
            pairs.map(upper_first).min().filter(|&(.., a, b)| recheck::race(loaded, candidate, check, [a, b]))
        }
        _ => None,
    };
    let events: Vec<u32> = match (&value, pair) {
        (_, Some((first, second, ..))) => vec![first, second],
        (Some(Value::Set(set)), _) => set.iter().filter_map(|&e| row(e)).take(1).collect(),
        _ => Vec::new(),
    };
    (events, pair)
}

/// An event of a picture with its place.
fn shown(picture: &Picture, e: u32) -> String {
    let event = &picture.events[e as usize];
    let thread = &picture.threads[event.thread as usize].name;
    let place = event.place.as_ref().map(|p| format!(" at {}:{}", p.file, p.line)).unwrap_or_default();
    format!("{} by {thread}{place}", event.label())
}

/// The events that a raised flag is about, with their places.
pub fn events(
    execution: &Execution<'_, '_>,
    loaded: &Loaded,
    model: &Model,
    check: &Check,
    sources: &Sources,
) -> Vec<String> {
    let drawn = draw::draw(execution, sources);
    let candidate = view::candidate(execution.graph, &execution.world.deps, execution.world.program);
    let (events, _) = about(&candidate, &drawn.rows, loaded, model, check);
    events.into_iter().map(|e| shown(&drawn.picture, e)).collect()
}

/// Says what a raised flag is about.
pub fn describe(
    execution: &Execution<'_, '_>,
    loaded: &Loaded,
    model: &Model,
    check: &Check,
    sources: &Sources,
) -> Finding {
    let drawn = draw::draw(execution, sources);
    let mut picture = drawn.picture;
    let deadline = execution.world.options.deadline;
    let evaluated = patience::within(deadline, || {
        let candidate = view::candidate(execution.graph, &execution.world.deps, execution.world.program);
        let (events, pair) = about(&candidate, &drawn.rows, loaded, model, check);
        (candidate, events, pair)
    });
    let (candidate, events, pair) = evaluated.unwrap_or_default();
    let row = |e: u32| drawn.rows.get(&EventId(e)).copied();
    let orders = patience::within(deadline, || orders_of_race(execution, model, check, &drawn.rows, &events)).flatten();
    if let Some(orders) = &orders {
        orders.draw(&mut picture);
    }
    if let [a, b] = events[..] {
        picture.edges.push(Edge { from: a, to: b, name: name(check).to_owned() });
    }
    let mut notes: Vec<String> = events.iter().map(|&e| format!("e{e}: {}", shown(&picture, e))).collect();
    if let Some((.., a, b)) = pair {
        let row = |e| row(e).map(|row| format!("e{row}"));
        notes.extend(patience::within(deadline, || unordered::why(model, &candidate, [a, b], &row)));
    }
    if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
        notes.push(LATE.to_owned());
    }
    let location = events.first().and_then(|&e| picture.events[e as usize].location.clone());
    let on = location.map(|l| format!(" on {l}")).unwrap_or_default();
    let message = match kind(check) {
        "race" => format!("the model finds a race{on} ({})", name(check)),
        _ => format!("the model says that behaviour is undefined ({})", name(check)),
    };
    Finding {
        kind: kind(check).to_owned(),
        message,
        place: events.first().and_then(|&e| picture.events[e as usize].place.clone()),
        notes,
        events,
        orders,
        calls: None,
        execution: picture,
    }
}
