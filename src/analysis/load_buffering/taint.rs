//! What may change in a thread when one of its reads has a value that it never had in an exploration.
//!
//! A forward analysis of one read, for all later places at once; where paths meet, what may be on one of them is kept. A value may differ because
//! it is computed from the read (`data`), or because it is set, or not set, where the thread goes another way for it (`implied`). A write may happen, or not, because of
//! the way that the thread takes to it; behind the place where ways meet again that is so only if a thread may stay on one of them, in a loop or where it stops.
//! A pointer decides which of several functions a call runs, as a condition does: the ways meet behind the call. Where a control dependency never ends, everything behind a condition depends on what that is computed from, so this goes no way that no dependency shows.

use crate::analysis::load_buffering::flat::{At, Flat};
use crate::analysis::load_buffering::follow::{End, results_of};
use crate::program::flow::{defines, merge_points};
use crate::program::{BinOp, Callee, Instr, Join, Operand, Program};
use crate::relation::bits::Bits;
use std::collections::BTreeSet;

/// What may differ, and why.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Change {
    /// It depends on the read as a model sees: it is computed from it, or control dependencies never end.
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
    /// Words that the thread keeps.
    words: [Bits; 2],
    /// Where ways end that are not the only ones any more: those on which everything depends that follows, and others.
    ways: [BTreeSet<End>; 2],
    /// The thread might not have come here, had it gone another way.
    might_stay: [bool; 2],
}

/// The code of a thread, and what its conditions decide.
pub(super) struct Ways<'a, 'p> {
    program: &'p Program,
    flat: &'a Flat<'p>,
    /// Where the ways behind each node meet again.
    merges: Vec<End>,
    /// Whether the thread may stay on a way behind it before that.
    may_stay: Vec<bool>,
    /// Whether everything that it decides depends on what it looks at.
    lasts: Vec<bool>,
}

impl State {
    fn of(&self, flat: &Flat<'_>, at: At, operand: Operand) -> Change {
        let Operand::Reg(reg) = operand else { return Change::default() };
        let [data, implied] = self.regs.each_ref().map(|set| set.contains(flat.reg(at, reg) as u32));
        Change { data, implied }
    }

    fn set(&mut self, reg: usize, change: Change) {
        self.put(reg, change.or(self.on_the_way()));
    }

    fn put(&mut self, reg: usize, Change { data, implied }: Change) {
        for (set, holds) in self.regs.iter_mut().zip([data, implied]) {
            match holds {
                true => set.insert(reg as u32),
                false => set.remove(reg as u32),
            }
        }
    }

    /// What is done here and nowhere else.
    fn on_the_way(&self) -> Change {
        let [data, implied] = self.ways.each_ref().map(|ways| !ways.is_empty());
        Change { data, implied }
    }

    /// Whether the thread comes here.
    fn comes(&self) -> Change {
        let [data, implied] = self.might_stay;
        self.on_the_way().or(Change { data, implied })
    }

    /// Goes one of several ways, up to where they end.
    fn part(&mut self, decided: Change, end: End, may_stay: bool) {
        let [data, implied] = &mut self.ways;
        let kinds = [(decided.data, data), (decided.implied, implied)];
        for ((_, ways), might_stay) in kinds.into_iter().zip(&mut self.might_stay).filter(|((holds, _), _)| *holds) {
            ways.insert(end);
            *might_stay |= may_stay;
        }
    }

    fn join(&mut self, other: &State) -> bool {
        let mut grown = false;
        let kinds = [(&mut self.regs, &other.regs), (&mut self.local, &other.local), (&mut self.words, &other.words)];
        for (own, others) in kinds {
            for (set, more) in own.iter_mut().zip(others) {
                grown |= set.union_with(more);
            }
        }
        for (own, others) in self.ways.iter_mut().zip(&other.ways) {
            let before = own.len();
            own.extend(others);
            grown |= own.len() > before;
        }
        for (own, &others) in self.might_stay.iter_mut().zip(&other.might_stay) {
            grown |= others && !*own;
            *own |= others;
        }
        grown
    }

