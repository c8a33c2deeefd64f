//! Which functions calls through pointers may call, and which ones threads may run that are created through pointers.
//!
//! Pointers are followed through the whole program: registers, private memory, and what each variable and each place that allocates memory may hold. Neither the order of the code
//! counts nor who calls a function. Addresses come from constants in the code, and from what variables hold at first. What is computed from one is taken to point into the same thing, at an
//! offset that is known as long as constants are added to it.
//!
//! Whether code runs does not count either, and a call through a pointer gives its arguments to every function of which the address stands somewhere: in an execution that decides about itself
//! a function may be called only because of what it does.
//!
//! So a pointer that leaves its variable for another one, or a number that happens to be the address of a function, is not followed. Programs may do that, and then a call
//! may come to a function that is not among these. The interpreter refuses such a call (`Fault::Unsupported`): what is said here holds of all that it runs.
//!
//! Limits: an address that may be at two offsets in a thing may be anywhere in it.

mod places;

use self::places::{Contents, POINTER, Places, Thing};
use super::instr::FUNCTION_BASE;
use super::thread::function_at;
use super::{BinOp, Callee, Instr, Object, Operand, Pc, Program, Reg, Start, Store, THREAD_LOCAL_STRIDE};
use crate::ids::FuncId;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// See the module.
#[derive(Debug)]
pub struct Pointers {
    /// The functions at each place that calls, or creates a thread, through a pointer; sorted.
    targets: FxHashMap<(FuncId, Pc), Vec<FuncId>>,
}

/// That of a program, once somebody has asked. A copy of the program is asked anew: copies are made to be changed.
#[derive(Default, Debug)]
pub(super) struct Known(OnceLock<Pointers>);

impl Clone for Known {
    fn clone(&self) -> Known {
        Known::default()
    }
}

impl Program {
    /// Which functions its pointers may lead to. Nothing in it changes from now on.
    pub fn pointers(&self) -> &Pointers {
        self.pointers.0.get_or_init(|| Flow::of(self).pointers())
    }
}

impl Pointers {
    /// The functions that an instruction may call, or create a thread for, through a pointer.
    pub fn targets(&self, function: FuncId, pc: Pc) -> &[FuncId] {
        self.targets.get(&(function, pc)).map_or(&[], Vec::as_slice)
    }

    /// Whether one of them is this.
    pub fn may_lead(&self, function: FuncId, pc: Pc, to: FuncId) -> bool {
        self.targets(function, pc).binary_search(&to).is_ok()
    }
}

/// What each thing of a program may hold.
struct Flow<'p> {
    program: &'p Program,
    /// Variables by address.
    objects: Vec<(usize, &'p Object)>,
    /// The registers of each function, and its results.
    regs: Vec<Vec<Places>>,
    results: Vec<Vec<Places>>,
    memory: BTreeMap<Thing, Contents>,
    /// Functions that pointers may point to, and those that threads may run.
    pointed_to: Vec<FuncId>,
    threads: Vec<bool>,
    /// What threads end with by `pthread_exit`.
    ends: Places,
    changed: bool,
}

