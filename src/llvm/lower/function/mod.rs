//! One function: values, blocks and branches.
//!
//! [`code`] emits accesses through the mapping. Instructions: [`branches`], [`arith`], [`memory`], [`blocks`], [`calls`], [`output`], [`shown`], [`intrinsics`], [`asm`].
//!
//! Every instruction result is one register for each scalar in it. Registers may be assigned again, so a promoted variable
//! is a register as it stands.

mod marks;
mod operands;

pub mod arith;
pub mod asm;
pub mod blocks;
pub mod branches;
pub mod calls;
pub mod code;
pub mod double;
pub mod intrinsics;
pub mod memory;
pub mod output;
pub mod shown;
pub mod wide;

use super::Lowering;
use super::function::code::Code;
use super::leaving::Leaving;
use super::values::promote::{Home, Promotion, promote};
use super::values::unset::{self, Unset};
use crate::ids::SpanId;
use crate::llvm::ir::{self, Instruction, Local, Op, TypeId, Value, types::MAX_LEAVES};
use crate::llvm::names::of_cpp;
use crate::program::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Why something cannot be lowered: becomes the message of a failing instruction.
pub type Lowered<T> = Result<T, String>;

/// The state of lowering one function.
pub struct FunctionLowering<'l, 'm> {
    /// The module around it.
    pub module: &'l mut Lowering<'m>,
    /// The function.
    pub source: &'m ir::Function,
    /// The code so far; the context is put together on demand by [`Self::code`].
    pub f: FunctionBuilder,
    /// Where variables live.
    pub promotion: Promotion,
    /// Reads that may come before every write.
    pub(super) unset: Unset,
    /// Registers that say whether a scalar of a watched variable is written: (variable, offset) → register.
    pub(super) flags: FxHashMap<(Local, u64), Reg>,
    /// How far behind a watched variable in frame-private memory its flags are.
    pub(super) flags_behind: FxHashMap<Local, u64>,
    /// Operands of each local, one for each scalar.
    pub values: FxHashMap<Local, Vec<Operand>>,
    /// Registers of promoted variables: (variable, offset) → register.
    pub variables: FxHashMap<(Local, u64), Reg>,
    variable_registers: FxHashSet<Reg>,
    /// Offsets in frame-private memory of promoted variables.
    pub private: FxHashMap<Local, u32>,
    /// Offsets of addresses inside frame-private variables that are not constant.
    pub offsets: FxHashMap<Local, Operand>,
    /// Registers that hold further arguments of a function with a variable number of them.
    pub varargs: Vec<Reg>,
    /// The block and position that are being lowered.
    pub position: (usize, usize),
    /// For each local, the block that all its uses are in, if there is one, and the position of the last.
    pub(super) last_use: FxHashMap<Local, (Option<usize>, usize)>,
    pub(super) labels: FxHashMap<Local, Label>,
    pub(super) block_index: FxHashMap<Local, usize>,
    names: FxHashMap<Local, &'m str>,
    pub(super) dominators: Option<Vec<usize>>,
    pub(super) span: SpanId,
    /// Addresses inside structures: the structure that the whole chain of indices starts at, and the offset in it.
    members: FxHashMap<Local, (TypeId, u64)>,
    pub(super) leaving: Leaving,
}

/// Lowers a function.
pub fn lower<'m>(module: &mut Lowering<'m>, source: &'m ir::Function) -> Function {
    let promotion = promote(source, module.module);
    let unset = match module.cx.uses.checks.uninitialised {
        true => unset::find(source, module.module, &promotion),
        false => Unset::default(),
    };
    let mut lowering = FunctionLowering {
        module,
        source,
        f: FunctionBuilder::new("", 0),
        promotion,
        unset,
        flags: FxHashMap::default(),
        flags_behind: FxHashMap::default(),
        values: FxHashMap::default(),
        variables: FxHashMap::default(),
        variable_registers: FxHashSet::default(),
        private: FxHashMap::default(),
        offsets: FxHashMap::default(),
        varargs: Vec::new(),
        position: (0, 0),
        last_use: FxHashMap::default(),
        labels: FxHashMap::default(),
        block_index: FxHashMap::default(),
        names: FxHashMap::default(),
        dominators: None,
        span: SpanId(0),
        members: FxHashMap::default(),
        leaving: Leaving::default(),
    };
    lowering.run()
}

