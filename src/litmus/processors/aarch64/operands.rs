//! Registers, shifted and extended operands, and addresses.

use crate::litmus::processors::asm::{Lowering, constant};
use crate::litmus::processors::operand::{Fault, Operand as Arg};
use crate::program::{BinOp, Operand, UnOp};

/// A register operand: which one (nothing for the zero register) and how much of it.
#[derive(Clone, Debug)]
pub(super) struct Register {
    pub(super) name: Option<String>,
    pub(super) bits: u8,
}

fn register(text: &str) -> Option<Register> {
    let upper = text.to_ascii_uppercase();
    let (name, bits) = match upper.as_str() {
        "XZR" => (None, 64),
        "WZR" => (None, 32),
        "SP" => (Some("SP".to_owned()), 64),
        "WSP" => (Some("SP".to_owned()), 32),
        "FP" => (Some("X29".to_owned()), 64),
        "LR" => (Some("X30".to_owned()), 64),
        _ if text.starts_with('%') => (Some(text.to_owned()), 64),
        _ => {
            let bits = if upper.starts_with('X') { 64 } else { 32 };
            let rest = upper.strip_prefix(['X', 'W'])?;
            if rest.starts_with('%') {
                (Some(text[1..].to_owned()), bits)
            } else {
                let number: u8 =
                    rest.parse().ok().filter(|n| *n <= 30 && (rest.len() == 1 || !rest.starts_with('0')))?;
                (Some(format!("X{number}")), bits)
            }
        }
    };
    Some(Register { name, bits })
}

/// The name of a register in initial states and conditions: `X`-names only, as in the reference.
pub fn canonical_register(name: &str) -> Option<String> {
    let found = register(name).filter(|r| r.bits == 64)?;
    Some(found.name.unwrap_or_else(|| "XZR".to_owned()))
}

pub(super) fn reg(arg: Option<&Arg>) -> Result<Register, Fault> {
    match arg {
        Some(Arg::Name(name)) => register(name).ok_or_else(|| Fault::Operands(format!("`{name}` is not a register"))),
        _ => Err(Fault::Operands("expected a register".to_owned())),
    }
}

pub(super) fn read(at: &mut Lowering, r: &Register) -> Operand {
    match &r.name {
        Some(name) => at.get(name),
        None => constant(0),
    }
}

pub(super) fn write(at: &mut Lowering, r: &Register, value: Operand) {
    if let Some(name) = &r.name {
        let value = match value {
            Operand::Const(v) if r.bits == 32 => Operand::Const(v & 0xffff_ffff),
            value => value,
        };
        at.set(name, value);
    }
}

/// A register (with shift or extension) or constant, on `bits` bits; `args` starts with it.
pub(super) fn flexible(at: &mut Lowering, args: &[Arg], bits: u8) -> Result<Operand, Fault> {
    let value = match args.first() {
        Some(&Arg::Immediate(k)) => constant(k),
        other => {
            let r = reg(other)?;
            read(at, &r)
        }
    };
    match args.get(1..).unwrap_or_default() {
        [] => Ok(value),
        [Arg::Modifier(kind, amount)] => modify(at, value, kind, *amount, bits),
        _ => Err(Fault::Operands("too many operands".to_owned())),
    }
}

fn modify(at: &mut Lowering, value: Operand, kind: &str, amount: Option<i64>, bits: u8) -> Result<Operand, Fault> {
    let amount = amount.unwrap_or(0);
    if !(0..64).contains(&amount) {
        return Err(Fault::Operands(format!("cannot shift by {amount}")));
    }
    let shift = match kind {
        "LSL" => BinOp::Shl,
        "LSR" => BinOp::LShr,
        "ASR" => BinOp::AShr,
        "ROR" => return Ok(rotate(at, value, constant(amount), bits)),
        _ => {
            let value = extend(at, value, kind, bits);
            return Ok(if amount == 0 { value } else { at.bin(BinOp::Shl, bits, value, constant(amount)) });
        }
    };
    Ok(if amount == 0 { value } else { at.bin(shift, bits, value, constant(amount)) })
}

pub(super) fn extend(at: &mut Lowering, value: Operand, kind: &str, bits: u8) -> Operand {
    let from = match kind.as_bytes().last() {
        Some(b'B') => 8,
        Some(b'H') => 16,
        Some(b'W') => 32,
        _ => 64,
    };
    let op = if kind.starts_with('S') { UnOp::Sext } else { UnOp::Trunc };
    let value = at.un(op, from, value);
    if bits == 32 && op == UnOp::Sext { at.un(UnOp::Trunc, 32, value) } else { value }
}

pub(super) fn rotate(at: &mut Lowering, value: Operand, amount: Operand, bits: u8) -> Operand {
    let amount = at.bin(BinOp::And, bits, amount, constant(i64::from(bits) - 1));
    let right = at.bin(BinOp::LShr, bits, value, amount);
    let back = at.bin(BinOp::Sub, bits, constant(i64::from(bits)), amount);
    let back = at.bin(BinOp::And, bits, back, constant(i64::from(bits) - 1));
    let left = at.bin(BinOp::Shl, bits, value, back);
    at.bin(BinOp::Or, bits, right, left)
}

/// The address that a bracket (and what follows it) means; the base register is updated when it says so.
pub(super) fn address(at: &mut Lowering, args: &[Arg]) -> Result<Operand, Fault> {
    let form = || Fault::form("[Xn]`, `[Xn,#k]`, `[Xn,Xm]`, `[Xn,Wm,SXTW]`, `[Xn,#k]!` or `[Xn],#k");
    let Some(Arg::Bracket(parts, pre)) = args.first() else { return Err(form()) };
    let base_register = reg(parts.first())?;
    if base_register.bits != 64 {
        return Err(Fault::Operands("the base of an address is an X register".to_owned()));
    }
    let base = read(at, &base_register);
    match (&parts[1..], &args[1..]) {
        ([], []) if !pre => Ok(base),
        ([Arg::Immediate(k)], []) => {
            let address = at.offset(64, base, *k);
            if *pre {
                let address = at.copy(address);
                write(at, &base_register, address);
                return Ok(address);
            }
            Ok(address)
        }
        ([], [Arg::Immediate(k)]) if !pre => {
            let address = at.copy(base);
            let next = at.offset(64, address, *k);
            write(at, &base_register, next);
            Ok(address)
        }
        (index, []) if !pre && !index.is_empty() => {
            let wide = reg(index.first())?.bits == 64;
            if !wide && !matches!(index.get(1), Some(Arg::Modifier(kind, _)) if kind.ends_with("TW")) {
                return Err(Fault::Operands("a W index needs `SXTW` or `UXTW`".to_owned()));
            }
            let index = flexible(at, index, 64)?;
            Ok(at.bin(BinOp::Add, 64, base, index))
        }
        _ => Err(form()),
    }
}

/// Size of an access: from the suffix, or the register.
pub(super) fn size_of(suffix: &str, register: &Register) -> Option<u8> {
    match suffix {
        "" => Some(register.bits / 8),
        "b" => Some(1),
        "h" => Some(2),
        _ => None,
    }
}
