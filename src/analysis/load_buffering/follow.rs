//! What a thread certainly does between a read and what it comes to later: which events it passes, and what depends on the read.
//!
//! A forward analysis of one read, for all later places at once; where paths meet, what holds on both is kept. It follows the
//! interpreter's rules for dependencies (`program::thread::run`) and leaves out what those may leave out. A call through a pointer is no dependency on that: where it is
//! to a model, a branch stands before the call.

use crate::analysis::load_buffering::flat::{At, Flat};
use crate::program::flow::defines;
use crate::program::{Instr, Join, Operand, Reg};
use crate::relation::bits::Bits;
use smallvec::SmallVec;
use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

/// What holds at a place on all paths that lead there from the read.
#[derive(Clone, PartialEq)]
pub(super) struct State {
    /// Registers that depend on the read.
    regs: Bits,
    /// Registers that it takes part in selecting: what they decide depends on it.
    chosen: Bits,
    /// Where control dependencies on it end.
    ctrl: BTreeSet<End>,
    /// Events that were passed.
    pub passed: Bits,
}

/// Where what a branch decides ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    Never,
    At(At),
    Return(usize),
}

impl State {
    /// Just behind the read.
    fn behind(read: usize) -> State {
        let mut regs = Bits::new();
        regs.insert(read as u32);
        State { regs, chosen: Bits::new(), ctrl: BTreeSet::new(), passed: Bits::new() }
    }

    /// Keeps what holds in another state too; whether anything changed.
    fn meet(&mut self, other: &State) -> bool {
        let before = self.clone();
        self.regs.intersect_with(&other.regs);
        self.chosen.intersect_with(&other.chosen);
        self.passed.intersect_with(&other.passed);
        self.ctrl.retain(|end| other.ctrl.contains(end));
        *self != before
    }

    /// Whether a value depends on the read.
    pub fn depends(&self, flat: &Flat<'_>, at: At, operand: Operand) -> bool {
        matches!(operand, Operand::Reg(reg) if self.regs.contains(flat.reg(at, reg) as u32))
    }

    /// Whether it takes part in selecting a value.
    fn chooses(&self, flat: &Flat<'_>, at: At, operand: Operand) -> bool {
        matches!(operand, Operand::Reg(reg) if self.chosen.contains(flat.reg(at, reg) as u32))
    }

    /// Whether what happens here depends on it for control.
    pub fn is_controlled(&self) -> bool {
        !self.ctrl.is_empty()
    }

    fn set(&mut self, reg: usize, [depends, is_chosen]: [bool; 2]) {
        for (set, holds) in [(&mut self.regs, depends), (&mut self.chosen, is_chosen)] {
            match holds {
                true => set.insert(reg as u32),
                false => set.remove(reg as u32),
            }
        }
    }

    fn arrive(&mut self, at: At) {
        self.ctrl.remove(&End::At(at));
    }

    /// Goes past an instruction.
    fn pass(&mut self, flat: &Flat<'_>, at: At) {
        let on = |state: &State, operand: Operand| state.depends(flat, at, operand);
        let both = |state: &State, operand: Operand| [on(state, operand), state.chooses(flat, at, operand)];
        let any = |[a, b]: [bool; 2]| a || b;
        let call = flat.call(at);
        match flat.instr(at) {
            Instr::Set { dst, src } | Instr::SetStatus { dst, src } => {
                let depends = both(self, *src);
                self.set(flat.reg(at, *dst), depends);
            }
            Instr::Bin { dst, a, b, .. } => {
                let [a, b] = [*a, *b].map(|operand| both(self, operand));
                let depends = [a[0] || b[0], a[1] || b[1]];
                self.set(flat.reg(at, *dst), depends);
            }
            Instr::Un { dst, a, .. } => {
                let depends = both(self, *a);
                self.set(flat.reg(at, *dst), depends);
            }
            Instr::Select { dst, cond, a, b, on_cond } => {
                let [a, b, cond] = [*a, *b, *cond].map(|operand| both(self, operand));
                let depends = match *on_cond && flat.selects {
                    true => [a[0] && b[0], a[1] && b[1] || any(cond)],
                    false => [0, 1].map(|kind| a[kind] && b[kind] || *on_cond && cond[kind]),
                };
                self.set(flat.reg(at, *dst), depends);
            }
            Instr::Branch { cond, join, .. } if any(both(self, *cond)) => {
                self.ctrl.extend(match join {
                    Join::Never => Some(End::Never),
                    Join::At(pc) => Some(End::At(flat.calls[call].start + *pc as usize)),
                    Join::AtReturn => Some(End::Return(call)),
                    Join::NoDependency | Join::Merge => None,
                });
            }
            Instr::LocalLoad { dst, offset, .. } => {
                let depends = both(self, *offset);
                self.set(flat.reg(at, *dst), depends);
            }
            Instr::Call { args, .. } => {
                let depends: Vec<[bool; 2]> = args.iter().map(|&arg| both(self, arg)).collect();
                for callee in flat.callees(at) {
                    (0..callee.count)
                        .for_each(|i| self.set(callee.regs + i, depends.get(i).copied().unwrap_or_default()));
                }
            }
            Instr::Return { value } => {
                let result = value.map_or([false; 2], |value| both(self, value));
                self.leave(flat, at, &[result]);
            }
            Instr::ReturnMany { values } => {
                let results: Vec<[bool; 2]> = values.iter().map(|&value| both(self, value)).collect();
                self.leave(flat, at, &results);
            }
            instr => {
                if matches!(instr, Instr::Load(_) | Instr::Store(_) | Instr::Fence { .. }) {
                    self.passed.insert(at as u32);
                }
                if let Some(dst) = defines(instr) {
                    self.set(flat.reg(at, dst), [false; 2]);
                }
            }
        }
    }

