//! Loops whose rounds change nothing, in litmus tests: a thread that comes round stops there, for good.
//!
//! A thread that comes back to the head of a loop as it was there before (no write on the way, and every register that is still live
//! holds the same value) could as well have left that round out: what it does from there, it may do without it. An execution without the round has
//! fewer events and fewer orders, and the same final state. So the executions in which it stops are of no interest, and the code without the way
//! back has the states of the code with it.
//!
//! Such are rounds that wait for a value, and rounds of a retry loop whose store-exclusive has failed: it may always fail, and a loop that
//! only tries again never needs it.
//!
//! Each way through a loop is followed, with the constants that are known on it: the status of a store-exclusive decides the branch behind it. A way back is cut if
//! no way through the loop that takes it changes anything. Loops that are entered elsewhere than at their head, and long ones, are left as they are.

use super::flow::{self, defines, successors};
use super::instr::{BinOp, Instr, Load, Loop, Operand, Pc, Reg, Stop};
use super::{Function, Program, Start, arith};
use std::collections::BTreeMap;

/// So many instructions are followed in one loop.
const MOST_STEPS: usize = 4096;

/// Which rounds are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounds {
    /// Those of loops that try again: on some way back something was chosen, such as that a store fails.
    Retries,
    /// All that change nothing.
    Idle,
}

/// Cuts the ways back of the loops of a program whose threads start together, and that only such rounds take. Whether there were any.
pub fn leave_out(program: &mut Program, rounds: Rounds) -> bool {
    let is_test = matches!(program.start, Start::Together(_));
    let functions = program.functions.iter_mut().filter(|_| is_test);
    functions.fold(false, |cut, function| leave_out_of(function, rounds) | cut)
}

/// Cuts the ways back of a function's loops that only such rounds take. Whether there were any. What is observed of the function must be known.
fn leave_out_of(function: &mut Function, rounds: Rounds) -> bool {
    if function.loops.is_empty() {
        return false;
    }
    // What is live at a head depends on what is observed.
    flow::analyse(function);
    let mut cut: Vec<Way> = Vec::new();
    for inner in function.loops.iter().rev() {
        let ways = Body::of(function, inner).and_then(|body| body.ways_back(&cut));
        let idle = ways.into_iter().flatten().filter(|(_, found)| !found.changes);
        let wanted = idle.filter(|(_, found)| rounds == Rounds::Idle || found.chooses);
        cut.extend(wanted.map(|(from, _)| Way { from, to: inner.head }));
    }
    if cut.is_empty() {
        return false;
    }
    let stop = function.code.len() as Pc;
    for way in &cut {
        match &mut function.code[way.from as usize] {
            Instr::Jump(to) => *to = stop,
            Instr::Branch { then, otherwise, .. } => {
                for to in [then, otherwise].into_iter().filter(|to| **to == way.to) {
                    *to = stop;
                }
            }
            _ => {}
        }
    }
    for instr in [STOP, Instr::Return { value: None }] {
        let group = function.group.iter().copied().max().unwrap_or(0) + 1;
        function.code.push(instr);
        function.spans.push(Default::default());
        function.group.push(group);
    }
    // Branches keep the merge points that they have; loops are found anew.
    flow::analyse(function);
    true
}

/// Where a thread stops for good.
const STOP: Instr = Instr::StopUnless { cond: Operand::Const(0), why: Stop::Assume };

/// Whether a thread that comes to an instruction stops there, whatever it has read.
pub fn is_stop(instr: &Instr) -> bool {
    *instr == STOP
}

/// Whether a thread of a litmus test may go round a loop as often as it likes, and do something each time: not all ways through its code are seen to end.
pub fn is_endless(program: &Program) -> bool {
    let Start::Together(entries) = &program.start else { return false };
    let functions: Option<Vec<&Function>> =
        entries.iter().map(|entry| program.functions.get(entry.function.index())).collect();
    let Some(functions) = functions.filter(|all| all.iter().any(|function| !function.loops.is_empty())) else {
        return false;
    };
    let written: Option<Vec<Vec<u64>>> =
        functions.iter().zip(entries).map(|(function, entry)| written(function, &entry.args)).collect();
    // What nobody writes has its initial value.
    let initial = |address: u64, size: u8| {
        let is_written = written.as_ref().is_none_or(|all| all.iter().flatten().any(|&other| other == address));
        if is_written { None } else { initial(program, address, size) }
    };
    functions.iter().zip(entries).any(|(function, entry)| {
        let mut function = (*function).clone();
        leave_out_of(&mut function, Rounds::Idle);
        !function.loops.is_empty() && !ends(&function, &entry.args, &initial)
    })
}

