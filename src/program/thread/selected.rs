//! Values that branches selected: what is done where the ways of a branch meet ([`crate::program::merging`]), and what is known of memory.

use super::context::{Context, Slot};
use super::frame::{Frame, Open};
use crate::program::deps::{DepId, DepTable};
use crate::program::instr::*;
use crate::program::{Function, Program};
use smallvec::SmallVec;
use std::sync::Arc;

/// So many bytes of frame-private memory depend on the same.
pub(super) const CELL: usize = 4;

/// Plain memory of which branches selected the contents. Other threads may use it at other times; what they wrote since is seen by its value.
#[derive(Clone, Default, Debug)]
pub(super) struct Selected(Option<Arc<Vec<Place>>>);

#[derive(Clone, Copy, Debug)]
struct Place {
    address: u64,
    deps: DepId,
    /// What the thread knows to be there.
    value: Option<u64>,
}

impl Selected {
    fn add(&mut self, address: u64, condition: DepId, deps: &mut DepTable) {
        let places = Arc::make_mut(self.0.get_or_insert_default());
        match places.iter_mut().find(|place| place.address == address) {
            Some(place) => place.deps = deps.selected(place.deps, condition),
            None => places.push(Place { address, deps: deps.selected(DepId::NONE, condition), value: None }),
        }
    }

    /// Whether all that is known of another memory is known of this one, with this event among what selected the contents where the other one has that.
    pub(super) fn covers(&self, own: u32, other: &Selected, others: u32, table: &DepTable) -> bool {
        let places = |memory: &Selected| memory.0.clone().unwrap_or_default();
        let own_places = places(self);
        let is_known = |place: &Place| {
            let is_same = |known: &&Place| (known.address, known.value) == (place.address, place.value);
            own_places.iter().find(is_same).is_some_and(|known| table.covers(known.deps, own, place.deps, others))
        };
        places(other).iter().all(is_known)
    }

    /// What selected the value that was read at an address.
    fn read(&mut self, address: u64, value: u64) -> DepId {
        let Some(shared) = &mut self.0 else { return DepId::NONE };
        let Some(at) = shared.iter().position(|place| place.address == address) else { return DepId::NONE };
        let place = shared[at];
        match place.value {
            Some(known) if known == value => place.deps,
            Some(_) => {
                Arc::make_mut(shared).swap_remove(at);
                DepId::NONE
            }
            None => {
                Arc::make_mut(shared)[at].value = Some(value);
                place.deps
            }
        }
    }

    /// The thread has written a value that something selected, or nothing.
    fn write(&mut self, address: u64, value: u64, deps: DepId) {
        if let Some(shared) = &mut self.0
            && let Some(at) = shared.iter().position(|place| place.address == address)
        {
            Arc::make_mut(shared).swap_remove(at);
        }
        if deps != DepId::NONE {
            Arc::make_mut(self.0.get_or_insert_default()).push(Place { address, deps, value: Some(value) });
        }
    }

    /// An access has ended, with this value for a read; what selected that.
    pub fn pass(&mut self, program: &Program, frame: &Frame, value: u64, table: &mut DepTable) -> DepId {
        let Some(plain) = program.plain else { return DepId::NONE };
        match &program.functions[frame.func.index()].code[frame.pc as usize] {
            Instr::Load(load) if self.0.is_some() && load.tags == plain.read => {
                self.read(frame.get(load.addr).value, value)
            }
            Instr::Store(store) => {
                let Slot { value, deps } = frame.get(store.value);
                let selection = table.selection(deps);
                if self.0.is_some() || selection != DepId::NONE {
                    let deps =
                        if store.tags == plain.write { table.selected(DepId::NONE, selection) } else { DepId::NONE };
                    let value = crate::program::arith::truncate(value, store.size * 8);
                    self.write(frame.get(store.addr).value, value, deps);
                }
                DepId::NONE
            }
            _ => DepId::NONE,
        }
    }
}

impl Frame {
    /// Opens a branch whose condition depends on something.
    pub(super) fn open(&mut self, function: &Function, join: Join, condition: DepId, cx: &mut Context<'_>) {
        let meeting = match function.meetings.is_empty() || join == Join::Never {
            true => None,
            false => function.meetings.binary_search_by_key(&self.pc, |meeting| meeting.branch).ok(),
        };
        let deps = cx.deps.control(condition);
        let (join, controls) = match (join, meeting) {
            (Join::NoDependency, None) => return,
            (Join::NoDependency, Some(meeting)) => {
                (function.meetings[meeting].at.map_or(Join::AtReturn, Join::At), false)
            }
            _ => (join, true),
        };
        let meeting = meeting.map(|meeting| meeting as u32);
        let is_this = |open: &&mut Open| (open.join, open.controls, open.meeting) == (join, controls, meeting);
        match self.branches.iter_mut().find(is_this) {
            Some(open) => open.deps = cx.deps.union(open.deps, deps),
            None => self.branches.push(Open { join, deps, controls, meeting }),
        }
        if controls {
            self.ctrl = cx.deps.union(self.ctrl, deps);
        }
    }

