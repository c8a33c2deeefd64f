//! Reads that come before a write whatever is read between them.
//!
//! A thread that has written a location and reads it again, having written nothing else there in between, reads its own write or a write of another thread that is
//! later in coherence; the model says so itself. In each of the two cases the model may order what it leaves open as long as nothing is known of that read: its own write is
//! forwarded, or the order leads to the other thread and back. A lock that gives back what it took too much and tries again is of this kind.

use crate::algebra::facts::bounds::edge;
use crate::analysis::load_buffering::flat::{At, Flat};
use crate::analysis::load_buffering::follow::State;
use crate::analysis::load_buffering::proof::{Pair, Proof, are_halves};
use crate::analysis::load_buffering::query::{Label, Scene, labels};
use crate::analysis::load_buffering::threads::{Access, Code};
use crate::program::{Instr, InstructionOrder};
use smallvec::smallvec;

/// Which instance of a read between the read and the write of a pair is meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Instance {
    First,
    Last,
}

/// A write and a read of one location, passed in this order on every path between the read and the write of a pair: an instance of the read, and the last instance of
/// the write before it.
struct Middle<'a> {
    write: &'a Access,
    read: &'a Access,
    /// The pair's read may have been passed again before the read.
    late: bool,
    /// What is certain of the write with respect to the pair's read, and whether that has been passed again before it.
    at_write: &'a State,
    again: bool,
    /// What is certain of the pair's write with respect to the read, and whether that has been passed again before it.
    behind: &'a State,
    repeated: bool,
    /// A fence that is passed after the read.
    fence: Option<At>,
}

// Where events stand in a scene. The pair's write is the last.
const READ: usize = 0;
const OWN: usize = 1;
const MIDDLE: usize = 2;

