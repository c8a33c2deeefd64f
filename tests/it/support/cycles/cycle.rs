//! Random cycles through accesses.

use super::Rng;

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    Read,
    Write,
    /// Both, in one atomic step.
    Update,
}

/// How an access is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Means {
    Instruction,
    /// An exclusive pair that may fail.
    Once,
    /// An exclusive pair in a loop that goes round until it succeeds.
    Retried,
    /// An exchange, or an addition.
    Atomic,
    /// A compare-and-swap.
    Compare,
}

/// How strong an access is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    Plain,
    Relaxed,
    Acquire,
    /// The weaker acquire of AArch64.
    AcquirePc,
    Release,
    /// Acquire and release.
    Both,
    /// Sequentially consistent.
    Total,
}

/// What leads from the last read of the thread to an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dependency {
    Address,
    Data,
    Control,
}

pub struct Access {
    pub action: Action,
    pub location: usize,
    pub means: Means,
    pub order: Order,
    /// What is read where the outcome goes around the cycle.
    pub found: u32,
    /// What is written.
    pub written: u32,
    /// Whether an update computes what it writes from what it reads.
    pub increments: bool,
    pub dependency: Option<Dependency>,
    /// The fence before the access, by its number.
    pub fence: Option<usize>,
}

pub struct Cycle {
    pub threads: Vec<Vec<Access>>,
    pub locations: usize,
    /// What each location holds in the end of the outcome that goes around the cycle.
    pub last: Vec<u32>,
}

impl Cycle {
    pub fn accesses(&self) -> impl Iterator<Item = &Access> {
        self.threads.iter().flatten()
    }

    /// The cycle in the words of the field's generators.
    pub fn name(&self) -> String {
        let mut edges = Vec::new();
        for (t, thread) in self.threads.iter().enumerate() {
            for pair in thread.windows(2) {
                let how = match (pair[1].dependency, pair[1].fence) {
                    (Some(dependency), Some(fence)) => format!("{dependency:?}Fence{fence}"),
                    (Some(dependency), None) => format!("{dependency:?}"),
                    (None, Some(fence)) => format!("Fence{fence}"),
                    (None, None) => "Po".to_owned(),
                };
                let place = if pair[0].location == pair[1].location { "s" } else { "d" };
                edges.push(format!("{how}{place}{:?}{:?}", pair[0].action, pair[1].action));
            }
            let next = &self.threads[(t + 1) % self.threads.len()];
            let (from, to) = (&thread[thread.len() - 1], &next[0]);
            edges.push(match (from.action, to.action) {
                (Action::Read, _) => "Fre".to_owned(),
                (_, Action::Write) => "Coe".to_owned(),
                _ => "Rfe".to_owned(),
            });
        }
        edges.join(" ")
    }
}

/// What an architecture offers to cycles.
pub trait Offer {
    fn fences(&self) -> &'static [&'static str];
    fn dependencies(&self) -> &'static [Dependency];
    /// The strengths of an access made so; none where it cannot be made so.
    fn orders(&self, action: Action, means: Means) -> &'static [Order];
}

fn one<T: Copy>(rng: &mut Rng, of: &[T]) -> T {
    of[rng.below(of.len() as u64) as usize]
}

