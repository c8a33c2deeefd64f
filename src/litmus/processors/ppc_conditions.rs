//! Power: instructions on the condition register, whose fields are values of four bits ([`super::ppc`]).

use super::asm::{Lowering, constant};
use super::operand::{Fault, Operand as Arg};
use super::ppc::{base, canonical_register};
use super::registers::{read, reg};
use crate::program::{BinOp, Instr, Operand};

/// Translates an instruction that reads or writes the condition register, if it is one.
pub(super) fn conditions(at: &mut Lowering, name: &str, args: &[Arg]) -> Option<Result<(), Fault>> {
    Some(match name {
        "isel" => select(at, args),
        "mfcr" => fields(at, args, 0..8),
        // One field; the other bits of the register are undefined, and zero here.
        "mfocrf" => match args.get(1) {
            Some(&Arg::Immediate(mask @ (1 | 2 | 4 | 8 | 16 | 32 | 64 | 128))) => {
                let field = 7 - mask.trailing_zeros() as i64;
                fields(at, args, field..field + 1)
            }
            _ => Err(Fault::form("mfocrf rd,mask")),
        },
        "mtcrf" | "mtocrf" => from_word(at, args),
        "crclr" | "crset" => bit(args.first()).map(|to| write(at, to, constant(i64::from(name == "crset")))),
        _ => return combined(at, name, args),
    })
}

/// Fields of the condition register, each at its place in a word.
fn fields(at: &mut Lowering, args: &[Arg], fields: std::ops::Range<i64>) -> Result<(), Fault> {
    let target = reg(at, args.first())?;
    let mut all = constant(0);
    for field in fields {
        let value = at.get(&format!("cr{field}"));
        let value = at.bin(BinOp::Shl, 64, value, constant(28 - 4 * field));
        all = at.bin(BinOp::Or, 64, all, value);
    }
    at.set(&target, all);
    Ok(())
}

/// `mtcrf mask,rs`: the fields that the mask names, the first by its highest bit.
fn from_word(at: &mut Lowering, args: &[Arg]) -> Result<(), Fault> {
    let Some(&Arg::Immediate(mask @ 0..256)) = args.first() else { return Err(Fault::form("mtcrf mask,rs")) };
    let source = read(at, args.get(1))?;
    for field in (0..8).filter(|field| mask & (0x80 >> field) != 0) {
        let moved = at.bin(BinOp::LShr, 64, source, constant(28 - 4 * field));
        let value = at.bin(BinOp::And, 64, moved, constant(15));
        at.set(&format!("cr{field}"), value);
    }
    Ok(())
}

/// `cror 4*cr0+eq,4*cr1+lt,2` and its like.
fn combined(at: &mut Lowering, name: &str, args: &[Arg]) -> Option<Result<(), Fault>> {
    let (op, inverts) = match name {
        "crmove" | "cror" => (BinOp::Or, false),
        "crnot" | "crnor" => (BinOp::Or, true),
        "crand" => (BinOp::And, false),
        "crnand" => (BinOp::And, true),
        "crxor" => (BinOp::Xor, false),
        "creqv" => (BinOp::Xor, true),
        "crandc" => (BinOp::AndNot, false),
        "crorc" => (BinOp::Or, false),
        _ => return None,
    };
    let mut combine = || {
        let second = if matches!(name, "crmove" | "crnot") { args.get(1) } else { args.get(2) };
        let (to, a, b) = (bit(args.first())?, bit(args.get(1))?, bit(second)?);
        let (a, mut b) = (value(at, a), value(at, b));
        if name == "crorc" {
            b = at.bin(BinOp::Xor, 64, b, constant(1));
        }
        let mut result = at.bin(op, 64, a, b);
        if inverts {
            result = at.bin(BinOp::Xor, 64, result, constant(1));
        }
        write(at, to, result);
        Ok(())
    };
    Some(combine())
}

/// A field, and the distance of a bit from its lowest one.
type Bit = (String, i64);

/// `4*cr1+eq`, `eq` of the first field, or the number of a bit.
fn bit(arg: Option<&Arg>) -> Result<Bit, Fault> {
    let form = || Fault::form("4*cr1+eq");
    let (field, name) = match arg {
        Some(Arg::Name(name)) => match name.strip_prefix("4*").and_then(|rest| rest.split_once('+')) {
            Some((field, bit)) => (field.to_owned(), bit),
            None => ("cr0".to_owned(), name.as_str()),
        },
        Some(Arg::Immediate(k @ 0..32)) => {
            const BITS: [&str; 4] = ["lt", "gt", "eq", "so"];
            (format!("cr{}", k / 4), BITS[(k % 4) as usize])
        }
        _ => return Err(form()),
    };
    let place = match name {
        "lt" => 3,
        "gt" => 2,
        "eq" => 1,
        "so" | "un" => 0,
        _ => return Err(form()),
    };
    let field = canonical_register(&field).filter(|r| r.starts_with("cr")).ok_or_else(form)?;
    Ok((field, place))
}

fn value(at: &mut Lowering, (field, place): Bit) -> Operand {
    let field = at.get(&field);
    let moved = at.bin(BinOp::LShr, 64, field, constant(place));
    at.bin(BinOp::And, 64, moved, constant(1))
}

fn write(at: &mut Lowering, (field, place): Bit, value: Operand) {
    let old = at.get(&field);
    let others = at.bin(BinOp::And, 64, old, constant(15 & !(1 << place)));
    let moved = at.bin(BinOp::Shl, 64, value, constant(place));
    let new = at.bin(BinOp::Or, 64, others, moved);
    at.set(&field, new);
}

/// `isel rd,ra,rb,4*cr1+eq`: the first operand where the bit is set (a base: `r0` is zero), else the second.
fn select(at: &mut Lowering, args: &[Arg]) -> Result<(), Fault> {
    let [_, _, _, tested] = args else { return Err(Fault::form("isel rd,ra,rb,4*cr1+eq")) };
    let (field, place) = bit(Some(tested))?;
    let target = reg(at, args.first())?;
    let (_, a) = base(at, args.get(1))?;
    let b = read(at, args.get(2))?;
    let value = at.get(&field);
    let cond = at.bin(BinOp::And, 64, value, constant(1 << place));
    let dst = at.register(&target);
    at.push(Instr::Select { dst, cond, a, b, on_cond: true });
    Ok(())
}
