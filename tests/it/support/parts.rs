//! Searches in parts within a process: in slices, in an order that has nothing to do with theirs.

use super::random::Rng;
use super::*;
use hmc::explore::parallel::divide::{Dividable, Divider, Item, ROOT, Slice};
use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Does searches in slices of so many events.
#[derive(Debug)]
pub struct Shuffled {
    events: u64,
    probe: u64,
    seed: Mutex<u64>,
    /// Parts that were searched.
    pub parts: AtomicUsize,
    /// Searches that were done as a whole, because a part was none.
    pub whole: AtomicUsize,
}

impl Shuffled {
    pub fn new(events: u64, probe: u64, seed: u64) -> Arc<Shuffled> {
        let (parts, whole) = Default::default();
        Arc::new(Shuffled { events, probe, seed: Mutex::new(seed | 1), parts, whole })
    }

    fn in_parts(&self, search: &mut dyn Dividable) -> Option<()> {
        let mut rng = Rng(*self.seed.lock().expect("unharmed"));
        let slice = Slice { events: self.events, ends: &|_| false, probe: self.probe, hurries: &|| false };
        let (mut done, mut names): (HashMap<String, Vec<Item>>, HashSet<u128>) = Default::default();
        let mut waiting = vec![ROOT.to_owned()];
        while !waiting.is_empty() {
            let place = waiting.swap_remove(rng.below(waiting.len() as u64) as usize);
            let searched = search.search(&place, &slice).ok()?;
            self.parts.fetch_add(1, Ordering::Relaxed);
            for item in &searched.items {
                if let Item::Left(place) = item {
                    waiting.push(place.clone());
                }
            }
            if !searched.names.into_iter().all(|name| names.insert(name)) {
                return None;
            }
            assert!(done.insert(place, searched.items).is_none(), "a part is left by two others");
        }
        let mut next = vec![Item::Left(ROOT.to_owned())];
        while let Some(item) = next.pop() {
            match item {
                Item::Left(place) => next.extend(done.remove(&place).expect("searched").into_iter().rev()),
                Item::Seen(seen) => {
                    if search.take(&seen).expect("fits") == Go::Stop {
                        break;
                    }
                }
            }
        }
        Some(())
    }
}

impl Divider for Shuffled {
    fn conduct(&self, search: &mut dyn Dividable) -> bool {
        if search.whole().is_some() || self.in_parts(search).is_none() {
            self.whole.fetch_add(1, Ordering::Relaxed);
            search.forget();
            let seen = search.search_whole(&Arc::default()).expect("not interrupted");
            search.take(&seen).expect("fits");
        }
        true
    }

    fn left(&self) -> Option<&'static str> {
        None
    }
}

/// Panics unless a search in parts sees what one search sees, in the same order, and counts the same. How many parts there were, and how many searches had to be done as a whole.
pub fn same_in_parts(program: &Program, plan: &Arc<Plan>, options: &Options, seed: u64, what: &str) -> [usize; 2] {
    let mut all = [0, 0];
    let now_and_then: fn(&str) -> bool =
        |text| text.bytes().fold(7u32, |h, b| h.wrapping_mul(31) ^ u32::from(b)) % 16 == 0;
    for stops in [now_and_then, (|_| false) as fn(&str) -> bool] {
        let mut by_one = Listed::new(stops);
        let counted = counts(explore(program, plan, options, &mut by_one));
        for (events, probe) in [(1, 0), (7, 0), (100, 5), (10_000, 300)] {
            let divider = Shuffled::new(events, probe, seed ^ events);
            let divided = Options { divider: Some(divider.clone()), ..options.clone() };
            let mut in_parts = Listed::new(stops);
            let statistics = counts(explore_shared(program, plan, &divided, &mut in_parts));
            assert_eq!(counted, statistics, "{what}: in slices of {events} something else is counted");
            let anew = statistics.recurs;
            assert!(anew || by_one.seen == in_parts.seen, "{what}: in slices of {events} something else is seen");
            all[0] += divider.parts.load(Ordering::Relaxed);
            all[1] += divider.whole.load(Ordering::Relaxed);
        }
    }
    all
}

/// The same of a program whose events are known beforehand, if it is one.
pub fn same_fixed_in_parts(program: &Program, plan: &Arc<Plan>, seed: u64, what: &str) -> Option<usize> {
    let options = Options::default();
    let shape = straightline::shape(program, &options)?;
    let mut by_one = Listed::new(|_| false);
    let counted = straightline::explore(program, &shape, plan, &options, &mut by_one);
    let mut parts = 0;
    for (events, probe) in [(1, 0), (7, 0), (100, 5)] {
        let divider = Shuffled::new(events, probe, seed ^ events);
        let divided = Options { divider: Some(divider.clone()), ..options.clone() };
        let mut in_parts = Listed::new(|_| false);
        let statistics = straightline::explore_shared(program, &shape, plan, &divided, &mut in_parts);
        assert_eq!(counted, statistics, "{what}: in slices of {events} something else is counted");
        assert!(
            counted.is_none() || by_one.seen == in_parts.seen,
            "{what}: in slices of {events} something else is seen"
        );
        parts += divider.parts.load(Ordering::Relaxed);
    }
    counted.map(|_| parts)
}

/// What a search that was stopped looked up counts for nothing, and nothing does where it has to begin anew.
fn counts(s: Statistics) -> Statistics {
    match s.stopped {
        _ if s.recurs => Statistics { recurs: true, ..Statistics::default() },
        true => Statistics { circular: false, unproved: false, revisitable: 0, ..s },
        false => s,
    }
}
