//! Reads-from between threads that hold the same lock.
//!
//! Let a write and a read of it in another thread both happen while their threads hold a lock. If the model rejects that the reader released the lock before the writer took it, then the writer
//! has released it first: reads-from goes the way of the lock, from the release behind the write to the taking before the read. So in a cycle of program order and reads-from it can be replaced by
//! that way, which the order of the model includes, though it may say nothing of the two accesses, or of what the thread reads and writes before the release and behind the taking.
//!
//! What is to be in order then is less: between a taking or a read, by which the cycle comes to a thread, and a write or a release, by which it goes on. That both hold the same lock is known of a lock at a known place; and of
//! one whose address goes with that of what is accessed, as that of `lock[i]` with that of `cell[i]`, or of a node's lock with that of another of its fields. `docs/load-buffering.md`.

use crate::algebra::facts::bounds::edge;
use crate::analysis::load_buffering::exclusion::{Taken, Turns, in_order};
use crate::analysis::load_buffering::flat::At;
use crate::analysis::load_buffering::holding::{Affine, Holding};
use crate::analysis::load_buffering::proof::{Pair, Proof, are_halves, pairs_between};
use crate::analysis::load_buffering::query::{Label, Scene};
use crate::analysis::load_buffering::threads::{Access, Code, Threads};
use crate::program::{Instr, Operand};
use smallvec::{SmallVec, smallvec};

/// How a cycle may come to a read, or go on from a write.
#[derive(Clone, Copy, Default)]
struct Ways {
    /// By reads-from.
    direct: bool,
    /// By a lock.
    guarded: bool,
}

/// Which lock is held where something is accessed, of a kind: two threads that access one place, and hold a lock of the same name, hold one lock.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Name {
    At(usize, u64),
    /// By how the address of the access and that of the lock follow from one number.
    Beside(usize, [u64; 2], [u64; 2]),
}

/// A write that takes a lock, with its read.
struct Taking<'a> {
    /// The number of the thread's code.
    code: usize,
    read: &'a Access,
    write: &'a Access,
    /// The number of its kind of lock: those that may be one and the same are of one.
    kind: usize,
}

/// The locks of a program.
struct Locks<'p, 'a> {
    /// By kind; nothing is known of some.
    turns: Vec<Option<Turns<'p, 'a>>>,
    /// What holds at each access, by number of code.
    states: Vec<Vec<(At, Vec<Held>)>>,
}

/// What holds at an access in one state of its thread: where it is, and the locks that are held.
struct Held {
    place: Option<Affine>,
    names: SmallVec<[Name; 2]>,
}

impl Held {
    /// Whether two accesses may be of one place.
    fn may_meet(&self, other: &Held) -> bool {
        let known = |held: &Held| held.place.filter(|place| place.of.is_none()).map(|place| place.offset);
        known(self).zip(known(other)).is_none_or(|(own, other)| own == other)
    }
}

impl Locks<'_, '_> {
    fn states(&self, code: usize, access: &Access) -> &[Held] {
        self.states[code].iter().find(|(at, _)| *at == access.at).map_or(&[], |(_, states)| states)
    }

    /// Whether two accesses, given with the numbers of their threads, may be of one place in any states of these.
    fn may_meet(&self, (from, write): (usize, &Access), (to, read): (usize, &Access)) -> bool {
        let readers = self.states(to, read);
        self.states(from, write).iter().any(|writer| readers.iter().any(|reader| reader.may_meet(writer)))
    }
}

fn takings<'a>(threads: &'a Threads<'_>) -> Vec<Taking<'a>> {
    let mut all: Vec<Taking<'a>> = Vec::new();
    for (number, code) in threads.code.iter().enumerate() {
        for write in code.stores.iter().filter(|write| write.value.is_some_and(|value| value != 0)) {
            if let Some(read) = code.loads.iter().find(|read| takes(code, read, write)) {
                let kind = all.len();
                all.push(Taking { code: number, read, write, kind });
            }
        }
    }
    // Those that may meet are of one kind, and so are those that meet these.
    let mut changed = true;
    while changed {
        changed = false;
        for i in 0..all.len() {
            for j in 0..all.len() {
                if all[j].kind < all[i].kind && all[i].write.may_meet(all[j].write) {
                    all[i].kind = all[j].kind;
                    changed = true;
                }
            }
        }
    }
    all
}

/// Whether a read and a write are the halves of a compare-and-swap that expects 0.
fn takes(code: &Code<'_>, read: &Access, write: &Access) -> bool {
    let (Instr::Load(load), Instr::Store(store)) = (code.flat.instr(read.at), code.flat.instr(write.at)) else {
        return false;
    };
    load.unless.is_some_and(|unless| unless.expected == Operand::Const(0))
        && (load.addr, load.size) == (store.addr, store.size)
        && are_halves(&code.flat, read.at, write.at)
}

