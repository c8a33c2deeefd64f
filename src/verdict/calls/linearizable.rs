//! Calls whose results no order of them explains.

use super::clients::{self, Known};
use super::histories::{self, Placement};
use crate::algebra::Model;
use crate::explore::Execution;
use crate::linearizability::history::{Argument, Call, History};
use crate::linearizability::search::{Answer, Farthest, Synchronised, search, unseen};
use crate::linearizability::specification::{Refusal, Specification};
use crate::verdict::finding::Property;
use crate::verdict::picture::draw::{self, Drawn, thread_name};
use crate::verdict::picture::sources::Sources;
use crate::verdict::picture::{Action, Calls, Edge, Picture, Row};
use crate::verdict::result::Finding;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub use super::clients::Edges;

/// What calls are held against.
#[derive(Clone, Debug)]
pub struct Specified {
    /// The sequential program.
    pub specification: Arc<Specification>,
    /// The names of its operations.
    pub operations: Arc<[String]>,
    /// Which calls have to be seen by which.
    pub synchronised: Synchronised,
    /// Whether each call has a thread of its own, and it is asked what any client could tell that orders them.
    pub any_client: bool,
}

/// How many histories were looked at, and of how many calls the longest was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Looked {
    /// Different histories.
    pub histories: u64,
    /// Calls of the longest one.
    pub calls: u64,
}

impl Looked {
    /// As a user is told.
    pub fn sentence(self) -> String {
        match self.histories {
            0 => "no call of a function of the specification was made, so nothing was held against it".to_owned(),
            1 => format!("one history of {} calls was looked at", self.calls),
            n => format!("{n} histories of up to {} calls were looked at", self.calls),
        }
    }
}

/// A check of histories, each of which is looked at once.
#[derive(Clone, Debug)]
pub struct Linearizability {
    specified: Specified,
    seen: FxHashSet<History>,
    longest: usize,
    known: Known,
    /// The orders of calls that a client has to impose to see what is wrong, by the threads of the calls.
    pub client: Option<Edges>,
    /// Why a history could not be checked, if one could not.
    pub refused: Option<Refusal>,
}

impl Linearizability {
    /// Nothing was looked at yet.
    pub fn new(specified: Specified) -> Linearizability {
        Linearizability {
            specified,
            seen: FxHashSet::default(),
            longest: 0,
            known: Known::default(),
            client: None,
            refused: None,
        }
    }

    /// The same, of which nothing was looked at.
    pub fn fresh(&self) -> Linearizability {
        Linearizability::new(self.specified.clone())
    }

    /// Adds what another one has looked at.
    pub fn add(&mut self, other: Linearizability) {
        self.seen.extend(other.seen);
        self.longest = self.longest.max(other.longest);
        self.client = self.client.take().or(other.client);
        self.refused = self.refused.take().or(other.refused);
    }

    /// What was looked at.
    pub fn looked(&self) -> Looked {
        Looked { histories: self.seen.len() as u64, calls: self.longest as u64 }
    }

    /// The first history of an execution that is wrong, if there is one.
    pub fn find(&mut self, execution: &Execution<'_, '_>, model: &Model, sources: &Sources) -> Option<Finding> {
        let Some(placements) = histories::of(execution, model) else {
            self.refused.get_or_insert_with(|| "an object has more than 64 calls in an execution".to_owned());
            return None;
        };
        for placement in placements {
            self.longest = self.longest.max(placement.calls.len());
            let judged = match self.specified.any_client {
                true => self.judge_for_any_client(execution, model, &placement),
                false if self.seen.contains(&placement.history) => continue,
                false => self.judge(&placement.history),
            };
            match judged {
                Ok(None) => {}
                Ok(Some(wrong)) => {
                    let finding = describe(execution, &placement, &wrong, &self.specified, sources);
                    self.seen.insert(placement.history);
                    return Some(finding);
                }
                Err(refusal) => {
                    self.refused.get_or_insert(refusal);
                }
            }
            self.seen.insert(placement.history);
        }
        None
    }

