//! Follows the values of a function along the ways from a place, block by block, up to where they meet.

use super::summary::{Summary, callees};
use super::terms::{Cell, Term, Terms};
use super::{all_successors, ends};
use crate::ids::FuncId;
use crate::program::flow::{Successors, defines};
use crate::program::instr::*;
use crate::program::meeting::{Address, Meeting};
use crate::program::{Function, Program};
use std::collections::{BTreeMap, BTreeSet};

/// So many blocks are gone through for one function; what ways do that are longer counts as different wherever something is written.
const MOST_VISITS: usize = 200_000;
/// A block is gone through so often before that is so for what is written in it.
const MOST_ROUNDS: usize = 16;

/// What has changed since the start.
type State = BTreeMap<Cell, Term>;

/// The code of a function and what is known of the others.
pub(super) struct Ways<'p> {
    program: &'p Program,
    id: FuncId,
    function: &'p Function,
    summaries: &'p [Summary],
    next: Vec<Successors>,
    /// The first instruction of the block of each instruction.
    block: Vec<Pc>,
    terms: Terms,
    visits: usize,
}

/// How values stand behind the ways.
struct Arrived {
    /// At each way in to where they meet, or at each return.
    states: Vec<State>,
    /// What the function returns there.
    results: Vec<Vec<Term>>,
    /// What was written on ways that were too long to be followed.
    given_up: BTreeSet<Cell>,
}

impl<'p> Ways<'p> {
    pub fn new(program: &'p Program, id: FuncId, summaries: &'p [Summary]) -> Self {
        let function = &program.functions[id.index()];
        let next = all_successors(&function.code);
        let mut begins = vec![false; next.len()];
        for (pc, next) in next.iter().enumerate() {
            if next[..] != [pc as Pc + 1] {
                next.iter().for_each(|&to| begins[to as usize] = true);
                if let Some(behind) = begins.get_mut(pc + 1) {
                    *behind = true;
                }
            }
        }
        let mut last = 0;
        let block = begins.iter().enumerate().map(|(pc, &begins)| {
            if begins {
                last = pc as Pc;
            }
            last
        });
        let block = block.collect();
        Ways { program, id, function, summaries, next, block, terms: Terms::default(), visits: 0 }
    }

    /// Whether a thread may end on one of the ways from a branch.
    pub fn may_end(&self, branch: Pc, at: Option<Pc>) -> bool {
        let mut seen = vec![false; self.next.len()];
        let mut work: Vec<Pc> = self.next[branch as usize].to_vec();
        while let Some(pc) = work.pop() {
            if Some(pc) == at || std::mem::replace(&mut seen[pc as usize], true) {
                continue;
            }
            let instr = &self.function.code[pc as usize];
            let may_end = |callee: &FuncId| self.summaries[callee.index()].may_end;
            if ends(instr) || callees(self.program, self.id, pc as usize, instr).iter().any(may_end) {
                return true;
            }
            work.extend(&self.next[pc as usize]);
        }
        false
    }

    /// What differs where the ways of a branch meet.
    pub fn meeting(&mut self, branch: Pc, at: Option<Pc>) -> Meeting {
        let starts = self.next[branch as usize].clone();
        let arrived = self.follow(&starts, at);
        let mut cells = arrived.given_up;
        if let Some((first, others)) = arrived.states.split_first() {
            let all: BTreeSet<Cell> = arrived.states.iter().flat_map(|state| state.keys().copied()).collect();
            for cell in all {
                let value = self.value(first, cell);
                if others.iter().any(|other| self.value(other, cell) != value) {
                    cells.insert(cell);
                }
            }
        }
        let is_unchanged = |register: Reg| !arrived.states.iter().any(|state| state.contains_key(&Cell::Reg(register)));
        let mut meeting = Meeting { branch, at, ..Meeting::default() };
        let (mut registers, mut locals, mut memory) = (Vec::new(), Vec::new(), Vec::new());
        for cell in cells {
            match cell {
                Cell::Reg(register) => registers.extend(at.map(|_| register)),
                Cell::Local(offset, size) => locals.push((offset, offset + u32::from(size).max(1) - 1)),
                Cell::Variable(start) => locals.push((start, self.end_of_variable(start))),
                Cell::Memory(address) => memory.extend(self.terms.address(address, &is_unchanged)),
            }
        }
        let most = arrived.results.iter().map(Vec::len).max().unwrap_or(0);
        for which in (0..most).take(64) {
            let mut values = arrived.results.iter().filter_map(|results| results.get(which));
            let first = values.next();
            if values.any(|value| Some(value) != first) {
                meeting.results |= 1 << which;
            }
        }
        if at.is_none() {
            locals.clear();
        }
        (meeting.registers, meeting.locals, meeting.memory) = (registers.into(), locals.into(), memory.into());
        meeting
    }