/// The address of an access.
fn address(code: &Code<'_>, at: At) -> Operand {
    match code.flat.instr(at) {
        Instr::Load(load) => load.addr,
        Instr::Store(store) => store.addr,
        _ => Operand::Const(0),
    }
}

/// The name of a held lock, if it says of all who access the same place which one they hold.
fn name(access: Option<Affine>, (lock, kind): (Affine, usize)) -> Option<Name> {
    if lock.of.is_none() {
        return Some(Name::At(kind, lock.offset));
    }
    // Where the addresses of two accesses are equal, the numbers differ by what the factor makes a multiple of 2⁶⁴; the addresses of the locks then do not differ.
    let goes_with =
        |access: &Affine| access.of == lock.of && access.factor.trailing_zeros() <= lock.factor.trailing_zeros();
    let access = access.filter(goes_with)?;
    Some(Name::Beside(kind, [access.offset, access.factor], [lock.offset, lock.factor]))
}

impl<'a> Proof<'a> {
    /// Whether no cycle of program order and reads-from is left when locks stand for what is read of other threads that hold them.
    pub(super) fn is_guarded(&mut self) -> bool {
        let threads = self.threads;
        let takings = takings(threads);
        if threads.synchronise || takings.is_empty() {
            return false;
        }
        [Holding::by_ways, Holding::together].into_iter().any(|follow| {
            let holding: Option<Vec<Holding>> = (threads.code.iter().enumerate())
                .map(|(number, code)| {
                    let kind = |at: At| takings.iter().find(|t| t.code == number && t.write.at == at).map(|t| t.kind);
                    follow(&code.flat, &kind)
                })
                .collect();
            holding.is_some_and(|holding| {
                let locks = self.locks(&takings, &holding);
                self.goes_by(&locks)
            })
        })
    }

    fn goes_by(&mut self, locks: &Locks<'a, 'a>) -> bool {
        let turns = || locks.turns.iter().flatten();
        let taken: Vec<Taken> = turns().flat_map(Turns::takings).collect();
        let released: Vec<Label> = turns().flat_map(|turns| turns.released.iter().copied()).collect();
        if taken.is_empty() || !self.all_behind(&taken, &released) {
            return false;
        }
        let Some((entries, exits)) = self.ways(locks) else { return false };
        self.threads.code.iter().all(|code| {
            code.loads.iter().all(|read| {
                code.stores.iter().flat_map(|write| pairs_between(code, read, write)).all(|pair| {
                    let (entry, exit) = (entries[read.number], exits[pair.write.number]);
                    (pair.halves || self.cannot_read_later(&pair))
                        && (!(entry.direct && exit.direct) || self.is_in_order(&pair))
                        && (!(entry.guarded && exit.direct) || self.all_behind(&taken, &pair.write.labels))
                        && (!(entry.direct && exit.guarded) || self.all_in_order(pair.reads(), &released))
                })
            })
        })
    }

    fn is_in_order(&mut self, pair: &Pair<'_>) -> bool {
        self.is_pair_ordered(pair) || self.is_ordered_in_each_case(pair)
    }

    /// Whether each of some events comes before each of others that are behind it in its thread.
    fn all_in_order(&mut self, first: &[Label], last: &[Label]) -> bool {
        first.iter().all(|&first| last.iter().all(|&last| self.asker.orders(in_order(first, last))))
    }

    /// The same of takings.
    fn all_behind(&mut self, first: &[Taken], last: &[Label]) -> bool {
        first.iter().all(|taken| last.iter().all(|&last| self.asker.orders(taken.then(last))))
    }

