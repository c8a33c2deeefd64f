//! The search for an order of calls that explains their results.
//!
//! Depth first: the next call is one whose predecessors are all placed, and whose results the specification gives in the state at hand (Wing and Gong 1993). What was tried is
//! remembered by the set of calls that are placed and the state they lead to (Lowe 2017), so that each such pair is tried once: at most `2^n` sets, and mostly few.

use super::history::{Argument, Call, Calls, History};
use super::specification::{Outcome, Refusal, Specification, State};
use rustc_hash::FxHashSet;

/// Which calls must be seen by those that come behind them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Synchronised {
    /// By one that gives a value, the one that took it.
    pub values: bool,
    /// Those that take values and change the state, among each other.
    pub inserts: bool,
    /// Those that take none and change the state, among each other: not one that finds nothing.
    pub removes: bool,
}

impl Synchronised {
    /// Whether a call must be seen by one that comes behind it. `change`: both change the state.
    fn demands(self, first: &Call, last: &Call, change: bool) -> bool {
        let (inserts, also_inserts) = (first.takes().next().is_some(), last.takes().next().is_some());
        let hands_over = || inserts && !also_inserts && first.takes().any(|value| last.gives().any(|v| v == value));
        self.values && hands_over()
            || change && self.inserts && inserts && also_inserts
            || change && self.removes && !inserts && !also_inserts
    }
}

/// What is known of a history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// An order explains it.
    Linearizable(Explanation),
    /// No order does.
    No(Farthest),
}

/// An order that explains a history.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explanation {
    /// The calls that count.
    pub order: Vec<usize>,
    /// Those of them that change the state.
    pub changing: Calls,
}

/// How far a specification gets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Farthest {
    /// The most calls that an order explains.
    pub placed: Vec<usize>,
    /// Each call that could come next, and what it would give.
    pub next: Vec<(usize, Vec<Outcome>)>,
}

struct Search<'a> {
    specification: &'a Specification,
    history: &'a History,
    synchronised: Synchronised,
    returned: Calls,
    /// The calls that are placed, those of them that change the state, and the state.
    tried: FxHashSet<(Calls, Calls, Vec<u8>)>,
    found: Explanation,
    farthest: Farthest,
}

/// Looks for an order of a history's calls that the specification explains.
pub fn search(specification: &Specification, history: &History, synchronised: Synchronised) -> Result<Answer, Refusal> {
    let mut search = Search {
        specification,
        history,
        synchronised,
        returned: history.returned(),
        tried: FxHashSet::default(),
        found: Explanation::default(),
        farthest: Farthest::default(),
    };
    let initial = specification.initial();
    Ok(match search.from(0, &initial)? {
        true => Answer::Linearizable(search.found),
        false => Answer::No(search.farthest),
    })
}

/// The first pair of an order in which a call does not see one that it has to.
pub fn unseen(history: &History, found: &Explanation, synchronised: Synchronised) -> Option<(usize, usize)> {
    let order = &found.order;
    let pairs = order.iter().enumerate().flat_map(|(at, &last)| order[..at].iter().map(move |&first| (first, last)));
    let is_unseen = |&(first, last): &(usize, usize)| {
        let change = [first, last].iter().all(|call| found.changing & 1 << call != 0);
        history.sees[last] & 1 << first == 0
            && synchronised.demands(&history.calls[first], &history.calls[last], change)
    };
    pairs.into_iter().find(is_unseen)
}

impl Search<'_> {
    /// Whether the calls that are not placed can follow.
    fn from(&mut self, placed: Calls, state: &State) -> Result<bool, Refusal> {
        if self.returned & !placed == 0 {
            return Ok(true);
        }
        let key = state.key();
        if !self.tried.insert((placed, self.found.changing, key.clone())) {
            return Ok(false);
        }
        let mut next = Vec::new();
        for call in 0..self.history.calls.len() {
            if placed & 1 << call != 0 || self.history.before[call] & !placed != 0 {
                continue;
            }
            let given = &self.history.calls[call];
            let outcomes = self.specification.run(state, given)?;
            for (outcome, behind) in &outcomes {
                let changes = behind.key() != key;
                if !agrees(given, outcome) || self.misses(call, changes, placed) {
                    continue;
                }
                self.found.order.push(call);
                self.found.changing |= u64::from(changes) << call;
                if self.from(placed | 1 << call, behind)? {
                    return Ok(true);
                }
                self.found.order.pop();
                self.found.changing &= !(1 << call);
            }
            if given.result.is_some() && !outcomes.iter().any(|(outcome, _)| agrees(given, outcome)) {
                next.push((call, outcomes.into_iter().map(|(outcome, _)| outcome).collect()));
            }
        }
        let order = &self.found.order;
        if order.len() > self.farthest.placed.len() || self.farthest.placed.is_empty() && order.is_empty() {
            self.farthest = Farthest { placed: order.clone(), next };
        }
        Ok(false)
    }

    /// Whether a call does not see one that is placed and that it has to see.
    fn misses(&self, call: usize, changes: bool, placed: Calls) -> bool {
        let calls = &self.history.calls;
        let unseen = placed & !self.history.sees[call];
        let demands = |first: usize| {
            let change = changes && self.found.changing & 1 << first != 0;
            self.synchronised.demands(&calls[first], &calls[call], change)
        };
        (0..calls.len()).any(|first| unseen & 1 << first != 0 && demands(first))
    }
}

/// Whether a call has this outcome. One that has not returned may have any.
fn agrees(call: &Call, outcome: &Outcome) -> bool {
    let Some(result) = &call.result else { return true };
    let stored = call.arguments.iter().map(|argument| match argument {
        Argument::Address(_, stored) => *stored,
        Argument::Number(_) => None,
    });
    *result == outcome.result && stored.eq(outcome.stored.iter().copied())
}
