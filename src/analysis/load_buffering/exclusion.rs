//! Locks: what threads do while they hold one and the same is not done at the same time.
//!
//! Nothing orders a read of one field before a write of another where a lock protects both. But two threads that each hold the lock do so one after the other, so no cycle goes through both. A place
//! in memory is a *lock* if whatever the program writes there is the value of a read-modify-write that finds 0 there, or a 0 that a thread writes that holds it. Then coherence there goes from one to the
//! other in turn, if the model lets nothing come between the halves of a read-modify-write. `docs/load-buffering.md`, *Programs without load buffering*, states the rest.
//!
//! Limits: locks at a place that is known beforehand.

use crate::algebra::facts::bounds::edge;
use crate::analysis::load_buffering::flat::{At, Flat};
use crate::analysis::load_buffering::proof::{Pair, Proof, are_halves, pairs_between};
use crate::analysis::load_buffering::query::{Label, Scene};
use crate::analysis::load_buffering::threads::{Access, Code, Threads};
use crate::program::{Half, Instr, InstructionOrder, Operand};
use crate::relation::bits::Bits;
use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};

/// What locks threads hold, and what was shown of that.
#[derive(Default)]
pub(super) struct Exclusion {
    /// The locks that each thread's code certainly holds on arrival at each node; nothing where the model does not order what it does with them.
    held: Vec<Vec<Bits>>,
}

/// A place in memory that may be a lock, by a write that takes it.
struct Lock<'a> {
    taken_by: &'a Access,
    place: (u64, u8),
}

/// The read by which a lock is taken, and the write half where that is another event: a model may say of the read alone that nothing has been taken.
#[derive(Clone, Copy)]
pub(super) struct Taken {
    read: Label,
    write: Option<Label>,
    /// Whether the halves are in program order.
    in_order: bool,
}

impl Taken {
    /// Adds a taking to a scene as its next events. Gives back the places of its first and its last event.
    pub fn join(&self, scene: &mut Scene) -> [usize; 2] {
        let at = scene.events.len();
        scene.events.push(self.read);
        let Some(write) = self.write else { return [at, at] };
        scene.events.push(write);
        let halves = edge(at, at + 1);
        scene.amo |= halves;
        scene.together |= halves;
        scene.loc |= halves;
        scene.po |= if self.in_order { halves } else { 0 };
        [at, at + 1]
    }

    /// A taking, and an event of its thread behind it.
    pub fn then(&self, last: Label) -> Scene {
        let mut scene = Scene::default();
        let [from, to] = self.join(&mut scene);
        let last_at = to + 1;
        scene.events.push(last);
        scene.po |= edge(from, last_at) | edge(to, last_at);
        scene
    }

    /// A release, and a taking by another thread that reads it.
    fn behind(&self, release: Label) -> Scene {
        let mut scene = Scene { events: smallvec![release], apart: 1, ..Scene::default() };
        let [read, to] = self.join(&mut scene);
        scene.rf = edge(0, read);
        scene.loc |= edge(0, read);
        scene.close_locations(to + 1);
        scene.beside = to - read;
        scene
    }
}

/// What takes a lock, by read and write, and what releases it.
pub(super) struct Turns<'p, 'a> {
    pub taken: Vec<(&'a Code<'p>, &'a Access, &'a Access)>,
    pub released: Vec<Label>,
    pub order: InstructionOrder,
}

impl Turns<'_, '_> {
    /// What takes it.
    pub fn takings(&self) -> impl Iterator<Item = Taken> {
        self.taken.iter().map(|(code, read, write)| {
            let is_fused = matches!(code.flat.instr(write.at), Instr::Store(store) if store.half == Half::FusedWrite);
            Taken {
                read: read.labels[0],
                write: (!is_fused).then(|| write.labels[0]),
                in_order: self.order == InstructionOrder::DataFlow,
            }
        })
    }

