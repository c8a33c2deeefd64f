//! What each register and each thing in memory may point to: the least sets that all instructions agree with.

use super::Pointers;
use super::places::{Contents, POINTER, Places, Thing};
use crate::ids::FuncId;
use crate::program::instr::FUNCTION_BASE;
use crate::program::thread::function_at;
use crate::program::{BinOp, Callee, Instr, Object, Operand, Pc, Program, Reg, Start, Store, THREAD_LOCAL_STRIDE};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeMap;

/// What each thing of a program may hold.
pub(super) struct Flow<'p> {
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
    pub(super) fn of(program: &'p Program) -> Flow<'p> {
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

    pub(super) fn pointers(&self) -> Pointers {
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
            Instr::ReadWord { dst, word } => {
                let value = self.read(Thing::Word(*word), Some(0), POINTER);
                set(self, *dst, value);
            }
            Instr::WriteWord { word, value } => {
                let value = on(self, *value);
                self.write(Thing::Word(*word), Some(0), value);
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
        | Instr::WriteWord { value: a, .. }
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
