//! Registers, memory and constants as operands.

use super::register;
use crate::litmus::processors::asm::{Lowering, constant};
use crate::litmus::processors::operand::{Fault, Operand as Arg};
use crate::litmus::processors::x86::Location;
use crate::program::{BinOp, Half, Operand, UnOp};

pub(super) fn location(at: &mut Lowering, arg: Option<&Arg>) -> Result<Location, Fault> {
    match arg {
        Some(Arg::Name(name)) => match name.strip_prefix('%').and_then(register) {
            Some(view) => Ok(Location::Register(view.name.to_owned(), view.bits)),
            None => Err(Fault::Operands(format!("`{name}` is not a register (registers are written `%eax`)"))),
        },
        // In code of 64 bits these segments begin at 0.
        Some(Arg::Segment(segment, place)) => match segment.as_str() {
            "%cs" | "%ds" | "%es" | "%ss" => match &**place {
                Arg::Name(symbol) if !symbol.starts_with('%') => Ok(Location::Memory(at.symbol(symbol))),
                place => location(at, Some(place)),
            },
            "%fs" | "%gs" => Err(Fault::Unsupported("memory of the thread by a segment is not supported".to_owned())),
            other => Err(Fault::Operands(format!("`{other}` is not a segment"))),
        },
        Some(Arg::Based(offset, inner)) => address(at, offset.as_deref(), inner).map(Location::Memory),
        _ => Err(Fault::Operands("expected a register or memory".to_owned())),
    }
}

/// `k(base)`, `(base,index)`, `(base,index,scale)`, where names without `%` are variables.
fn address(at: &mut Lowering, offset: Option<&Arg>, inner: &[Arg]) -> Result<Operand, Fault> {
    let form = || Fault::form("(x)`, `(%rax)`, `k(%rax)` or `k(%rax,%rbx,8)");
    let mut address = match offset {
        None => constant(0),
        Some(Arg::Immediate(k)) => constant(*k),
        Some(Arg::Name(symbol)) if !symbol.starts_with('%') => at.symbol(symbol),
        Some(_) => return Err(form()),
    };
    let (parts, scale) = match inner {
        [base, index, Arg::Immediate(scale @ (1 | 2 | 4 | 8))] => (&[base, index][..], *scale),
        [base, index] => (&[base, index][..], 1),
        [base] => (&[base][..], 1),
        _ => return Err(form()),
    };
    for (i, part) in parts.iter().enumerate() {
        let term = match part {
            Arg::Immediate(0) if i == 0 => continue,
            Arg::Name(name) if name == "%rip" => constant(0),
            Arg::Name(name) if name.starts_with('%') => match location(at, Some(part))? {
                Location::Register(register, 64) => at.get(&register),
                _ => return Err(Fault::Operands("an address is in a 64-bit register".to_owned())),
            },
            Arg::Name(name) => at.symbol(name),
            _ => return Err(form()),
        };
        let term = if i == 1 && scale > 1 { at.bin(BinOp::Mul, 64, term, constant(scale)) } else { term };
        address = match (address, term) {
            (Operand::Const(a), Operand::Const(b)) => Operand::Const(a.wrapping_add(b)),
            (a, b) => at.bin(BinOp::Add, 64, a, b),
        };
    }
    Ok(address)
}

/// Size of the operation: from the suffix, or from a register operand.
pub(super) fn size(args: &[Arg], suffix: Option<u8>) -> Result<u8, Fault> {
    let from_register = || {
        args.iter().rev().find_map(|arg| match arg {
            Arg::Name(name) => name.strip_prefix('%').and_then(register).map(|v| v.bits / 8),
            _ => None,
        })
    };
    suffix
        .or_else(from_register)
        .ok_or_else(|| Fault::Operands("the size is not clear: add `b`, `w`, `l` or `q`".to_owned()))
}

pub(super) fn read(at: &mut Lowering, arg: Option<&Arg>, size: u8) -> Result<Operand, Fault> {
    if let Some(&Arg::Immediate(k)) = arg {
        return Ok(constant(k));
    }
    Ok(match location(at, arg)? {
        Location::Register(name, _) => {
            let whole = at.get(&name);
            if size < 8 { at.un(UnOp::Trunc, size * 8, whole) } else { whole }
        }
        Location::Memory(address) => at.load(address, size, &[], Half::None),
    })
}

pub(super) fn write_register(at: &mut Lowering, name: &str, size: u8, value: Operand) {
    let value = match size {
        1 | 2 => {
            let bits = size * 8;
            let whole = at.get(name);
            let kept = at.bin(BinOp::And, 64, whole, Operand::Const(!((1 << bits) - 1)));
            let part = at.un(UnOp::Trunc, bits, value);
            at.bin(BinOp::Or, 64, kept, part)
        }
        4 => match value {
            Operand::Const(k) => Operand::Const(k & 0xffff_ffff),
            value => at.un(UnOp::Trunc, 32, value),
        },
        _ => value,
    };
    at.set(name, value);
}
