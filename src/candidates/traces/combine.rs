//! Puts traces of threads together.

use crate::candidates::enumerate::Budget;
use crate::candidates::traces::{Trace, grounds};
use crate::relation::bits::Bits;
use rustc_hash::FxHashMap;

/// Asking whether so many writes have grounds costs as much as to copy an event.
const WRITES: usize = 4;

/// What is done with one trace of each thread.
type Each<'e, 't> = &'e mut dyn FnMut(&[&'t Trace], &mut Budget<'_>);

/// Looks for one trace of each thread, such that what they need is provided.
pub(super) struct Combining<'t> {
    traces: &'t [Vec<Trace>],
    wanted: Wanted,
    /// What the threads from each on provide, all traces together.
    rest: Vec<Bits>,
    /// The traces of the last thread that provide a value, and all of them.
    of_last: FxHashMap<u32, Vec<&'t Trace>>,
    last: Vec<&'t Trace>,
}

/// Which combinations are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All threads come to their ends.
    Whole,
    /// One fails.
    Failing,
    /// None fails, and one waits.
    Waiting,
}

impl Wanted {
    fn may_have(self, trace: &Trace) -> bool {
        match self {
            Wanted::Whole => trace.is_whole,
            Wanted::Failing => true,
            Wanted::Waiting => !trace.fails && (trace.is_whole || trace.waits),
        }
    }

    fn is_met_by(self, chosen: &Chosen<'_>) -> bool {
        match self {
            Wanted::Whole => !chosen.fails,
            Wanted::Failing => chosen.fails,
            Wanted::Waiting => chosen.waits,
        }
    }
}

/// Traces of the first threads.
#[derive(Clone, Default)]
struct Chosen<'t> {
    traces: Vec<&'t Trace>,
    needs: Bits,
    provides: Bits,
    fails: bool,
    waits: bool,
}

impl<'t> Combining<'t> {
    pub fn new(traces: &'t [Vec<Trace>], wanted: Wanted) -> Self {
        let mut rest = vec![Bits::new()];
        for of_thread in traces.iter().rev() {
            let mut provided = rest.last().cloned().unwrap_or_default();
            of_thread.iter().for_each(|trace| {
                provided.union_with(&trace.provides);
            });
            rest.push(provided);
        }
        rest.reverse();
        let last: Vec<&Trace> = traces.last().into_iter().flatten().collect();
        let mut of_last: FxHashMap<u32, Vec<&Trace>> = FxHashMap::default();
        for &trace in &last {
            trace.provides.iter().for_each(|value| of_last.entry(value).or_default().push(trace));
        }
        Combining { traces, wanted, rest, of_last, last }
    }

    /// Calls `each` with every such combination.
    pub fn each(&self, budget: &mut Budget<'_>, each: Each<'_, 't>) {
        self.go_on(&Chosen::default(), budget, each);
    }

    fn go_on(&self, chosen: &Chosen<'t>, budget: &mut Budget<'_>, each: Each<'_, 't>) {
        let number = chosen.traces.len();
        let Some(traces) = self.traces.get(number) else {
            if self.wanted.is_met_by(chosen) {
                each(&chosen.traces, budget);
            }
            return;
        };
        let missing = chosen.needs.iter().find(|&value| !chosen.provides.contains(value));
        match missing {
            _ if number + 1 < self.traces.len() => self.try_each(chosen, traces.iter(), budget, each),
            None => self.try_each(chosen, self.last.iter().copied(), budget, each),
            Some(value) => {
                let providing = self.of_last.get(&value).into_iter().flatten().copied();
                self.try_each(chosen, providing, budget, each);
            }
        }
    }

    /// Goes on with each of these traces of the next thread.
    fn try_each(
        &self,
        chosen: &Chosen<'t>,
        traces: impl Iterator<Item = &'t Trace>,
        budget: &mut Budget<'_>,
        each: Each<'_, 't>,
    ) {
        let rest = &self.rest[chosen.traces.len() + 1];
        for trace in traces.filter(|trace| self.wanted.may_have(trace)) {
            if !budget.take(1) {
                return;
            }
            let is_provided =
                |value| chosen.provides.contains(value) || trace.provides.contains(value) || rest.contains(value);
            if !chosen.needs.iter().chain(trace.needs.iter()).all(is_provided) {
                continue;
            }
            let mut more = chosen.clone();
            more.traces.push(trace);
            more.needs.union_with(&trace.needs);
            more.provides.union_with(&trace.provides);
            more.fails |= trace.fails;
            more.waits |= trace.waits;
            let writes: usize = more.traces.iter().map(|trace| trace.writes.len()).sum();
            if !budget.take(1 + writes / WRITES) {
                return;
            }
            if grounds::holds(&more.needs, &more.traces, rest) {
                self.go_on(&more, budget, each);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::traces::Made;
    use crate::explore::options::Options;

    fn trace(needs: &[u32], provides: &[u32], fails: bool, is_whole: bool) -> Trace {
        let set = |of: &[u32]| of.iter().copied().collect();
        let writes = provides.iter().map(|&value| Made { value, of: Bits::new() }).collect();
        Trace {
            values: Box::new([]),
            needs: set(needs),
            provides: set(provides),
            writes,
            fails,
            is_whole,
            waits: !fails && !is_whole,
        }
    }

    /// Combinations that are found of traces of three threads, as numbers.
    fn found(traces: &[Vec<Trace>], wanted: Wanted) -> Vec<Vec<usize>> {
        let options = Options::default();
        let (mut budget, mut all) = (Budget::new(1000, true, &options), Vec::new());
        Combining::new(traces, wanted).each(&mut budget, &mut |chosen, _| {
            let numbers = chosen.iter().zip(traces).map(|(&trace, of)| of.iter().position(|t| std::ptr::eq(t, trace)));
            all.push(numbers.map(Option::unwrap).collect());
        });
        all
    }

    #[test]
    fn what_is_needed_is_provided_by_anybody() {
        let traces = [
            vec![trace(&[1], &[2], false, true), trace(&[], &[], false, true)],
            vec![trace(&[2], &[1], false, true), trace(&[7], &[1], false, true)],
            vec![trace(&[], &[], false, true), trace(&[], &[2], false, true), trace(&[2], &[7], false, true)],
        ];
        // A value may be needed by the one that makes it possible.
        let expected = [[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 2], [1, 0, 1]];
        assert_eq!(found(&traces, Wanted::Whole), expected);
    }

    #[test]
    fn threads_wait_only_where_one_fails_or_that_is_wanted() {
        let traces = [
            vec![trace(&[], &[], true, false), trace(&[], &[], false, true)],
            vec![trace(&[], &[], false, false), trace(&[], &[], false, true)],
        ];
        assert_eq!(found(&traces, Wanted::Whole), [[1, 1]]);
        assert_eq!(found(&traces, Wanted::Failing), [[0, 0], [0, 1]]);
        assert_eq!(found(&traces, Wanted::Waiting), [[1, 0]]);
    }

    /// Two threads that each copy what the other one writes; a third one may write it.
    #[test]
    fn nothing_comes_out_of_thin_air() {
        let copies = |from: u32, to: u32| {
            let mut copy = trace(&[from], &[to], false, true);
            copy.writes = [Made { value: to, of: [from].into_iter().collect() }].into();
            copy
        };
        let third = vec![trace(&[], &[], false, true), trace(&[], &[1], false, true)];
        let traces = [vec![copies(1, 2)], vec![copies(2, 1)], third];
        assert_eq!(found(&traces, Wanted::Whole), [[0, 0, 1]]);
    }
}