impl<'l, 'm> FunctionLowering<'l, 'm> {
    fn run(&mut self) -> Function {
        self.prepare();
        for (index, block) in self.source.blocks.iter().enumerate() {
            self.f.place(self.labels[&block.label]);
            for (i, instruction) in block.instructions.iter().enumerate() {
                self.position = (index, i);
                self.locate(instruction.debug);
                if let Err(message) = self.instruction(instruction) {
                    self.give_up(instruction, &message);
                }
            }
        }
        self.write_exit();
        std::mem::replace(&mut self.f, FunctionBuilder::new("", 0)).finish_tidy()
    }

    fn prepare(&mut self) {
        let types = &self.module.module.types;
        let mut count = 0;
        let mut params = Vec::new();
        for param in &self.source.params {
            let n = types.leaves(param.ty, MAX_LEAVES).map_or(1, |l| l.len()) as u32;
            params.push((param.local, (count..count + n).map(Operand::Reg).collect::<Vec<_>>()));
            count += n;
        }
        let named = self.source.debug.and_then(|d| self.module.module.metadata.name(d)).unwrap_or(&self.source.name);
        // A name of C++ has its namespace or class in front of it only when it is mangled.
        let name = of_cpp(&self.source.name).unwrap_or_else(|| named.to_owned());
        self.f = FunctionBuilder::new(name, count);
        if self.source.varargs {
            let extra = self.module.most_args.saturating_sub(self.source.params.len());
            self.varargs = (0..extra).map(|_| self.f.reg()).collect();
        }
        for (local, operands) in params {
            if let [Operand::Reg(reg)] = operands[..] {
                self.f.name_reg(reg, self.source.locals[local as usize].clone());
            }
            self.values.insert(local, operands);
        }
        for (index, block) in self.source.blocks.iter().enumerate() {
            let label = self.f.label();
            self.labels.insert(block.label, label);
            self.block_index.insert(block.label, index);
            for (i, instruction) in block.instructions.iter().enumerate() {
                self.note_uses(index, i, instruction);
            }
        }
        self.locate(self.source.debug);
        if self.source.name == "main" {
            self.main_arguments();
        }
        if let Err(message) = self.copy_parameters() {
            self.code().unsupported(message);
        }
        self.mark_call();
    }

    fn note_uses(&mut self, block: usize, at: usize, instruction: &'m Instruction) {
        if let (Op::Declare { address: Value::Local(local), variable }, metadata) =
            (&instruction.op, &self.module.module.metadata)
            && let Some(name) = metadata.name(*variable)
        {
            self.names.insert(*local, name);
        }
        self.note_member(instruction);
        // Phis read their operands on another edge; the conditions of switches are looked at again there.
        let is_phi = matches!(instruction.op, Op::Phi { .. } | Op::Switch { .. });
        super::operands(&instruction.op, &mut |value| {
            if let Value::Local(local) = value {
                let entry = self.last_use.entry(*local).or_insert((Some(block), at));
                if entry.0 != Some(block) || is_phi {
                    entry.0 = None;
                }
                entry.1 = at;
            }
        });
    }

    fn note_member(&mut self, instruction: &Instruction) {
        let (Some(result), Op::Gep { source, base, indices }) = (instruction.result, &instruction.op) else { return };
        let types = &self.module.module.types;
        let offset = super::values::promote::constant_offset(types, *source, indices);
        let outer = match base {
            Value::Local(base) => self.members.get(base).copied(),
            _ => None,
        };
        let member = match (outer, offset) {
            (Some((root, at)), Some(offset)) => Some((root, at.wrapping_add(offset))),
            (None, Some(offset)) if types.name(*source).starts_with('%') => Some((*source, offset)),
            _ => None,
        };
        if let Some(member) = member {
            self.members.insert(result, member);
        }
    }

    /// Says into which structure the next access goes, when its address is one of a member.
    pub fn note_access(&mut self, address: &Value) {
        let member = match address {
            Value::Local(local) => self.members.get(local).copied(),
            _ => None,
        };
        let layout = member.and_then(|(ty, offset)| Some((self.module.layout(ty)?, offset)));
        self.f.layout(layout);
    }

    /// `argv` holds a name, what the user gives besides, and a null pointer.
    fn main_arguments(&mut self) {
        let params: Vec<Operand> = self.source.params.iter().flat_map(|p| self.values[&p.local].clone()).collect();
        let given = &self.module.module.arguments;
        if let Some(Operand::Reg(argc)) = params.first() {
            self.f.push(Instr::Set { dst: *argc, src: Operand::Const(1 + given.len() as u64) });
        }
        if let Some(Operand::Reg(argv)) = params.get(1) {
            let object = |name: String, bytes: Vec<u8>| Object {
                name,
                address: 0,
                bytes,
                cells: Vec::new(),
                thread_local: false,
                read_only: false,
            };
            let builder = &mut self.module.cx.builder;
            let mut pointers = Vec::new();
            for (i, text) in std::iter::once("program").chain(given.iter().map(String::as_str)).enumerate() {
                let bytes = [text.as_bytes(), &[0]].concat();
                pointers.extend(builder.object(object(format!("argv[{i}]"), bytes), 8).to_le_bytes());
            }
            pointers.extend([0; 8]);
            let address = builder.object(object("argv".to_owned(), pointers), 8);
            self.f.push(Instr::Set { dst: *argv, src: Operand::Const(address) });
        }
    }

