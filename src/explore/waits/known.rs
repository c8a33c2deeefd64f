//! What is known of waits: by the code alone, and remembered of what was found out.

use crate::graph::Graph;
use crate::graph::event::Kind;
use crate::ids::{EventId, LocId, TagSetId, ThreadId};
use crate::program::instr::{Callee, Function};
use crate::program::thread::Thread;
use crate::program::{Half, Instr, Program};
use rustc_hash::{FxBuildHasher, FxHashSet};
use smallvec::SmallVec;
use std::hash::BuildHasher;

/// What was found of reads with other tags: whether hidden; the tags of the thread, of the read, and instead of these.
pub(in crate::explore) type Retagged = Vec<((bool, TagSetId, TagSetId, TagSetId), bool)>;

/// Reads that were left out, and writes, of which others who explore the program were told: where, whether it is a write, its tags.
pub(in crate::explore) type Noted = FxHashSet<(LocId, bool, TagSetId)>;

/// Whether code compares and swaps in a loop, so that it may try again.
pub(in crate::explore) fn tries_again(program: &Program) -> bool {
    let in_loop = |instr: &Instr, depth: Option<&u8>| {
        matches!(instr, Instr::Load(load) if load.unless.is_some() && is_update(load.half))
            && depth.is_some_and(|&depth| depth > 0)
    };
    program
        .functions
        .iter()
        .any(|function| function.code.iter().enumerate().any(|(pc, instr)| in_loop(instr, function.depth_at.get(pc))))
}

/// For each function, whether it calls one whose code can wait.
pub(in crate::explore) fn calls_waits(program: &Program) -> Vec<bool> {
    let waits = |function: &Function| function.may_stop || function.may_idle_at.contains(&true);
    let mut calls = vec![false; program.functions.len()];
    loop {
        let may = |callee: usize| calls[callee] || waits(&program.functions[callee]);
        let leads = |instr: &Instr| match instr {
            Instr::Call { callee: Callee::Direct(callee), .. } => may(callee.index()),
            Instr::Call { callee: Callee::Indirect(_), .. } => (0..calls.len()).any(may),
            _ => false,
        };
        let more: Vec<bool> = program.functions.iter().map(|function| function.code.iter().any(leads)).collect();
        if more == calls {
            return calls;
        }
        calls = more;
    }
}

/// How many answers of [`World::would_wait`] are kept.
const KEPT: usize = 256;

/// Whether threads would wait, remembered for places where they stand and the last writes that they would read.
#[derive(Default)]
pub struct Foresight(Vec<Option<Foreseen>>);

/// What [`World::would_wait`] found.
pub(super) struct Foreseen {
    /// Kept, so that no other snapshot gets its address.
    pub(super) from: Thread,
    pub(super) thread: ThreadId,
    pub(super) done: usize,
    pub(super) reads: Reads,
    pub(super) waits: bool,
}

/// What a thread that was run ahead has read: the values of the last writes.
pub(super) type Reads = SmallVec<[(LocId, u64); 4]>;

impl Foresight {
    pub(super) fn place(thread: &Thread) -> usize {
        FxBuildHasher.hash_one(thread.identity()) as usize % KEPT
    }

    /// What was found for a thread that stood there and read the same.
    pub(super) fn get(&self, graph: &Graph, t: ThreadId, thread: &Thread, done: usize) -> Option<bool> {
        let known = self.0.get(Self::place(thread))?.as_ref()?;
        let last = |loc| last_write(graph, loc).map(|w| graph.event(w).value);
        let same = known.from.identity() == thread.identity()
            && (known.thread, known.done) == (t, done)
            && known.reads.iter().all(|&(loc, value)| last(loc) == Some(value));
        same.then_some(known.waits)
    }

    pub(super) fn set(&mut self, found: Foreseen) {
        self.0.resize_with(KEPT, || None);
        let place = Self::place(&found.from);
        self.0[place] = Some(found);
    }
}

/// The last write in coherence, or where the order is of no interest the one that a read tries first: which thread runs next is a function of the graph, and the order at hand
/// is none.
pub(super) fn last_write(graph: &Graph, loc: LocId) -> Option<EventId> {
    if graph.is_unordered(loc) { graph.listed(loc).last().copied() } else { graph.last_write(loc) }
}

/// What was found of events, by all that decides about their base sets: kind, whether hidden, whether a fence, tags, tags of the thread.
#[derive(Default)]
pub struct Renewals(pub(super) Vec<(Like, bool)>);

pub(super) type Like = (Kind, [bool; 2], TagSetId, TagSetId);

pub(super) fn is_update(half: Half) -> bool {
    matches!(half, Half::AmoRead | Half::FusedRead)
}