    /// What differs behind a call through a pointer.
    pub fn called(&mut self, call: Pc) -> Meeting {
        let instr = &self.function.code[call as usize];
        let mut meeting = Meeting { branch: call, at: Some(call + 1), ..Meeting::default() };
        let Instr::Call { args, dst, .. } = instr else { return meeting };
        let targets = callees(self.program, self.id, call as usize, instr);
        let summaries = || targets.iter().map(|target| &self.summaries[target.index()]);
        meeting.lasts = targets.len() > 1 && summaries().any(|summary| summary.may_end);
        let first = summaries().next().and_then(|summary| summary.constant);
        let is_same = targets.len() == 1 || first.is_some() && summaries().all(|summary| summary.constant == first);
        if let (Some(dst), false) = (dst, is_same) {
            let results = summaries().map(|summary| summary.results).max().unwrap_or(1);
            meeting.registers = (*dst..*dst + results).collect();
        }
        if targets.len() > 1 {
            let arguments: Vec<Term> = args.iter().map(|&arg| operand(&mut self.terms, &State::new(), arg)).collect();
            let mut memory = Vec::new();
            for address in targets.iter().flat_map(|target| &self.summaries[target.index()].writes) {
                let term = self.terms.in_call(address, &arguments);
                let is_result = |register: Reg| dst.is_some_and(|dst| register >= dst);
                memory.extend(term.and_then(|term| self.terms.address(term, &|register| !is_result(register))));
            }
            memory.dedup();
            meeting.memory = memory.into();
        }
        meeting
    }

    /// The plain memory that the function may write, by its parameters.
    pub fn writes(&mut self) -> Vec<Address> {
        let is_write = |instr: &Instr| match instr {
            Instr::Store(store) => self.is_plain_write(store),
            instr => matches!(instr, Instr::Call { .. }),
        };
        if !self.function.code.iter().any(is_write) {
            return Vec::new();
        }
        let mut written = BTreeSet::new();
        let blocks = self.states(&[0], None).0;
        for (start, state) in blocks {
            let mut state = state;
            self.pass_block(start, &mut state, None, |cell| {
                written.insert(cell);
            });
        }
        let is_parameter = |register: Reg| register < self.function.params;
        let memory = written.into_iter().filter_map(|cell| match cell {
            Cell::Memory(address) => self.terms.address(address, &is_parameter),
            _ => None,
        });
        let mut all: Vec<Address> = Vec::new();
        memory.for_each(|address| {
            if !all.contains(&address) {
                all.push(address);
            }
        });
        all
    }

    fn value(&mut self, state: &State, cell: Cell) -> Term {
        state.get(&cell).copied().unwrap_or_else(|| self.terms.start(cell))
    }

    /// Follows the ways from a branch.
    fn follow(&mut self, starts: &[Pc], at: Option<Pc>) -> Arrived {
        let (blocks, given_up) = self.states(starts, at);
        let mut arrived = Arrived { states: Vec::new(), results: Vec::new(), given_up };
        if at.is_some_and(|at| starts.contains(&at)) {
            arrived.states.push(State::new());
        }
        for (start, state) in blocks {
            let mut state = state;
            let last = self.pass_block(start, &mut state, at, |_| {});
            let returned: Option<Vec<Operand>> = match &self.function.code[last as usize] {
                Instr::Return { value } => Some(value.iter().copied().collect()),
                Instr::ReturnMany { values } => Some(values.to_vec()),
                _ => None,
            };
            match (at, returned) {
                (None, Some(values)) => {
                    let values = values.into_iter().map(|value| operand(&mut self.terms, &state, value)).collect();
                    arrived.results.push(values);
                    arrived.states.push(state);
                }
                (Some(at), _) if self.next[last as usize].contains(&at) => arrived.states.push(state),
                _ => {}
            }
        }
        arrived
    }

