//! The proof that one relation of a model includes program order from reads to writes, reads-from and creation.

use crate::algebra::facts::bounds::edge;
use crate::algebra::facts::order::Orders;
use crate::analysis::load_buffering::cases::Instance;
use crate::analysis::load_buffering::exclusion::Exclusion;
use crate::analysis::load_buffering::flat::{At, Flat};
use crate::analysis::load_buffering::follow::State;
use crate::analysis::load_buffering::query::{Acyclic, Asker, Label, Scene, labels};
use crate::analysis::load_buffering::threads::{Access, Code, Threads};
use crate::program::{Half, Instr, InstructionOrder, Program};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

/// A proof that one relation of a model, which has no cycles, includes enough.
pub(super) struct Proof<'a> {
    pub(super) asker: Asker<'a>,
    pub(super) threads: &'a Threads<'a>,
    /// Of a write and a read behind it, by number, what [`Proof::reads_own_or_later`] says.
    pub(super) forwarded: FxHashMap<(usize, usize, Instance), bool>,
    pub(super) exclusion: Exclusion,
}

/// Both ends of a path in a thread.
pub(super) struct Pair<'a> {
    pub(super) code: &'a Code<'a>,
    pub(super) read: &'a Access,
    pub(super) write: &'a Access,
    /// What is certain at the write.
    pub(super) state: &'a State,
    /// What is certain at each place on the way.
    pub(super) states: &'a [Option<State>],
    /// The write belongs to the read-modify-write that this read, and no later one, began.
    pub(super) halves: bool,
    /// The thread has come by the read again.
    pub(super) again: bool,
}

impl Pair<'_> {
    /// What the read may be. The write half of a compare-and-swap is there only if the read found what it expected.
    pub(super) fn reads(&self) -> &[Label] {
        let all = &self.read.labels[..];
        if self.halves || self.has_written() { &all[..all.len().min(1)] } else { all }
    }

    /// Whether the read's own write half has been passed, on every path: a lock that waits goes on only when it has been taken.
    pub(super) fn has_written(&self) -> bool {
        let (flat, read) = (&self.code.flat, self.read.at);
        let before = if self.again { self.read.followed[0][read].as_ref() } else { Some(self.state) };
        let passed = |write: &&Access| before.is_some_and(|state| state.passed.contains(write.at as u32));
        self.code.stores.iter().filter(passed).any(|write| are_halves(flat, read, write.at))
    }
}

impl<'a> Proof<'a> {
    pub(super) fn new(program: &'a Program, orders: &'a Orders, acyclic: Acyclic, threads: &'a Threads<'a>) -> Self {
        let (asker, forwarded) = (Asker::new(program, orders, acyclic), FxHashMap::default());
        Proof { asker, threads, forwarded, exclusion: Exclusion::default() }
    }

    pub(super) fn succeeds_with_locks(&mut self) -> bool {
        self.find_locks();
        self.succeeds() || self.is_guarded()
    }

    pub(super) fn succeeds(&mut self) -> bool {
        self.includes_reads_from() && self.includes_creation() && self.has_all_pairs()
    }

    /// Reads-from between threads, as far as it may be part of a cycle.
    pub(super) fn includes_reads_from(&mut self) -> bool {
        let threads = self.threads;
        threads.code.iter().enumerate().all(|(from, writer)| {
            writer.stores.iter().all(|write| {
                let others = threads.code.iter().enumerate().filter(|&(to, _)| to != from || writer.many);
                let mut reads = others.flat_map(|(to, code)| code.loads.iter().map(move |read| (to, read)));
                reads.all(|(to, read)| {
                    !read.may_meet(write)
                        || self.is_reading_ordered(write, read)
                        || !threads.may_be_read_in_cycle((from, write), (to, read))
                })
            })
        })
    }

    /// Whether a write is ordered before a read of another thread that reads it.
    pub(super) fn is_reading_ordered(&mut self, write: &Access, read: &Access) -> bool {
        let scene = Scene { rf: edge(0, 1), loc: edge(0, 1), apart: 0b11, ..Scene::default() };
        self.all_ordered(&scene, &[&write.labels, &read.labels])
    }

