//! Preemptions: the least number over all interleavings, by a search over how far each thread is and which one runs; states with few preemptions come first.
//!
//! A thread runs on at once through steps that no other thread waits for: to be switched away from before such a step costs as much as behind it, or more.

use super::interleavings::{Done, Interleavings};
use rustc_hash::FxHashSet;

/// A thread, and how far all are.
type State = (usize, Done);

/// The least number, if it is not larger than this.
pub fn least(interleavings: &Interleavings, most: u32) -> Option<u32> {
    if !interleavings.exist() {
        return None;
    }
    let begin = interleavings.begin();
    if interleavings.is_end(&begin) {
        return Some(0);
    }
    let threads = begin.len();
    let starts = (0..threads).filter(|&t| interleavings.is_possible(&begin, t));
    let mut now: Vec<State> = starts.map(|t| (t, begin.clone())).collect();
    let mut seen: FxHashSet<State> = FxHashSet::default();
    for preemptions in 0..=most {
        let mut later = Vec::new();
        while let Some((t, mut done)) = now.pop() {
            // It takes at least one step, where it was switched to.
            while interleavings.is_possible(&done, t) && !interleavings.is_waited_for(&done, t) {
                done[t] += 1;
            }
            if !seen.insert((t, done.clone())) {
                continue;
            }
            if interleavings.is_end(&done) {
                return Some(preemptions);
            }
            let others = (0..threads).filter(|&u| u != t && interleavings.is_possible(&done, u));
            let next = if interleavings.goes_on(&done, t) { &mut later } else { &mut now };
            next.extend(others.map(|u| (u, done.clone())));
            if interleavings.is_possible(&done, t) {
                done[t] += 1;
                now.push((t, done));
            }
        }
        now = later;
    }
    None
}
