//! RVWMO by its own words, byte by byte: a global order of all accesses that keeps the preserved program order, and loads that obey the load value axiom.
//! It knows neither relations nor models.

use super::State;
use super::archs::Arch;
use super::programs::{Access, Kind, Program, SIZE, VARIABLES};
use std::collections::BTreeSet;

/// Thread and place of an access in it.
type Id = (usize, usize);

struct Machine<'p> {
    program: &'p Program,
    ids: Vec<Id>,
    /// Pairs that the global order keeps, whatever is read.
    kept: Vec<(Id, Id)>,
}

/// The final states that a program reaches.
pub fn states(program: &Program) -> BTreeSet<State> {
    let threads = program.threads.iter().enumerate();
    let ids: Vec<Id> = threads.flat_map(|(t, thread)| (0..thread.len()).map(move |at| (t, at))).collect();
    let kept = ids.iter().flat_map(|&a| ids.iter().map(move |&b| (a, b))).filter(|&(a, b)| keeps(program, a, b));
    let machine = Machine { program, kept: kept.collect(), ids };
    let mut ends = BTreeSet::new();
    machine.orders(&mut Vec::new(), &mut ends);
    ends
}

fn access(program: &Program, (t, at): Id) -> &Access {
    &program.threads[t][at]
}

fn share(a: &Access, b: &Access) -> bool {
    let places = b.bytes();
    a.bytes().any(|place| places.contains(&place))
}

/// Rules 1 and 4: a later write of a byte that both access, and a fence in between.
fn keeps(program: &Program, a: Id, b: Id) -> bool {
    if a.0 != b.0 || a.1 >= b.1 {
        return false;
    }
    let (first, second) = (access(program, a), access(program, b));
    let is_fenced = program.threads[a.0][a.1..b.1].iter().any(|between| between.kind == Kind::Fence);
    second.writes() && share(first, second) || is_fenced
}

impl Machine<'_> {
    /// Every order, each access once all that has to come before it is there.
    fn orders(&self, order: &mut Vec<Id>, ends: &mut BTreeSet<State>) {
        if order.len() == self.ids.len() {
            ends.extend(self.end(order));
            return;
        }
        for &next in &self.ids {
            let is_ready = !order.contains(&next) && self.kept.iter().all(|&(a, b)| b != next || order.contains(&a));
            if is_ready {
                order.push(next);
                self.orders(order, ends);
                order.pop();
            }
        }
    }

    /// The write that a byte of a load is read from: the latest in the global order of those before it there or in its thread.
    fn source(&self, order: &[Id], load: Id, place: usize) -> Option<Id> {
        let here = order.iter().position(|&id| id == load)?;
        let candidates = order.iter().enumerate().rev();
        let may_be_read = |&(at, &id): &(usize, &Id)| {
            let write = access(self.program, id);
            id != load
                && write.writes()
                && write.bytes().contains(&place)
                && (at < here || id.0 == load.0 && id.1 < load.1)
        };
        candidates.into_iter().find(may_be_read).map(|(_, &id)| id)
    }

    /// The final state, where rules 2 and 3 hold, which depend on what is read.
    fn end(&self, order: &[Id]) -> Option<State> {
        let at = |id: Id| order.iter().position(|&other| other == id);
        let reads = || self.ids.iter().copied().filter(|&id| access(self.program, id).reads());
        let mut state = State::new();
        for b in reads() {
            let load = access(self.program, b);
            let sources: Vec<Option<Id>> = load.bytes().map(|place| self.source(order, b, place)).collect();
            for (place, &source) in load.bytes().zip(&sources) {
                // Rule 3: what an atomic operation of this thread wrote.
                let own_update =
                    source.filter(|w| w.0 == b.0 && w.1 < b.1 && access(self.program, *w).kind == Kind::Exchange);
                if own_update.is_some_and(|w| at(w) > at(b)) {
                    return None;
                }
                // Rule 2: two loads of a byte from different writes, and none of this thread in between.
                let earlier = reads().filter(|a| a.0 == b.0 && a.1 < b.1);
                for a in earlier.filter(|&a| access(self.program, a).bytes().contains(&place)) {
                    let between = self.program.threads[a.0][a.1 + 1..b.1].iter();
                    let is_written = between.into_iter().any(|x| x.writes() && x.bytes().contains(&place));
                    let is_written = is_written || access(self.program, a).writes();
                    if !is_written && self.source(order, a, place) != source && at(a) > at(b) {
                        return None;
                    }
                }
            }
            let value =
                |(place, source): (usize, &Option<Id>)| source.map_or(0, |w| access(self.program, w).byte(place));
            let bytes: Vec<u8> = load.bytes().zip(&sources).map(value).collect();
            state.insert(Arch::RiscV.register(b.0, b.1), Arch::RiscV.number(&bytes));
        }
        let last = |place: usize| {
            let mut writes = order.iter().rev().map(|&id| access(self.program, id));
            writes.find(|w| w.writes() && w.bytes().contains(&place)).map_or(0, |w| w.byte(place))
        };
        for (v, name) in VARIABLES.iter().enumerate() {
            let bytes: Vec<u8> = (v * SIZE..(v + 1) * SIZE).map(last).collect();
            state.insert((*name).to_owned(), Arch::RiscV.number(&bytes));
        }
        Some(state)
    }
}