impl<'p> Flow<'p> {
    fn of(program: &'p Program) -> Flow<'p> {
        let mut objects: Vec<(usize, &Object)> = program.objects.iter().enumerate().collect();
        objects.sort_by_key(|(_, object)| object.address);
        let count = program.functions.len();
        let mut flow = Flow {
            program,
            objects,
            regs: vec![Vec::new(); count],
            results: vec![Vec::new(); count],
            memory: BTreeMap::new(),
            pointed_to: Vec::new(),
            threads: vec![false; count],
            ends: Places::default(),
            changed: true,
        };
        flow.begin();
        while std::mem::take(&mut flow.changed) {
            for (number, function) in program.functions.iter().enumerate() {
                let code = function.code.iter().enumerate();
                code.for_each(|(pc, instr)| flow.pass(FuncId::at(number), pc as Pc, instr));
            }
        }
        flow
    }

    /// What is there at first.
    fn begin(&mut self) {
        let program = self.program;
        for (number, object) in program.objects.iter().enumerate() {
            for (offset, bytes) in object.bytes.windows(POINTER.into()).enumerate() {
                let word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
                let value = self.constant(word);
                self.write(Thing::Object(number), Some(offset as u64), value);
            }
        }
        if let Start::Together(entries) = &program.start {
            for entry in entries {
                self.threads[entry.function.index()] = true;
                for (number, &value) in entry.args.iter().enumerate() {
                    let value = self.constant(value);
                    self.set(entry.function, number, value);
                }
            }
        }
        let in_code = program.functions.iter().flat_map(|function| &function.code).flat_map(constants);
        let in_code: Vec<Places> = in_code.map(|value| self.constant(value)).collect();
        let in_memory = self.memory.values().flat_map(Contents::iter);
        let places = in_memory.chain(self.regs.iter().flatten()).chain(&in_code).flat_map(Places::iter);
        let function = |(thing, _): (Thing, Option<u64>)| match thing {
            Thing::Function(function) => Some(function),
            _ => None,
        };
        let mut all: Vec<FuncId> = places.filter_map(function).collect();
        all.sort_unstable();
        all.dedup();
        self.pointed_to = all;
    }

    fn pointers(&self) -> Pointers {
        let mut targets = FxHashMap::default();
        for (number, function) in self.program.functions.iter().enumerate() {
            let id = FuncId::at(number);
            for (pc, instr) in function.code.iter().enumerate() {
                if let Instr::Call { callee: Callee::Indirect(to), .. } | Instr::Spawn { function: to, .. } = instr {
                    targets.insert((id, pc as Pc), self.value(id, *to).functions());
                }
            }
        }
        Pointers { targets }
    }

    /// What a number points to.
    fn constant(&self, value: u64) -> Places {
        if value >= FUNCTION_BASE {
            let offset = (value - FUNCTION_BASE) % 16;
            let function = function_at(self.program, value - offset);
            return function.map_or_else(Places::default, |f| Places::at(Thing::Function(f), Some(offset)));
        }
        // Each thread has its own instance of some variables.
        let of_a_thread = value >= THREAD_LOCAL_STRIDE;
        let address = value % THREAD_LOCAL_STRIDE;
        let before = self.objects.partition_point(|(_, object)| object.address <= address);
        let Some(&(number, object)) = before.checked_sub(1).and_then(|last| self.objects.get(last)) else {
            return Places::default();
        };
        let offset = address - object.address;
        let is_there = offset <= object.bytes.len() as u64 && (object.thread_local || !of_a_thread);
        if is_there { Places::at(Thing::Object(number), Some(offset)) } else { Places::default() }
    }

    fn value(&self, function: FuncId, operand: Operand) -> Places {
        match operand {
            Operand::Const(value) => self.constant(value),
            Operand::Reg(reg) => self.regs[function.index()].get(reg as usize).cloned().unwrap_or_default(),
        }
    }

    /// The functions to which arguments may go.
    fn given(&self, pointer: Operand) -> Vec<FuncId> {
        match pointer {
            Operand::Const(value) => function_at(self.program, value).into_iter().collect(),
            Operand::Reg(_) => self.pointed_to.clone(),
        }
    }

    fn set(&mut self, function: FuncId, reg: usize, value: Places) {
        self.changed |= add(&mut self.regs[function.index()], reg, &value);
    }

    fn write(&mut self, thing: Thing, offset: Option<u64>, value: Places) {
        if !value.is_none() {
            self.changed |= self.memory.entry(thing).or_default().write(offset, &value);
        }
    }

    fn read(&self, thing: Thing, offset: Option<u64>, size: u8) -> Places {
        self.memory.get(&thing).map_or_else(Places::default, |contents| contents.read(offset, size))
    }

    fn pass(&mut self, function: FuncId, pc: Pc, instr: &Instr) {
        let on = |flow: &Self, operand: Operand| flow.value(function, operand);
        let set = |flow: &mut Self, dst: Reg, value: Places| flow.set(function, dst as usize, value);
        match instr {
            Instr::Set { dst, src } | Instr::SetStatus { dst, src } => set(self, *dst, on(self, *src)),
            Instr::Bin { dst, op, bits, a, b } => {
                let value = self.computed(*op, *bits, [*a, *b], function);
                set(self, *dst, value);
            }
            Instr::Un { dst, a, .. } => set(self, *dst, on(self, *a).anywhere()),
            Instr::Select { dst, a, b, .. } => [a, b].into_iter().for_each(|from| set(self, *dst, on(self, *from))),
            Instr::Load(load) => {
                for (thing, offset) in on(self, load.addr).iter() {
                    let value = self.read(thing, offset, load.size);
                    set(self, load.dst, value);
                }
            }
            Instr::Store(store) => {
                let value = on(self, store.value);
                let value = if store.size < POINTER { value.anywhere() } else { value };
                for (thing, offset) in on(self, store.addr).iter() {
                    self.write(thing, offset, value.clone());
                }
            }
            Instr::LocalLoad { dst, offset, size } => {
                let value = self.read(Thing::Private(function), constant(*offset), *size);
                set(self, *dst, value);
            }
            Instr::LocalStore { offset, value, size } => {
                let value = on(self, *value);
                let value = if *size < POINTER { value.anywhere() } else { value };
                self.write(Thing::Private(function), constant(*offset), value);
            }
            Instr::Alloc { dst, .. } => set(self, *dst, Places::at(Thing::Made(function, pc), Some(0))),
            Instr::Choose { dst, values } => {
                values.iter().for_each(|&value| set(self, *dst, self.constant(value)));
            }
            Instr::Call { callee, args, dst } => {
                let callees = match callee {
                    Callee::Direct(callee) => vec![*callee],
                    Callee::Indirect(pointer) => self.given(*pointer),
                };
                for callee in callees {
                    args.iter().enumerate().for_each(|(i, &arg)| self.set(callee, i, on(self, arg)));
                    for (i, result) in self.results[callee.index()].clone().into_iter().enumerate() {
                        dst.iter().for_each(|&dst| self.set(function, dst as usize + i, result.clone()));
                    }
                }
            }
            Instr::Return { value } => self.leave(function, value.as_slice()),
            Instr::ReturnMany { values } => self.leave(function, values),
            Instr::Spawn { function: target, arg, .. } => {
                for thread in self.given(*target) {
                    self.changed |= !std::mem::replace(&mut self.threads[thread.index()], true);
                    self.set(thread, 0, on(self, *arg));
                }
            }
            Instr::JoinThread { dst: Some(dst), .. } => {
                let threads = self.results.iter().zip(&self.threads).filter(|(_, runs)| **runs);
                let mut all = self.ends.clone();
                threads.filter_map(|(results, _)| results.first()).for_each(|result| _ = all.join(result));
                set(self, *dst, all);
            }
            Instr::ExitThread { value } => {
                let value = on(self, *value);
                self.changed |= self.ends.join(&value);
            }
            _ => {}
        }
    }

    fn leave(&mut self, function: FuncId, values: &[Operand]) {
        for (number, &value) in values.iter().enumerate() {
            let value = self.value(function, value);
            self.changed |= add(&mut self.results[function.index()], number, &value);
        }
    }

    /// What is computed from two numbers.
    fn computed(&self, op: BinOp, bits: u8, operands: [Operand; 2], function: FuncId) -> Places {
        let [a, b] = operands.map(|operand| self.value(function, operand));
        let number = |operand: Operand, value: &Places| constant(operand).filter(|_| value.is_none() && bits == 64);
        match (op, number(operands[0], &a), number(operands[1], &b)) {
            (BinOp::Add, _, Some(by)) => return a.moved(by),
            (BinOp::Add, Some(by), _) => return b.moved(by),
            (BinOp::Sub, _, Some(by)) => return a.moved(by.wrapping_neg()),
            _ if is_comparison(op) => return Places::default(),
            _ => {}
        }
        let mut both = a.anywhere();
        both.join(&b.anywhere());
        both
    }
}

/// Adds to what is known of one of several values; whether there is anything new.
fn add(all: &mut Vec<Places>, number: usize, value: &Places) -> bool {
    if value.is_none() {
        return false;
    }
    if all.len() <= number {
        all.resize(number + 1, Places::default());
    }
    all[number].join(value)
}

/// The constants in an instruction that may go somewhere.
fn constants(instr: &Instr) -> Vec<u64> {
    let operands: SmallVec<[Operand; 4]> = match instr {
        Instr::Choose { values, .. } => return values.to_vec(),
        Instr::Set { src: a, .. }
        | Instr::SetStatus { src: a, .. }
        | Instr::Un { a, .. }
        | Instr::LocalStore { value: a, .. }
        | Instr::Store(Store { value: a, .. })
        | Instr::Spawn { arg: a, .. }
        | Instr::ExitThread { value: a }
        | Instr::Return { value: Some(a) } => smallvec![*a],
        Instr::Bin { a, b, .. } | Instr::Select { a, b, .. } => smallvec![*a, *b],
        Instr::Call { args: all, .. } | Instr::ReturnMany { values: all } => all.iter().copied().collect(),
        _ => SmallVec::new(),
    };
    operands.into_iter().filter_map(constant).collect()
}

fn constant(operand: Operand) -> Option<u64> {
    match operand {
        Operand::Const(value) => Some(value),
        Operand::Reg(_) => None,
    }
}

fn is_comparison(op: BinOp) -> bool {
    use BinOp::*;
    matches!(op, Eq | Ne | ULt | ULe | UGt | UGe | SLt | SLe | SGt | SGe | FEq | FNe | FLt | FLe | FGt | FGe | FUno)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{TagSetId, ThreadId};
    use crate::program::deps::{DepId, DepTable};
    use crate::program::fault::Fault;
    use crate::program::thread::{Action, Context, Thread};
    use crate::program::{FunctionBuilder, Half, Load, ProgramBuilder, Region};

    const FIRST: u64 = 0x1000;
    const F: FuncId = FuncId(0);
    const G: FuncId = FuncId(1);
    const MAIN: FuncId = FuncId(2);

    fn address(function: FuncId) -> Operand {
        Operand::Const(ProgramBuilder::function_address(function))
    }

    fn load(f: &mut FunctionBuilder, addr: Operand) -> Operand {
        let (dst, tags, half) = (f.reg(), TagSetId(0), Half::None);
        f.push(Instr::Load(Load { dst, addr, size: 8, tags, half, unless: None, hidden: false }));
        Operand::Reg(dst)
    }

    fn store(f: &mut FunctionBuilder, addr: Operand, value: Operand) {
        f.push(Instr::Store(Store { addr, value, size: 8, tags: TagSetId(0), half: Half::None, hidden: false }));
    }

    fn binary(f: &mut FunctionBuilder, op: BinOp, a: Operand, b: Operand) -> Operand {
        let dst = f.reg();
        f.push(Instr::Bin { dst, op, bits: 64, a, b });
        Operand::Reg(dst)
    }

    fn call(f: &mut FunctionBuilder, callee: Callee, args: &[Operand]) -> Operand {
        let dst = f.reg();
        f.push(Instr::Call { callee, args: args.into(), dst: Some(dst) });
        Operand::Reg(dst)
    }

    /// Two functions, the first of which gives back what it is given, and `main`, which calls what `pointer` makes. A table of the two stands at [`FIRST`].
    fn program(pointer: impl FnOnce(&mut FunctionBuilder) -> Operand) -> Program {
        let mut program = ProgramBuilder::new("test", FIRST);
        let table = [F, G].map(|f| ProgramBuilder::function_address(f).to_le_bytes()).concat();
        let name = "table".into();
        program.object(
            Object { name, address: 0, bytes: table, cells: Vec::new(), thread_local: false, read_only: true },
            8,
        );
        let mut main = FunctionBuilder::new("main", 0);
        let target = pointer(&mut main);
        call(&mut main, Callee::Indirect(target), &[]);
        for (id, params) in [(F, 1), (G, 0)] {
            let mut f = FunctionBuilder::new("f", params);
            f.push(Instr::Return { value: (params > 0).then_some(Operand::Reg(0)) });
            assert_eq!(program.declare("f"), id);
            program.define(id, f.finish());
        }
        assert_eq!(program.declare("main"), MAIN);
        program.define(MAIN, main.finish());
        program.program.start = Start::Main(MAIN);
        program.program
    }

    /// What the last call of `main` may run.
    fn called(pointer: impl FnOnce(&mut FunctionBuilder) -> Operand) -> Vec<FuncId> {
        let program = program(pointer);
        let last = program.functions[MAIN.index()].code.len() - 2;
        program.pointers().targets(MAIN, last as Pc).to_vec()
    }

    #[test]
    fn an_entry_of_a_table_at_a_known_place_is_one_function() {
        assert_eq!(called(|f| load(f, Operand::Const(FIRST + 8))), [G]);
        let moved = |f: &mut FunctionBuilder| binary(f, BinOp::Add, Operand::Const(FIRST), Operand::Const(8));
        assert_eq!(
            called(|f| {
                let at = moved(f);
                load(f, at)
            }),
            [G]
        );
    }

    #[test]
    fn an_entry_at_an_index_is_any() {
        let entry = |f: &mut FunctionBuilder| {
            let index = f.reg();
            f.push(Instr::Choose { dst: index, values: [0, 8].into() });
            let at = binary(f, BinOp::Add, Operand::Const(FIRST), Operand::Reg(index));
            load(f, at)
        };
        assert_eq!(called(entry), [F, G]);
    }

    #[test]
    fn pointers_go_through_memory_that_is_allocated_and_calls() {
        let given = |f: &mut FunctionBuilder| {
            let block = f.reg();
            let (size, name) = (Operand::Const(16), "block".into());
            f.push(Instr::Alloc { dst: block, size, region: Region::Heap, name });
            store(f, Operand::Reg(block), address(G));
            let block = call(f, Callee::Direct(F), &[Operand::Reg(block)]);
            load(f, block)
        };
        assert_eq!(called(given), [G]);
    }

    #[test]
    fn private_memory_and_results_of_calls_through_pointers_hold_pointers() {
        let kept = |f: &mut FunctionBuilder| {
            let (dst, offset, size) = (f.reg(), Operand::Const(0), 8);
            f.local(8);
            f.push(Instr::LocalStore { offset, value: address(G), size });
            f.push(Instr::LocalLoad { dst, offset, size });
            let pointer = load(f, Operand::Const(FIRST));
            call(f, Callee::Indirect(pointer), &[Operand::Reg(dst)])
        };
        assert_eq!(called(kept), [G]);
    }

    #[test]
    fn what_marks_a_pointer_is_taken_away_again() {
        let marked = |f: &mut FunctionBuilder| {
            let marked = binary(f, BinOp::Or, address(G), Operand::Const(1));
            binary(f, BinOp::And, marked, Operand::Const(!1))
        };
        assert_eq!(called(marked), [G]);
    }

    #[test]
    fn either_of_two_may_be_chosen() {
        let chosen = |f: &mut FunctionBuilder| {
            let (dst, cond) = (f.reg(), f.reg());
            f.push(Instr::Choose { dst: cond, values: [0, 1].into() });
            f.push(Instr::Select { dst, cond: Operand::Reg(cond), a: address(F), b: address(G), on_cond: false });
            Operand::Reg(dst)
        };
        assert_eq!(called(chosen), [F, G]);
    }

    #[test]
    fn a_function_may_be_called_because_of_what_it_does() {
        // `g` puts its own address where it is called from, and is called from nowhere else.
        let mut program = program(|f| load(f, Operand::Const(FIRST + 8)));
        let mut g = FunctionBuilder::new("g", 1);
        store(&mut g, Operand::Const(FIRST + 8), Operand::Reg(0));
        program.functions[G.index()] = g.finish();
        program.objects[0].bytes = [ProgramBuilder::function_address(F).to_le_bytes(), [0; 8]].concat();
        let mut main = FunctionBuilder::new("main", 0);
        let pointer = load(&mut main, Operand::Const(FIRST + 8));
        call(&mut main, Callee::Indirect(pointer), &[address(G)]);
        program.functions[MAIN.index()] = main.finish();
        assert_eq!(program.pointers().targets(MAIN, 1), [G]);
    }

    /// What becomes of `main`, which makes no events.
    fn run(program: &Program) -> Action {
        let mut cx = Context {
            program,
            deps: &mut DepTable::default(),
            thread: ThreadId(0),
            events: 0,
            unroll: None,
            detect_idle: true,
            budget: 100,
            go_on: false,
            ways: None,
        };
        Thread::start(program, MAIN, &[], DepId::NONE).run(&mut cx)
    }

    #[test]
    fn another_function_is_not_run() {
        let moved = |f: &mut FunctionBuilder| binary(f, BinOp::Add, address(F), Operand::Const(16));
        assert_eq!(called(moved), []);
        assert!(matches!(run(&program(moved)), Action::Fault(Fault::Unsupported(_))));
        let there_and_back = |f: &mut FunctionBuilder| {
            let moved = moved(f);
            binary(f, BinOp::Sub, moved, Operand::Const(16))
        };
        assert_eq!(run(&program(there_and_back)), Action::Finished);
    }
}