/// The addresses that a thread writes. `None`: they are not plain to see.
fn written(function: &Function, args: &[u64]) -> Option<Vec<u64>> {
    let defined_by = |register: Reg| function.code.iter().filter(move |instr| defines(instr) == Some(register));
    let address = |mut operand: Operand| {
        for _ in 0..function.code.len() {
            let Operand::Reg(register) = operand else { break };
            let mut all = defined_by(register);
            match (all.next(), all.next()) {
                (None, _) => return args.get(register as usize).copied(),
                (Some(Instr::Set { src, .. }), None) => operand = *src,
                _ => return None,
            }
        }
        match operand {
            Operand::Const(address) => Some(address),
            Operand::Reg(_) => None,
        }
    };
    let stores = function.code.iter().filter_map(|instr| match instr {
        Instr::Store(store) => Some(address(store.addr)),
        _ => None,
    });
    stores.collect()
}

/// What memory holds at first.
fn initial(program: &Program, address: u64, size: u8) -> Option<u64> {
    let object = program.object_at(address)?;
    let from = (address - object.address) as usize;
    let bytes = object.bytes.get(from..from + usize::from(size.min(8)))?;
    Some(program.number(bytes))
}

/// What a read gets, where that is certain.
type Certain<'c> = &'c dyn Fn(u64, u8) -> Option<u64>;

/// Whether every way through the code of a thread is seen to end, whatever it reads.
fn ends(function: &Function, args: &[u64], certain: Certain<'_>) -> bool {
    let values = args.iter().copied().chain(std::iter::repeat(0));
    let known = (0..function.regs).zip(values).collect();
    let mut open = vec![Walk { pc: 0, known, passed: Vec::new(), found: Found::default() }];
    for _ in 0..MOST_STEPS {
        let Some(walk) = open.pop() else { return true };
        match step(function, &[], certain, walk) {
            Some(next) => open.extend(next),
            None => return false,
        }
    }
    false
}

/// A jump.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Way {
    from: Pc,
    to: Pc,
}

/// What is known of the rounds that come back over one jump.
#[derive(Clone, Copy, Default)]
struct Found {
    changes: bool,
    chooses: bool,
}

/// A loop that is entered at its head only.
struct Body<'f> {
    function: &'f Function,
    around: &'f Loop,
    inside: Vec<bool>,
}

/// A thread on its way through a loop.
#[derive(Clone)]
struct Walk {
    pc: Pc,
    /// The registers whose values do not depend on what is read, on this way.
    known: BTreeMap<Reg, u64>,
    /// Heads of other loops that it has passed.
    passed: Vec<Pc>,
    found: Found,
}