impl Proof<'_> {
    /// Whether a read is ordered before a write in each case of what a read between them, on every path, reads.
    pub(super) fn is_ordered_in_each_case(&mut self, pair: &Pair<'_>) -> bool {
        let code = pair.code;
        if !is_plain(pair.read) || !is_plain(pair.write) {
            return false;
        }
        let is_between = |read: &&Access| pair.state.passed.contains(read.at as u32) && is_plain(read);
        code.loads.iter().filter(is_between).any(|read| {
            let writes = code.stores.iter().filter(|write| write.is_at(read) && is_plain(write));
            writes.into_iter().any(|write| {
                [Instance::First, Instance::Last].into_iter().any(|instance| {
                    let late = pair.may_be_late(read, instance);
                    pair.all_at(read.at, late, |state| state.passed.contains(write.at as u32))
                        && self.reads_own_or_later(code, write, read, instance)
                        && self.is_ordered_by(pair, write, read, instance)
                })
            })
        })
    }

    /// Whether a read that comes behind a write in its thread reads from the last instance of that write before it, or from a write of another thread behind
    /// that in coherence. Of several instances of the read since the write, the first or the last is meant.
    ///
    /// That it does not read from what follows in its own thread is shown of all pairs of a read and a write ([`Proof::cannot_read_later`]).
    fn reads_own_or_later(&mut self, code: &Code<'_>, write: &Access, read: &Access, instance: Instance) -> bool {
        let key = (write.number, read.number, instance);
        if let Some(&known) = self.forwarded.get(&key) {
            return known;
        }
        let flat = &code.flat;
        let ends = match instance {
            Instance::First => vec![write.at, read.at],
            Instance::Last => vec![write.at],
        };
        let behind = flat.reachable_without([write.at], &ends);
        let overwritten =
            code.stores.iter().filter(|other| other.at != write.at && other.may_meet(write)).any(|other| {
                flat.group(other.at) == flat.group(write.at)
                    || behind[other.at] && flat.reachable_without([other.at], &ends)[read.at]
            });
        let is_one = flat.group(write.at) == flat.group(read.at);
        let known = !overwritten && !is_one && self.rejects_stale(write, read);
        self.forwarded.insert(key, known);
        known
    }

    /// Whether the model rejects that a read reads what its own thread has overwritten, and that an earlier write of a thread is later in coherence.
    fn rejects_stale(&mut self, write: &Access, read: &Access) -> bool {
        let backwards = Scene {
            po: edge(0, 1),
            loc: edge(0, 1),
            co: edge(1, 0),
            events: smallvec![Label::SOME_WRITE, write.labels[0]],
            ..Scene::default()
        };
        let stale = |apart: u64, label: &Label| Scene {
            events: smallvec![Label::SOME_WRITE, write.labels[0], *label],
            apart,
            po: edge(1, 2),
            loc: edge(0, 1) | edge(0, 2) | edge(1, 2),
            rf: edge(0, 2),
            co: edge(0, 1),
            ..Scene::default()
        };
        self.asker.rejects(backwards)
            && read.labels.iter().all(|label| [0, 1].into_iter().all(|apart| self.asker.rejects(stale(apart, label))))
    }

    fn is_ordered_by(&mut self, pair: &Pair<'_>, write: &Access, read: &Access, instance: Instance) -> bool {
        let flat = &pair.code.flat;
        let differ = |a: At, b: At| flat.group(a) != flat.group(b);
        let accesses = [pair.read.at, write.at, read.at, pair.write.at];
        let late = pair.may_be_late(read, instance);
        let is_apart = differ(pair.read.at, read.at)
            && differ(write.at, pair.write.at)
            && (pair.again || differ(pair.read.at, pair.write.at));
        is_apart
            && (0..=usize::from(instance == Instance::First)).all(|repeated| {
                let Some(behind) = &read.followed[repeated][pair.write.at] else { return true };
                let fences = behind.passed.iter().map(|at| at as At).filter(|&at| {
                    matches!(flat.instr(at), Instr::Fence { .. }) && accesses.iter().all(|&access| differ(access, at))
                });
                std::iter::once(None).chain(fences.map(Some)).any(|fence| {
                    (0..=usize::from(late)).all(|again| {
                        let Some(at_write) = &pair.read.followed[again][write.at] else { return true };
                        let (again, repeated) = (again == 1, repeated == 1);
                        let middle = Middle { write, read, late, at_write, again, behind, repeated, fence };
                        [false, true].into_iter().all(|elsewhere| self.is_ordered_when(pair, &middle, elsewhere))
                    })
                })
            })
    }

    /// Whether the order is there when the read between reads from its own thread, or from elsewhere.
    fn is_ordered_when(&mut self, pair: &Pair<'_>, middle: &Middle<'_>, elsewhere: bool) -> bool {
        let flat = &pair.code.flat;
        let order = self.asker.program.order;
        let (first, last) = (pair.read, pair.write);
        let on = |holds: bool, from: usize, to: usize| if holds { edge(from, to) } else { 0 };
        let source = if elsewhere { MIDDLE + 1 } else { OWN };
        let fence = if elsewhere { MIDDLE + 2 } else { MIDDLE + 1 };
        let end = fence + usize::from(middle.fence.is_some());

        let firsts = Relation::of(flat, [first, middle.write], middle.at_write, middle.again, order);
        let lasts = Relation::of(flat, [middle.read, last], middle.behind, middle.repeated, order);
        let whole = Relation::of(flat, [first, last], pair.state, true, order);
        let at_middle = |holds: &dyn Fn(&State) -> bool| pair.all_at(middle.read.at, middle.late, holds);
        let by_address = match flat.instr(middle.read.at) {
            Instr::Load(load) => at_middle(&|state| state.depends(flat, middle.read.at, load.addr)),
            _ => false,
        };
        let mut scene = Scene {
            apart: if elsewhere { 1 << source } else { 0 },
            po: edge(READ, MIDDLE) | edge(OWN, MIDDLE) | edge(OWN, end) | edge(READ, end),
            loc: edge(OWN, MIDDLE)
                | on(first.is_at(middle.read), READ, OWN)
                | on(first.is_at(middle.read), READ, MIDDLE)
                | on(last.is_at(middle.read), OWN, end)
                | on(last.is_at(middle.read), MIDDLE, end)
                | on(first.is_at(last), READ, end),
            addr: on(by_address, READ, MIDDLE),
            ctrl: on(at_middle(&State::is_controlled), READ, MIDDLE),
            rf: edge(source, MIDDLE),
            ..Scene::default()
        };
        firsts.put(&mut scene, READ, OWN);
        lasts.put(&mut scene, MIDDLE, end);
        whole.put(&mut scene, READ, end);
        let halves = !middle.repeated && are_halves(flat, middle.read.at, last.at);
        let middle_labels = if halves { &middle.read.labels[..1] } else { &middle.read.labels[..] };
        let mut all: Vec<&[Label]> = vec![pair.reads(), &middle.write.labels, middle_labels];
        if elsewhere {
            scene.co = edge(OWN, source);
            scene.loc |= edge(OWN, source) | edge(source, MIDDLE);
            all.push(&[Label::SOME_WRITE]);
        }
        let fence_labels = middle.fence.map(|at| labels(flat.instr(at), pair.code.tags)).unwrap_or_default();
        if let Some(at) = middle.fence {
            scene.po |= edge(READ, fence) | edge(OWN, fence) | edge(MIDDLE, fence) | edge(fence, end);
            let mut states =
                middle.read.followed[..=usize::from(middle.repeated)].iter().filter_map(|s| s[at].as_ref());
            let by_middle = states.all(State::is_controlled);
            scene.ctrl |= on(pair.all_at(at, true, State::is_controlled), READ, fence) | on(by_middle, MIDDLE, fence);
            all.push(&fence_labels);
        }
        all.push(&last.labels);
        self.all_ordered(&scene, &all)
    }
}

