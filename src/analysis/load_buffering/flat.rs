//! The code of a thread with all calls written out: one node an instruction and call, with the places that may come next.
//!
//! A call through a pointer is written out once for each function that it may run ([`crate::program::pointers`]), or for the only one where the pointer
//! never changes while the thread runs. So a function may be told apart that is given as an argument.

use crate::analysis::load_buffering::values::{Value, Values};
use crate::ids::FuncId;
use crate::program::thread::{Frame, Thread, function_at};
use crate::program::{Callee, Function, Half, Instr, Operand, Pc, Program, Reg, Start};
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
    pub caller: Option<(usize, At)>,
}

/// The code of one thread.
pub(super) struct Flat<'p> {
    pub calls: Vec<Call<'p>>,
    /// The call that each node belongs to.
    call_of: Vec<usize>,
    /// The calls that a node may make, one of which it makes.
    callees: FxHashMap<At, Vec<usize>>,
    pub next: Vec<Vec<At>>,
    /// What the thread is given, if that is known.
    argument: Option<u64>,
    /// [`Program::selects`].
    pub selects: bool,
    /// Whether a copy that only some ways make depends on what decides the way, as a model sees.
    pub selected: bool,
}

impl<'p> Flat<'p> {
    /// The code of a thread that runs a function. `None`: it is, or may be, recursive, or there is too much of it.
    pub fn new(program: &'p Program, function: FuncId) -> Option<Flat<'p>> {
        Flat::given(program, function, None)
    }

    /// The same of a thread that is given this argument.
    pub fn with_argument(program: &'p Program, function: FuncId, argument: u64) -> Option<Flat<'p>> {
        Flat::given(program, function, Some(argument))
    }

    fn given(program: &'p Program, function: FuncId, argument: Option<u64>) -> Option<Flat<'p>> {
        let (call_of, callees) = (Vec::new(), FxHashMap::default());
        let (selects, selected) = (program.selects, program.plain.is_some());
        let mut flat = Flat { calls: Vec::new(), call_of, callees, next: Vec::new(), argument, selects, selected };
        flat.enter(program, function, 0, None)?;
        // Calls are written out in the order in which they are found.
        let mut at = 0;
        while at < flat.call_of.len() {
            if let Instr::Call { callee, args, .. } = flat.instr(at) {
                let functions = match callee {
                    Callee::Direct(function) => vec![*function],
                    Callee::Indirect(pointer) => match flat.never_changes(program, at, *pointer) {
                        Some(value) => function_at(program, value).into_iter().collect(),
                        None => flat.pointed_to(program, at).to_vec(),
                    },
                };
                let caller = Some((flat.call_of[at], at));
                let calls = functions.into_iter().map(|function| flat.enter(program, function, args.len(), caller));
                let calls = calls.collect::<Option<Vec<usize>>>()?;
                flat.callees.insert(at, calls);
            }
            at += 1;
        }
        flat.next = (0..flat.len()).map(|at| flat.successors(at)).collect();
        Some(flat)
    }

    /// The functions that a call or the creation of a thread may run, through a pointer that may change.
    pub fn pointed_to<'a>(&self, program: &'a Program, at: At) -> &'a [FuncId] {
        program.pointers().targets(self.calls[self.call_of[at]].id, self.pc(at))
    }

    /// The value of a pointer that always has the same, while calls are still being written out.
    fn never_changes(&self, program: &Program, at: At, pointer: Operand) -> Option<u64> {
        match pointer {
            Operand::Const(value) => Some(value),
            // Only of translated code more is known.
            Operand::Reg(_) if matches!(program.start, Start::Together(_)) => None,
            Operand::Reg(_) => match Values::so_far(self, program).of(at, pointer)? {
                Value::Const(value) => Some(value),
                Value::Fixed(_) => None,
            },
        }
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
        let regs = self.registers();
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

    /// The calls that a node may make; it makes one of them.
    pub fn callees(&self, at: At) -> impl Iterator<Item = &Call<'p>> {
        self.callees.get(&at).into_iter().flatten().map(|&c| &self.calls[c])
    }

    /// Whether it is known what a call leads to: not while calls are still being written out.
    pub(super) fn is_written_out(&self, at: At) -> bool {
        self.callees.contains_key(&at)
    }

    /// How many registers there are.
    pub fn registers(&self) -> usize {
        self.calls.last().map_or(0, |c| c.regs + c.count)
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

    /// The registers that the results of a call go to, from this one on; as many as there are results, if the caller has so many.
    pub fn results(&self, at: At, first: Reg) -> std::ops::Range<usize> {
        let call = &self.calls[self.call_of[at]];
        call.regs + first as usize..call.regs + call.count
    }

    fn successors(&self, at: At) -> Vec<At> {
        let call = &self.calls[self.call_of[at]];
        let to = |pc: &Pc| call.start + *pc as usize;
        match self.instr(at) {
            Instr::Jump(pc) => vec![to(pc)],
            Instr::Branch { then, otherwise, .. } if then == otherwise => vec![to(then)],
            Instr::Branch { then, otherwise, .. } => vec![to(then), to(otherwise)],
            Instr::Call { .. } => self.callees(at).map(|c| c.start).collect(),
            Instr::Return { .. } | Instr::ReturnMany { .. } => call.caller.map(|c| c.1 + 1).into_iter().collect(),
            Instr::Fail { .. } | Instr::Panic { .. } | Instr::ExitThread { .. } | Instr::ExitProgram { .. } => {
                Vec::new()
            }
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
            call = self.callees(at).find(|call| frame.func == call.id)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{FunctionBuilder, ProgramBuilder};

    const F: FuncId = FuncId(0);
    const G: FuncId = FuncId(1);
    const APPLY: FuncId = FuncId(2);
    const MAIN: FuncId = FuncId(3);

    fn address(function: FuncId) -> Operand {
        Operand::Const(ProgramBuilder::function_address(function))
    }

    fn call(callee: Callee, args: &[Operand]) -> Instr {
        Instr::Call { callee, args: args.into(), dst: None }
    }

    /// A call of one of several functions.
    fn chosen(functions: &[FuncId]) -> [Instr; 2] {
        let values = functions.iter().map(|&f| ProgramBuilder::function_address(f)).collect();
        [Instr::Choose { dst: 0, values }, call(Callee::Indirect(Operand::Reg(0)), &[])]
    }

    /// Two functions, one that calls what it is given, and `main`.
    fn program(main: &[Instr]) -> Program {
        let apply = call(Callee::Indirect(Operand::Reg(0)), &[]);
        let all = [("f", vec![]), ("g", vec![]), ("apply", vec![apply]), ("main", main.to_vec())];
        let mut program = ProgramBuilder::new("test", 0x1000);
        for (name, code) in all {
            let mut f = FunctionBuilder::new(name, u32::from(name == "apply"));
            if name == "main" {
                f.reg();
            }
            code.into_iter().for_each(|instr| f.push(instr));
            let id = program.declare(name);
            program.define(id, f.finish());
        }
        program.program.start = Start::Main(MAIN);
        program.program
    }

    fn callees(flat: &Flat<'_>, at: At) -> Vec<FuncId> {
        flat.callees(at).map(|call| call.id).collect()
    }

    #[test]
    fn a_call_may_be_of_several_functions_and_goes_on_behind_each() {
        let program = program(&chosen(&[F, G]));
        let flat = Flat::new(&program, MAIN).expect("the code");
        assert_eq!(callees(&flat, 1), [F, G]);
        assert_eq!(flat.next[1].len(), 2);
        assert!(flat.next[1].iter().all(|&start| flat.next[start] == [2]));
    }

    #[test]
    fn what_a_function_is_given_is_told_apart_by_call() {
        let given = [F, G].map(|f| call(Callee::Direct(APPLY), &[address(f)]));
        let program = program(&given);
        assert_eq!(program.pointers().targets(APPLY, 0), [F, G]);
        let flat = Flat::new(&program, MAIN).expect("the code");
        let called: Vec<_> = (0..2).map(|at| callees(&flat, flat.next[at][0])).collect();
        assert_eq!(called, [[F], [G]]);
    }

    #[test]
    fn a_thread_is_told_apart_by_the_function_that_it_is_given() {
        let given = [F, G].map(|f| call(Callee::Direct(APPLY), &[address(f)]));
        let program = program(&given);
        let of = |flat: Option<Flat<'_>>| flat.map(|flat| callees(&flat, 0));
        assert_eq!(of(Flat::new(&program, APPLY)), Some(vec![F, G]));
        let value = ProgramBuilder::function_address(G);
        assert_eq!(of(Flat::with_argument(&program, APPLY, value)), Some(vec![G]));
    }

    #[test]
    fn what_may_call_itself_is_not_written_out() {
        assert!(Flat::new(&program(&chosen(&[F, MAIN])), MAIN).is_none());
    }
}
