//! The code of a thread with all calls written out: one node an instruction and call, with the places that may come next.

use crate::ids::FuncId;
use crate::program::thread::{Frame, Thread, function_at};
use crate::program::{Callee, Function, Half, Instr, Operand, Pc, Program, Reg, arith};
use rustc_hash::FxHashMap;

/// Threads of more code than this are not looked at.
const MOST_NODES: usize = 4096;

/// A place in the code of a thread.
pub(super) type At = usize;

/// One call of a function, the outermost first.
pub(super) struct Call<'p> {
    pub function: &'p Function,
    id: FuncId,
    /// Its first node, and its first register.
    pub start: At,
    pub regs: usize,
    /// How many registers it has.
    pub count: usize,
    /// The call that it was made from, and where.
    caller: Option<(usize, At)>,
}

/// The code of one thread.
pub(super) struct Flat<'p> {
    pub calls: Vec<Call<'p>>,
    /// The call that each node belongs to.
    call_of: Vec<usize>,
    /// The call that a node makes.
    callee: FxHashMap<At, usize>,
    pub next: Vec<Vec<At>>,
    /// What the thread is given, if that is known.
    argument: Option<u64>,
}

impl<'p> Flat<'p> {
    /// The code of a thread that runs a function. `None`: recursive, with calls through pointers, or too much of it.
    pub fn new(program: &'p Program, function: FuncId) -> Option<Flat<'p>> {
        let mut flat = Flat {
            calls: Vec::new(),
            call_of: Vec::new(),
            callee: FxHashMap::default(),
            next: Vec::new(),
            argument: None,
        };
        flat.enter(program, function, 0, None)?;
        // Calls are written out in the order in which they are found.
        let mut at = 0;
        while at < flat.call_of.len() {
            if let Instr::Call { callee, args, .. } = flat.instr(at) {
                let Callee::Direct(function) = callee else { return None };
                let callee = flat.enter(program, *function, args.len(), Some((flat.call_of[at], at)))?;
                flat.callee.insert(at, callee);
            }
            at += 1;
        }
        flat.next = (0..flat.len()).map(|at| flat.successors(at)).collect();
        Some(flat)
    }

    /// The same of a thread that is given this argument.
    pub fn with_argument(program: &'p Program, function: FuncId, argument: u64) -> Option<Flat<'p>> {
        Some(Flat { argument: Some(argument), ..Flat::new(program, function)? })
    }

    /// What a parameter of the thread's function is, if that is known.
    pub fn parameter(&self, number: usize) -> Option<u64> {
        self.argument.filter(|_| number == 0)
    }

    fn enter(&mut self, program: &'p Program, id: FuncId, args: usize, caller: Option<(usize, At)>) -> Option<usize> {
        let function = program.functions.get(id.index())?;
        let callers = std::iter::successors(caller.map(|c| c.0), |&c| self.calls[c].caller.map(|c| c.0));
        let is_recursive = callers.into_iter().any(|c| self.calls[c].id == id);
        let start = self.call_of.len();
        if is_recursive || function.code.is_empty() || start + function.code.len() > MOST_NODES {
            return None;
        }
        let number = self.calls.len();
        let regs = self.calls.last().map_or(0, |c| c.regs + c.count);
        let count = (function.regs as usize).max(args);
        self.calls.push(Call { function, id, start, regs, count, caller });
        self.call_of.extend(std::iter::repeat_n(number, function.code.len()));
        Some(number)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.call_of.len()
    }

    /// The call that a node belongs to.
    pub fn call(&self, at: At) -> usize {
        self.call_of[at]
    }

    pub fn pc(&self, at: At) -> Pc {
        (at - self.calls[self.call_of[at]].start) as Pc
    }

    pub fn instr(&self, at: At) -> &'p Instr {
        &self.calls[self.call_of[at]].function.code[self.pc(at) as usize]
    }

    /// The call that a node makes.
    pub fn callee(&self, at: At) -> Option<&Call<'p>> {
        self.callee.get(&at).map(|&c| &self.calls[c])
    }