    /// Opens a call through a pointer, as a branch to the functions that it may run.
    pub(super) fn open_call(&mut self, function: &Function, pointer: DepId, cx: &mut Context<'_>) {
        let meeting = function.meetings.binary_search_by_key(&self.pc, |meeting| meeting.branch);
        if let (Ok(meeting), true) = (meeting, pointer != DepId::NONE) {
            let lasts = function.meetings[meeting].lasts;
            self.open(function, if lasts { Join::Never } else { Join::At(self.pc + 1) }, pointer, cx);
        }
    }

    /// The ways of a branch meet: what differs there depends on the condition.
    pub(super) fn select(&mut self, function: &Function, open: Open, memory: &mut Selected, cx: &mut Context<'_>) {
        let Some(meeting) = open.meeting.and_then(|number| function.meetings.get(number as usize)) else { return };
        for &register in &meeting.registers {
            let slot = &mut self.regs[register as usize];
            slot.deps = cx.deps.selected(slot.deps, open.deps);
        }
        for &(first, last) in &meeting.locals {
            self.add_to_local(first as usize, last as usize, |deps| cx.deps.selected(deps, open.deps));
        }
        for address in &meeting.memory {
            if let Some(address) = address.value(&|operand| self.get(operand).value) {
                memory.add(address, open.deps, cx.deps);
            }
        }
    }

    /// The function is left with the scalars of its result: what differs there depends on the conditions of branches whose ways have not met before.
    pub(super) fn select_results(
        &mut self,
        function: &Function,
        results: &mut [Slot],
        memory: &mut Selected,
        cx: &mut Context<'_>,
    ) {
        for at in 0..self.branches.len() {
            let open = self.branches[at];
            if open.join != Join::AtReturn {
                continue;
            }
            self.select(function, open, memory, cx);
            let which = open.meeting.map_or(0, |number| function.meetings[number as usize].results);
            for (i, result) in results.iter_mut().enumerate().take(64) {
                if which & (1 << i) != 0 {
                    result.deps = cx.deps.selected(result.deps, open.deps);
                }
            }
        }
    }

    /// What a range of frame-private memory depends on.
    pub(super) fn local_deps(&self, bytes: std::ops::Range<usize>, table: &mut DepTable) -> DepId {
        let cells = self.local_deps.get(bytes.start / CELL..).unwrap_or_default();
        let count = bytes.end.div_ceil(CELL) - bytes.start / CELL;
        cells.iter().take(count).fold(DepId::NONE, |all, &deps| table.union(all, deps))
    }

    /// A value was written to a range of frame-private memory; where the offset depends on something, so does all of the variable.
    pub(super) fn write_local(
        &mut self,
        function: &Function,
        bytes: std::ops::Range<usize>,
        [offset, value]: [DepId; 2],
        cx: &mut Context<'_>,
    ) {
        if self.local_deps.is_empty() && offset == DepId::NONE && value == DepId::NONE {
            return;
        }
        let is_whole = bytes.start.is_multiple_of(CELL) && bytes.end.is_multiple_of(CELL);
        if bytes.is_empty() {
            return;
        }
        self.add_to_local(bytes.start, bytes.end - 1, |deps| if is_whole { value } else { cx.deps.union(deps, value) });
        if offset != DepId::NONE {
            let mut variables =
                function.locals.iter().map(|&(start, size)| (start as usize, (start + size.max(1) - 1) as usize));
            let all = variables.find(|(first, last)| (first..=last).contains(&&bytes.start));
            let (first, last) = all.unwrap_or((0, self.local.len().saturating_sub(1)));
            let is_selected = cx.program.selects;
            self.add_to_local(first, last, |deps| match is_selected {
                true => cx.deps.selected(deps, offset),
                false => cx.deps.union(deps, offset),
            });
        }
    }

    fn add_to_local(&mut self, first: usize, last: usize, mut change: impl FnMut(DepId) -> DepId) {
        if self.local_deps.is_empty() {
            self.local_deps.resize(self.local.len().div_ceil(CELL), DepId::NONE);
        }
        let cells = self.local_deps.iter_mut().take(last / CELL + 1).skip(first / CELL);
        cells.for_each(|deps| *deps = change(*deps));
    }
}

/// What the action at which a thread stands is selected by: its address, its value, and others of its operands.
pub(super) fn selection(instr: &Instr, frame: &Frame, table: &mut DepTable) -> DepId {
    let operands: SmallVec<[Operand; 4]> = match instr {
        Instr::Load(load) => {
            [Some(load.addr), load.unless.map(|unless| unless.expected)].into_iter().flatten().collect()
        }
        Instr::Store(store) => [store.addr, store.value].into_iter().collect(),
        Instr::Fence { addr, .. } => addr.iter().copied().collect(),
        instr => crate::program::flow::uses(instr).into_iter().map(Operand::Reg).collect(),
    };
    operands.into_iter().fold(DepId::NONE, |all, operand| {
        let selection = table.selection(frame.get(operand).deps);
        table.union(all, selection)
    })
}
