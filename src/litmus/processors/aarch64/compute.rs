//! Arithmetic, comparisons, conditional selection.

use super::operands::*;
use crate::litmus::processors::asm::{Lowering, constant};
use crate::litmus::processors::flags::{condition, flags};
use crate::litmus::processors::operand::{Fault, Operand as Arg};
use crate::program::{BinOp, Instr, Operand, UnOp};

/// Everything that computes.
pub(super) fn arithmetic(at: &mut Lowering, name: &str, args: &[Arg]) -> Option<Result<(), Fault>> {
    let done = match name {
        "mov" | "movz" | "movn" | "movk" | "mvn" | "neg" | "negs" | "abs" | "rbit" | "rev" | "rev64" | "rev32"
        | "rev16" | "clz" | "sxtb" | "sxth" | "sxtw" | "uxtb" | "uxth" | "uxtw" => unary(at, name, args),
        "cmp" | "cmn" | "tst" => compare(at, name, args),
        "ccmp" | "ccmn" => compare_if(at, name, args),
        "csel" | "csinc" | "csinv" | "csneg" | "cset" | "csetm" | "cinc" | "cinv" | "cneg" => select(at, name, args),
        "adc" | "sbc" => with_carry(at, name, args),
        "ubfx" | "sbfx" | "ubfm" | "sbfm" => bit_field(at, name, args),
        "umull" | "smull" | "umnegl" | "smnegl" | "umaddl" | "smaddl" | "umsubl" | "smsubl" => {
            widening_product(at, name, args)
        }
        "extr" => extract(at, args),
        "madd" | "msub" => multiply(at, name, args),
        "udiv" | "sdiv" => divide(at, name, args),
        _ => binary(at, name, args)?,
    };
    Some(done)
}

fn unary(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let target = reg(args.first())?;
    let bits = target.bits;
    let mut value = flexible(at, args.get(1..).unwrap_or_default(), bits)?;
    value = match name {
        "movk" => {
            let shift = match args {
                [_, _, Arg::Modifier(_, Some(shift @ 0..64))] => *shift,
                _ => 0,
            };
            let old = read(at, &target);
            let kept = at.bin(BinOp::And, bits, old, Operand::Const(!(0xffff << shift)));
            at.bin(BinOp::Or, bits, kept, value)
        }
        "movn" | "mvn" => at.un(UnOp::Not, bits, value),
        "neg" | "negs" => {
            let result = at.un(UnOp::Neg, bits, value);
            if name == "negs" {
                flags(at, BinOp::Sub, bits, constant(0), value, result);
            }
            result
        }
        "rbit" => at.un(UnOp::BitReverse, bits, value),
        "rev" | "rev64" => at.un(UnOp::ByteSwap, bits, value),
        "rev32" => {
            let low = at.un(UnOp::ByteSwap, 32, value);
            let high = at.bin(BinOp::LShr, 64, value, constant(32));
            let high = at.un(UnOp::ByteSwap, 32, high);
            let high = at.bin(BinOp::Shl, bits, high, constant(32));
            if bits == 32 { low } else { at.bin(BinOp::Or, 64, low, high) }
        }
        "rev16" => {
            const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
            let down = at.bin(BinOp::LShr, bits, value, constant(8));
            let down = at.bin(BinOp::And, bits, down, Operand::Const(EVEN));
            let up = at.bin(BinOp::And, bits, value, Operand::Const(EVEN));
            let up = at.bin(BinOp::Shl, bits, up, constant(8));
            at.bin(BinOp::Or, bits, up, down)
        }
        "abs" => {
            // All ones where the value is negative: `(value ^ sign) - sign`.
            let sign = at.bin(BinOp::AShr, bits, value, constant(i64::from(bits) - 1));
            let flipped = at.bin(BinOp::Xor, bits, value, sign);
            at.bin(BinOp::Sub, bits, flipped, sign)
        }
        "clz" => at.un(UnOp::Clz, bits, value),
        "mov" | "movz" => match value {
            Operand::Reg(_) if bits == 32 => at.un(UnOp::Trunc, 32, value),
            value => value,
        },
        _ => extend(at, value, &name.to_ascii_uppercase(), bits),
    };
    write(at, &target, value);
    Ok(())
}

fn compare(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let left = reg(args.first())?;
    let a = read(at, &left);
    let b = flexible(at, args.get(1..).unwrap_or_default(), left.bits)?;
    let op = match name {
        "cmp" => BinOp::Sub,
        "cmn" => BinOp::Add,
        _ => BinOp::And,
    };
    let result = at.bin(op, left.bits, a, b);
    flags(at, op, left.bits, a, b, result);
    Ok(())
}