    /// Where a call returns to: the place of the call.
    pub fn caller(&self, call: usize) -> Option<At> {
        self.calls[call].caller.map(|c| c.1)
    }

    /// What tells instruction instances apart, as far as one pass through the code goes.
    pub fn group(&self, at: At) -> (usize, u32) {
        let call = self.call_of[at];
        (call, self.calls[call].function.group.get(self.pc(at) as usize).copied().unwrap_or(0))
    }

    /// The number of a register at a node.
    pub fn reg(&self, at: At, reg: Reg) -> usize {
        self.calls[self.call_of[at]].regs + reg as usize
    }

    fn successors(&self, at: At) -> Vec<At> {
        let call = &self.calls[self.call_of[at]];
        let to = |pc: &Pc| call.start + *pc as usize;
        match self.instr(at) {
            Instr::Jump(pc) => vec![to(pc)],
            Instr::Branch { then, otherwise, .. } if then == otherwise => vec![to(then)],
            Instr::Branch { then, otherwise, .. } => vec![to(then), to(otherwise)],
            Instr::Call { .. } => self.callee(at).map(|c| c.start).into_iter().collect(),
            Instr::Return { .. } | Instr::ReturnMany { .. } => call.caller.map(|c| c.1 + 1).into_iter().collect(),
            Instr::Fail { .. } | Instr::ExitThread { .. } | Instr::ExitProgram { .. } => Vec::new(),
            _ if (self.pc(at) as usize) + 1 < call.function.code.len() => vec![at + 1],
            _ => Vec::new(),
        }
    }

    /// Leaves out branches that are never taken, as a value that never changes decides. Only for translated code ([`Values`]).
    pub fn prune(&mut self) {
        let mut values = Values::new(self);
        let mut decided = Vec::new();
        for at in 0..self.len() {
            if let Instr::Branch { cond, then, otherwise, .. } = self.instr(at)
                && let Some(Value::Const(value)) = values.of(at, *cond)
            {
                let to = if value != 0 { then } else { otherwise };
                decided.push((at, self.calls[self.call_of[at]].start + *to as usize));
            }
        }
        decided.into_iter().for_each(|(at, to)| self.next[at] = vec![to]);
    }

    /// Where a thread stands that runs this code. `None`: somewhere else.
    pub fn place(&self, thread: &Thread) -> Option<At> {
        let mut frames: Vec<&Frame> = thread.frames().collect();
        let mut call = self.calls.first()?;
        let mut at = call.start + frames.pop().filter(|frame| frame.func == call.id)?.pc as usize;
        while let Some(frame) = frames.pop() {
            call = self.callee(at).filter(|call| frame.func == call.id)?;
            at = call.start + frame.pc as usize;
        }
        Some(at)
    }

    /// The nodes to which a thread may come, its first included.
    pub fn live(&self) -> Vec<bool> {
        let mut live = self.reachable([0]);
        live[0] = true;
        live
    }

    /// The nodes that some path of at least one step leads to.
    pub fn reachable(&self, from: impl IntoIterator<Item = At>) -> Vec<bool> {
        self.reachable_without(from, &[])
    }

    /// The nodes that some path of at least one step leads to that does not lead on behind certain others.
    pub fn reachable_without(&self, from: impl IntoIterator<Item = At>, ends: &[At]) -> Vec<bool> {
        let mut seen = vec![false; self.len()];
        let mut stack: Vec<At> = from.into_iter().flat_map(|at| self.next[at].iter().copied()).collect();
        while let Some(at) = stack.pop() {
            if !std::mem::replace(&mut seen[at], true) && !ends.contains(&at) {
                stack.extend(&self.next[at]);
            }
        }
        seen
    }

    /// Whether a read is the only half of a read-modify-write in its instruction that reads.
    pub fn is_only_read(&self, at: At) -> bool {
        let call = &self.calls[self.call_of[at]];
        let same =
            (call.start..call.start + call.function.code.len()).filter(|&other| self.group(other) == self.group(at));
        same.filter(|&other| matches!(self.instr(other), Instr::Load(load) if load.half != Half::None)).count() == 1
    }
}

