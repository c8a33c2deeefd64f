//! Reads-from between threads that hold the same lock.
//!
//! Let a write and a read of it in another thread both happen while their threads hold a lock. If the model rejects that the reader released the lock before the writer took it, then the writer
//! has released it first: reads-from goes the way of the lock, from the release behind the write to the taking before the read. So in a cycle of program order and reads-from it can be replaced by
//! that way, which the order of the model includes, though it may say nothing of the two accesses, or of what the thread reads and writes before the release and behind the taking.
//!
//! What is to be in order then is less: between a taking or a read, by which the cycle comes to a thread, and a write or a release, by which it goes on. `docs/load-buffering.md`, *Programs without load buffering*.

use crate::algebra::bounds::edge;
use crate::explore::analysis::load_buffering::exclusion::{Turns, in_order};
use crate::explore::analysis::load_buffering::query::{Label, Scene};
use crate::explore::analysis::load_buffering::threads::Access;
use crate::explore::analysis::load_buffering::{Pair, Proof, pairs_between};
use crate::relation::bits::Bits;

/// How a cycle may come to a read, or go on from a write.
#[derive(Clone, Copy, Default)]
struct Ways {
    /// By reads-from.
    direct: bool,
    /// By a lock.
    guarded: bool,
}

impl<'a> Proof<'a> {
    /// Whether no cycle of program order and reads-from is left when locks stand for what is read of other threads that hold them.
    pub(super) fn is_guarded(&mut self) -> bool {
        let turns = std::mem::take(&mut self.exclusion.turns);
        let is_guarded = !self.threads.synchronise && turns.iter().any(Option::is_some) && self.goes_by_locks(&turns);
        self.exclusion.turns = turns;
        is_guarded
    }

    fn goes_by_locks(&mut self, turns: &[Option<Turns>]) -> bool {
        let threads = self.threads;
        let known = || turns.iter().flatten();
        let taken: Vec<Label> = known().flat_map(|turns| turns.taken.iter().copied()).collect();
        let released: Vec<Label> = known().flat_map(|turns| turns.released.iter().copied()).collect();
        if !known().all(|turns| self.orders_turns(turns)) || !self.all_in_order(&taken, &released) {
            return false;
        }
        let Some((entries, exits)) = self.ways(turns) else { return false };
        threads.code.iter().all(|code| {
            code.loads.iter().all(|read| {
                code.stores.iter().flat_map(|write| pairs_between(code, read, write)).all(|pair| {
                    let (entry, exit) = (entries[read.number], exits[pair.write.number]);
                    (pair.halves || self.cannot_read_later(&pair))
                        && (!(entry.direct && exit.direct) || self.is_in_order(&pair))
                        && (!(entry.guarded && exit.direct) || self.all_in_order(&taken, &pair.write.labels))
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

    /// How a cycle may come to each read, and go on from each write, by number. `None`: in a way of which nothing is known.
    fn ways(&mut self, turns: &[Option<Turns>]) -> Option<(Vec<Ways>, Vec<Ways>)> {
        let threads = self.threads;
        let mut entries = vec![Ways::default(); threads.loads().count()];
        let mut exits = vec![Ways::default(); threads.stores().count()];
        for (from, writer) in threads.code.iter().enumerate() {
            let others = || threads.code.iter().enumerate().filter(|&(to, _)| to != from || writer.many);
            for write in &writer.stores {
                for (to, read) in others().flat_map(|(to, code)| code.loads.iter().map(move |read| (to, read))) {
                    if !read.may_read(write) || !threads.may_be_read_in_cycle((from, write), (to, read)) {
                        continue;
                    }
                    let (entry, exit) = (&mut entries[read.number], &mut exits[write.number]);
                    if self.is_by_lock((from, write), (to, read), turns) {
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

    /// Whether a write and a read, given with the numbers of their threads, happen while these hold the same lock, and the reader cannot have released it before the writer took it.
    fn is_by_lock(
        &mut self,
        (from, write): (usize, &Access),
        (to, read): (usize, &Access),
        turns: &[Option<Turns>],
    ) -> bool {
        let holds = |code: usize, access: &Access| -> Bits {
            self.exclusion.taken_in_turn.get(code).map_or_else(Bits::new, |held| held[access.at].clone())
        };
        let mut both = holds(from, write);
        both.intersect_with(&holds(to, read));
        both.iter().any(|number| {
            turns.get(number as usize).and_then(Option::as_ref).is_some_and(|turns| {
                let mut pairs = turns.released.iter().flat_map(|&free| turns.taken.iter().map(move |&take| (free, take)));
                pairs.all(|ends| self.comes_later(write, read, ends))
            })
        })
    }

    /// Whether the model rejects that a read is followed by a release, behind which another thread takes the lock and then writes what is read.
    fn comes_later(&mut self, write: &Access, read: &Access, (release, take): (Label, Label)) -> bool {
        let scene = Scene {
            po: edge(0, 1) | edge(2, 3),
            loc: edge(1, 2) | edge(3, 0),
            rf: edge(3, 0),
            before: edge(1, 2),
            ext: [(0, 2), (0, 3), (1, 2), (1, 3)].iter().fold(0, |all, &(i, j)| all | edge(i, j) | edge(j, i)),
            ..Scene::default()
        };
        read.labels.iter().all(|&read| {
            write.labels.iter().all(|&write| {
                self.asker.rejects(Scene { events: [read, release, take, write].into_iter().collect(), ..scene.clone() })
            })
        })
    }
}