/// `CCMP Wn,Wm,#nzcv,EQ`: compares where the condition holds, else the flags are those of the number.
fn compare_if(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let [_, _, Arg::Immediate(otherwise @ 0..16), Arg::Name(word)] = args else {
        return Err(Fault::form("CCMP Wn,Wm,#nzcv,EQ"));
    };
    let cond = condition(at, &word.to_ascii_lowercase())
        .ok_or_else(|| Fault::Operands(format!("`{word}` is not a condition")))?;
    // The comparison may change the flag that the condition is.
    let cond = at.copy(cond);
    compare(at, &name[1..], &args[..2])?;
    for (place, flag) in ["?V", "?C", "?Z", "?N"].into_iter().enumerate() {
        let (dst, a, b) = (at.register(flag), at.get(flag), constant(otherwise >> place & 1));
        at.push(Instr::Select { dst, cond, a, b, on_cond: true });
    }
    Ok(())
}

/// Conditional selection: the result depends on the chosen operand, and on the flags by a pick only.
fn select(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let target = reg(args.first())?;
    let bits = target.bits;
    let (sources, last) = match name {
        "cset" | "csetm" => (0, 1),
        "cinc" | "cinv" | "cneg" => (1, 2),
        _ => (2, 3),
    };
    let Some(Arg::Name(word)) = args.get(last) else { return Err(Fault::form("CSEL Wd,Wn,Wm,EQ")) };
    let cond = condition(at, &word.to_ascii_lowercase())
        .ok_or_else(|| Fault::Operands(format!("`{word}` is not a condition")))?;
    let mut values = [constant(0), constant(0)];
    for (i, value) in values.iter_mut().enumerate().take(sources) {
        let r = reg(args.get(1 + i))?;
        *value = read(at, &r);
    }
    let (first, second) = (values[0], values[1]);
    let (a, b) = match name {
        "csel" => (first, second),
        "csinc" => (first, at.bin(BinOp::Add, bits, second, constant(1))),
        "csinv" => (first, at.un(UnOp::Not, bits, second)),
        "csneg" => (first, at.un(UnOp::Neg, bits, second)),
        "cset" => (constant(1), constant(0)),
        "csetm" => (constant(-1), constant(0)),
        "cinv" => (at.un(UnOp::Not, bits, first), first),
        "cneg" => (at.un(UnOp::Neg, bits, first), first),
        _ => (at.bin(BinOp::Add, bits, first, constant(1)), first),
    };
    let dst = at.temporary();
    at.push(Instr::Select { dst, cond, a, b, on_cond: false });
    let value = if bits == 32 { at.un(UnOp::Trunc, 32, Operand::Reg(dst)) } else { Operand::Reg(dst) };
    write(at, &target, value);
    Ok(())
}

fn with_carry(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let target = reg(args.first())?;
    let (n, m) = (reg(args.get(1))?, reg(args.get(2))?);
    let (n, mut m) = (read(at, &n), read(at, &m));
    if name == "sbc" {
        m = at.un(UnOp::Not, target.bits, m);
    }
    let sum = at.bin(BinOp::Add, target.bits, n, m);
    let carry = at.get("?C");
    let value = at.bin(BinOp::Add, target.bits, sum, carry);
    write(at, &target, value);
    Ok(())
}

/// Bits of a register, moved to the low end (`UBFX Xd,Xn,#first,#width`), or by the general forms where a last bit below the
/// first means a move to the left.
fn bit_field(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let [_, _, Arg::Immediate(first), Arg::Immediate(second)] = args else {
        return Err(Fault::form("UBFX Xd,Xn,#first,#width"));
    };
    let (target, source) = (reg(args.first())?, reg(args.get(1))?);
    let bits = i64::from(target.bits);
    let last = if name.ends_with('x') { first + second - 1 } else { *second };
    if !(0..bits).contains(first) || !(0..bits).contains(&last) || name.ends_with('x') && last < *first {
        return Err(Fault::Operands(format!("the field does not lie in {bits} bits")));
    }
    let value = read(at, &source);
    // To the left end, so that the shift back fills with zeros or copies of the sign; a field that moves left goes less far back.
    let up = at.bin(BinOp::Shl, target.bits, value, constant(bits - 1 - last));
    let down = if last >= *first { bits - 1 - (last - first) } else { *first - 1 - last };
    let op = if name.starts_with('s') { BinOp::AShr } else { BinOp::LShr };
    let value = at.bin(op, target.bits, up, constant(down));
    write(at, &target, value);
    Ok(())
}

/// `SMULL Xd,Wn,Wm`, its negative `SMNEGL`, and the sum and difference `SMADDL Xd,Wn,Wm,Xa`, `SMSUBL`; without a sign by `U…`.
fn widening_product(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let target = reg(args.first())?;
    let (n, m) = (reg(args.get(1))?, reg(args.get(2))?);
    let op = if name.starts_with('s') { UnOp::Sext } else { UnOp::Trunc };
    let (n, m) = (read(at, &n), read(at, &m));
    let (n, m) = (at.un(op, 32, n), at.un(op, 32, m));
    let product = at.bin(BinOp::Mul, 64, n, m);
    let (rest, value) = match &name[1..] {
        "mull" => (3, product),
        "mnegl" => (3, at.un(UnOp::Neg, 64, product)),
        more => {
            let a = reg(args.get(3))?;
            let a = read(at, &a);
            (4, at.bin(if more == "maddl" { BinOp::Add } else { BinOp::Sub }, 64, a, product))
        }
    };
    if args.len() > rest {
        return Err(Fault::Operands("too many operands".to_owned()));
    }
    write(at, &target, value);
    Ok(())
}

