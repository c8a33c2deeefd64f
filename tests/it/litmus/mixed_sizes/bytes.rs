//! A plain evaluator: an event a byte, every source and every order of each byte, judged by the plain evaluator of models. It knows no cuts and no
//! sizes, and it counts what it accepts.

use super::State;
use super::archs::Arch;
use super::programs::{Kind, Program, SIZE, VARIABLES};
use hmc::algebra::{Model, naive, places};
use hmc::relation::candidate::{Candidate, Relation};
use std::collections::BTreeSet;

/// Programs with more candidates are left out.
pub const MOST: u64 = 4_000;

/// An event.
#[derive(Clone, Copy, Debug)]
struct Byte {
    /// Thread and place in it; nothing for initial writes.
    access: Option<(usize, usize)>,
    /// Nothing for fences.
    place: Option<usize>,
    writes: bool,
    value: u8,
}

/// The final states that a model allows, and how many executions have them. `None`: there are too many candidates.
pub fn executions(program: &Program, arch: Arch, model: &Model, most: u64) -> Option<(BTreeSet<State>, Option<u64>)> {
    let model = places::over_parts(model, places::names_parts(model));
    let initial = (0..2 * SIZE).map(|place| Byte { access: None, place: Some(place), writes: true, value: 0 });
    let mut events: Vec<Byte> = initial.collect();
    for (t, thread) in program.threads.iter().enumerate() {
        for (at, access) in thread.iter().enumerate() {
            let access_of = Some((t, at));
            if access.kind == Kind::Fence {
                events.push(Byte { access: access_of, place: None, writes: false, value: 0 });
            }
            if access.reads() {
                events.extend(access.bytes().map(|place| Byte {
                    access: access_of,
                    place: Some(place),
                    writes: false,
                    value: 0,
                }));
            }
            if access.writes() {
                events.extend(access.bytes().map(|place| Byte {
                    access: access_of,
                    place: Some(place),
                    writes: true,
                    value: access.byte(place),
                }));
            }
        }
    }
    let writes = |place: usize| -> Vec<usize> {
        (0..events.len()).filter(|&e| events[e].writes && events[e].place == Some(place)).collect()
    };
    let reads: Vec<usize> = (0..events.len()).filter(|&e| !events[e].writes && events[e].place.is_some()).collect();
    let orders: Vec<Vec<Vec<usize>>> = (0..2 * SIZE).map(|place| permutations(&writes(place))).collect();
    let sources: Vec<Vec<usize>> = reads.iter().map(|&r| writes(events[r].place.unwrap_or(0))).collect();
    let sizes: Vec<usize> = orders.iter().map(Vec::len).chain(sources.iter().map(Vec::len)).collect();
    let all = sizes.iter().try_fold(1u64, |all, &n| all.checked_mul(n as u64)).filter(|&all| all <= most)?;
    let fixed = fixed(program, arch, &events);
    let (mut states, mut count) = (BTreeSet::new(), 0);
    for number in 0..all {
        let mut left = number;
        let mut choice = |n: usize| {
            let chosen = left % n as u64;
            left /= n as u64;
            chosen as usize
        };
        let mut candidate = fixed.clone();
        let mut last = [0; 2 * SIZE];
        let (mut rf, mut co) = (Relation::new(), Relation::new());
        for (place, orders) in orders.iter().enumerate() {
            let order = &orders[choice(orders.len())];
            last[place] = order.last().map_or(0, |&w| events[w].value);
            for (i, &first) in order.iter().enumerate() {
                co.extend(order[i + 1..].iter().map(|&second| (first as u32, second as u32)));
            }
        }
        let read: Vec<(usize, usize)> =
            reads.iter().zip(&sources).map(|(&r, sources)| (r, sources[choice(sources.len())])).collect();
        rf.extend(read.iter().map(|&(r, w)| (w as u32, r as u32)));
        candidate.relations.insert("rf".into(), rf);
        candidate.relations.insert("co".into(), co);
        if naive::judge(&model, &candidate).violated.is_empty() {
            count += 1;
            states.insert(state(program, arch, &events, &read, &last));
        }
    }
    Some((states, Some(count)))
}

/// All orders of some writes that begin with the initial one.
fn permutations(writes: &[usize]) -> Vec<Vec<usize>> {
    let Some((&first, rest)) = writes.split_first() else { return vec![Vec::new()] };
    let mut all = vec![vec![first]];
    for &write in rest {
        all = all
            .into_iter()
            .flat_map(|order| {
                (1..=order.len()).map(move |at| {
                    let mut longer = order.clone();
                    longer.insert(at, write);
                    longer
                })
            })
            .collect();
    }
    all
}

/// What does not depend on sources and orders.
fn fixed(program: &Program, arch: Arch, events: &[Byte]) -> Candidate {
    let mut candidate = Candidate::default();
    let number = |e: usize| e as u32;
    for (e, byte) in events.iter().enumerate() {
        candidate.universe.insert(number(e));
        let kinds: &[&str] = match (byte.place, byte.writes, byte.access) {
            (None, ..) => &["F"],
            (_, true, None) => &["M", "Exp", "W", "IW"],
            (_, true, _) => &["M", "W"],
            (_, false, _) => &["M", "R"],
        };
        let tags = byte.access.map_or(&[][..], |(t, at)| arch.tags(&program.threads[t][at], byte.writes));
        for name in kinds.iter().chain(tags) {
            candidate.sets.entry((*name).into()).or_default().insert(number(e));
        }
    }
    for (a, x) in events.iter().enumerate() {
        for (b, y) in events.iter().enumerate() {
            let mut put = |name: &str| {
                candidate.relations.entry(name.into()).or_default().insert((number(a), number(b)));
            };
            match (x.access, y.access) {
                (Some((t, i)), Some((u, j))) if t == u => {
                    put("int");
                    let is_update = i == j && !x.writes && y.writes;
                    if i < j || is_update {
                        put("po");
                    }
                    if is_update && x.place == y.place {
                        put("rmw");
                        put("amo");
                    }
                    if i == j {
                        put("same-instance");
                        if program.threads[t][i].kind != Kind::Fence && x.writes == y.writes {
                            [places::PARTS, places::PARTS_IN_MEMORY].into_iter().for_each(&mut put);
                        }
                    }
                }
                (None, None) if a == b => [places::PARTS, places::PARTS_IN_MEMORY].into_iter().for_each(&mut put),
                (None, None) => {}
                _ => put("ext"),
            }
            if x.place.is_some() && x.place == y.place {
                put("loc");
            }
        }
    }
    candidate
}

fn state(program: &Program, arch: Arch, events: &[Byte], read: &[(usize, usize)], last: &[u8; 2 * SIZE]) -> State {
    let mut state = State::new();
    for (t, thread) in program.threads.iter().enumerate() {
        for (at, access) in thread.iter().enumerate().filter(|(_, access)| access.reads()) {
            let byte = |place: usize| {
                let is_this = |r: usize| events[r].access == Some((t, at)) && events[r].place == Some(place);
                read.iter().find(|(r, _)| is_this(*r)).map_or(0, |&(_, w)| events[w].value)
            };
            let bytes: Vec<u8> = access.bytes().map(byte).collect();
            state.insert(arch.register(t, at), arch.number(&bytes));
        }
    }
    for (v, name) in VARIABLES.iter().enumerate() {
        state.insert((*name).to_owned(), arch.number(&last[v * SIZE..(v + 1) * SIZE]));
    }
    state
}
