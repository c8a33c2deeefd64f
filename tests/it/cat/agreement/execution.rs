//! Random executions: well formed as to threads, locations, reads-from and coherence; tags and dependencies at random.

use hmc::algebra::Sort;
use hmc::cat::Loaded;
use hmc::relation::candidate::{Candidate, EventSet, Relation};

/// A source of numbers from a list of them.
pub struct Dice<'d>(pub &'d [u32], pub usize);

impl Dice<'_> {
    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        // The list goes round and is shifted each time, so that a short list lasts long.
        self.1 += 1;
        let (round, at) = (self.1 / self.0.len(), self.1 % self.0.len());
        let mixed = (self.0[at] as usize).wrapping_add(round.wrapping_mul(0x9e37_79b9)).wrapping_mul(round * 2 + 1);
        (mixed >> (round % 7)) % sides.max(1)
    }
}

/// An execution for a model; with lock events when `locks`.
pub fn execution(dice: &mut Dice<'_>, loaded: &Loaded, locks: bool) -> Candidate {
    let (locations, threads) = (1 + dice.roll(2) as u32, 2 + dice.roll(2) as u32);
    let length = locations + 3 + dice.roll(5) as u32;
    let mut c = Candidate { universe: (0..length).collect(), ..Candidate::default() };
    // (thread, location, kind): initial writes are threads of their own, fences have no location.
    let events: Vec<(u32, Option<u32>, &str)> = (0..length)
        .map(|e| {
            if e < locations {
                return (threads + e, Some(e), "W");
            }
            let kind = ["R", "W", "R", "W", "F", "LKR", "LKW", "UL", "LF", "RU"][dice.roll(if locks { 10 } else { 5 })];
            (dice.roll(threads as usize) as u32, (kind != "F").then(|| dice.roll(locations as usize) as u32), kind)
        })
        .collect();
    let of = |e: u32| events[e as usize];
    let kind = |k: &str| (0..length).filter(|e| of(*e).2 == k).collect::<EventSet>();
    for name in ["R", "W", "F", "LKR", "LKW", "UL", "LF", "RU"] {
        c.sets.insert(name.into(), kind(name));
    }
    c.sets.insert("M".into(), &kind("R") | &kind("W"));
    c.sets.insert("IW".into(), (0..locations).collect());
    let all: Vec<(u32, u32)> = (0..length).flat_map(|a| (0..length).map(move |b| (a, b))).collect();
    let rel = |keep: &dyn Fn(u32, u32) -> bool| all.iter().copied().filter(|(a, b)| keep(*a, *b)).collect::<Relation>();
    c.locations = (0..length).filter_map(|e| Some((e, of(e).1?))).collect();
    c.relations.insert("po".into(), rel(&|a, b| a < b && of(a).0 == of(b).0));
    c.relations.insert("int".into(), rel(&|a, b| of(a).0 == of(b).0 && of(a).0 < threads));
    c.relations.insert("ext".into(), rel(&|a, b| of(a).0 != of(b).0 && (of(a).0 < threads || of(b).0 < threads)));
    c.relations.insert("loc".into(), rel(&|a, b| of(a).1.is_some() && of(a).1 == of(b).1));
    // Coherence: a random order of the writes of each location, the initial one first.
    let writes = |l: u32| (0..length).filter(move |e| of(*e).1 == Some(l) && ["W", "LKW", "UL"].contains(&of(*e).2));
    let (mut co, mut last) = (Relation::new(), EventSet::new());
    for l in 0..locations {
        let mut order: Vec<u32> = vec![l];
        for w in writes(l).filter(|w| *w >= locations) {
            order.insert(1 + dice.roll(order.len()), w);
        }
        for (i, a) in order.iter().enumerate() {
            co.extend(order[i + 1..].iter().map(|b| (*a, *b)));
        }
        last.extend(order.last());
    }
    c.relations.insert("co".into(), co);
    c.sets.insert("FW".into(), &last & &kind("W"));
    for (name, kinds) in [("rf", &["R"][..]), ("rf-lock", &["LKR", "LF", "RU"][..])] {
        let edges = (0..length).filter(|e| kinds.contains(&of(*e).2)).filter_map(|e| {
            let sources: Vec<u32> = writes(of(e).1?).collect();
            Some((sources[dice.roll(sources.len())], e))
        });
        c.relations.insert(name.into(), edges.collect());
    }
    let po: Vec<(u32, u32)> = c.relations["po"].iter().copied().collect();
    for name in ["addr", "data", "ctrl", "amo", "lxsx", "thread-sync"] {
        let edges = po.iter().copied().filter(|_| dice.roll(4) == 0).collect();
        c.relations.insert(name.into(), edges);
    }
    c.relations.insert("si".into(), rel(&|a, b| a == b && of(a).1.is_some()));
    c.values = (0..length).map(|e| (e, dice.roll(3) as u64)).collect();
    for base in loaded.model.pool.bases() {
        if base.sort == Sort::Set && !c.sets.contains_key(&base.name) {
            let events = c.universe.iter().copied().filter(|_| dice.roll(3) == 0).collect();
            c.sets.insert(base.name.clone(), events);
        }
    }
    c
}
