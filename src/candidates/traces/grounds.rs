//! Which values can be written, if none comes out of thin air.
//!
//! A write is made of what it depends on. Whatever its value needs has been written before, in an order that has no cycles; so a value has *grounds*: some write of it is made of values that have. And
//! the writes on a way from what was there at first to a value are different ones. A value that needs more writes of some location on such a way than all threads have together is none of any
//! execution: a counter that three threads increment once each does not get to four.
//!
//! Both are necessary, not sufficient: which write is read is not asked.

use crate::candidates::traces::Trace;
use crate::ids::LocId;
use crate::relation::bits::Bits;
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether what is needed has grounds in these traces, where the rest is taken for granted.
pub(super) fn holds(needs: &Bits, traces: &[&Trace], rest: &Bits) -> bool {
    let mut known = rest.clone();
    loop {
        let mut grown = false;
        for made in traces.iter().flat_map(|trace| &trace.writes) {
            if !known.contains(made.value) && made.of.iter().all(|value| known.contains(value)) {
                known.insert(made.value);
                grown = true;
            }
        }
        if !grown {
            return needs.iter().all(|value| known.contains(value));
        }
    }
}

/// The values that can be written, of traces one of each thread.
pub(super) fn possible(traces: &[Vec<Trace>], numbers: &FxHashMap<(LocId, u64), u32>) -> Bits {
    let mut locs: Vec<LocId> = numbers.keys().map(|&(loc, _)| loc).collect();
    locs.sort_unstable();
    locs.dedup();
    let place = |loc: &LocId| locs.binary_search(loc).unwrap_or(0);
    let mut loc_of = vec![0; numbers.len()];
    numbers.iter().for_each(|((loc, _), &number)| loc_of[number as usize] = place(loc));
    let most = most_writes(traces, &loc_of, locs.len());
    let all: FxHashSet<_> = traces.iter().flatten().flat_map(|trace| &trace.writes).collect();
    // Of each value, how many writes of each location stand on the longest way to it, at least.
    let mut least: Vec<Option<Box<[u32]>>> = vec![None; numbers.len()];
    loop {
        let mut changed = false;
        for made in &all {
            let Some(mut way) = longest(&least, &made.of, locs.len()) else { continue };
            let value = made.value as usize;
            way[loc_of[value]] += 1;
            match &mut least[value] {
                Some(known) => {
                    for (known, new) in known.iter_mut().zip(&way) {
                        changed |= new < known;
                        *known = (*known).min(*new);
                    }
                }
                none => {
                    *none = Some(way);
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    let is_short = |way: &[u32]| way.iter().zip(&most).all(|(needed, most)| needed <= most);
    let values = least.iter().enumerate().filter(|(_, way)| way.as_deref().is_some_and(is_short));
    values.map(|(number, _)| number as u32).collect()
}

/// How many writes of each location traces have, one of each thread, at most.
fn most_writes(traces: &[Vec<Trace>], loc_of: &[usize], locs: usize) -> Vec<u32> {
    let mut most = vec![0; locs];
    for of_thread in traces {
        let mut of_one = vec![0; locs];
        for trace in of_thread {
            let mut count = vec![0; locs];
            trace.writes.iter().for_each(|made| count[loc_of[made.value as usize]] += 1);
            of_one.iter_mut().zip(&count).for_each(|(most, &count)| *most = count.max(*most));
        }
        most.iter_mut().zip(&of_one).for_each(|(all, &one)| *all += one);
    }
    most
}

/// How many writes of each location stand on the longest ways to these values. `None`: one has no grounds yet.
fn longest(least: &[Option<Box<[u32]>>], values: &Bits, locs: usize) -> Option<Box<[u32]>> {
    let mut way = vec![0; locs].into_boxed_slice();
    for value in values.iter() {
        let known = least[value as usize].as_ref()?;
        way.iter_mut().zip(known).for_each(|(most, &one)| *most = one.max(*most));
    }
    Some(way)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::traces::Made;

    /// A trace with writes of values, each made of others.
    fn trace(needs: &[u32], writes: &[(u32, &[u32])]) -> Trace {
        let set = |of: &[u32]| of.iter().copied().collect::<Bits>();
        let provides = writes.iter().map(|&(value, _)| value).collect();
        let writes = writes.iter().map(|&(value, of)| Made { value, of: set(of) }).collect();
        Trace { values: Box::new([]), needs: set(needs), provides, writes, fails: false, is_whole: true, waits: false }
    }

    #[test]
    fn values_that_are_made_of_each_other_have_no_grounds() {
        let (one, other) = (trace(&[1], &[(0, &[1])]), trace(&[0], &[(1, &[0])]));
        let needs: Bits = [0, 1].into_iter().collect();
        assert!(!holds(&needs, &[&one, &other], &Bits::new()));
        // One of them is written for no reason, or may be by somebody else.
        let free = trace(&[], &[(1, &[])]);
        assert!(holds(&needs, &[&one, &other, &free], &Bits::new()));
        assert!(holds(&needs, &[&one, &other], &[1].into_iter().collect()));
        // That a write is there only for what is read is not what it is made of.
        let decided = trace(&[0], &[(1, &[])]);
        assert!(holds(&needs, &[&one, &decided], &Bits::new()));
    }

    /// A counter, of which value `n` has number `n - 1`, and a flag that is set to 9 by who has read a three.
    #[test]
    fn counters_go_no_further_than_there_are_writes() {
        let (x, y) = (LocId::at(0), LocId::at(1));
        let numbers = (1..=4).map(|n| ((x, n), n as u32 - 1)).chain([((y, 9), 4)]).collect();
        let counts = |from: u32| trace(&[from - 1], &[(from, &[from - 1])]);
        let of_each = || vec![trace(&[], &[(0, &[])]), counts(1), counts(2), counts(3)];
        let flag = || vec![trace(&[2], &[(4, &[2])])];
        let set = |of: &[u32]| of.iter().copied().collect::<Bits>();
        assert_eq!(possible(&[of_each(), of_each(), flag()], &numbers), set(&[0, 1]));
        // One of the threads may write twice.
        let twice = trace(&[], &[(0, &[]), (1, &[0])]);
        assert_eq!(possible(&[vec![twice], of_each(), flag()], &numbers), set(&[0, 1, 2, 4]));
    }
}