    /// What one thread reads before it creates another, or lets it go on, and what that writes.
    pub(super) fn includes_creation(&mut self) -> bool {
        let threads = self.threads;
        !threads.synchronise
            || threads.loads().all(|read| {
                threads.stores().all(|write| {
                    let scene = Scene { sync: edge(0, 1), apart: 0b11, ..Scene::default() };
                    self.all_ordered(&scene, &[&read.labels, &write.labels])
                })
            })
    }

    /// Reads before writes in each thread.
    pub(super) fn has_all_pairs(&mut self) -> bool {
        let threads = self.threads;
        threads.code.iter().enumerate().all(|(number, code)| {
            code.loads.iter().all(|read| {
                code.stores.iter().flat_map(|write| pairs_between(code, read, write)).all(|pair| {
                    (pair.halves || self.cannot_read_later(&pair))
                        && (self.is_pair_ordered(&pair)
                            || !threads.may_close(number, read, pair.write)
                            || self.is_ordered_in_each_case(&pair)
                            || self.is_excluded(number, &pair))
                })
            })
        })
    }

    /// A read cannot read a later write of its own thread.
    pub(super) fn cannot_read_later(&mut self, pair: &Pair<'_>) -> bool {
        if !pair.read.may_meet(pair.write) {
            return true;
        }
        let mut scene = self.two(pair);
        (scene.rf, scene.loc) = (edge(1, 0), edge(0, 1));
        let [reads, writes] = [&pair.read.labels, &pair.write.labels];
        reads
            .iter()
            .all(|&r| writes.iter().all(|&w| self.asker.rejects(Scene { events: smallvec![r, w], ..scene.clone() })))
    }

    /// Whether the read is ordered before the write, on all ways or on each.
    pub(super) fn is_pair_ordered(&mut self, pair: &Pair<'_>) -> bool {
        // One event has no order with itself.
        if pair.halves && is_fused(pair) {
            return true;
        }
        let ways = &pair.read.ways[usize::from(pair.again)][pair.write.at];
        self.is_ordered_on_all_ways(pair)
            || ways.len() > 1 && ways.iter().all(|state| self.is_ordered_on_all_ways(&Pair { state, ..*pair }))
    }

    pub(super) fn is_ordered_on_all_ways(&mut self, pair: &Pair<'_>) -> bool {
        let scene = self.two(pair);
        self.all_ordered(&scene, &[pair.reads(), &pair.write.labels])
            || pair.state.passed.iter().any(|between| self.is_ordered_through(pair, &scene, between as At))
    }

    /// The read and the write, by themselves.
    pub(super) fn two(&self, pair: &Pair<'_>) -> Scene {
        let flat = &pair.code.flat;
        let (read, write) = (pair.read.at, pair.write.at);
        let amo = pair.halves && !is_fused(pair);
        // Of one instruction, they may be in no order; but the same place in the code reached again is another instance.
        let apart = pair.again || flat.group(read) != flat.group(write);
        let mut scene = Scene::default();
        let Instr::Store(store) = flat.instr(write) else { return scene };
        let on = |holds: bool| if holds { edge(0, 1) } else { 0 };
        let in_order = apart || pair.halves && self.asker.program.order == InstructionOrder::DataFlow;
        scene.po = on(in_order);
        scene.loc = on(pair.halves || pair.read.is_at(pair.write));
        scene.addr = on(pair.state.depends(flat, write, store.addr));
        scene.data = on(pair.state.depends(flat, write, store.value));
        scene.ctrl = on(pair.state.is_controlled());
        scene.amo = on(amo);
        scene.together = on(!apart);
        scene
    }

    /// Whether the read is ordered before the write with the help of an event that is passed on every path between.
    pub(super) fn is_ordered_through(&mut self, pair: &Pair<'_>, two: &Scene, between: At) -> bool {
        let Some((scene, middle)) = self.three(pair, two, between) else { return false };
        self.all_ordered(&scene, &[pair.reads(), &middle, &pair.write.labels])
    }

