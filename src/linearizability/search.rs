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
    /// Those that take values, among each other.
    pub inserts: bool,
    /// Those that take none, among each other.
    pub removes: bool,
}

impl Synchronised {
    /// Whether a call must be seen by one that comes behind it.
    fn demands(self, first: &Call, last: &Call) -> bool {
        let (inserts, also_inserts) = (first.takes().next().is_some(), last.takes().next().is_some());
        let hands_over = || inserts && !also_inserts && first.takes().any(|value| last.gives().any(|v| v == value));
        self.values && hands_over()
            || self.inserts && inserts && also_inserts
            || self.removes && !inserts && !also_inserts
    }
}

/// What is known of a history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// An order explains it: the calls, those that count.
    Linearizable(Vec<usize>),
    /// No order does.
    No(Farthest),
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
    tried: FxHashSet<(Calls, Vec<u8>)>,
    order: Vec<usize>,
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
        order: Vec::new(),
        farthest: Farthest::default(),
    };
    let initial = specification.initial();
    Ok(match search.from(0, &initial)? {
        true => Answer::Linearizable(search.order),
        false => Answer::No(search.farthest),
    })
}

/// The first pair of an order in which a call does not see one that it has to.
pub fn unseen(history: &History, order: &[usize], synchronised: Synchronised) -> Option<(usize, usize)> {
    let pairs = order.iter().enumerate().flat_map(|(at, &last)| order[..at].iter().map(move |&first| (first, last)));
    let is_unseen = |&(first, last): &(usize, usize)| {
        history.sees[last] & 1 << first == 0 && synchronised.demands(&history.calls[first], &history.calls[last])
    };
    pairs.into_iter().find(is_unseen)
}

impl Search<'_> {
    /// Whether the calls that are not placed can follow.
    fn from(&mut self, placed: Calls, state: &State) -> Result<bool, Refusal> {
        if self.returned & !placed == 0 {
            return Ok(true);
        }
        if !self.tried.insert((placed, state.key())) {
            return Ok(false);
        }
        let mut next = Vec::new();
        for call in 0..self.history.calls.len() {
            if placed & 1 << call != 0 || self.history.before[call] & !placed != 0 || self.misses(call, placed) {
                continue;
            }
            let given = &self.history.calls[call];
            let outcomes = self.specification.run(state, given)?;
            for (outcome, behind) in &outcomes {
                if !agrees(given, outcome) {
                    continue;
                }
                self.order.push(call);
                if self.from(placed | 1 << call, behind)? {
                    return Ok(true);
                }
                self.order.pop();
            }
            if given.result.is_some() && !outcomes.iter().any(|(outcome, _)| agrees(given, outcome)) {
                next.push((call, outcomes.into_iter().map(|(outcome, _)| outcome).collect()));
            }
        }
        if self.order.len() > self.farthest.placed.len() || self.farthest.placed.is_empty() && self.order.is_empty() {
            self.farthest = Farthest { placed: self.order.clone(), next };
        }
        Ok(false)
    }

    /// Whether a call does not see one that is placed and that it has to see.
    fn misses(&self, call: usize, placed: Calls) -> bool {
        let calls = &self.history.calls;
        let unseen = placed & !self.history.sees[call];
        (0..calls.len()).any(|first| unseen & 1 << first != 0 && self.synchronised.demands(&calls[first], &calls[call]))
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