/// A value that is the same whenever a thread comes by: a constant, or something computed from its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Value {
    Const(u64),
    /// The number of an expression.
    Fixed(u32),
}

/// Registers that are set at one place in the code, to something that never changes while the thread runs.
///
/// Only for code in which a register is never read before it is set, as that of translated C is.
pub(super) struct Values<'f, 'p> {
    flat: &'f Flat<'p>,
    /// The places that set each register; entry of the function counts for parameters.
    set_at: Vec<Vec<At>>,
    known: FxHashMap<usize, Option<Value>>,
    numbers: FxHashMap<Term, u32>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Term {
    Argument(usize),
    Binary(u32, u8, Value, Value),
    Unary(u32, u8, Value),
}

impl<'f, 'p> Values<'f, 'p> {
    pub fn new(flat: &'f Flat<'p>) -> Self {
        let registers = flat.calls.last().map_or(0, |c| c.regs + c.count);
        let mut set_at = vec![Vec::new(); registers];
        for at in 0..flat.len() {
            super::follow::sets(flat, at, &mut |reg| {
                if let Some(places) = set_at.get_mut(reg) {
                    places.push(at);
                }
            });
        }
        Values { flat, set_at, known: FxHashMap::default(), numbers: FxHashMap::default() }
    }

    /// The value of an operand at a node, if it is known never to change.
    pub fn of(&mut self, at: At, operand: Operand) -> Option<Value> {
        match operand {
            Operand::Const(value) => Some(Value::Const(value)),
            Operand::Reg(reg) => self.register(self.flat.reg(at, reg)),
        }
    }

    fn register(&mut self, reg: usize) -> Option<Value> {
        if let Some(&known) = self.known.get(&reg) {
            return known;
        }
        // What depends on itself changes.
        self.known.insert(reg, None);
        let value = self.compute(reg);
        self.known.insert(reg, value);
        value
    }

    fn compute(&mut self, reg: usize) -> Option<Value> {
        let flat = self.flat;
        let call = flat.calls.iter().rev().find(|c| c.regs <= reg)?;
        let own = reg - call.regs;
        let places = self.set_at.get(reg)?.clone();
        match (&places[..], call.caller) {
            ([], None) if own < call.function.params as usize => match flat.parameter(own) {
                Some(value) => Some(Value::Const(value)),
                None => Some(self.number(Term::Argument(own))),
            },
            (&[at], _) => match flat.instr(at) {
                Instr::Call { args, .. } if flat.callee(at).is_some_and(|c| c.start == call.start) => {
                    self.of(at, *args.get(own)?)
                }
                Instr::Set { src, .. } => self.of(at, *src),
                Instr::Bin { op, bits, a, b, .. } => match (self.of(at, *a)?, self.of(at, *b)?) {
                    (Value::Const(a), Value::Const(b)) => arith::binary(*op, *bits, a, b).map(Value::Const),
                    (a, b) => Some(self.number(Term::Binary(*op as u32, *bits, a, b))),
                },
                Instr::Un { op, bits, a, .. } => match self.of(at, *a)? {
                    Value::Const(a) => Some(Value::Const(arith::unary(*op, *bits, a))),
                    a => Some(self.number(Term::Unary(*op as u32, *bits, a))),
                },
                _ => None,
            },
            _ => None,
        }
    }

    fn number(&mut self, term: Term) -> Value {
        let next = self.numbers.len() as u32;
        Value::Fixed(*self.numbers.entry(term).or_insert(next))
    }
}

/// The function that a thread is created with, if it is always the same.
pub(super) fn created(program: &Program, values: &mut Values<'_, '_>, at: At, function: Operand) -> Option<FuncId> {
    match values.of(at, function)? {
        Value::Const(value) => function_at(program, value),
        Value::Fixed(_) => None,
    }
}