    /// What has changed before each block on the ways, and what is not known because it changes too often.
    fn states(&mut self, starts: &[Pc], at: Option<Pc>) -> (BTreeMap<Pc, State>, BTreeSet<Cell>) {
        let mut given_up = BTreeSet::new();
        let mut before: BTreeMap<Pc, State> = BTreeMap::new();
        // What comes in to each block, by the block that it comes from.
        let mut incoming: BTreeMap<Pc, BTreeMap<Option<Pc>, State>> = BTreeMap::new();
        let mut rounds: BTreeMap<Pc, usize> = BTreeMap::new();
        let mut work: BTreeSet<Pc> = BTreeSet::new();
        for &start in starts.iter().filter(|&&start| Some(start) != at) {
            incoming.entry(start).or_default().insert(None, State::new());
            work.insert(start);
        }
        while let Some(start) = work.pop_first() {
            self.visits += 1;
            let round = rounds.entry(start).or_default();
            *round += 1;
            let is_too_much = *round > MOST_ROUNDS || self.visits > MOST_VISITS;
            let states: Vec<State> = incoming.get(&start).map_or(Vec::new(), |all| all.values().cloned().collect());
            let mut state = self.meet(start, &states);
            if is_too_much {
                if before.contains_key(&start) {
                    continue;
                }
                given_up.extend(state.keys().copied());
            } else if before.get(&start) == Some(&state) {
                continue;
            }
            before.insert(start, state.clone());
            let last = self.pass_block(start, &mut state, at, |cell| {
                if is_too_much {
                    given_up.insert(cell);
                }
            });
            for to in self.next[last as usize].clone() {
                if Some(to) == at {
                    continue;
                }
                let from_here = incoming.entry(to).or_default();
                if from_here.get(&Some(start)) != Some(&state) {
                    from_here.insert(Some(start), state.clone());
                    work.insert(to);
                }
            }
        }
        (before, given_up)
    }

    /// What has changed where ways meet.
    fn meet(&mut self, at: Pc, states: &[State]) -> State {
        let Some((first, others)) = states.split_first() else { return State::new() };
        if others.is_empty() {
            return first.clone();
        }
        let cells: BTreeSet<Cell> = states.iter().flat_map(|state| state.keys().copied()).collect();
        let mut met = State::new();
        for cell in cells {
            let value = self.value(first, cell);
            let is_same = others.iter().all(|other| self.value(other, cell) == value);
            let value = if is_same { value } else { self.terms.met(at, cell) };
            if value != self.terms.start(cell) {
                met.insert(cell, value);
            }
        }
        met
    }

    /// Goes through a block, or to where ways meet if that is in it; the last instruction.
    fn pass_block(&mut self, start: Pc, state: &mut State, at: Option<Pc>, mut written: impl FnMut(Cell)) -> Pc {
        let mut pc = start;
        loop {
            self.pass(pc, state, &mut written);
            let is_last = self.next[pc as usize][..] != [pc + 1];
            if is_last || self.block[pc as usize + 1] != start || at == Some(pc + 1) {
                return pc;
            }
            pc += 1;
        }
    }