/// `EXTR Xd,Xn,Xm,#first`: the bits of the pair `Xn:Xm` from `first` on.
fn extract(at: &mut Lowering, args: &[Arg]) -> Result<(), Fault> {
    let [_, _, _, Arg::Immediate(first)] = args else { return Err(Fault::form("EXTR Xd,Xn,Xm,#first")) };
    let (target, n, m) = (reg(args.first())?, reg(args.get(1))?, reg(args.get(2))?);
    let bits = i64::from(target.bits);
    if !(0..bits).contains(first) {
        return Err(Fault::Operands(format!("the first bit does not lie in {bits} bits")));
    }
    let (high, low) = (read(at, &n), read(at, &m));
    let low = at.bin(BinOp::LShr, target.bits, low, constant(*first));
    let value = match bits - first {
        whole if whole == bits => low,
        up => {
            let high = at.bin(BinOp::Shl, target.bits, high, constant(up));
            at.bin(BinOp::Or, target.bits, high, low)
        }
    };
    write(at, &target, value);
    Ok(())
}

/// Division: by zero it gives zero, and the one signed quotient that does not fit wraps around.
fn divide(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let target = reg(args.first())?;
    let (n, d) = (reg(args.get(1))?, reg(args.get(2))?);
    let (n, d) = (read(at, &n), read(at, &d));
    let choose = |at: &mut Lowering, cond: Operand, a: Operand, b: Operand| {
        let dst = at.temporary();
        at.push(Instr::Select { dst, cond, a, b, on_cond: true });
        Operand::Reg(dst)
    };
    let zero = at.bin(BinOp::Eq, target.bits, d, constant(0));
    let divisor = choose(at, zero, constant(1), d);
    let quotient = if name == "udiv" {
        at.bin(BinOp::UDiv, target.bits, n, divisor)
    } else {
        let negated = at.un(UnOp::Neg, target.bits, n);
        let minus = at.bin(BinOp::Eq, target.bits, d, constant(-1));
        let divisor = choose(at, minus, constant(1), divisor);
        let quotient = at.bin(BinOp::SDiv, target.bits, n, divisor);
        choose(at, minus, negated, quotient)
    };
    let value = choose(at, zero, constant(0), quotient);
    write(at, &target, value);
    Ok(())
}

fn multiply(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let target = reg(args.first())?;
    let (n, m, a) = (reg(args.get(1))?, reg(args.get(2))?, reg(args.get(3))?);
    let (n, m, a) = (read(at, &n), read(at, &m), read(at, &a));
    let product = at.bin(BinOp::Mul, target.bits, n, m);
    let op = if name == "madd" { BinOp::Add } else { BinOp::Sub };
    let value = at.bin(op, target.bits, a, product);
    write(at, &target, value);
    Ok(())
}

fn binary(at: &mut Lowering, name: &str, args: &[Arg]) -> Option<Result<(), Fault>> {
    let (stem, set_flags) = match name.strip_suffix('s') {
        Some(stem @ ("add" | "sub" | "and" | "bic")) => (stem, true),
        _ => (name, false),
    };
    let (op, inverted) = match stem {
        "add" => (BinOp::Add, false),
        "sub" => (BinOp::Sub, false),
        "and" => (BinOp::And, false),
        "orr" => (BinOp::Or, false),
        "eor" => (BinOp::Xor, false),
        "bic" => (BinOp::And, true),
        "orn" => (BinOp::Or, true),
        "eon" => (BinOp::Xor, true),
        "lsl" | "lslv" => (BinOp::Shl, false),
        "lsr" | "lsrv" => (BinOp::LShr, false),
        "asr" | "asrv" => (BinOp::AShr, false),
        "ror" | "rorv" | "mneg" => (BinOp::Mul, false),
        "mul" => (BinOp::Mul, false),
        _ => return None,
    };
    let mut lower = || {
        let (target, left) = (reg(args.first())?, reg(args.get(1))?);
        let bits = target.bits;
        let a = read(at, &left);
        let mut b = flexible(at, args.get(2..).unwrap_or_default(), bits)?;
        if inverted {
            b = at.un(UnOp::Not, bits, b);
        }
        if matches!(op, BinOp::Shl | BinOp::LShr | BinOp::AShr) {
            b = at.bin(BinOp::And, bits, b, constant(i64::from(bits) - 1));
        }
        let value = match stem {
            "ror" | "rorv" => rotate(at, a, b, bits),
            "mneg" => {
                let product = at.bin(BinOp::Mul, bits, a, b);
                at.un(UnOp::Neg, bits, product)
            }
            _ => at.bin(op, bits, a, b),
        };
        if set_flags {
            flags(at, op, bits, a, b, value);
        }
        write(at, &target, value);
        Ok(())
    };
    Some(lower())
}
