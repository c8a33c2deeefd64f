//! Values of the source as operands, and results as registers.

use super::{FunctionLowering, Lowered};
use crate::llvm::ir::{Local, Op, TypeId, Value, types::MAX_LEAVES};
use crate::llvm::lower::values::promote::{Home, Inside};
use crate::llvm::names::readable;
use crate::program::*;

impl<'l, 'm> FunctionLowering<'l, 'm> {
    /// The registers of an instruction's result.
    pub fn result(&mut self, local: Local, ty: TypeId) -> Lowered<Vec<Reg>> {
        if let Some(operands) = self.values.get(&local) {
            let registers: Option<Vec<Reg>> =
                operands.iter().map(|o| if let Operand::Reg(r) = o { Some(*r) } else { None }).collect();
            if let Some(registers) = registers {
                return Ok(registers);
            }
        }
        let types = &self.module.module.types;
        let leaves = types
            .leaves(ty, MAX_LEAVES)
            .ok_or_else(|| format!("values of type {} are not supported", types.name(ty)))?;
        let registers: Vec<Reg> = leaves.iter().map(|_| self.f.reg()).collect();
        self.values.insert(local, registers.iter().map(|&r| Operand::Reg(r)).collect());
        Ok(registers)
    }

    /// The register of a scalar result.
    pub fn scalar_result(&mut self, local: Local, ty: TypeId) -> Lowered<Reg> {
        match self.result(local, ty)?[..] {
            [register] => Ok(register),
            _ => Err("a scalar value is expected here".into()),
        }
    }

    /// Makes a local stand for operands. A variable's register may change while the local lives, so it is copied.
    pub fn alias(&mut self, local: Local, operands: Vec<Operand>) {
        let operands = operands.into_iter().map(|o| self.lasting(o)).collect();
        self.alias_lasting(local, operands);
    }

    /// The same value in a register that no assignment to a variable changes.
    pub fn lasting(&mut self, operand: Operand) -> Operand {
        match operand {
            Operand::Reg(reg) if self.variable_registers.contains(&reg) => {
                let dst = self.f.reg();
                self.f.push(Instr::Set { dst, src: operand });
                Operand::Reg(dst)
            }
            _ => operand,
        }
    }

    /// Makes a local stand for operands that do not change while it lives.
    pub fn alias_lasting(&mut self, local: Local, operands: Vec<Operand>) {
        match self.values.get(&local) {
            // A phi or a use in an earlier block already knows its registers.
            Some(registers) => {
                for (register, src) in registers.clone().into_iter().zip(operands) {
                    if let Operand::Reg(dst) = register {
                        self.f.push(Instr::Set { dst, src });
                    }
                }
            }
            None => {
                self.values.insert(local, operands);
            }
        }
    }

    /// The operands of a value: one for each scalar.
    pub fn operands(&mut self, ty: TypeId, value: &Value) -> Lowered<Vec<Operand>> {
        let types = &self.module.module.types;
        match value {
            Value::Local(local) => {
                if let Some(operands) = self.values.get(local) {
                    return Ok(operands.clone());
                }
                // Defined in a block further down: reserve its registers.
                self.result(*local, ty).map(|r| r.into_iter().map(Operand::Reg).collect())
            }
            Value::Unsupported(what) => Err(format!("{what} is not supported")),
            Value::Zero | Value::Undef => {
                let leaves = types.leaves(ty, MAX_LEAVES);
                let leaves = leaves.ok_or_else(|| format!("values of type {} are not supported", types.name(ty)))?;
                Ok(vec![Operand::Const(0); leaves.len()])
            }
            Value::Aggregate(parts) => {
                let mut out = Vec::new();
                for (part_ty, part) in parts {
                    out.extend(self.operands(*part_ty, part)?);
                }
                Ok(out)
            }
            Value::Int(_) | Value::Wide(_) if self.wide(ty).is_some() => {
                let number = match value {
                    Value::Wide(number) => *number,
                    Value::Int(number) => i128::from(*number as i64) as u128,
                    _ => 0,
                };
                let unused = 128 - u32::from(self.wide(ty).unwrap_or(128));
                let number = number << unused >> unused;
                Ok(vec![Operand::Const(number as u64), Operand::Const((number >> 64) as u64)])
            }
            Value::Bytes(text) => Ok(text.iter().map(|&b| Operand::Const(u64::from(b))).collect()),
            _ => match self.module.scalar(ty, value) {
                Some(n) => Ok(vec![self.instance(value, n)]),
                None => Err(match value {
                    Value::Global(name) => format!("`{}` is not known", readable(name)),
                    _ => format!("a constant of type {} cannot be computed", self.module.module.types.name(ty)),
                }),
            },
        }
    }

