//! Random histories of a session, mirrored on plain candidates; and whole executions that grow in a random order.

use super::generate::{RELS, Rng, SETS};
use hmc::algebra::Sort;
use hmc::kernel::plan::Plan;
use hmc::kernel::session::Session;
use hmc::relation::bits::Bits;
use hmc::relation::candidate::Candidate;

/// Which row numbers are used.
#[derive(Clone, Copy)]
pub struct Rows {
    pub first: u32,
    pub span: usize,
}

/// One call, or a few that belong together.
#[derive(Clone, Debug)]
pub enum Step {
    Push,
    Pop,
    Reset,
    /// Undoes everything since the push of this frame, to be done again, and opens another frame.
    SetAside(usize),
    PutBack,
    /// An event with memberships, edges to and from existing events, and a value.
    Event {
        row: u32,
        sets: Vec<&'static str>,
        to: Vec<(&'static str, Vec<u32>)>,
        from: Vec<(&'static str, Vec<u32>)>,
        value: Option<u64>,
    },
    /// An edge between existing events.
    Edge(&'static str, u32, u32),
    /// A late membership.
    Member(&'static str, u32),
}

/// What a session should know.
pub struct Mirror {
    /// Now, and before each frame that is open.
    stack: Vec<Candidate>,
    /// What was set aside, with the frame from which on.
    aside: Vec<(usize, Vec<Candidate>)>,
}

impl Mirror {
    pub fn new() -> Mirror {
        Mirror { stack: vec![Candidate::default()], aside: Vec::new() }
    }

    pub fn now(&self) -> &Candidate {
        &self.stack[self.stack.len() - 1]
    }

    /// The step that takes back the last changes.
    pub fn undo(&self) -> Step {
        // The frame that was opened right after something was set aside goes with what is put back.
        match self.aside.last() {
            Some(&(frame, _)) if self.stack.len() == frame + 2 => Step::PutBack,
            _ if self.stack.len() > 1 => Step::Pop,
            _ => Step::Reset,
        }
    }
}

fn some(rng: &mut Rng, events: &[u32]) -> Vec<u32> {
    let percent = [0, 15, 40, 90][rng.below(4)];
    events.iter().copied().filter(|_| rng.chance(percent)).collect()
}

/// A step that makes sense now.
pub fn step(rng: &mut Rng, mirror: &Mirror, rows: Rows) -> Step {
    let now = mirror.now();
    let events: Vec<u32> = now.universe.iter().copied().collect();
    match rng.below(20) {
        0..=3 => return Step::Push,
        4..=6 if mirror.stack.len() > 1 => {
            let lowest = mirror.aside.last().map_or(0, |(frame, _)| frame + 1);
            let open = mirror.stack.len() - 1 - lowest;
            return match rng.chance(25) && open > 0 {
                true => Step::SetAside(lowest + rng.below(open)),
                false => mirror.undo(),
            };
        }
        7 if rng.chance(20) => return Step::Reset,
        8 if !events.is_empty() => {
            return Step::Edge(RELS[rng.below(4)], events[rng.below(events.len())], events[rng.below(events.len())]);
        }
        9 if !events.is_empty() => return Step::Member(SETS[rng.below(3)], events[rng.below(events.len())]),
        _ => {}
    }
    let row = if rng.chance(10) {
        rng.below(rows.first as usize + 1) as u32
    } else {
        rows.first + rng.below(rows.span) as u32
    };
    if now.universe.contains(&row) {
        return Step::Push;
    }
    let sets = SETS.into_iter().filter(|_| rng.chance(40)).collect();
    let mut around = events.clone();
    let from = RELS.into_iter().filter(|_| rng.chance(50)).collect::<Vec<_>>();
    let from = from.into_iter().map(|name| (name, some(rng, &around))).collect();
    if rng.chance(10) {
        around.push(row);
    }
    let to = RELS.into_iter().filter(|_| rng.chance(25)).collect::<Vec<_>>();
    let to = to.into_iter().map(|name| (name, some(rng, &around))).collect();
    let value = rng.chance(70).then(|| rng.below(3) as u64);
    Step::Event { row, sets, to, from, value }
}

/// Performs a step on both sides; `absent` names stay empty.
pub fn apply(step: &Step, plan: &Plan, session: &mut Session, mirror: &mut Mirror, absent: &[&str]) {
    let Mirror { stack, aside } = mirror;
    let input = |name: &str, sort: Sort| plan.inputs().iter().position(|i| i.name == name && i.sort == sort);
    let bits = |events: &[u32]| events.iter().copied().collect::<Bits>();
    let there = |name: &str| !absent.contains(&name);
    let top = stack.len() - 1;
    match step {
        Step::Push => {
            session.push();
            stack.push(stack[top].clone());
        }
        Step::Pop => {
            session.pop();
            stack.pop();
        }
        Step::Reset => {
            session.reset();
            *mirror = Mirror::new();
        }
        Step::SetAside(frame) => {
            assert!(session.set_aside(*frame));
            session.push();
            aside.push((*frame, stack.split_off(frame + 1)));
            stack.push(stack[*frame].clone());
        }
        Step::PutBack => {
            session.put_back();
            if let Some((frame, rest)) = aside.pop() {
                stack.truncate(frame + 1);
                stack.extend(rest);
            }
        }
        Step::Edge(name, x, y) => {
            if there(name) {
                stack[top].relations.entry(name.to_string()).or_default().insert((*x, *y));
                if let Some(input) = input(name, Sort::Rel) {
                    session.add_row(input, *x, bits(&[*y]).words());
                }
            }
        }
        Step::Member(name, x) => {
            if there(name) {
                stack[top].sets.entry(name.to_string()).or_default().insert(*x);
                if let Some(input) = input(name, Sort::Set) {
                    session.add_to_set(input, *x);
                }
            }
        }
        Step::Event { row, sets, to, from, value } => {
            session.add_event(*row);
            stack[top].universe.insert(*row);
            for name in sets.iter().filter(|name| there(name)) {
                stack[top].sets.entry(name.to_string()).or_default().insert(*row);
                if let Some(input) = input(name, Sort::Set) {
                    session.add_to_set(input, *row);
                }
            }
            for (name, targets) in to.iter().filter(|(name, _)| there(name)) {
                stack[top].relations.entry(name.to_string()).or_default().extend(targets.iter().map(|y| (*row, *y)));
                if let Some(input) = input(name, Sort::Rel) {
                    session.add_row(input, *row, bits(targets).words());
                }
            }
            for (name, sources) in from.iter().filter(|(name, _)| there(name)) {
                stack[top].relations.entry(name.to_string()).or_default().extend(sources.iter().map(|x| (*x, *row)));
                if let Some(input) = input(name, Sort::Rel) {
                    session.add_column(input, bits(sources).words(), *row);
                }
            }
            if let Some(value) = value {
                stack[top].values.insert(*row, *value);
                session.set_value(*row, *value);
            }
        }
    }
}

/// A random execution with a genuine program order (threads of events), and an order in which to grow it: any order with
/// `holes`, else one in which no event comes after a po-later one.
pub fn execution(rng: &mut Rng, holes: bool) -> (Candidate, Vec<u32>) {
    let n = 2 + rng.below(6) as u32;
    let mut c = Candidate { universe: (0..n).collect(), ..Candidate::default() };
    let threads: Vec<usize> = (0..n).map(|_| rng.below(3)).collect();
    for name in SETS {
        let members = (0..n).filter(|_| rng.chance(45)).collect();
        c.sets.insert(name.into(), members);
    }
    for name in RELS {
        let percent = [10, 25, 50][rng.below(3)];
        let mut pairs = std::collections::BTreeSet::new();
        for x in 0..n {
            for y in 0..n {
                let edge = if name == "po" {
                    x < y && threads[x as usize] == threads[y as usize]
                } else {
                    rng.chance(percent)
                };
                if edge {
                    pairs.insert((x, y));
                }
            }
        }
        c.relations.insert(name.into(), pairs);
    }
    c.values = (0..n).map(|x| (x, rng.below(2) as u64)).collect();
    let mut order: Vec<u32> = (0..n).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, rng.below(i + 1));
    }
    if !holes {
        // Within each thread, ascending.
        for thread in 0..3 {
            let places: Vec<usize> = (0..order.len()).filter(|&i| threads[order[i] as usize] == thread).collect();
            let mut events: Vec<u32> = places.iter().map(|&i| order[i]).collect();
            events.sort_unstable();
            places.into_iter().zip(events).for_each(|(i, e)| order[i] = e);
        }
    }
    (c, order)
}

/// The part of an execution over some of its events.
pub fn restrict(whole: &Candidate, events: &[u32]) -> Candidate {
    let inside = |x: &u32| events.contains(x);
    Candidate {
        universe: whole.universe.iter().copied().filter(inside).collect(),
        sets: whole.sets.iter().map(|(n, s)| (n.clone(), s.iter().copied().filter(inside).collect())).collect(),
        relations: whole
            .relations
            .iter()
            .map(|(n, r)| (n.clone(), r.iter().copied().filter(|(x, y)| inside(x) && inside(y)).collect()))
            .collect(),
        values: whole.values.iter().filter(|(x, _)| inside(x)).map(|(x, v)| (*x, *v)).collect(),
        ..Candidate::default()
    }
}