    fn judge_for_any_client(
        &mut self,
        execution: &Execution<'_, '_>,
        model: &Model,
        placement: &Placement,
    ) -> Result<Option<Wrong>, Refusal> {
        let specification = self.specified.specification.clone();
        let Some(edges) = clients::find(execution, model, placement, &specification, &mut self.known)? else {
            return Ok(None);
        };
        let thread = |call: usize| placement.calls[call].thread.index();
        self.client = Some(edges.iter().map(|&(first, last)| (thread(first), thread(last))).collect());
        let history = clients::with(&placement.history, &edges);
        match search(&specification, &history, Synchronised::default())? {
            Answer::No(farthest) => Ok(Some(Wrong::Results(farthest, edges))),
            Answer::Linearizable(_) => Ok(None),
        }
    }

    fn judge(&self, history: &History) -> Result<Option<Wrong>, Refusal> {
        let Specified { specification, synchronised, .. } = &self.specified;
        if let Answer::Linearizable(_) = search(specification, history, *synchronised)? {
            return Ok(None);
        }
        Ok(Some(match search(specification, history, Synchronised::default())? {
            Answer::No(farthest) => Wrong::Results(farthest, Edges::new()),
            Answer::Linearizable(found) => {
                let pair = unseen(history, &found, *synchronised).unwrap_or_default();
                Wrong::Synchronisation(pair)
            }
        }))
    }
}

/// What is wrong with a history.
enum Wrong {
    /// No order explains the results, if a client orders calls so.
    Results(Farthest, Edges),
    /// The results are right, but one call does not see another.
    Synchronisation((usize, usize)),
}

fn describe(
    execution: &Execution<'_, '_>,
    placement: &Placement,
    wrong: &Wrong,
    specified: &Specified,
    sources: &Sources,
) -> Finding {
    let Drawn { picture, rows } = draw::draw(execution, sources);
    let Placement { calls, history } = placement;
    let text = |call: usize| call_text(&calls[call].call, &specified.operations);
    let rows_of_calls = in_order(history);
    let number = |call: usize| rows_of_calls.iter().position(|&other| other == call).unwrap_or_default();
    let name = |call: usize| format!("c{}", number(call));
    let mut notes = Vec::new();
    for &call in &rows_of_calls {
        let behind: Vec<String> = directly_before(history, call).map(name).collect();
        let behind = if behind.is_empty() { String::new() } else { format!(", behind {}", behind.join(", ")) };
        let thread = thread_name(execution, u64::from(calls[call].thread.0));
        notes.push(format!("{}: {} by {thread}{behind}", name(call), text(call)));
    }
    let (message, about) = match wrong {
        Wrong::Results(Farthest { placed, next }, edges) => {
            for (first, last) in edges {
                let (first, last) = (name(*first), name(*last));
                notes.push(format!("a client that has {first} return before it calls {last} can tell"));
            }
            let way: Vec<String> = placed.iter().map(|&call| name(call)).collect();
            let way = if way.is_empty() { "no call fits".to_owned() } else { way.join(", ") };
            notes.push(format!("the longest order that the specification explains: {way}"));
            for (call, outcomes) in next {
                let given: Vec<String> =
                    outcomes.iter().map(|outcome| values(&outcome.result, &outcome.stored)).collect();
                let given = match given.is_empty() {
                    true => "waits".to_owned(),
                    false => format!("gives {}", given.join(" or ")),
                };
                notes.push(format!("then {}, {}, {given} by the specification", name(*call), text(*call)));
            }
            let message = format!("no order of these {} calls explains their results", calls.len());
            (message, next.iter().map(|(call, _)| *call).collect::<Vec<_>>())
        }
        Wrong::Synchronisation((first, last)) => {
            let (one, other) = (name(*first), name(*last));
            notes.push(format!("{one} has to happen before the end of {other}, and nothing orders the two"));
            let message = format!("missing synchronisation: {} does not see {}", text(*last), text(*first));
            (message, vec![*first, *last])
        }
    };
    let events: Vec<u32> =
        about.iter().filter_map(|&call| calls[call].event).filter_map(|event| rows.get(&event).copied()).collect();
    let drawn = rows_of_calls.iter().map(|&call| Row {
        thread: calls[call].thread.0,
        value: Some(text(call)),
        ..at(&picture, calls[call].event.and_then(|event| rows.get(&event).copied()))
    });
    let pairs = rows_of_calls.iter().flat_map(|&last| directly_before(history, last).map(move |first| (first, last)));
    let edges = pairs.filter(|&(first, last)| calls[first].thread != calls[last].thread);
    let edge = |(from, to)| Edge { from: number(from) as u32, to: number(to) as u32, name: "before".to_owned() };
    let drawn = Picture {
        threads: picture.threads.clone(),
        events: drawn.collect(),
        related: edges.map(edge).collect(),
        ..Picture::default()
    };
    let calls = Calls { picture: drawn, about: about.iter().map(|&call| number(call) as u32).collect() };
    let place = events.first().and_then(|&row| picture.events[row as usize].place.clone());
    Finding {
        kind: Property::Linearizability.name().to_owned(),
        message,
        place,
        events,
        notes,
        orders: None,
        calls: Some(calls),
        execution: picture,
    }
}