    fn pass(&mut self, pc: Pc, state: &mut State, written: &mut impl FnMut(Cell)) {
        let function = self.function;
        let instr = &function.code[pc as usize];
        let mut of = |value: &Operand| operand(&mut self.terms, state, *value);
        let set = match instr {
            Instr::Set { dst, src } => Some((*dst, of(src))),
            Instr::Bin { dst, op, bits, a, b } => {
                let (a, b) = (of(a), of(b));
                Some((*dst, self.terms.bin(*op, *bits, a, b)))
            }
            Instr::Un { dst, op, bits, a } => {
                let a = of(a);
                Some((*dst, self.terms.un(*op, *bits, a)))
            }
            Instr::Select { dst, cond, a, b, .. } => {
                let (cond, a, b) = (of(cond), of(a), of(b));
                Some((*dst, self.terms.select(cond, a, b)))
            }
            Instr::Load(load) => {
                let address = of(&load.addr);
                let value = match self.is_plain_read(load) {
                    true => self.value(state, Cell::Memory(address)),
                    false => self.terms.made(pc, 0),
                };
                Some((load.dst, value))
            }
            Instr::Store(store) => {
                let (address, value) = (of(&store.addr), of(&store.value));
                if self.is_plain_write(store) {
                    self.put(state, Cell::Memory(address), value, written);
                }
                None
            }
            Instr::LocalLoad { dst, offset: Operand::Const(offset), size } => {
                let is_changed =
                    |cell: &Cell| matches!(cell, Cell::Variable(start) if self.variable(*offset) == Some(*start));
                let value = match state.keys().any(is_changed) {
                    true => self.terms.made(pc, 0),
                    false => self.value(state, Cell::Local(*offset as u32, *size)),
                };
                Some((*dst, value))
            }
            Instr::LocalStore { offset, value, size } => {
                let value = of(value);
                match *offset {
                    Operand::Const(offset) => self.put(state, Cell::Local(offset as u32, *size), value, written),
                    Operand::Reg(_) => {
                        let made = self.terms.made(pc, 0);
                        for &(start, _) in &function.locals {
                            self.put(state, Cell::Variable(start), made, written);
                        }
                    }
                }
                None
            }
            Instr::Call { args, dst, .. } => {
                let arguments: Vec<Term> = args.iter().map(of).collect();
                self.call(pc, instr, &arguments, *dst, state, written);
                None
            }
            instr => defines(instr).map(|dst| (dst, self.terms.made(pc, 0))),
        };
        if let Some((dst, value)) = set {
            self.put(state, Cell::Reg(dst), value, written);
        }
    }

    fn call(
        &mut self,
        pc: Pc,
        instr: &Instr,
        arguments: &[Term],
        dst: Option<Reg>,
        state: &mut State,
        written: &mut impl FnMut(Cell),
    ) {
        let mut results = 1;
        for callee in callees(self.program, self.id, pc as usize, instr) {
            let summary = &self.summaries[callee.index()];
            results = results.max(summary.results);
            for (which, address) in summary.writes.iter().enumerate() {
                if let Some(address) = self.terms.in_call(address, arguments) {
                    let made = self.terms.made(pc, u32::MAX - which as u32);
                    self.put(state, Cell::Memory(address), made, written);
                }
            }
        }
        for which in dst.map_or(0..0, |_| 0..results) {
            let made = self.terms.made(pc, which);
            dst.into_iter().for_each(|dst| self.put(state, Cell::Reg(dst + which), made, written));
        }
    }

    fn put(&mut self, state: &mut State, cell: Cell, value: Term, written: &mut impl FnMut(Cell)) {
        written(cell);
        match value == self.terms.start(cell) {
            true => state.remove(&cell),
            false => state.insert(cell, value),
        };
    }

    fn is_plain_read(&self, load: &Load) -> bool {
        self.program.plain.is_some_and(|plain| plain.read == load.tags)
    }

    fn is_plain_write(&self, store: &Store) -> bool {
        self.program.plain.is_some_and(|plain| plain.write == store.tags)
    }

    /// The variable in frame-private memory that is at an offset, by its own.
    fn variable(&self, offset: u64) -> Option<u32> {
        let is_in = |&&(start, size): &&(u32, u32)| (u64::from(start)..u64::from(start + size)).contains(&offset);
        self.function.locals.iter().find(is_in).map(|&(start, _)| start)
    }

    fn end_of_variable(&self, start: u32) -> u32 {
        self.function
            .locals
            .iter()
            .find(|local| local.0 == start)
            .map_or(start, |&(start, size)| start + size.max(1) - 1)
    }
}

fn operand(terms: &mut Terms, state: &State, operand: Operand) -> Term {
    match operand {
        Operand::Const(value) => terms.constant(value),
        Operand::Reg(register) => {
            let cell = Cell::Reg(register);
            state.get(&cell).copied().unwrap_or_else(|| terms.start(cell))
        }
    }
}