    /// The operand of a scalar value.
    pub fn operand(&mut self, ty: TypeId, value: &Value) -> Lowered<Operand> {
        match self.operands(ty, value)?[..] {
            [operand] => Ok(operand),
            _ => Err(format!("a scalar is expected, found {}", self.module.module.types.name(ty))),
        }
    }

    /// An address as an operand.
    pub fn pointer(&mut self, value: &Value) -> Lowered<Operand> {
        match value {
            Value::Local(local) => match self.values.get(local) {
                Some(operands) => operands.first().copied().ok_or_else(|| "an address is expected".into()),
                None => {
                    let reg = self.f.reg();
                    self.values.insert(*local, vec![Operand::Reg(reg)]);
                    Ok(Operand::Reg(reg))
                }
            },
            _ => match self.module.constant(value, 0) {
                Some(address) => Ok(self.instance(value, address)),
                None => Err(match value {
                    Value::Global(name) => format!("`{}` is not known", readable(name)),
                    _ => "an address cannot be computed".into(),
                }),
            },
        }
    }

    /// A constant; the address of a thread-local object is that of the running thread's own instance, also when it is handed to others.
    pub(super) fn instance(&mut self, value: &Value, constant: u64) -> Operand {
        let inside = |&(start, size): &(u64, u64)| constant >= start && constant - start < size;
        if !matches!(value, Value::Global(_) | Value::Expr(_)) || !self.module.thread_local.iter().any(inside) {
            return Operand::Const(constant);
        }
        let [me, distance, address] = [(); 3].map(|()| self.f.reg());
        self.f.push(Instr::ThreadSelf { dst: me });
        let [stride, first] = [THREAD_LOCAL_STRIDE, constant + THREAD_LOCAL_STRIDE].map(Operand::Const);
        self.f.push(Instr::Bin { dst: distance, op: BinOp::Mul, bits: 64, a: Operand::Reg(me), b: stride });
        self.f.push(Instr::Bin { dst: address, op: BinOp::Add, bits: 64, a: Operand::Reg(distance), b: first });
        Operand::Reg(address)
    }

    /// The register of a promoted variable's scalar.
    pub fn variable(&mut self, inside: Inside, size: u64) -> Option<Reg> {
        let offset = inside.offset?;
        let (_, Home::Registers(cells)) = self.promotion.homes.get(&inside.variable)? else { return None };
        cells.binary_search(&(offset, size)).ok()?;
        if let Some(&reg) = self.variables.get(&(inside.variable, offset)) {
            return Some(reg);
        }
        let single = cells.len() == 1;
        let reg = self.f.reg();
        let name = self.variable_name(inside.variable);
        self.f.name_reg(reg, if single { name } else { format!("{name}+{offset}") });
        self.variables.insert((inside.variable, offset), reg);
        self.variable_registers.insert(reg);
        Some(reg)
    }

    /// A variable's name in the source, or else in the IR.
    pub fn variable_name(&self, variable: Local) -> String {
        match self.names.get(&variable) {
            Some(name) => (*name).to_owned(),
            None => self.source.locals[variable as usize].trim_end_matches(".addr").to_owned(),
        }
    }

    /// Whether a loaded local may stand for the variable itself: all its uses follow in this block, before the variable changes.
    pub fn may_alias(&self, result: Local, inside: Inside) -> bool {
        let (block, at) = self.position;
        let Some(&(only_block, last)) = self.last_use.get(&result) else { return true };
        if only_block != Some(block) || last <= at {
            return false;
        }
        let between = &self.source.blocks[block].instructions[at + 1..last];
        between.iter().all(|i| match &i.op {
            Op::Store { ptr, .. } => match self.promotion.private(ptr) {
                Some((other, ..)) => other.variable != inside.variable,
                None => true,
            },
            Op::Call { args, .. } => args.iter().all(|a| match self.promotion.private(&a.value) {
                Some((other, ..)) => other.variable != inside.variable,
                None => true,
            }),
            _ => true,
        })
    }
}