    /// From each taking to each release of its thread, and from each release to each taking of another thread that reads it.
    fn steps(&self) -> Vec<Scene> {
        let both = |release: Label| self.takings().flat_map(move |taken| [taken.then(release), taken.behind(release)]);
        self.released.iter().flat_map(|&release| both(release)).collect()
    }
}

/// A way from a write through the reads and later writes of other threads.
struct Way<'a> {
    /// The number of the code of the thread that it has come to, and what that has written.
    code: usize,
    write: &'a Access,
    at_start: bool,
    /// Whether it has come through a thread that held one of the locks.
    met: bool,
}

impl Lock<'_> {
    fn is_at(&self, access: &Access) -> bool {
        access.known_place() == Some(self.place)
    }
}

/// The read of the read-modify-write by which a write takes a lock, if it does.
fn takes<'a>(code: &'a Code<'_>, write: &Access) -> Option<&'a Access> {
    let expects_zero = |at: At| match code.flat.instr(at) {
        Instr::Load(load) => load.unless.is_some_and(|unless| unless.expected == Operand::Const(0)),
        _ => false,
    };
    write.value.filter(|&value| value != 0)?;
    let at = write.known_place()?;
    let is_read = |read: &&Access| {
        read.known_place() == Some(at) && expects_zero(read.at) && are_halves(&code.flat, read.at, write.at)
    };
    code.loads.iter().find(is_read)
}

fn locks<'a>(threads: &'a Threads<'_>) -> Vec<Lock<'a>> {
    let mut all: Vec<Lock<'a>> = Vec::new();
    for code in &threads.code {
        for write in code.stores.iter().filter(|write| takes(code, write).is_some()) {
            if let Some(place) = write.known_place()
                && all.iter().all(|lock| lock.place != place)
            {
                all.push(Lock { taken_by: write, place });
            }
        }
    }
    all
}

/// Which of some locks code holds on arrival at each node, on all ways there.
fn held(code: &Code<'_>, locks: &[Lock<'_>]) -> Vec<Bits> {
    let flat: &Flat<'_> = &code.flat;
    let changes = |at: At| {
        let write = code.stores.iter().find(|write| write.at == at)?;
        let lock = locks.iter().position(|lock| lock.is_at(write))?;
        Some((lock as u32, takes(code, write).is_some()))
    };
    let mut held: Vec<Option<Bits>> = vec![None; flat.len()];
    held[0] = Some(Bits::new());
    let mut work = vec![0];
    while let Some(at) = work.pop() {
        let Some(mut now) = held[at].clone() else { continue };
        match changes(at) {
            Some((lock, true)) => now.insert(lock),
            Some((lock, false)) => now.remove(lock),
            None => {}
        }
        for &to in &flat.next[at] {
            let mut both = now.clone();
            if let Some(before) = &held[to] {
                both.intersect_with(before);
            }
            if held[to].as_ref().is_none_or(|before| before.words() != both.words()) {
                held[to] = Some(both);
                work.push(to);
            }
        }
    }
    held.into_iter().map(Option::unwrap_or_default).collect()
}

impl<'a> Proof<'a> {
    /// Finds the locks of the program, and what of them the model orders.
    pub(super) fn find_locks(&mut self) {
        let threads = self.threads;
        let locks = locks(threads);
        if locks.is_empty() || threads.synchronise {
            return;
        }
        let mut all: Vec<Vec<Bits>> = threads.code.iter().map(|code| held(code, &locks)).collect();
        for (number, lock) in locks.iter().enumerate() {
            let number = number as u32;
            if !is_kept(threads, lock, number, &all) || !self.orders_what_is_held(lock, number, &all) {
                all.iter_mut().flatten().for_each(|held| held.remove(number));
            }
        }
        self.exclusion.held = all;
    }

