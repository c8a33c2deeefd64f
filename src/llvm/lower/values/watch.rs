//! Variables of which some reads may come before every write ([`super::unset`]): flags that say what is written, and checks of them.
//!
//! The flags of a scalar are a register, those of an array a second array. They are as wide as what they are about, and all set by a write.

use super::promote::Inside;
use crate::llvm::ir::{Op, Order, Value};
use crate::llvm::lower::function::memory::{Place, access_size};
use crate::llvm::lower::function::{FunctionLowering, Lowered};
use crate::llvm::lower::globals::mask;
use crate::program::fault::Fault;
use crate::program::*;

/// Where the flags of a part of a variable are.
enum Flags {
    Register(Reg),
    Frame(Operand, u8),
}

impl FunctionLowering<'_, '_> {
    fn flags_at(&mut self, place: Place, by: u64, size: u64) -> Lowered<Option<Flags>> {
        let Place::Private(inside, offset) = place else { return Ok(None) };
        if !self.unset.watched.contains(&inside.variable) {
            return Ok(None);
        }
        let at = Inside { offset: inside.offset.map(|o| o + by), ..inside };
        if let (Some(_), Some(offset)) = (self.variable(at, size), at.offset) {
            if let Some(&flags) = self.flags.get(&(at.variable, offset)) {
                return Ok(Some(Flags::Register(flags)));
            }
            let flags = self.f.reg();
            self.flags.insert((at.variable, offset), flags);
            return Ok(Some(Flags::Register(flags)));
        }
        let Some(&distance) = self.flags_behind.get(&inside.variable) else { return Ok(None) };
        let offset = self.frame_offset(inside, offset, by, size)?;
        let offset = self.code().offset(offset, distance);
        Ok(Some(Flags::Frame(offset, access_size(size)?)))
    }

    /// Notes that a part of a variable is written, or only as much of it as these flags say.
    pub(in crate::llvm::lower) fn note_written(
        &mut self,
        place: Place,
        by: u64,
        size: u64,
        flags: Option<Operand>,
    ) -> Lowered<()> {
        let src = flags.unwrap_or(Operand::Const(mask(u64::MAX, size.min(8) as u8 * 8)));
        match self.flags_at(place, by, size)? {
            Some(Flags::Register(dst)) => self.f.push(Instr::Set { dst, src }),
            Some(Flags::Frame(offset, size)) => self.f.push(Instr::LocalStore { offset, value: src, size }),
            None => {}
        }
        Ok(())
    }

    /// The flags of a part of a variable, if it is watched, in a register of their own.
    pub(in crate::llvm::lower) fn written(&mut self, place: Place, by: u64, size: u64) -> Lowered<Option<Operand>> {
        let flags = self.flags_at(place, by, size)?;
        let dst = self.f.reg();
        match flags {
            Some(Flags::Register(flags)) => self.f.push(Instr::Set { dst, src: Operand::Reg(flags) }),
            Some(Flags::Frame(offset, size)) => self.f.push(Instr::LocalLoad { dst, offset, size }),
            None => return Ok(None),
        }
        Ok(Some(Operand::Reg(dst)))
    }

    /// A finding where a read that may come before every write does so. Where some bytes are written, that is no error by itself: a structure
    /// that is passed by value is read with its padding.
    pub(in crate::llvm::lower) fn check_read(&mut self, place: Place, by: u64, size: u64) -> Lowered<()> {
        let Place::Private(inside, _) = place else { return Ok(()) };
        if self.unset.reads.contains(&self.position)
            && let Some(cond) = self.written(place, by, size)?
        {
            let fault = Box::new(Fault::Uninitialised(self.variable_name(inside.variable)));
            self.f.push(Instr::Check { cond, fault });
        }
        Ok(())
    }

    /// A finding where an instruction depends on a value that an optimiser has found to be of a variable or a block that nothing was written to.
    pub(in crate::llvm::lower) fn check_defined(&mut self, op: &Op) {
        if self.module.cx.uses.checks.uninitialised && depends_on_undefined(op) {
            let fault = Box::new(Fault::Uninitialised("a variable or block".to_owned()));
            self.f.push(Instr::Check { cond: Operand::Const(0), fault });
        }
    }
}

/// Whether what an instruction does is undefined, not only its result: that may be one that nobody looks at.
///
/// Others see what an atomic write puts into memory. A plain write of such a value says nothing: an optimiser leaves it there or removes it.
fn depends_on_undefined(op: &Op) -> bool {
    match op {
        Op::CondBranch { cond: value, .. } | Op::Switch { value, .. } | Op::Load { ptr: value, .. } => {
            *value == Value::Undef
        }
        Op::Store { value, ptr, order, .. } => *ptr == Value::Undef || (*order != Order::Na && *value == Value::Undef),
        Op::AtomicRmw { ptr, value, .. } => *ptr == Value::Undef || *value == Value::Undef,
        Op::CmpXchg { ptr, expected, new, .. } => [ptr, expected, new].into_iter().any(|value| *value == Value::Undef),
        Op::Compare { a, b, .. } => *a == Value::Undef || *b == Value::Undef,
        _ => false,
    }
}
