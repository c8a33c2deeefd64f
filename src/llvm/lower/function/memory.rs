//! Variables, addresses, loads, stores and atomic operations.

use super::code::CompareAndSwap;
use super::double::Swap;
use super::{FunctionLowering, Lowered};
use crate::llvm::ir::{Local, Op, Order, TypeId, Value, types::MAX_LEAVES};
use crate::llvm::lower::values::pieces::{in_units, parts};
use crate::llvm::lower::values::promote::{Home, Inside, constant_offset};
use crate::program::fault::Fault;
use crate::program::operation::Operation;
use crate::program::*;

/// Where the bytes of an access are.
#[derive(Clone, Copy)]
pub enum Place {
    /// In shared memory.
    Shared(Operand),
    /// In a variable that is private to the frame.
    Private(Inside, Operand),
}

impl<'m> FunctionLowering<'_, 'm> {
    pub(in crate::llvm::lower) fn alloca(&mut self, result: Local, ty: TypeId, count: Option<&Value>) -> Lowered<()> {
        let types = &self.module.module.types;
        let size = types.size(ty);
        match self.promotion.homes.get(&result) {
            Some((_, Home::Registers(_))) => return Ok(()),
            Some((_, Home::Private)) => {
                let at = self.f.local(size as u32);
                self.private.insert(result, at);
                if self.unset.watched.contains(&result) {
                    let flags = self.f.local(size as u32);
                    self.flags_behind.insert(result, u64::from(flags - at));
                }
                return Ok(());
            }
            _ => {}
        }
        let size = match count {
            None => Operand::Const(size),
            Some(Value::Int(n)) => Operand::Const(size.saturating_mul(*n)),
            Some(n) => {
                let n = self.pointer(n)?;
                self.code().bin(BinOp::Mul, 64, n, Operand::Const(size))
            }
        };
        let name = self.variable_name(result);
        let dst = self.bool_result(result);
        self.f.push(Instr::Alloc { dst, size, region: Region::Stack, name: name.into() });
        Ok(())
    }

    pub(in crate::llvm::lower) fn gep(
        &mut self,
        result: Local,
        source: TypeId,
        base: &Value,
        indices: &'m [(TypeId, Value)],
    ) -> Lowered<()> {
        if let Some((inside, ..)) = self.promotion.private(&Value::Local(result)) {
            if inside.offset.is_none() {
                let start = self.private_offset(base)?;
                let offset = self.add_indices(start, source, indices)?;
                let offset = self.lasting(offset);
                self.offsets.insert(result, offset);
            }
            return Ok(());
        }
        let base = self.pointer(base)?;
        let address = self.add_indices(base, source, indices)?;
        self.alias(result, vec![address]);
        Ok(())
    }

    /// The same value in a register of its own, so that it stays when its parts change.
    pub(in crate::llvm::lower) fn in_register(&mut self, operand: Operand) -> Operand {
        let dst = self.f.reg();
        self.f.push(Instr::Set { dst, src: operand });
        Operand::Reg(dst)
    }

    fn add_indices(&mut self, base: Operand, source: TypeId, indices: &'m [(TypeId, Value)]) -> Lowered<Operand> {
        if let Some(offset) = constant_offset(&self.module.module.types, source, indices) {
            return Ok(self.code().offset(base, offset));
        }
        let mut address = base;
        let mut ty = source;
        for (i, (index_ty, index)) in indices.iter().enumerate() {
            if let Some(n) = self.module.scalar(*index_ty, index).filter(|_| !matches!(index, Value::Local(_))) {
                let types = &self.module.module.types;
                let bits = types.scalar_bits(*index_ty).unwrap_or(64);
                let n = if bits < 64 { ((n << (64 - bits)) as i64 >> (64 - bits)) as u64 } else { n };
                let (offset, element) = match i {
                    0 => (types.size(source).wrapping_mul(n), source),
                    _ => types.element(ty, n).ok_or("an index into something that has no parts")?,
                };
                ty = element;
                address = self.code().offset(address, offset);
                continue;
            }
            let bits = self.bits(*index_ty)?;
            let index = self.operand(*index_ty, index)?;
            let types = &self.module.module.types;
            let element = if i == 0 {
                source
            } else {
                types.element(ty, 0).ok_or("an index into something that has no parts")?.1
            };
            let size = types.size(element);
            ty = element;
            let mut code = self.code();
            let index = if bits < 64 { code.un(UnOp::Sext, bits, index) } else { index };
            let index = if size == 1 { index } else { code.bin(BinOp::Mul, 64, index, Operand::Const(size)) };
            address = if address == Operand::Const(0) { index } else { code.bin(BinOp::Add, 64, address, index) };
        }
        Ok(address)
    }

    /// The offset of an address inside its private variable.
    fn private_offset(&self, address: &Value) -> Lowered<Operand> {
        let Value::Local(local) = address else { return Err("an address inside a variable is expected".into()) };
        match (self.promotion.inside.get(local).and_then(|i| i.offset), self.offsets.get(local)) {
            (Some(offset), _) => Ok(Operand::Const(offset)),
            (None, Some(&operand)) => Ok(operand),
            (None, None) => Err("an address inside a variable is used before it is computed".into()),
        }
    }

    /// A cast of an address inside a private variable.
    pub(in crate::llvm::lower) fn carry_offset(&mut self, result: Local, value: &Value) {
        if let Value::Local(local) = value
            && let Some(&offset) = self.offsets.get(local)
        {
            self.offsets.insert(result, offset);
        }
    }

    /// What an address refers to.
    pub fn place(&mut self, address: &Value) -> Lowered<Place> {
        match self.promotion.private(address) {
            Some((inside, ..)) => Ok(Place::Private(inside, self.private_offset(address)?)),
            None => Ok(Place::Shared(self.pointer(address)?)),
        }
    }

    /// The offset in the frame's private memory, checked to be inside the variable.
    pub(in crate::llvm::lower) fn frame_offset(
        &mut self,
        inside: Inside,
        offset: Operand,
        by: u64,
        size: u64,
    ) -> Lowered<Operand> {
        let base = u64::from(*self.private.get(&inside.variable).ok_or("a variable is used before it is made")?);
        match offset {
            Operand::Const(c) => Ok(Operand::Const(base + c + by)),
            Operand::Reg(_) => {
                let ty = self.promotion.homes[&inside.variable].0;
                let whole = self.module.module.types.size(ty);
                let name = self.variable_name(inside.variable);
                let mut code = self.code();
                let at = code.offset(offset, by);
                let cond = code.bin(BinOp::ULe, 64, at, Operand::Const(whole.saturating_sub(size)));
                code.f.push(Instr::Check { cond, fault: Box::new(Fault::LocalOverrun(name)) });
                Ok(code.offset(at, base))
            }
        }
    }

    /// Reads `size` bytes at `by` behind a place, in several accesses where no access has that size, and shared memory in at most `unit` bytes.
    pub(in crate::llvm::lower) fn read_in_units(
        &mut self,
        place: Place,
        by: u64,
        size: u64,
        unit: u64,
        mark: Option<Operation>,
    ) -> Lowered<Operand> {
        let mut whole = None;
        for (at, size) in split(place, size, unit) {
            if let Some(mark) = mark {
                self.f.mark(mark);
            }
            let part = self.read(place, by + at, size, Order::Na)?;
            let mut code = self.code();
            whole = Some(match whole {
                None => part,
                Some(low) => {
                    let high = code.bin(BinOp::Shl, 64, part, Operand::Const(at * 8));
                    code.bin(BinOp::Or, 64, low, high)
                }
            });
        }
        whole.ok_or_else(|| "an access of no bytes is not supported".into())
    }

    /// As [`Self::read_in_units`], the other way.
    pub(in crate::llvm::lower) fn write_in_units(
        &mut self,
        place: Place,
        by: u64,
        size: u64,
        value: Operand,
        unit: u64,
    ) -> Lowered<()> {
        let parts = split(place, size, unit);
        for &(at, part) in &parts {
            let value = match parts.len() {
                1 => value,
                _ => {
                    let mut code = self.code();
                    let low = if at == 0 { value } else { code.bin(BinOp::LShr, 64, value, Operand::Const(at * 8)) };
                    code.un(UnOp::Trunc, part as u8 * 8, low)
                }
            };
            self.write(place, by + at, part, value, Order::Na)?;
        }
        Ok(())
    }

    /// Reads `size` bytes at `by` behind a place.
    pub fn read(&mut self, place: Place, by: u64, size: u64, order: Order) -> Lowered<Operand> {
        match place {
            Place::Shared(address) => {
                let size = access_size(size)?;
                let address = self.code().offset(address, by);
                Ok(self.code().load_new(address, size, order))
            }
            Place::Private(inside, offset) => {
                let at = Inside { offset: inside.offset.map(|o| o + by), ..inside };
                if let Some(register) = self.variable(at, size) {
                    return Ok(Operand::Reg(register));
                }
                let offset = self.frame_offset(inside, offset, by, size)?;
                let dst = self.f.reg();
                self.f.push(Instr::LocalLoad { dst, offset, size: access_size(size)? });
                Ok(Operand::Reg(dst))
            }
        }
    }

    /// Writes `size` bytes at `by` behind a place.
    pub fn write(&mut self, place: Place, by: u64, size: u64, value: Operand, order: Order) -> Lowered<()> {
        match place {
            Place::Shared(address) => {
                let size = access_size(size)?;
                let address = self.code().offset(address, by);
                self.code().store(address, value, size, order);
            }
            Place::Private(inside, offset) => {
                let at = Inside { offset: inside.offset.map(|o| o + by), ..inside };
                if let Some(dst) = self.variable(at, size) {
                    self.f.push(Instr::Set { dst, src: value });
                    return self.note_written(place, by, size, None);
                }
                let offset = self.frame_offset(inside, offset, by, size)?;
                self.f.push(Instr::LocalStore { offset, value, size: access_size(size)? });
                self.note_written(place, by, size, None)?;
            }
        }
        Ok(())
    }

    /// The order of an access, which may be through a `volatile` type.
    pub(in crate::llvm::lower) fn volatile_order(&self, order: Order, volatile: bool) -> Order {
        if volatile && order == Order::Na { self.module.cx.mapping.volatile } else { order }
    }

    pub(in crate::llvm::lower) fn load(&mut self, result: Local, ty: TypeId, ptr: &Value, order: Order) -> Lowered<()> {
        if self.promotion.private(&Value::Local(result)).is_some() {
            // The address of a private variable, carried by another one: known without loading it.
            return Ok(());
        }
        let place = self.place(ptr)?;
        self.note_access(ptr);
        let types = &self.module.module.types;
        let leaves = types
            .leaves(ty, MAX_LEAVES)
            .ok_or_else(|| format!("loads of type {} are not supported", types.name(ty)))?;
        if let [leaf] = &leaves[..] {
            self.check_read(place, leaf.offset, leaf.size)?;
        }
        if let (Place::Private(inside, _), [leaf]) = (place, &leaves[..])
            && let Some(register) = self.variable(inside, leaf.size)
        {
            let odd = u64::from(leaf.bits) != leaf.size * 8;
            if !odd && self.may_alias(result, inside) && !self.values.contains_key(&result) {
                self.alias_lasting(result, vec![Operand::Reg(register)]);
            } else {
                let dst = self.scalar_result(result, ty)?;
                self.f.push(match odd {
                    true => Instr::Un { dst, op: UnOp::Trunc, bits: leaf.bits as u8, a: Operand::Reg(register) },
                    false => Instr::Set { dst, src: Operand::Reg(register) },
                });
            }
            return Ok(());
        }
        let registers = self.result(result, ty)?;
        if let (Place::Shared(addr), [low, high], Some(128)) = (place, &registers[..], self.wide(ty))
            && order != Order::Na
        {
            self.code().double_load([*low, *high], addr, order);
            return Ok(());
        }
        // The unit around a bit-field is read before the first of its fields is written.
        let bit_field = self.source.locals.get(result as usize).is_some_and(|name| name.starts_with("bf."));
        for (leaf, dst) in leaves.iter().zip(registers) {
            let copies = (bit_field || leaves.len() > 1) && matches!(place, Place::Shared(_));
            let mark = copies.then_some(Operation::Copy);
            let odd = u64::from(leaf.bits) != leaf.size * 8;
            match (place, access_size(leaf.size)) {
                (Place::Shared(address), Ok(size)) if !odd => {
                    if let Some(mark) = mark {
                        self.f.mark(mark);
                    }
                    let address = self.code().offset(address, leaf.offset);
                    self.code().load(dst, address, size, order);
                }
                (_, size) => {
                    let value = match size {
                        Err(_) if order == Order::Na => {
                            self.read_in_units(place, leaf.offset, leaf.size, leaf.size, mark)?
                        }
                        _ => self.read(place, leaf.offset, leaf.size, order)?,
                    };
                    self.f.push(match odd {
                        true => Instr::Un { dst, op: UnOp::Trunc, bits: leaf.bits as u8, a: value },
                        false => Instr::Set { dst, src: value },
                    });
                }
            }
        }
        Ok(())
    }

    pub(in crate::llvm::lower) fn store(
        &mut self,
        ty: TypeId,
        value: &Value,
        ptr: &Value,
        order: Order,
    ) -> Lowered<()> {
        if self.promotion.private(value).is_some() {
            return Ok(());
        }
        let types = &self.module.module.types;
        let leaves = types
            .leaves(ty, MAX_LEAVES)
            .ok_or_else(|| format!("stores of type {} are not supported", types.name(ty)))?;
        let values = self.operands(ty, value)?;
        let place = self.place(ptr)?;
        self.note_access(ptr);
        if let (Place::Shared(addr), [low, high], Some(128)) = (place, &values[..], self.wide(ty))
            && order != Order::Na
        {
            self.code().double_store(addr, [*low, *high], order);
            return Ok(());
        }
        for (leaf, value) in leaves.iter().zip(values) {
            match access_size(leaf.size) {
                Err(_) if order == Order::Na => self.write_in_units(place, leaf.offset, leaf.size, value, leaf.size)?,
                _ => self.write(place, leaf.offset, leaf.size, value, order)?,
            }
        }
        Ok(())
    }

    pub(in crate::llvm::lower) fn cmpxchg(&mut self, op: &Op, result: Local) -> Lowered<()> {
        let Op::CmpXchg { ty, ptr, expected, new, success, failure, weak } = op else { return Ok(()) };
        if let Some(128) = self.wide(*ty) {
            let (addr, expected, new) = (self.pointer(ptr)?, self.words(*ty, expected)?, self.words(*ty, new)?);
            self.note_access(ptr);
            let swap = Swap { addr, expected, new, success: *success, failure: *failure };
            self.double_swap(result, &swap, *weak);
            return Ok(());
        }
        let size = access_size(self.module.module.types.size(*ty))?;
        let (addr, expected) = (self.pointer(ptr)?, self.operand(*ty, expected)?);
        let new = self.operand(*ty, new)?;
        let dst = self.f.reg();
        self.note_access(ptr);
        let cas = CompareAndSwap { addr, size, expected, new, success: *success, failure: *failure };
        let ok = match weak {
            true => self.code().weak_compare_and_swap(dst, &cas),
            false => self.code().compare_and_swap(dst, &cas),
        };
        self.alias(result, vec![Operand::Reg(dst), ok]);
        Ok(())
    }

    pub(in crate::llvm::lower) fn atomicrmw(
        &mut self,
        op: &str,
        ty: TypeId,
        ptr: &Value,
        value: &Value,
        order: Order,
        result: Option<Local>,
    ) -> Lowered<()> {
        if let Some(128) = self.wide(ty) {
            let addr = self.pointer(ptr)?;
            self.note_access(ptr);
            return self.double_rmw(op, ty, (addr, value), order, result);
        }
        let bits = self.bits(ty)?;
        let size = access_size(self.module.module.types.size(ty))?;
        let (addr, value) = (self.pointer(ptr)?, self.operand(ty, value)?);
        let simple = match op {
            "xchg" => None,
            "nand" => Some(BinOp::And),
            "add" => Some(BinOp::Add),
            "sub" => Some(BinOp::Sub),
            "and" => Some(BinOp::And),
            "or" => Some(BinOp::Or),
            "xor" => Some(BinOp::Xor),
            "max" => Some(BinOp::SMax),
            "min" => Some(BinOp::SMin),
            "umax" => Some(BinOp::UMax),
            "umin" => Some(BinOp::UMin),
            "fadd" => Some(BinOp::FAdd),
            "fsub" => Some(BinOp::FSub),
            _ => return Err(format!("`atomicrmw {op}` is not supported")),
        };
        let dst = match result {
            Some(result) => self.scalar_result(result, ty)?,
            None => self.f.reg(),
        };
        self.note_access(ptr);
        self.code().rmw(dst, addr, size, order, |code, old| match simple {
            None => value,
            Some(op_code) => {
                let new = code.bin(op_code, bits, old, value);
                if op == "nand" { code.un(UnOp::Not, bits, new) } else { new }
            }
        });
        Ok(())
    }
}

/// The accesses that one of this size consists of.
fn split(place: Place, size: u64, unit: u64) -> Vec<(u64, u64)> {
    match place {
        Place::Shared(_) if unit < size => in_units(0, size, unit),
        _ => parts(size).collect(),
    }
}

/// A size that one access can have.
pub fn access_size(size: u64) -> Lowered<u8> {
    match size {
        1 | 2 | 4 | 8 => Ok(size as u8),
        _ => Err(format!("an access of {size} bytes at once is not supported")),
    }
}
