//! Registers that instructions use and define.

use crate::program::instr::*;

/// Visits what an instruction reads, by reference or to change it.
macro_rules! operands {
    ($instr:expr, $read:ident, $iter:ident) => {
        match $instr {
            Instr::Set { src: a, .. }
            | Instr::SetStatus { src: a, .. }
            | Instr::Un { a, .. }
            | Instr::ChooseBit { of: a, .. }
            | Instr::JoinThread { thread: a, .. }
            | Instr::Alloc { size: a, .. }
            | Instr::Free { addr: a, .. }
            | Instr::LocalLoad { offset: a, .. }
            | Instr::StopUnless { cond: a, .. }
            | Instr::Assert { cond: a, .. }
            | Instr::Check { cond: a, .. }
            | Instr::ExitThread { value: a }
            | Instr::WriteWord { value: a, .. }
            | Instr::Arrive { barrier: a }
            | Instr::Mark { value: a, .. }
            | Instr::ExitProgram { code: a }
            | Instr::Branch { cond: a, .. } => $read(a),
            Instr::Bin { a, b, .. }
            | Instr::Spawn { function: a, arg: b, .. }
            | Instr::Depart { barrier: a, count: b, .. }
            | Instr::Store(Store { addr: a, value: b, .. })
            | Instr::LocalStore { offset: a, value: b, .. } => {
                $read(a);
                $read(b);
            }
            Instr::Select { cond, a, b, .. } => {
                $read(cond);
                $read(a);
                $read(b);
            }
            Instr::Load(Load { addr, unless, .. }) => {
                $read(addr);
                unless.$iter().for_each(|Unless { expected, .. }| $read(expected));
            }
            Instr::Fence { addr: all, .. } | Instr::Return { value: all } => all.$iter().for_each($read),
            Instr::ReturnMany { values } => values.$iter().for_each($read),
            Instr::Call { callee, args, .. } => {
                if let Callee::Indirect(f) = callee {
                    $read(f);
                }
                args.$iter().for_each($read);
            }
            Instr::Panic { message } => message.$iter().for_each(|part| {
                if let Piece::Number { value, .. } | Piece::Truth(value) | Piece::Place(value) = part {
                    $read(value);
                }
            }),
            Instr::Choose { .. }
            | Instr::Jump(_)
            | Instr::ThreadSelf { .. }
            | Instr::ReadWord { .. }
            | Instr::Repeats { .. }
            | Instr::Fail { .. } => {}
        }
    };
}

/// The register that an instruction writes, by reference or to change it.
macro_rules! definition {
    ($instr:expr, $as_ref:ident) => {
        match $instr {
            Instr::Set { dst, .. }
            | Instr::SetStatus { dst, .. }
            | Instr::Bin { dst, .. }
            | Instr::Un { dst, .. }
            | Instr::Select { dst, .. }
            | Instr::Choose { dst, .. }
            | Instr::ChooseBit { dst, .. }
            | Instr::Spawn { dst, .. }
            | Instr::ThreadSelf { dst }
            | Instr::ReadWord { dst, .. }
            | Instr::Repeats { dst }
            | Instr::Alloc { dst, .. }
            | Instr::LocalLoad { dst, .. }
            | Instr::Load(Load { dst, .. }) => Some(dst),
            Instr::Call { dst, .. } | Instr::JoinThread { dst, .. } => dst.$as_ref(),
            _ => None,
        }
    };
}

/// Registers read by an instruction.
pub fn uses(instr: &Instr) -> Vec<Reg> {
    let mut out = Vec::new();
    let mut read = |operand: &Operand| {
        if let Operand::Reg(r) = operand {
            out.push(*r);
        }
    };
    operands!(instr, read, iter);
    out
}

/// Shows all that an instruction reads, to be changed.
pub(in crate::program) fn change_uses(instr: &mut Instr, mut read: impl FnMut(&mut Operand)) {
    operands!(instr, read, iter_mut);
}

/// The register that an instruction writes. (A call that gives a structure writes those behind it, too.)
#[inline]
pub fn defines(instr: &Instr) -> Option<Reg> {
    definition!(instr, as_ref).copied()
}

/// The same, to be changed.
pub(in crate::program) fn definition_of(instr: &mut Instr) -> Option<&mut Reg> {
    definition!(instr, as_mut)
}