    /// Whether a thread's holding a lock comes, in the relation that has no cycle, before another thread's that takes it later: what is read and written while it is held comes behind each taking and before
    /// each release of the thread, and a release before what takes the lock from it.
    fn orders_what_is_held(&mut self, lock: &Lock<'_>, number: u32, held: &[Vec<Bits>]) -> bool {
        let threads = self.threads;
        let taken: Vec<(&Code<'_>, &Access, &Access)> = threads
            .code
            .iter()
            .flat_map(|code| {
                let writes = code.stores.iter().filter(|write| lock.is_at(write));
                writes.filter_map(move |write| takes(code, write).map(|read| (code, read, write)))
            })
            .collect();
        let released: Vec<Label> = threads
            .code
            .iter()
            .flat_map(|code| {
                let writes = code.stores.iter().filter(|write| lock.is_at(write) && takes(code, write).is_none());
                writes.map(|write| write.labels[0])
            })
            .collect();
        let turns = Turns { taken, released, order: self.asker.program.order };
        let is_held = |code: usize, access: &Access| held[code][access.at].contains(number);
        let mut within: Vec<Label> = Vec::new();
        for (code, all) in threads.code.iter().enumerate() {
            for access in all.accesses().filter(|access| is_held(code, access)) {
                within
                    .extend(access.labels.iter().filter(|label| !within.contains(label)).copied().collect::<Vec<_>>());
            }
        }
        self.come_in_turn(&turns) && self.orders_turns(&turns) && {
            let asker = &mut self.asker;
            turns.takings().all(|taken| within.iter().all(|&label| asker.orders(taken.then(label))))
                && turns.released.iter().all(|&release| {
                    let mut reads = within.iter().filter(|label| !label.writes());
                    reads.all(|&label| asker.orders(in_order(label, release)))
                })
        }
    }

    /// Whether the model lets a lock be taken and released in turn only, if nothing else writes there.
    pub(super) fn come_in_turn(&mut self, turns: &Turns<'_, '_>) -> bool {
        let own = |first: Label, last: Label| Scene { loc: edge(0, 1), co: edge(1, 0), ..in_order(first, last) };
        turns.taken.iter().all(|(code, read, write)| {
            self.are_one(&code.flat, read, write)
                // A thread releases what it has taken.
                && turns.released.iter().all(|&release| self.asker.rejects(own(write.labels[0], release)))
        })
    }

    /// Whether the relation that has no cycle leads from each taking of a lock to the release in its thread, and from there to the next taking.
    pub(super) fn orders_turns(&mut self, turns: &Turns<'_, '_>) -> bool {
        turns.steps().into_iter().all(|step| self.asker.orders(step))
    }

    /// The number by which the model is told of ways through so many turns of a lock.
    pub(super) fn chain(&mut self, turns: &Turns<'_, '_>) -> usize {
        self.asker.chain_of(&turns.steps())
    }

    /// Whether the model lets no write come between what a read-modify-write reads and what it writes, in coherence.
    fn are_one(&mut self, flat: &Flat<'_>, read: &Access, write: &Access) -> bool {
        let Instr::Store(store) = flat.instr(write.at) else { return false };
        let is_fused = store.half == Half::FusedWrite;
        // The source, the read-modify-write as one event or two, and perhaps another write.
        let (first, last) = (1, if is_fused { 1 } else { 2 });
        let other = last + 1;
        let mut scene = Scene { rf: edge(0, first), ..Scene::default() };
        scene.events = match is_fused {
            true => smallvec![Label::SOME_WRITE, read.labels[0].with_write()],
            false => smallvec![Label::SOME_WRITE, read.labels[0], write.labels[0]],
        };
        if !is_fused {
            (scene.amo, scene.together) = (edge(first, last), edge(first, last));
            scene.po = if self.asker.program.order == InstructionOrder::DataFlow { edge(first, last) } else { 0 };
        }
        let close = |scene: Scene| {
            let mut scene = scene;
            let count = scene.events.len();
            scene.loc = (1..count).fold(0, |all, i| all | edge(0, i));
            scene.close_locations(count);
            scene
        };
        // The source may be of the same thread, and so may the other write, before or after.
        let sources: [&dyn Fn(&mut Scene); 2] = [&|scene| scene.apart |= 1, &|scene| {
            scene.po |= edge(0, first) | edge(0, last);
        }];
        let others: [&dyn Fn(&mut Scene); 3] = [
            &|scene| scene.apart |= 1 << other,
            &|scene| scene.po |= edge(other, first) | edge(other, last),
            &|scene| scene.po |= edge(first, other) | edge(last, other),
        ];
        sources.iter().all(|place| {
            let mut alone = scene.clone();
            place(&mut alone);
            let backwards = Scene { co: edge(last, 0), ..alone.clone() };
            self.asker.rejects(close(backwards))
                && others.iter().all(|place| {
                    let mut between = alone.clone();
                    between.events.push(Label::SOME_WRITE);
                    place(&mut between);
                    between.co = edge(0, other) | edge(other, last) | edge(0, last);
                    self.asker.rejects(close(between))
                })
        })
    }

    /// Whether a read and a later write of a thread, which are not ordered, are part of no cycle because of the locks that the thread holds at both: each way that leads on from the write comes to
    /// another thread that holds one of these at a read and at a later write, before it comes to others that are not ordered, or back.
    pub(super) fn is_excluded(&mut self, own: usize, pair: &Pair<'a>) -> bool {
        let threads = self.threads;
        let locks = self.holds(own, pair.read, pair.write);
        let mut seen: FxHashSet<(usize, bool)> = FxHashSet::default();
        let mut work: SmallVec<[Way<'a>; 8]> =
            smallvec![Way { code: own, write: pair.write, at_start: true, met: false }];
        while let Some(way) = work.pop() {
            for (number, code) in threads.code.iter().enumerate() {
                let comes_back = number == own && !way.at_start && pair.read.may_read(way.write);
                if locks.is_empty() || comes_back && !way.met {
                    return false;
                }
                if [way.code, own].contains(&number) && !code.many {
                    continue;
                }
                for read in code.loads.iter().filter(|read| read.may_read(way.write)) {
                    for write in &code.stores {
                        let pairs: SmallVec<[Pair<'a>; 2]> = pairs_between(code, read, write).collect();
                        if pairs.is_empty() || !threads.may_close(number, read, write) {
                            continue;
                        }
                        let mut common = self.holds(number, read, write);
                        common.intersect_with(&locks);
                        let met = !common.is_empty();
                        let is_ordered =
                            pairs.iter().all(|pair| self.is_pair_ordered(pair) || self.is_ordered_in_each_case(pair));
                        if !is_ordered && !met {
                            return false;
                        }
                        let next = Way { code: number, write, at_start: false, met: met || way.met };
                        if is_ordered && seen.insert((write.number, next.met)) {
                            work.push(next);
                        }
                    }
                }
            }
        }
        true
    }

    /// The locks that a thread holds at a read and at a later write.
    fn holds(&self, code: usize, read: &Access, write: &Access) -> Bits {
        let Some(held) = self.exclusion.held.get(code) else { return Bits::new() };
        let mut both = held[read.at].clone();
        both.intersect_with(&held[write.at]);
        both
    }
}

/// Two events of a thread, one behind the other.
pub(super) fn in_order(first: Label, last: Label) -> Scene {
    Scene { events: smallvec![first, last], po: edge(0, 1), ..Scene::default() }
}

/// Whether a place is written by what takes the lock there, and by what holds it.
fn is_kept(threads: &Threads<'_>, lock: &Lock<'_>, number: u32, held: &[Vec<Bits>]) -> bool {
    threads.code.iter().zip(held).all(|(code, held)| {
        code.stores.iter().all(|write| {
            !write.may_meet(lock.taken_by)
                || lock.is_at(write)
                    && (takes(code, write).is_some() || write.value == Some(0) && held[write.at].contains(number))
        })
    })
}
