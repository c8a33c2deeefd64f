//! What may change in a thread when one of its reads has a value that it never had in an exploration.
//!
//! A forward analysis of one read, for all later places at once; where paths meet, what may be on one of them is kept. A value may differ because
//! it is computed from the read (`data`), or because it is set, or not set, where the thread goes a way that no thread
//! has gone (`implied`). Ways that were gone bring nothing new: what happens there has been seen.

use super::flat::{At, Flat};
use super::follow::{End, result_of};
use crate::kernel::bits::Bits;
use crate::program::flow::{defines, merge_points};
use crate::program::thread::Covered;
use crate::program::{Instr, Operand};
use std::collections::BTreeSet;

/// What may differ, and why.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Change {
    /// It is computed from the read.
    pub data: bool,
    /// It depends on the way that the thread takes.
    pub implied: bool,
}

impl Change {
    pub fn or(self, other: Change) -> Change {
        Change { data: self.data || other.data, implied: self.implied || other.implied }
    }

    pub fn any(self) -> bool {
        self.data || self.implied
    }

    /// As something that is picked by this, and not computed from it.
    fn picks(self) -> Change {
        Change { data: false, implied: self.any() }
    }
}

/// What may be so at a place.
#[derive(Clone, PartialEq, Default)]
struct State {
    /// Registers, and calls whose private memory may differ: computed, implied.
    regs: [Bits; 2],
    local: [Bits; 2],
    /// Where ways end that are not the only ones any more; whether nobody has gone this one.
    ways: BTreeSet<(End, bool)>,
    /// The thread has gone some new way.
    is_new: bool,
}

/// The code of a thread, and what of it was passed.
pub(super) struct Passed<'a, 'p> {
    flat: &'a Flat<'p>,
    covered: &'a Covered,
    /// Where the ways behind each node meet again.
    merges: Vec<End>,
}

impl State {
    fn of(&self, flat: &Flat<'_>, at: At, operand: Operand) -> Change {
        let Operand::Reg(reg) = operand else { return Change::default() };
        let [data, implied] = self.regs.each_ref().map(|set| set.contains(flat.reg(at, reg) as u32));
        Change { data, implied }
    }

    fn set(&mut self, reg: usize, change: Change) {
        let implied = change.implied || !self.ways.is_empty();
        for (set, holds) in self.regs.iter_mut().zip([change.data, implied]) {
            match holds {
                true => set.insert(reg as u32),
                false => set.remove(reg as u32),
            }
        }
    }

    fn join(&mut self, other: &State) -> bool {
        let (ways, was_new) = (self.ways.len(), self.is_new);
        let mut grown = false;
        for (own, others) in [(&mut self.regs, &other.regs), (&mut self.local, &other.local)] {
            for (set, more) in own.iter_mut().zip(others) {
                grown |= set.union_with(more);
            }
        }
        self.ways.extend(&other.ways);
        self.is_new |= other.is_new;
        grown || self.ways.len() > ways || self.is_new != was_new
    }

    fn pass(&mut self, flat: &Flat<'_>, at: At) {
        let on = |state: &State, operand: Operand| state.of(flat, at, operand);
        let call = flat.call(at) as u32;
        let change = match flat.instr(at) {
            Instr::Set { src, .. } | Instr::SetStatus { src, .. } => on(self, *src),
            Instr::Bin { a, b, .. } => on(self, *a).or(on(self, *b)),
            Instr::Un { a, .. } => on(self, *a),
            Instr::Select { cond, a, b, on_cond, .. } => {
                let cond = on(self, *cond);
                on(self, *a).or(on(self, *b)).or(if *on_cond { cond } else { cond.picks() })
            }
            Instr::Load(load) => on(self, load.addr),
            Instr::LocalLoad { offset, .. } => {
                let [data, implied] = self.local.each_ref().map(|calls| calls.contains(call));
                on(self, *offset).or(Change { data, implied })
            }
            Instr::LocalStore { offset, value, .. } => {
                let change = on(self, *offset).or(on(self, *value));
                let implied = change.implied || !self.ways.is_empty();
                for (calls, holds) in self.local.iter_mut().zip([change.data, implied]) {
                    if holds {
                        calls.insert(call);
                    }
                }
                return;
            }
            Instr::Call { args, .. } => {
                let changes: Vec<Change> = args.iter().map(|&arg| on(self, arg)).collect();
                if let Some(callee) = flat.callee(at) {
                    for i in 0..callee.count {
                        self.set(callee.regs + i, changes.get(i).copied().unwrap_or_default());
                    }
                    let inner = flat.call(callee.start) as u32;
                    self.local.iter_mut().for_each(|calls| calls.remove(inner));
                }
                return;
            }
            Instr::Return { value } => return self.leave(flat, at, value.as_slice()),
            Instr::ReturnMany { values } => return self.leave(flat, at, values),
            _ => Change::default(),
        };
        if let Some(dst) = defines(flat.instr(at)) {
            self.set(flat.reg(at, dst), change);
        }
    }