/// A cycle with at most `accesses` accesses (an update counts as two), through two threads or three.
pub fn random<O: Offer + ?Sized>(rng: &mut Rng, offer: &O, accesses: u64) -> Cycle {
    let count = if accesses > 4 && rng.below(3) == 0 { 3 } else { 2 };
    let mut actions: Vec<Vec<Action>> = Vec::new();
    for t in 0..count {
        let length = if t == 0 { 2 } else { 1 + rng.below(3) };
        actions.push((0..length).map(|_| one(rng, &[Action::Read, Action::Write])).collect());
    }
    // A read communicates with no read.
    for t in 0..actions.len() {
        let next = (t + 1) % actions.len();
        if actions[t].last() == Some(&Action::Read) && actions[next][0] == Action::Read {
            let (thread, at) = if rng.below(2) == 0 { (t, actions[t].len() - 1) } else { (next, 0) };
            actions[thread][at] = Action::Write;
        }
    }
    // Writes of a location stay writes where they communicate; any access may do both while there are not too many.
    let mut events = actions.iter().map(Vec::len).sum::<usize>() as u64;
    for action in actions.iter_mut().flatten() {
        if events < accesses && rng.below(5) == 0 {
            *action = Action::Update;
            events += 1;
        }
    }
    let changes = changes_of_location(rng, &actions);
    let threads: Vec<Vec<Access>> =
        actions.iter().map(|actions| actions.iter().map(|&action| access(rng, offer, action)).collect()).collect();
    let mut cycle = Cycle { threads, locations: 1, last: Vec::new() };
    link(rng, offer, &mut cycle);
    number(&mut cycle, &changes);
    cycle
}

/// Before which accesses, in the order of the cycle, the location is another one: none or at least two.
fn changes_of_location(rng: &mut Rng, actions: &[Vec<Action>]) -> Vec<bool> {
    let mut changes = Vec::new();
    for thread in actions {
        changes.push(false);
        changes.extend(thread.iter().skip(1).map(|_| rng.below(5) > 0));
    }
    if changes.iter().filter(|&&changes| changes).count() < 2 {
        changes.iter_mut().for_each(|changes| *changes = false);
    }
    changes
}

fn access<O: Offer + ?Sized>(rng: &mut Rng, offer: &O, action: Action) -> Access {
    let means = [Means::Instruction, Means::Once, Means::Retried, Means::Atomic, Means::Compare];
    let possible: Vec<Means> = means.into_iter().filter(|&means| !offer.orders(action, means).is_empty()).collect();
    let plainly = possible.contains(&Means::Instruction) && rng.below(3) > 0;
    let means = if plainly { Means::Instruction } else { one(rng, &possible) };
    let orders = offer.orders(action, means);
    let order = if rng.below(2) == 0 { orders[0] } else { one(rng, orders) };
    let increments = rng.below(2) == 0;
    Access { action, location: 0, means, order, found: 0, written: 0, increments, dependency: None, fence: None }
}

/// Adds dependencies and fences.
fn link<O: Offer + ?Sized>(rng: &mut Rng, offer: &O, cycle: &mut Cycle) {
    for thread in &mut cycle.threads {
        for i in 1..thread.len() {
            if rng.below(3) == 0 && !offer.fences().is_empty() {
                thread[i].fence = Some(rng.below(offer.fences().len() as u64) as usize);
            }
            let reads = thread[..i].iter().any(|earlier| earlier.action != Action::Write);
            if reads && rng.below(2) == 0 && !offer.dependencies().is_empty() {
                let dependency = one(rng, offer.dependencies());
                let writes = thread[i].action != Action::Read;
                thread[i].dependency = Some(dependency).filter(|&d| d != Dependency::Data || writes);
            }
        }
    }
}

/// Gives locations and values: around the cycle, a location's writes come one after the other.
fn number(cycle: &mut Cycle, changes: &[bool]) {
    let distinct = changes.iter().filter(|&&changes| changes).count().max(1);
    cycle.locations = distinct;
    cycle.last = vec![0; distinct];
    let mut all: Vec<&mut Access> = cycle.threads.iter_mut().flatten().collect();
    // The walk begins where a location does.
    let first = changes.iter().position(|&changes| changes).unwrap_or(0);
    let mut location = distinct - 1;
    for step in 0..all.len() {
        let at = (first + step) % all.len();
        if changes[at] {
            location = (location + 1) % distinct;
        }
        let (access, last) = (&mut all[at], &mut cycle.last[location]);
        access.location = location;
        access.found = *last;
        if access.action != Action::Read {
            *last += 1;
            access.written = *last;
        }
    }
}
