//! A thread stands at an access that overlaps others in part: where these have to be cut.

use crate::explore::engine::context::World;
use crate::explore::sizes::Found;
use crate::graph::Graph;
use crate::graph::event::Event;
use crate::ids::{FuncId, LocId, ThreadId};
use crate::program::cuts::{Cut, is_in_contents};
use crate::program::{Instr, Pc, Start};

/// The offset of an address inside some bytes, but for their first.
fn inside(address: u64, start: u64, size: u8) -> Option<u8> {
    let offset = address.checked_sub(start)?;
    (offset > 0 && offset < u64::from(size)).then_some(offset as u8)
}

impl World<'_> {
    /// A thread stands at an access that overlaps others in part: notes where they have to be cut, if somebody wants to know. Whether they can be.
    pub fn note_sizes(&self, graph: &Graph, t: ThreadId, address: u64, size: u8) -> bool {
        let Some(met) = &self.options.met else { return false };
        let Some(loc) = self.locs.find(address, size) else { return false };
        let Some(frame) = graph.lane(t).thread.as_ref().map(|thread| thread.frame()) else { return false };
        let here = (frame.func, frame.pc);
        // A fence that has a location stays whole.
        let can_cut = |(function, pc): (FuncId, Pc)| {
            matches!(self.program.functions[function.index()].code[pc as usize], Instr::Load(_) | Instr::Store(_))
        };
        // The contents of others make no event before they are accessed.
        let is_test = matches!(self.program.start, Start::Together(_));
        let mut new = Found::default();
        for &other in self.locs.overlapping(loc).iter().filter(|&&other| graph.place(other).is_some()) {
            let (start, bytes) = self.locs.get(other);
            let ends = |start: u64, size: u8| [start, start + u64::from(size)];
            for end in ends(start, bytes) {
                let offset = inside(end, address, size).filter(|_| can_cut(here));
                new.cuts.extend(offset.map(|offset| Cut::Access(here.0, here.1, offset)));
            }
            for end in ends(address, size) {
                let Some(offset) = inside(end, start, bytes) else { continue };
                if is_test && is_in_contents(self.program, end) {
                    new.cuts.insert(Cut::Contents(end));
                }
                for event in accesses(graph, other) {
                    new.shared |= event.thread != t;
                    let stood_at = stood_at(event).filter(|&at| can_cut(at));
                    new.cuts.extend(stood_at.map(|(function, pc)| Cut::Access(function, pc, offset)));
                }
            }
            new.shared |= accesses(graph, other).any(|event| event.thread != t);
        }
        let is_new = !new.cuts.is_empty();
        met.note(new);
        is_new
    }
}

/// The accesses to a location.
fn accesses(graph: &Graph, loc: LocId) -> impl Iterator<Item = &Event> {
    let place = graph.place(loc);
    let events = place.into_iter().flat_map(|place| place.co[1..].iter().chain(&place.reads));
    events.map(|&e| graph.event(e))
}

/// The instruction of an event.
fn stood_at(event: &Event) -> Option<(FuncId, Pc)> {
    let frame = event.before.as_ref()?.frame();
    Some((frame.func, frame.pc))
}