    /// Structures passed by value in memory are copied by the callee.
    fn copy_parameters(&mut self) -> Lowered<()> {
        for param in &self.source.params {
            let Some(ty) = param.byval else { continue };
            let size = self.module.module.types.size(ty);
            let copy = self.f.reg();
            let name = self.source.locals[param.local as usize].clone();
            let size_operand = Operand::Const(size);
            self.f.push(Instr::Alloc { dst: copy, size: size_operand, region: Region::Stack, name: name.into() });
            let Some(&original) = self.values[&param.local].first() else { continue };
            self.copy_memory(Operand::Reg(copy), original, size, ty)?;
            self.values.insert(param.local, vec![Operand::Reg(copy)]);
        }
        Ok(())
    }

    fn locate(&mut self, debug: Option<u32>) {
        if let Some(span) = debug.and_then(|d| self.module.position(d, 0)) {
            self.span = span;
        }
        self.f.at(self.span);
    }

    /// The emitter; used for the length of one call.
    pub fn code(&mut self) -> Code<'_, 'm> {
        Code { f: &mut self.f, cx: &mut self.module.cx }
    }

    /// An instruction that cannot be run: it says so when it is reached. Its result, if anything uses it, is 0.
    fn give_up(&mut self, instruction: &Instruction, message: &str) {
        self.code().unsupported(message);
        if let Some(result) = instruction.result {
            self.values.entry(result).or_insert_with(|| vec![Operand::Const(0)]);
        }
    }

    fn instruction(&mut self, instruction: &'m Instruction) -> Lowered<()> {
        self.check_defined(&instruction.op);
        match (&instruction.op, instruction.result) {
            (Op::Branch { to }, _) => self.goto(*to),
            (Op::CondBranch { cond, then, otherwise }, _) => self.conditional(cond, *then, *otherwise),
            (Op::Switch { ty, value, default, cases }, _) => self.switch(*ty, value, *default, cases),
            (Op::Return { value }, _) => self.return_value(value.as_ref()),
            (Op::Unreachable, _) => {
                // What leads here never comes back, so reaching it means undefined behaviour in the program.
                let follows_call = self.position.1.checked_sub(1).is_some_and(|before| {
                    matches!(self.source.blocks[self.position.0].instructions[before].op, Op::Call { .. })
                });
                let message =
                    if follows_call { "a function returned that is declared not to return" } else { UNREACHABLE };
                self.f.push(Instr::Fail { message: message.into(), unsupported: false });
                Ok(())
            }
            (Op::Phi { .. } | Op::Declare { .. }, _) => Ok(()),
            (Op::Unsupported(name), _) => Err(format!("the LLVM instruction `{name}` is not supported")),
            (op, result) => self.operation(op, result),
        }
    }

    /// The lives of variables in memory end with their function, and with the thread that runs it. Those of `main` last as long as the program,
    /// unless it ends as a thread does.
    pub(super) fn end_variables(&mut self) {
        let Some(entry) = self.source.blocks.first() else { return };
        for instruction in &entry.instructions {
            if let (Some(result), Op::Alloca { .. }) = (instruction.result, &instruction.op)
                && matches!(self.promotion.homes.get(&result), None | Some((_, Home::Memory)))
                && let Some(&[addr]) = self.values.get(&result).map(Vec::as_slice)
            {
                self.f.next_group();
                self.f.push(Instr::Free { addr, stack: true });
            }
        }
    }

    fn return_value(&mut self, value: Option<&(TypeId, Value)>) -> Lowered<()> {
        let values = match value {
            None => Vec::new(),
            Some((ty, value)) => self.operands(*ty, value)?,
        };
        if let ("main", &[value]) = (self.source.name.as_str(), &values[..]) {
            self.code().check_exit_code(value);
        }
        if self.source.name != "main" {
            self.end_variables();
        }
        self.mark_return(&values);
        self.f.push(match values[..] {
            [] => Instr::Return { value: None },
            [value] => Instr::Return { value: Some(value) },
            _ => Instr::ReturnMany { values: values.into() },
        });
        Ok(())
    }
}
