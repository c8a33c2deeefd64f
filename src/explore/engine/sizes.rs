//! A thread stands at an access that overlaps others in part: where these have to be cut.

use crate::explore::engine::context::World;
use crate::explore::sizes::Found;
use crate::graph::Graph;
use crate::graph::event::{Event, NO_LOC};
use crate::ids::{FuncId, ThreadId};
use crate::program::cuts::{Cut, is_in_contents};
use crate::program::{Instr, Pc, Start};
use std::collections::BTreeSet;

/// An access: its instruction, and the bytes.
struct Access {
    at: (FuncId, Pc),
    start: u64,
    size: u8,
}

impl Access {
    /// The offset of an address inside, but for the first byte.
    fn inside(&self, address: u64) -> Option<u8> {
        let offset = address.checked_sub(self.start)?;
        (offset > 0 && offset < u64::from(self.size)).then_some(offset as u8)
    }
}

impl World<'_> {
    /// A thread stands at an access that overlaps others in part: notes where they have to be cut, if somebody wants to know. Whether they can be.
    ///
    /// An instruction is cut wherever it accesses memory, and what its parts overlap then has to be cut, too. All that follows from the accesses that are there is
    /// noted at once, so that exploration need not begin anew for each.
    pub fn note_sizes(&self, graph: &Graph, t: ThreadId, address: u64, size: u8) -> bool {
        let Some(met) = &self.options.met else { return false };
        let Some(loc) = self.locs.find(address, size) else { return false };
        let Some(frame) = graph.lane(t).thread.as_ref().map(|thread| thread.frame()) else { return false };
        let here = Access { at: (frame.func, frame.pc), start: address, size };
        let overlapping: Vec<_> =
            self.locs.overlapping(loc).iter().copied().filter(|&other| graph.place(other).is_some()).collect();
        let ends = |(start, size): (u64, u8)| [start, start + u64::from(size)];
        let others = overlapping.iter().map(|&other| self.locs.get(other));
        let mut boundaries: BTreeSet<u64> = others.chain([(address, size)]).flat_map(ends).collect();
        let mut accesses = self.accesses(graph);
        accesses.extend(self.can_be_cut(here.at).then_some(here));
        let mut new = Found::default();
        loop {
            let inside = |access: &Access| {
                let (from, to) = (access.start + 1, access.start + u64::from(access.size));
                let offsets = boundaries.range(from..to).filter_map(|&end| access.inside(end)).collect::<Vec<_>>();
                offsets.into_iter().map(|offset| Cut::Access(access.at.0, access.at.1, offset)).collect::<Vec<_>>()
            };
            let more: BTreeSet<Cut> = accesses.iter().flat_map(inside).collect();
            if more == new.cuts {
                break;
            }
            new.cuts = more;
            for access in &accesses {
                let (function, pc) = access.at;
                let offsets = (1..access.size).filter(|&at| new.cuts.contains(&Cut::Access(function, pc, at)));
                boundaries.extend(offsets.map(|offset| access.start + u64::from(offset)));
            }
        }
        // The contents of others make no event before they are accessed.
        if matches!(self.program.start, Start::Together(_)) {
            let inside = boundaries.into_iter().filter(|&end| is_in_contents(self.program, end));
            new.cuts.extend(inside.map(Cut::Contents));
        }
        let is_other = |event: &Event| event.thread != t && overlapping.contains(&event.loc);
        new.shared = graph.ids().any(|e| graph.event(e).before.is_some() && is_other(graph.event(e)));
        let is_new = !new.cuts.is_empty();
        met.note(new);
        is_new
    }

    /// The accesses that are there, in so far as they can be cut.
    fn accesses(&self, graph: &Graph) -> Vec<Access> {
        let events = graph.ids().map(|e| graph.event(e)).filter(|event| event.loc != NO_LOC);
        let access = |event: &Event| {
            let frame = event.before.as_ref()?.frame();
            let (at, (start, size)) = ((frame.func, frame.pc), self.locs.get(event.loc));
            self.can_be_cut(at).then_some(Access { at, start, size })
        };
        events.filter_map(access).collect()
    }

    /// Whether an instruction can be cut: a fence that has a location stays whole.
    fn can_be_cut(&self, (function, pc): (FuncId, Pc)) -> bool {
        matches!(self.program.functions[function.index()].code[pc as usize], Instr::Load(_) | Instr::Store(_))
    }
}
