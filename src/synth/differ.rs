//! The smallest tests on which two models differ.

use super::minimal::frame::{Frame, Layout};
use super::minimal::judge::Judge;
use super::minimal::{Outcome, is_allowed};
use super::parallel::{self, bounds};
use super::programs::Bounds;
use super::programs::program::Program;
use super::programs::vocabulary::Vocabulary;
use super::{EVENTS, Progress, Request};
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// A program with an outcome that one of two models allows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Difference {
    /// The program.
    pub program: Program,
    /// The outcomes that only the first model allows, and those that only the second one allows.
    pub only: [Vec<Outcome>; 2],
}

/// The tests of the smallest size at which two models differ, in ascending order; none where they agree up to the size of the request, as far as the search came. The second value is
/// the last size that was searched to the end.
pub fn distinguish(
    judges: [&Judge; 2],
    vocabulary: &Vocabulary,
    request: &Request,
    progress: &Progress,
) -> (Vec<Difference>, usize) {
    for size in 2..=request.size {
        let bounds =
            Bounds { threads: request.threads, addresses: request.addresses.min(EVENTS - size), ..bounds(size) };
        let found: Mutex<Vec<Difference>> = Mutex::default();
        let ended = parallel::each(vocabulary, judges[0], bounds, request.workers, progress, |program| {
            if let Some(difference) = of_program(program, judges, vocabulary) {
                progress.found.fetch_add(1, Ordering::Relaxed);
                found.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(difference);
            }
        });
        let mut found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        found.sort_unstable();
        if !ended {
            return (found, size - 1);
        }
        if !found.is_empty() {
            return (found, size);
        }
    }
    (Vec::new(), request.size)
}

/// The outcomes of a program on which two models differ.
pub fn of_program(program: &Program, judges: [&Judge; 2], vocabulary: &Vocabulary) -> Option<Difference> {
    let layout = Layout::new(program, vocabulary);
    let mut frames = judges.map(|judge| Frame::whole(&layout, vocabulary, judge));
    let mut only = [Vec::new(), Vec::new()];
    each(&layout, &mut |outcome| {
        let [a, b] = [0, 1].map(|i| is_allowed(&layout, &mut frames[i], judges[i], outcome));
        if a != b {
            only[usize::from(b)].push(outcome.clone());
        }
    });
    only.iter().any(|outcomes| !outcomes.is_empty()).then(|| Difference { program: program.clone(), only })
}

/// Calls `see` with every outcome of a program.
pub fn each(layout: &Layout, see: &mut dyn FnMut(&Outcome)) {
    rest(layout, Outcome { sources: Vec::new(), lasts: Vec::new() }, see);
}

/// Calls `see` with every outcome that begins like this one.
fn rest(layout: &Layout, outcome: Outcome, see: &mut dyn FnMut(&Outcome)) {
    let address = outcome.lasts.len();
    if address < layout.addresses {
        for &last in &layout.writes[address] {
            let mut outcome = outcome.clone();
            outcome.lasts.push(Some(last));
            rest(layout, outcome, see);
        }
        return;
    }
    let Some(&read) = layout.reads.get(outcome.sources.len()) else { return see(&outcome) };
    let address = layout.address[read] as usize;
    let writes = layout.writes[address].iter().copied().filter(|&w| w != read);
    for source in writes.chain([layout.initial(address)]) {
        let mut outcome = outcome.clone();
        outcome.sources.push((read, source));
        rest(layout, outcome, see);
    }
}