    fn locks(&mut self, takings: &[Taking<'a>], holding: &[Holding]) -> Locks<'a, 'a> {
        let threads = self.threads;
        let turns: Vec<Option<Turns<'a, 'a>>> =
            (0..takings.len()).map(|kind| self.turns(kind, takings, holding)).collect();
        let states = threads.code.iter().zip(holding).map(|(code, holding)| {
            let states = |access: &Access| -> (At, Vec<Held>) {
                let each = holding.at(&code.flat, access.at, address(code, access.at)).into_iter();
                let each = each.map(|(place, held)| {
                    let known = held.into_iter().filter(|(_, kind)| turns[*kind].is_some());
                    Held { place, names: known.filter_map(|held| name(place, held)).collect() }
                });
                (access.at, each.collect())
            };
            code.accesses().map(states).collect()
        });
        Locks { states: states.collect(), turns }
    }

    /// What takes and releases locks of a kind, if these are taken and released in turn, and the model orders that. Nothing else may write there, and only who holds a lock releases it.
    fn turns(&mut self, kind: usize, takings: &[Taking<'a>], holding: &[Holding]) -> Option<Turns<'a, 'a>> {
        let threads = self.threads;
        let own = || takings.iter().filter(|taking| taking.kind == kind);
        own().next()?;
        let mut released: Vec<Label> = Vec::new();
        for (number, code) in threads.code.iter().enumerate() {
            for write in code.stores.iter().filter(|write| own().any(|taking| taking.write.may_meet(write))) {
                if own().any(|taking| taking.code == number && taking.write.at == write.at) {
                    continue;
                }
                let states = holding[number].at(&code.flat, write.at, address(code, write.at));
                let mut states = states.into_iter();
                let is_held = states.all(|(place, held)| place.is_some_and(|place| held.contains(&(place, kind))));
                if write.value != Some(0) || !is_held {
                    return None;
                }
                released.push(write.labels[0]);
            }
        }
        let taken = own().map(|taking| (&threads.code[taking.code], taking.read, taking.write)).collect();
        let turns = Turns { taken, released, order: self.asker.program.order };
        (self.come_in_turn(&turns) && self.orders_turns(&turns)).then_some(turns)
    }

    /// How a cycle may come to each read, and go on from each write, by number. `None`: in a way of which nothing is known.
    fn ways(&mut self, locks: &Locks<'_, '_>) -> Option<(Vec<Ways>, Vec<Ways>)> {
        let threads = self.threads;
        let mut entries = vec![Ways::default(); threads.loads().count()];
        let mut exits = vec![Ways::default(); threads.stores().count()];
        for (from, writer) in threads.code.iter().enumerate() {
            let others = || threads.code.iter().enumerate().filter(|&(to, _)| to != from || writer.many);
            for write in &writer.stores {
                for (to, read) in others().flat_map(|(to, code)| code.loads.iter().map(move |read| (to, read))) {
                    let is_read = read.may_read(write) && locks.may_meet((from, write), (to, read));
                    if !is_read || !threads.may_be_read_in_cycle((from, write), (to, read)) {
                        continue;
                    }
                    let (entry, exit) = (&mut entries[read.number], &mut exits[write.number]);
                    if self.is_by_lock((from, write), (to, read), locks) {
                        (entry.guarded, exit.guarded) = (true, true);
                    } else if self.is_reading_ordered(write, read) {
                        (entry.direct, exit.direct) = (true, true);
                    } else {
                        return None;
                    }
                }
            }
        }
        Some((entries, exits))
    }

    /// Whether a write and a read, given with the numbers of their threads, happen while these hold the same lock, if they are of one place, and the reader cannot have released it before the writer took it.
    fn is_by_lock(
        &mut self,
        (from, write): (usize, &Access),
        (to, read): (usize, &Access),
        locks: &Locks<'_, '_>,
    ) -> bool {
        let mut kinds: SmallVec<[usize; 2]> = SmallVec::new();
        for writer in locks.states(from, write) {
            for reader in locks.states(to, read).iter().filter(|reader| reader.may_meet(writer)) {
                let Some(name) = reader.names.iter().find(|name| writer.names.contains(name)) else { return false };
                let (Name::At(kind, _) | Name::Beside(kind, ..)) = name;
                kinds.push(*kind);
            }
        }
        kinds.sort_unstable();
        kinds.dedup();
        kinds.into_iter().all(|kind| {
            locks.turns[kind].as_ref().is_some_and(|turns| {
                let chain = self.chain(turns);
                let ends = turns.released.iter().flat_map(|&free| turns.takings().map(move |take| (free, take)));
                ends.collect::<Vec<_>>().into_iter().all(|ends| self.comes_later(write, read, ends, chain))
            })
        })
    }

    /// Whether the model rejects that a read is followed by a release, behind which another thread takes the lock and then writes what is read.
    fn comes_later(&mut self, write: &Access, read: &Access, (release, take): (Label, Taken), chain: usize) -> bool {
        read.labels.iter().all(|&read| {
            let mut writes = write.labels.iter();
            writes.all(|&write| {
                let mut scene = Scene { chain, events: smallvec![read, release], po: edge(0, 1), ..Scene::default() };
                let [from, to] = take.join(&mut scene);
                let last = to + 1;
                scene.events.push(write);
                scene.po |= edge(from, last) | edge(to, last);
                (scene.rf, scene.before) = (edge(last, 0), edge(1, from));
                scene.loc |= edge(1, from) | edge(last, 0);
                scene.close_locations(last + 1);
                let apart = (0..from).flat_map(|i| (from..=last).map(move |j| (i, j)));
                scene.ext = apart.fold(0, |all, (i, j)| all | edge(i, j) | edge(j, i));
                self.asker.rejects(scene)
            })
        })
    }
}