impl<'f> Body<'f> {
    fn of(function: &'f Function, around: &'f Loop) -> Option<Body<'f>> {
        let n = function.code.len();
        let head = around.head as usize;
        let next: Vec<_> = (0..n).map(|pc| successors(&function.code, pc as Pc)).collect();
        // What is reached from the entry without the head, and what of the loop comes back to it.
        let mut outside = vec![false; n];
        let mut work = vec![0];
        while let Some(pc) = work.pop() {
            if pc != head && !std::mem::replace(&mut outside[pc], true) {
                work.extend(next[pc].iter().map(|&to| to as usize));
            }
        }
        let mut inside = vec![false; n];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for pc in (0..n).filter(|&pc| !outside[pc]) {
                let leads = next[pc].iter().any(|&to| to as usize == head || inside[to as usize]);
                changed |= leads && !std::mem::replace(&mut inside[pc], true);
            }
        }
        let enters_elsewhere =
            (0..n).any(|pc| outside[pc] && next[pc].iter().any(|&to| inside[to as usize] && to as usize != head));
        (!enters_elsewhere).then_some(Body { function, around, inside })
    }

    /// The jumps back to the head, each with what the rounds that take it have done. `None`: not all rounds are known.
    fn ways_back(&self, cut: &[Way]) -> Option<BTreeMap<Pc, Found>> {
        let head = self.around.head;
        let mut ways: BTreeMap<Pc, Found> = BTreeMap::new();
        let start = Walk { pc: head, known: BTreeMap::new(), passed: Vec::new(), found: Found::default() };
        let (mut open, mut steps) = (vec![start], 0);
        while let Some(walk) = open.pop() {
            steps += 1;
            if steps > MOST_STEPS {
                return None;
            }
            let from = walk.pc;
            for mut next in step(self.function, &self.around.live, &|_, _| None, walk)? {
                if cut.contains(&Way { from, to: next.pc }) {
                    continue;
                }
                if next.pc == head {
                    if !matches!(self.function.code[from as usize], Instr::Jump(_) | Instr::Branch { .. }) {
                        return None;
                    }
                    let found = ways.entry(from).or_default();
                    found.changes |= next.found.changes;
                    found.chooses |= next.found.chooses;
                } else if self.inside[next.pc as usize] {
                    if self.function.head_at[next.pc as usize] != 0 {
                        if next.passed.contains(&next.pc) {
                            return None;
                        }
                        next.passed.push(next.pc);
                    }
                    open.push(next);
                }
            }
        }
        Some(ways)
    }
}

/// Where a thread may go on from an instruction. `None`: that is not known here.
fn step(function: &Function, live: &[Reg], certain: Certain<'_>, mut walk: Walk) -> Option<Vec<Walk>> {
    let instr = function.code.get(walk.pc as usize)?;
    let here = walk.pc;
    walk.pc += 1;
    let value = |operand: Operand| match operand {
        Operand::Const(value) => Some(value),
        Operand::Reg(register) => walk.known.get(&register).copied(),
    };
    let result = match instr {
        Instr::Set { src, .. } | Instr::SetStatus { src, .. } => value(*src),
        Instr::Bin { op, bits, a, b, .. } => match (op, value(*a), value(*b)) {
            (_, Some(a), Some(b)) => arith::binary(*op, *bits, a, b),
            (BinOp::Xor | BinOp::Sub, ..) if a == b => Some(0),
            (BinOp::And | BinOp::Mul, Some(0), _) | (BinOp::And | BinOp::Mul, _, Some(0)) => Some(0),
            _ => None,
        },
        Instr::Un { op, bits, a, .. } => value(*a).map(|a| arith::unary(*op, *bits, a)),
        Instr::Select { cond, a, b, .. } => value(*cond).and_then(|cond| value(if cond != 0 { *a } else { *b })),
        Instr::Load(Load { addr, size, .. }) => value(*addr).and_then(|address| certain(address, *size)),
        Instr::Choose { dst, values } => {
            walk.found.chooses |= values.len() > 1;
            let chosen = values.iter().map(|&value| {
                let mut next = walk.clone();
                define(&mut next, live, *dst, Some(value));
                next
            });
            return Some(chosen.collect());
        }
        Instr::Store(_) => {
            walk.found.changes = true;
            return Some(vec![walk]);
        }
        Instr::Fence { .. } => return Some(vec![walk]),
        Instr::StopUnless { cond, .. } if value(*cond) == Some(0) => return Some(Vec::new()),
        Instr::StopUnless { .. } => return Some(vec![walk]),
        Instr::Branch { cond, then, otherwise, .. } => {
            let ways: &[Pc] = match value(*cond) {
                Some(0) => &[*otherwise],
                Some(_) => &[*then],
                None => &[*then, *otherwise],
            };
            return Some(ways.iter().map(|&pc| Walk { pc, ..walk.clone() }).collect());
        }
        Instr::Jump(_) | Instr::Return { .. } => {
            let next = successors(&function.code, here);
            return Some(next.iter().map(|&pc| Walk { pc, ..walk.clone() }).collect());
        }
        _ => return None,
    };
    define(&mut walk, live, defines(instr)?, result);
    Some(vec![walk])
}

/// A register gets a value.
fn define(walk: &mut Walk, live: &[Reg], register: Reg, value: Option<u64>) {
    walk.found.changes |= live.contains(&register);
    match value {
        Some(value) => drop(walk.known.insert(register, value)),
        None => drop(walk.known.remove(&register)),
    }
}