    fn leave(&mut self, flat: &Flat<'_>, at: At, values: &[Operand]) {
        let changes: Vec<Change> = values.iter().map(|&value| self.of(flat, at, value)).collect();
        let call = flat.call(at);
        if let Some(dst) = result_of(flat, call) {
            changes.iter().enumerate().for_each(|(i, &change)| self.set(dst + i, change));
        }
        self.ways.retain(|(end, _)| match *end {
            End::Never => true,
            End::At(end) => flat.call(end) != call,
            End::Return(of) => of != call,
        });
    }
}

impl<'a, 'p> Passed<'a, 'p> {
    pub fn new(flat: &'a Flat<'p>, covered: &'a Covered) -> Self {
        let merges = flat.calls.iter().enumerate().flat_map(|(number, call)| {
            let points = merge_points(call.function).into_iter();
            points.map(move |at| at.map_or(End::Return(number), |pc| End::At(call.start + pc as usize)))
        });
        Passed { merges: merges.collect(), flat, covered }
    }

    fn was_taken(&self, at: At, held: bool) -> bool {
        self.covered.was_taken(self.flat.function(at), self.flat.pc(at), held)
    }

    /// Whether all ways on from a condition were taken.
    fn all_taken(&self, at: At) -> bool {
        self.was_taken(at, true) && self.was_taken(at, false)
    }

    /// Whether there is a place where threads could go another way than any has gone.
    pub fn has_new_ways(&self) -> bool {
        let live = self.flat.live();
        (0..self.flat.len()).filter(|&at| live[at]).any(|at| match self.flat.instr(at) {
            Instr::Branch { then, otherwise, .. } => {
                then != otherwise && self.flat.next[at].len() > 1 && !self.all_taken(at)
            }
            Instr::Select { on_cond, .. } => !on_cond && !self.all_taken(at),
            Instr::StopUnless { .. } => !self.was_taken(at, true),
            _ => false,
        })
    }

    /// What each write of a thread may change to when a read changes, by the places of the writes.
    pub fn changes(&self, read: At, writes: &[At]) -> Vec<Change> {
        let flat = self.flat;
        let mut states: Vec<Option<State>> = vec![None; flat.len()];
        let mut work = Vec::new();
        let mut behind = State::default();
        if let Some(dst) = defines(flat.instr(read)) {
            behind.set(flat.reg(read, dst), Change { data: true, implied: false });
        }
        self.go_on(read, behind, &mut states, &mut work);
        while let Some(at) = work.pop() {
            let Some(mut state) = states[at].clone() else { continue };
            state.pass(flat, at);
            if at == read
                && let Some(dst) = defines(flat.instr(read))
            {
                state.set(flat.reg(read, dst), Change { data: true, implied: true });
            }
            self.go_on(at, state, &mut states, &mut work);
        }
        writes
            .iter()
            .map(|&at| states[at].as_ref().map_or(Change::default(), |state| self.written(at, state)))
            .collect()
    }

    fn written(&self, at: At, state: &State) -> Change {
        let Instr::Store(store) = self.flat.instr(at) else { return Change::default() };
        let is_new = state.is_new && !self.covered.is_reached(self.flat.function(at), self.flat.pc(at));
        let happens = Change { data: false, implied: is_new || state.ways.iter().any(|&(_, is_new)| is_new) };
        happens.or(state.of(self.flat, at, store.addr)).or(state.of(self.flat, at, store.value))
    }

    /// Hands a state on to the places behind a node.
    fn go_on(&self, at: At, state: State, states: &mut [Option<State>], work: &mut Vec<At>) {
        let flat = self.flat;
        let reach = |to: At, mut state: State, states: &mut [Option<State>], work: &mut Vec<At>| {
            state.ways.retain(|&(end, _)| end != End::At(to));
            let grown = match &mut states[to] {
                Some(known) => known.join(&state),
                empty => {
                    *empty = Some(state);
                    true
                }
            };
            if grown {
                work.push(to);
            }
        };
        let cond = match flat.instr(at) {
            Instr::Branch { cond, .. } | Instr::StopUnless { cond, .. } => state.of(flat, at, *cond),
            _ => Change::default(),
        };
        for &to in &flat.next[at] {
            let mut state = state.clone();
            match flat.instr(at) {
                Instr::Branch { then, .. } if cond.any() && flat.next[at].len() > 1 && !self.all_taken(at) => {
                    let held = to == flat.calls[flat.call(at)].start + *then as usize;
                    let is_new = !self.was_taken(at, held);
                    state.ways.insert((self.merges[at], is_new));
                    state.is_new |= is_new;
                }
                Instr::StopUnless { .. } if cond.any() && !self.was_taken(at, true) => {
                    state.ways.insert((End::Never, true));
                    state.is_new = true;
                }
                _ => {}
            }
            reach(to, state, states, work);
        }
    }
}
