//! Rounds: each thread in turn, by number, runs as far as it can. To run further takes no later thread, and no later round, anything away, so no other schedule has fewer.

use super::interleavings::Interleavings;

/// How many rounds beyond the first it takes. `None`: threads wait for each other.
pub fn least(interleavings: &Interleavings) -> Option<u32> {
    let mut done = interleavings.begin();
    for round in 0.. {
        let before = done.clone();
        for thread in 0..done.len() {
            while interleavings.is_possible(&done, thread) {
                done[thread] += 1;
            }
        }
        if interleavings.is_end(&done) {
            return Some(round);
        }
        if done == before {
            return None;
        }
    }
    None
}