/// The calls in an order that what is known of them allows.
fn in_order(history: &History) -> Vec<usize> {
    let mut order = Vec::new();
    let mut placed = 0;
    let comes_next = |placed: u64| {
        let follows = |&call: &usize| placed & 1 << call == 0 && history.before[call] & !placed == 0;
        (0..history.calls.len()).find(follows)
    };
    while let Some(call) = comes_next(placed) {
        placed |= 1 << call;
        order.push(call);
    }
    order
}

/// The calls that come before one, but for those that follow from others.
fn directly_before(history: &History, call: usize) -> impl Iterator<Item = usize> {
    let before = history.before[call];
    let is_between = move |n: usize, other: usize| before & 1 << n != 0 && history.before[n] & 1 << other != 0;
    let count = history.calls.len();
    (0..count).filter(move |&other| before & 1 << other != 0 && !(0..count).any(|n| is_between(n, other)))
}

/// A row for a call that begins at a row of the execution.
fn at(execution: &Picture, row: Option<u32>) -> Row {
    let begins = row.and_then(|row| execution.events.get(row as usize));
    Row {
        thread: 0,
        action: Action::Call,
        tags: Vec::new(),
        location: None,
        value: None,
        reads_from: None,
        atomic: false,
        place: begins.and_then(|row| row.place.clone()),
        frames: Vec::new(),
        source: begins.map(|row| row.source.clone()).unwrap_or_default(),
    }
}

/// A call as a user writes it, and what it has given.
fn call_text(call: &Call, operations: &[String]) -> String {
    let numbers: Vec<String> = call.takes().map(|value| number(value).to_string()).collect();
    let stored: Vec<Option<u64>> = call
        .arguments
        .iter()
        .map(|argument| match argument {
            Argument::Address(_, stored) => *stored,
            Argument::Number(_) => None,
        })
        .collect();
    let given = match &call.result {
        None => " (has not returned)".to_owned(),
        Some(result) if result.is_empty() && stored.iter().all(Option::is_none) => String::new(),
        Some(result) => format!(" = {}", values(result, &stored)),
    };
    format!("{}({}){given}", operations[call.operation], numbers.join(", "))
}

fn values(result: &[u64], stored: &[Option<u64>]) -> String {
    let values: Vec<String> =
        result.iter().chain(stored.iter().flatten()).map(|&value| number(value).to_string()).collect();
    if values.is_empty() { "nothing".to_owned() } else { values.join(", ") }
}

/// A number of 64 bits, or of 32, with its sign.
fn number(value: u64) -> i64 {
    match u32::try_from(value) {
        Ok(small) => i64::from(small as i32),
        Err(_) => value as i64,
    }
}