impl Pair<'_> {
    /// Whether the read may have been passed again before this instance of a read behind it.
    fn may_be_late(&self, behind: &Access, instance: Instance) -> bool {
        let before = self.read.followed[0][self.read.at].as_ref();
        self.again && !(instance == Instance::First && before.is_some_and(|s| s.passed.contains(behind.at as u32)))
    }

    /// Whether something holds of a place whenever the thread comes there between the read and the write; unless `late`, before it comes by the read again.
    fn all_at(&self, at: At, late: bool, holds: impl Fn(&State) -> bool) -> bool {
        let rounds = ..=usize::from(self.again && late);
        self.read.followed[rounds].iter().all(|states| states[at].as_ref().is_none_or(&holds))
    }
}

/// What is certain between a read and a later write of its thread.
#[derive(Default)]
struct Relation {
    po: bool,
    addr: bool,
    data: bool,
    ctrl: bool,
    amo: bool,
    /// They may be of one instance of an instruction.
    together: bool,
}

impl Relation {
    /// By what is certain at the write. `apart`: they are not of one instance of an instruction.
    fn of(
        flat: &Flat<'_>,
        [read, write]: [&Access; 2],
        state: &State,
        apart: bool,
        order: InstructionOrder,
    ) -> Relation {
        let together = !apart && flat.group(read.at) == flat.group(write.at);
        let amo = together && are_halves(flat, read.at, write.at);
        let Instr::Store(store) = flat.instr(write.at) else { return Relation { together, ..Relation::default() } };
        Relation {
            po: !together || amo && order == InstructionOrder::DataFlow,
            addr: state.depends(flat, write.at, store.addr),
            data: state.depends(flat, write.at, store.value),
            ctrl: state.is_controlled(),
            amo,
            together,
        }
    }

    fn put(&self, scene: &mut Scene, from: usize, to: usize) {
        let at = edge(from, to);
        let held = [
            (self.po, &mut scene.po),
            (self.addr, &mut scene.addr),
            (self.data, &mut scene.data),
            (self.ctrl, &mut scene.ctrl),
            (self.amo, &mut scene.amo),
            (self.together, &mut scene.together),
        ];
        held.into_iter().filter(|(holds, _)| *holds).for_each(|(_, edges)| *edges |= at);
    }
}

fn is_plain(access: &Access) -> bool {
    access.labels.iter().all(Label::is_plain)
}