    /// The read, an event that is passed on every path to the write, with the labels that it may have, and the write.
    pub(super) fn three(&self, pair: &Pair<'_>, two: &Scene, between: At) -> Option<(Scene, SmallVec<[Label; 2]>)> {
        let flat = &pair.code.flat;
        let (read, write) = (pair.read.at, pair.write.at);
        let state = pair.states[between].as_ref()?;
        // Of one instruction with it, an event is the other half of an access that reads and writes, or there may be no order.
        let joins = |first: At, second: At| {
            self.asker.program.order == InstructionOrder::DataFlow
                && !is_fused_half(flat, first)
                && are_halves(flat, first, second)
        };
        let [with_read, with_write] = [!pair.again && joins(read, between), joins(between, write)];
        let is_one = |at: At| flat.group(at) == flat.group(between);
        if is_one(read) && !with_read || is_one(write) && !with_write {
            return None;
        }
        let place = pair.code.accesses().find(|access| access.at == between);
        let on = |holds: bool, edge: u64| if holds { edge } else { 0 };
        let moved = |edges: u64| on(edges != 0, edge(0, 2));
        let instr = flat.instr(between);
        let (addr, data) = match instr {
            Instr::Load(load) => (state.depends(flat, between, load.addr), false),
            Instr::Store(store) => {
                (state.depends(flat, between, store.addr), state.depends(flat, between, store.value))
            }
            _ => (false, false),
        };
        let is_at = |other: &Access| place.is_some_and(|place| place.is_at(other));
        let scene = Scene {
            po: edge(0, 1) | edge(1, 2) | moved(two.po),
            loc: on(with_read || is_at(pair.read), edge(0, 1))
                | on(with_write || is_at(pair.write), edge(1, 2))
                | moved(two.loc),
            addr: on(addr, edge(0, 1)) | moved(two.addr),
            data: on(data, edge(0, 1)) | moved(two.data),
            ctrl: on(state.is_controlled(), edge(0, 1)) | moved(two.ctrl),
            amo: on(with_read, edge(0, 1)) | on(with_write, edge(1, 2)) | moved(two.amo),
            together: on(with_read, edge(0, 1)) | on(with_write, edge(1, 2)) | moved(two.together),
            ..Scene::default()
        };
        let mut middle = labels(instr, pair.code.tags);
        if with_write {
            // The write is there only if the read found what it expected.
            middle.truncate(1);
        }
        (!middle.is_empty()).then_some((scene, middle))
    }

    /// Whether the first event is ordered before the last, whichever of their labels the events have.
    pub(super) fn all_ordered(&mut self, scene: &Scene, labels: &[&[Label]]) -> bool {
        let count: usize = labels.iter().map(|l| l.len()).product();
        (0..count).all(|mut number| {
            let mut scene = scene.clone();
            for all in labels {
                scene.events.push(all[number % all.len()]);
                number /= all.len();
            }
            self.asker.orders(scene)
        })
    }
}

/// A read and a write, wherever this comes behind it.
pub(super) fn pairs_between<'a>(
    code: &'a Code<'a>,
    read: &'a Access,
    write: &'a Access,
) -> impl Iterator<Item = Pair<'a>> {
    read.followed.iter().enumerate().filter_map(move |(again, states)| {
        let state = states[write.at].as_ref()?;
        let halves = again == 0 && are_halves(&code.flat, read.at, write.at);
        Some(Pair { code, read, write, state, states, halves, again: again == 1 })
    })
}

/// Whether a read and the write behind it, not having come by the read again, are the halves of one read-modify-write.
pub(super) fn are_halves(flat: &Flat<'_>, read: At, write: At) -> bool {
    let (Instr::Load(load), Instr::Store(store)) = (flat.instr(read), flat.instr(write)) else { return false };
    let begun = [Some(load.half), load.unless.map(|other| other.half)].into_iter().flatten();
    let fits = |half: Half| {
        matches!((half, store.half), (Half::AmoRead, Half::AmoWrite) | (Half::FusedRead, Half::FusedWrite))
    };
    let mut begun = begun.filter(|&half| half != Half::None).peekable();
    begun.peek().is_some() && begun.all(fits) && flat.group(read) == flat.group(write) && flat.is_only_read(read)
}

pub(super) fn is_fused_half(flat: &Flat<'_>, read: At) -> bool {
    matches!(flat.instr(read), Instr::Load(load) if load.half == Half::FusedRead)
}

pub(super) fn is_fused(pair: &Pair<'_>) -> bool {
    matches!(pair.code.flat.instr(pair.write.at), Instr::Store(store) if store.half == Half::FusedWrite)
}