    fn pass(&mut self, flat: &Flat<'_>, at: At) {
        let on = |state: &State, operand: Operand| state.of(flat, at, operand);
        let call = flat.call(at) as u32;
        let change = match flat.instr(at) {
            Instr::Set { dst, src } if flat.selected => {
                let (change, way) = (on(self, *src), self.on_the_way());
                let change = Change { data: change.data || way.any(), ..change };
                return self.put(flat.reg(at, *dst), change);
            }
            Instr::Set { src, .. } | Instr::SetStatus { src, .. } => on(self, *src),
            Instr::Bin { a, b, .. } => on(self, *a).or(on(self, *b)),
            Instr::Un { a, .. } | Instr::ChooseBit { of: a, .. } => on(self, *a),
            Instr::Select { cond, a, b, on_cond, .. } => {
                let cond = on(self, *cond);
                on(self, *a).or(on(self, *b)).or(if *on_cond { cond } else { cond.picks() })
            }
            Instr::Load(load) => on(self, load.addr),
            Instr::LocalLoad { offset, .. } => {
                let [data, implied] = self.local.each_ref().map(|calls| calls.contains(call));
                on(self, *offset).or(Change { data, implied })
            }
            Instr::ReadWord { word, .. } => {
                let [data, implied] = self.words.each_ref().map(|words| words.contains(u32::from(*word)));
                Change { data, implied }
            }
            Instr::WriteWord { word, value } => {
                let Change { data, implied } = on(self, *value).or(self.on_the_way());
                for (words, holds) in self.words.iter_mut().zip([data, implied]) {
                    match holds {
                        true => words.insert(u32::from(*word)),
                        false => words.remove(u32::from(*word)),
                    }
                }
                return;
            }
            Instr::LocalStore { offset, value, .. } => {
                let Change { data, implied } = on(self, *offset).or(on(self, *value)).or(self.on_the_way());
                for (calls, holds) in self.local.iter_mut().zip([data, implied]) {
                    if holds {
                        calls.insert(call);
                    }
                }
                return;
            }
            Instr::Call { args, .. } => {
                let changes: Vec<Change> = args.iter().map(|&arg| on(self, arg)).collect();
                for callee in flat.callees(at) {
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
        results_of(flat, call).zip(changes).for_each(|(dst, change)| self.set(dst, change));
        let lasts = |end: &End| match *end {
            End::Never => true,
            End::At(end) => flat.call(end) != call,
            End::Return(of) => of != call,
        };
        self.ways.iter_mut().for_each(|ways| ways.retain(lasts));
    }
}

impl<'a, 'p> Ways<'a, 'p> {
    pub fn new(program: &'p Program, flat: &'a Flat<'p>) -> Self {
        let merges = flat.calls.iter().enumerate().flat_map(|(number, call)| {
            let points = merge_points(call.function).into_iter();
            points.map(move |at| at.map_or(End::Return(number), |pc| End::At(call.start + pc as usize)))
        });
        let mut ways = Ways { program, merges: merges.collect(), flat, may_stay: Vec::new(), lasts: Vec::new() };
        ways.may_stay = (0..flat.len()).map(|at| ways.decides(at) && ways.leads_to_a_stay(at)).collect();
        ways.lasts = (0..flat.len()).map(|at| ways.lasts(at)).collect();
        ways
    }

    /// Whether everything that a condition or a pointer decides depends on what it is computed from: all behind it, or the write of a compare-and-swap whose
    /// read depends on what it compares with.
    fn lasts(&self, at: At) -> bool {
        let is_endless = |at: At, of: Operand| matches!(self.flat.instr(at), Instr::Branch { cond, join: Join::Never, .. } if *cond == of);
        match self.flat.instr(at) {
            Instr::Branch { cond, .. } => is_endless(at, *cond) || self.compares(at, *cond),
            Instr::StopUnless { cond, .. } => self.flat.next[at].iter().all(|&next| is_endless(next, *cond)),
            // The branch stands right before the call, and no way leads round it.
            Instr::Call { callee: Callee::Indirect(pointer), .. } => at.checked_sub(1).is_some_and(|before| {
                is_endless(before, *pointer)
                    && (0..self.flat.len()).all(|node| (node == before) == self.flat.next[node].contains(&at))
            }),
            _ => false,
        }
    }

    /// Whether a branch leads to the write of a compare-and-swap, and to no other access, if the read has found what it expected.
    fn compares(&self, at: At, cond: Operand) -> bool {
        let flat = self.flat;
        let end = match self.merges[at] {
            End::At(end) if self.program.compares && end > at + 1 => end,
            _ => return false,
        };
        let Some(read) = at.checked_sub(2).filter(|&read| flat.call(read) == flat.call(end)) else { return false };
        let (Instr::Load(load), Instr::Bin { dst, op: BinOp::Eq, a, b, .. }) = (flat.instr(read), flat.instr(read + 1))
        else {
            return false;
        };
        let inside = at + 1..end;
        let is_write = |place: &At| matches!(flat.instr(*place), Instr::Store(_));
        let is_harmless =
            |place: At| matches!(flat.instr(place), Instr::Store(_) | Instr::Fence { .. } | Instr::Jump(_));
        let stays = |place: At| flat.next[place].iter().all(|next| (at + 1..=end).contains(next));
        load.unless
            .is_some_and(|unless| cond == Operand::Reg(*dst) && [*a, *b] == [Operand::Reg(load.dst), unless.expected])
            && inside.clone().filter(is_write).count() == 1
            && inside.clone().all(is_harmless)
            && std::iter::once(at).chain(inside).all(stays)
    }

    /// Whether a condition decides how the thread goes on, or a pointer what it calls.
    fn decides(&self, at: At) -> bool {
        matches!(self.flat.instr(at), Instr::Branch { .. } | Instr::Call { .. }) && self.flat.next[at].len() > 1
    }

    /// Whether a thread may not come from a condition to where its ways meet: it goes round a loop, waits, or ends.
    fn leads_to_a_stay(&self, at: At) -> bool {
        let flat = self.flat;
        let merge = match self.merges[at] {
            End::At(merge) => merge,
            End::Return(call) => match flat.caller(call) {
                Some(caller) => caller + 1,
                // The ways end with the thread, which does nothing behind them.
                None => return false,
            },
            End::Never => return true,
        };
        let before = flat.reachable_without([at], &[merge]);
        (0..flat.len()).filter(|&node| node != merge && before[node]).any(|node| {
            matches!(flat.instr(node), Instr::StopUnless { .. } | Instr::JoinThread { .. } | Instr::Depart { .. })
                || flat.next[node].is_empty()
                || flat.reachable_without([node], &[merge])[node]
        })
    }

    /// Whether there is a place where what a thread has read may decide how it goes on, without a dependency of all that follows.
    pub fn has_any(&self) -> bool {
        let live = self.flat.live();
        (0..self.flat.len()).filter(|&at| live[at]).any(|at| match self.flat.instr(at) {
            Instr::Select { on_cond, .. } => !on_cond,
            Instr::StopUnless { .. } => !self.lasts[at],
            _ => self.decides(at) && !self.lasts[at],
        })
    }

    /// What each write of a thread may change to when a read changes, by the places of the writes: before the thread comes by the read again, and after.
    pub fn changes(&self, read: At, writes: &[At]) -> Vec<[Change; 2]> {
        let flat = self.flat;
        let mut behind = State::default();
        if let Some(dst) = defines(flat.instr(read)) {
            behind.set(flat.reg(read, dst), Change { data: true, implied: false });
        }
        let first = self.run(read, behind, true);
        let again = first[read].clone().map(|mut state| {
            // What it reads then is for others to say: for another read in a circle, or for memory that it has written itself.
            state.pass(flat, read);
            self.run(read, state, false)
        });
        let at = |states: &[Option<State>], at: At| {
            states[at].as_ref().map_or(Change::default(), |state| self.written(at, state))
        };
        let after = |write| again.as_ref().map_or(Change::default(), |states| at(states, write));
        writes.iter().map(|&write| [at(&first, write), after(write)]).collect()
    }

    /// The states before each node, from the one behind `start`. With `once`, nothing goes past `start` again.
    fn run(&self, start: At, behind: State, once: bool) -> Vec<Option<State>> {
        let mut states: Vec<Option<State>> = vec![None; self.flat.len()];
        let mut work = Vec::new();
        self.go_on(start, behind, &mut states, &mut work);
        while let Some(at) = work.pop() {
            let Some(mut state) = states[at].clone().filter(|_| !once || at != start) else { continue };
            state.pass(self.flat, at);
            self.go_on(at, state, &mut states, &mut work);
        }
        states
    }

    fn written(&self, at: At, state: &State) -> Change {
        let Instr::Store(store) = self.flat.instr(at) else { return Change::default() };
        state.comes().or(state.of(self.flat, at, store.addr)).or(state.of(self.flat, at, store.value))
    }

    /// Hands a state on to the places behind a node.
    fn go_on(&self, at: At, state: State, states: &mut [Option<State>], work: &mut Vec<At>) {
        let flat = self.flat;
        let reach = |to: At, mut state: State, states: &mut [Option<State>], work: &mut Vec<At>| {
            state.ways.iter_mut().for_each(|ways| ways.retain(|&end| end != End::At(to)));
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
            Instr::Branch { cond, .. }
            | Instr::StopUnless { cond, .. }
            | Instr::Call { callee: Callee::Indirect(cond), .. } => state.of(flat, at, *cond),
            _ => Change::default(),
        };
        let decided = if self.lasts[at] { cond } else { cond.picks() };
        for &to in &flat.next[at] {
            let mut state = state.clone();
            match flat.instr(at) {
                _ if self.decides(at) => state.part(decided, self.merges[at], self.may_stay[at]),
                Instr::StopUnless { .. } => state.part(decided, End::Never, true),
                _ => {}
            }
            reach(to, state, states, work);
        }
    }
}
