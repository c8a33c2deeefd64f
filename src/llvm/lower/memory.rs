//! Variables, addresses, loads, stores, atomic operations and block copies.

use super::code::CompareAndSwap;
use super::function::{FunctionLowering, Lowered};
use super::globals::mask;
use super::promote::{Home, Inside, block_accesses, constant_offset};
use crate::llvm::ir::{Local, Op, Order, TypeId, Value, types::MAX_LEAVES};
use crate::program::operation::Operation;
use crate::program::*;

/// Most scalars that a block operation is split into; beyond, it is done in the largest units.
const MAX_PIECES: usize = 4096;

/// Where the bytes of a block operation are.
#[derive(Clone, Copy)]
pub enum Place {
    /// In shared memory.
    Shared(Operand),
    /// In a variable that is private to the frame.
    Private(Inside, Operand),
}

impl<'m> FunctionLowering<'_, 'm> {
    pub(super) fn alloca(&mut self, result: Local, ty: TypeId, count: Option<&Value>) -> Lowered<()> {
        let types = &self.module.module.types;
        let size = types.size(ty);
        match self.promotion.homes.get(&result) {
            Some((_, Home::Registers(_))) => return Ok(()),
            Some((_, Home::Private)) => {
                let at = self.f.local(size as u32);
                self.private.insert(result, at);
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

    pub(super) fn gep(
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
    fn in_register(&mut self, operand: Operand) -> Operand {
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
    pub(super) fn carry_offset(&mut self, result: Local, value: &Value) {
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
    fn frame_offset(&mut self, inside: Inside, offset: Operand, by: u64, size: u64) -> Lowered<Operand> {
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
                let message = format!("an access beyond the end of `{name}`").into();
                code.f.push(Instr::Assert { cond, message });
                Ok(code.offset(at, base))
            }
        }
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
                    return Ok(());
                }
                let offset = self.frame_offset(inside, offset, by, size)?;
                self.f.push(Instr::LocalStore { offset, value, size: access_size(size)? });
            }
        }
        Ok(())
    }

    pub(super) fn load(&mut self, result: Local, ty: TypeId, ptr: &Value, order: Order) -> Lowered<()> {
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
        // The unit around a bit-field is read before the first of its fields is written.
        let bit_field = self.source.locals.get(result as usize).is_some_and(|name| name.starts_with("bf."));
        for (leaf, dst) in leaves.iter().zip(registers) {
            if (bit_field || leaves.len() > 1) && matches!(place, Place::Shared(_)) {
                self.f.mark(Operation::Copy);
            }
            let odd = u64::from(leaf.bits) != leaf.size * 8;
            match place {
                Place::Shared(address) if !odd => {
                    let size = access_size(leaf.size)?;
                    let address = self.code().offset(address, leaf.offset);
                    self.code().load(dst, address, size, order);
                }
                _ => {
                    let value = self.read(place, leaf.offset, leaf.size, order)?;
                    self.f.push(match odd {
                        true => Instr::Un { dst, op: UnOp::Trunc, bits: leaf.bits as u8, a: value },
                        false => Instr::Set { dst, src: value },
                    });
                }
            }
        }
        Ok(())
    }

    pub(super) fn store(&mut self, ty: TypeId, value: &Value, ptr: &Value, order: Order) -> Lowered<()> {
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
        for (leaf, value) in leaves.iter().zip(values) {
            self.write(place, leaf.offset, leaf.size, value, order)?;
        }
        Ok(())
    }

    pub(super) fn cmpxchg(&mut self, op: &Op, result: Local) -> Lowered<()> {
        let Op::CmpXchg { ty, ptr, expected, new, success, failure, weak } = op else { return Ok(()) };
        let size = access_size(self.module.module.types.size(*ty))?;
        let (addr, expected) = (self.pointer(ptr)?, self.operand(*ty, expected)?);
        let new = self.operand(*ty, new)?;
        if *weak {
            self.module.cx.note("a weak compare-and-exchange fails only when the value differs (no spurious failures)");
        }
        let dst = self.f.reg();
        self.note_access(ptr);
        let cas = CompareAndSwap { addr, size, expected, new, success: *success, failure: *failure };
        let ok = self.code().compare_and_swap(dst, &cas);
        self.alias(result, vec![Operand::Reg(dst), ok]);
        Ok(())
    }

    pub(super) fn atomicrmw(
        &mut self,
        op: &str,
        ty: TypeId,
        ptr: &Value,
        value: &Value,
        order: Order,
        result: Option<Local>,
    ) -> Lowered<()> {
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

    /// Copies a structure in shared memory.
    pub(super) fn copy_memory(&mut self, to: Operand, from: Operand, len: u64, ty: Option<TypeId>) -> Lowered<()> {
        let pieces = self.pieces(len, ty.map(|ty| (ty, 0)));
        self.copy_pieces(Place::Shared(to), Place::Shared(from), &pieces)
    }

    /// Copies piece by piece: all reads before all writes, as overlapping copies need.
    pub(super) fn copy_pieces(&mut self, to: Place, from: Place, pieces: &[(u64, u64)]) -> Lowered<()> {
        let mut values = Vec::with_capacity(pieces.len());
        for &(at, size) in pieces {
            // Bytes between the members of a structure, or members that nobody set, may be copied.
            if matches!(from, Place::Shared(_)) {
                self.f.mark(Operation::Copy);
            }
            let value = self.read(from, at, size, Order::Na)?;
            // A variable's own register would change under a copy within the variable.
            values.push(if matches!((to, from), (Place::Private(..), Place::Private(..))) {
                self.in_register(value)
            } else {
                value
            });
        }
        for (&(at, size), value) in pieces.iter().zip(values) {
            self.write(to, at, size, value, Order::Na)?;
        }
        Ok(())
    }

    /// Fills piece by piece with a byte.
    pub(super) fn fill_pieces(&mut self, to: Place, byte: Operand, pieces: &[(u64, u64)]) -> Lowered<()> {
        for &(at, size) in pieces {
            let value = match byte {
                Operand::Const(b) => {
                    Operand::Const(mask((b & 0xff).wrapping_mul(0x0101_0101_0101_0101), size as u8 * 8))
                }
                Operand::Reg(_) => {
                    let mut code = self.code();
                    let low = code.un(UnOp::Trunc, 8, byte);
                    let factor = mask(0x0101_0101_0101_0101, size as u8 * 8);
                    code.bin(BinOp::Mul, size as u8 * 8, low, Operand::Const(factor))
                }
            };
            self.write(to, at, size, value, Order::Na)?;
        }
        Ok(())
    }

    /// How a block of `len` bytes is accessed: by the scalars of the type that one of the sides is known to have, by those of
    /// the only structure of that size, or in the largest units.
    pub(super) fn pieces(&self, len: u64, known: Option<(TypeId, u64)>) -> Vec<(u64, u64)> {
        let types = &self.module.module.types;
        if let Some((ty, from)) = known {
            let inside = Inside { variable: 0, offset: Some(from) };
            let accesses = block_accesses(types, ty, inside, len, MAX_PIECES);
            if accesses.iter().all(|(at, size)| at.is_some() && matches!(size, 1 | 2 | 4 | 8)) {
                return accesses.iter().filter_map(|(at, size)| Some((at.as_ref()? - from, *size))).collect();
            }
        }
        let mut layouts = types.structures().filter(|&ty| types.size(ty) == len).filter_map(|ty| {
            let leaves = types.leaves(ty, MAX_PIECES)?;
            Some(leaves.iter().map(|l| (l.offset, l.size)).collect::<Vec<_>>())
        });
        if let Some(layout) = layouts.next()
            && layouts.all(|other| other == layout)
        {
            return layout;
        }
        greedy(len)
    }

    /// The type of what an address points to, and the offset in it, when it can be told.
    pub(super) fn pointee(&self, address: &Value) -> Option<(TypeId, u64)> {
        match address {
            Value::Local(local) => {
                let inside = self.promotion.inside.get(local)?;
                Some((self.promotion.homes.get(&inside.variable)?.0, inside.offset?))
            }
            Value::Global(name) => Some((self.module.module.globals.iter().find(|g| g.name == *name)?.ty, 0)),
            _ => None,
        }
    }
}

/// Largest power-of-two pieces from the start.
pub fn greedy(len: u64) -> Vec<(u64, u64)> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < len {
        let size = [8, 4, 2, 1].into_iter().find(|s| len - at >= *s && at % s == 0).unwrap_or(1);
        pieces.push((at, size));
        at += size;
    }
    pieces
}

/// A size that one access can have.
pub fn access_size(size: u64) -> Lowered<u8> {
    match size {
        1 | 2 | 4 | 8 => Ok(size as u8),
        _ => Err(format!("an access of {size} bytes at once is not supported")),
    }
}