    fn leave(&mut self, flat: &Flat<'_>, at: At, results: &[[bool; 2]]) {
        let call = flat.call(at);
        let inside = |at: At| flat.call(at) == call;
        self.ctrl.retain(|end| match *end {
            End::Never => true,
            End::At(end) => !inside(end),
            End::Return(of) => of != call,
        });
        results_of(flat, call).zip(results).for_each(|(dst, &depends)| self.set(dst, depends));
    }
}

/// The registers that get the results of a call.
pub(super) fn results_of(flat: &Flat<'_>, call: usize) -> Range<usize> {
    let Some(at) = flat.caller(call) else { return 0..0 };
    let Instr::Call { dst: Some(dst), .. } = flat.instr(at) else { return 0..0 };
    flat.results(at, *dst)
}

/// Calls `each` with every register that a node sets.
pub(super) fn sets(flat: &Flat<'_>, at: At, each: &mut dyn FnMut(usize)) {
    match flat.instr(at) {
        Instr::Call { args, .. } => {
            flat.callees(at).for_each(|callee| (0..args.len()).for_each(|i| each(callee.regs + i)));
        }
        Instr::Return { .. } => results_of(flat, flat.call(at)).take(1).for_each(each),
        Instr::ReturnMany { values } => results_of(flat, flat.call(at)).take(values.len()).for_each(each),
        instr => defines(instr).into_iter().for_each(|reg: Reg| each(flat.reg(at, reg))),
    }
}

/// States at a place that are told apart: at most so many.
const MOST_STATES: usize = 4;

/// What holds at each place, whichever way leads there: one of several states.
type Ways = Vec<SmallVec<[State; 1]>>;

/// What holds wherever a read's thread comes to later: before it does the same read again, and after that.
pub(super) struct Followed {
    /// Before, and after: on all ways together.
    pub states: [Vec<Option<State>>; 2],
    /// The same, on some ways each.
    pub ways: [Ways; 2],
}

/// Follows a read.
pub(super) fn follow(flat: &Flat<'_>, read: At, dst: Reg) -> Followed {
    let first = run(flat, read, &[State::behind(flat.reg(read, dst))], true);
    let mut behind: SmallVec<[State; 1]> = first[read].clone();
    behind.iter_mut().for_each(|state| state.pass(flat, read));
    let again = run(flat, read, &behind, false);
    let together = |ways: &Ways| {
        let meet = |states: &SmallVec<[State; 1]>| {
            let (first, others) = states.split_first()?;
            let mut all = first.clone();
            others.iter().for_each(|state| {
                all.meet(state);
            });
            Some(all)
        };
        ways.iter().map(meet).collect()
    };
    Followed { states: [together(&first), together(&again)], ways: [first, again] }
}

/// The states before each node, from those behind `start`. With `once`, nothing goes past `start` again.
fn run(flat: &Flat<'_>, start: At, behind: &[State], once: bool) -> Ways {
    let mut ways: Ways = vec![SmallVec::new(); flat.len()];
    // In the order in which they are found: of the states of a place, those of first rounds are told apart.
    let mut work: VecDeque<(At, State)> = VecDeque::new();
    let reach = |ways: &mut Ways, from: At, state: &State, work: &mut VecDeque<(At, State)>| {
        flat.next[from].iter().for_each(|&to| merge(ways, to, state.clone(), work));
    };
    behind.iter().for_each(|state| reach(&mut ways, start, state, &mut work));
    while let Some((at, mut state)) = work.pop_front() {
        if once && at == start {
            continue;
        }
        state.pass(flat, at);
        reach(&mut ways, at, &state, &mut work);
    }
    ways
}

/// Adds a state to those of a node, or, where there are many, to what holds in the last of them too.
fn merge(ways: &mut Ways, to: At, mut state: State, work: &mut VecDeque<(At, State)>) {
    state.arrive(to);
    let states = &mut ways[to];
    if states.contains(&state) {
        return;
    }
    if states.len() < MOST_STATES {
        states.push(state.clone());
        work.push_back((to, state));
    } else if let Some(last) = states.last_mut()
        && last.meet(&state)
    {
        work.push_back((to, last.clone()));
    }
}
